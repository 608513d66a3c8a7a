/* SPDX-License-Identifier: Apache-2.0 */
/* Rate control of sources: how fast each one sends (net/traffic/pacing.h has the rules). Every
 * packet is acknowledged; ACKs of one tick commute, since they are counted when they come and
 * applied together, marked ones first. A packet may start when the gap after its predecessor has
 * passed at the rate of now: an ACK moves a packet that waits. Memory: a record per source of the
 * site. */
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

/* Takes and frees site->pace, if any class has a response. */
void weft_pace_open(weft_site *site);
void weft_pace_close(weft_site *site);
int64_t weft_pace_bytes(const weft_platform *platform);
/* The tick from which on a source may start this packet, the next one; not before `ready`. */
uint32_t weft_pace_due(const weft_site *site, uint32_t source, const weft_event *packet,
                       uint32_t ready);
/* A packet of the source starts at tick t. */
void weft_pace_start(weft_site *site, uint32_t source, uint32_t t);
/* An ACK comes. */
void weft_pace_acknowledge(weft_site *site, uint32_t source, bool marked);
/* Changes the rate by the ACKs that came; false if there was none. */
bool weft_pace_settle(weft_site *site, uint32_t source);
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
