/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel of contiguous buckets that only grow, a cheap random number generator, no order within a
 * tick, no statistics but a counter, sizes that are powers of two. Not exact in the last detail (a
 * delay past the wheel is cut), because nobody reads its results. */
#include "bare.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define TICKS 4096u
#define FLITS 64.0

typedef struct bare_event { /* as large as ours: what a packet must carry */
    uint32_t to;
    uint32_t length; /* flits; 0: a source's next packet */
    int8_t left[4];  /* hops, by dimension */
    uint32_t source, index, birth, spare[2];
} bare_event;

typedef struct bare_bucket {
    bare_event *events;
    uint32_t n_events, room;
} bare_bucket;

typedef struct bare_wheel {
    bare_bucket bucket[TICKS];
    uint64_t random;
} bare_wheel;

static inline uint32_t draw(bare_wheel *wheel)
{
    uint64_t x = wheel->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    wheel->random = x;
    return (uint32_t)(x >> 32);
}

static inline double draw_exponential(bare_wheel *wheel, double mean)
{
    return -mean * log(((double)draw(wheel) + 0.5) * 0x1p-32);
}

static __attribute__((noinline)) void grow(bare_bucket *bucket)
{
    bucket->room = bucket->room ? 2 * bucket->room : 16;
    bucket->events = weft_realloc(bucket->events, bucket->room, sizeof *bucket->events);
}

static inline bare_event *put(bare_wheel *wheel, uint64_t now, uint64_t delay)
{
    bare_bucket *bucket = &wheel->bucket[(now + (delay < TICKS ? delay : TICKS - 1)) % TICKS];
    if (bucket->n_events == bucket->room)
        grow(bucket);
    return &bucket->events[bucket->n_events++];
}

static bare_wheel *wheel_create(void)
{
    bare_wheel *wheel = weft_alloc(sizeof *wheel);
    wheel->random = 0x9e3779b97f4a7c15u;
    return wheel;
}

static void wheel_destroy(bare_wheel *wheel)
{
    for (uint32_t i = 0; i < TICKS; i++)
        free(wheel->bucket[i].events);
    free(wheel);
}

typedef struct bare_torus {
    bare_wheel *wheel;
    unsigned dims, bits;
    uint32_t routers;
    double gap;        /* ticks between the packets of a source */
    uint32_t *free_at; /* per router and port */
    uint64_t packets, hops;
} bare_torus;

/* A new packet of router `at`: signed hops in every dimension, a coin at half a ring. */
static bare_event generate(bare_torus *torus, uint32_t at, uint64_t now)
{
    bare_event packet = {.to = at, .source = at, .birth = (uint32_t)now};
    uint32_t side = 1u << torus->bits, by;
    do
        by = draw(torus->wheel) & (torus->routers - 1);
    while (by == 0);
    for (unsigned d = 0; d < torus->dims; d++, by >>= torus->bits) {
        int hops = (int)(by & (side - 1)), half = (int)side / 2;
        bool back = hops > half || (hops == half && (draw(torus->wheel) & 1));
        packet.left[d] = (int8_t)(back ? hops - (int)side : hops);
    }
    packet.length = 1 + (uint32_t)draw_exponential(torus->wheel, FLITS - 0.5);
    return packet;
}

/* Sends a packet one hop on, or counts it if it has arrived. */
static inline void hop(bare_torus *torus, const bare_event *packet, uint64_t now)
{
    unsigned d = 0;
    while (d < torus->dims && packet->left[d] == 0)
        d++;
    if (d == torus->dims) {
        torus->packets++;
        return;
    }
    bool back = packet->left[d] < 0;
    uint32_t *free_at = &torus->free_at[packet->to * 8 + 2 * d + back];
    uint32_t start = *free_at > (uint32_t)now ? *free_at : (uint32_t)now;
    *free_at = start + packet->length;
    uint32_t one = 1u << (d * torus->bits), mask = ((1u << torus->bits) - 1) * one;
    bare_event *next = put(torus->wheel, now, start + 1 - (uint32_t)now);
    *next = *packet;
    next->to = (packet->to & ~mask) | ((packet->to + (back ? -one : one)) & mask);
    next->left[d] = (int8_t)(packet->left[d] + (back ? 1 : -1));
    torus->hops++;
}

static void arrive(bare_torus *torus, uint32_t at, uint64_t now)
{
    bare_event packet = generate(torus, at, now);
    uint64_t delay = 1 + (uint64_t)draw_exponential(torus->wheel, torus->gap - 0.5);
    bare_event *source = put(torus->wheel, now, delay);
    source->to = at;
    source->length = 0;
    hop(torus, &packet, now);
}

uint64_t weft_bare_torus(unsigned dims, unsigned bits, double rho, uint64_t packets)
{
    bare_torus torus = {.dims = dims, .bits = bits, .routers = 1u << (dims * bits)};
    torus.wheel = wheel_create();
    torus.free_at = weft_region_create(sizeof *torus.free_at * 8 * torus.routers);
    double hops = (1u << bits) / 4.0 * dims * torus.routers / (torus.routers - 1);
    torus.gap = FLITS * hops / (2 * dims * rho);
    for (uint32_t r = 0; r < torus.routers; r++) {
        bare_event *source =
            put(torus.wheel, 0, (uint64_t)draw_exponential(torus.wheel, torus.gap));
        source->to = r;
        source->length = 0;
    }
    for (uint64_t now = 0; torus.packets < packets; now++) {
        bare_bucket *bucket = &torus.wheel->bucket[now % TICKS];
        for (uint32_t i = 0; i < bucket->n_events; i++) {
            const bare_event *event = &bucket->events[i];
            if (event->length == 0)
                arrive(&torus, event->to, now);
            else
                hop(&torus, event, now);
        }
        bucket->n_events = 0;
    }
    weft_region_destroy(torus.free_at, sizeof *torus.free_at * 8 * torus.routers);
    wheel_destroy(torus.wheel);
    return torus.hops;
}

uint64_t weft_bare_hold(uint32_t entities, uint64_t events)
{
    const double mean = 90;
    const uint64_t lookahead = 10;
    bare_wheel *wheel = wheel_create();
    uint32_t *seen = weft_region_create(sizeof *seen * entities);
    for (uint32_t e = 0; e < entities; e++)
        put(wheel, 0, lookahead + (uint64_t)draw_exponential(wheel, mean))->to = e;
    uint64_t done = 0;
    for (uint64_t now = 0; done < events; now++) {
        bare_bucket *bucket = &wheel->bucket[now % TICKS];
        for (uint32_t i = 0; i < bucket->n_events; i++) {
            seen[bucket->events[i].to]++;
            uint32_t to = (uint32_t)((uint64_t)draw(wheel) * entities >> 32);
            put(wheel, now, lookahead + (uint64_t)draw_exponential(wheel, mean))->to = to;
        }
        done += bucket->n_events;
        bucket->n_events = 0;
    }
    weft_region_destroy(seen, sizeof *seen * entities);
    wheel_destroy(wheel);
    return done;
}
