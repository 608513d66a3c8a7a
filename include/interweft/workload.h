/* SPDX-License-Identifier: Apache-2.0 */
/* Workload: the messages of the endpoints. An engine keeps one cursor per source (endpoint ×
 * class), takes the message under it once it has arrived and its head can move, and reports
 * deliveries. Open-loop traffic (pattern × arrival × length) is the first kind; kinds that wait for
 * deliveries (request and reply, windows, collectives, traces) fit the same interface. */
#ifndef INTERWEFT_WORKLOAD_H
#define INTERWEFT_WORKLOAD_H

#include "interweft/traffic.h"

WEFT_DECLARATIONS

/* The next message of a source: its number and its arrival. */
typedef struct weft_cursor {
    weft_fine_time at;
    uint32_t index;
    uint32_t live : 1;    /* 0: the source has finished, or waits for a delivery */
    uint32_t memory : 31; /* the kind's own, from one message to the next */
} weft_cursor;

typedef struct weft_message {
    uint32_t to; /* endpoint */
    uint32_t flits;
} weft_message;

typedef struct weft_workload {
    const struct weft_workload_kind *kind;
    const void *self; /* the kind's own */
    uint64_t seed;
    uint32_t number;  /* of the class, 0 … 15: keeps the classes' draws apart */
    uint64_t backlog; /* messages waiting in every source at the start */
} weft_workload;

typedef struct weft_workload_kind {
    weft_component base;
    /* The first message of an endpoint. */
    weft_cursor (*first)(const weft_workload *workload, uint32_t endpoint);
    /* The message under a live cursor, which advances to the next. *random is left after the draws
     * of this message, for draws of the engine (direction of ties). The message depends on the
     * cursor's index alone, so that a receiver can compute the length of another endpoint's
     * message. */
    weft_message (*next)(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor,
                         weft_random *random);
    /* Advances a live cursor without making the message. */
    void (*skip)(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor);
    /* A message of `from` has been delivered; may set the cursors of `from` and of the receiver
     * live. NULL: the kind ignores deliveries. */
    void (*delivered)(const weft_workload *workload, uint32_t from, uint32_t index,
                      weft_fine_time now, weft_cursor *sender, weft_cursor *receiver);
} weft_workload_kind;

WEFT_DECLARATIONS_END

#endif
