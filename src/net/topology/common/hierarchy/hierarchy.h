/* SPDX-License-Identifier: Apache-2.0 */
/* Hierarchies: every router of an outer network is itself a network, the inner one, and each outer
 * port is attached to one of its routers. Both are topologies of any kind, hierarchies too. Only
 * the outer ports are tabulated.
 *
 * Router o × (inner routers) + i is router i inside of o. Where some inner routers have no
 * endpoints (spines), those with endpoints are numbered so, and the others behind them in the same
 * way: edge routers come first in every network. The ports of a router are those of the inner
 * network, followed by slots for the outer ports attached to it; all routers have equally many
 * slots, some of them unused.
 *
 * A route goes level by level: inside to the router of the next outer port, through that port, and
 * so on; at last inside to its end. Where the outer network has several minimal ports in one
 * dimension, those with the shortest path from here to the next outer router are taken; their order
 * depends on the packet's place and its end. The inner header is made anew at every hop.
 *
 * The route header is the outer header, below it the choice, and below that the inner router where
 * the route ends (+ 1); or it is 0. The choice keeps packets that may take the outer dimensions in
 * any order from going to and fro inside. While it is 0, the ports towards all outer ports are
 * candidates. An inner hop towards a dimension sets the choice to it; until the next outer hop only
 * ports towards this dimension and (first, as always) the lowest dimension left are candidates.
 *
 * Outer links have the VC classes of the outer network. Inner links have those of the inner network
 * times the classes of the level: 1 (none), 2 (packets with and without outer hops ahead), or more,
 * where packets with outer hops ahead are distinguished by the VC class of their next outer hop,
 * its dimension, or both. The default is safe for dimension order:
 * - By class, if ports of one dimension are attached to different routers: hops along it then take
 *   inner links in between, which must not join what a dateline separates. Where outer classes
 *   decrease at every hop (no dimensions), this is sufficient.
 * - By dimension, unless the inner network is complete and an inner link that leads from one outer
 *   dimension to a higher one never leads to the same or a lower one too. Otherwise a packet that
 *   came by a high dimension could wait for one that leaves by a low one.
 * Shortest inner paths from a port never use a link that is on a shortest path to it, so the two
 * directions of a dimension need no classes. (Proven for outer networks with coordinates, complete
 * ones and those of weft_ways_vc.) */
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
    /* Inner routers with endpoints and without, and the first router of the latter; n_core 0:
     * there are none. */
    uint32_t n_edge, n_core, first_core;
    weft_reciprocal by_edge, by_core;
    weft_tier tiers[2];
    /* Fields of the route header: mask of the inner router, shift of the choice, shift of the outer
     * header. */
    uint32_t mask;
    uint32_t choice;
    uint32_t shift;
    /* Dimensions of the outer network and of those inside of it; 0 or 1: there is no choice. */
    uint32_t dims;
    uint32_t n_slots;
    /* The outer network has one minimal port in each dimension. */
    bool single;
    /* How packets with outer hops ahead are distinguished. */
    bool by_class, by_dim;
    uint32_t levels;                 /* classes of the level */
    uint32_t attach[WEFT_PORTS_MAX]; /* of an outer port: its inner router … */
    uint16_t slots[WEFT_PORTS_MAX];  /* … and its slot there */
    uint16_t order[WEFT_PORTS_MAX];  /* outer ports by inner router, then slot */
} weft_hierarchy;

typedef struct weft_hierarchy_place {
    uint32_t outer, inner;
} weft_hierarchy_place;

static inline weft_hierarchy_place weft_hierarchy_split(const weft_hierarchy *self, uint32_t router)
{
    if (self->n_core && router >= self->first_core) {
        uint32_t nth = router - self->first_core, outer = weft_divide(nth, self->by_core);
        return (weft_hierarchy_place){outer, self->n_edge + nth - outer * self->n_core};
    }
    uint32_t outer = weft_divide(router, self->by_edge);
    return (weft_hierarchy_place){outer, router - outer * self->n_edge};
}

/* Fills a topology whose self is a weft_hierarchy. */
WEFT_MUST_USE weft_status weft_hierarchy_build(weft_topology *topology,
                                               const weft_hierarchy_plan *plan, weft_error *err);
void weft_hierarchy_done(weft_topology *topology);

weft_end weft_hierarchy_peer(const weft_topology *topology, uint32_t router, uint32_t port);
weft_end weft_hierarchy_feeder(const weft_topology *topology, uint32_t router, uint32_t in);
/* Length along the first minimal ports, without random ties. */
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
/* Inner minimal ports from one inner router to another. */
unsigned weft_hierarchy_inner_ways(const weft_hierarchy *self, uint32_t from, uint32_t to,
                                   unsigned most, weft_minimal_port *out);
/* The outer minimal ports of a packet at a place, with this outer header and ending at inner router
 * `end`; returns their number. */
unsigned weft_hierarchy_outer_ways(const weft_hierarchy *self, weft_hierarchy_place at,
                                   uint32_t word, uint32_t end, weft_minimal_port *out);
/* The first of these ports. */
weft_minimal_port weft_hierarchy_first(const weft_hierarchy *self, weft_hierarchy_place at,
                                       uint32_t word, uint32_t end);

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
        .minimal = "level by level",                       \
    }

#endif
