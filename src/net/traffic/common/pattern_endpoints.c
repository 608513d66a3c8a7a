/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/common/pattern_endpoints.h"

#include "net/traffic/common/spread.h"
#include "net/traffic/common/survey.h"
#include "net/traffic/pattern.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>

#define DRAWS 64 /* destinations of a source, where its pattern does not know its odds */

/* Those that can be confined, of the kinds that are built in: "uniform, hot-spot, …". */
static void list_confined(char *text, size_t size)
{
    size_t at = 0;
    for (const weft_component *const *kind = weft_pattern_kinds; *kind && at < size; kind++)
        if (((const weft_pattern_kind *)(const void *)*kind)->confines != WEFT_CONFINES_NOT)
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", (*kind)->name);
}

weft_status weft_pattern_endpoints_check(const weft_pattern *pattern, weft_error *err)
{
    const weft_pattern_kind *kind = pattern->kind;
    weft_confines confines = kind->confines;
    char names[400];
    if (!pattern->to)
        return WEFT_OK;
    if (confines == WEFT_CONFINES_RANKS && pattern->from != pattern->to)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "pattern %s numbers those that send and receive, which must be the same: give to: "
            "from, or leave out to and it works on the numbers of all endpoints",
            kind->base.name);
    if (confines != WEFT_CONFINES_NOT)
        return WEFT_OK;
    list_confined(names, sizeof names);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "pattern %s sends all over the network: leave out to (from is possible), or "
                     "choose one of %s",
                     kind->base.name, names);
}

bool weft_pattern_endpoints_uniform(const weft_pattern *pattern)
{
    return pattern->kind == &weft_pattern_uniform && !pattern->from && !pattern->to &&
           !(pattern->own > 0);
}

typedef struct way { /* of all that a source sends */
    const weft_topology *topology;
    const weft_routing *routing; /* whose routes it takes; NULL: minimal ones */
    uint32_t from;
    double hops;
    double leaving; /* what takes routes of a routing, and how long they are */
    double shortest, longest;
} way;

static double length_of(way *w, uint32_t to, double share)
{
    double hops = w->routing->kind->proof.path_length(w->routing, w->from, to);
    w->leaving += share;
    w->shortest = hops < w->shortest ? hops : w->shortest;
    w->longest = hops > w->longest ? hops : w->longest;
    return hops;
}

static void add_hops(void *user, uint32_t first, uint32_t count, double probability)
{
    way *w = user;
    const weft_topology *topology = w->topology;
    uint32_t end = first + count;
    for (uint32_t e = first; e < end;) {
        uint32_t next = weft_topology_first(topology, weft_topology_home(topology, e) + 1);
        next = next < end ? next : end;
        uint32_t to = weft_topology_egress(topology, e);
        double hops = w->routing && to != w->from ? length_of(w, to, probability * (next - e))
                                                  : topology->kind->distance(topology, w->from, to);
        w->hops += probability * (next - e) * hops;
        e = next;
    }
}

/* What one source sends: hops and leaving are means of its messages. */
static void look_at(way *w, const weft_pattern *pattern, uint32_t source)
{
    const weft_pattern_kind *kind = pattern->kind;
    w->from = weft_topology_home(pattern->topology, source);
    w->hops = w->leaving = 0;
    if (kind->odds) {
        kind->odds(pattern, source, add_hops, w);
        return;
    }
    weft_random random = weft_random_stream(1, 0, source, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < DRAWS; i++)
        add_hops(w, kind->destination(pattern, source, &random), 1, 1.0 / DRAWS);
}

static bool is_silent(const weft_pattern *pattern, uint32_t source)
{
    weft_random random = weft_random_stream(1, 0, source, WEFT_FOR_ESTIMATE);
    return pattern->kind->destination(pattern, source, &random) == WEFT_NOWHERE;
}

static uint32_t sender(const weft_pattern *pattern, uint32_t rank)
{
    return pattern->from ? weft_host_set_at(pattern->from, rank) : rank;
}

/* How many send, and how much: the mean of their weights. */
static uint32_t count_senders(weft_pattern *pattern, uint32_t all)
{
    uint32_t senders = 0;
    double weights = 0;
    pattern->mean_weight = 1;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t source = sender(pattern, i);
        if (is_silent(pattern, source))
            continue;
        senders++;
        weights += weft_pattern_endpoints_weight(pattern, source);
    }
    if (senders > 0)
        pattern->mean_weight = weights / senders;
    return senders;
}

double weft_pattern_endpoints_hops(const weft_pattern *pattern, const weft_routing *routing)
{
    uint32_t all = pattern->from ? pattern->from->count : weft_endpoints(pattern->topology);
    uint64_t most = WEFT_SURVEY_PAIRS / pattern->topology->edge_routers + 1;
    uint32_t step = all <= most ? 1 : (uint32_t)(all / most) | 1;
    double hops = 0, weights = 0, leaving = 0;
    way w = {.topology = pattern->topology, .routing = routing, .shortest = DBL_MAX};
    for (uint32_t i = 0; i < all; i += step) {
        uint32_t source = sender(pattern, i);
        if (is_silent(pattern, source))
            continue;
        double weight = weft_pattern_endpoints_weight(pattern, source);
        look_at(&w, pattern, source);
        hops += weight * w.hops;
        leaving += weight * w.leaving;
        weights += weight;
    }
    assert(hops >= 0);
    if (weights > 0 && w.longest == w.shortest) /* without the rounding of a sum */
        return leaving / weights * w.longest;
    return weights > 0 ? hops / weights : 0;
}

weft_pattern_endpoints weft_pattern_endpoints_find(weft_pattern *pattern)
{
    const weft_pattern_kind *kind = pattern->kind;
    pattern->mean_weight = 1;
    if (!pattern->from && !pattern->to)
        return (weft_pattern_endpoints){kind->senders(pattern), kind->mean_hops(pattern)};
    uint32_t all = pattern->from ? pattern->from->count : weft_endpoints(pattern->topology);
    weft_pattern_endpoints found = {.senders = count_senders(pattern, all)};
    found.mean_hops = weft_pattern_endpoints_hops(pattern, NULL);
    return found;
}
