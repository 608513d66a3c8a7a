/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that come to a network, hold and end, one after the other in time. Each asks link by
 * link along its path (sched/admission.h); a refusal releases what was reserved, the end of a
 * connection releases all of it. Messages take no time, but can be lost: a source that hears
 * nothing sends a release, until one has gone all the way. */
#ifndef WEFT_ANALYTIC_CONNECTIONS_H
#define WEFT_ANALYTIC_CONNECTIONS_H

#include "analytic/link_paths.h"
#include "sched/admission.h"

#define WEFT_CONNECTION_BATCHES 20
#define WEFT_CONNECTION_CLASSES WEFT_SLS /* the SL of a class is its number */

typedef struct weft_connections_class {
    double rate; /* connections of all endpoints that come, per unit of time */
    double hold; /* mean time */
    int64_t bandwidth, pool;
} weft_connections_class;

typedef struct weft_connections {
    const weft_link_paths *paths;
    uint32_t n_classes;
    weft_connections_class classes[WEFT_CONNECTION_CLASSES];
    int64_t capacity, host_capacity;
    uint32_t entries;    /* of an arbitration table at every port; 0: there is none */
    int64_t weight_unit; /* bandwidth of a weight of 1 */
    bool inclusive, fixed_hold;
    double lost; /* probability that a message is lost on a link */
    uint64_t requests, seed;
} weft_connections;

/* Counts of one class in one batch, a part of all requests. */
typedef struct weft_connections_count {
    uint64_t requests, refused, reason[WEFT_REFUSED_INVALID + 1], lost;
} weft_connections_count;

typedef struct weft_connections_answer {
    weft_connections_count count[WEFT_CONNECTION_BATCHES][WEFT_CONNECTION_CLASSES];
    double utilisation[WEFT_CONNECTION_BATCHES]; /* mean over the links that were ever used */
    double most;                                 /* the greatest utilisation of a link */
    double open;                                 /* connections, mean */
    uint64_t left;  /* bandwidth still reserved after all have ended; must be 0 */
    uint64_t sound; /* links whose sums were right every time they were looked at */
} weft_connections_answer;

/* Fails if a path does not arrive. The first tenth of the requests is not counted. */
WEFT_MUST_USE weft_status weft_connections_run(const weft_connections *all,
                                               weft_connections_answer *answer, weft_error *err);

#endif
