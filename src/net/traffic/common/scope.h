/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes: parts of the network relative to an endpoint (its own group, a few hops away, beyond),
 * each with its share of the messages. Pattern locality is a list of scopes. */
#ifndef WEFT_NET_TRAFFIC_COMMON_SCOPE_H
#define WEFT_NET_TRAFFIC_COMMON_SCOPE_H

#include "interweft/component.h"

enum { WEFT_WITHIN_ROUTER, WEFT_WITHIN_GROUP, WEFT_WITHIN_INNER };

typedef struct weft_scope { /* settings of every kind; each uses its own part */
    int within;
    weft_ints hops;
    int64_t beyond;
    double share;
} weft_scope;

extern const weft_component weft_scope_within, weft_scope_hops, weft_scope_beyond;

/* NULL-terminated. */
extern const weft_component *const weft_scope_kinds[];

#endif
