/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology.h"

#include "net/contract.h"

#include <assert.h>

weft_status weft_topology_build(weft_topology *topology, const void *settings, weft_error *err)
{
    WEFT_TRY(topology->kind->build(topology, settings, err));
    if (topology->edge_routers == 0)
        topology->edge_routers = topology->routers;
    if (topology->max_vc_classes == 0)
        topology->max_vc_classes = 1;
    if (topology->header_bits == 0)
        topology->header_bits = 32;
    for (uint32_t p = 0; p < topology->ports; p++)
        if (topology->vc_classes[p] == 0)
            topology->vc_classes[p] = (uint8_t)topology->max_vc_classes;
    if (topology->kind->base.foreign)
        WEFT_TRY(weft_contract_topology(topology, err));
    assert(topology->ports <= WEFT_PORTS_MAX && topology->routers > 0 &&
           topology->concentration > 0);
    assert(topology->edge_routers + topology->egress_offset <= topology->routers);
    return WEFT_OK;
}
