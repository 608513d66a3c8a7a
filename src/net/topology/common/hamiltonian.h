/* SPDX-License-Identifier: Apache-2.0 */
/* Two Hamiltonian cycles of a k×k torus that together use every link once, each walked in both
 * directions: four one-way cycles that share no link. Place X = x1 k + x0 of the first one is
 * router (x1, (x0 − x1) mod k), that of the second one has the coordinates swapped; so a step
 * leads along one dimension, and every k-th along the other. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_HAMILTONIAN_H
#define WEFT_NET_TOPOLOGY_COMMON_HAMILTONIAN_H

#include <stdbool.h>
#include <stdint.h>

enum { WEFT_CYCLES_OF_A_TORUS = 4 };

typedef struct weft_cycle_step {
    uint32_t dim;
    int step; /* +1 or −1 */
} weft_cycle_step;

/* Place of router a k + b in cycle 0 … 3; 1 and 3 are 0 and 2 walked backwards. */
static inline uint32_t weft_cycle_place(uint32_t k, uint32_t cycle, uint32_t router)
{
    uint32_t a = router / k, b = router % k;
    uint32_t place = (cycle < 2 ? a : b) * k + (a + b) % k;
    return cycle & 1 ? k * k - 1 - place : place;
}

/* The router at a place. */
static inline uint32_t weft_cycle_router(uint32_t k, uint32_t cycle, uint32_t place)
{
    uint32_t forward = cycle & 1 ? k * k - 1 - place : place;
    uint32_t x1 = forward / k, x0 = forward % k, other = (x0 + k - x1) % k;
    return cycle < 2 ? x1 * k + other : other * k + x1;
}

/* Hops from one router to another along a cycle. */
static inline uint32_t weft_cycle_hops(uint32_t k, uint32_t cycle, uint32_t from, uint32_t to)
{
    uint32_t start = weft_cycle_place(k, cycle, from), end = weft_cycle_place(k, cycle, to);
    return end >= start ? end - start : end + k * k - start;
}

/* The next step of a cycle from a router. */
static inline weft_cycle_step weft_cycle_next(uint32_t k, uint32_t cycle, uint32_t router)
{
    uint32_t column = (router / k + router % k) % k, back = cycle & 1;
    bool turn = column == (back ? 0 : k - 1);
    return (weft_cycle_step){.dim = cycle < 2 ? !turn : turn, .step = back ? -1 : 1};
}

#endif
