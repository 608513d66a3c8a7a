/* SPDX-License-Identifier: Apache-2.0 */
/* The parties of a pattern: who sends (pattern->from) and who receives (pattern->to). Engines
 * and bounds ask here what a kind alone can say only of all endpoints. */
#ifndef WEFT_NET_TRAFFIC_COMMON_PATTERN_ENDPOINTS_H
#define WEFT_NET_TRAFFIC_COMMON_PATTERN_ENDPOINTS_H

#include "interweft/routing.h"
#include "interweft/traffic.h"

/* Can this kind of pattern do with them? Before it is built. */
WEFT_MUST_USE weft_status weft_pattern_endpoints_check(const weft_pattern *pattern,
                                                       weft_error *err);

typedef struct weft_pattern_endpoints {
    uint32_t senders;
    /* router to router, of a message; exact up to 2^24 pairs of a sender and a router, beyond
     * that the mean of senders that lie evenly spread */
    double mean_hops;
} weft_pattern_endpoints;

/* Of a pattern that has been built; sets its mean_weight. */
weft_pattern_endpoints weft_pattern_endpoints_find(weft_pattern *pattern);

/* Mean hops of a message on the routes of a routing that tells them (its `between`); NULL: on
 * minimal ones. Exact as above. */
double weft_pattern_endpoints_hops(const weft_pattern *pattern, const weft_routing *routing);

static inline bool weft_pattern_endpoints_may_send(const weft_pattern *pattern, uint32_t source)
{
    return !pattern->from || weft_host_set_has(pattern->from, source);
}

/* Messages of a source that sends, relative to the mean of all that send. */
static inline double weft_pattern_endpoints_weight(const weft_pattern *pattern, uint32_t source)
{
    if (!pattern->kind->weight)
        return 1;
    return pattern->kind->weight(pattern, source) / pattern->mean_weight;
}

#endif
