/* SPDX-License-Identifier: Apache-2.0 */
/* How busy the links were: all of them, or the ten busiest, by name. */
#ifndef WEFT_STUDY_LINKROWS_H
#define WEFT_STUDY_LINKROWS_H

#include "interweft/result.h"
#include "sim/simulation.h"

typedef struct weft_link_summary {
    double mean, max; /* share of the time */
    int64_t span;     /* ticks measured */
    weft_link_row *rows;
    size_t count;
} weft_link_summary;

/* False if the scenario does not count links or the run was too short to. */
bool weft_link_rows(const weft_network *network, const weft_simulation *simulation,
                    weft_arena *arena, weft_link_summary *links);

#endif
