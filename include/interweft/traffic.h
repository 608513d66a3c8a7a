/* SPDX-License-Identifier: Apache-2.0 */
/* Open-loop traffic = pattern × arrival × length. All three are pure: message i of a source is a
 * function of (seed, source, i) alone, so a waiting message costs no memory. */
#ifndef INTERWEFT_TRAFFIC_H
#define INTERWEFT_TRAFFIC_H

#include "interweft/hosts.h"
#include "interweft/topology.h"

/* Times of arrival are in 1/65536 of a tick, so that rounding does not bias the rate. */
#define WEFT_FRACTION_BITS 16
typedef uint64_t weft_fine_time;

/* A duration in ticks, to the nearest moment; what no run lives to see (2^46 ticks) ends there. */
static inline weft_fine_time weft_fine_time_of(double ticks)
{
    return ticks < 0x1p46 ? (weft_fine_time)(ticks * (1 << WEFT_FRACTION_BITS) + 0.5)
                          : (weft_fine_time)1 << (46 + WEFT_FRACTION_BITS);
}

typedef struct weft_pattern {
    const struct weft_pattern_kind *kind;
    void *self; /* kind->base.instance_size bytes */
    const weft_topology *topology;
    const weft_host_set *from; /* who sends; NULL: all. The engine keeps the others silent */
    const weft_host_set *to;   /* who receives; NULL: all. As the kind's `confines` says */
    double mean_weight;        /* of those that send; 1 if all may */
    double own; /* share of the messages that go to their sender; set by build where it is not 0 */
} weft_pattern;

/* What a kind makes of receivers that are not all endpoints. */
typedef enum weft_confines {
    WEFT_CONFINES_NOT, /* nothing: they are refused */
    WEFT_CONFINES_TO,  /* sends to these alone, whoever sends */
    /* works on ranks instead of endpoints' numbers, where senders and receivers are one set */
    WEFT_CONFINES_RANKS
} weft_confines;

/* Takes destinations first … first + count − 1 (count may be 0) and the probability of each of
 * them. */
typedef void (*weft_odds_visitor)(void *user, uint32_t first, uint32_t count, double probability);

typedef struct weft_pattern_kind {
    weft_component base;
    /* Fills pattern->self (zeroed); done frees what build took, NULL: nothing. */
    weft_status (*build)(weft_pattern *pattern, const void *settings, weft_error *err);
    void (*done)(weft_pattern *pattern);
    /* The endpoint a message of `source` goes to, `source` only if settings say so;
     * WEFT_NOWHERE: source is silent. */
    uint32_t (*destination)(const weft_pattern *pattern, uint32_t source, weft_random *random);
    /* Mean router-to-router distance of a message over the sources that send; exact. This and
     * senders are asked only where senders and receivers are all endpoints. */
    double (*mean_hops)(const weft_pattern *pattern);
    /* How many endpoints send at all. */
    uint32_t (*senders)(const weft_pattern *pattern);
    /* Calls `each` for all endpoints that a message of `source` may go to, with the probability
     * of each (1 together); not at all if source is silent. For bounds; NULL: not known,
     * destinations are sampled. */
    void (*odds)(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user);
    /* On a lattice that looks the same from everywhere all sources send the same: displaced by
     * any vector of routers (and with the hosts of a router renamed), a pair is as likely as
     * before. */
    bool invariant;
    /* Messages of a source relative to the mean of all that send (whose weights have mean 1).
     * mean_hops counts each source by it. NULL: all that send, send equally often. */
    double (*weight)(const weft_pattern *pattern, uint32_t source);
    weft_confines confines;
} weft_pattern_kind;

typedef struct weft_arrival {
    const struct weft_arrival_kind *kind;
    const void *settings;
    double mean;        /* ticks between two messages of one source */
    double cycle_ticks; /* ticks per cycle */
} weft_arrival;

typedef struct weft_arrival_kind {
    weft_component base;
    /* From one message to the next; index 0: from the start to the first. */
    weft_fine_time (*interval)(const weft_arrival *arrival, uint64_t index, weft_random *random);
    /* Messages per cycle that one source can send at most; 0: any number. */
    double most;
} weft_arrival_kind;

/* Lengths are in flits; settings in bytes are converted by flit_bytes before. */
typedef struct weft_length {
    const struct weft_length_kind *kind;
    const void *settings;
    double flit_bytes;
} weft_length;

typedef struct weft_length_kind {
    weft_component base;
    /* At least 1; rounded to nearest once per message. */
    uint32_t (*flits)(const weft_length *length, weft_random *random);
    double (*mean)(const weft_length *length); /* flits, of what is drawn */
    /* The greatest length that can be drawn, or more; decides whether messages may have to be
     * cut. NULL: any. */
    uint32_t (*most)(const weft_length *length);
    bool redraws; /* a packet's length is drawn anew at every hop */
} weft_length_kind;

static inline bool weft_length_redraws(const weft_length *length)
{
    return length->kind->redraws;
}

#endif
