/* SPDX-License-Identifier: Apache-2.0 */
/* Every other receiver is equally likely; with `self` the sender too. */
#include "net/traffic/common/spread.h"
#include "net/traffic/pattern.h"

typedef struct uniform { /* settings, and the instance */
    int self;
} uniform;

static const weft_param params[] = {
    {.name = "self",
     .brief = "is the sender among those a message may go to, through its router and back? "
              "none: excluded",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(uniform, self),
     .fallback = "none",
     .choices = weft_self_choices},
    {.name = NULL},
};

static bool may_return(const weft_pattern *pattern)
{
    return ((const uniform *)pattern->self)->self == WEFT_SELF_INCLUDED;
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    *(uniform *)pattern->self = *(const uniform *)settings;
    if (weft_endpoints(pattern->topology) < 2)
        return weft_fail(err, WEFT_BAD_INPUT, "pattern uniform needs at least two endpoints");
    pattern->own = may_return(pattern) ? 1.0 / weft_endpoints(pattern->topology) : 0;
    return WEFT_OK;
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    const weft_host_set *to = pattern->to;
    if (!may_return(pattern))
        return weft_spread_draw(pattern, source, random);
    return to ? weft_host_set_at(to, weft_random_below(random, to->count))
              : weft_random_below(random, weft_endpoints(pattern->topology));
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    const weft_host_set *to = pattern->to;
    uint32_t endpoints = weft_endpoints(pattern->topology);
    if (!may_return(pattern))
        weft_spread_odds(pattern, source, 1, each, user);
    else if (!to)
        each(user, 0, endpoints, 1.0 / endpoints);
    for (uint32_t i = 0; may_return(pattern) && to && i < to->n_ranges; i++)
        each(user, to->ranges[i].first, to->ranges[i].count, 1.0 / to->count);
}

static double mean_hops(const weft_pattern *pattern)
{
    const weft_topology *topology = pattern->topology;
    double others = weft_spread_mean(topology), endpoints = weft_endpoints(topology);
    if (!may_return(pattern))
        return others;
    return ((endpoints - 1) * others +
            topology->kind->distance(topology, 0, topology->egress_offset)) /
           endpoints;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return weft_endpoints(pattern->topology);
}

const weft_pattern_kind weft_pattern_uniform = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "uniform",
             .brief = "every other endpoint equally likely",
             .params = params,
             .settings_size = sizeof(uniform),
             .instance_size = sizeof(uniform)},
    .build = build,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
    .odds = odds,
    .invariant = true,
    .confines = WEFT_CONFINES_TO,
};
