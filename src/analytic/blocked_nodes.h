/* SPDX-License-Identifier: Apache-2.0 */
/* The number of intermediate nodes at which a packet of h hops on a two-dimensional torus is
 * blocked, if links are busy with probability ρ independently of each other. A packet with one
 * way on is blocked with ρ. One with two that looks at both is blocked with ρ² and then goes the
 * preferred way; it goes the other way with ρ (1 − ρ). So the way it takes and whether it is
 * blocked hang together, which the share of two-way nodes alone (two_ways.h) does not say. */
#ifndef WEFT_ANALYTIC_BLOCKED_NODES_H
#define WEFT_ANALYTIC_BLOCKED_NODES_H

#include "analytic/two_ways.h"

/* Probabilities of 0 … h − 1 blocked nodes, averaged over the nodes of a quadrant at distance h,
 * or, with k > 0, over those that a k × k torus has; h ≥ 1, and h ≤ 2 ⌊k/2⌋. O(h³). */
void weft_blocked_nodes(weft_choice choice, double rho, uint32_t h, uint32_t k,
                        double *probability);

#endif
