/* SPDX-License-Identifier: Apache-2.0 */
/* Lattices: torus, mesh and hypercube share everything but their settings. Routers are mixed-radix
 * numbers, dimension 0 most significant; a dimension of size 2 has one port, a larger one two (+1,
 * then −1). The route word holds, per dimension, the hops that remain and their direction in a bit
 * field; nothing is tabulated per router. */
#ifndef WEFT_NET_LATTICE_H
#define WEFT_NET_LATTICE_H

#include "base/reciprocal.h"
#include "interweft/topology.h"

/* What to do when both ways round a ring are equally long. */
typedef enum weft_tie {
    WEFT_TIE_RANDOM,
    WEFT_TIE_POSITIVE,
    WEFT_TIE_NEGATIVE,
    WEFT_TIE_WRAP /* past the end of the ring */
} weft_tie;
extern const char *const weft_tie_names[];

typedef struct weft_axis {
    uint32_t size, stride;
    weft_reciprocal by_size, by_stride;
    uint32_t shift, bits, mask; /* of its field in the route word, */
    uint32_t sign;              /* whose sign bit says −1 direction */
    uint32_t port;              /* its +1 port; −1 is the next */
    bool wraps;
} weft_axis;

typedef struct weft_lattice_self { /* the instance of all three kinds */
    uint32_t dims;
    weft_tie tie;
    weft_axis axis[WEFT_DIMS_MAX];
    uint8_t port_axis[WEFT_PORTS_MAX];
    uint8_t bit_axis[32]; /* whose field a bit of the route word belongs to */
} weft_lattice_self;

/* Fills a topology whose self is a weft_lattice_self. */
WEFT_MUST_USE weft_status weft_lattice_build(weft_topology *topology, const weft_ints *dims,
                                             int64_t hosts, bool wraps, weft_tie tie,
                                             weft_error *err);
weft_end weft_lattice_peer(const weft_topology *topology, uint32_t router, uint32_t port);
uint32_t weft_lattice_distance(const weft_topology *topology, uint32_t from, uint32_t to);
double weft_lattice_mean_distance(const weft_topology *topology);
uint32_t weft_lattice_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                          weft_random *tie);
unsigned weft_lattice_ways(const weft_topology *topology, uint32_t route, unsigned most,
                           weft_way *out);
bool weft_lattice_sound(const weft_topology *topology, uint32_t router, uint32_t route);

/* What the three kinds say alike: the parameter hosts, and the record. */
#define WEFT_LATTICE_HOSTS(settings)                                                   \
    {                                                                                  \
        .name = "hosts", .brief = "endpoints at every router", .type = WEFT_PARAM_INT, \
        .offset = offsetof(settings, hosts), .fallback = "1", .min = 1, .max = 256,    \
    }

#define WEFT_LATTICE_DIMS(settings)                                                       \
    {                                                                                     \
        .name = "dims", .brief = "routers along each dimension", .type = WEFT_PARAM_INTS, \
        .offset = offsetof(settings, dims), .min = 2, .max = 65535,                       \
    }

#define WEFT_LATTICE_KIND(id, about)                          \
    const weft_topology_kind weft_topology_##id = {           \
        .base = {.abi = WEFT_ABI,                             \
                 .size = sizeof(weft_topology_kind),          \
                 .name = #id,                                 \
                 .brief = about,                              \
                 .params = params,                            \
                 .settings_size = sizeof(settings),           \
                 .instance_size = sizeof(weft_lattice_self)}, \
        .build = build,                                       \
        .peer = weft_lattice_peer,                            \
        .distance = weft_lattice_distance,                    \
        .mean_distance = weft_lattice_mean_distance,          \
        .aim = weft_lattice_aim,                              \
        .ways = weft_lattice_ways,                            \
        .sound = weft_lattice_sound,                          \
    }

#endif
