/* SPDX-License-Identifier: Apache-2.0 */
/* Distances over all pairs of edge routers of a hierarchy. If the first outer ports of a pair of
 * outer routers do not depend on the inner routers where packets start and end, the sum over all
 * of these has three parts: inside to the first outer port, from there to the last one, and inside
 * from there. */
#include "net/topology/common/hierarchy/hierarchy.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct part { /* over the inner routers at one end */
    uint64_t sum;
    uint32_t most;
} part;

typedef struct total {
    const weft_hierarchy *self;
    part *to, *from; /* of every outer port: from all inner routers to its own, and back */
    uint64_t sum;
    uint32_t most;
} total;

static void note(part *it, uint32_t hops)
{
    it->sum += hops;
    it->most = hops > it->most ? hops : it->most;
}

static total total_open(const weft_hierarchy *self)
{
    const weft_topology *inner = &self->inner;
    total all = {.self = self, .to = weft_alloc(2 * (self->outer.ports + 1) * sizeof(part))};
    all.from = all.to + self->outer.ports;
    for (uint32_t p = 0; p < self->outer.ports; p++)
        for (uint32_t i = 0; i < self->n_edge; i++) {
            note(&all.to[p], inner->kind->distance(inner, i, self->attach[p]));
            note(&all.from[p], inner->kind->distance(inner, self->attach[p], i));
        }
    return all;
}

static void add(total *all, uint64_t sum, uint32_t most)
{
    all->sum += sum;
    all->most = most > all->most ? most : all->most;
}

/* Every inner router to every one, asked one by one. */
static void add_each(total *all, const weft_topology *topology, uint32_t from, uint32_t to)
{
    uint32_t n = all->self->n_edge;
    part sum = {0};
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            note(&sum, weft_hierarchy_distance(topology, from * n + a, to * n + b));
    add(all, sum.sum, sum.most);
}

/* All of two different outer routers. */
static void add_pair(total *all, const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_hierarchy *self = all->self;
    const weft_topology *outer = &self->outer, *inner = &self->inner;
    weft_hierarchy_place at = {from, 0};
    uint32_t word = outer->kind->make_header(outer, from, to, NULL), middle = 0,
             first = WEFT_NOWHERE;
    uint32_t last = WEFT_NOWHERE;
    while (word) {
        weft_minimal_port ways[2];
        unsigned count = outer->kind->minimal_ports(outer, at.outer, word, 2, ways);
        if (!self->single && count > 1 && ways[1].dim == ways[0].dim) {
            add_each(all, topology, from, to);
            return;
        }
        uint32_t port = ways[0].port;
        middle += 1 + (first == WEFT_NOWHERE
                           ? 0
                           : inner->kind->distance(inner, at.inner, self->attach[port]));
        first = first == WEFT_NOWHERE ? port : first;
        weft_end end = outer->kind->peer(outer, at.outer, port);
        at = (weft_hierarchy_place){end.router, self->attach[end.port]};
        last = end.port;
        word = ways[0].next_header;
    }
    uint64_t n = self->n_edge;
    add(all, n * (all->to[first].sum + all->from[last].sum) + n * n * middle,
        all->to[first].most + middle + all->from[last].most);
}

/* All of one outer router. */
static void add_inside(total *all)
{
    const weft_topology *inner = &all->self->inner;
    uint32_t n = all->self->n_edge;
    uint64_t pairs = (uint64_t)n * (n - 1);
    uint32_t most =
        inner->kind->closed_form.diameter ? inner->kind->closed_form.diameter(inner) : 0;
    for (uint32_t a = 0; a < n && !inner->kind->closed_form.diameter; a++)
        for (uint32_t b = 0; b < n; b++) {
            uint32_t hops = inner->kind->distance(inner, a, b);
            most = hops > most ? hops : most;
        }
    add(all, (uint64_t)(inner->kind->mean_distance(inner) * (double)pairs + 0.5), most);
}

/* Over all pairs of homes; of transitive outer networks those from outer router 0. *pairs: how
 * many. */
static total survey(const weft_topology *topology, double *pairs)
{
    const weft_hierarchy *self = topology->self;
    const weft_topology *outer = &self->outer;
    uint32_t starts = outer->proof.vertex_transitive ? 1 : outer->edge_routers, n = self->n_edge;
    total all = total_open(self);
    for (uint32_t from = 0; from < starts; from++)
        for (uint32_t home = 0; home < outer->edge_routers; home++)
            if (home + outer->egress_offset == from)
                add_inside(&all);
            else
                add_pair(&all, topology, from, home + outer->egress_offset);
    for (uint32_t home = 0; home < starts * n && topology->egress_offset; home++)
        all.sum -= weft_hierarchy_distance(topology, home, home + topology->egress_offset);
    *pairs = (double)starts * n * ((double)topology->edge_routers - 1);
    free(all.to);
    all.to = all.from = NULL;
    return all;
}

double weft_hierarchy_mean_distance(const weft_topology *topology)
{
    double pairs;
    total all = survey(topology, &pairs);
    return (double)all.sum / pairs;
}

uint32_t weft_hierarchy_diameter(const weft_topology *topology)
{
    double pairs;
    return survey(topology, &pairs).most;
}
