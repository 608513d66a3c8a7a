/* SPDX-License-Identifier: Apache-2.0 */
/* A torus (k-ary n-cube): a ring along every dimension. */
#include "net/lattice.h"
#include "net/topology.h"

typedef struct settings {
    weft_ints dims;
    int64_t hosts;
    int tie;
} settings;

static const weft_param params[] = {
    WEFT_LATTICE_DIMS(settings),
    WEFT_LATTICE_HOSTS(settings),
    {.name = "tie",
     .brief = "direction of a packet that is half a ring away",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, tie),
     .fallback = "random",
     .choices = weft_tie_names},
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    return weft_lattice_build(topology, &set->dims, set->hosts, true, (weft_tie)set->tie, err);
}

WEFT_LATTICE_KIND(torus, "rings along every dimension (k-ary n-cube, any sizes)");
