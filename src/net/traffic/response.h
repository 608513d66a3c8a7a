/* SPDX-License-Identifier: Apache-2.0 */
/* How a source changes its rate when it is told of congestion. There are two forms of a law:
 *
 *   by ACKs        Every packet is acknowledged; an ACK that is not marked raises the rate of its
 *                  flow, a marked one lowers it. The law is these two functions of the rate.
 *   by reaction    Only marked packets are answered, by a notification that lowers the rate. Timers
 *                  and what the source sends raise it again (weft_reaction).
 *
 * Rates are in packets per second, or per cycle where there is no clock, within the limits of the
 * flow. */
#ifndef WEFT_NET_TRAFFIC_RESPONSE_H
#define WEFT_NET_TRAFFIC_RESPONSE_H

#include "interweft/status.h"
#include "net/kinds.h"
#include "net/timing.h"

#define WEFT_RESPONSE_TIMERS 2

/* What a law by reaction makes of its settings. */
typedef struct weft_response_constants {
    weft_time apart; /* ticks between two notifications of a flow, at least */
    weft_time period[WEFT_RESPONSE_TIMERS]; /* of timers, ticks; > 0 */
    double step[2];                         /* of the rate, as the law likes */
    int64_t flits;                          /* of its byte counter; 0: it has none */
    double packet;                          /* flits of a mean packet */
} weft_response_constants;

typedef struct weft_response {
    const struct weft_response_kind *kind;
    const void *settings;
    double min, max;                          /* of the rate; 0 < min < max */
    const weft_response_constants *constants; /* NULL: a law by ACKs */
} weft_response;

/* What turns settings into ticks and packets. */
typedef struct weft_response_units {
    const weft_timing *timing;
    double ticks; /* of the unit of time of rates: a second, or a cycle without a clock */
    double flits; /* of a mean packet */
    double flit_bytes;
} weft_response_units;

/* What a source keeps for a flow under a law by reaction. Ticks are those of the whole run. */
typedef struct weft_reaction_state {
    double rate;
    double value[2];                       /* as the law likes; finite and ≥ 0 */
    weft_time timer[WEFT_RESPONSE_TIMERS]; /* ticks of the next expiry */
    int64_t flits;                         /* sent, of the byte counter's next count */
    uint32_t count[2];                     /* as the law likes */
} weft_reaction_state;

/* A law by reaction. Between two calls time does not go back; all but begin are given a flow that
 * has been advanced to now. */
typedef struct weft_reaction {
    weft_status (*prepare)(const weft_response *response, const weft_response_units *units,
                           weft_response_constants *constants, weft_error *err);
    /* A flow that has sent nothing; phase (0 … 1): where its timers stand. */
    void (*begin)(const weft_response *response, double phase, weft_reaction_state *flow);
    /* Timers that expire up to tick `now`, this one included, have their effect. */
    void (*advance)(const weft_response *response, weft_reaction_state *flow, weft_time now);
    /* The next tick at which a timer may change the rate; INT64_MAX: none will. */
    weft_time (*next)(const weft_response *response, const weft_reaction_state *flow);
    void (*notify)(const weft_response *response, weft_reaction_state *flow, weft_time now);
    /* A packet starts. NULL: what is sent has no effect. */
    void (*send)(const weft_response *response, weft_reaction_state *flow, uint32_t flits);
    /* Most of count[0]; greater ones in a checkpoint are refused. */
    uint32_t (*most)(const weft_response *response);
} weft_reaction;

typedef struct weft_response_kind {
    weft_component base;
    /* Fails unless the law works between these limits. NULL: it always does. */
    weft_status (*check)(const weft_response *response, weft_error *err);
    const weft_reaction *reaction; /* NULL: a law by ACKs, with the functions that follow */
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
