/* SPDX-License-Identifier: Apache-2.0 */
/* A mesh: a line along every dimension. */
#include "net/lattice.h"
#include "net/topology.h"

typedef struct settings {
    weft_ints dims;
    int64_t hosts;
} settings;

static const weft_param params[] = {
    {.name = "dims",
     .brief = "routers along each dimension",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, dims),
     .min = 2,
     .max = 65535},
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
    return weft_lattice_build(topology, &set->dims, set->hosts, false, WEFT_TIE_POSITIVE, err);
}

const weft_topology_kind weft_topology_mesh = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "mesh",
             .brief = "lines along every dimension, no wrap-around",
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
