/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random streams (Philox4x32-10): a stream is a pure function of
 * (seed, index, entity, purpose); drawing from one never disturbs another. */
#ifndef INTERWEFT_RANDOM_H
#define INTERWEFT_RANDOM_H

#include "interweft/status.h"

#include <stdint.h>

WEFT_DECLARATIONS

/* The purpose of a stream. Values never change, since the results of a seed depend on them. */
typedef enum weft_purpose {
    WEFT_FOR_MESSAGE = 1,    /* arrival, destination, length, direction of ties */
    WEFT_FOR_HOP = 2,        /* selection at a hop; coins */
    WEFT_FOR_PHASE = 3,      /* start of a source */
    WEFT_FOR_ESTIMATE = 4,   /* samples for bounds, estimates and contracts; tests */
    WEFT_FOR_TIE = 5,        /* the systematic tie of a header and a tail */
    WEFT_FOR_ARBITER = 6,    /* random arbitration */
    WEFT_FOR_REROUTE = 8,    /* adaptive decisions in transit */
    WEFT_FOR_CABLES = 9,     /* links of a random network */
    WEFT_FOR_FAULT = 10,     /* random faults */
    WEFT_FOR_LENGTH = 11,    /* a length drawn anew at a hop; a service time */
    WEFT_FOR_MARKING = 12,   /* marks of congestion */
    WEFT_FOR_PACE = 13,      /* gaps between the packets of a source with rate control */
    WEFT_FOR_COMPUTE = 14,   /* imbalance and noise of calculations */
    WEFT_FOR_LABORATORY = 20 /* workloads of a crossbar and their arrivals */
} weft_purpose;

typedef struct weft_random {
    uint32_t key[2];
    uint32_t counter[4]; /* block, index, entity, purpose (index's high half in the purpose word) */
    uint32_t word[4];
    uint32_t left;
} weft_random;

/* Draws the next four words. */
WEFT_API void weft_random_refill(weft_random *random);

static inline weft_random weft_random_stream(uint64_t seed, uint64_t index, uint32_t entity,
                                             weft_purpose purpose)
{
    weft_random random;
    random.key[0] = (uint32_t)seed;
    random.key[1] = (uint32_t)(seed >> 32);
    random.counter[0] = 0;
    random.counter[1] = (uint32_t)index;
    random.counter[2] = entity;
    random.counter[3] = (uint32_t)purpose | ((uint32_t)(index >> 32) << 8);
    random.left = 0;
    return random;
}

/* Index (low half) and entity of a stream. For a packet: the number of its message at the source,
 * and the source. */
static inline uint32_t weft_random_index(const weft_random *random)
{
    return random->counter[1];
}
static inline uint32_t weft_random_entity(const weft_random *random)
{
    return random->counter[2];
}

/* 32 uniform bits. */
static inline uint32_t weft_random_word(weft_random *random)
{
    if (random->left == 0)
        weft_random_refill(random);
    return random->word[--random->left];
}

/* Uniform in 0 … n−1, exactly (n > 0). */
WEFT_API uint32_t weft_random_below(weft_random *random, uint32_t n);

/* Uniform in (0, 1), 32 bits, never 0 or 1. */
static inline double weft_random_open(weft_random *random)
{
    return ((double)weft_random_word(random) + 0.5) * 0x1p-32;
}

WEFT_DECLARATIONS_END

#endif
