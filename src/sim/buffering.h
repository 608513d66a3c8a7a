/* SPDX-License-Identifier: Apache-2.0 */
/* Description of a network's buffers, for people and for estimates: the credit round trip, the
 * buffer that covers it, the partition of the VCs, and the memory that settings cost. */
#ifndef WEFT_SIM_BUFFERING_H
#define WEFT_SIM_BUFFERING_H

#include "sim/site.h"

typedef struct weft_buffering { /* times in ticks */
    weft_time hop;              /* X + W + R: from one router's grant to the next one's */
    /* The rest only if buffers are finite; of the links between routers with the longest way. */
    bool finite;
    weft_time credit;   /* C: of a credit, from there back */
    weft_time period;   /* of a flit */
    bool credit_events; /* credits travel as events */
    bool credit_bound;  /* credits come back sooner than heads go forth: they bound the window */
    uint32_t vcs;
    uint32_t lines;              /* from an input into the crossbar */
    uint32_t speedup;            /* of the crossbar */
    bool voq, buffered, several; /* output buffers; packets may have several candidates */
    bool committed;              /* a packet owns a virtual channel before there is room in it */
    bool by_packet;              /* the following in packets, else in flits */
    int64_t capacity;            /* of a virtual channel … */
    int64_t shared;              /* … and of the pool of a port */
    int64_t needed;    /* least capacity with which one virtual channel keeps a link busy … */
    bool pauses;       /* … with pause instead of credits: least xon */
    int64_t xoff, xon; /* thresholds of it, … */
    int64_t headroom;  /* … and what may come after xoff */
    uint32_t longest;  /* packet, flits */
    uint32_t inputs;   /* of a router with the most of them, those from endpoints included */
    uint32_t open;     /* virtual channels that any packet may use, … */
    uint32_t crossing, rest; /* … for packets that will pass a dateline, and for others */
    bool classes;            /* the last two differ */
    /* sets of a link's virtual channels, for packets in different phases of their path … */
    uint32_t groups;
    bool dateline; /* … which are those two, or one */
} weft_buffering;

/* Describes a platform that passed its check. */
void weft_buffering_look(weft_buffering *buffering, const weft_platform *platform);

typedef struct weft_extra { /* memory that a setting costs */
    const char *name;
    int64_t bytes; /* of a router */
} weft_extra;
#define WEFT_EXTRAS_MAX 5

/* Lists settings that make a router larger; returns their number. */
size_t weft_buffering_extras(const weft_platform *platform, weft_extra extras[WEFT_EXTRAS_MAX]);

#endif
