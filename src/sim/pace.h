/* SPDX-License-Identifier: Apache-2.0 */
/* Rate control of sources: how fast each one sends (net/traffic/pacing.h has the rules). Every
 * packet is acknowledged, or marked ones are notified; ACKs of one tick commute, since they are
 * counted when they come and applied together, marked ones first. A packet may start when the gap
 * after its predecessor has passed at the rate of now: an ACK moves a packet that waits. Timers of
 * a law are no events: a source makes up for them when it sends or is notified, and looks ahead at
 * those that move the packet that waits. A notification takes as long as any other, so it makes no
 * difference that the source, not the receiver, leaves out those that come too soon after another.
 * Memory: a record per source of the site. */
#ifndef WEFT_SIM_PACE_H
#define WEFT_SIM_PACE_H

#include "base/pack.h"
#include "sim/site.h"

typedef struct weft_pace {
    double rate;              /* packets per unit of time */
    uint32_t last;            /* tick at which the last packet started, low half … */
    uint32_t started;         /* … if one has */
    uint32_t flight;          /* packets without an ACK */
    uint16_t marked, regular; /* ACKs of this tick */
} weft_pace;

typedef struct weft_paced_flow { /* of a law by reaction */
    weft_reaction_state flow;
    weft_time last, told; /* the last packet's start; the last notification, −1: none yet */
    uint32_t flits;       /* of that packet */
} weft_paced_flow;

/* Takes and frees site->pace, if any class has a response or a flow is followed, and what goes with
 * it. */
void weft_pace_open(weft_site *site);
void weft_pace_close(weft_site *site);
int64_t weft_pace_bytes(const weft_platform *platform);
/* The tick from which on a source may start this packet, the next one; not before `ready`. */
uint32_t weft_pace_due(const weft_site *site, uint32_t source, const weft_event *packet,
                       uint32_t ready);
/* A packet of the source starts. */
void weft_pace_start(weft_site *site, uint32_t source, uint32_t flits, weft_time now);
/* An ACK comes. */
void weft_pace_acknowledge(weft_site *site, uint32_t source, bool marked);
/* Changes the rate by the ACKs that came; false if there was none. */
bool weft_pace_settle(weft_site *site, uint32_t source, weft_time now);
/* The rate of a source, of a class with a response. */
double weft_pace_rate(const weft_site *site, uint32_t source, weft_time now);
/* Ticks of the past are brought forward. */
void weft_pace_sweep(weft_site *site, uint32_t t);

/* True if the window of a source is full. */
static inline bool weft_pace_closed(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->platform->network;
    uint32_t window = network->traffic_classes[source % network->n_traffic_classes].pacing.window;
    return window > 0 && site->pace[source].flight >= window;
}

/* The sources of one router, written and read. */
void weft_pace_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_pace_load(weft_site *site, uint32_t router, weft_unpack *from);

#endif
