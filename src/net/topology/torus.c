/* SPDX-License-Identifier: Apache-2.0 */
/* A torus (k-ary n-cube): a ring along every dimension. */
#include "net/topology.h"
#include "net/topology/common/lattice.h"

typedef struct settings {
    weft_ints dims;
    weft_ints global;
    int64_t hosts;
    int tie;
} settings;

static const weft_param params[] = {
    WEFT_GRID_DIMS(settings),
    WEFT_GRID_HOSTS(settings),
    {.name = "tie",
     .brief = "direction of a packet that is half a ring away",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, tie),
     .fallback = "random",
     .choices = weft_tie_names},
    WEFT_GRID_GLOBAL(settings),
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    const weft_lattice_plan plan = {.dims = &set->dims,
                                    .global = &set->global,
                                    .hosts = set->hosts,
                                    .wraps = true,
                                    .tie = (weft_tie)set->tie};
    return weft_lattice_build(topology, &plan, err);
}

WEFT_LATTICE_KIND(torus, "rings along every dimension (k-ary n-cube, any sizes)", weft_lattice_vc);
