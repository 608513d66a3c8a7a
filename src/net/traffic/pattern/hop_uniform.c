/* SPDX-License-Identifier: Apache-2.0 */
/* Every endpoint at a distance of exactly h hops is equally likely (Rexford & Shin, section
 * 2.3). The destinations are numbered: count[d][r] is the number of combinations of dimensions d …
 * with r hops in all, so one draw below count[0][h] determines a destination, digit by digit. */
#include "base/memory.h"
#include "net/traffic/common/spread.h"
#include "net/traffic/pattern.h"

#include <stdlib.h>

typedef struct settings {
    int64_t hops;
} settings;

static const weft_param params[] = {
    {.name = "hops",
     .brief = "distance of every destination",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hops),
     .min = 1,
     .max = 4095},
    {.name = NULL},
};

typedef struct instance {
    uint32_t hops;
    uint32_t *count; /* (dims + 1) × (hops + 1) */
} instance;

/* Coordinates at distance `hops` along a ring. */
static uint32_t places(uint32_t size, uint32_t hops)
{
    if (hops == 0)
        return 1;
    return 2 * hops < size ? 2 : 2 * hops == size ? 1 : 0;
}

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    const weft_lattice *lattice = &pattern->topology->lattice;
    instance *self = pattern->self;
    self->hops = (uint32_t)((const settings *)given)->hops;
    uint32_t width = self->hops + 1;
    for (uint32_t d = 0; d < lattice->dims; d++)
        if (!lattice->wraps[d] && lattice->size[d] > 2) /* two routers are as good as a ring */
            return weft_fail(err, WEFT_BAD_INPUT,
                             "pattern hop-uniform needs rings in every dimension; %s has none",
                             pattern->topology->kind->base.name);
    if (lattice->dims == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern hop-uniform needs a topology with coordinates; %s has none",
                         pattern->topology->kind->base.name);
    self->count = weft_alloc(sizeof(uint32_t) * width * (lattice->dims + 1));
    self->count[lattice->dims * width] = 1;
    for (uint32_t d = lattice->dims; d-- > 0;)
        for (uint32_t r = 0; r < width; r++)
            for (uint32_t h = 0; h <= r && h <= lattice->size[d] / 2; h++)
                self->count[d * width + r] +=
                    places(lattice->size[d], h) * self->count[(d + 1) * width + r - h];
    if (self->count[self->hops] == 0) {
        free(self->count);
        self->count = NULL;
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern hop-uniform: no router is %u hops away in this network",
                         self->hops);
    }
    return WEFT_OK;
}

static void done(weft_pattern *pattern)
{
    free(((instance *)pattern->self)->count);
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    const weft_topology *topology = pattern->topology;
    const instance *self = pattern->self;
    uint32_t width = self->hops + 1, left = self->hops, to = 0;
    uint32_t number = weft_random_below(random, self->count[self->hops]);
    uint32_t stride = topology->routers, rest = source / topology->concentration;
    for (uint32_t d = 0; d < topology->lattice.dims; d++) {
        uint32_t size = topology->lattice.size[d], h = 0, below, ways;
        stride /= size;
        uint32_t at = rest / stride;
        rest %= stride;
        for (;; h++) {
            below = self->count[(d + 1) * width + left - h];
            ways = places(size, h) * below;
            if (number < ways)
                break;
            number -= ways;
        }
        bool down = number >= below; /* the second of two places */
        number %= below;
        left -= h;
        to += (at + (down ? size - h : h)) % size * stride;
    }
    return to * topology->concentration + weft_random_below(random, topology->concentration);
}

/* Hops between two routers along the rings. */
static uint32_t ring_distance(const weft_lattice *lattice, uint32_t from, uint32_t to)
{
    uint32_t hops = 0;
    for (uint32_t d = lattice->dims; d-- > 0;) {
        uint32_t size = lattice->size[d], up = (to % size + size - from % size) % size;
        hops += up < size - up ? up : size - up;
        from /= size;
        to /= size;
    }
    return hops;
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    const weft_topology *topology = pattern->topology;
    const instance *self = pattern->self;
    double share = 1 / ((double)self->count[self->hops] * topology->concentration);
    for (uint32_t r = 0; r < topology->routers; r++)
        if (ring_distance(&topology->lattice, source / topology->concentration, r) == self->hops)
            each(user, r * topology->concentration, topology->concentration, share);
}

static double mean_hops(const weft_pattern *pattern)
{
    return ((const instance *)pattern->self)->hops;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return weft_endpoints(pattern->topology);
}

const weft_pattern_kind weft_pattern_hop_uniform = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "hop-uniform",
             .brief = "every endpoint exactly h hops away equally likely",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(instance)},
    .build = build,
    .done = done,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
    .odds = odds,
    .invariant = true,
};
