/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern is built on a torus of net's own and asked for its odds. Where all sources send
 * the same, one of them is enough. */
#include "analytic/hop_spread.h"

#include "base/memory.h"
#include "interweft/traffic.h"
#include "net/topology.h"
#include "net/topology/common/lattice.h"

#include <assert.h>
#include <stdlib.h>

#define PAIRS_MOST 3e7

typedef struct visit {
    weft_hop_spread *spread;
    uint32_t k, source;
    double weight;
} visit;

static uint32_t apart(uint32_t a, uint32_t b, uint32_t k)
{
    uint32_t d = a > b ? a - b : b - a;
    return d <= k - d ? d : k - d;
}

static void add_odds(void *user, uint32_t first, uint32_t count, double probability)
{
    const visit *v = user;
    for (uint32_t to = first; to < first + count; to++) {
        uint32_t x = apart(to / v->k, v->source / v->k, v->k);
        uint32_t y = apart(to % v->k, v->source % v->k, v->k);
        v->spread->share[x * (v->spread->half + 1) + y] += v->weight * probability;
        v->spread->mean += v->weight * probability * (x + y);
    }
}

static weft_status collect(weft_hop_spread *spread, uint32_t k, const weft_pattern *pattern,
                           weft_error *err)
{
    const weft_pattern_kind *kind = pattern->kind;
    uint32_t routers = k * k, sources = kind->invariant ? 1 : routers;
    if (!kind->odds)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s does not say where its messages go, it only draws; give h",
                         kind->base.name);
    if ((double)sources * routers > PAIRS_MOST)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "k must be at most 73 for a pattern whose sources differ, found %u", k);
    double senders = kind->invariant ? 1 : kind->senders(pattern);
    for (uint32_t source = 0; source < sources; source++) {
        double weight = kind->weight && !kind->invariant ? kind->weight(pattern, source) : 1;
        visit v = {spread, k, source, weight / senders};
        kind->odds(pattern, source, add_odds, &v);
    }
    if (spread->mean <= 0)
        return weft_fail(err, WEFT_BAD_INPUT, "pattern %s sends nothing between routers",
                         kind->base.name);
    return WEFT_OK;
}

static weft_status ask_pattern(weft_hop_spread *spread, const weft_topology *torus,
                               const weft_kind_ref *ref, uint32_t k, weft_error *err)
{
    weft_pattern pattern = {.kind = (const weft_pattern_kind *)(const void *)ref->kind,
                            .topology = torus,
                            .mean_weight = 1};
    pattern.self = weft_alloc(ref->kind->instance_size + 1);
    weft_status status = pattern.kind->build(&pattern, ref->settings, err);
    if (status == WEFT_OK) {
        status = collect(spread, k, &pattern, err);
        if (pattern.kind->done)
            pattern.kind->done(&pattern);
    }
    free(pattern.self);
    return status;
}

weft_status weft_hop_spread_find(weft_hop_spread *spread, uint32_t k, const weft_kind_ref *pattern,
                                 weft_error *err)
{
    weft_lattice_self self = {0};
    weft_topology *torus = weft_alloc(sizeof *torus);
    const weft_ints dims = {.count = 2, .at = {(int32_t)k, (int32_t)k}}, none = {0};
    const weft_lattice_plan plan = {
        .dims = &dims, .global = &none, .hosts = 1, .wraps = true, .tie = WEFT_TIE_RANDOM};
    *spread = (weft_hop_spread){.half = k / 2};
    spread->share = weft_alloc(((size_t)k / 2 + 1) * (k / 2 + 1) * sizeof *spread->share);
    torus->kind = &weft_topology_torus;
    torus->self = &self;
    weft_status status = weft_lattice_build(torus, &plan, err);
    if (status == WEFT_OK) {
        torus->edge_routers = torus->routers;
        status = ask_pattern(spread, torus, pattern, k, err);
    }
    if (status != WEFT_OK)
        weft_hop_spread_done(spread);
    free(torus);
    return status;
}

void weft_hop_spread_done(weft_hop_spread *spread)
{
    free(spread->share);
    *spread = (weft_hop_spread){0};
}

double weft_hop_spread_of(const weft_hop_spread *spread, uint32_t h)
{
    double sum = 0;
    assert(h <= 2 * spread->half);
    for (uint32_t x = 0; x <= h && x <= spread->half; x++)
        if (h - x <= spread->half)
            sum += spread->share[x * (spread->half + 1) + (h - x)];
    return sum;
}
