/* SPDX-License-Identifier: Apache-2.0 */
/* West-first (Glass and Ni 1992) for meshes: what has to go down along dimension 0 goes there first, then any minimal
 * way. No packet ever turns west, so none can wait in a circle, with one virtual channel or many. */
#include <interweft/interweft.h>

static weft_status share(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    routing->plan = (weft_lane_plan){.lanes = lanes, .open = (uint16_t)((1u << lanes) - 1)};
    if (routing->topology->lattice.dims == 2 && !routing->topology->transitive)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "routing west-first needs a mesh of two dimensions");
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    (void)random;
    const weft_topology *mesh = routing->topology;
    weft_way ways[2];
    unsigned count = mesh->kind->ways(mesh, here->router, here->route, 2, ways);
    if (ways[0].dim == 0 && mesh->lattice.port_step[ways[0].port] < 0)
        count = 1; /* west */
    for (unsigned i = 0; i < count; i++)
        out[i] = (weft_hop){(uint8_t)ways[i].port, 0, routing->plan.open, ways[i].after};
    return count;
}

static const weft_routing_kind west_first = {
    .base = {WEFT_ABI, sizeof west_first, "west-first", "west, then any minimal way", NULL, 0, 0},
    .share = share,
    .hops = hops,
    .blind = true,
    .minimal = true};
static const weft_plugin_item items[] = {{"routing", &west_first.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "west-first", items};

const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
