/* SPDX-License-Identifier: Apache-2.0 */
/* Open-loop traffic = pattern × arrival × length. All three are pure: message i of a source is a
 * function of (seed, source, i) alone, so a waiting message costs no memory. (Its arrival may also
 * depend on a word that the source carries from message to message.) */
#ifndef INTERWEFT_TRAFFIC_H
#define INTERWEFT_TRAFFIC_H

#include "interweft/hosts.h"
#include "interweft/topology.h"

WEFT_DECLARATIONS

/* Times of arrival are in 1/65536 of a tick, so that rounding does not bias the rate. */
#define WEFT_FRACTION_BITS 16
typedef uint64_t weft_fine_time;

/* A duration in ticks, rounded to nearest; at most 2^46 ticks, which no run reaches. */
static inline weft_fine_time weft_fine_time_of(double ticks)
{
    return ticks < 0x1p46 ? (weft_fine_time)(ticks * (1 << WEFT_FRACTION_BITS) + 0.5)
                          : (weft_fine_time)1 << (46 + WEFT_FRACTION_BITS);
}

typedef struct weft_pattern {
    const struct weft_pattern_kind *kind;
    void *self; /* kind->base.instance_size bytes */
    const weft_topology *topology;
    const weft_host_set *from; /* senders; NULL: all. The engine keeps the others silent */
    const weft_host_set *to;   /* receivers; NULL: all. See the kind's `confines` */
    double mean_weight;        /* of the senders; 1 if all endpoints may send */
    double own;                /* fraction of messages to their own sender; set by build if not 0 */
} weft_pattern;

/* How a kind treats a set of receivers that is not all endpoints. */
typedef enum weft_confines {
    WEFT_CONFINES_NOT, /* the set is refused */
    WEFT_CONFINES_TO,  /* destinations are drawn from the set, for any sender */
    /* The pattern works on ranks within the set, where senders and receivers are one set. */
    WEFT_CONFINES_RANKS
} weft_confines;

/* Takes destinations first … first + count − 1 (count may be 0) and the probability of each. */
typedef void (*weft_odds_visitor)(void *user, uint32_t first, uint32_t count, double probability);

typedef struct weft_pattern_kind {
    weft_component base;
    /* Fills pattern->self (zeroed). done frees the memory of build; NULL: there is none. */
    weft_status (*build)(weft_pattern *pattern, const void *settings, weft_error *err);
    void (*done)(weft_pattern *pattern);
    /* Destination endpoint of a message from `source`; WEFT_NOWHERE: the source is silent. */
    uint32_t (*destination)(const weft_pattern *pattern, uint32_t source, weft_random *random);
    /* Mean router-to-router distance of a message, over the senders; exact. This and `senders` are
     * asked only if senders and receivers are all endpoints. */
    double (*mean_hops)(const weft_pattern *pattern);
    /* Number of endpoints that send. */
    uint32_t (*senders)(const weft_pattern *pattern);
    /* Calls `each` for all possible destinations of a message from `source`, with their
     * probabilities (sum 1); never for a silent source. Used by bounds. NULL: destinations are
     * sampled. */
    void (*odds)(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user);
    /* On a vertex-transitive lattice the pattern is invariant under translation: a pair displaced
     * by any vector of routers is as likely as before. */
    bool invariant;
    /* Message rate of a source relative to the mean of all senders (weights have mean 1); mean_hops
     * is weighted by it. NULL: all senders have the same rate. */
    double (*weight)(const weft_pattern *pattern, uint32_t source);
    weft_confines confines;
} weft_pattern_kind;

typedef struct weft_arrival {
    const struct weft_arrival_kind *kind;
    const void *settings;
    double mean;        /* ticks between two messages of one source */
    double cycle_ticks; /* ticks per cycle */
} weft_arrival;

#define WEFT_ARRIVAL_MEMORY_MAX 0x7fffffffu

typedef struct weft_arrival_kind {
    weft_component base;
    /* Interarrival time before message `index`; index 0: from the start. */
    weft_fine_time (*interval)(const weft_arrival *arrival, uint64_t index, weft_random *random);
    /* Highest message rate of one source, per cycle; 0: unlimited. */
    double most;
    /* Of a kind whose gaps depend on the past, instead of `interval`: *memory, 0 before index 0 and
     * at most WEFT_ARRIVAL_MEMORY_MAX, goes from one message of a source to the next. */
    weft_fine_time (*interval_with_memory)(const weft_arrival *arrival, uint64_t index,
                                           uint32_t *memory, weft_random *random);
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
    double (*mean)(const weft_length *length); /* mean of the drawn lengths, flits */
    /* Upper bound of the drawn lengths; decides whether messages may need segmentation. NULL: no
     * bound. */
    uint32_t (*most)(const weft_length *length);
    bool redraws; /* a packet's length is drawn anew at every hop */
} weft_length_kind;

static inline bool weft_length_redraws(const weft_length *length)
{
    return length->kind->redraws;
}

WEFT_DECLARATIONS_END

#endif
