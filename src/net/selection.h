/* SPDX-License-Identifier: Apache-2.0 */
/* The selection kinds that are built in: one line each in selection/list.def. */
#ifndef WEFT_NET_SELECTION_H
#define WEFT_NET_SELECTION_H

#include "interweft/routing.h"

#define SELECTION(name) extern const weft_selection_kind weft_selection_##name;
#include "net/selection/list.def"
#undef SELECTION

/* Does its selection want the router to look? A plug-in may be older than that. */
static inline bool weft_selection_looks(const weft_routing *routing)
{
    const weft_selection_kind *kind = routing->selection;
    return kind && kind->base.size >= sizeof *kind && kind->looks;
}

/* Ends with NULL. */
extern const weft_component *const weft_selection_kinds[];

#endif
