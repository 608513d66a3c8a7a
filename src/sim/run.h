/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a simulation, shared by the files that build it, run it and write its checkpoints. */
#ifndef WEFT_SIM_RUN_H
#define WEFT_SIM_RUN_H

#include "base/pack.h"
#include "sim/jobs/message_waits.h"
#include "sim/platform.h"
#include "sim/simulation.h"
#include "sim/watch/ratewatch.h"
#include "sim/watch/snapshot.h"
#include "sim/watch/timebins.h"

struct weft_simulation {
    const weft_network *network;
    weft_simulation_options options;
    weft_comm *comm; /* NULL: alone */
    weft_instance instance;
    unsigned threads;
    weft_tally *tally; /* per thread; after an interval the first holds the sums over all ranks */
    int64_t *words;    /* the tally and the votes, to be summed over the communicator */
    weft_time interval;
    weft_series *series;
    weft_control control;
    weft_i128 *row;
    weft_histogram *bins;
    int64_t *population;          /* per traffic class, at the end of the last interval */
    int64_t waiting;              /* messages of which no packet exists yet */
    int64_t generated, delivered; /* messages, over the whole run … */
    int64_t made, received, hops; /* … and packets */
    int64_t lost;                 /* messages dropped by rule, of one packet each */
    weft_snapshots snapshots;
    weft_link_loads links;
    weft_device_loads devices;
    weft_fairness fairness;
    weft_census census;
    weft_bins timebins;
    weft_link_bins linkbins;
    weft_rate_bins rates;
    weft_hurst *hurst; /* per group of the tally; NULL: not asked for */
    int64_t *began;    /* per job: the tick of its beginning; −1: it waits for another one */
    int64_t *finish;   /* per rank of all jobs: the tick of its end; NULL: not known yet */
    /* Per rank of all jobs: the tick of the half of the steps that are run (jobs.NAME.steps); the
     * repetitions that it has finished; NULL: not known yet. */
    int64_t *half, *repetition;
    /* Per job × WEFT_SPENT_KINDS: ticks of CPUs; NULL: not known yet. Per job and step: the tick at
     * which the last rank ended it, as far as processes have told each other. */
    int64_t *cpu_spent, *steps;
    size_t n_steps;
    /* Per job × WEFT_SIZE_CLASSES: before it was resumed, and of the whole run once that is known.
     * NULL: none. */
    struct weft_process_times *flows_before, *flows;
    weft_rank_log timeline;   /* of the ranks of all jobs; on rank 0, at the end */
    weft_longest_waits waits; /* likewise: where their messages waited */
    double spent;             /* seconds, before it was resumed */
    uint64_t resumed;         /* generation of the checkpoint it went on from; 0: none */
    bool passed_over;         /* newer checkpoints existed but were damaged */
};

/* Writes a checkpoint at a sync point; all ranks together (checkpoint_write.c). */
WEFT_MUST_USE weft_status weft_simulation_save(weft_simulation *simulation, weft_error *err);
/* Builds the instance, from the newest checkpoint that is whole, if there is one; all ranks
 * together (checkpoint_read.c). */
WEFT_MUST_USE weft_status weft_simulation_instance(weft_simulation *simulation, weft_error *err);

/* Version of the contents of a checkpoint. */
#define WEFT_SIMULATION_FORMAT 12

/* Boxes of a network in a checkpoint. */
uint32_t weft_simulation_boxes(const weft_topology *topology);

/* True on the rank that writes the head and reports. */
static inline bool weft_simulation_leads(const weft_simulation *simulation)
{
    return weft_comm_rank(simulation->comm) == 0;
}

/* The generation that the leading rank has found, on all ranks. */
static inline uint64_t weft_simulation_broadcast(const weft_simulation *simulation,
                                                 uint64_t generation)
{
    if (simulation->comm)
        simulation->comm->kind->broadcast(simulation->comm, &generation, sizeof generation);
    return generation;
}

#endif
