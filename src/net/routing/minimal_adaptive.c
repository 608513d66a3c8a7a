/* SPDX-License-Identifier: Apache-2.0 */
/* Minimal adaptive routing: all minimal ports in the selection's order; the router takes the first
 * idle one. With finite buffers there is an escape path too (net/routing/common/escape.h). */
#include "net/routing.h"
#include "net/routing/common/escape.h"
#include "net/routing/common/minimal.h"

typedef struct settings {
    weft_minimal_settings minimal; /* first: weft_minimal_selection reads it */
    int64_t escape;
} settings;

static const weft_param params[] = {
    WEFT_MINIMAL_SELECTION(settings, minimal.selection),
    WEFT_ESCAPE_VCS(settings, escape),
    {.name = NULL},
};

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    return weft_escape_share(routing, ((const settings *)routing->settings)->escape, vcs, err);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned most = WEFT_MINIMAL_PORTS_MAX - weft_escape_one(routing);
    unsigned count =
        topology->kind->minimal_ports(topology, here->router, here->header, most, ways);
    weft_minimal_port first = ways[0];
    weft_minimal_rank(routing, ways, count, count, random);
    return weft_escape_put(routing, here->router, &first, ways, count, out);
}

const weft_routing_kind weft_routing_minimal_adaptive = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "minimal-adaptive",
             .brief = "every minimal port, the selection's favourite idle one first",
             .params = params,
             .settings_size = sizeof(settings)},
    .selection = weft_minimal_selection,
    .ports_wanted = WEFT_MINIMAL_PORTS_MAX,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .always_minimal = true,
    .proof.translation_invariant = true,
    .proof.input_independent = true,
    .proof.dimension_ordered = true,
};
