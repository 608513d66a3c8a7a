/* SPDX-License-Identifier: Apache-2.0 */
/* How a source changes its rate when it is told of congestion. Every packet is acknowledged; an ACK
 * that is not marked raises the rate of its flow, a marked one lowers it. A kind is these two
 * functions of the rate, within the limits of the flow. Rates are in packets per second. */
#ifndef WEFT_NET_TRAFFIC_RESPONSE_H
#define WEFT_NET_TRAFFIC_RESPONSE_H

#include "interweft/status.h"
#include "net/kinds.h"

typedef struct weft_response {
    const struct weft_response_kind *kind;
    const void *settings;
    double min, max; /* of the rate; 0 < min < max */
} weft_response;

typedef struct weft_response_kind {
    weft_component base;
    /* Fails unless the law works between these limits. NULL: it always does. */
    weft_status (*check)(const weft_response *response, weft_error *err);
    /* The rate after an ACK that is not marked, and after a marked one, not yet held to the
     * limits. */
    double (*increase)(const weft_response *response, double rate);
    double (*decrease)(const weft_response *response, double rate);
    /* The rate that is lowered to just the minimum; those below fall by less than the law says. */
    double (*unclipped)(const weft_response *response);
} weft_response_kind;

static inline double weft_response_increase(const weft_response *response, double rate)
{
    double next = response->kind->increase(response, rate);
    return next < response->max ? next : response->max;
}

static inline double weft_response_decrease(const weft_response *response, double rate)
{
    double next = response->kind->decrease(response, rate);
    return next > response->min ? next : response->min;
}

#endif
