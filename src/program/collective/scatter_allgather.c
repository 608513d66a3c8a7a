/* SPDX-License-Identifier: Apache-2.0 */
/* Van de Geijn's broadcast: a binomial scatter, which halves the vector in every step, and then a
 * ring allgather. */
#include "program/collective.h"

/* Steps of the scatter: one to receive, and one for every bit below that leads to a rank. */
static uint32_t scatter_steps(const weft_collective *c, uint32_t rank)
{
    uint32_t most = rank ? (uint32_t)__builtin_ctz(rank) : 31, sends = 0;
    while (sends < most && rank + (1u << sends) < c->ranks)
        sends++;
    return (rank != 0) + sends;
}

/* Of `size` blocks from `first` on those that there are. */
static weft_blocks blocks_of(const weft_collective *c, uint32_t first, uint32_t size)
{
    return (weft_blocks){first, size < c->ranks - first ? size : c->ranks - first};
}

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    return scatter_steps(c, rank) + c->ranks - 1;
}

static void scatter(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    if (rank != 0 && k == 0) {
        step->from = rank & (rank - 1);
        step->received = blocks_of(c, rank, rank & -rank);
        return;
    }
    uint32_t size = 1u << (scatter_steps(c, rank) - 1 - k);
    step->to = rank + size;
    step->sent = blocks_of(c, rank + size, size);
}

static void broadcast(const weft_collective *c, uint32_t rank, uint32_t k,
                      weft_collective_step *step)
{
    uint32_t first = scatter_steps(c, rank);
    if (k < first) {
        scatter(c, rank, k, step);
        return;
    }
    int64_t back = (int64_t)k - first;
    step->to = weft_collective_shift(c, rank, 1);
    step->from = weft_collective_shift(c, rank, -1);
    step->sent = (weft_blocks){weft_collective_shift(c, rank, -back), 1};
    step->received = (weft_blocks){weft_collective_shift(c, rank, -1 - back), 1};
}

static uint32_t received_in(const weft_collective *c, uint32_t rank, uint32_t k)
{
    uint32_t first = scatter_steps(c, rank);
    return k < first ? 0 : k - first + scatter_steps(c, weft_collective_shift(c, rank, 1));
}

const weft_collective_kind weft_collective_broadcast_scatter_allgather = {
    .operation = WEFT_COLLECTIVE_BROADCAST,
    .algorithm = "scatter-allgather",
    .brief = "a binomial scatter, then a ring allgather",
    .steps = steps,
    .step = broadcast,
    .received_in = received_in,
};
