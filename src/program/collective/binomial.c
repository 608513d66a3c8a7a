/* SPDX-License-Identifier: Apache-2.0 */
/* Binomial trees with root 0: the parent of a rank is the rank without its lowest set bit. */
#include "program/collective.h"

static uint32_t one_block(const weft_collective *c)
{
    (void)c;
    return 1;
}

/* Children of a rank are rank + 2^i for i < this, where there is such a rank. */
static uint32_t child_bits(const weft_collective *c, uint32_t rank)
{
    return rank ? (uint32_t)__builtin_ctz(rank) : weft_collective_log_up(c->ranks);
}

static uint32_t children(const weft_collective *c, uint32_t rank)
{
    uint32_t bits = child_bits(c, rank), room = c->ranks - 1 - rank;
    uint32_t fit = room ? weft_collective_log(room) + 1 : 0;
    return bits < fit ? bits : fit;
}

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    return children(c, rank) + (rank != 0);
}

/* The child with the largest subtree first. */
static void broadcast(const weft_collective *c, uint32_t rank, uint32_t k,
                      weft_collective_step *step)
{
    step->sent = step->received = (weft_blocks){0, 1};
    if (rank != 0 && k == 0)
        step->from = rank & (rank - 1);
    else
        step->to = rank + (1u << (children(c, rank) - 1 - (k - (rank != 0))));
}

/* From its parent a rank receives first. */
static uint32_t at_first(const weft_collective *c, uint32_t rank, uint32_t k)
{
    (void)c, (void)rank, (void)k;
    return 0;
}

/* The parent's children are in the order of their bits. */
static uint32_t as_child(const weft_collective *c, uint32_t rank, uint32_t k)
{
    (void)c, (void)k;
    return (uint32_t)__builtin_ctz(rank);
}

/* Ranks of the subtree under a rank. */
static uint32_t subtree(const weft_collective *c, uint32_t rank)
{
    uint32_t size = rank ? rank & -rank : c->ranks;
    return size < c->ranks - rank ? size : c->ranks - rank;
}

/* The child with the smallest subtree first, then the parent. */
static void climb(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    if (k < children(c, rank))
        step->from = rank + (1u << k);
    else
        step->to = rank & (rank - 1);
}

static void reduce(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    step->sent = step->received = (weft_blocks){0, 1};
    step->sums = true;
    climb(c, rank, k, step);
}

static void gather(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    climb(c, rank, k, step);
    step->round = step->to != WEFT_PROGRAM_NONE; /* all receives at once */
    step->sent = (weft_blocks){rank, subtree(c, rank)};
    if (step->from != WEFT_PROGRAM_NONE)
        step->received = (weft_blocks){step->from, subtree(c, step->from)};
}

static uint32_t tree_steps(const weft_collective *c, uint32_t rank)
{
    return 2 * steps(c, rank);
}

static void tree(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    uint32_t up = steps(c, rank);
    if (k < up)
        reduce(c, rank, k, step);
    else
        broadcast(c, rank, k - up, step);
}

static uint32_t tree_received_in(const weft_collective *c, uint32_t rank, uint32_t k)
{
    uint32_t up = steps(c, rank);
    weft_collective_step step = {0};
    if (k < up)
        return as_child(c, rank, k);
    broadcast(c, rank, k - up, &step);
    return steps(c, step.to);
}

/* The deepest rank is ⌊lg p⌋ messages from the root. */
static weft_collective_cost cost(const weft_collective *c)
{
    uint64_t depth = weft_collective_log(c->ranks);
    return (weft_collective_cost){depth, depth * c->bytes, false};
}

static weft_collective_cost tree_cost(const weft_collective *c)
{
    weft_collective_cost once = cost(c);
    return (weft_collective_cost){2 * once.rounds, 2 * once.bytes, true};
}

static weft_collective_cost gather_cost(const weft_collective *c)
{
    uint32_t depth = weft_collective_log(c->ranks);
    uint64_t others = (1u << depth) - 1;
    return (weft_collective_cost){depth, others * (c->bytes / c->ranks), false};
}

const weft_collective_kind weft_collective_allreduce_tree = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "tree",
    .brief = "sums up a binomial tree, the sum down again",
    .blocks = one_block,
    .steps = tree_steps,
    .step = tree,
    .received_in = tree_received_in,
    .cost = tree_cost,
};
const weft_collective_kind weft_collective_broadcast_binomial = {
    .operation = WEFT_COLLECTIVE_BROADCAST,
    .algorithm = "binomial",
    .brief = "the whole vector down a binomial tree",
    .blocks = one_block,
    .steps = steps,
    .step = broadcast,
    .received_in = at_first,
    .cost = cost,
};
const weft_collective_kind weft_collective_reduce_binomial = {
    .operation = WEFT_COLLECTIVE_REDUCE,
    .algorithm = "binomial",
    .brief = "sums up a binomial tree",
    .blocks = one_block,
    .steps = steps,
    .step = reduce,
    .received_in = as_child,
    .cost = cost,
};
const weft_collective_kind weft_collective_gather_binomial = {
    .operation = WEFT_COLLECTIVE_GATHER,
    .algorithm = "binomial",
    .brief = "blocks up a binomial tree",
    .steps = steps,
    .step = gather,
    .received_in = as_child,
    .cost = gather_cost,
};
