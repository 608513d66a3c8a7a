/* SPDX-License-Identifier: Apache-2.0 */
/* The senders (pattern->from) and receivers (pattern->to) of a pattern. Engines and bounds call
 * these functions, because a kind alone knows only the case of all endpoints. */
#ifndef WEFT_NET_TRAFFIC_COMMON_PATTERN_ENDPOINTS_H
#define WEFT_NET_TRAFFIC_COMMON_PATTERN_ENDPOINTS_H

#include "interweft/routing.h"
#include "interweft/traffic.h"

/* Fails unless this kind of pattern supports its senders and receivers; call before it is built. */
WEFT_MUST_USE weft_status weft_pattern_endpoints_check(const weft_pattern *pattern,
                                                       weft_error *err);

typedef struct weft_pattern_endpoints {
    uint32_t senders;
    /* Router-to-router hops of a message; exact up to 2^24 pairs of a sender and a router, beyond
     * that the mean over an evenly spaced sample of senders. */
    double mean_hops;
} weft_pattern_endpoints;

/* Computes them for a pattern that has been built; sets its mean_weight. */
weft_pattern_endpoints weft_pattern_endpoints_find(weft_pattern *pattern);

/* Mean hops of a message on the routes of a routing with `path_length`; NULL: on minimal routes.
 * Exact as above. */
double weft_pattern_endpoints_hops(const weft_pattern *pattern, const weft_routing *routing);

/* Does every endpoint send to all others alike? */
bool weft_pattern_endpoints_uniform(const weft_pattern *pattern);

static inline bool weft_pattern_endpoints_may_send(const weft_pattern *pattern, uint32_t source)
{
    return !pattern->from || weft_host_set_has(pattern->from, source);
}

/* Messages of a sender relative to the mean of all senders. */
static inline double weft_pattern_endpoints_weight(const weft_pattern *pattern, uint32_t source)
{
    if (!pattern->kind->weight)
        return 1;
    return pattern->kind->weight(pattern, source) / pattern->mean_weight;
}

#endif
