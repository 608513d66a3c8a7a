/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology.h"

#include <assert.h>

weft_status weft_topology_build(weft_topology *topology, const void *settings, weft_error *err)
{
    WEFT_TRY(topology->kind->build(topology, settings, err));
    if (topology->homes == 0)
        topology->homes = topology->routers;
    if (topology->classes == 0)
        topology->classes = 1;
    if (topology->bits == 0)
        topology->bits = 32;
    for (uint32_t p = 0; p < topology->ports; p++)
        if (topology->lanes[p] == 0)
            topology->lanes[p] = (uint8_t)topology->classes;
    assert(topology->ports <= WEFT_PORTS_MAX && topology->routers > 0 && topology->hosts > 0);
    assert(topology->homes + topology->exit <= topology->routers);
    return WEFT_OK;
}
