/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/jobs/run_jobs.h"

#include "base/memory.h"
#include "program/march/march.h"
#include "sim/jobs/processes.h"

#include <stdlib.h>
#include <string.h>

weft_jobs_votes weft_run_jobs_vote(const weft_instance *instance)
{
    weft_jobs_votes votes = {0};
    for (uint32_t i = 0; instance->platform.network->jobs && i < instance->n_sites; i++) {
        votes.ranks += weft_processes_left(&instance->sites[i]);
        votes.active += !weft_processes_idle(&instance->sites[i]);
        votes.under_way += weft_processes_under_way(&instance->sites[i]);
    }
    return votes;
}

void weft_run_jobs_init(weft_simulation *simulation)
{
    const weft_job_set *jobs = simulation->network->jobs;
    if (!jobs)
        return;
    size_t flows = sizeof *simulation->flows * jobs->n_jobs * WEFT_SIZE_CLASSES;
    if (!simulation->began) {
        simulation->began = weft_alloc(sizeof *simulation->began * jobs->n_jobs);
        for (uint32_t j = 0; j < jobs->n_jobs; j++)
            simulation->n_steps += weft_ranks_steps(jobs->jobs[j].repeats);
        simulation->steps = weft_alloc(sizeof *simulation->steps * (simulation->n_steps + 1));
        simulation->flows = weft_alloc(flows);
        simulation->flows_before = weft_alloc(flows);
    }
    memset(simulation->flows_before, 0, flows);
    memset(simulation->steps, 0, sizeof *simulation->steps * simulation->n_steps);
    for (uint32_t j = 0; j < jobs->n_jobs; j++)
        simulation->began[j] = jobs->jobs[j].after == WEFT_NOWHERE ? jobs->jobs[j].start : -1;
}

static bool some_wait(const weft_simulation *simulation)
{
    for (uint32_t j = 0; simulation->began && j < simulation->network->jobs->n_jobs; j++)
        if (simulation->began[j] < 0)
            return true;
    return false;
}

bool weft_run_jobs_begin(weft_simulation *simulation)
{
    const weft_job_set *jobs = simulation->network->jobs;
    weft_instance *instance = &simulation->instance;
    weft_time now = weft_engine_now(instance->engine);
    bool one = false;
    if (!some_wait(simulation))
        return false;
    int64_t *left = weft_alloc(sizeof *left * jobs->n_jobs);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        weft_processes_left_of(&instance->sites[i], left);
    if (simulation->comm)
        simulation->comm->kind->sum(simulation->comm, left, jobs->n_jobs);
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        if (simulation->began[j] >= 0 || left[jobs->jobs[j].after] > 0)
            continue;
        one = true;
        simulation->began[j] = now + jobs->jobs[j].start;
        for (uint32_t i = 0; i < instance->n_sites; i++)
            weft_processes_begin(&instance->sites[i], j, simulation->began[j], now);
    }
    free(left);
    return one;
}

bool weft_run_jobs_silent(const weft_simulation *simulation, int64_t under_way)
{
    if (weft_job_set_has_background(simulation->network->jobs))
        return under_way == 0;
    return simulation->population[simulation->network->n_traffic_classes - 1] == 0;
}

weft_stop_reason weft_run_jobs_verdict(const weft_simulation *simulation, int64_t ranks)
{
    const weft_goal *goal = &simulation->control.goal;
    if (ranks == 0)
        return WEFT_CONVERGED;
    bool late = goal->limit_intervals > 0 &&
                weft_series_intervals(simulation->series) >= (uint64_t)goal->limit_intervals;
    bool full = goal->limit_packets > 0 && simulation->received >= goal->limit_packets;
    return late || full ? WEFT_AT_LIMIT : WEFT_GO_ON;
}

/* A number of every rank of all jobs, on all processes. */
static int64_t *gather(const weft_simulation *simulation,
                       void (*fill)(const weft_site *site, int64_t *numbers))
{
    const weft_instance *instance = &simulation->instance;
    size_t count = simulation->network->jobs->n_ranks;
    int64_t *numbers = weft_alloc(sizeof *numbers * (count + 1));
    for (uint32_t i = 0; i < instance->n_sites; i++)
        fill(&instance->sites[i], numbers);
    if (simulation->comm)
        simulation->comm->kind->sum(simulation->comm, numbers, count);
    return numbers;
}

/* The first job that waits, and the end of its last operation. */
static const weft_job *first_waiting(const weft_job_set *jobs, const int64_t *waits,
                                     const int64_t *finish, int64_t *last)
{
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        const weft_job *job = &jobs->jobs[j];
        bool waiting = false;
        if (job->background)
            continue;
        *last = 0;
        for (uint32_t r = job->first; r < job->first + job->program.n_ranks; r++) {
            waiting = waiting || waits[r] > 0;
            *last = finish[r] > *last ? finish[r] : *last;
        }
        if (waiting)
            return job;
    }
    return &jobs->jobs[0];
}

/* Operations of other processes are not here: they come in numbers. */
static weft_status stored_stuck(const weft_simulation *simulation, const weft_job *job,
                                const int64_t *numbers, uint64_t last, const char *name,
                                weft_error *err)
{
    int64_t *peers = gather(simulation, weft_processes_wait_peers);
    int64_t *sizes = gather(simulation, weft_processes_wait_sizes);
    int64_t *tags = gather(simulation, weft_processes_wait_tags);
    uint32_t ranks = job->program.n_ranks;
    weft_ranks_wait *waits = weft_alloc(sizeof *waits * ((size_t)ranks + 1));
    for (uint32_t r = 0; r < ranks; r++) {
        size_t at = (size_t)job->first + r;
        uint64_t size = (uint64_t)sizes[at] >> 2;
        waits[r].number = (uint32_t)numbers[at];
        waits[r].operation = (weft_operation){.kind = (uint8_t)(sizes[at] & 3),
                                              .size_low = (uint32_t)size,
                                              .size_high = (uint32_t)(size >> 32),
                                              .peer = (uint32_t)peers[at],
                                              .tag = (uint32_t)tags[at]};
    }
    weft_status status = weft_ranks_stuck(&job->program, waits, last, name, err);
    free(waits);
    free(peers);
    free(sizes);
    free(tags);
    return status;
}

weft_status weft_run_jobs_stuck(const weft_simulation *simulation, weft_error *err)
{
    int64_t *waits = gather(simulation, weft_processes_waits), last = 0;
    int64_t *finish = gather(simulation, weft_processes_finish);
    const weft_job *job = first_waiting(simulation->network->jobs, waits, finish, &last);
    uint32_t ranks = job->program.n_ranks, *own = weft_alloc(sizeof *own * ((size_t)ranks + 1));
    char *name = weft_text_format("job %s", job->name);
    for (uint32_t r = 0; r < ranks; r++)
        own[r] = (uint32_t)waits[job->first + r];
    weft_status status = job->schedule.n_phases > 0
                             ? weft_march_stuck(&job->schedule, own, (uint64_t)last, name, err)
                             : stored_stuck(simulation, job, waits, (uint64_t)last, name, err);
    free(name);
    free(own);
    free(waits);
    free(finish);
    return status;
}

void weft_run_jobs_steps(weft_simulation *simulation)
{
    const weft_instance *instance = &simulation->instance;
    size_t count = simulation->n_steps, bytes = sizeof *simulation->steps * count;
    for (uint32_t i = 0; simulation->steps && i < instance->n_sites; i++)
        weft_processes_steps(&instance->sites[i], simulation->steps);
    if (!simulation->comm || !simulation->steps || count == 0)
        return;
    uint32_t members = weft_comm_size(simulation->comm);
    void *all;
    size_t *sizes = weft_alloc(sizeof *sizes * members);
    simulation->comm->kind->gather(simulation->comm, simulation->steps, bytes, &all, sizes);
    const int64_t *theirs = all;
    for (size_t i = 0; theirs && i < count * members; i++)
        if (theirs[i] > simulation->steps[i % count])
            simulation->steps[i % count] = theirs[i];
    free(all);
    free(sizes);
}

void weft_run_jobs_flows(weft_simulation *simulation)
{
    const weft_instance *instance = &simulation->instance;
    if (!simulation->flows)
        return;
    size_t bytes =
        sizeof *simulation->flows * simulation->network->jobs->n_jobs * WEFT_SIZE_CLASSES;
    memset(simulation->flows, 0, bytes);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        weft_processes_flows(&instance->sites[i], simulation->flows);
    int64_t *words = (int64_t *)(void *)simulation->flows;
    const int64_t *before = (const int64_t *)(const void *)simulation->flows_before;
    if (simulation->comm)
        simulation->comm->kind->sum(simulation->comm, words, bytes / sizeof *words);
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        words[i] += before[i];
}

/* Only bins that are not empty. */
static void save_flow(const weft_process_times *flow, weft_pack *pack)
{
    uint32_t bins = 0;
    for (uint32_t b = 0; b < WEFT_HISTOGRAM_BINS; b++)
        bins += flow->bins.count[b] > 0;
    weft_pack_i64(pack, flow->count);
    weft_pack_i64(pack, flow->sum);
    weft_pack_u32(pack, bins);
    for (uint32_t b = 0; b < WEFT_HISTOGRAM_BINS; b++)
        if (flow->bins.count[b] > 0) {
            weft_pack_u32(pack, b);
            weft_pack_u64(pack, flow->bins.count[b]);
        }
}

static void load_flow(weft_process_times *flow, weft_unpack *from)
{
    flow->count = weft_unpack_count(from);
    flow->sum = weft_unpack_count(from);
    for (uint32_t bins = weft_unpack_u32(from); bins > 0 && !from->failed; bins--) {
        uint32_t bin = weft_unpack_u32(from);
        uint64_t count = weft_unpack_u64(from);
        if (bin < WEFT_HISTOGRAM_BINS)
            flow->bins.count[bin] = count;
        else
            weft_unpack_fail(from);
    }
}

static size_t n_flows(const weft_simulation *simulation)
{
    return simulation->flows ? (size_t)simulation->network->jobs->n_jobs * WEFT_SIZE_CLASSES : 0;
}

void weft_run_jobs_save(const weft_simulation *simulation, weft_pack *pack)
{
    for (size_t i = 0; i < n_flows(simulation); i++)
        save_flow(&simulation->flows[i], pack);
}

void weft_run_jobs_load(weft_simulation *simulation, weft_unpack *from)
{
    for (size_t i = 0; i < n_flows(simulation); i++)
        load_flow(&simulation->flows_before[i], from);
}

static void sum_spent(weft_simulation *simulation)
{
    const weft_instance *instance = &simulation->instance;
    size_t count = (size_t)simulation->network->jobs->n_jobs * WEFT_SPENT_KINDS;
    free(simulation->cpu_spent);
    simulation->cpu_spent = weft_alloc(sizeof *simulation->cpu_spent * count);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        weft_processes_spent(&instance->sites[i], simulation->cpu_spent);
    if (simulation->comm)
        simulation->comm->kind->sum(simulation->comm, simulation->cpu_spent, count);
}

void weft_run_jobs_finish(weft_simulation *simulation)
{
    if (!simulation->network->jobs)
        return;
    free(simulation->finish);
    free(simulation->repetition);
    simulation->finish = gather(simulation, weft_processes_finish);
    simulation->repetition = gather(simulation, weft_processes_repetitions);
    sum_spent(simulation);
    weft_run_jobs_steps(simulation);
    weft_run_jobs_flows(simulation);
    bool limited = false;
    for (uint32_t j = 0; j < simulation->network->jobs->n_jobs; j++)
        limited = limited || simulation->network->jobs->jobs[j].schedule.limit > 0;
    if (!limited)
        return;
    free(simulation->half);
    simulation->half = gather(simulation, weft_processes_half);
}
