/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of the messages go to scopes: the rest of the router or group, given numbers of hops,
 * beyond. Within a scope every receiver is equally likely. Distances are those of the network, or,
 * in a hierarchy, between groups on the outer level.
 *
 * In general a destination is drawn until one lies in the scope. Where a network is
 * translation-invariant along its coordinates and a scope is small, its places are listed once as
 * displacements. mean_hops is exact except in networks without such symmetry of more than 2^24
 * pairs of routers, where it is the mean over an evenly spaced sample of sources. */
#include "base/memory.h"
#include "net/traffic/common/scope.h"
#include "net/traffic/common/spread.h"
#include "net/traffic/common/survey.h"
#include "net/traffic/pattern.h"

#include <stdlib.h>

#define SUM_TOLERANCE 1e-9
#define RARE          16u        /* a scope of less than one place in so many is listed … */
#define LISTED_MOST   (1u << 20) /* … if it has not more than this */
#define PATIENCE      40u        /* draws in vain, as a multiple of those expected */

typedef struct settings {
    weft_kinds shares;
} settings;

static const weft_param params[] = {
    {.name = "shares",
     .brief =
         "where messages go: a list such as [{within: group, share: 70%}, {hops: [1, 3], share: "
         "20%}, {beyond: 3, share: 10%}]",
     .type = WEFT_PARAM_KINDS,
     .offset = offsetof(settings, shares),
     .family = "scope"},
    {.name = NULL},
};

typedef struct part {
    uint32_t near;      /* not 0: the source's own place, of so many routers; else, by distance: */
    uint32_t low, high; /* hops */
    double edge;        /* sum of the shares up to this one */
    double share;
    uint32_t *moves; /* displacements of its places; NULL: not listed */
    uint32_t listed;
    uint32_t tries; /* at most, before all endpoints are looked at in turn */
} part;

typedef struct instance {
    const weft_topology *level; /* whose distances count */
    uint32_t place;             /* routers of the network in one of its routers */
    uint32_t n_parts;
    double mean_hops;
    part parts[WEFT_KINDS_MAX];
} instance;

typedef struct view {              /* what an endpoint sees */
    uint32_t ends[WEFT_KINDS_MAX]; /* endpoints in each scope, the source not counted */
    uint64_t hops[WEFT_KINDS_MAX]; /* to all of them together */
} view;

/* Does a message from one router's endpoint to another's lie in a scope? */
static bool reaches(const instance *self, const part *p, uint32_t from, uint32_t to)
{
    if (p->near)
        return from / p->near == to / p->near;
    const weft_topology *level = self->level;
    uint32_t hops =
        level->kind->distance(level, from / self->place, to / self->place + level->egress_offset);
    return hops >= p->low && hops <= p->high;
}

static view look(const weft_pattern *pattern, uint32_t source)
{
    const weft_topology *topology = pattern->topology;
    const instance *self = pattern->self;
    uint32_t from = weft_topology_home(topology, source);
    view seen = {{0}, {0}};
    for (uint32_t to = 0; to < topology->edge_routers; to++) {
        uint32_t hops = topology->kind->distance(topology, from, to + topology->egress_offset);
        uint32_t ends = weft_spread_among(pattern, source, weft_topology_first(topology, to),
                                          weft_topology_hosts(topology, to));
        for (uint32_t k = 0; k < self->n_parts; k++)
            if (ends && reaches(self, &self->parts[k], from, to)) {
                seen.ends[k] += ends;
                seen.hops[k] += (uint64_t)ends * hops;
            }
    }
    return seen;
}

static weft_status read_part(const weft_topology *topology, weft_kind_ref ref, part *out,
                             weft_error *err)
{
    const weft_scope *scope = ref.settings;
    out->share = scope->share;
    out->high = UINT32_MAX;
    if (ref.kind == &weft_scope_within) {
        out->near = scope->within == WEFT_WITHIN_ROUTER ? 1 : topology->group;
        if (out->near == 0)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "pattern locality: %s has no groups; give within: router, or hops",
                             topology->kind->base.name);
    } else if (ref.kind == &weft_scope_hops) {
        out->low = (uint32_t)scope->hops.at[0];
        out->high = (uint32_t)scope->hops.at[scope->hops.count - 1];
        if (scope->hops.count > 2 || out->high < out->low)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "pattern locality: hops must be a least and a greatest distance such as "
                "[1, 3], found %d numbers from %u to %u",
                scope->hops.count, out->low, out->high);
    } else {
        out->low = (uint32_t)scope->beyond + 1;
    }
    return WEFT_OK;
}

static weft_status read_parts(const weft_pattern *pattern, const weft_kinds *shares,
                              weft_error *err)
{
    instance *self = pattern->self;
    double sum = 0;
    for (int32_t k = 0; k < shares->count; k++) {
        part *p = &self->parts[k];
        WEFT_TRY(read_part(pattern->topology, shares->at[k], p, err));
        sum += p->share;
        p->edge = sum;
    }
    self->n_parts = (uint32_t)shares->count;
    if (sum < 1 - SUM_TOLERANCE || sum > 1 + SUM_TOLERANCE)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern locality: the shares must sum to 1, found %.12g", sum);
    self->parts[self->n_parts - 1].edge = 2; /* rounding leaves nobody out */
    return WEFT_OK;
}

/* Does the level look the same from everywhere along its coordinates? */
static bool shifts(const weft_topology *level)
{
    const weft_lattice *lattice = &level->lattice;
    bool closed = level->proof.vertex_transitive && lattice->dims > 0 &&
                  level->edge_routers == level->routers;
    for (uint32_t d = 0; d < lattice->dims; d++)
        closed = closed && (lattice->full || lattice->wraps[d] || lattice->size[d] == 2);
    return closed;
}

/* A scope that is much smaller than its network is listed. */
static void list_part(const instance *self, part *p)
{
    const weft_topology *level = self->level;
    uint32_t count = 0;
    for (uint32_t to = 0; to < level->edge_routers; to++)
        count += reaches(self, p, 0, to * self->place);
    if (count == 0 || count > LISTED_MOST || count > level->edge_routers / RARE)
        return;
    p->moves = weft_alloc(sizeof *p->moves * count);
    for (uint32_t to = 0; to < level->edge_routers; to++)
        if (reaches(self, p, 0, to * self->place))
            p->moves[p->listed++] = to;
}

static void done(weft_pattern *pattern)
{
    instance *self = pattern->self;
    for (uint32_t k = 0; k < self->n_parts; k++)
        free(self->parts[k].moves);
}

static weft_status refuse(const weft_pattern *pattern, uint32_t k, uint32_t router, weft_error *err)
{
    const instance *self = pattern->self;
    const part *p = &self->parts[k];
    const char *what = self->place > 1 ? "groups" : "routers";
    const char *who = pattern->to ? "receiver" : "endpoint";
    if (p->near)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern locality: the %s of router %u has no other %s",
                         p->near > 1 ? "group" : "router", router, who);
    if (p->high == UINT32_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern locality: no other %s is beyond %u hops of %s from router %u",
                         who, p->low - 1, what, router);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "pattern locality: no other %s is %u … %u hops of %s away from router %u", who,
                     p->low, p->high, what, router);
}

static uint32_t receivers(const weft_pattern *pattern)
{
    return pattern->to ? pattern->to->count : weft_endpoints(pattern->topology);
}

/* What one source sees; *hops: mean hops of what it sends are added. */
static weft_status note(const weft_pattern *pattern, uint32_t source, double *hops, weft_error *err)
{
    instance *self = pattern->self;
    view seen = look(pattern, source);
    for (uint32_t k = 0; k < self->n_parts; k++) {
        part *p = &self->parts[k];
        if (p->share > 0 && seen.ends[k] == 0)
            return refuse(pattern, k, weft_topology_home(pattern->topology, source), err);
        if (p->share > 0)
            *hops += p->share * (double)seen.hops[k] / seen.ends[k];
        uint64_t tries = (uint64_t)PATIENCE * receivers(pattern) / (seen.ends[k] + 1);
        p->tries = tries > p->tries ? (uint32_t)tries : p->tries;
    }
    return WEFT_OK;
}

/* Looks from all routers that may see something else, or from some. */
static weft_status survey(const weft_pattern *pattern, weft_error *err)
{
    const weft_topology *topology = pattern->topology;
    instance *self = pattern->self;
    bool grouped = false,
         alike = topology->proof.vertex_transitive && topology->edge_routers == topology->routers;
    for (uint32_t k = 0; k < self->n_parts; k++)
        grouped = grouped || self->place > 1 || self->parts[k].near > 1;
    weft_survey over = weft_survey_of(topology, topology->edge_routers, alike && !grouped);
    if (self->place > 1 && shifts(self->level)) /* every group sees the same */
        over = (weft_survey){self->place, 1};
    double sum = 0;
    for (uint32_t i = 0; i < over.routers; i++)
        WEFT_TRY(note(pattern, weft_topology_first(topology, i * over.step), &sum, err));
    self->mean_hops = sum / over.routers;
    return WEFT_OK;
}

/* The same where not all send or receive: looks from senders. */
static weft_status survey_set(const weft_pattern *pattern, weft_error *err)
{
    const weft_host_set *from = pattern->from;
    uint32_t senders = from ? from->count : weft_endpoints(pattern->topology);
    uint64_t most = WEFT_SURVEY_PAIRS / pattern->topology->edge_routers + 1;
    uint32_t step = senders <= most ? 1 : (uint32_t)(senders / most) | 1;
    double sum = 0;
    for (uint32_t i = 0; i < senders; i += step)
        WEFT_TRY(note(pattern, from ? weft_host_set_at(from, i) : i, &sum, err));
    return WEFT_OK;
}

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    const weft_topology *topology = pattern->topology;
    instance *self = pattern->self;
    self->level = topology->outer ? topology->outer : topology;
    self->place = topology->outer ? topology->group : 1;
    WEFT_TRY(read_parts(pattern, &((const settings *)given)->shares, err));
    if (pattern->from || pattern->to)
        return survey_set(pattern, err);
    WEFT_TRY(survey(pattern, err));
    for (uint32_t k = 0; k < self->n_parts && shifts(self->level); k++)
        if (!self->parts[k].near)
            list_part(self, &self->parts[k]);
    return WEFT_OK;
}

/* A router of the level moved by the coordinates of another. */
static uint32_t moved(const weft_lattice *lattice, uint32_t from, uint32_t by)
{
    uint32_t to = 0, stride = 1;
    for (uint32_t d = lattice->dims; d-- > 0;) {
        uint32_t size = lattice->size[d], at = from % size + by % size;
        to += (at < size ? at : at - size) * stride;
        stride *= size;
        from /= size;
        by /= size;
    }
    return to;
}

static uint32_t draw_listed(const weft_pattern *pattern, const part *p, uint32_t source,
                            weft_random *random)
{
    const instance *self = pattern->self;
    uint32_t each = self->place * pattern->topology->concentration, to;
    do {
        uint32_t number = weft_random_below(random, p->listed * each);
        to = moved(&self->level->lattice, source / each, p->moves[number / each]) * each +
             number % each;
    } while (to == source);
    return to;
}

/* Draws until one is in the scope. Where that takes too long (a source that sees less than those
 * that were looked at), takes the next one from somewhere on; if there is none at all, any. */
static uint32_t draw_until(const weft_pattern *pattern, const part *p, uint32_t source,
                           weft_random *random)
{
    const weft_topology *topology = pattern->topology;
    uint32_t all = receivers(pattern), from = weft_topology_home(topology, source), to = 0, rank;
    for (uint32_t i = 0; i < p->tries; i++) {
        to = weft_spread_draw(pattern, source, random);
        if (to == WEFT_NOWHERE || reaches(pattern->self, p, from, weft_topology_home(topology, to)))
            return to;
    }
    rank = pattern->to ? weft_host_set_below(pattern->to, to) : to;
    for (uint32_t i = 0; i < all; i++, rank = (rank + 1) % all) {
        to = pattern->to ? weft_host_set_at(pattern->to, rank) : rank;
        if (to != source && reaches(pattern->self, p, from, weft_topology_home(topology, to)))
            return to;
    }
    return weft_spread_draw(pattern, source, random);
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    const weft_topology *topology = pattern->topology;
    const instance *self = pattern->self;
    const part *p = self->parts;
    double chosen = self->n_parts > 1 ? weft_random_open(random) : 0;
    while (chosen >= p->edge)
        p++;
    if (p->moves)
        return draw_listed(pattern, p, source, random);
    if (!p->near)
        return draw_until(pattern, p, source, random);
    uint32_t near = weft_topology_home(topology, source) / p->near * p->near,
             last =
                 near + p->near < topology->edge_routers ? near + p->near : topology->edge_routers;
    uint32_t first = weft_topology_first(topology, near);
    return weft_spread_draw_among(pattern, source, first,
                                  weft_topology_first(topology, last) - first, random);
}

static double mean_hops(const weft_pattern *pattern)
{
    return ((const instance *)pattern->self)->mean_hops;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return weft_endpoints(pattern->topology);
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    const weft_topology *topology = pattern->topology;
    const instance *self = pattern->self;
    uint32_t from = weft_topology_home(topology, source);
    view seen = look(pattern, source);
    for (uint32_t to = 0; to < topology->edge_routers; to++) {
        double p = 0;
        for (uint32_t k = 0; k < self->n_parts; k++)
            if (seen.ends[k] && reaches(self, &self->parts[k], from, to))
                p += self->parts[k].share / seen.ends[k];
        if (p > 0)
            weft_spread_odds_among(pattern, source, weft_topology_first(topology, to),
                                   weft_topology_hosts(topology, to), p, each, user);
    }
}

const weft_pattern_kind weft_pattern_locality = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "locality",
             .brief = "shares of the messages within a group, some hops away, and beyond",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(instance)},
    .build = build,
    .done = done,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
    .odds = odds,
    .confines = WEFT_CONFINES_TO,
};
