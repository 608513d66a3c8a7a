/* SPDX-License-Identifier: Apache-2.0 */
/* Halo exchange: ranks are a grid whose ends meet, as even as their number allows, the last
 * dimension running fastest; every rank sends `bytes` to both neighbours of every dimension, all at
 * once. Two ranks in a dimension exchange two messages. */
#include "program/collective.h"

enum { DIMS_MAX = 4 };

typedef struct grid {
    uint32_t size[DIMS_MAX];
} grid;

/* Prime factors, the greatest first, each to the least dimension. */
static void multiply(grid *its, uint32_t dims, uint32_t factor)
{
    uint32_t least = 0;
    for (uint32_t d = 1; d < dims; d++)
        if (its->size[d] < its->size[least])
            least = d;
    its->size[least] *= factor;
}

static grid grid_of(uint32_t ranks, uint32_t dims)
{
    grid its = {{1, 1, 1, 1}};
    uint32_t primes[32], count = 0;
    for (uint32_t f = 2; (uint64_t)f * f <= ranks; f++)
        for (; ranks % f == 0; ranks /= f)
            primes[count++] = f;
    if (ranks > 1)
        primes[count++] = ranks;
    while (count > 0)
        multiply(&its, dims, primes[--count]);
    return its;
}

static uint32_t one_block(const weft_collective *c)
{
    (void)c;
    return 1;
}

static uint32_t count_steps(const weft_collective *c, uint32_t dims)
{
    grid its = grid_of(c->ranks, dims);
    uint32_t steps = 0;
    for (uint32_t d = 0; d < dims; d++)
        steps += its.size[d] > 1 ? 2 : 0;
    return steps;
}

/* Step k: dimensions of more than one rank in order, each forth and back. */
static void halo(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t dims,
                 weft_collective_step *step)
{
    grid its = grid_of(c->ranks, dims);
    uint32_t left = k / 2, d = 0, stride = c->ranks;
    for (;; d++) {
        stride /= its.size[d];
        if (its.size[d] > 1 && left-- == 0)
            break;
    }
    uint32_t size = its.size[d], at = rank / stride % size, origin = rank - at * stride;
    uint32_t next = origin + (at + 1) % size * stride;
    uint32_t last = origin + (at + size - 1) % size * stride;
    step->round = 0;
    step->to = k % 2 ? last : next;
    step->from = k % 2 ? next : last;
    step->sent = step->received = (weft_blocks){0, 1};
}

#define HALO(dims)                                                               \
    static uint32_t steps_##dims(const weft_collective *c, uint32_t rank)        \
    {                                                                            \
        (void)rank;                                                              \
        return count_steps(c, dims);                                             \
    }                                                                            \
    static void step_##dims(const weft_collective *c, uint32_t rank, uint32_t k, \
                            weft_collective_step *step)                          \
    {                                                                            \
        halo(c, rank, k, dims, step);                                            \
    }                                                                            \
    const weft_collective_kind weft_collective_halo_##dims##d = {                \
        .operation = WEFT_COLLECTIVE_HALO,                                       \
        .algorithm = #dims "d",                                                  \
        .brief = "to both neighbours of each of " #dims " dimensions",           \
        .blocks = one_block,                                                     \
        .steps = steps_##dims,                                                   \
        .step = step_##dims,                                                     \
    }

HALO(1);
HALO(2);
HALO(3);
HALO(4);
