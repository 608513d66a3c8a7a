/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of programs. A cursor is set by the engine when a rank sends, and stays until then. */
#include "net/jobs/jobs.h"
#include "net/topology.h"

static weft_cursor first(const weft_workload *workload, uint32_t endpoint)
{
    (void)workload, (void)endpoint;
    return (weft_cursor){0};
}

/* Of a send: its data, or the request if it asks first. Of a receive: the answer. */
static uint32_t flits_of(const weft_job_set *set, const weft_operation *operation, bool data)
{
    uint64_t size = weft_operation_size(operation);
    bool asks = operation->kind == WEFT_OPERATION_SEND && size > set->costs.eager && !data;
    if (operation->kind == WEFT_OPERATION_RECV || asks || size == 0)
        return 1;
    return (uint32_t)((size - 1) / set->flit + 1);
}

/* The message of a schedule. */
static weft_message generated(const weft_job_set *set, const weft_job *job, weft_ranks_message name)
{
    const weft_phased *schedule = &job->schedule;
    weft_message message = {.to = WEFT_NOWHERE, .flits = 1};
    weft_phased_name its;
    weft_collective_step step;
    if (!weft_phased_find(schedule, job->repeats, name.source, name.number, &its, &step))
        return message; /* of a checkpoint that is damaged */
    message.to = job->endpoint[its.part == WEFT_PHASED_ANSWER ? step.from : step.to];
    bool data = its.part == WEFT_PHASED_DATA ||
                (its.part == WEFT_PHASED_SENT && step.send <= set->costs.eager);
    if (data && step.send > 0)
        message.flits = (uint32_t)((step.send - 1) / set->flit + 1);
    return message;
}

static weft_message next(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor,
                         weft_random *random)
{
    const weft_job_set *set = workload->self;
    uint32_t rank = set->rank_at[endpoint];
    weft_message message = {.to = WEFT_NOWHERE, .flits = 1};
    *random =
        weft_random_stream(workload->seed, cursor->index, endpoint,
                           (weft_purpose)((uint32_t)WEFT_FOR_MESSAGE | workload->number << 4));
    cursor->live = 0;
    if (rank == WEFT_NOWHERE)
        return message; /* of a checkpoint that is damaged */
    const weft_job *job = &set->jobs[weft_job_set_of(set, rank)];
    weft_ranks_message name = {rank - job->first, cursor->index};
    if (job->schedule.n_phases > 0)
        return generated(set, job, name);
    if (weft_ranks_operations(&job->program, name.source) == 0)
        return message;
    uint32_t number = name.number / 2 % weft_ranks_operations(&job->program, name.source);
    const weft_operation *operation =
        &job->program.operations[job->program.at[name.source] + number];
    if (operation->kind == WEFT_OPERATION_CALC || operation->peer >= job->program.n_ranks)
        return message;
    message.to = job->endpoint[operation->peer];
    message.flits = flits_of(set, operation, cursor->index & 1);
    return message;
}

static void skip(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor)
{
    (void)workload, (void)endpoint;
    cursor->live = 0;
}

const weft_workload_kind weft_workload_program = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_workload_kind),
             .name = "program",
             .brief = "messages of message-passing programs, sent as ranks go on"},
    .first = first,
    .next = next,
    .skip = skip,
};
