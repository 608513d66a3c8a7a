/* SPDX-License-Identifier: Apache-2.0 */
/* West-first (Glass and Ni 1992) for meshes: a packet that has to go down along dimension 0 does
 * so first, then takes any minimal port. No packet ever turns west, so the channel dependency
 * graph is acyclic, with one VC or many. */
#include <interweft/interweft.h>

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_lattice *at = &routing->topology->lattice;
    if (at->dims == 2 && !at->wraps[0] && !at->wraps[1] && !at->full)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "routing west-first needs a mesh of two dimensions");
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *at,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    const weft_topology *mesh = routing->topology;
    weft_minimal_port ports[2];
    unsigned count = mesh->kind->minimal_ports(mesh, at->router, at->header, 2, ports);
    if (ports[0].dim == 0 && mesh->lattice.port_step[ports[0].port] < 0)
        count = 1; /* west */
    uint16_t vcs = routing->plan.open;
    for (unsigned i = 0; i < count; i++)
        out[i] = (weft_candidate){ports[i].port, 0, vcs, ports[i].next_header};
    return count;
}

static const weft_routing_kind west_first = {.base = {.abi = WEFT_ABI,
                                                      .size = sizeof west_first,
                                                      .name = "west-first",
                                                      .brief = "west, then any minimal port"},
                                             .candidates = candidates,
                                             .assign_vcs = weft_assign_all_vcs,
                                             .check = check,
                                             .always_minimal = true};
static const weft_plugin_item items[] = {{"routing", &west_first.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "west-first", items};

const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
