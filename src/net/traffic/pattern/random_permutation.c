/* SPDX-License-Identifier: Apache-2.0 */
/* All endpoints (or those of a set) form one cycle in a random order; each sends to the next, so
 * each has one destination and one source. */
#include "net/traffic/common/permutation.h"
#include "net/traffic/common/shuffle.h"
#include "net/traffic/pattern.h"

#include <stddef.h>

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
    weft_shuffle order;
} instance;

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    const instance *self = pattern->self;
    uint32_t place = weft_shuffle_place(&self->order, source);
    return weft_shuffle_at(&self->order, place + 1 < self->order.count ? place + 1 : 0);
}

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    instance *self = pattern->self;
    (void)err;
    self->order = weft_shuffle_make((uint64_t)((const settings *)given)->seed,
                                    weft_permutation_size(pattern));
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
    .confines = WEFT_CONFINES_RANKS,
};
