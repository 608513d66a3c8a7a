/* SPDX-License-Identifier: Apache-2.0 */
/* The number of nodes at which a packet of h hops on a two-dimensional torus has two productive
 * ports.
 *
 * A node is internal while hops remain in both dimensions. M(x, y) is the expected number of
 * internal nodes of a packet with x and y hops left, including its present node:
 *     M(x, 0) = M(0, y) = 0,   M(x, y) = 1 + α M(preferred) + (1 − α) M(other)     for x, y > 0.
 * After Rexford & Shin, section 3; docs/theory/cut-through.md. */
#ifndef WEFT_ANALYTIC_TWO_WAYS_H
#define WEFT_ANALYTIC_TWO_WAYS_H

#include <stddef.h>
#include <stdint.h>

/* The choice of a packet between two productive ports. */
typedef enum weft_choice {
    WEFT_CHOICE_OBLIVIOUS, /* no choice */
    WEFT_CHOICE_RANDOM,
    WEFT_CHOICE_DIMENSION_ORDER,
    WEFT_CHOICE_DIAGONAL /* the dimension with more hops left */
} weft_choice;

/* Computes M of all nodes with x + y = sum, in m[0 … sum], from M of all nodes (x, sum − 1 − x), in
 * m[0 … sum − 1]. */
void weft_two_ways_next(weft_choice choice, double rho, uint32_t sum, double *m);

/* P2, the probability that an intermediate node of a packet of h hops is internal, averaged over
 * the nodes (0, h) … (h − 1, 1) of a quadrant; 0 for h < 2 and for oblivious packets. */
double weft_two_ways_quadrant(weft_choice choice, double rho, uint32_t h);
/* The same over all nodes at distance h on a k × k torus; h ≤ 2 ⌊k/2⌋. */
double weft_two_ways_ring(weft_choice choice, double rho, uint32_t h, uint32_t k);

/* Number of nodes of a k × k torus at distance x and y in the two dimensions. */
double weft_two_ways_nodes(uint32_t x, uint32_t y, uint32_t k);

/* S_h^n for n = 0 … h − 1: the sum of the probabilities of n internal nodes over the quadrant; the
 * S_h^n add up to h. `printed`: values of the paper's recurrence; NULL: not wanted. O(h³). */
void weft_two_ways_spread(weft_choice choice, double rho, uint32_t h, double *s, double *printed);
/* P2 from S_h^n. */
double weft_two_ways_of_spread(const double *s, uint32_t h);

#endif
