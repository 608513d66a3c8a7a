/* SPDX-License-Identifier: Apache-2.0 */
/* Partition of the routers of a topology into blocks.
 *
 * A topology with coordinates is cut into boxes (as cubic as the sizes allow, unequal where they
 * do not divide); the neighbour slot of a block is then the port an event leaves through. Where
 * a dimension is fully connected, the boxes along it are all neighbours of each other: a slot for
 * each of them. Any other topology says where it is to be cut (weft_topology_cut): a block is a
 * range of numbers in each of its rows, the same share of all, which balances the load; the slot is
 * the block. Blocks end between units (groups, subtrees) if they become no more than 5 % uneven by
 * it. Everything is computed: memory is one record per block of this process, and a few bytes for
 * every block of all processes where there are no coordinates; 8 bytes for every router of
 * networks that have tables of their cables (weft_topology_kind.cut_order). */
#ifndef WEFT_SIM_PARTITION_H
#define WEFT_SIM_PARTITION_H

#include "base/reciprocal.h"
#include "interweft/topology.h"

#define WEFT_INSIDE UINT32_MAX

typedef struct weft_edge { /* one dimension of a box; without coordinates: its part of a row … */
    uint32_t origin, size,
        stride; /* … the number of its first router, how many, and the local number of the first */
} weft_edge;

typedef struct weft_gate { /* one port's way through a box */
    weft_reciprocal by_stride, by_size;
    uint32_t stride, size;
    uint32_t last;   /* coordinate of the routers from which the port leads out of the box */
    uint32_t delta;  /* local number of the next router − this one's (mod 2^32), inside */
    uint32_t around; /* the same from the last one, if the ring closes inside this box */
    uint32_t beyond; /* else: size of the next box in this direction; 0: it closes */
} weft_gate;

typedef struct weft_box {
    uint32_t routers;
    weft_edge edge[WEFT_DIMS_MAX];
    weft_gate gate[]; /* per port; 0 without coordinates and in fully connected dimensions */
} weft_box;

typedef struct weft_partition {
    const weft_topology *topology;
    uint32_t blocks;
    uint32_t slots;                    /* neighbour slots of every block … */
    uint32_t anywhere;                 /* … if joined, those from here on: of block 0, 1, … */
    uint32_t parts[WEFT_DIMS_MAX];     /* boxes along each dimension */
    uint32_t rows;                     /* without coordinates … */
    uint32_t start[WEFT_DIMS_MAX + 1]; /* … where each begins, and the end */
    uint32_t *begin; /* row × (blocks + 1): a block's first place there, at last the end */
    uint32_t *shift; /* block × row: a router's place less its local number, mod 2^32 */
    uint32_t *order; /* routers by place, if the topology orders them; NULL: by number … */
    uint32_t *where; /* … and the place of each router */
    size_t stride;   /* bytes from one box to the next */
    char *boxes;     /* room for all; only those that were opened are filled (and take memory) */
} weft_partition;

typedef struct weft_place {
    uint32_t block, local;
} weft_place;

typedef struct weft_step {
    uint32_t slot;  /* WEFT_INSIDE, or through which the event leaves the block */
    uint32_t local; /* number of the router in its block */
} weft_step;

/* Part i of g along a dimension of size k holds the coordinates ⌊i k / g⌋ … ⌊(i+1) k / g⌋ − 1. */
static inline uint32_t weft_part_start(uint32_t size, uint32_t parts, uint32_t i)
{
    return (uint32_t)((uint64_t)i * size / parts);
}

static inline uint32_t weft_part_size(uint32_t size, uint32_t parts, uint32_t i)
{
    return weft_part_start(size, parts, i + 1) - weft_part_start(size, parts, i);
}

/* The part a coordinate falls into. */
static inline uint32_t weft_part_of(uint32_t size, uint32_t parts, uint32_t at)
{
    return (uint32_t)((((uint64_t)at + 1) * parts - 1) / size);
}

/* As many blocks as asked for, or the next smaller number the sizes allow. */
void weft_partition_init(weft_partition *partition, const weft_topology *topology, uint32_t blocks);
void weft_partition_done(weft_partition *partition);
/* Makes all blocks neighbours of each other, for events that do not follow links. */
void weft_partition_join(weft_partition *partition);
/* The least number of blocks from `least` on (or else the greatest there is) that the sizes
 * allow. */
uint32_t weft_partition_fit(const weft_topology *topology, uint32_t least);
/* Fills in the box of one block. Only place and neighbour of a block may be used before. */
void weft_partition_open(weft_partition *partition, uint32_t block);
/* Default number of blocks for these ranks with so many threads each. */
uint32_t weft_partition_default(const weft_topology *topology, uint32_t ranks, uint32_t threads);
/* Routers of a block. */
uint32_t weft_partition_routers(const weft_partition *partition, uint32_t block);

weft_place weft_partition_place(const weft_partition *partition, uint32_t router);
uint32_t weft_partition_router(const weft_partition *partition, uint32_t block, uint32_t local);
/* Routers of a block that have endpoints: they come first in it. */
uint32_t weft_partition_homes(const weft_partition *partition, uint32_t block);
/* The block behind a slot. */
uint32_t weft_partition_neighbour(const weft_partition *partition, uint32_t block, uint32_t slot);
static inline const weft_box *weft_partition_box(const weft_partition *partition, uint32_t block)
{
    return (const weft_box *)(const void *)(partition->boxes + partition->stride * block);
}

/* The step to a router from this block, in a network without coordinates. */
weft_step weft_partition_reach(const weft_partition *partition, uint32_t block, uint32_t router);

/* Those of the first 32 ports by which a router is at the edge of its box: they lead out of it, or
 * around a ring that closes inside. */
uint32_t weft_partition_edges(const weft_box *box, uint32_t local, uint32_t ports);

/* The slow part of weft_partition_step: a border, full connection, or no coordinates. */
weft_step weft_partition_leave(const weft_partition *partition, uint32_t block, uint32_t local,
                               uint32_t port);

/* The routers behind the links of a small block, router × ports: their numbers in the block, or
 * WEFT_NOWHERE (of another block, or no link); free() it. NULL: the block is too large for a table
 * to stay in a core's cache. */
uint32_t *weft_partition_table(const weft_partition *partition, uint32_t block, uint32_t routers);

/* The router behind a port that exists; box is the block's. */
static inline weft_step weft_partition_step(const weft_partition *partition, const weft_box *box,
                                            uint32_t block, uint32_t local, uint32_t port)
{
    const weft_gate *gate = &box->gate[port];
    uint32_t above = weft_divide(local, gate->by_stride);
    uint32_t at = above - weft_divide(above, gate->by_size) * gate->size;
    if (__builtin_expect(at == gate->last, 0)) /* always, where all is 0 */
        return weft_partition_leave(partition, block, local, port);
    return (weft_step){.slot = WEFT_INSIDE, .local = local + gate->delta};
}

/* The same where all boxes have coordinates and no dimension is fully connected, in parts: does a
 * port lead to the router next to it in its box (edges: those that do not)? Then that one, … */
static inline bool weft_partition_is_next(uint32_t edges, uint32_t port)
{
    return __builtin_expect(!(edges >> port & 1), 1);
}

static inline weft_step weft_partition_next(const weft_box *box, uint32_t local, uint32_t port)
{
    return (weft_step){.slot = WEFT_INSIDE, .local = local + box->gate[port].delta};
}

/* … or else the one round the box, or in another one. */
static inline weft_step weft_partition_around(const weft_partition *partition, const weft_box *box,
                                              uint32_t block, uint32_t local, uint32_t port)
{
    if (box->gate[port].beyond == 0)
        return (weft_step){.slot = WEFT_INSIDE, .local = local + box->gate[port].around};
    return weft_partition_leave(partition, block, local, port);
}

#endif
