/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive bisection over the grid of blocks: a box of blocks for n ranks is cut in two, for
 * ⌊n/2⌋ and ⌈n/2⌉ of them, where the weights come nearest to that share; among cuts that are
 * about as good, across the longest side, which has the least surface. Blocks without
 * coordinates are a grid of one dimension. */
#include "sim/rank_map.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define ALIKE 0.01 /* of the weight: cuts that miss their share by so much less are not better */

typedef struct cut_box { /* blocks lo … hi − 1 along each dimension */
    uint32_t lo[WEFT_DIMS_MAX], hi[WEFT_DIMS_MAX];
} cut_box;

struct grid {
    uint32_t dims, parts[WEFT_DIMS_MAX];
    const double *weight; /* per block */
    uint32_t *owner;
};

typedef struct cut {
    uint32_t dim, at;
    double miss; /* of the share, relative */
    uint32_t side;
} cut;

/* Calls each(user, block, coordinate along dim) for all blocks of a box. */
static void walk(const struct grid *grid, const cut_box *box, uint32_t dim,
                 void (*each)(void *user, uint32_t block, uint32_t at), void *user)
{
    uint32_t at[WEFT_DIMS_MAX] = {0};
    for (uint32_t d = 0; d < grid->dims; d++)
        at[d] = box->lo[d];
    for (;;) {
        uint32_t block = 0;
        for (uint32_t d = 0; d < grid->dims; d++)
            block = block * grid->parts[d] + at[d];
        each(user, block, at[dim]);
        uint32_t d = grid->dims;
        while (d-- > 0 && ++at[d] == box->hi[d])
            at[d] = box->lo[d];
        if (d == UINT32_MAX)
            return;
    }
}

typedef struct slabs {
    const double *weight;
    double *sum;
    uint32_t lo;
} slabs;

static void add_slab(void *user, uint32_t block, uint32_t at)
{
    slabs *s = user;
    s->sum[at - s->lo] += s->weight[block];
}

/* Blocks of a box in one slab across a dimension. */
static uint64_t section(const struct grid *grid, const cut_box *box, uint32_t dim)
{
    uint64_t blocks = 1;
    for (uint32_t d = 0; d < grid->dims; d++)
        blocks *= d == dim ? 1 : box->hi[d] - box->lo[d];
    return blocks;
}

/* The best cut across one dimension, for `low` of `ranks` below it; each side has a block for
 * every rank if that is possible. */
static cut best_along(const struct grid *grid, const cut_box *box, uint32_t dim, uint32_t low,
                      uint32_t ranks)
{
    uint32_t side = box->hi[dim] - box->lo[dim];
    uint64_t each = section(grid, box, dim);
    double share = (double)low / ranks;
    double *sum = weft_alloc(sizeof *sum * side), all = 0, below = 0;
    walk(grid, box, dim, add_slab,
         &(slabs){.weight = grid->weight, .sum = sum, .lo = box->lo[dim]});
    for (uint32_t i = 0; i < side; i++)
        all += sum[i];
    cut best = {.dim = dim, .at = box->lo[dim] + 1, .miss = 2, .side = side};
    for (uint32_t i = 0; i + 1 < side; i++) {
        below += sum[i];
        double part = all > 0 ? below / all : (double)(i + 1) / side;
        double miss = part > share ? part - share : share - part;
        if (each * (i + 1) < low || each * (side - i - 1) < ranks - low)
            miss += 1; /* a rank would have nothing */
        if (miss < best.miss) {
            best.miss = miss;
            best.at = box->lo[dim] + i + 1;
        }
    }
    free(sum);
    return best;
}

static bool better(const cut *a, const cut *b)
{
    if (a->miss < b->miss - ALIKE || a->miss > b->miss + ALIKE)
        return a->miss < b->miss;
    return a->side > b->side;
}

typedef struct giving {
    uint32_t *owner, rank;
} giving;

static void give(void *user, uint32_t block, uint32_t at)
{
    const giving *g = user;
    (void)at;
    g->owner[block] = g->rank;
}

static void bisect(const struct grid *grid, const cut_box *box, uint32_t first, uint32_t ranks)
{
    cut best = {.miss = 3};
    uint32_t low = ranks / 2;
    for (uint32_t d = 0; ranks > 1 && d < grid->dims; d++)
        if (box->hi[d] - box->lo[d] > 1) {
            cut one = best_along(grid, box, d, low, ranks);
            if (better(&one, &best))
                best = one;
        }
    if (best.miss > 2) { /* one rank, or one block for several */
        walk(grid, box, 0, give, &(giving){.owner = grid->owner, .rank = first});
        return;
    }
    cut_box below = *box, above = *box;
    below.hi[best.dim] = above.lo[best.dim] = best.at;
    bisect(grid, &below, first, low);
    bisect(grid, &above, first + low, ranks - low);
}

/* Parts along dimension d of a partition with or without coordinates, and routers. */
static uint32_t parts_of(const weft_partition *partition, uint32_t d)
{
    return partition->topology->lattice.dims ? partition->parts[d] : partition->blocks;
}

static uint32_t size_of(const weft_partition *partition, uint32_t d)
{
    const weft_topology *topology = partition->topology;
    return topology->lattice.dims ? topology->lattice.size[d] : topology->routers;
}

typedef struct spreading { /* one box of a checkpoint over the blocks it lies in */
    const weft_partition *partition;
    const struct grid *grid;
    uint32_t start[WEFT_DIMS_MAX], end[WEFT_DIMS_MAX]; /* routers of the box */
    double density;                                    /* cost of a router */
    double *weight;
} spreading;

static void spread_to(void *user, uint32_t block, uint32_t at)
{
    const spreading *s = user;
    double routers = 1;
    uint32_t rest = block;
    (void)at;
    for (uint32_t d = s->grid->dims; d-- > 0; rest /= s->grid->parts[d]) {
        uint32_t size = size_of(s->partition, d), parts = s->grid->parts[d], i = rest % parts;
        uint32_t lo = weft_part_start(size, parts, i), hi = weft_part_start(size, parts, i + 1);
        lo = lo > s->start[d] ? lo : s->start[d];
        hi = hi < s->end[d] ? hi : s->end[d];
        routers *= hi > lo ? hi - lo : 0;
    }
    s->weight[block] += routers * s->density;
}

static void spread(const weft_partition *boxes, uint32_t box, int64_t cost, spreading *s)
{
    cut_box blocks = {0};
    uint32_t rest = box;
    for (uint32_t d = s->grid->dims; d-- > 0; rest /= parts_of(boxes, d)) {
        uint32_t size = size_of(boxes, d), parts = parts_of(boxes, d), i = rest % parts;
        s->start[d] = weft_part_start(size, parts, i);
        s->end[d] = weft_part_start(size, parts, i + 1);
        blocks.lo[d] = weft_part_of(size, s->grid->parts[d], s->start[d]);
        blocks.hi[d] = weft_part_of(size, s->grid->parts[d], s->end[d] - 1) + 1;
    }
    s->density = (double)cost / weft_partition_routers(boxes, box);
    walk(s->grid, &blocks, 0, spread_to, s);
}

/* What each block weighs: its routers, or its part of what the boxes cost. Where routers have
 * different numbers of endpoints all blocks have about the same load. */
static double *weigh(const weft_partition *partition, const struct grid *grid,
                     const weft_costs *costs)
{
    double *weight = weft_alloc(sizeof *weight * partition->blocks);
    for (uint32_t b = 0; !costs && b < partition->blocks; b++)
        weight[b] = partition->topology->first ? 1 : weft_partition_routers(partition, b);
    if (!costs)
        return weight;
    weft_partition boxes;
    weft_partition_init(&boxes, partition->topology, costs->boxes);
    spreading s = {.partition = partition, .grid = grid, .weight = weight};
    for (uint32_t box = 0; box < boxes.blocks; box++)
        spread(&boxes, box, costs->cost[box], &s);
    weft_partition_done(&boxes);
    return weight;
}

void weft_rank_map_blocks(const weft_partition *partition, uint32_t ranks, const weft_costs *costs,
                          uint32_t *owner)
{
    assert(ranks >= 1);
    struct grid grid = {.dims = partition->topology->lattice.dims, .owner = owner};
    cut_box all = {0};
    if (grid.dims == 0)
        grid.dims = 1;
    for (uint32_t d = 0; d < grid.dims; d++)
        all.hi[d] = grid.parts[d] = parts_of(partition, d);
    double *weight = weigh(partition, &grid, costs);
    grid.weight = weight;
    bisect(&grid, &all, 0, ranks);
    free(weight);
}
