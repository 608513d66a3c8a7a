/* SPDX-License-Identifier: Apache-2.0 */
/* A packet travels by value inside its event; it is in exactly one place. Its name is (source
 * endpoint, flow, index of the message, number of the packet in it).
 *
 * key:     kind 3 bits, port 6, flow 4, host 8 (or, with 64 endpoints at a router and less, mark 2 and host 6), cuts 11
 * data[0]  source endpoint        data[1]  index of the message at its source and flow
 * data[2]  low half of the tick of the message's birth; of a packet that follows the first one of its
 *          message: its number in it
 * data[3]  route: the topology's word
 * data[4]  flits 16 bits, lane 4, follows 1, hops 11 */
#ifndef WEFT_SIM_PACKET_H
#define WEFT_SIM_PACKET_H

#include "interweft/random.h"
#include "kernel/kernel.h"

#include <assert.h>

/* What an event is about; also the order of one router's events within a tick. */
typedef enum weft_kind {
    WEFT_HEADER,  /* a header arrives from another router */
    WEFT_ENTER,   /* a header arrives from an endpoint's injection port */
    WEFT_CREDIT,  /* room becomes free in the buffer behind a port */
    WEFT_WAKE,    /* a message's time has come, or something a router waits for */
    WEFT_DELIVER, /* a packet has been received completely */
} weft_kind;

enum {
    WEFT_KEY_PACKET = 0x7fffff, /* the part of the key that is the packet's */
    WEFT_PACKET_MAX = 0xffff,   /* flits */
    WEFT_HOPS_MAX = 0x7ff,
    WEFT_MARKED_HOSTS = 64, /* with more endpoints at a router packets have no marks */
    WEFT_MARK_BLOCKED =
        1, /* at the last intermediate router; 0: it has passed none, or nobody asks */
    WEFT_MARK_CUT = 2,
};

static inline uint32_t weft_key(weft_kind kind, uint32_t port)
{
    return (uint32_t)kind << 29 | port << 23;
}

static inline weft_kind weft_event_kind(const weft_event *event)
{
    return (weft_kind)(event->key >> 29);
}

static inline uint32_t weft_event_port(const weft_event *event)
{
    return (event->key >> 23) & 0x3f;
}

/* Is there a packet in it? */
static inline bool weft_event_packet(const weft_event *event)
{
    weft_kind kind = weft_event_kind(event);
    return kind != WEFT_WAKE && kind != WEFT_CREDIT;
}

static inline uint32_t weft_packet_flits(const weft_event *packet)
{
    return packet->data[4] >> 16;
}

static inline uint32_t weft_packet_lane(const weft_event *packet)
{
    return (packet->data[4] >> 12) & 0xf;
}

/* Is it not the first of its message? */
static inline bool weft_packet_follows(const weft_event *packet)
{
    return (packet->data[4] >> 11) & 1;
}

static inline uint32_t weft_packet_hops(const weft_event *packet)
{
    return packet->data[4] & WEFT_HOPS_MAX;
}

static inline uint32_t weft_packet_cuts(const weft_event *packet)
{
    return packet->key & WEFT_HOPS_MAX;
}

static inline uint32_t weft_packet_flow(const weft_event *packet)
{
    return (packet->key >> 19) & 0xf;
}

/* hosts: endpoints at a router */
static inline uint32_t weft_packet_host(const weft_event *packet, uint32_t hosts)
{
    return (packet->key >> 11) & (hosts > WEFT_MARKED_HOSTS ? 0xff : 0x3f);
}

static inline uint32_t weft_packet_mark(const weft_event *packet)
{
    return (packet->key >> 17) & 3;
}

static inline void weft_packet_set_mark(weft_event *packet, uint32_t mark)
{
    packet->key = (packet->key & ~(3u << 17)) | mark << 17;
}

/* A new packet: no hops, no cut-throughs. */
static inline void weft_packet_make(weft_event *packet, uint32_t flow, uint32_t host,
                                    uint32_t flits, bool follows)
{
    assert(flow < 16 && host < 256 && flits <= WEFT_PACKET_MAX);
    packet->key = flow << 19 | host << 11;
    packet->data[4] = flits << 16 | (uint32_t)follows << 11;
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

/* A stream of random numbers for this packet at this hop; the packets of a message have their own. */
static inline weft_random weft_packet_draw(uint64_t seed, const weft_event *packet,
                                           weft_purpose purpose)
{
    uint64_t number = weft_packet_follows(packet) ? packet->data[2] : 0;
    return weft_random_stream(
        seed, packet->data[1] | (uint64_t)weft_packet_hops(packet) << 32 | number << 43,
        packet->data[0], (weft_purpose)((uint32_t)purpose | weft_packet_flow(packet) << 4));
}

#endif
