/* SPDX-License-Identifier: Apache-2.0 */
/* Admission of connections, link by link. Every link has a capacity and pools of it for service
 * levels (SLs), in integers (bytes per second), and knows its connections by number.
 *
 * A source sends a probe along the path. A link that can carry the connection reserves its
 * bandwidth and forwards the probe; one that cannot sends a refusal back, which releases the
 * reservations made so far. A connection that ends sends a release after its last packet. Messages
 * stay in order along a path and may be lost: a source that hears nothing sends a release.
 * Reservations and releases of a connection that a link already has, or no longer has, change
 * nothing, so messages can be repeated.
 *
 * The rule is strict (used + requested < pool, as usually printed, which never fills a pool) or
 * inclusive (≤). Admission does not police rates. */
#ifndef WEFT_SCHED_ADMISSION_H
#define WEFT_SCHED_ADMISSION_H

#include "sched/vl_filling.h"

#include <stddef.h>

#define WEFT_SLS 16

typedef enum weft_admission_verdict {
    WEFT_ADMITTED,
    WEFT_REFUSED_POOL,    /* the pool of the SL has too little left */
    WEFT_REFUSED_LINK,    /* the link has */
    WEFT_REFUSED_ENTRIES, /* the arbitration table has no entry left */
    WEFT_REFUSED_INVALID  /* no bandwidth is requested, or there is no such SL */
} weft_admission_verdict;

typedef struct weft_connection {
    uint64_t number; /* unique; not 0 */
    uint32_t sl;
    int64_t bandwidth;
} weft_connection;

typedef struct weft_admission_link {
    int64_t capacity, used;
    int64_t pool[WEFT_SLS], pool_used[WEFT_SLS];
    /* The arbitration table that connections fill, SL as VL; weight_unit: bandwidth of a weight
     * of 1, rounded up; 0: there is no table. */
    weft_vl_filling filling;
    int64_t weight_unit;
    weft_connection *connections; /* hashed by number; number 0: an empty slot */
    size_t n_connections, n_slots;
} weft_admission_link;

typedef struct weft_admission {
    bool inclusive;
    uint32_t n_links;
    weft_admission_link *links; /* no capacity, no pools, no table until the caller sets them */
} weft_admission;

void weft_admission_init(weft_admission *admission, uint32_t n_links, bool inclusive);
void weft_admission_done(weft_admission *admission);

/* One link, on its own. */
weft_admission_verdict weft_admission_reserve(weft_admission *admission, uint32_t link,
                                              const weft_connection *connection);
/* False: the link does not have this connection. */
bool weft_admission_release(weft_admission *admission, uint32_t link, uint64_t number);
/* The connection as the link has it; NULL: it does not. */
const weft_connection *weft_admission_find(const weft_admission_link *link, uint64_t number);

/* Messages, handled link by link. */
typedef enum weft_admission_kind {
    WEFT_PROBE,   /* forward: reserves */
    WEFT_REFUSAL, /* backward: releases */
    WEFT_RELEASE  /* forward: releases */
} weft_admission_kind;

typedef struct weft_admission_message {
    weft_admission_kind kind;
    weft_admission_verdict verdict; /* of a probe so far */
    weft_connection connection;
    const uint32_t *path; /* links from the source on */
    uint32_t length, at;  /* at: the link it is handled by next, of the path */
} weft_admission_message;

/* Handles a message at its link, which makes it the next one. False: it has arrived, a release at
 * the end of the path, a probe at the end (admitted) or as a refusal back at the source. */
bool weft_admission_handle(weft_admission *admission, weft_admission_message *message);

/* All messages of a probe, or of a release, at once. */
weft_admission_verdict weft_admission_request(weft_admission *admission,
                                              const weft_connection *connection,
                                              const uint32_t *path, uint32_t length);
void weft_admission_end(weft_admission *admission, const weft_connection *connection,
                        const uint32_t *path, uint32_t length);

#endif
