/* SPDX-License-Identifier: Apache-2.0 */
/* Selections as routers ask them. */
#ifndef WEFT_NET_SELECTION_H
#define WEFT_NET_SELECTION_H

#include "interweft/routing.h"
#include "net/kinds.h"

/* Does its selection want the router to look? A plug-in may be older than that. */
static inline bool weft_selection_looks(const weft_routing *routing)
{
    const weft_selection_kind *kind = routing->selection;
    return kind && kind->looks;
}

#endif
