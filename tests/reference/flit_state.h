/* SPDX-License-Identifier: Apache-2.0 */
/* What the reference simulator holds: flits in buffers, on wires and in crossbars, credits on
 * their way back. Moving (flit.c) and deciding (flit_decide.c) share it; nobody else looks
 * inside. */
#ifndef WEFT_TEST_FLIT_STATE_H
#define WEFT_TEST_FLIT_STATE_H

#include "reference/flit.h"

/* Things under way with a constant delay: the first to go in is the first to come out. */
typedef struct item {
    int64_t due;
    uint32_t packet, index, vc; /* index: of the flit; a credit has only a VC */
} item;
typedef struct wire {
    item *at;
    uint32_t first, end, room;
} wire;

/* A packet in an input buffer: flits 0 … arrived − 1 have come, flits 0 … left − 1 have gone on. */
typedef struct resident {
    uint32_t packet, arrived, left;
    int64_t head, tail; /* when its first and last flit arrived; −1: not yet */
    uint32_t queue;     /* of its VC; FLIT_NONE: not decided yet (voq) */
    bool moving;        /* it has been granted */
    bool seen, dropped; /* VL 15: it was ready in an earlier tick; there was no room for it */
    bool staged;        /* VC stage: it may ask for the crossbar … */
    uint32_t own;       /* … and the output VC it owns; FLIT_NONE: none */
} resident;

typedef struct vc { /* the buffer of one VC */
    resident *at;   /* in the order of arrival */
    uint32_t count, room;
    int64_t *vacated;    /* per queue: when the last packet that left it was gone */
    uint32_t stage_next; /* VC stage: pointer over output VCs */
} vc;

typedef struct input {
    vc vc[FLIT_VCS];
    wire credits; /* on their way back to who sends here … */
    wire pauses;  /* … and so these; index: 1 to pause, 0 to resume */
    bool pausing[FLIT_VCS];
    int64_t period, delay;
} input;

/* A packet between a crossbar and the end of its link. */
typedef struct leaving {
    uint32_t packet, vc, entered, sent;
} leaving;

typedef struct sender { /* what knows the credits of the buffer behind a link */
    int64_t credits[FLIT_VCS];
    bool paused[FLIT_VCS];
    int64_t slot_end; /* the link is busy with a flit until then */
    wire flits;
} sender;

typedef struct output {
    sender link;
    wire inside; /* flits in the crossbar */
    leaving *at; /* in the order of their grants */
    uint32_t count, room;
    int64_t period, latency;
    bool owned[FLIT_VCS];          /* VC stage */
    uint32_t stage_next[FLIT_VCS]; /* VC stage: pointer over input × V + VC */
} output;

/* An input line of a crossbar and the packet that crosses by it. */
typedef struct line {
    bool busy;
    uint32_t packet, vc, y, output_vc, sent;
    int64_t slot_end;
    uint32_t next;    /* pointers: of the input arbiter, or iSLIP's over y … */
    uint32_t next_vc; /* … and over VCs */
} line;

/* The turns of VL arbitration at an output line: of the high and the low table. */
typedef struct turns {
    int entry[2];
    int64_t left[2];
    int64_t sent; /* by the high one since the low one had an opportunity */
} turns;

typedef struct port { /* an output line */
    bool busy;
    uint32_t next; /* pointer over x */
    turns turns;
    uint32_t next_queue[FLIT_VCS]; /* VL arbitration, per VL: pointer over x × V + VC */
} port;

typedef struct router {
    uint32_t number;
    input *input;
    output *output;
    line *x;
    port *y;
} router;

typedef struct source { /* an injection link */
    sender link;
    turns turns;
    bool busy;
    uint32_t packet, vc, sent;
} source;

typedef struct flit_state {
    const flit_config *config;
    const flit_packet *packets;
    flit_packet *now_at;               /* the same with the offsets that remain */
    size_t count, delivered, injected; /* delivered: or dropped */
    flit_history *history;
    int64_t now, moved; /* moved: when something was last decided or delivered */
    uint32_t sides;     /* inputs, and outputs, of a router */
    router *router;
    source *source;          /* endpoint × links + link */
    size_t *next;            /* endpoint × classes + class: its next packet */
    struct request *request; /* scratch of flit_decide.c */
    uint32_t request_room;
} flit_state;

/* What a packet takes of a buffer, in the unit of its credits. */
static inline int64_t flit_need(const flit_state *state, uint32_t packet)
{
    return state->config->in_packets ? 1 : state->packets[packet].flits;
}

/* Is a VC that of VL 15? */
static inline bool flit_is_management(const flit_config *config, uint32_t v)
{
    return config->managed && v + 1 == config->vcs;
}

/* g: the period of the crossbar towards an output. */
static inline int64_t flit_crossbar_period(const flit_state *state, const output *out)
{
    return out->period / state->config->speedup;
}

/* The credits VC w may use, counting the shared pool; with pause all or none. */
int64_t flit_credits(const flit_state *state, const sender *link, uint32_t w);
/* The VC among `VCs` that has enough credits, as vc-choice says; FLIT_NONE. */
uint32_t flit_choose_vc(const flit_state *state, const sender *link, uint32_t vcs, int64_t need);
/* What every router and every endpoint decides in this tick. */
void flit_decide_router(flit_state *state, router *at);
void flit_decide_endpoint(flit_state *state, uint32_t endpoint);

#endif
