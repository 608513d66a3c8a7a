/* SPDX-License-Identifier: Apache-2.0 */
/* All endpoints of a group send to those of one other group, all equally likely: the few links that
 * join two groups carry all their traffic (J. Kim, W. J. Dally, S. Scott and D. Abts, ISCA 2008).
 * mean_hops is exact up to 2^24 pairs of routers, beyond that the mean over an evenly spaced sample
 * of sources. */
#include "net/traffic/common/spread.h"
#include "net/traffic/common/survey.h"
#include "net/traffic/pattern.h"

typedef struct settings {
    int64_t shift;
} settings;

static const weft_param params[] = {
    {.name = "shift",
     .brief = "how many groups further the destination lies",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, shift),
     .fallback = "1",
     .min = 1,
     .max = UINT32_MAX},
    {.name = NULL},
};

typedef struct instance {
    uint32_t groups, shift;
    uint32_t each; /* endpoints of a group; the last one may have fewer */
} instance;

/* The endpoints that a source sends to: from where on, and how many. */
static uint32_t target(const weft_pattern *pattern, uint32_t source, uint32_t *count)
{
    const instance *self = pattern->self;
    uint32_t group = (uint32_t)(((uint64_t)source / self->each + self->shift) % self->groups);
    uint32_t first = group * self->each, rest = weft_endpoints(pattern->topology) - first;
    *count = rest < self->each ? rest : self->each;
    return first;
}

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    const weft_topology *topology = pattern->topology;
    int64_t shift = ((const settings *)given)->shift;
    instance *self = pattern->self;
    if (topology->group == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern group-adversarial needs a topology with groups; %s has none",
                         topology->kind->base.name);
    self->groups = (topology->edge_routers - 1) / topology->group + 1;
    self->each = topology->group * topology->concentration;
    self->shift = (uint32_t)(shift % self->groups);
    if (self->shift == 0)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "pattern group-adversarial: shift must lead to another one of the %u groups, "
            "found %lld",
            self->groups, (long long)shift);
    return WEFT_OK;
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    uint32_t count, first = target(pattern, source, &count);
    return weft_spread_draw_among(pattern, source, first, count, random);
}

static double mean_hops(const weft_pattern *pattern)
{
    const weft_topology *topology = pattern->topology;
    uint32_t hosts = topology->concentration, count;
    weft_survey over = weft_survey_of(topology, topology->group, false);
    double sum = 0;
    for (uint32_t i = 0; i < over.routers; i++) {
        uint32_t from = i * over.step, first = target(pattern, from * hosts, &count) / hosts;
        uint64_t hops = 0;
        for (uint32_t to = first; to < first + count / hosts; to++)
            hops += topology->kind->distance(topology, from, to + topology->egress_offset);
        sum += (double)hops * hosts / count;
    }
    return sum / over.routers;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return weft_endpoints(pattern->topology);
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    uint32_t count, first = target(pattern, source, &count);
    uint32_t others = weft_spread_among(pattern, source, first, count);
    if (others > 0)
        weft_spread_odds_among(pattern, source, first, count, 1.0 / others, each, user);
}

const weft_pattern_kind weft_pattern_group_adversarial = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "group-adversarial",
             .brief = "all of a group to the endpoints of one other group",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(instance)},
    .build = build,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
    .odds = odds,
    .confines = WEFT_CONFINES_TO,
};
