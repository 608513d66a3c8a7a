/* SPDX-License-Identifier: Apache-2.0 */
/* A mesh: a line along every dimension. */
#include "net/lattice.h"
#include "net/topology.h"

typedef struct settings {
    weft_ints dims;
    int64_t hosts;
} settings;

static const weft_param params[] = {
    WEFT_LATTICE_DIMS(settings),
    WEFT_LATTICE_HOSTS(settings),
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    return weft_lattice_build(topology, &set->dims, set->hosts, false, WEFT_TIE_POSITIVE, err);
}

WEFT_LATTICE_KIND(mesh, "lines along every dimension, no wrap-around");
