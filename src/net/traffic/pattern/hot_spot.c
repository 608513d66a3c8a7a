/* SPDX-License-Identifier: Apache-2.0 */
/* A share of every endpoint's messages goes to one endpoint, the rest is uniform. The hot endpoint
 * itself sends uniformly. Where receivers are a set, the hot endpoint is one of them. */
#include "net/traffic/common/spread.h"
#include "net/traffic/pattern.h"

typedef struct settings {
    int64_t node;
    double share;
} settings;

static const weft_param params[] = {
    {.name = "node",
     .brief = "the hot endpoint's number",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, node),
     .fallback = "0",
     .min = 0,
     .max = UINT32_MAX},
    {.name = "share",
     .brief = "share of the messages that go there",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, share),
     .fallback = "5%",
     .min = 0,
     .max = 1},
    {.name = NULL},
};

typedef struct instance {
    uint32_t node;
    double share;
} instance;

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    const settings *set = given;
    instance *self = pattern->self;
    uint32_t endpoints = weft_endpoints(pattern->topology);
    if (endpoints < 2)
        return weft_fail(err, WEFT_BAD_INPUT, "pattern hot-spot needs at least two endpoints");
    if (set->node >= endpoints)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern hot-spot: node must be one of the endpoints 0 … %u, found %lld",
                         endpoints - 1, (long long)set->node);
    if (pattern->to && !weft_host_set_has(pattern->to, (uint32_t)set->node))
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "pattern hot-spot: node must be one of those that receive (to), found %lld",
            (long long)set->node);
    self->node = (uint32_t)set->node;
    self->share = set->share;
    return WEFT_OK;
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    const instance *self = pattern->self;
    if (source != self->node && weft_random_open(random) < self->share)
        return self->node;
    return weft_spread_draw(pattern, source, random);
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    const instance *self = pattern->self;
    double share = source == self->node ? 0 : self->share;
    if (share > 0)
        each(user, self->node, 1, share);
    weft_spread_odds(pattern, source, 1 - share, each, user);
}

static double mean_hops(const weft_pattern *pattern)
{
    const instance *self = pattern->self;
    double n = weft_endpoints(pattern->topology);
    double to_hot = weft_spread_to(pattern->topology, self->node);
    double of_hot = weft_spread_from(pattern->topology, self->node);
    double rest = n * weft_spread_mean(pattern->topology) - of_hot;
    return ((n - 1) * self->share * to_hot + (1 - self->share) * rest + of_hot) / n;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return weft_endpoints(pattern->topology);
}

const weft_pattern_kind weft_pattern_hot_spot = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "hot-spot",
             .brief = "a share of all messages to one endpoint, the rest uniform",
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
