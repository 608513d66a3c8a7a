/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation's inside, shared by the files that build it, run it and write it down. */
#ifndef WEFT_SIM_RUN_H
#define WEFT_SIM_RUN_H

#include "base/pack.h"
#include "sim/platform.h"
#include "sim/simulation.h"
#include "sim/watch/linkwatch.h"
#include "sim/watch/timebins.h"

struct weft_simulation {
    const weft_network *network;
    weft_simulation_options options;
    weft_comm *comm; /* NULL: alone */
    weft_instance instance;
    unsigned threads;
    weft_tally
        *tally;     /* per thread; after an interval the first holds what all processes counted */
    int64_t *words; /* the tally and the votes, to be summed over the communicator */
    weft_time interval;
    weft_series *series;
    weft_control control;
    weft_i128 *row;
    weft_histogram *bins;
    int64_t *population;          /* per flow, at the end of the last interval */
    int64_t waiting;              /* messages of which no packet exists yet */
    int64_t generated, delivered; /* messages, over the whole run … */
    int64_t made, received, hops; /* … and packets */
    int64_t lost;                 /* messages dropped by rule, of one packet each */
    weft_linkwatch watch;
    weft_link_loads links;
    weft_device_loads devices;
    weft_fairness fairness;
    weft_census census;
    weft_bins timebins;
    double spent;     /* seconds in earlier parts of this run */
    uint64_t resumed; /* generation of checkpoints it went on from; 0: none … */
    bool passed_over; /* … although there were newer ones, which were of no use */
};

/* Checkpoints (resume.c). */
/* Writes one at a sync point; all members together. */
WEFT_MUST_USE weft_status weft_simulation_save(weft_simulation *simulation, weft_error *err);
/* Builds the instance, from the newest checkpoint that is whole, if there is one; all members
 * together. */
WEFT_MUST_USE weft_status weft_simulation_instance(weft_simulation *simulation, weft_error *err);

#endif
