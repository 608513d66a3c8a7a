/* SPDX-License-Identifier: Apache-2.0 */
/* Every other endpoint is equally likely. */
#include "net/pattern.h"
#include "net/spread.h"

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    (void)settings;
    if (weft_endpoints(pattern->topology) < 2)
        return weft_fail(err, WEFT_BAD_INPUT, "pattern uniform needs at least two endpoints");
    return WEFT_OK;
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    return weft_spread_draw(pattern->topology, source, random);
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    weft_spread_odds(pattern->topology, source, 1, each, user);
}

static double mean_hops(const weft_pattern *pattern)
{
    return weft_spread_mean(pattern->topology);
}

static uint32_t senders(const weft_pattern *pattern)
{
    return weft_endpoints(pattern->topology);
}

const weft_pattern_kind weft_pattern_uniform = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "uniform",
             .brief = "every other endpoint equally likely"},
    .build = build,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
    .odds = odds,
    .invariant = true,
};
