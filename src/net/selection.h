/* SPDX-License-Identifier: Apache-2.0 */
/* Selections as seen by routers. */
#ifndef WEFT_NET_SELECTION_H
#define WEFT_NET_SELECTION_H

#include "interweft/routing.h"
#include "net/kinds.h"

/* True if the routing's selection wants routers to prefer the port with the shortest queue. A
 * plug-in may be older than this member. */
static inline bool weft_selection_looks(const weft_routing *routing)
{
    const weft_selection_kind *kind = routing->selection;
    return kind && kind->looks;
}

#endif
