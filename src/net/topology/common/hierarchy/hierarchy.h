/* SPDX-License-Identifier: Apache-2.0 */
/* Hierarchies: every router of an outer network is itself a network, the inner one, and each outer
 * port hangs on one of its routers. Both are topologies of any kind, hierarchies too. Nothing is
 * tabulated but the outer ports.
 *
 * Router o × (inner routers) + i is router i inside of o. Its ports are those of the inner network
 * and behind them slots for the outer ports that hang on it; all routers have as many, some lead
 * nowhere.
 *
 * A route goes level by level: inside to the router that the next outer port hangs on, through that
 * port, and so on; at last inside to its end. Where the outer network allows several ways of one
 * dimension, those that are the shortest from here to the next router outside are taken, and which
 * of them comes first depends on where the packet is and ends. Inside packets are aimed anew at
 * every hop.
 *
 * The route header is the outer one, below it the choice and below that the inner router where the
 * route ends (+ 1); or it is 0. The choice keeps packets that may take the outer dimensions in any
 * order from going to and fro inside: where it is 0 they have ways towards all outer ports; one
 * inner hop towards a dimension is its choice, and until the next outer hop there are only ways of
 * this dimension and, first as ever, of the lowest one left.
 *
 * VCs of outer links are divided as the outer network wants it. Inner links have those of the
 * inner network times the classes of the level: 1 (none), 2 (packets with outer hops before them
 * and those without), or more, where the former are told apart by the VC class of their next
 * outer hop, its dimension, or both. The default is safe for dimension order:
 * - By class, if ports of one dimension hang on different routers: then its hops take inner links
 *   in between, which must not join what a dateline separates. Where outer classes get less at
 *   every hop (no dimensions) this is all that is needed.
 * - By dimension, unless the inner network is complete and an inner link that leads from one outer
 *   dimension to a higher one never leads to the same or a lower one too. Otherwise a packet that
 *   has come by a high dimension could wait for one that goes by a low one.
 * Shortest inner ways from a port never use a link that some shortest way to it uses, so the two
 * directions of a dimension need no classes. (Proven for outer networks with coordinates,
 * complete ones and those of weft_ways_vc.) */
#ifndef WEFT_NET_TOPOLOGY_COMMON_HIERARCHY_HIERARCHY_H
#define WEFT_NET_TOPOLOGY_COMMON_HIERARCHY_HIERARCHY_H

#include "base/reciprocal.h"
#include "interweft/topology.h"

typedef struct weft_hierarchy_plan {
    weft_kind_ref outer, inner;
    const weft_ints *attach; /* the inner router of each outer port; empty: evenly, in order */
    int64_t inner_vcs;       /* classes of the level; WEFT_NONE_INT: as many as are safe */
} weft_hierarchy_plan;

typedef struct weft_hierarchy { /* the instance */
    weft_topology outer, inner;
    weft_reciprocal by_inner; /* routers */
    uint32_t mask;            /* of the inner router in the route header */
    uint32_t choice;          /* and the shift of the choice, */
    uint32_t shift;           /* and of the outer word */
    uint32_t dims; /* of the outer network and those inside of it; 0 or 1: there is no choice */
    uint32_t n_slots;
    bool single;                     /* the outer network has one way in each dimension */
    bool by_class, by_dim;           /* how packets with outer hops before them are told apart */
    uint32_t levels;                 /* classes of the level */
    uint32_t attach[WEFT_PORTS_MAX]; /* of an outer port: the inner router it hangs on … */
    uint16_t slots[WEFT_PORTS_MAX];  /* … and where */
    uint16_t order[WEFT_PORTS_MAX];  /* outer ports by inner router, then slot */
} weft_hierarchy;

typedef struct weft_hierarchy_place {
    uint32_t outer, inner;
} weft_hierarchy_place;

static inline weft_hierarchy_place weft_hierarchy_split(const weft_hierarchy *self, uint32_t router)
{
    uint32_t outer = weft_divide(router, self->by_inner);
    return (weft_hierarchy_place){outer, router - outer * self->inner.routers};
}

/* Fills a topology whose self is a weft_hierarchy. */
WEFT_MUST_USE weft_status weft_hierarchy_build(weft_topology *topology,
                                               const weft_hierarchy_plan *plan, weft_error *err);
void weft_hierarchy_done(weft_topology *topology);

weft_end weft_hierarchy_peer(const weft_topology *topology, uint32_t router, uint32_t port);
weft_end weft_hierarchy_feeder(const weft_topology *topology, uint32_t router, uint32_t in);
/* Along the first ways, and without ties drawn. */
uint32_t weft_hierarchy_distance(const weft_topology *topology, uint32_t from, uint32_t to);
double weft_hierarchy_mean_distance(const weft_topology *topology);
uint32_t weft_hierarchy_diameter(const weft_topology *topology);
uint32_t weft_hierarchy_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie);
unsigned weft_hierarchy_aims(const weft_topology *topology, uint32_t from, uint32_t to,
                             uint32_t *out);
unsigned weft_hierarchy_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                             unsigned most, weft_minimal_port *out);
uint32_t weft_hierarchy_vc(const weft_topology *topology, uint32_t router,
                           const weft_minimal_port *way);
bool weft_hierarchy_sound(const weft_topology *topology, uint32_t router, uint32_t route);
void weft_hierarchy_name(const weft_topology *topology, uint32_t router, char *text, size_t size);

/* The outer port in a slot of an inner router; WEFT_NOWHERE: none. */
uint32_t weft_hierarchy_port_in(const weft_hierarchy *self, uint32_t inner, uint32_t slot);
/* Inner ways from one inner router to another. */
unsigned weft_hierarchy_inner_ways(const weft_hierarchy *self, uint32_t from, uint32_t to,
                                   unsigned most, weft_minimal_port *out);
/* The outer ways of a packet with this outer word at a place, that ends at inner router `end`;
 * returns how many. */
unsigned weft_hierarchy_outer_ways(const weft_hierarchy *self, weft_hierarchy_place at,
                                   uint32_t word, uint32_t end, weft_minimal_port *out);
/* The first one; *count, if not NULL: how many there are of its dimension. */
weft_minimal_port weft_hierarchy_first(const weft_hierarchy *self, weft_hierarchy_place at,
                                       uint32_t word, uint32_t end, unsigned *count);

/* The record of a kind. */
#define WEFT_HIERARCHY_KIND(id, called, about)             \
    const weft_topology_kind weft_topology_##id = {        \
        .base = {.abi = WEFT_ABI,                          \
                 .size = sizeof(weft_topology_kind),       \
                 .name = called,                           \
                 .brief = about,                           \
                 .params = params,                         \
                 .settings_size = sizeof(settings),        \
                 .instance_size = sizeof(weft_hierarchy)}, \
        .build = build,                                    \
        .done = weft_hierarchy_done,                       \
        .peer = weft_hierarchy_peer,                       \
        .upstream = weft_hierarchy_feeder,                 \
        .distance = weft_hierarchy_distance,               \
        .mean_distance = weft_hierarchy_mean_distance,     \
        .make_header = weft_hierarchy_aim,                 \
        .minimal_ports = weft_hierarchy_ways,              \
        .vc_class = weft_hierarchy_vc,                     \
        .header_valid = weft_hierarchy_sound,              \
        .all_headers = weft_hierarchy_aims,                \
        .closed_form.diameter = weft_hierarchy_diameter,   \
        .name = weft_hierarchy_name,                       \
    }

#endif
