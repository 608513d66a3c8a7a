/* SPDX-License-Identifier: Apache-2.0 */
/* Random placement: the long-run result of a job scheduler that ignores the network. */
#include "net/traffic/common/shuffle.h"
#include "net/traffic/placement.h"

typedef struct settings {
    int64_t seed;
} settings;

static const weft_param params[] = {
    {.name = "seed",
     .brief = "another one gives another order, whatever the scenario's seed is",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, seed),
     .fallback = "1",
     .min = 0,
     .max = 1e18},
    {.name = NULL},
};

static weft_shuffle order(const weft_topology *topology, const void *given)
{
    return weft_shuffle_make((uint64_t)((const settings *)given)->seed,
                             weft_topology_endpoints(topology));
}

static uint32_t endpoint(const weft_topology *topology, const void *given, uint32_t task)
{
    weft_shuffle shuffle = order(topology, given);
    return weft_shuffle_at(&shuffle, task);
}

static uint32_t task(const weft_topology *topology, const void *given, uint32_t at)
{
    weft_shuffle shuffle = order(topology, given);
    return weft_shuffle_place(&shuffle, at);
}

const weft_placement_kind weft_placement_random = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_placement_kind),
             .name = "random",
             .brief = "tasks at endpoints in a random order",
             .params = params,
             .settings_size = sizeof(settings)},
    .endpoint = endpoint,
    .task = task,
};
