/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/jobs/timeline.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* Operations of a rank; of one that is generated: not fewer. */
static uint64_t operations_of(const weft_job *job, uint32_t rank)
{
    const weft_phased *schedule = &job->schedule;
    uint64_t operations = 0;
    if (schedule->n_phases == 0)
        return weft_ranks_operations(&job->program, rank);
    for (uint32_t i = 0; i < schedule->n_phases; i++) {
        const weft_phased_phase *phase = &schedule->phases[i];
        uint64_t each = 2 + (phase->sum > 0);
        operations += phase->collective.kind ? weft_phased_steps(schedule, i, rank) * each : 1;
    }
    return operations;
}

static uint64_t all_operations(const weft_job_set *jobs)
{
    uint64_t operations = 0;
    for (uint32_t j = 0; j < jobs->n_jobs; j++)
        for (uint32_t r = 0; r < jobs->jobs[j].program.n_ranks && !jobs->jobs[j].background; r++)
            operations += operations_of(&jobs->jobs[j], r) * jobs->jobs[j].repeats;
    return operations;
}

bool weft_timeline_lists_operations(const weft_network *network)
{
    const weft_measure *measure = &network->scenario->measure;
    return measure->timeline == WEFT_TIMELINE_OPERATIONS &&
           all_operations(network->jobs) <= (uint64_t)measure->timeline_limit;
}

/* Measured, of an operation: its events, twice while they are brought together, its place in the
 * history and in the results. */
#define OPERATION_BYTES 480

double weft_timeline_estimate(const weft_network *network)
{
    if (!network->jobs || network->scenario->measure.timeline == WEFT_TIMELINE_OFF)
        return 0;
    double ranks = network->jobs->n_ranks;
    double bins = weft_rank_log_bins(network->jobs->n_ranks) * WEFT_RANK_STATES;
    double bytes = ranks * (3 * bins * sizeof(uint64_t) + 2 * sizeof(weft_rank_record));
    if (weft_timeline_lists_operations(network))
        bytes += OPERATION_BYTES * (double)all_operations(network->jobs);
    return bytes;
}

void weft_timeline_open(const weft_network *network, const weft_job *job, weft_process_set *set)
{
    if (network->scenario->measure.timeline == WEFT_TIMELINE_OFF)
        return;
    set->logs = true;
    weft_rank_log_open(&set->log, set->count, weft_rank_log_bins(network->jobs->n_ranks),
                       weft_timeline_lists_operations(network) && !job->background);
    if (set->generated)
        set->march.log = &set->log;
    else
        set->ranks.log = &set->log;
}

void weft_timeline_arrival(weft_ranks *ranks, uint32_t local, weft_ranks_message message)
{
    weft_rank_log_add(ranks->log, local,
                      (weft_rank_event){.kind = WEFT_RANK_ARRIVAL,
                                        .time = ranks->now,
                                        .peer = message.source,
                                        .number = message.number});
}

/* The ranks of this process: number among those of all jobs, record. */
static void pack_ranks(const weft_simulation *simulation, weft_pack *pack)
{
    const weft_instance *instance = &simulation->instance;
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        const weft_processes *processes = instance->sites[i].processes;
        for (uint32_t j = 0; j < processes->n_sets; j++) {
            const weft_process_set *set = &processes->sets[j];
            for (uint32_t r = 0; r < set->count; r++) {
                uint32_t rank = set->generated ? set->march.ranks[r].rank : set->ranks.rank[r];
                weft_pack_u32(pack, simulation->network->jobs->jobs[j].first + rank);
                weft_rank_record_save(&set->log.records[r], set->log.n_bins, pack);
            }
        }
    }
}

static void unpack_ranks(weft_rank_log *timeline, const void *data, size_t bytes)
{
    weft_unpack from = weft_unpack_of(data, bytes);
    uint64_t width = 1;
    while (weft_unpack_left(&from) > 0) {
        uint32_t rank = weft_unpack_u32(&from);
        assert(rank < timeline->count);
        weft_rank_record_load(&timeline->records[rank], timeline->n_bins, &from);
        assert(!from.failed);
    }
    for (uint32_t r = 0; r < timeline->count; r++)
        width = timeline->records[r].width > width ? timeline->records[r].width : width;
    for (uint32_t r = 0; r < timeline->count; r++)
        weft_rank_record_widen(&timeline->records[r], timeline->n_bins, width);
}

void *weft_timeline_gather(const weft_simulation *simulation, const weft_pack *pack, size_t *bytes)
{
    weft_comm *comm = simulation->comm;
    void *all = pack->data;
    *bytes = pack->count;
    if (!comm)
        return all;
    size_t *sizes = weft_alloc(sizeof *sizes * comm->size);
    comm->kind->gather(comm, pack->data, pack->count, &all, sizes);
    *bytes = 0;
    for (uint32_t r = 0; all && r < comm->size; r++)
        *bytes += sizes[r];
    free(sizes);
    return all;
}

void weft_timeline_collect(weft_simulation *simulation)
{
    const weft_network *network = simulation->network;
    if (!network->jobs || network->scenario->measure.timeline == WEFT_TIMELINE_OFF)
        return;
    weft_pack pack = {0};
    pack_ranks(simulation, &pack);
    size_t bytes;
    void *all = weft_timeline_gather(simulation, &pack, &bytes);
    if (all) {
        weft_rank_log_open(&simulation->timeline, network->jobs->n_ranks,
                           weft_rank_log_bins(network->jobs->n_ranks),
                           weft_timeline_lists_operations(network));
        unpack_ranks(&simulation->timeline, all, bytes);
    }
    if (all != pack.data)
        free(all);
    weft_pack_done(&pack);
}
