/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that wait, seen from outside at a sync point: a router kind shows the front of every
 * queue that was not granted in the tick before, with the cause, and its outputs with the reason
 * why each carried nothing. Nothing of it is on the way of a packet. */
#ifndef WEFT_SIM_WATCH_BLOCKED_H
#define WEFT_SIM_WATCH_BLOCKED_H

#include "kernel/kernel.h"
#include "sim/watch/knot.h"

typedef enum weft_wait_cause {
    WEFT_CAUSE_NONE,   /* it does not wait: its head or its stages are under way */
    WEFT_CAUSE_OUTPUT, /* the output carries another packet */
    WEFT_CAUSE_LINE,   /* its input's line into the crossbar carries another packet */
    WEFT_CAUSE_CREDIT, /* no credits (or pause) of any VC behind the output */
    WEFT_CAUSE_VC, /* none of the VCs it may take is open, others of the link have room or owners */
    WEFT_CAUSE_ARBITER, /* it was eligible: others were granted */
    WEFT_CAUSE_LINK,    /* at an endpoint: its injection link carries another packet … */
    WEFT_CAUSE_HOST,    /* … or the endpoint's bus or rate control holds it back */
    WEFT_CAUSE_BEHIND,  /* of outputs only: wanted by packets behind fronts alone */
    WEFT_CAUSE_CAUSES
} weft_wait_cause;

#define WEFT_BLOCKED_SOURCE UINT16_MAX /* the VC of a queue that is at an endpoint */

typedef struct weft_blocked { /* the front of a queue */
    weft_input_queue queue;   /* vc WEFT_BLOCKED_SOURCE: at the endpoint with injection link `in` */
    weft_wait_cause cause;
    uint16_t out, vc;         /* output and VC that it waits for; of LINE: the output that is fed */
    uint64_t packets;         /* in the queue, the front included; at an endpoint: messages */
    weft_time waited;         /* since the front could be granted first */
    const weft_event *packet; /* the front */
} weft_blocked;

typedef struct weft_blocked_view {
    /* A front that is there at `now`; cause: why it was not granted in the tick before. */
    void (*front)(void *user, const weft_blocked *front);
    /* A packet behind a front, and the output it wants first. */
    void (*behind)(void *user, weft_input_queue queue, const weft_event *packet, uint32_t out);
    /* An output of a router: it carries a packet (`NONE`, busy), or why it does not although
     * packets of this router want it; NONE and not busy: none does. */
    void (*output)(void *user, uint32_t router, uint32_t out, bool busy, weft_wait_cause lost);
    void *user;
    /* NULL: all; else this queue alone (vc WEFT_BLOCKED_SOURCE: all endpoints, where nobody is
     * behind a front), and no outputs: what is not called may be NULL. */
    const weft_input_queue *only;
} weft_blocked_view;

#endif
