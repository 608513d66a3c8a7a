/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints' sources. Message i of a source is a pure function of (seed, source, i), so a source
 * is a cursor and a waiting message costs nothing; a packet exists only once its head can move.
 * A message longer than the MTU is cut: full packets first, the last one may be shorter. Its
 * packets leave in order, all with the message's first route (direction of ties). */
#ifndef WEFT_SIM_SOURCE_H
#define WEFT_SIM_SOURCE_H

#include "base/pack.h"
#include "sim/site.h"

void weft_sources_open(weft_site *site);
void weft_sources_close(weft_site *site);
/* Bytes of one router's sources; the mean over all routers. */
int64_t weft_sources_bytes(const weft_platform *platform);
/* Sets every source before its first message. */
void weft_sources_reset(weft_site *site);
/* Arms every source for its next message, from tick `now` on, but for those whose head message
 * waits already, which the router's `start` wakes. Nothing of this is in the wheel yet. */
void weft_sources_start(weft_site *site, weft_block *block, weft_time now);
/* Timer callback of the kernel: emits a WEFT_WAKE event for the exact tick. */
void weft_sources_timer(weft_site *site, weft_block *block, uint32_t source, weft_time now);

typedef struct weft_rest { /* of a message being sent */
    weft_fine_time at;     /* its arrival; kept until the next one is cut */
    uint32_t index;
    uint32_t left;   /* flits; 0: nothing is being sent */
    uint32_t number; /* of the next packet */
    uint32_t route, host;
} weft_rest;

static inline bool weft_sources_sending(const weft_site *site, uint32_t source)
{
    return site->rest && site->rest[source].left > 0;
}

/* True if the head message has arrived, or one is being sent. */
static inline bool weft_sources_due(const weft_site *site, uint32_t source, weft_time now)
{
    return (site->head[source].live && weft_fine_time_near(site->head[source].at, now) <= now) ||
           weft_sources_sending(site, source);
}

/* The tick of birth of the message whose packet was taken last, if that is not the message's first
 * packet; the low WEFT_BIRTH_BITS. */
static inline uint64_t weft_sources_birth(const weft_site *site, uint32_t source)
{
    return (uint64_t)weft_fine_time_tick(site->rest[source].at) & WEFT_BIRTH_MASK;
}

/* The arrival of the message whose packet is next. */
static inline weft_fine_time weft_sources_since(const weft_site *site, uint32_t source)
{
    return weft_sources_sending(site, source) ? site->rest[source].at : site->head[source].at;
}

/* Materialises the next packet of the head message, which is due, or of the one being sent; the
 * cursor moves on with a message's first packet. packet's when, to and kind are left alone. */
void weft_sources_take(weft_site *site, uint32_t source, weft_event *packet);
/* Arms the source for its next message, which lies after `now`. */
void weft_sources_arm(weft_site *site, weft_block *block, uint32_t source, weft_time now);

/* Callback of the kernel at a sync point: with injection ports, counts every message that has
 * arrived before `now` although no packet has been made of it yet, and those that wait. */
void weft_sources_rest(void *site, weft_time now);

/* The cursors of one router's endpoints, written and read at tick `now`. */
void weft_sources_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_sources_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);

#endif
