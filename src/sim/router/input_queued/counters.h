/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of a router's ports. Everything is counted when a packet is granted, from ticks that are
 * known then, so counters do not depend on the partition of a network. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_COUNTER_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_COUNTER_H

#include "sim/router/input_queued/record.h"

/* A grant: a packet, its way through the crossbar, and the VC it takes behind it. */
typedef struct weft_iq_move {
    const weft_event *packet;
    bool cut;                       /* it did not wait */
    uint32_t in, vc, line;          /* from … */
    uint32_t out, out_vc, out_line; /* … to */
    uint32_t after;                 /* route header there */
    uint32_t flits;
    /* for counters */
    uint32_t ready; /* the tick its head was */
    uint32_t since; /* from when on it could have been granted */
    uint32_t vcs;   /* VCs it could take behind its output */
} weft_iq_move;

/* Counts the ticks of a packet in the buffer of an input that no grant will count. */
void weft_iq_counter_hold(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t vc,
                          uint32_t flits, uint32_t ticks);
/* Counts how long outputs have been stalled by t: before the ticks since which they are free are
 * forgotten. */
void weft_iq_counter_stalls(const weft_iq *iq, char *record, uint32_t t);
/* Counts a grant at tick t, before it changes anything. */
void weft_iq_counter_move(const weft_iq *iq, char *record, const weft_iq_move *move, uint32_t t);
/* Counts the pair of events of a packet, blocked or cut through, at two routers in a row. */
void weft_iq_note(const weft_iq *iq, char *record, const weft_event *packet, bool cut,
                  weft_event *sent);
/* Value of a counter at a sync point at tick t, including packets still in the buffer. */
void weft_iq_counter_read(const weft_iq *iq, uint32_t router, uint32_t number, uint32_t t,
                          weft_counter *counter);

#endif
