/* SPDX-License-Identifier: Apache-2.0 */
/* A packet travels by value inside its event; it is in exactly one place. Its name is (source
 * endpoint, traffic class, index of the message, number of the packet in it).
 *
 * key:     kind 3 bits, port 6, traffic class 4, host 8 (with at most 64 endpoints at a router:
 *          mark 2 and host 6), cut-throughs 11. Where numbers of hosts or ports have more bits,
 *          their high bits are the high ones of the last field (weft_event_key)
 * data[0]  source endpoint 28 bits, bits 32 … 35 of the tick of the message's birth
 * data[1]  index of the message at its source and class 28 bits, bits 36 … 39 of that tick
 * data[2]  bits 0 … 31 of that tick; of a packet that follows the first one of its message: its
 *          number in it (and 0 for the other bits)
 * data[3]  route header
 * data[4]  flits 16 bits, VC 4, follows 1, hops 11 */
#ifndef WEFT_SIM_PACKET_H
#define WEFT_SIM_PACKET_H

#include "interweft/random.h"
#include "kernel/kernel.h"

#include <assert.h>

/* Kinds of events; also the order of one router's events within a tick. */
typedef enum weft_kind {
    WEFT_HEADER,  /* a header arrives from another router */
    WEFT_ENTER,   /* a header arrives from an endpoint's injection port */
    WEFT_CREDIT,  /* room becomes free in the buffer behind a port */
    WEFT_WAKE,    /* the time of a message has come, or of something that a router waits for */
    WEFT_DELIVER, /* a packet has been received completely */
    WEFT_DEPART,  /* a packet that has waited long starts on its link */
    WEFT_ACK,     /* a source learns that a packet has been received */
} weft_kind;

#define WEFT_NAME_BITS  28 /* of a source and of an index */
#define WEFT_NAME_MASK  ((1u << WEFT_NAME_BITS) - 1)
#define WEFT_BIRTH_BITS 40 /* ages wrap around beyond: 1.1 s in ticks of 1 ps */
#define WEFT_BIRTH_MASK (((uint64_t)1 << WEFT_BIRTH_BITS) - 1)

enum {
    WEFT_KEY_PACKET = 0x7fffff, /* the part of the key that is the packet's, but for port bits */
    WEFT_KEY_PORT_BITS = 6,
    WEFT_KEY_HOST_BITS = 8,
    WEFT_KEY_CUT_BITS = 11,
    WEFT_PACKET_MAX = 0xffff, /* flits */
    WEFT_HOPS_MAX = 0x7ff,
    WEFT_MARKED_HOSTS = 64, /* with more endpoints at a router packets have no marks */
    WEFT_MARK_BLOCKED =
        1, /* at the last intermediate router; 0: there was none, or it is not recorded */
    WEFT_MARK_CUT = 2,
    WEFT_MARK_CONGESTED = 3, /* where routers mark packets */
};

/* How keys are divided, the same for all events of a run. Of the last 11 bits the lowest count
 * cut-throughs; above them are the high bits of a port, then those of a host. */
typedef struct weft_event_key {
    uint8_t cut_bits;
    uint8_t port_bits, host_bits; /* of a port beyond 6, and of a host beyond 8 */
    uint16_t cuts, port;          /* masks */
} weft_event_key;

/* Routers of at most 64 ports and 256 endpoints. A constant for the compiler. */
#define WEFT_KEY_NARROW ((weft_event_key){.cut_bits = WEFT_KEY_CUT_BITS, .cuts = WEFT_HOPS_MAX})

/* Bits of the numbers 0 … count − 1. */
static inline uint32_t weft_event_key_bits(uint32_t count)
{
    return count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0;
}

/* For routers of so many ports and endpoints, at most 1024. */
static inline weft_event_key weft_event_key_for(uint32_t ports, uint32_t hosts)
{
    uint32_t port = weft_event_key_bits(ports), host = weft_event_key_bits(hosts);
    port = port > WEFT_KEY_PORT_BITS ? port - WEFT_KEY_PORT_BITS : 0;
    host = host > WEFT_KEY_HOST_BITS ? host - WEFT_KEY_HOST_BITS : 0;
    assert(port + host < WEFT_KEY_CUT_BITS);
    uint32_t cut = WEFT_KEY_CUT_BITS - port - host;
    return (weft_event_key){.cut_bits = (uint8_t)cut,
                            .port_bits = (uint8_t)port,
                            .host_bits = (uint8_t)host,
                            .cuts = (uint16_t)((1u << cut) - 1),
                            .port = (uint16_t)(((1u << port) - 1) << cut)};
}

static inline uint32_t weft_packet_key(weft_event_key key, weft_kind kind, uint32_t port)
{
    uint32_t made = (uint32_t)kind << 29;
    if (!key.port_bits)
        return made | port << 23;
    return made | (port & 0x3f) << 23 | port >> WEFT_KEY_PORT_BITS << key.cut_bits;
}

static inline weft_kind weft_event_kind(const weft_event *event)
{
    return (weft_kind)(event->key >> 29);
}

static inline uint32_t weft_event_port(weft_event_key key, const weft_event *event)
{
    uint32_t port = (event->key >> 23) & 0x3f;
    if (key.port_bits)
        port |= (event->key & key.port) >> key.cut_bits << WEFT_KEY_PORT_BITS;
    return port;
}

/* True if the head of a packet arrives. */
static inline bool weft_event_is_head(const weft_event *event)
{
    return weft_event_kind(event) <= WEFT_ENTER;
}

/* True if the event carries a packet. */
static inline bool weft_event_packet(const weft_event *event)
{
    weft_kind kind = weft_event_kind(event);
    return kind != WEFT_WAKE && kind != WEFT_CREDIT && kind != WEFT_ACK;
}

static inline uint32_t weft_packet_source(const weft_event *packet)
{
    return packet->data[0] & WEFT_NAME_MASK;
}

static inline uint32_t weft_packet_index(const weft_event *packet)
{
    return packet->data[1] & WEFT_NAME_MASK;
}

/* The low WEFT_BIRTH_BITS of the tick of its message's birth, for the first packet of a message. */
static inline uint64_t weft_packet_birth(const weft_event *packet)
{
    uint32_t high = packet->data[0] >> WEFT_NAME_BITS | packet->data[1] >> WEFT_NAME_BITS << 4;
    return (uint64_t)high << 32 | packet->data[2];
}

/* Ticks from a birth to now. */
static inline uint64_t weft_birth_age(uint64_t birth, weft_time now)
{
    return ((uint64_t)now - birth) & WEFT_BIRTH_MASK;
}

/* The same for the first packet of a message. */
static inline uint64_t weft_packet_age(const weft_event *packet, weft_time now)
{
    bool early = (packet->data[0] | packet->data[1]) >> WEFT_NAME_BITS == 0; /* most often */
    return weft_birth_age(__builtin_expect(early, 1) ? packet->data[2] : weft_packet_birth(packet),
                          now);
}

/* Sets the name of a packet, and the birth of its message if it is the first one. */
static inline void weft_packet_name(weft_event *packet, uint32_t source, uint32_t index,
                                    weft_time birth)
{
    uint32_t high = (uint32_t)((uint64_t)birth >> 32);
    assert(source <= WEFT_NAME_MASK && index <= WEFT_NAME_MASK);
    packet->data[0] = source;
    packet->data[1] = index;
    packet->data[2] = (uint32_t)birth;
    if (__builtin_expect(high, 0)) {
        packet->data[0] |= (high & 15) << WEFT_NAME_BITS;
        packet->data[1] |= (high >> 4 & 15) << WEFT_NAME_BITS;
    }
}

/* Its route header; 0: it is at the router where it leaves the network. */
static inline uint32_t weft_packet_header(const weft_event *packet)
{
    return packet->data[3];
}

static inline void weft_packet_set_header(weft_event *packet, uint32_t header)
{
    packet->data[3] = header;
}

static inline uint32_t weft_packet_flits(const weft_event *packet)
{
    return packet->data[4] >> 16;
}

static inline uint32_t weft_packet_vc(const weft_event *packet)
{
    return (packet->data[4] >> 12) & 0xf;
}

/* True unless it is the first of its message. */
static inline bool weft_packet_follows(const weft_event *packet)
{
    return (packet->data[4] >> 11) & 1;
}

static inline uint32_t weft_packet_hops(const weft_event *packet)
{
    return packet->data[4] & WEFT_HOPS_MAX;
}

static inline uint32_t weft_packet_cuts(weft_event_key key, const weft_event *packet)
{
    return packet->key & key.cuts;
}

static inline uint32_t weft_packet_traffic_class(const weft_event *packet)
{
    return (packet->key >> 19) & 0xf;
}

/* hosts: endpoints at a router */
static inline uint32_t weft_packet_host(weft_event_key key, const weft_event *packet,
                                        uint32_t hosts)
{
    uint32_t host = (packet->key >> 11) & (hosts > WEFT_MARKED_HOSTS ? 0xff : 0x3f);
    if (key.host_bits)
        host |= (packet->key & WEFT_HOPS_MAX) >> (key.cut_bits + key.port_bits)
                                                     << WEFT_KEY_HOST_BITS;
    return host;
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
static inline void weft_packet_make(weft_event_key key, weft_event *packet, uint32_t traffic_class,
                                    uint32_t host, uint32_t flits, bool follows)
{
    uint32_t high = host >> WEFT_KEY_HOST_BITS;
    assert(traffic_class < 16 && high >> key.host_bits == 0 && flits <= WEFT_PACKET_MAX);
    packet->key = traffic_class << 19 | (host & 0xff) << 11;
    if (__builtin_expect(high, 0))
        packet->key |= high << (key.cut_bits + key.port_bits);
    packet->data[4] = flits << 16 | (uint32_t)follows << 11;
}

/* Copies the packet into another event. */
static inline void weft_packet_move(weft_event_key key, weft_event *to, const weft_event *packet,
                                    weft_kind kind, uint32_t port)
{
    uint32_t when = to->when, entity = to->to;
    *to = *packet;
    to->when = when;
    to->to = entity;
    to->key =
        weft_packet_key(key, kind, port) | (packet->key & (WEFT_KEY_PACKET & ~(uint32_t)key.port));
}

/* A new packet enters a VC. */
static inline void weft_packet_enter_vc(weft_event *packet, uint32_t vc)
{
    packet->data[4] |= vc << 12;
}

/* One hop further, without VCs. */
static inline void weft_packet_step(weft_event *packet, uint32_t header)
{
    packet->data[3] = header;
    packet->data[4]++;
}

/* One hop further, into a VC. */
static inline void weft_packet_advance(weft_event *packet, uint32_t header, uint32_t vc)
{
    packet->data[3] = header;
    packet->data[4] = ((packet->data[4] & ~(0xfu << 12)) + 1) | vc << 12;
}

/* Some hops further, with a new length; without VCs. */
static inline void weft_packet_redraw(weft_event *packet, uint32_t hops, uint32_t flits)
{
    packet->data[4] = (packet->data[4] & 0xffff) + hops + (flits << 16);
}

/* ---- events without a packet ---- */

/* Credits that return: of a VC, their number (of the first of a burst on), and the link class that
 * gives their period. */
static inline void weft_credit_make(weft_event_key key, weft_event *event, uint32_t port,
                                    uint32_t vc, uint32_t units, uint32_t link_class)
{
    event->key = weft_packet_key(key, WEFT_CREDIT, port);
    event->data[0] = vc;
    event->data[1] = units;
    event->data[2] = link_class;
    event->data[3] = event->data[4] = 0;
}

static inline uint32_t weft_credit_vc(const weft_event *event)
{
    return event->data[0];
}

static inline uint32_t weft_credit_units(const weft_event *event)
{
    return event->data[1];
}

static inline uint32_t weft_credit_link_class(const weft_event *event)
{
    return event->data[2];
}

#define WEFT_WAKE_RANKS 2u /* the port of a wake-up for ranks of programs (processes.h) */

/* A wake-up: of a source whose next message is due, or of something else that a router waits for.
 * `number` says which; port: 0 or 1, as the router likes. */
static inline void weft_wake_make(weft_event *event, uint32_t port, uint32_t number, bool source)
{
    event->key = weft_packet_key(WEFT_KEY_NARROW, WEFT_WAKE, port);
    event->data[0] = number;
    event->data[1] = !source;
}

static inline uint32_t weft_wake_number(const weft_event *event)
{
    return event->data[0];
}

static inline bool weft_wake_is_ranks(const weft_event *event)
{
    return event->key == weft_packet_key(WEFT_KEY_NARROW, WEFT_WAKE, WEFT_WAKE_RANKS);
}

static inline bool weft_wake_is_source(const weft_event *event)
{
    return event->data[1] == 0;
}

/* An ACK for a source of a router, and whether the packet was marked. */
static inline void weft_ack_make(weft_event *event, uint32_t source, bool marked)
{
    event->key = weft_packet_key(WEFT_KEY_NARROW, WEFT_ACK, 0);
    event->data[0] = source;
    event->data[1] = marked;
    event->data[2] = event->data[3] = event->data[4] = 0;
}

static inline uint32_t weft_ack_source(const weft_event *event)
{
    return event->data[0];
}

static inline bool weft_ack_marked(const weft_event *event)
{
    return event->data[1] != 0;
}

/* A stream of random numbers for this packet at this hop; the packets of a message have their
 * own. */
static inline weft_random weft_packet_draw(uint64_t seed, const weft_event *packet,
                                           weft_purpose purpose)
{
    uint64_t number = weft_packet_follows(packet) ? packet->data[2] : 0;
    return weft_random_stream(
        seed, weft_packet_index(packet) | (uint64_t)weft_packet_hops(packet) << 32 | number << 43,
        weft_packet_source(packet),
        (weft_purpose)((uint32_t)purpose | weft_packet_traffic_class(packet) << 4));
}

#endif
