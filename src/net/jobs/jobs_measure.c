/* SPDX-License-Identifier: Apache-2.0 */
/* What the messages of jobs come to, for estimates. The busiest rank is taken for the pace of all;
 * what is in the background lasts as long as the longest of the others. */
#include "net/jobs/job_schedule.h"

typedef weft_job_sums repetition;

/* Returns the ticks that an operation takes its rank. */
static double add_operation(const weft_job_set *set, const weft_operation *operation,
                            repetition *sums)
{
    double size = (double)weft_operation_size(operation);
    double length = size > 1 ? (size - 1) / (double)set->flit + 1 : 1;
    double asks = size > (double)set->costs.eager ? 2 : 0; /* request and answer */
    if (operation->kind == WEFT_OPERATION_CALC)
        return size * (double)set->calc;
    if (operation->kind == WEFT_OPERATION_RECV)
        return (double)set->costs.overhead;
    sums->flits += length + asks;
    sums->messages += 1 + asks;
    sums->size_classes |= 1u << weft_job_size_class(weft_operation_size(operation));
    if (weft_operation_size(operation) > sums->most_bytes)
        sums->most_bytes = weft_operation_size(operation);
    return (double)set->costs.overhead + length * (double)set->costs.per_byte;
}

void weft_job_sums_add(const weft_job_set *set, const weft_operation *operations, uint32_t count,
                       weft_job_sums *sums)
{
    double busy = 0;
    for (uint32_t i = 0; i < count; i++)
        busy += add_operation(set, &operations[i], sums);
    sums->busiest = busy > sums->busiest ? busy : sums->busiest;
}

bool weft_job_set_divided(const weft_job_set *set)
{
    for (uint32_t j = 0; set && j < set->n_jobs; j++)
        if (set->jobs[j].program.divided)
            return true;
    return false;
}

static repetition look_at(const weft_job_set *set, const weft_job *job)
{
    const weft_program *program = &job->program;
    repetition sums = {0};
    if (job->schedule.n_phases > 0)
        return weft_job_schedule_sums(set, job);
    if (program->divided)
        return job->sums;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        weft_job_sums_add(set, program->operations + program->first[r],
                          weft_ranks_operations(program, r), &sums);
    return sums;
}

void weft_job_set_measure(weft_job_set *set, uint32_t endpoints)
{
    double flits = 0, longest = 1;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t j = 0; j < set->n_jobs; j++) {
            weft_job *job = &set->jobs[j];
            if (job->background != pass)
                continue;
            repetition once = look_at(set, job);
            job->size_classes = once.size_classes;
            double most = once.busiest > 1 ? longest / once.busiest : longest;
            double repeats = job->background && job->repeats > most ? most : job->repeats;
            flits += once.flits * repeats;
            set->messages += once.messages * repeats;
            uint64_t most_flits = once.most_bytes > 1 ? (once.most_bytes - 1) / set->flit + 1 : 1;
            if (once.messages > 0 && most_flits > set->most_flits)
                set->most_flits =
                    most_flits < WEFT_JOB_FLITS_MAX ? (uint32_t)most_flits : WEFT_JOB_FLITS_MAX;
            longest = once.busiest * repeats > longest ? once.busiest * repeats : longest;
        }
    set->most_flits = set->most_flits ? set->most_flits : 1;
    set->mean_flits = set->messages > 0 ? flits / set->messages : 1;
    set->longest = longest;
    set->load = flits * (double)set->costs.per_byte / longest / endpoints;
    set->load = set->load < 1e-6 ? 1e-6 : set->load > 1 ? 1 : set->load;
}
