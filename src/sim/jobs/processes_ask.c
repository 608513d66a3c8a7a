/* SPDX-License-Identifier: Apache-2.0 */
/* What sync points ask of the ranks of a site. */
#include "sim/jobs/processes.h"
#include "sim/jobs/processes_state.h"

int64_t weft_processes_waiting(const weft_site *site)
{
    return site->processes ? site->processes->waiting : 0;
}

static int64_t left_of(const weft_process_set *set)
{
    return set->generated ? set->march.n_left : set->ranks.n_left;
}

int64_t weft_processes_left(const weft_site *site)
{
    int64_t left = 0;
    for (uint32_t j = 0; site->processes && j < site->processes->n_sets; j++)
        if (!site->platform->network->jobs->jobs[j].background)
            left += left_of(&site->processes->sets[j]);
    return left;
}

void weft_processes_left_of(const weft_site *site, int64_t *left)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++)
        left[j] += left_of(&site->processes->sets[j]);
}

int64_t weft_processes_under_way(const weft_site *site)
{
    int64_t sum = 0;
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_process_set *set = &site->processes->sets[j];
        for (uint32_t i = 0; set->balance && i < set->count; i++)
            sum += set->balance[i];
    }
    return sum;
}

/* Fills in a number of every rank here, at its place among the ranks of all jobs. */
static void fill(const weft_site *site, int64_t *numbers,
                 int64_t (*of)(const weft_process_set *set, uint32_t local))
{
    const weft_job *jobs = site->platform->network->jobs->jobs;
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_process_set *set = &site->processes->sets[j];
        for (uint32_t i = 0; i < set->count; i++) {
            uint32_t rank = set->generated ? set->march.ranks[i].rank : set->ranks.rank[i];
            numbers[jobs[j].first + rank] = of(set, i);
        }
    }
}

static int64_t finish_of(const weft_process_set *set, uint32_t local)
{
    return (int64_t)(set->generated ? set->march.ranks[local].finish : set->ranks.finish[local]);
}

static int64_t half_of(const weft_process_set *set, uint32_t local)
{
    return set->generated ? (int64_t)set->march.ranks[local].half : 0;
}

static int64_t repetition_of(const weft_process_set *set, uint32_t local)
{
    return set->generated ? set->march.ranks[local].repetition : set->ranks.repetition[local];
}

static int64_t waits_of(const weft_process_set *set, uint32_t local)
{
    return set->generated ? weft_march_waits(&set->march, local)
                          : weft_ranks_waits(&set->ranks, local);
}

void weft_processes_finish(const weft_site *site, int64_t *finish)
{
    fill(site, finish, finish_of);
}

void weft_processes_half(const weft_site *site, int64_t *half)
{
    fill(site, half, half_of);
}

void weft_processes_repetitions(const weft_site *site, int64_t *repetitions)
{
    fill(site, repetitions, repetition_of);
}

void weft_processes_spent(const weft_site *site, int64_t *spent)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_process_set *set = &site->processes->sets[j];
        const uint64_t *own = set->generated ? set->march.spent : set->ranks.spent;
        size_t count = (set->generated ? 1 : (size_t)set->count) * WEFT_SPENT_KINDS;
        for (size_t i = 0; i < count; i++)
            spent[j * WEFT_SPENT_KINDS + i % WEFT_SPENT_KINDS] += (int64_t)own[i];
    }
}

void weft_processes_flows(const weft_site *site, weft_process_times *flows)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++)
        for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++) {
            const weft_process_times *own = site->processes->sets[j].flows[c];
            weft_process_times *into = &flows[j * WEFT_SIZE_CLASSES + c];
            if (!own)
                continue;
            into->count += own->count;
            into->sum += own->sum;
            weft_histogram_merge(&into->bins, &own->bins);
        }
}

void weft_processes_steps(const weft_site *site, int64_t *ends)
{
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_process_set *set = &site->processes->sets[j];
        const uint64_t *own = set->generated ? set->march.ends : set->ranks.ends;
        uint32_t steps = weft_ranks_steps(site->platform->network->jobs->jobs[j].repeats);
        for (uint32_t i = 0; i < steps; i++)
            if ((int64_t)own[i] > ends[i])
                ends[i] = (int64_t)own[i];
        ends += steps;
    }
}

void weft_processes_waits(const weft_site *site, int64_t *waits)
{
    fill(site, waits, waits_of);
}
