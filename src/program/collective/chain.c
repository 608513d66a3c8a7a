/* SPDX-License-Identifier: Apache-2.0 */
/* A broadcast in segments along 0, 1, …, p − 1: a rank passes a segment on while it receives the
 * next. */
#include "program/collective.h"

static uint32_t blocks(const weft_collective *c)
{
    return c->segments;
}

/* Steps are receive, send and receive, …, send; the first rank only sends, the last receives. */
static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    bool both = rank != 0 && rank != c->ranks - 1;
    return c->ranks == 1 ? 0 : c->segments + both;
}

static void broadcast(const weft_collective *c, uint32_t rank, uint32_t k,
                      weft_collective_step *step)
{
    uint32_t sent = rank ? k - 1 : k; /* of rank 0 all steps send */
    if (rank != c->ranks - 1 && (rank == 0 || k > 0)) {
        step->to = rank + 1;
        step->sent = (weft_blocks){sent, 1};
    }
    if (rank != 0 && k < c->segments) {
        step->from = rank - 1;
        step->received = (weft_blocks){k, 1};
    }
}

/* Segments are received in their order. */
static uint32_t received_in(const weft_collective *c, uint32_t rank, uint32_t k)
{
    (void)c;
    return rank ? k - 1 : k;
}

/* The first segment goes all the way, the others come behind it. */
static weft_collective_cost cost(const weft_collective *c)
{
    uint64_t rounds = c->ranks - 1, messages = rounds ? rounds + c->segments - 1 : 0;
    return (weft_collective_cost){rounds, messages * (c->bytes / c->segments), false};
}

const weft_collective_kind weft_collective_broadcast_chain = {
    .operation = WEFT_COLLECTIVE_BROADCAST,
    .algorithm = "chain",
    .brief = "in segments from rank to rank",
    .blocks = blocks,
    .steps = steps,
    .step = broadcast,
    .cost = cost,
    .received_in = received_in,
};
