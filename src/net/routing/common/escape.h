/* SPDX-License-Identifier: Apache-2.0 */
/* Escape VCs (Duato 1993), for routings with several candidates.
 *
 * The lowest VCs are a deadlock-free escape path: the first minimal port (dimension order), with
 * the VC classes of the topology. All other VCs are open to every minimal port the routing allows.
 * A packet may take the escape path whenever no open VC can take it, and leave it at the next
 * router, because it requests both at every hop; its VC class is therefore found anew at every hop.
 * Where all minimal routes follow one order of the links (trees), no escape path is needed: all VCs
 * are open. */
#ifndef WEFT_NET_ROUTING_COMMON_ESCAPE_H
#define WEFT_NET_ROUTING_COMMON_ESCAPE_H

#include "net/routing/common/vc_plan.h"

/* The parameter `escape`, an int64_t. */
#define WEFT_ESCAPE_VCS(settings, field)                                                           \
    {                                                                                              \
        .name = "escape",                                                                          \
        .brief = "virtual channels set aside for the escape path, in routers that have them; "     \
                 "none: as many as it needs, 2 where rings close, 0 on trees, else 1",             \
        .type = WEFT_PARAM_INT, .offset = offsetof(settings, field), .fallback = "none", .min = 0, \
        .max = 15,                                                                                 \
    }

/* Assigns the VCs; given: the value of the parameter. */
WEFT_MUST_USE weft_status weft_escape_share(weft_routing *routing, int64_t given, uint32_t vcs,
                                            weft_error *err);

/* Number of escape candidates of a packet: 1, or 0 where all VCs are open. */
static inline unsigned weft_escape_one(const weft_routing *routing)
{
    return routing->plan.open != WEFT_VCS_OF(routing->plan.n_vcs);
}

/* Writes the candidates: these ports on open VCs, then the first minimal port as an escape; returns
 * their number. */
static inline unsigned weft_escape_put(const weft_routing *routing, uint32_t router,
                                       const weft_minimal_port *first,
                                       const weft_minimal_port *ways, unsigned count,
                                       weft_candidate *out)
{
    for (unsigned i = 0; i < count; i++)
        weft_vcs_put(&ways[i], routing->plan.open, &out[i]);
    if (!weft_escape_one(routing))
        return count;
    weft_vcs_put(first, weft_phase_vcs(routing, 0, router, first), &out[count]);
    out[count].escape = 1;
    return count + 1;
}

#endif
