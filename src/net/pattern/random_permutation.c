/* SPDX-License-Identifier: Apache-2.0 */
/* All endpoints stand in a circle in a random order; each sends to the next, so everybody sends and receives once. The
 * order is never written down: a Feistel network of four rounds over the next even number of bits is a permutation of the
 * numbers, walked on until it comes back to an endpoint (M. Luby and C. Rackoff, 1988; J. Black and P. Rogaway, 2002). */
#include "net/pattern.h"
#include "net/permutation.h"
#include "net/spread.h"

#include <stddef.h>

#define ROUNDS 4u

typedef struct settings {
    int64_t seed;
} settings;

static const weft_param params[] = {
    {.name = "seed",
     .brief = "another one gives another permutation, whatever the scenario's seed is",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, seed),
     .fallback = "1",
     .min = 0,
     .max = 1e18},
    {.name = NULL},
};

typedef struct instance {
    weft_permutation common; /* first: the functions of permutations know it */
    uint64_t seed;
    uint32_t half; /* bits of half a number */
} instance;

static uint32_t round_of(const instance *self, uint32_t number, uint32_t value)
{
    uint64_t x = self->seed + ((uint64_t)value << 2 | number) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u; /* SplitMix64 */
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(x >> 40) & ((1u << self->half) - 1);
}

/* One pass over numbers of 2 × half bits; backwards undoes it. */
static uint32_t pass(const instance *self, uint32_t number, bool backwards)
{
    uint32_t high = number >> self->half, low = number & ((1u << self->half) - 1), swap;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (backwards) {
            swap = high;
            high = low ^ round_of(self, ROUNDS - 1 - i, high);
            low = swap;
        } else {
            swap = low;
            low = high ^ round_of(self, i, low);
            high = swap;
        }
    }
    return high << self->half | low;
}

static uint32_t walk(const instance *self, uint32_t number, uint32_t endpoints, bool backwards)
{
    do
        number = pass(self, number, backwards);
    while (number >= endpoints);
    return number;
}

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    const instance *self = pattern->self;
    uint32_t endpoints = weft_endpoints(pattern->topology);
    uint32_t place = walk(self, source, endpoints, true);
    return walk(self, place + 1 < endpoints ? place + 1 : 0, endpoints, false);
}

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    instance *self = pattern->self;
    (void)err;
    self->seed = (uint64_t)((const settings *)given)->seed;
    self->half = 1;
    while (self->half < 16 && (uint64_t)1 << 2 * self->half < weft_endpoints(pattern->topology))
        self->half++;
    weft_permutation_build(pattern, map);
    return WEFT_OK;
}

const weft_pattern_kind weft_pattern_random_permutation = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "random-permutation",
             .brief = "all endpoints in a random circle, each to the next",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(instance)},
    .build = build,
    .destination = weft_permutation_destination,
    .mean_hops = weft_permutation_mean_hops,
    .senders = weft_permutation_senders,
    .odds = weft_permutation_odds,
};
