/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of a router's ports. All is booked when a packet is granted, from ticks that are
 * known then: nothing depends on when a router looks, so counters say the same however a network
 * is cut. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_COUNTER_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_COUNTER_H

#include "sim/router/input_queued/record.h"

/* What was granted: a packet, its way through the crossbar, and what it takes behind it. */
typedef struct weft_iq_move {
    const weft_event *packet;
    bool cut;                       /* it did not wait */
    uint32_t in, vc, line;          /* from … */
    uint32_t out, out_vc, out_line; /* … to */
    uint32_t after;                 /* route header there */
    /* for counters */
    uint32_t ready; /* the tick its head was */
    uint32_t since; /* from when on it could have been granted */
    uint32_t vcs;   /* VCs it could take behind its output */
} weft_iq_move;

/* At tick t, before the move changes anything. */
/* A packet of an input has been in its buffer for so many ticks that nothing else will tell. */
void weft_iq_counter_hold(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t vc,
                          uint32_t flits, uint32_t ticks);
/* Counts how long outputs have been stalled by t: before the ticks since which they are free are
 * forgotten. */
void weft_iq_counter_stalls(const weft_iq *iq, char *record, uint32_t t);
void weft_iq_counter_move(const weft_iq *iq, char *record, const weft_iq_move *move, uint32_t t);
/* A packet is sent on, cut through or not, after what it did at the router before. */
void weft_iq_note(const weft_iq *iq, char *record, const weft_event *packet, bool cut,
                  weft_event *sent);
/* What a counter says at a sync point at tick t, packets that are still in the buffer included. */
void weft_iq_counter_read(const weft_iq *iq, uint32_t router, uint32_t number, uint32_t t,
                          weft_counter *counter);

#endif
