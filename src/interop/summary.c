/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/summary.h"

#include "base/memory.h"
#include "interop/cables.h"
#include "interop/distances.h"
#include "interop/graph.h"
#include "net/naming.h"

#include <stdlib.h>

#define PAIRS_MAX   ((uint64_t)1 << 27) /* distances that are looked up for a diameter */
#define CABLES_MAX  ((size_t)1 << 25)   /* that METIS is given */
#define LINKS_QUICK ((uint64_t)1 << 20) /* that it is given beside other work: seconds */

/* Of a network that may be too large to be simulated. */
static uint64_t count_endpoints(const weft_topology *topology)
{
    return topology->first ? weft_topology_endpoints(topology)
                           : (uint64_t)topology->edge_routers * topology->concentration;
}

/* The hosts of an InfiniBand fabric, by the first and the last name. */
static void add_hosts(const weft_topology *topology, weft_text *text)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    const char *first = NULL, *last = NULL;
    for (uint32_t h = 0; net && net->subnet && h < net->subnet->n_hosts; h++) {
        const char *name = weft_subnet_host_name(net->subnet, h);
        first = !first || weft_text_order(name, first) < 0 ? name : first;
        last = !last || weft_text_order(name, last) > 0 ? name : last;
    }
    if (first)
        weft_text_add(text, "%-22s %u: %s … %s\n", "hosts", net->subnet->n_hosts, first, last);
}

static void add_counts(const weft_topology *topology, weft_text *text)
{
    uint64_t endpoints = count_endpoints(topology);
    weft_text_add(text, "%-22s %s\n", "topology", topology->kind->base.name);
    weft_text_add(text, "%-22s %u\n", "routers", topology->routers);
    if (topology->edge_routers < topology->routers)
        weft_text_add(text, "%-22s %u\n", "with endpoints", topology->edge_routers);
    weft_text_add(text, "%-22s %llu, %s%u a router\n", "endpoints", (unsigned long long)endpoints,
                  topology->first ? "up to " : "", topology->concentration);
    add_hosts(topology, text);
    uint32_t size = topology->group, cores = topology->routers - topology->edge_routers;
    if (size > 0) /* of routers with endpoints, as patterns count them */
        weft_text_add(text, "%-22s %u of %u routers%s\n", "groups",
                      (topology->edge_routers + size - 1) / size, size + topology->core_group,
                      cores > 0 && topology->core_group == 0 ? " with endpoints" : "");
}

/* The numbers after this line are those of what is left. */
static void add_faults(const weft_topology *topology, const weft_cables *cables, weft_text *text)
{
    uint32_t gone = topology->routers - weft_cables_routers(cables, topology);
    if (!topology->faults)
        return;
    weft_text_add(text, "%-22s %zu %s%s down", "faults", cables->down,
                  cables->one_way ? "link" : "cable", cables->down == 1 ? " is" : "s are");
    if (gone > 0)
        weft_text_add(text, ", and so %u router%s", gone, gone == 1 ? " is" : "s are");
    weft_text_add(text, "\n");
}

/* Links that leave a router to others, and ports of all with those to its endpoints. */
static void add_degrees(const weft_topology *topology, const weft_cables *cables, weft_text *text)
{
    uint32_t least = UINT32_MAX, most = 0, radix = 0;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t degree = 0,
                 all = r < topology->edge_routers ? weft_topology_hosts(topology, r) : 0;
        for (uint32_t p = 0; p < topology->ports; p++)
            if (topology->kind->peer(topology, r, p).router != WEFT_NOWHERE) {
                degree += weft_topology_alive(topology, r, p);
                all++;
            }
        if (weft_cables_gone(cables, r))
            continue;
        least = degree < least ? degree : least;
        most = degree > most ? degree : most;
        radix = all > radix ? all : radix;
    }
    if (least == most)
        weft_text_add(text, "%-22s %u\n", "degree", most);
    else
        weft_text_add(text, "%-22s %u … %u\n", "degree", least, most);
    weft_text_add(text, "%-22s %u of up to %u ports, endpoints included\n", "switches",
                  topology->routers, radix);
}

static void add_cables(const weft_topology *topology, const weft_cables *cables, weft_text *text)
{
    uint64_t count[WEFT_LINK_CLASSES] = {0};
    for (size_t c = 0; c < cables->count; c++)
        count[cables->at[c].class]++;
    count[WEFT_LINK_HOST] = count_endpoints(topology);
    weft_text_add(text, "%-22s", "cables");
    const char *comma = "";
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES; c++)
        if (count[c] > 0) {
            weft_text_add(text, "%s %llu %s", comma, (unsigned long long)count[c],
                          weft_cables_class(c));
            comma = ",";
        }
    weft_text_add(text, "%s\n", cables->one_way ? "; links lead one way" : "");
}

/* The greatest distance from so many homes, spread evenly, to all others. */
static uint32_t search(const weft_topology *topology, uint32_t looked_at)
{
    uint32_t step = topology->edge_routers / looked_at, most = 0;
    for (uint32_t i = 0; i < looked_at; i++)
        for (uint32_t to = 0; to < topology->edge_routers; to++) {
            uint32_t hops = i * step == to ? 0
                                           : topology->kind->distance(topology, i * step,
                                                                      to + topology->egress_offset);
            most = hops > most ? hops : most;
        }
    return most;
}

uint32_t weft_summary_diameter(const weft_topology *topology, bool *exact)
{
    uint64_t homes = topology->edge_routers;
    bool alike = topology->proof.vertex_transitive && homes == topology->routers;
    *exact = true;
    if (topology->kind->closed_form.diameter)
        return topology->kind->closed_form.diameter(topology);
    uint32_t from = alike                        ? 1
                    : homes * homes <= PAIRS_MAX ? topology->edge_routers
                    : homes < PAIRS_MAX          ? (uint32_t)(PAIRS_MAX / homes)
                                                 : 1;
    *exact = from == homes || alike;
    return search(topology, from);
}

static void add_distances(const weft_topology *topology, const weft_cables *cables, weft_text *text)
{
    char from[WEFT_NAME_BYTES], to[WEFT_NAME_BYTES];
    weft_distances it = {.exact = true};
    if (topology->faults)
        it = weft_distances_walk(topology, cables);
    else
        it.most = weft_summary_diameter(topology, &it.exact);
    if (it.cut) {
        weft_text_add(text, "%-22s none: there is no way from router %s to router %s\n", "diameter",
                      weft_naming_name(topology, it.from, from),
                      weft_naming_name(topology, it.to, to));
        return;
    }
    weft_text_add(text, "%-22s %s%u hop%s\n", "diameter", it.exact ? "" : "at least ", it.most,
                  it.most == 1 ? "" : "s");
    if (topology->edge_routers > 1)
        weft_text_add(text, "%-22s %s%.6g hops\n", "mean distance",
                      topology->faults && !it.exact ? "about " : "",
                      topology->faults ? it.mean : topology->kind->mean_distance(topology));
}

/* METIS' best halving: no bisection is wider. side: of every router; NULL: not wanted. */
static weft_status halve(const weft_topology *topology, const weft_cables *cables,
                         weft_graph_cut *cut, uint32_t *side, weft_error *err)
{
    weft_graph_edge *edges = weft_alloc(sizeof *edges * cables->count + 1);
    uint32_t *load = weft_alloc(sizeof *load * topology->routers);
    weft_graph graph;
    for (size_t c = 0; c < cables->count; c++) /* a cable is two links */
        edges[c] = (weft_graph_edge){cables->at[c].end[0].router, cables->at[c].end[1].router,
                                     cables->one_way ? 1 : 2};
    for (uint32_t h = 0; h < topology->edge_routers; h++)
        load[h] = weft_topology_hosts(topology, h);
    weft_graph_init(&graph, topology->routers, edges, cables->count);
    weft_status status = weft_graph_bisect(&graph, load, cut, side, err);
    weft_graph_done(&graph);
    free(edges);
    free(load);
    return status;
}

static bool can_halve(const weft_topology *topology, const weft_cables *cables)
{
    return topology->edge_routers >= 2 && cables->count <= CABLES_MAX && weft_graph_can_halve();
}

uint32_t *weft_summary_halves(const weft_topology *topology)
{
    weft_cables cables;
    weft_graph_cut cut;
    weft_error err;
    if (topology->kind->closed_form.bisection || topology->lattice.dims > 0 ||
        topology->egress_offset > 0 || topology->links > LINKS_QUICK)
        return NULL;
    weft_cables_init(&cables, topology);
    uint32_t *side = weft_alloc(sizeof *side * topology->routers);
    if (!can_halve(topology, &cables) || halve(topology, &cables, &cut, side, &err) != WEFT_OK) {
        free(side);
        side = NULL;
    }
    weft_cables_done(&cables);
    return side;
}

static weft_status add_bisection(const weft_topology *topology, const weft_cables *cables,
                                 weft_text *text, weft_error *err)
{
    if (topology->kind->closed_form.bisection && !topology->faults) {
        weft_text_add(text, "%-22s %llu links, one direction each (by formula)\n", "bisection",
                      (unsigned long long)topology->kind->closed_form.bisection(topology));
        return WEFT_OK;
    }
    if (!can_halve(topology, cables)) {
        weft_text_add(text, "%-22s not known%s\n", "bisection",
                      weft_graph_can_halve() ? "" : " (this program was built without METIS)");
        return WEFT_OK;
    }
    weft_graph_cut cut;
    WEFT_TRY(halve(topology, cables, &cut, NULL, err));
    weft_text_add(text,
                  "%-22s at most %llu links, one direction each (METIS: %llu and %llu endpoints)\n",
                  "bisection", (unsigned long long)cut.weight, (unsigned long long)cut.load[0],
                  (unsigned long long)cut.load[1]);
    return WEFT_OK;
}

weft_status weft_summary_numbers(const weft_topology *topology, weft_text *text, weft_error *err)
{
    weft_cables cables;
    weft_cables_init(&cables, topology);
    add_counts(topology, text);
    add_faults(topology, &cables, text);
    add_degrees(topology, &cables, text);
    add_cables(topology, &cables, text);
    add_distances(topology, &cables, text);
    weft_status status = add_bisection(topology, &cables, text, err);
    weft_cables_done(&cables);
    return status;
}
