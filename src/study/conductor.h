/* SPDX-License-Identifier: Apache-2.0 */
/* The study's inside, shared by its verbs: run, check, saturate. */
#ifndef WEFT_STUDY_CONDUCTOR_H
#define WEFT_STUDY_CONDUCTOR_H

#include "config/scenario.h"
#include "interweft/study.h"
#include "net/network.h"
#include "sim/simulation.h"
#include "study/catalog.h"

struct weft_study {
    weft_study_options options;
    weft_arena arena;
    weft_plan *plan;
    const char *results;
    int64_t memory; /* bytes a run may hold */
};

/* Binds point i and builds its network; both live in arena (network: until weft_network_done). */
WEFT_MUST_USE weft_status weft_study_network(weft_study *study, size_t i, weft_arena *arena,
                                             weft_scenario *scenario, weft_network *network,
                                             weft_error *err);
/* Refuses a network that does not fit the memory, with the figure. */
WEFT_MUST_USE weft_status weft_study_afford(const weft_study *study, const weft_network *network,
                                            weft_error *err);
/* Runs a network to its end; on success the caller destroys *simulation. half_width 0: as in the
 * scenario. */
WEFT_MUST_USE weft_status weft_study_simulate(weft_study *study, size_t point,
                                              const weft_network *network, double half_width,
                                              weft_simulation **simulation, weft_ending *ending,
                                              weft_error *err);

#endif
