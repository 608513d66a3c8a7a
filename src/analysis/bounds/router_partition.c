/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/router_partition.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct visit {
    const weft_topology *topology;
    uint32_t *part;
    uint32_t *units; /* parts that stay whole when the network is halved; NULL: routers */
    uint32_t n_units;
    void (*each)(void *user, const weft_router_partition *partition);
    void *user;
} visit;

static void show(const visit *v, weft_cut_kind kind, uint32_t size, uint32_t n_parts)
{
    weft_router_partition partition = {
        .kind = kind, .size = size, .n_parts = n_parts, .part = v->part};
    if (n_parts > 1)
        v->each(v->user, &partition);
}

/* The router behind a port; WEFT_NOWHERE: none, or the link is down. */
static uint32_t behind(const weft_topology *topology, uint32_t router, uint32_t port)
{
    uint32_t to = topology->kind->peer(topology, router, port).router;
    return to != WEFT_NOWHERE && weft_topology_alive(topology, router, port) ? to : WEFT_NOWHERE;
}

static void visit_routers(const visit *v)
{
    for (uint32_t r = 0; r < v->topology->routers; r++)
        v->part[r] = r;
    show(v, WEFT_CUT_ROUTERS, 1, v->topology->routers);
}

/* The parts on show are the largest units so far. */
static void keep_units(visit *v, uint32_t n_parts)
{
    size_t bytes = sizeof *v->units * v->topology->routers;
    if (!v->units)
        v->units = weft_alloc(bytes);
    memcpy(v->units, v->part, bytes);
    v->n_units = n_parts;
}

static void visit_groups(visit *v)
{
    const weft_topology *topology = v->topology;
    for (uint32_t i = 0; i < topology->n_nested; i++) {
        uint32_t size = weft_topology_nested_size(topology, i),
                 n_parts = (topology->routers - 1) / size + 1;
        for (uint32_t r = 0; r < topology->routers; r++)
            v->part[r] = weft_topology_nested_of(topology, i, r);
        show(v, WEFT_CUT_GROUPS, size, n_parts);
        if (n_parts > 1)
            keep_units(v, n_parts);
    }
}

/* Planes across a dimension and rows along it, where halves and routers are others. */
static void visit_plane(const visit *v, uint32_t d, uint32_t stride)
{
    uint32_t routers = v->topology->routers, size = v->topology->lattice.size[d];
    if (size < 3 || v->topology->lattice.dims < 2)
        return;
    for (uint32_t r = 0; r < routers; r++)
        v->part[r] = r / stride % size;
    show(v, WEFT_CUT_PLANES, d, size);
    for (uint32_t r = 0; r < routers; r++)
        v->part[r] = r / (stride * size) * stride + r % stride;
    show(v, WEFT_CUT_ROWS, d, routers / size);
}

static void visit_dimensions(const visit *v)
{
    const weft_lattice *lattice = &v->topology->lattice;
    uint32_t stride = v->topology->routers;
    for (uint32_t d = 0; d < lattice->dims; d++) {
        uint32_t size = lattice->size[d];
        stride /= size;
        for (uint32_t r = 0; r < v->topology->routers; r++)
            v->part[r] = r / stride % size >= size / 2;
        show(v, WEFT_CUT_DIMENSION, d, size > 1 ? 2 : 1);
        visit_plane(v, d, stride);
    }
}

/* Levels of a tree: hops to the nearest edge router; returns the highest level. */
static uint32_t find_levels(const weft_topology *topology, uint32_t *level, uint32_t *order)
{
    uint32_t found = topology->edge_routers;
    memset(level, 0xFF, sizeof *level * topology->routers);
    for (uint32_t h = 0; h < found; h++) {
        level[h] = 0;
        order[h] = h;
    }
    for (uint32_t at = 0; at < found; at++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = behind(topology, order[at], p);
            if (to == WEFT_NOWHERE || level[to] != UINT32_MAX)
                continue;
            level[to] = level[order[at]] + 1;
            order[found++] = to;
        }
    return level[order[found - 1]];
}

/* Joins routers up to a level that have links between them: a search from each edge router that
 * has no part yet. Returns how many parts there are. */
static uint32_t join_below(const visit *v, const uint32_t *level, uint32_t highest, uint32_t *stack)
{
    const weft_topology *topology = v->topology;
    uint32_t n_parts = 0;
    memset(v->part, 0xFF, sizeof *v->part * topology->routers);
    for (uint32_t h = 0; h < topology->edge_routers; h++) {
        uint32_t depth = 0;
        if (v->part[h] != WEFT_NO_PART)
            continue;
        v->part[h] = n_parts;
        stack[depth++] = h;
        while (depth > 0) {
            uint32_t router = stack[--depth];
            for (uint32_t p = 0; p < topology->ports; p++) {
                uint32_t to = behind(topology, router, p);
                if (to == WEFT_NOWHERE || level[to] > highest || v->part[to] != WEFT_NO_PART)
                    continue;
                v->part[to] = n_parts;
                stack[depth++] = to;
            }
        }
        n_parts++;
    }
    return n_parts;
}

static void visit_subtrees(visit *v)
{
    const weft_topology *topology = v->topology;
    if (topology->egress_offset > 0 || topology->edge_routers == topology->routers)
        return;
    uint32_t *level = weft_alloc(sizeof *level * topology->routers);
    uint32_t *order = weft_alloc(sizeof *order * topology->routers);
    uint32_t highest = find_levels(topology, level, order);
    for (uint32_t i = 0; i < highest; i++) {
        uint32_t n_parts = join_below(v, level, i, order);
        if (n_parts == topology->edge_routers) /* single routers */
            continue;
        show(v, WEFT_CUT_SUBTREES, i + 1, n_parts);
        if (n_parts > 1)
            keep_units(v, n_parts);
    }
    free(level);
    free(order);
}

/* Routers without endpoints go to the side that they have more links to. */
static void place_others(const visit *v)
{
    const weft_topology *topology = v->topology;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = topology->edge_routers; r < topology->routers; r++) {
            uint32_t links[2] = {0, 0};
            for (uint32_t p = 0; p < topology->ports && v->part[r] == WEFT_NO_PART; p++) {
                uint32_t to = behind(topology, r, p);
                if (to != WEFT_NOWHERE && v->part[to] != WEFT_NO_PART)
                    links[v->part[to]]++;
            }
            if (links[0] + links[1] == 0)
                continue;
            v->part[r] = links[1] > links[0];
            changed = true;
        }
    }
}

/* The first units that have half of the edge routers, and the rest. */
static void visit_halves(const visit *v)
{
    const weft_topology *topology = v->topology;
    uint32_t homes = topology->edge_routers, n_units = v->units ? v->n_units : homes, taken = 0;
    if (topology->egress_offset > 0)
        return;
    uint32_t *homes_of = weft_alloc(sizeof *homes_of * n_units);
    uint8_t *first = weft_alloc(n_units);
    for (uint32_t h = 0; h < homes; h++)
        homes_of[v->units ? v->units[h] : h]++;
    for (uint32_t u = 0; u < n_units && 2 * (uint64_t)taken + homes_of[u] <= homes; u++) {
        taken += homes_of[u];
        first[u] = 1;
    }
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t unit = v->units ? v->units[r] : r < homes ? r : WEFT_NO_PART;
        v->part[r] = unit == WEFT_NO_PART ? WEFT_NO_PART : !first[unit];
    }
    place_others(v);
    free(homes_of);
    free(first);
    show(v, WEFT_CUT_HALVES, 0, taken > 0 && taken < homes ? 2 : 1);
}

void weft_router_partitions_visit(const weft_topology *topology,
                                  void (*each)(void *user, const weft_router_partition *partition),
                                  void *user)
{
    visit v = {.topology = topology,
               .part = weft_alloc(sizeof *v.part * topology->routers),
               .each = each,
               .user = user};
    visit_groups(&v);
    visit_subtrees(&v);
    visit_dimensions(&v);
    visit_halves(&v);
    visit_routers(&v);
    free(v.part);
    free(v.units);
}
