/* SPDX-License-Identifier: Apache-2.0 */
/* Assignment of VCs to classes that keep the channel dependency graph acyclic, for routers with
 * finite buffers (Dally and Seitz 1987).
 *
 * In dimension order cyclic dependencies arise on closed rings only. There the VCs have two
 * classes: one for packets with the dateline ahead, one for the others. A packet takes its class
 * where it enters a dimension and keeps it along the dimension, or the class is found anew at every
 * hop. The first is as safe on minimal routes, because no packet that crosses the dateline uses the
 * link opposite of it, and loads the classes more evenly. */
#ifndef WEFT_NET_ROUTING_COMMON_VCS_H
#define WEFT_NET_ROUTING_COMMON_VCS_H

#include "interweft/routing.h"
#include "net/topology/common/lattice.h"

#define WEFT_VCS_OF(count) ((uint16_t)((1u << (count)) - 1)) /* VCs 0 … count − 1 */

/* Divides all VCs for dimension order; fails if there are fewer VCs than classes. */
WEFT_MUST_USE weft_status weft_vcs_share(weft_routing *routing, uint32_t vcs, weft_error *err);

/* The VCs of the class of a VC. */
static inline uint16_t weft_vcs_same(const weft_vc_plan *plan, unsigned vc)
{
    return plan->dateline[(plan->dateline[0] >> vc) & 1 ? 0 : 1];
}

/* Writes a candidate. */
static inline void weft_vcs_put(const weft_minimal_port *way, uint16_t vcs, weft_candidate *out)
{
    out->port = way->port;
    out->escape = 0;
    out->vcs = vcs;
    out->next_header = way->next_header;
}

/* Writes the only candidate of a packet in dimension order. keep: the packet keeps its class along
 * a dimension. Returns 1. */
unsigned weft_vcs_find(const weft_routing *routing, const weft_route_context *here, bool keep,
                       weft_candidate *out);

/* The same on a lattice, where the packet keeps its class. */
static inline __attribute__((always_inline)) void
weft_vcs_on_lattice(const weft_routing *routing, const weft_route_context *here,
                    weft_candidate *out)
{
    const weft_lattice_self *lattice = routing->plan.precomputed;
    const weft_lattice_field *field = &lattice->field[__builtin_ctz(here->header)];
    weft_minimal_port way = weft_lattice_way(field, here->header);
    if ((uint32_t)here->port - field->port < field->ports) /* not WEFT_FROM_ENDPOINT */
        weft_vcs_put(&way, weft_vcs_same(&routing->plan, here->vc), out);
    else
        weft_vcs_put(
            &way,
            routing->plan.dateline[weft_lattice_passes(lattice, field, here->router, &way) ? 0 : 1],
            out);
}

/* The same, with a fast path for a packet that continues along a dimension of a lattice: at least
 * half of all hops. */
static inline unsigned weft_vcs_next(const weft_routing *routing, const weft_route_context *here,
                                     bool keep, weft_candidate *out)
{
    const weft_lattice_self *lattice = routing->plan.precomputed;
    if (!lattice || !keep)
        return weft_vcs_find(routing, here, keep, out);
    const weft_lattice_field *field = &lattice->field[__builtin_ctz(here->header)];
    if ((uint32_t)here->port - field->port >= field->ports) /* also WEFT_FROM_ENDPOINT */
        return weft_vcs_find(routing, here, keep, out);
    weft_minimal_port way = weft_lattice_way(field, here->header);
    weft_vcs_put(&way, weft_vcs_same(&routing->plan, here->vc), out);
    return 1;
}

#endif
