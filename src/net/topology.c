/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology.h"

#include "net/contract.h"

#include <assert.h>

static void add_row(weft_topology *topology, uint32_t first)
{
    weft_topology_cut *cut = &topology->cut;
    if (cut->n_rows < WEFT_DIMS_MAX && first < topology->routers &&
        (cut->n_rows == 0 || first > cut->row[cut->n_rows - 1]))
        cut->row[cut->n_rows++] = first;
}

/* Rows and units of a kind that says nothing of them. */
static void complete_cut(weft_topology *topology)
{
    weft_topology_cut *cut = &topology->cut;
    if (cut->n_rows == 0) {
        add_row(topology, 0);
        add_row(topology, topology->edge_routers);
        for (uint32_t i = 0; i < topology->n_tiers; i++)
            if (topology->tiers[i].first > topology->edge_routers)
                add_row(topology, topology->tiers[i].first);
    }
    if (cut->n_units > 0)
        return;
    for (uint32_t i = topology->n_nested; i-- > 0;)
        cut->unit[cut->n_units++] = topology->nested[i];
    if (cut->n_units == 0 && topology->group > 1)
        cut->unit[cut->n_units++] = topology->group;
}

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
    complete_cut(topology);
    if (topology->kind->base.foreign)
        WEFT_TRY(weft_contract_topology(topology, err));
    assert(topology->ports <= WEFT_PORTS_MAX && topology->routers > 0 &&
           topology->concentration > 0);
    assert(topology->edge_routers + topology->egress_offset <= topology->routers);
    return WEFT_OK;
}

uint32_t weft_topology_farthest(const weft_topology *topology)
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t hops = 0;
    if (topology->kind->closed_form.diameter)
        return topology->kind->closed_form.diameter(topology);
    for (uint32_t d = 0; d < lattice->dims; d++)
        hops += lattice->full ? 1 : lattice->wraps[d] ? lattice->size[d] / 2 : lattice->size[d] - 1;
    return hops;
}
