/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput bounds of a fabric for patterns that no routing can help: cuts, and the two crossings
 * that traffic between parts without enough direct links needs. All links and all endpoints have
 * the same bandwidth; bounds are fractions of it. */
#ifndef WEFT_PLANNING_THROUGHPUT_H
#define WEFT_PLANNING_THROUGHPUT_H

#include "planning/design.h"

#include "net/network.h"

typedef struct weft_throughput {
    double bisection;   /* as a fraction of the bandwidth of the smaller half */
    double permutation; /* of the worst permutation: every cut, every pair of groups */
    double group;       /* every group to the next */
    const char *permutation_by, *group_by;
} weft_throughput;

/* Faults of the topology are heeded. */
void weft_throughput_find(weft_throughput *throughput, const weft_topology *topology,
                          const weft_design *fabric);
/* The bound of a network's own traffic; *why: the name of the bottleneck. 0: not known. */
double weft_throughput_of_network(const weft_network *network, const char **why);

#endif
