/* SPDX-License-Identifier: Apache-2.0 */
/* How connections fill the entries of a VL arbitration table. Connections of a VL share entries: a
 * new one adds its weight to the VL's last entry up to 255, and the rest to free entries. Entries
 * are freed when the last connection of their VL has ended; until then a connection that ends
 * leaves its weight behind. */
#ifndef WEFT_SCHED_VL_FILLING_H
#define WEFT_SCHED_VL_FILLING_H

#include "sched/vl_arbitration.h"

typedef struct weft_vl_filling {
    weft_vl_table table; /* entries of weight 0 are free */
    uint32_t connections[WEFT_VLS];
} weft_vl_filling;

/* No connections; so many entries, at most WEFT_VL_ENTRIES. */
void weft_vl_filling_reset(weft_vl_filling *filling, uint32_t entries);
/* A connection of this weight (not 0) comes. False: there are not enough entries, and nothing
 * changes. */
bool weft_vl_filling_add(weft_vl_filling *filling, uint32_t vl, uint64_t weight);
/* A connection of the VL ends. */
void weft_vl_filling_end(weft_vl_filling *filling, uint32_t vl);

#endif
