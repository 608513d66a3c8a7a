/* SPDX-License-Identifier: Apache-2.0 */
/* Lattices: torus, mesh and hypercube share everything but their settings. They are grids; a
 * dimension of size 2 has one port, a larger one two (+1, then −1). The route header holds, per
 * dimension, the hops that remain and their direction in a bit field. The dateline of a ring
 * lies between its last router and router 0. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_LATTICE_H
#define WEFT_NET_TOPOLOGY_COMMON_LATTICE_H

#include "net/topology/common/grid.h"

/* Direction taken when both directions round a ring are equally long. */
typedef enum weft_tie {
    WEFT_TIE_RANDOM,
    WEFT_TIE_POSITIVE,
    WEFT_TIE_NEGATIVE,
    WEFT_TIE_WRAP /* past the end of the ring */
} weft_tie;
extern const char *const weft_tie_names[];

typedef struct weft_lattice_field { /* a dimension's bits, in their place in the route header */
    uint32_t all;  /* hops that remain, and above them the bit for −1 direction */
    uint32_t hops; /* without that bit */
    uint32_t one;  /* a hop */
    uint8_t shift, dim;
    uint8_t port, ports; /* its first port, and how many it has */
} weft_lattice_field;

typedef struct weft_lattice_self { /* the instance of all three kinds */
    weft_lattice_field field[32];  /* the field of each bit of the route header */
    weft_grid grid;
    weft_tie tie;
} weft_lattice_self;

typedef struct weft_lattice_plan {
    const weft_ints *dims;
    const weft_ints *global; /* dimensions of class global */
    int64_t hosts;
    bool wraps;
    weft_tie tie;
} weft_lattice_plan;

/* Fills a topology whose self is a weft_lattice_self. */
WEFT_MUST_USE weft_status weft_lattice_build(weft_topology *topology, const weft_lattice_plan *plan,
                                             weft_error *err);
weft_end weft_lattice_peer(const weft_topology *topology, uint32_t router, uint32_t port);
uint32_t weft_lattice_distance(const weft_topology *topology, uint32_t from, uint32_t to);
double weft_lattice_mean_distance(const weft_topology *topology);
uint32_t weft_lattice_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                          weft_random *tie);
unsigned weft_lattice_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                           unsigned most, weft_minimal_port *out);
uint32_t weft_lattice_vc(const weft_topology *topology, uint32_t router,
                         const weft_minimal_port *way);
unsigned weft_lattice_aims(const weft_topology *topology, uint32_t from, uint32_t to,
                           uint32_t *out);
bool weft_lattice_sound(const weft_topology *topology, uint32_t router, uint32_t route);

/* The minimal port of a dimension with hops left. */
static inline weft_minimal_port weft_lattice_way(const weft_lattice_field *field, uint32_t route)
{
    uint32_t way = route & field->all, hops = way & field->hops;
    uint32_t step =
        hops > field->one ? field->one : way; /* the last hop clears the direction too */
    return (weft_minimal_port){.port = (uint16_t)(field->port + (hops != way)),
                               .hops = (uint16_t)(hops >> field->shift),
                               .next_header = route - step,
                               .dim = field->dim};
}

/* True if a packet that takes this port will pass the dateline. (In a dimension of two routers the
 * packet from the second to the first does.) */
static inline bool weft_lattice_passes(const weft_lattice_self *self,
                                       const weft_lattice_field *field, uint32_t router,
                                       const weft_minimal_port *way)
{
    const weft_grid_dimension *axis = &self->grid.axis[field->dim];
    if (!axis->wraps)
        return false;
    uint32_t at = weft_grid_coordinate(axis, router);
    return way->port == field->port ? at + way->hops >= axis->size : at < way->hops;
}

/* The record of a kind; crossing: weft_lattice_vc, or NULL where no ring closes. */
#define WEFT_LATTICE_KIND(id, about, crossing)                \
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
        .make_header = weft_lattice_aim,                      \
        .minimal_ports = weft_lattice_ways,                   \
        .vc_class = crossing,                                 \
        .header_valid = weft_lattice_sound,                   \
        .all_headers = weft_lattice_aims,                     \
    }

#endif
