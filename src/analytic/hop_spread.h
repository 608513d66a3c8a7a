/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of the messages of a pattern on a k × k torus, by dimension. */
#ifndef WEFT_ANALYTIC_HOP_SPREAD_H
#define WEFT_ANALYTIC_HOP_SPREAD_H

#include "interweft/component.h"
#include "interweft/status.h"

typedef struct weft_hop_spread {
    uint32_t half; /* ⌊k/2⌋, the greatest distance in a dimension */
    double *share; /* of messages that travel x and y hops: share[x * (half + 1) + y] */
    double mean;   /* hops */
} weft_hop_spread;

/* `pattern` is a kind of the family pattern with its settings. Fails if it cannot be built on such
 * a torus, or has no `odds`. */
WEFT_MUST_USE weft_status weft_hop_spread_find(weft_hop_spread *spread, uint32_t k,
                                               const weft_kind_ref *pattern, weft_error *err);
void weft_hop_spread_done(weft_hop_spread *spread);
/* Share of messages that travel h hops. */
double weft_hop_spread_of(const weft_hop_spread *spread, uint32_t h);

#endif
