/* SPDX-License-Identifier: Apache-2.0 */
/* What the router of worm.h holds; moving (worm.c) and deciding (worm_decide.c) share it. */
#ifndef WEFT_TEST_WORM_STATE_H
#define WEFT_TEST_WORM_STATE_H

#include "reference/worm.h"

enum { WORM_PORTS = 7, WORM_VCS = 8, WORM_SPAN = 16, WORM_NONE = 255, WORM_CROSS = 2 };

typedef struct worm_flit {
    uint32_t packet, index;
} worm_flit;

typedef struct worm_packet {
    int64_t birth;
    uint32_t to, hops;
    uint32_t class; /* of the ring it is on */
} worm_packet;

typedef enum worm_stage { WORM_IDLE, WORM_WANTS_VC, WORM_ACTIVE } worm_stage;

typedef struct worm_queue { /* an input VC */
    worm_flit *at;          /* [buffer], a ring */
    uint32_t first, count;
    worm_stage stage;
    int64_t from;            /* the tick from which on it takes part */
    uint32_t out, low, high; /* output, and the VCs there it may ask for: low … high − 1 */
    uint32_t vc;             /* the one it has */
    uint32_t next;           /* pointer over output × VCs + VC */
} worm_queue;

typedef struct worm_slot { /* what arrives at a tick; VC WORM_NONE: nothing */
    worm_flit what;
    uint8_t vc;
} worm_slot;

/* Ports 2d and 2d + 1 lead up and down dimension d, the last is the endpoint's. */
typedef struct worm_router {
    worm_queue in[WORM_PORTS][WORM_VCS];
    worm_slot wire[WORM_PORTS][WORM_SPAN]; /* into inputs, by tick */
    uint8_t back[WORM_PORTS][WORM_SPAN];   /* credits into outputs, by tick: the VC */
    uint32_t credits[WORM_PORTS][WORM_VCS];
    bool owned[WORM_PORTS][WORM_VCS];
    uint32_t vc_next[WORM_PORTS][WORM_VCS]; /* pointers over input × VCs + VC */
    uint32_t grant_next[WORM_PORTS], accept_next[WORM_PORTS], queue_next[WORM_PORTS];
    uint32_t held_vc[WORM_PORTS]; /* of an input that is held */
    uint32_t held_by[WORM_PORTS]; /* the input that holds an output */
} worm_router;

typedef struct worm_source {
    uint32_t *waiting, first, count, room; /* ring of packets */
    uint32_t sent, vc;                     /* of the first one */
    uint32_t last;                         /* the VC used last */
    uint32_t credits[WORM_VCS];
    uint8_t back[WORM_SPAN];
    worm_slot wire[WORM_SPAN]; /* from the router */
} worm_source;

typedef struct worm_state {
    const worm_config *set;
    uint32_t n_routers, ports;
    worm_router *routers;
    worm_source *source;
    worm_packet *packets;
    uint32_t n_packets, room;
    uint64_t random, counted, done;
    int64_t now;
    double latency, hops;
} worm_state;

uint64_t worm_draw(worm_state *state);
/* The packet that is now the front of an input VC was routed at a tick. */
void worm_front(worm_state *state, uint32_t at, uint32_t port, worm_queue *queue, int64_t routed);
/* The first flit of an input VC crosses. */
void worm_cross(worm_state *state, uint32_t at, uint32_t port, uint32_t vc);
/* What a router decides in this tick, done at once: nobody else sees it before the next. */
void worm_decide(worm_state *state, uint32_t at);

#endif
