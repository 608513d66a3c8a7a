/* SPDX-License-Identifier: Apache-2.0 */
/* Hierarchical allreduce: ranks are in groups of q, those of a node or of a group of the topology.
 * A ring within the group leaves position i with the group's sum of chunk i + 1; a ring of all
 * ranks with this position, one in every group, adds them; a ring within the group gathers the
 * chunks. Of the vector only 1 / q leaves a rank for another group. A chunk is as many blocks as
 * there are groups. */
#include "program/collective.h"

#define GROUP 8 /* ranks, if nothing is said */

/* Ranks of a group: all groups are equal. */
static uint32_t group_ranks(const weft_collective *c)
{
    uint32_t a = c->ranks, b = c->group ? c->group : GROUP;
    while (b > 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint32_t count_steps(const weft_collective *c, uint32_t rank)
{
    uint32_t q = group_ranks(c);
    (void)rank;
    return 2 * (q - 1) + 2 * (c->ranks / q - 1);
}

/* (from − back) mod size; back < 2 · size. */
static uint32_t before(uint32_t from, uint32_t back, uint32_t size)
{
    return (from + 2 * size - back) % size;
}

/* Step k of a ring of chunks within the group; ahead: of the first that is sent, from the rank's
 * position. */
static void within(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t ahead,
                   weft_collective_step *step)
{
    uint32_t q = group_ranks(c), m = c->ranks / q, i = rank % q, first = rank - i;
    step->to = first + (i + 1) % q;
    step->from = first + before(i, 1, q);
    step->sent = (weft_blocks){before((i + ahead) % q, k, q) * m, m};
    step->received = (weft_blocks){before((i + ahead) % q, k + 1, q) * m, m};
}

/* The same with blocks of one chunk, among the ranks with this position. */
static void among(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t ahead,
                  weft_collective_step *step)
{
    uint32_t q = group_ranks(c), m = c->ranks / q, i = rank % q, g = rank / q;
    uint32_t first = (i + 1) % q * m;
    step->to = (g + 1) % m * q + i;
    step->from = before(g, 1, m) * q + i;
    step->sent = (weft_blocks){first + before((g + ahead) % m, k, m), 1};
    step->received = (weft_blocks){first + before((g + ahead) % m, k + 1, m), 1};
}

static void hierarchical(const weft_collective *c, uint32_t rank, uint32_t k,
                         weft_collective_step *step)
{
    uint32_t q = group_ranks(c), m = c->ranks / q;
    if (k < q - 1) {
        within(c, rank, k, 0, step);
        step->sums = true;
        return;
    }
    k -= q - 1;
    if (k < m - 1) {
        among(c, rank, k, 0, step);
        step->sums = true;
        return;
    }
    k -= m - 1;
    if (k < m - 1)
        among(c, rank, k, 1, step);
    else
        within(c, rank, k - (m - 1), 1, step);
}

const weft_collective_kind weft_collective_allreduce_hierarchical = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "hierarchical",
    .brief = "rings within groups, between groups, within",
    .steps = count_steps,
    .step = hierarchical,
};
