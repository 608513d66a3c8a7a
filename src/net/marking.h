/* SPDX-License-Identifier: Apache-2.0 */
/* How a router marks packets when it is congested. A kind may say when a buffer that packets arrive
 * in is congested: then as many packets as wait for the outputs concerned are marked, the next ones
 * to start there. Or it gives the probability that a packet is marked when it starts, from what
 * waits for its output. Pure functions; routers keep the counters. */
#ifndef WEFT_NET_MARKING_H
#define WEFT_NET_MARKING_H

#include "interweft/status.h"
#include "net/kinds.h"

typedef struct weft_marking {
    const struct weft_marking_kind *kind;
    const void *settings;
} weft_marking;

/* A buffer after an arrival; flits, or packets where buffers are counted so. */
typedef struct weft_marking_buffer {
    uint32_t used, capacity;
    uint32_t packet; /* of the longest packet */
} weft_marking_buffer;

/* An output when a packet starts there. */
typedef struct weft_marking_output {
    uint32_t packets; /* that wait for it, this one included */
    /* Those of its VL alone, in the units of buffers, and the buffer of a VL at one input. */
    uint32_t queued, capacity;
    double bytes;  /* of the packet */
    bool credits;  /* the VL has credits for another packet behind it, of the longest kind */
    bool endpoint; /* the output leads to an endpoint */
} weft_marking_output;

typedef struct weft_marking_kind {
    weft_component base;
    /* Fails unless the settings make sense together. NULL: they always do. */
    weft_status (*check)(const weft_marking *marking, weft_error *err);
    /* True if the buffer is congested. NULL: never. */
    bool (*congested)(const weft_marking *marking, const weft_marking_buffer *buffer);
    /* Probability of a mark for a packet that starts. NULL: 0. */
    double (*probability)(const weft_marking *marking, const weft_marking_output *output);
    bool by_vl; /* it looks at VLs: `queued` and `credits` are needed */
} weft_marking_kind;

#endif
