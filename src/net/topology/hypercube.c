/* SPDX-License-Identifier: Apache-2.0 */
/* A hypercube: two routers along every dimension, one port each. */
#include "net/lattice.h"
#include "net/topology.h"

typedef struct settings {
    int64_t dimensions;
    int64_t hosts;
} settings;

static const weft_param params[] = {
    {.name = "dimensions",
     .brief = "number of dimensions n; the network has 2^n routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, dimensions),
     .min = 1,
     .max = WEFT_DIMS_MAX},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = 256},
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    weft_ints dims = {.count = (int32_t)set->dimensions};
    for (int32_t d = 0; d < dims.count; d++)
        dims.at[d] = 2;
    return weft_lattice_build(topology, &dims, set->hosts, true, WEFT_TIE_POSITIVE, err);
}

const weft_topology_kind weft_topology_hypercube = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "hypercube",
             .brief = "two routers along each of n dimensions",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(weft_lattice_self)},
    .build = build,
    .peer = weft_lattice_peer,
    .distance = weft_lattice_distance,
    .mean_distance = weft_lattice_mean_distance,
    .aim = weft_lattice_aim,
    .ways = weft_lattice_ways,
};
