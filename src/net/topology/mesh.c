/* SPDX-License-Identifier: Apache-2.0 */
/* A mesh: a line along every dimension. */
#include "net/topology.h"
#include "net/topology/common/lattice.h"

typedef struct settings {
    weft_ints dims;
    weft_ints global;
    int64_t hosts;
} settings;

static const weft_param params[] = {
    WEFT_GRID_DIMS(settings),
    WEFT_GRID_HOSTS(settings),
    WEFT_GRID_GLOBAL(settings),
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    const weft_lattice_plan plan = {
        .dims = &set->dims, .global = &set->global, .hosts = set->hosts};
    return weft_lattice_build(topology, &plan, err);
}

WEFT_LATTICE_KIND(mesh, "lines along every dimension, no wrap-around", NULL);
