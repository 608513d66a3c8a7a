/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric with parts down, over many random draws: the bounds of its cuts and the pairs of
 * endpoints that still reach each other; and how many spare parts it takes. */
#ifndef WEFT_PLANNING_OUTAGE_H
#define WEFT_PLANNING_OUTAGE_H

#include "planning/design.h"

#include "interweft/topology.h"

typedef struct weft_outage_of { /* a fabric, and its bounds with nothing down */
    const weft_topology *topology;
    const weft_design *design;
    double uniform, permutation;
} weft_outage_of;

/* Fills means over the draws with their 95 % intervals. Endpoints of a switch that is down are cut
 * off; bounds are of the others, by cuts, and never above those with nothing down. */
void weft_outage_find(weft_outage *outage, const weft_outage_of *of,
                      const weft_requirements *wanted);
/* The least number of spares that suffices with this confidence if `parts` of them fail so many
 * times a year each and a new one takes so many days: a quantile of Poisson's distribution. */
uint32_t weft_outage_spares(double parts, double failures_a_year, double days, double confidence);

#endif
