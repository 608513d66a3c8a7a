/* SPDX-License-Identifier: Apache-2.0 */
/* How often a packet of h hops on a torus of two dimensions stands at a node with two ways to go
 * on.
 *
 * A node is internal while hops remain in both dimensions. M(x, y) is the expected number of
 * internal nodes of a packet that has x and y hops to go, the node it is at included:
 *     M(x, 0) = M(0, y) = 0,   M(x, y) = 1 + α M(preferred) + (1 − α) M(other)     for x, y > 0.
 * After Rexford & Shin, section 3; docs/theory/cut-through.md. */
#ifndef WEFT_ANALYTIC_TWO_WAYS_H
#define WEFT_ANALYTIC_TWO_WAYS_H

#include <stddef.h>
#include <stdint.h>

typedef enum weft_choice {                        /* how a packet chooses between two ways */
                           WEFT_CHOICE_OBLIVIOUS, /* it does not */
                           WEFT_CHOICE_RANDOM,
                           WEFT_CHOICE_DIMENSION_ORDER,
                           WEFT_CHOICE_DIAGONAL /* the dimension with more hops to go */
} weft_choice;

/* From M on all nodes (x, sum − 1 − x) in m[0 … sum − 1] to those with x + y = sum in m[0 …
 * sum]. */
void weft_two_ways_next(weft_choice choice, double rho, uint32_t sum, double *m);

/* P2, the probability that an intermediate node of a packet of h hops is internal, averaged over
 * the nodes (0, h) … (h − 1, 1) of a quadrant; 0 for h < 2 and for oblivious packets. */
double weft_two_ways_quadrant(weft_choice choice, double rho, uint32_t h);
/* The same over all nodes that are h hops away on a k × k torus; h ≤ 2 ⌊k/2⌋. */
double weft_two_ways_ring(weft_choice choice, double rho, uint32_t h, uint32_t k);

/* Nodes of a k × k torus that lie x and y hops away. */
double weft_two_ways_nodes(uint32_t x, uint32_t y, uint32_t k);

/* S_h^n for n = 0 … h − 1: over the quadrant, the sum of the probabilities of n internal nodes;
 * together they are h. `printed` is what the recurrence of the paper gives; NULL: not wanted.
 * O(h³). */
void weft_two_ways_spread(weft_choice choice, double rho, uint32_t h, double *s, double *printed);
/* P2 from S_h^n. */
double weft_two_ways_of_spread(const double *s, uint32_t h);

#endif
