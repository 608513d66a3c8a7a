/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: shared code of topologies with coordinates, however their routers are joined. Routers are
 * mixed-radix numbers, dimension 0 most significant; every dimension has consecutive ports and a
 * bit field in the route header. Nothing is tabulated per router. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_GRID_H
#define WEFT_NET_TOPOLOGY_COMMON_GRID_H

#include "base/reciprocal.h"
#include "interweft/topology.h"

typedef struct weft_grid_dimension {
    uint32_t size, stride;
    weft_reciprocal by_size, by_stride;
    uint32_t shift, mask; /* of its field in the route header */
    uint32_t sign;        /* lattices: the bit of the field for −1 direction */
    uint32_t port;        /* its first port */
    bool wraps;           /* lattices: the first router follows the last one */
} weft_grid_dimension;

typedef struct weft_grid {
    uint32_t dims;
    uint32_t bits; /* of the route header */
    weft_grid_dimension axis[WEFT_DIMS_MAX];
    uint8_t port_axis[WEFT_PORTS_MAX];
    uint8_t bit_axis[32]; /* dimension of each bit of the route header */
} weft_grid;

static inline uint32_t weft_grid_coordinate(const weft_grid_dimension *axis, uint32_t router)
{
    uint32_t above = weft_divide(router, axis->by_stride);
    return above - weft_divide(above, axis->by_size) * axis->size;
}

/* The axis of a port. */
static inline const weft_grid_dimension *weft_grid_axis(const weft_grid *grid, uint32_t port)
{
    return &grid->axis[grid->port_axis[port]];
}

/* Bits that hold the numbers 0 … values − 1. */
static inline unsigned weft_grid_bits(uint32_t values)
{
    return values <= 1 ? 0 : 32u - (unsigned)__builtin_clz(values - 1);
}

/* Fail unless a network can have these sizes, and a route header of `bits` bits. */
WEFT_MUST_USE weft_status weft_grid_check(const weft_ints *dims, int64_t hosts, weft_error *err);
WEFT_MUST_USE weft_status weft_grid_check_bits(uint32_t bits, weft_error *err);

/* Adds the next dimension: routers along it, bits in the route header, ports of every router. The
 * ports are of class local; port_step and peer_port are left to the caller. */
weft_grid_dimension *weft_grid_add(weft_topology *topology, weft_grid *grid, uint32_t size,
                                   unsigned bits, uint32_t ports);
/* Completes the grid after its last dimension: strides, routers, hosts, one VC class; the links of
 * the dimensions in `global` are of class global. */
WEFT_MUST_USE weft_status weft_grid_close(weft_topology *topology, weft_grid *grid, int64_t hosts,
                                          const weft_ints *global, weft_error *err);

/* Parameters of such kinds. */
#define WEFT_GRID_DIMS(settings)                                                          \
    {                                                                                     \
        .name = "dims", .brief = "routers along each dimension", .type = WEFT_PARAM_INTS, \
        .offset = offsetof(settings, dims), .min = 2, .max = 65535,                       \
    }

#define WEFT_GRID_HOSTS(settings)                                                      \
    {                                                                                  \
        .name = "hosts", .brief = "endpoints at every router", .type = WEFT_PARAM_INT, \
        .offset = offsetof(settings, hosts), .fallback = "1", .min = 1, .max = 1024,   \
    }

#define WEFT_GRID_GLOBAL(settings)                                                         \
    {                                                                                      \
        .name = "global",                                                                  \
        .brief = "dimensions whose links are of class global; none: all "                  \
                 "links are local",                                                        \
        .type = WEFT_PARAM_INTS, .offset = offsetof(settings, global), .fallback = "none", \
        .min = 0, .max = WEFT_DIMS_MAX - 1,                                                \
    }

#endif
