/* SPDX-License-Identifier: Apache-2.0 */
/* A hypercube: two routers along every dimension, one port each. */
#include "net/topology.h"
#include "net/topology/common/lattice.h"

typedef struct settings {
    int64_t dimensions;
    int64_t hosts;
    weft_ints global;
} settings;

static const weft_param params[] = {
    {.name = "dimensions",
     .brief = "number of dimensions n; the network has 2^n routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, dimensions),
     .min = 1,
     .max = WEFT_DIMS_MAX},
    WEFT_GRID_HOSTS(settings),
    WEFT_GRID_GLOBAL(settings),
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    weft_ints dims = {.count = (int32_t)set->dimensions};
    for (int32_t d = 0; d < dims.count; d++)
        dims.at[d] = 2;
    const weft_lattice_plan plan = {
        .dims = &dims, .global = &set->global, .hosts = set->hosts, .wraps = true};
    return weft_lattice_build(topology, &plan, err);
}

WEFT_LATTICE_KIND(hypercube, "two routers along each of n dimensions", NULL);
