/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of the routers are counted once; a draw takes the links of its parts away from the
 * counts, so that it costs little more than its parts. */
#include "planning/outage.h"

#include "analysis/bounds/router_partition.h"
#include "base/memory.h"
#include "base/numeric.h"
#include "interop/cables.h"
#include "interweft/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PARTITIONS_MOST 32
#define CONFIDENCE      0.95
#define SPARES_MOST     1000000u

typedef struct partition {
    uint32_t n_parts;
    uint32_t *part;
    double *out, *endpoints; /* of each part, without faults … */
    double *out_now, *endpoints_now;
} partition;

typedef struct draw {
    const weft_topology *topology;
    const weft_design *design;
    weft_cables cables;
    uint32_t *first, *at; /* cables of every router: at[first[r]] … */
    uint32_t n_switches;
    partition partitions[PARTITIONS_MOST];
    size_t n_partitions;
    /* of one draw */
    uint32_t *order;  /* cables or switches, of which the first are down */
    uint8_t *dead;    /* cables */
    uint8_t *fallen;  /* routers */
    uint32_t *parent; /* of a union–find */
    double endpoints; /* left */
} draw;

static void keep(void *user, const weft_router_partition *from)
{
    draw *d = user;
    assert(d->n_partitions < PARTITIONS_MOST);
    partition *p = &d->partitions[d->n_partitions++];
    size_t bytes = sizeof(double) * from->n_parts;
    *p = (partition){.n_parts = from->n_parts,
                     .part = weft_alloc(sizeof(uint32_t) * d->topology->routers),
                     .out = weft_alloc(bytes),
                     .endpoints = weft_alloc(bytes),
                     .out_now = weft_alloc(bytes),
                     .endpoints_now = weft_alloc(bytes)};
    memcpy(p->part, from->part, sizeof(uint32_t) * d->topology->routers);
    for (size_t c = 0; c < d->cables.count; c++) {
        uint32_t a = p->part[d->cables.at[c].end[0].router];
        uint32_t b = p->part[d->cables.at[c].end[1].router];
        if (a != b && a != WEFT_NO_PART)
            p->out[a]++;
        if (a != b && b != WEFT_NO_PART)
            p->out[b]++;
    }
    for (uint32_t r = 0; r < d->topology->edge_routers; r++)
        p->endpoints[p->part[r]] += weft_topology_hosts(d->topology, r);
}

/* The cables of every router. */
static void list_cables(draw *d)
{
    uint32_t routers = d->topology->routers;
    d->first = weft_alloc(sizeof *d->first * (routers + 2));
    d->at = weft_alloc(sizeof *d->at * (2 * d->cables.count + 1));
    for (size_t c = 0; c < d->cables.count; c++)
        for (int end = 0; end < 2; end++)
            d->first[d->cables.at[c].end[end].router + 2]++;
    for (uint32_t r = 0; r < routers; r++)
        d->first[r + 2] += d->first[r + 1];
    for (size_t c = 0; c < d->cables.count; c++)
        for (int end = 0; end < 2; end++)
            d->at[d->first[d->cables.at[c].end[end].router + 1]++] = (uint32_t)c;
}

static void draw_init(draw *d, const weft_topology *topology, const weft_design *design)
{
    uint32_t alone = design->fold > 1 ? design->folded : topology->routers;
    *d = (draw){.topology = topology, .design = design};
    weft_cables_init(&d->cables, topology);
    list_cables(d);
    weft_router_partitions_visit(topology, keep, d);
    d->n_switches = alone + (uint32_t)weft_design_ceil(topology->routers - alone, design->fold);
    size_t most = d->cables.count > topology->routers ? d->cables.count : topology->routers;
    d->order = weft_alloc(sizeof *d->order * (most + 1));
    d->dead = weft_alloc(d->cables.count + 1);
    d->fallen = weft_alloc(topology->routers);
    d->parent = weft_alloc(sizeof *d->parent * topology->routers);
}

static void draw_done(draw *d)
{
    for (size_t i = 0; i < d->n_partitions; i++) {
        free(d->partitions[i].part);
        free(d->partitions[i].out);
        free(d->partitions[i].endpoints);
        free(d->partitions[i].out_now);
        free(d->partitions[i].endpoints_now);
    }
    free(d->first);
    free(d->at);
    free(d->order);
    free(d->dead);
    free(d->fallen);
    free(d->parent);
    weft_cables_done(&d->cables);
}

static void take_cable(draw *d, uint32_t cable)
{
    if (d->dead[cable])
        return;
    d->dead[cable] = 1;
    for (size_t i = 0; i < d->n_partitions; i++) {
        partition *p = &d->partitions[i];
        uint32_t a = p->part[d->cables.at[cable].end[0].router];
        uint32_t b = p->part[d->cables.at[cable].end[1].router];
        if (a != b && a != WEFT_NO_PART)
            p->out_now[a]--;
        if (a != b && b != WEFT_NO_PART)
            p->out_now[b]--;
    }
}

static void take_router(draw *d, uint32_t router)
{
    d->fallen[router] = 1;
    for (uint32_t i = d->first[router]; i < d->first[router + 1]; i++)
        take_cable(d, d->at[i]);
    if (router >= d->topology->edge_routers)
        return;
    double hosts = weft_topology_hosts(d->topology, router);
    d->endpoints -= hosts;
    for (size_t i = 0; i < d->n_partitions; i++)
        d->partitions[i].endpoints_now[d->partitions[i].part[router]] -= hosts;
}

static void take_switch(draw *d, uint32_t number)
{
    const weft_design *design = d->design;
    if (design->fold == 1 || number < design->folded) {
        take_router(d, number);
        return;
    }
    uint32_t router = design->folded + (number - design->folded) * design->fold;
    for (uint32_t i = 0; i < design->fold && router + i < d->topology->routers; i++)
        take_router(d, router + i);
}

/* Calls `take` for k of n different numbers. */
static void take_some(draw *d, weft_random *random, uint32_t k, uint32_t n,
                      void (*take)(draw *, uint32_t))
{
    for (uint32_t i = 0; i < n; i++)
        d->order[i] = i;
    for (uint32_t i = 0; i < k && i < n; i++) {
        uint32_t other = i + weft_random_below(random, n - i), number = d->order[other];
        d->order[other] = d->order[i];
        take(d, number);
    }
}

static uint32_t root_of(draw *d, uint32_t router)
{
    while (d->parent[router] != router) {
        d->parent[router] = d->parent[d->parent[router]];
        router = d->parent[router];
    }
    return router;
}

/* Ordered pairs of endpoints that still reach each other, of all pairs. */
static double reachable(draw *d)
{
    const weft_topology *topology = d->topology;
    double all = weft_topology_endpoints(topology), pairs = 0;
    double *endpoints = weft_alloc(sizeof *endpoints * topology->routers);
    for (uint32_t r = 0; r < topology->routers; r++)
        d->parent[r] = r;
    for (size_t c = 0; c < d->cables.count; c++)
        if (!d->dead[c]) {
            uint32_t a = root_of(d, d->cables.at[c].end[0].router);
            uint32_t b = root_of(d, d->cables.at[c].end[1].router);
            d->parent[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t r = 0; r < topology->edge_routers; r++)
        if (!d->fallen[r])
            endpoints[root_of(d, r)] += weft_topology_hosts(topology, r);
    for (uint32_t r = 0; r < topology->routers; r++)
        pairs += endpoints[r] * (endpoints[r] - 1 > 0 ? endpoints[r] - 1 : 0);
    free(endpoints);
    return pairs / (all * (all - 1));
}

/* The least bounds that the cuts of all partitions leave. */
static void find_bounds(const draw *d, double *uniform, double *permutation)
{
    *uniform = *permutation = d->endpoints < 2 ? 0 : 1; /* nobody is left to send to */
    for (size_t i = 0; i < d->n_partitions; i++)
        for (uint32_t k = 0; k < d->partitions[i].n_parts; k++) {
            double inside = d->partitions[i].endpoints_now[k], outside = d->endpoints - inside;
            double links = d->partitions[i].out_now[k], less = inside < outside ? inside : outside;
            if (!(less > 0))
                continue;
            double even = links * (d->endpoints - 1) / (inside * outside);
            *uniform = even < *uniform ? even : *uniform;
            *permutation = links / less < *permutation ? links / less : *permutation;
        }
}

typedef struct sums {
    double sum, squares;
} sums;

static void add(sums *s, double value)
{
    s->sum += value;
    s->squares += value * value;
}

static weft_simulated_value mean_of(const sums *s, double n)
{
    double mean = s->sum / n, spread = (s->squares - s->sum * mean) / (n - 1);
    double half = weft_student_quantile(0.5 + CONFIDENCE / 2, n - 1) *
                  weft_sqrt((spread > 0 ? spread : 0) / n);
    return (weft_simulated_value){mean, mean - half, mean + half};
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

void weft_outage_find(weft_outage *outage, const weft_outage_of *of,
                      const weft_requirements *wanted)
{
    draw d;
    sums uniform = {0, 0}, permutation = {0, 0}, reach = {0, 0};
    const weft_outage_settings *set = &wanted->faults;
    draw_init(&d, of->topology, of->design);
    for (int64_t i = 0; i < set->draws; i++) {
        weft_random random =
            weft_random_stream((uint64_t)wanted->seed, (uint64_t)i, 0, WEFT_FOR_FAULT);
        double u, p;
        memset(d.dead, 0, d.cables.count);
        memset(d.fallen, 0, of->topology->routers);
        d.endpoints = weft_topology_endpoints(of->topology);
        for (size_t k = 0; k < d.n_partitions; k++) {
            partition *q = &d.partitions[k];
            memcpy(q->out_now, q->out, sizeof(double) * q->n_parts);
            memcpy(q->endpoints_now, q->endpoints, sizeof(double) * q->n_parts);
        }
        take_some(&d, &random, (uint32_t)set->cables, (uint32_t)d.cables.count, take_cable);
        take_some(&d, &random, (uint32_t)set->switches, d.n_switches, take_switch);
        find_bounds(&d, &u, &p);
        add(&uniform, least(u, of->uniform));
        add(&permutation, least(p, of->permutation));
        add(&reach, reachable(&d));
    }
    double n = (double)set->draws;
    *outage = (weft_outage){.uniform = mean_of(&uniform, n),
                            .permutation = mean_of(&permutation, n),
                            .reachable = mean_of(&reach, n)};
    draw_done(&d);
}

uint32_t weft_outage_spares(double parts, double failures_a_year, double days, double confidence)
{
    double mean = parts * failures_a_year * days / 365;
    if (mean <= 0)
        return 0;
    if (mean >= SPARES_MOST)
        return SPARES_MOST;
    /* Terms of the distribution relative to the greatest, so that none underflows. */
    uint32_t spares = (uint32_t)mean;
    double below = 0, above = 0, term = 1;
    for (double k = spares; k >= 0 && term > 1e-30; k--) {
        below += term;
        term *= k / mean;
    }
    term = 1;
    for (double k = spares + 1.0; term > 1e-30; k++) {
        term *= mean / k;
        above += term;
    }
    double wanted = confidence * (below + above);
    term = 1;
    if (below >= wanted) {
        for (; spares > 0 && below - term >= wanted; spares--) {
            below -= term;
            term *= spares / mean;
        }
        return spares;
    }
    while (below < wanted && spares < SPARES_MOST) {
        spares++;
        term *= mean / spares;
        below += term;
    }
    return spares;
}
