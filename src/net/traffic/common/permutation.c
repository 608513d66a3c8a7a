/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/common/permutation.h"

#include "net/traffic/common/spread.h"
#include "net/traffic/pattern.h"

static const char *const ways[] = {"number", "coordinates", NULL};

const char *const weft_self_choices[] = {"excluded", "included", NULL};

#define SELF                                                                              \
    {                                                                                     \
        .name = "self",                                                                   \
        .brief = "do those that would send to themselves send, through their router and " \
                 "back? none: excluded",                                                  \
        .type = WEFT_PARAM_CHOICE, .offset = offsetof(weft_permutation_settings, self),   \
        .fallback = "none", .choices = weft_self_choices                                  \
    }

const weft_param weft_permutation_params[] = {SELF, {.name = NULL}};
const weft_param weft_permutation_by_params[] = {
    {.name = "by",
     .brief = "what it works on: the bits of the endpoint's number, or the router's coordinates "
              "(the host "
              "stays); none: number",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_permutation_settings, by),
     .fallback = "none",
     .choices = ways},
    SELF,
    {.name = NULL},
};

void weft_permutation_self(weft_pattern *pattern, const void *settings)
{
    ((weft_permutation *)pattern->self)->returns =
        ((const weft_permutation_settings *)settings)->self == WEFT_SELF_INCLUDED;
}

uint32_t weft_permutation_size(const weft_pattern *pattern)
{
    return pattern->to ? pattern->to->count : weft_endpoints(pattern->topology);
}

/* An endpoint to an endpoint. */
static uint32_t target(const weft_pattern *pattern, uint32_t source)
{
    const weft_permutation *self = pattern->self;
    if (!pattern->to)
        return self->map(pattern, source);
    return weft_host_set_at(pattern->to,
                            self->map(pattern, weft_host_set_below(pattern->to, source)));
}

void weft_permutation_build(weft_pattern *pattern,
                            uint32_t (*map)(const weft_pattern *pattern, uint32_t source))
{
    weft_permutation *self = pattern->self;
    const weft_topology *topology = pattern->topology;
    self->map = map;
    uint64_t hops = 0;
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < weft_permutation_size(pattern); i++) {
        uint32_t e = pattern->to ? weft_host_set_at(pattern->to, i) : i, to = target(pattern, e);
        if (to == e && !self->returns)
            continue;
        self->senders++;
        fixed += to == e;
        hops += topology->kind->distance(topology, weft_topology_home(topology, e),
                                         weft_topology_egress(topology, to));
    }
    self->mean_hops = self->senders ? (double)hops / self->senders : 0;
    pattern->own = self->senders ? (double)fixed / self->senders : 0;
}

weft_status weft_permutation_build_bits(weft_pattern *pattern,
                                        uint32_t (*map)(const weft_pattern *, uint32_t), bool even,
                                        weft_error *err)
{
    weft_permutation *self = pattern->self;
    uint32_t endpoints = weft_permutation_size(pattern);
    while (self->bits < 31 && 1u << self->bits < endpoints)
        self->bits++;
    if (1u << self->bits != endpoints || (even && self->bits % 2))
        return weft_fail(err, WEFT_BAD_INPUT, "pattern %s needs a power of %s endpoints, %s has %u",
                         pattern->kind->base.name, even ? "four" : "two",
                         pattern->to ? "the set of those that send and receive" : "this network",
                         endpoints);
    weft_permutation_build(pattern, map);
    return WEFT_OK;
}

weft_status weft_permutation_build_lattice(weft_pattern *pattern,
                                           uint32_t (*map)(const weft_pattern *, uint32_t),
                                           weft_error *err)
{
    if (pattern->to)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s by coordinates sends all over the network: leave out to, or "
                         "give by: number",
                         pattern->kind->base.name);
    if (pattern->topology->lattice.dims == 0 ||
        pattern->topology->edge_routers != pattern->topology->routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s needs a topology with coordinates; %s has none",
                         pattern->kind->base.name, pattern->topology->kind->base.name);
    weft_permutation_build(pattern, map);
    return WEFT_OK;
}

weft_status weft_permutation_build_by(weft_pattern *pattern, const void *settings,
                                      uint32_t (*bits)(const weft_pattern *, uint32_t), bool even,
                                      uint32_t (*place)(const weft_pattern *, uint32_t),
                                      weft_error *err)
{
    weft_permutation_self(pattern, settings);
    if (((const weft_permutation_settings *)settings)->by == WEFT_BY_COORDINATES)
        return weft_permutation_build_lattice(pattern, place, err);
    return weft_permutation_build_bits(pattern, bits, even, err);
}

uint32_t weft_permutation_destination(const weft_pattern *pattern, uint32_t source,
                                      weft_random *random)
{
    (void)random;
    uint32_t to = target(pattern, source);
    return to == source && !((const weft_permutation *)pattern->self)->returns ? WEFT_NOWHERE : to;
}

void weft_permutation_odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each,
                           void *user)
{
    uint32_t to = target(pattern, source);
    if (to != source || ((const weft_permutation *)pattern->self)->returns)
        each(user, to, 1, 1);
}

double weft_permutation_mean_hops(const weft_pattern *pattern)
{
    return ((const weft_permutation *)pattern->self)->mean_hops;
}

uint32_t weft_permutation_senders(const weft_pattern *pattern)
{
    return ((const weft_permutation *)pattern->self)->senders;
}

uint32_t weft_permutation_shift(const weft_pattern *pattern, uint32_t source,
                                uint32_t (*step)(uint32_t size))
{
    const weft_lattice *lattice = &pattern->topology->lattice;
    uint32_t hosts = pattern->topology->concentration, router = source / hosts, moved = 0,
             stride = 1;
    for (uint32_t d = lattice->dims; d-- > 0;) {
        uint32_t size = lattice->size[d], at = router % size;
        moved += (at + step(size)) % size * stride;
        stride *= size;
        router /= size;
    }
    return moved * hosts + source % hosts;
}
