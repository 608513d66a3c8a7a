/* SPDX-License-Identifier: Apache-2.0 */
/* Allreduce over two binary trees at once (Sanders, Speck and Träff): each sums half of the vector
 * up to its root and sends the sum down, in segments; a rank that is inside one tree is a leaf of
 * the other, so both directions of all links are in use. A rank has a chain of rounds for each tree
 * and direction; a root sends down in the chain in which it receives.
 *
 * A tree of n positions 1 … n: the root is the greatest power of two r ≤ n, the left subtree that
 * of the r − 1 positions before it, the right one that of the n − r behind it. Odd positions are
 * leaves. The second tree has all ranks one position further. */
#include "program/collective.h"

enum { TREES = 2, CHAINS = 4 };

typedef struct node {
    uint32_t parent, child[2]; /* ranks; parent WEFT_PROGRAM_NONE: the root */
    uint32_t children;
} node;

static uint32_t position_of(const weft_collective *c, uint32_t rank, uint32_t tree)
{
    return tree == 0 ? rank + 1 : rank > 0 ? rank : c->ranks;
}

static uint32_t rank_at(const weft_collective *c, uint32_t position, uint32_t tree)
{
    return tree == 0 ? position - 1 : position < c->ranks ? position : 0;
}

static uint32_t root_of(uint32_t n)
{
    return 1u << weft_collective_log(n);
}

static node node_of(const weft_collective *c, uint32_t rank, uint32_t tree)
{
    uint32_t base = 0, n = c->ranks, position = position_of(c, rank, tree), root;
    node found = {.parent = WEFT_PROGRAM_NONE};
    while ((root = root_of(n)) != position - base) {
        found.parent = rank_at(c, base + root, tree);
        n = position - base < root ? root - 1 : n - root;
        base = position - base < root ? base : base + root;
    }
    if (root > 1)
        found.child[found.children++] = rank_at(c, base + root / 2, tree);
    if (n > root)
        found.child[found.children++] = rank_at(c, base + root + root_of(n - root), tree);
    return found;
}

static uint32_t blocks(const weft_collective *c)
{
    return TREES * c->segments;
}

/* Round k of a chain up receives segment k from all children and sends segment k − 1; so does one
 * down, the other way round. */
static uint32_t up_steps(const weft_collective *c, const node *its)
{
    if (its->parent == WEFT_PROGRAM_NONE)
        return its->children * (c->segments + 1);
    return its->children ? its->children * c->segments + 1 : c->segments;
}

static uint32_t down_steps(const weft_collective *c, const node *its)
{
    if (its->parent == WEFT_PROGRAM_NONE)
        return 0;
    return its->children ? its->children * c->segments + 1 : c->segments;
}

static uint32_t chain_first(const weft_collective *c, uint32_t rank, uint32_t chain)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < chain; i++) {
        node its = node_of(c, rank, i / 2);
        first += i % 2 ? down_steps(c, &its) : up_steps(c, &its);
    }
    return first;
}

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    return c->ranks > 1 ? chain_first(c, rank, CHAINS) : 0;
}

static void send_segment(weft_collective_step *step, uint32_t to, uint32_t block)
{
    step->to = to;
    step->sent = (weft_blocks){block, 1};
}

static void receive_segment(weft_collective_step *step, uint32_t from, uint32_t block)
{
    step->from = from;
    step->received = (weft_blocks){block, 1};
}

/* first: block of the tree's first segment. */
static void go_up(const weft_collective *c, const node *its, uint32_t k, uint32_t first,
                  weft_collective_step *step)
{
    bool root = its->parent == WEFT_PROGRAM_NONE;
    if (its->children == 0) {
        step->round = k;
        send_segment(step, its->parent, first + k);
        return;
    }
    uint32_t child = k % its->children;
    step->round = k / its->children;
    step->sums = true;
    if (step->round < c->segments)
        receive_segment(step, its->child[child], first + step->round);
    if (step->round > 0 && root)
        send_segment(step, its->child[child], first + step->round - 1);
    else if (step->round > 0 && child == 0)
        send_segment(step, its->parent, first + step->round - 1);
}

/* Step 0 receives alone: nothing can be sent on yet. */
static void go_down(const weft_collective *c, const node *its, uint32_t k, uint32_t first,
                    weft_collective_step *step)
{
    if (its->children == 0) {
        step->round = k;
        receive_segment(step, its->parent, first + k);
        return;
    }
    uint32_t child = k ? (k - 1) % its->children : 0;
    step->round = k ? 1 + (k - 1) / its->children : 0;
    if (step->round < c->segments && child == 0)
        receive_segment(step, its->parent, first + step->round);
    if (step->round > 0)
        send_segment(step, its->child[child], first + step->round - 1);
}

static void reduce(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    uint32_t chain = CHAINS - 1;
    while (chain > 0 && chain_first(c, rank, chain) > k)
        chain--;
    node its = node_of(c, rank, chain / 2);
    k -= chain_first(c, rank, chain);
    (chain % 2 ? go_down : go_up)(c, &its, k, chain / 2 * c->segments, step);
    step->chain = chain;
}

/* A parent receives its children's segments one after the other; a child the first segment in its
 * step 0, and the others in the first step of their rounds. */
static uint32_t received_in(const weft_collective *c, uint32_t rank, uint32_t k)
{
    weft_collective_step step = {.to = WEFT_PROGRAM_NONE, .from = WEFT_PROGRAM_NONE};
    reduce(c, rank, k, &step);
    uint32_t tree = step.chain / 2, segment = step.sent.first - tree * c->segments;
    node its = node_of(c, step.to, tree);
    if (its.parent == rank) {
        bool late = its.children > 0 && segment > 0;
        uint32_t at = late ? 1 + (segment - 1) * its.children : segment;
        return chain_first(c, step.to, 2 * tree + 1) + at;
    }
    return chain_first(c, step.to, 2 * tree) + segment * its.children +
           (its.children > 1 && its.child[1] == rank);
}

const weft_collective_kind weft_collective_allreduce_double_tree = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "double-tree",
    .brief = "halves in segments over two binary trees",
    .blocks = blocks,
    .steps = steps,
    .step = reduce,
    .received_in = received_in,
    .chains = CHAINS,
    .chain_first = chain_first,
};
