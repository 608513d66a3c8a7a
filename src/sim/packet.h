/* SPDX-License-Identifier: Apache-2.0 */
/* A packet travels by value inside its event; it is in exactly one place. Its name is (source
 * endpoint, flow, index).
 *
 * key:     kind 2 bits, port 6, flow 4, host 8, cuts 12
 * data[0]  source endpoint        data[1]  index of the message at its source and flow
 * data[2]  low half of the tick of its birth
 * data[3]  route: the topology's word
 * data[4]  flits 20 bits, hops 12 */
#ifndef WEFT_SIM_PACKET_H
#define WEFT_SIM_PACKET_H

#include "kernel/kernel.h"

#include <assert.h>

/* What an event is about; also the order of one router's events within a tick. */
typedef enum weft_kind {
    WEFT_HEADER,  /* a header arrives from another router */
    WEFT_ENTER,   /* a header arrives from an endpoint's injection port */
    WEFT_WAKE,    /* a message's time has come, or an injection port is free */
    WEFT_DELIVER, /* a packet has been received completely */
} weft_kind;

enum { WEFT_KEY_PACKET = 0xffffff }; /* the part of the key that is the packet's */

static inline uint32_t weft_key(weft_kind kind, uint32_t port)
{
    return (uint32_t)kind << 30 | port << 24;
}

static inline weft_kind weft_event_kind(const weft_event *event)
{
    return (weft_kind)(event->key >> 30);
}

static inline uint32_t weft_packet_flits(const weft_event *packet)
{
    return packet->data[4] >> 12;
}

static inline uint32_t weft_packet_hops(const weft_event *packet)
{
    return packet->data[4] & 0xfff;
}

static inline uint32_t weft_packet_cuts(const weft_event *packet)
{
    return packet->key & 0xfff;
}

static inline uint32_t weft_packet_flow(const weft_event *packet)
{
    return (packet->key >> 20) & 0xf;
}

static inline uint32_t weft_packet_host(const weft_event *packet)
{
    return (packet->key >> 12) & 0xff;
}

/* A new packet: no hops, no cut-throughs. */
static inline void weft_packet_make(weft_event *packet, uint32_t flow, uint32_t host,
                                    uint32_t flits)
{
    assert(flow < 16 && host < 256 && flits < 1u << 20);
    packet->key = flow << 20 | host << 12;
    packet->data[4] = flits << 12;
}

/* Copies the packet into another event. */
static inline void weft_packet_move(weft_event *to, const weft_event *packet, weft_kind kind,
                                    uint32_t port)
{
    uint32_t when = to->when, entity = to->to;
    *to = *packet;
    to->when = when;
    to->to = entity;
    to->key = weft_key(kind, port) | (packet->key & WEFT_KEY_PACKET);
}

#endif
