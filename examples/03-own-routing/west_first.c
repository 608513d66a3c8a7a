/* SPDX-License-Identifier: Apache-2.0 */
/* West-first (Glass and Ni 1992) for meshes: what has to go down along dimension 0 goes there first, then any minimal
 * way. No packet ever turns west, so none can wait in a circle, with one virtual channel or many. */
#include <interweft/interweft.h>

static weft_status assign_vcs(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    routing->plan = (weft_vc_plan){.n_vcs = lanes, .open = (uint16_t)((1u << lanes) - 1)};
    if (routing->topology->lattice.dims == 2 && !routing->topology->vertex_transitive)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "routing west-first needs a mesh of two dimensions");
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here, weft_random *random,
                     weft_candidate *out)
{
    (void)random;
    const weft_topology *mesh = routing->topology;
    weft_minimal_port ways[2];
    unsigned count = mesh->kind->minimal_ports(mesh, here->router, here->header, 2, ways);
    if (ways[0].dim == 0 && mesh->lattice.port_step[ways[0].port] < 0)
        count = 1; /* west */
    for (unsigned i = 0; i < count; i++)
        out[i] = (weft_candidate){(uint8_t)ways[i].port, 0, routing->plan.open, ways[i].next_header};
    return count;
}

static const weft_routing_kind west_first = {
    .base = {WEFT_ABI, sizeof west_first, "west-first", "west, then any minimal way", NULL, 0, 0},
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .input_independent = true,
    .always_minimal = true};
static const weft_plugin_item items[] = {{"routing", &west_first.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "west-first", items};

const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
