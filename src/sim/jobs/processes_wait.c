/* SPDX-License-Identifier: Apache-2.0 */
/* Operations at which ranks of stored programs wait, as numbers: they go to other processes. */
#include "sim/jobs/processes_state.h"

/* Fills in numbers[rank among those of all jobs] for the ranks of a site that wait. */
static void fill(const weft_site *site, int64_t *numbers, int64_t (*of)(const weft_operation *it))
{
    const weft_job *jobs = site->platform->network->jobs->jobs;
    for (uint32_t j = 0; j < site->processes->n_sets; j++) {
        const weft_process_set *set = &site->processes->sets[j];
        const weft_ranks *ranks = &set->ranks;
        for (uint32_t i = 0; i < set->count && !set->generated; i++) {
            uint32_t rank = ranks->rank[i], number = weft_ranks_waits(ranks, i);
            uint32_t first = ranks->program->at[rank];
            if (number > 0)
                numbers[jobs[j].first + rank] = of(&ranks->program->operations[first + number - 1]);
        }
    }
}

static int64_t peer_of(const weft_operation *it)
{
    return it->peer;
}

static int64_t size_of(const weft_operation *it)
{
    return (int64_t)(weft_operation_size(it) << 2 | it->kind);
}

static int64_t tag_of(const weft_operation *it)
{
    return it->tag;
}

void weft_processes_wait_peers(const weft_site *site, int64_t *peers)
{
    fill(site, peers, peer_of);
}

void weft_processes_wait_sizes(const weft_site *site, int64_t *sizes)
{
    fill(site, sizes, size_of);
}

void weft_processes_wait_tags(const weft_site *site, int64_t *tags)
{
    fill(site, tags, tag_of);
}
