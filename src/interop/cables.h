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
} weft_cables;

/* Lists the cables: of a fabric in file order, of others by router and port of their lower end. */
void weft_cables_init(weft_cables *cables, const weft_topology *topology);
void weft_cables_done(weft_cables *cables);
const char *weft_cables_class(uint32_t class);

#endif
