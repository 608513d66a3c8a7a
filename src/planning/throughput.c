/* SPDX-License-Identifier: Apache-2.0 */
#include "planning/throughput.h"

#include "analysis/bounds/bounds.h"
#include "base/memory.h"
#include "interop/summary.h"

#include <stdlib.h>

typedef struct look {
    weft_throughput *found;
    const weft_topology *topology;
    const weft_design *fabric;
    bool direct; /* every router has endpoints */
} look;

typedef struct parts { /* sums over a partition */
    double *out;       /* links that leave each part */
    double *endpoints; /* of each part */
    double between;    /* links between different parts */
    double next;       /* of these, links from part i to part i + 1 */
    bool whole;        /* every router is in some part */
} parts;

static void add_parts(parts *sums, const weft_topology *topology,
                      const weft_router_partition *partition)
{
    *sums = (parts){.out = weft_alloc(sizeof(double) * partition->n_parts),
                    .endpoints = weft_alloc(sizeof(double) * partition->n_parts),
                    .whole = true};
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t part = partition->part[r];
        sums->whole = sums->whole && part != WEFT_NO_PART;
        if (part == WEFT_NO_PART)
            continue;
        if (r < topology->edge_routers)
            sums->endpoints[part] += weft_topology_hosts(topology, r);
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to == WEFT_NOWHERE || !weft_topology_alive(topology, r, p) ||
                partition->part[to] == part)
                continue;
            sums->out[part]++;
            sums->between++;
            sums->next += partition->part[to] == (part + 1) % partition->n_parts;
        }
    }
}

static void parts_done(parts *sums)
{
    free(sums->out);
    free(sums->endpoints);
}

static void lower(double *bound, const char **by, double value, const char *what)
{
    if (*bound > 0 && value >= *bound * (1 - 1e-12))
        return;
    *bound = value;
    *by = what;
}

static const char *const cut_names[] = {
    [WEFT_CUT_ROUTERS] = "a switch's links",    [WEFT_CUT_GROUPS] = "a group's links",
    [WEFT_CUT_SUBTREES] = "a subtree's links",  [WEFT_CUT_DIMENSION] = "half a dimension",
    [WEFT_CUT_HALVES] = "links between halves", [WEFT_CUT_GIVEN] = "links between halves",
};

/* All that a part can send to the others has to cross its links. */
static void take_cuts(const look *l, const weft_router_partition *partition, const parts *sums)
{
    double all = weft_topology_endpoints(l->topology);
    bool halves = partition->kind == WEFT_CUT_HALVES || partition->kind == WEFT_CUT_DIMENSION ||
                  partition->kind == WEFT_CUT_GIVEN;
    for (uint32_t i = 0; i < partition->n_parts; i++) {
        double inside = sums->endpoints[i], outside = all - inside;
        double sent = inside < outside ? inside : outside;
        if (!(sent > 0))
            continue;
        double bound = sums->out[i] / sent;
        lower(&l->found->permutation, &l->found->permutation_by, bound, cut_names[partition->kind]);
        if (halves && (l->found->bisection <= 0 || bound < l->found->bisection))
            l->found->bisection = bound;
    }
}

/* Every part sends to the next one: over the links between them, or over two links between
 * parts. */
static double crossings(const parts *sums, double endpoints, double direct)
{
    return (direct + sums->between) / (2 * endpoints);
}

/* Group-adversarial traffic of the fabric's groups. */
static void take_groups(const look *l, const weft_router_partition *partition, const parts *sums)
{
    double all = weft_topology_endpoints(l->topology);
    weft_throughput *found = l->found;
    for (uint32_t i = 0; i < partition->n_parts; i++)
        if (sums->endpoints[i] > 0)
            lower(&found->group, &found->group_by, sums->out[i] / sums->endpoints[i],
                  "a group's links");
    if (sums->whole)
        lower(&found->group, &found->group_by, crossings(sums, all, sums->next),
              "two crossings of most packets");
}

/* Group-adversarial packets leave their switch, too. */
static void take_switches(const look *l)
{
    const weft_topology *topology = l->topology;
    for (uint32_t r = 0; r < topology->edge_routers; r++) {
        uint32_t hosts = weft_topology_hosts(topology, r), links = 0;
        for (uint32_t p = 0; p < topology->ports; p++)
            links += topology->kind->peer(topology, r, p).router != WEFT_NOWHERE &&
                     weft_topology_alive(topology, r, p);
        if (hosts > 0)
            lower(&l->found->group, &l->found->group_by, (double)links / hosts,
                  cut_names[WEFT_CUT_ROUTERS]);
    }
}

static void take(void *user, const weft_router_partition *partition)
{
    const look *l = user;
    parts sums;
    add_parts(&sums, l->topology, partition);
    take_cuts(l, partition, &sums);
    /* With few neighbours there is a permutation that sends nothing to any of them. */
    if (partition->kind == WEFT_CUT_ROUTERS && l->direct &&
        2 * l->topology->ports < l->topology->routers)
        lower(&l->found->permutation, &l->found->permutation_by,
              crossings(&sums, weft_topology_endpoints(l->topology), 0), "two hops of all packets");
    parts_done(&sums);
}

/* The groups of the fabric as a partition. Routers without endpoints belong to the group that all
 * of their links to edge routers lead to, or to none. */
static void visit_groups(const look *l)
{
    const weft_topology *topology = l->topology;
    uint32_t group = l->fabric->group, edge = topology->edge_routers;
    weft_router_partition partition = {.kind = WEFT_CUT_GROUPS,
                                       .size = group,
                                       .n_parts = (edge - 1) / group + 1,
                                       .part = weft_alloc(sizeof(uint32_t) * topology->routers)};
    parts sums;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t part = r < edge ? r / group : WEFT_NO_PART;
        for (uint32_t p = 0; p < topology->ports && r >= edge; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to >= edge)
                continue;
            bool other = part != WEFT_NO_PART && part != to / group;
            part = other ? WEFT_NO_PART : to / group;
            if (other)
                break;
        }
        partition.part[r] = part;
    }
    if (partition.n_parts > 1) {
        add_parts(&sums, topology, &partition);
        take_groups(l, &partition, &sums);
        take_switches(l);
        parts_done(&sums);
    }
    free(partition.part);
}

void weft_throughput_find(weft_throughput *throughput, const weft_topology *topology,
                          const weft_design *fabric)
{
    *throughput = (weft_throughput){.permutation_by = "", .group_by = ""};
    look l = {.found = throughput,
              .topology = topology,
              .fabric = fabric,
              .direct = topology->edge_routers == topology->routers};
    weft_router_partitions_visit(topology, take, &l);
    visit_groups(&l);
    if (throughput->group > 0)
        lower(&throughput->permutation, &throughput->permutation_by, throughput->group,
              throughput->group_by);
    /* It counts both directions, and every half has half of the endpoints. */
    if (topology->kind->closed_form.bisection && !topology->faults)
        throughput->bisection = (double)topology->kind->closed_form.bisection(topology) /
                                weft_topology_endpoints(topology);
    /* No endpoint sends or receives more than its link carries. */
    lower(&throughput->permutation, &throughput->permutation_by, 1, "endpoints");
    lower(&throughput->group, &throughput->group_by, 1, "endpoints");
}

double weft_throughput_of_network(const weft_network *network, const char **why)
{
    double period = (double)network->timing.period[WEFT_LINK_HOST];
    weft_bounds_plan plan = {.sending = period, .receiving = period, .budget = WEFT_BOUNDS_QUICK};
    weft_bounds bounds;
    weft_bounds_find(&bounds, network, &plan);
    *why = weft_bound_names[bounds.binding];
    return bounds.throughput;
}
