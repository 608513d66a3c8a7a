/* SPDX-License-Identifier: Apache-2.0 */
/* Networks without a formula: tables of the cables, and of the distances from every router to every
 * edge router. For random and imported networks; cables are bidirectional. Very large distance
 * tables are replaced by a cache that computes distances on demand, which suffices for analysis; a
 * simulation tabulates them (`build_tables`), or is refused.
 *
 * The route header is the destination endpoint + 1. Every port one hop nearer to it is minimal, and
 * the endpoint decides which comes first (net/topology/common/spreading.h), so that minimal ports
 * share the load. The VC class of a hop is the number of hops after it, which decreases at every
 * hop: the channel dependency graph of minimal routes is acyclic. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_ADJACENCY_H
#define WEFT_NET_TOPOLOGY_COMMON_ADJACENCY_H

#include "interweft/topology.h"
#include "net/topology/common/bisection.h"
#include "net/topology/common/spreading.h"

#define WEFT_ADJACENCY_PORTS_MAX WEFT_PORTS_MAX
#define WEFT_ADJACENCY_FAR       UINT8_MAX /* unreachable */

typedef struct weft_adjacency { /* first in the instance of a kind */
    uint32_t routers, ports;
    uint32_t targets; /* distances are known to routers 0 … targets − 1 */
    uint32_t *to;     /* [router × ports + port]: the router behind it, or WEFT_NOWHERE */
    uint16_t *back;   /* and its port there */
    uint8_t *hops;    /* [target × routers + router]; NULL: not tabulated */
    struct weft_distance_cache *distance_cache; /* distances computed on demand */
    uint32_t diameter;                          /* between targets, and their mean distance */
    double mean;
    weft_spreading spreading;
} weft_adjacency;

/* A table of `routers` routers without cables. */
void weft_adjacency_init(weft_adjacency *table, uint32_t routers, uint32_t ports);
void weft_adjacency_done(weft_adjacency *table);
/* Joins two ports by a cable; replaces the cables they had before. */
void weft_adjacency_join(weft_adjacency *table, weft_end a, weft_end b);
/* True if a cable joins these routers. */
bool weft_adjacency_joined(const weft_adjacency *table, uint32_t a, uint32_t b);
/* True if all routers can be reached from router 0; if not, *cut is one that cannot. */
bool weft_adjacency_connected(const weft_adjacency *table, uint32_t *cut);
/* Finds all distances to the first `targets` routers, and tabulates them unless the table would be
 * very large. Fails if routers are cut off or too far apart. */
WEFT_MUST_USE weft_status weft_adjacency_survey(weft_adjacency *table, uint32_t targets,
                                                weft_error *err);
/* Fills a topology whose self starts with a surveyed table; all links are local, and targets are
 * edge routers with `hosts` endpoints each. */
void weft_adjacency_fill(weft_topology *topology, uint32_t hosts);

/* Functions for the kinds whose self starts with such a table. */
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

/* These functions as members of the record of a kind. */
#define WEFT_ADJACENCY_ANSWERS                                                             \
    .peer = weft_adjacency_peer, .distance = weft_adjacency_distance,                      \
    .mean_distance = weft_adjacency_mean_distance, .make_header = weft_adjacency_aim,      \
    .header_for_host = weft_adjacency_mark, .minimal_ports = weft_adjacency_ways,          \
    .vc_class = weft_adjacency_vc, .header_valid = weft_adjacency_sound,                   \
    .closed_form.diameter = weft_adjacency_diameter, .build_tables = weft_adjacency_ready, \
    .cut_order = weft_bisection_order

#endif
