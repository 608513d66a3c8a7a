/* SPDX-License-Identifier: Apache-2.0 */
#include "net/permutation.h"

#include "net/spread.h"

void weft_permutation_build(weft_pattern *pattern,
                            uint32_t (*map)(const weft_pattern *pattern, uint32_t source))
{
    weft_permutation *self = pattern->self;
    const weft_topology *topology = pattern->topology;
    self->map = map;
    uint64_t hops = 0;
    for (uint32_t e = 0; e < weft_endpoints(topology); e++) {
        uint32_t to = map(pattern, e);
        if (to == e)
            continue;
        self->senders++;
        hops += topology->kind->distance(topology, e / topology->hosts, to / topology->hosts);
    }
    self->mean_hops = self->senders ? (double)hops / self->senders : 0;
}

weft_status weft_permutation_build_bits(weft_pattern *pattern,
                                        uint32_t (*map)(const weft_pattern *, uint32_t), bool even,
                                        weft_error *err)
{
    weft_permutation *self = pattern->self;
    uint32_t endpoints = weft_endpoints(pattern->topology);
    while (self->bits < 31 && 1u << self->bits < endpoints)
        self->bits++;
    if (1u << self->bits != endpoints || (even && self->bits % 2))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s needs a power of %s endpoints, this network has %u",
                         pattern->kind->base.name, even ? "four" : "two", endpoints);
    weft_permutation_build(pattern, map);
    return WEFT_OK;
}

weft_status weft_permutation_build_lattice(weft_pattern *pattern,
                                           uint32_t (*map)(const weft_pattern *, uint32_t),
                                           weft_error *err)
{
    if (pattern->topology->lattice.dims == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s needs a topology with coordinates; %s has none",
                         pattern->kind->base.name, pattern->topology->kind->base.name);
    weft_permutation_build(pattern, map);
    return WEFT_OK;
}

uint32_t weft_permutation_destination(const weft_pattern *pattern, uint32_t source,
                                      weft_random *random)
{
    const weft_permutation *self = pattern->self;
    (void)random;
    uint32_t to = self->map(pattern, source);
    return to == source ? WEFT_NOWHERE : to;
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
    uint32_t hosts = pattern->topology->hosts, router = source / hosts, moved = 0, stride = 1;
    for (uint32_t d = lattice->dims; d-- > 0;) {
        uint32_t size = lattice->size[d], at = router % size;
        moved += (at + step(size)) % size * stride;
        stride *= size;
        router /= size;
    }
    return moved * hosts + source % hosts;
}
