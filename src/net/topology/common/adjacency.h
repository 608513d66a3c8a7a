/* SPDX-License-Identifier: Apache-2.0 */
/* Networks without a formula: who is joined to whom, and how far every router is from every edge
 * router, as tables. For random and imported networks; cables lead both ways. Where distances
 * are very many they are found when asked for and only some are kept, which is enough for
 * looking at a network; a run tabulates them (`build_tables`), or is refused.
 *
 * The route header is the endpoint a packet goes to, + 1. Every port that is one hop nearer is a
 * way, and the endpoint decides which comes first (net/topology/common/spreading.h), so that
 * equally good ways share the load. A hop's VC class is the number of hops behind it, which gets
 * less at every hop: no minimal route can stop another one. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_ADJACENCY_H
#define WEFT_NET_TOPOLOGY_COMMON_ADJACENCY_H

#include "interweft/topology.h"
#include "net/topology/common/spreading.h"

#define WEFT_ADJACENCY_PORTS_MAX 64
#define WEFT_ADJACENCY_FAR       UINT8_MAX /* no way there */

typedef struct weft_adjacency { /* first in the instance of a kind */
    uint32_t routers, ports;
    uint32_t targets; /* distances are known to routers 0 … targets − 1 */
    uint32_t *to;     /* [router × ports + port]: the router behind it, or WEFT_NOWHERE */
    uint16_t *back;   /* and its port there */
    uint8_t *hops;    /* [target × routers + router]; NULL: not tabulated */
    struct weft_distance_cache *distance_cache; /* what was found when asked for */
    uint32_t diameter;                          /* between targets, and their mean distance */
    double mean;
    weft_spreading spreading;
} weft_adjacency;

/* A table of so many routers without cables. */
void weft_adjacency_init(weft_adjacency *table, uint32_t routers, uint32_t ports);
void weft_adjacency_done(weft_adjacency *table);
/* A cable between two ports; what they were joined to before is forgotten. */
void weft_adjacency_join(weft_adjacency *table, weft_end a, weft_end b);
/* Is some cable between these routers? */
bool weft_adjacency_joined(const weft_adjacency *table, uint32_t a, uint32_t b);
/* Can everything be reached from router 0? If not, *cut is a router that cannot. */
bool weft_adjacency_connected(const weft_adjacency *table, uint32_t *cut);
/* Finds all distances to the first `targets` routers, and tabulates them unless they are very
 * many. Fails if routers are cut off, or are too far apart. */
WEFT_MUST_USE weft_status weft_adjacency_survey(weft_adjacency *table, uint32_t targets,
                                                weft_error *err);
/* Fills a topology whose self starts with a surveyed table; all links are local, and targets are
 * edge routers with so many endpoints each. */
void weft_adjacency_fill(weft_topology *topology, uint32_t hosts);

/* What a kind made of a table needs; self starts with it. */
weft_end weft_adjacency_peer(const weft_topology *topology, uint32_t router, uint32_t port);
uint32_t weft_adjacency_distance(const weft_topology *topology, uint32_t from, uint32_t to);
double weft_adjacency_mean_distance(const weft_topology *topology);
uint32_t weft_adjacency_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie);
uint32_t weft_adjacency_mark(const weft_topology *topology, uint32_t route, uint32_t host);
unsigned weft_adjacency_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                             unsigned most, weft_minimal_port *out);
uint32_t weft_adjacency_vc(const weft_topology *topology, uint32_t router,
                           const weft_minimal_port *way);
bool weft_adjacency_sound(const weft_topology *topology, uint32_t router, uint32_t route);
uint32_t weft_adjacency_diameter(const weft_topology *topology);
WEFT_MUST_USE weft_status weft_adjacency_ready(const weft_topology *topology, bool dry,
                                               weft_error *err);

/* These, in the record of a kind. */
#define WEFT_ADJACENCY_ANSWERS                                                        \
    .peer = weft_adjacency_peer, .distance = weft_adjacency_distance,                 \
    .mean_distance = weft_adjacency_mean_distance, .make_header = weft_adjacency_aim, \
    .header_for_host = weft_adjacency_mark, .minimal_ports = weft_adjacency_ways,     \
    .vc_class = weft_adjacency_vc, .header_valid = weft_adjacency_sound,              \
    .closed_form.diameter = weft_adjacency_diameter, .build_tables = weft_adjacency_ready

#endif
