/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of the demand of a traffic class, from the ranges of destinations that its pattern names: no
 * pairs are visited, so they are known of the largest networks. */
#ifndef WEFT_ANALYSIS_BOUNDS_DEMAND_SUMS_H
#define WEFT_ANALYSIS_BOUNDS_DEMAND_SUMS_H

#include "net/network.h"

typedef struct weft_demand_sums {
    /* [edge router]: flits per tick that its endpoints send to other routers, and receive from
     * them. */
    double *out, *in;
    bool even; /* these are the same for all routers */
    /* [endpoint]: flits per tick that it sends and receives, those of its own router included. */
    double *sends, *receives;
} weft_demand_sums;

/* Needs a pattern with odds (weft_demand_known). */
void weft_demand_sums_init(weft_demand_sums *sums, const weft_network *network,
                           uint32_t traffic_class);
void weft_demand_sums_done(weft_demand_sums *sums);

/* True if the demand of edge router r + period to t + period is that of r to t, modulo the number
 * of edge routers: a pattern that looks the same from every group. Visits all pairs that
 * communicate; false if there are more than `most`. */
bool weft_demand_rotates(const weft_network *network, uint32_t traffic_class, uint32_t period,
                         uint64_t most);

#endif
