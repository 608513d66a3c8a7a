/* SPDX-License-Identifier: Apache-2.0 */
/* The cables of any topology as a list. */
#ifndef WEFT_INTEROP_CABLES_H
#define WEFT_INTEROP_CABLES_H

#include "net/topology/common/weftnet.h"

typedef struct weft_cables {
    weft_cable *at;
    size_t count;
    /* Links are unidirectional: each is in the list, from end[0] to end[1]. */
    bool one_way;
    size_t down;    /* cables with a fault, which are not in the list */
    size_t *number; /* of each in the file of its fabric; NULL: as in the list */
    bool *gone;     /* [routers]: without endpoints, and all its cables are down; NULL: none is */
} weft_cables;

/* Lists the cables without faults: of a fabric in file order, of others by router and port of their
 * lower end. */
void weft_cables_init(weft_cables *cables, const weft_topology *topology);
void weft_cables_done(weft_cables *cables);
/* Routers that are not gone. */
uint32_t weft_cables_routers(const weft_cables *cables, const weft_topology *topology);
static inline bool weft_cables_gone(const weft_cables *cables, uint32_t router)
{
    return cables->gone && cables->gone[router];
}
const char *weft_cables_class(uint32_t class);

#endif
