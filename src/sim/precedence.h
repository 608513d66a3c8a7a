/* SPDX-License-Identifier: Apache-2.0 */
/* The order of simultaneous events in a sequential simulator with one event list, without that
 * list. There an event stands behind all events of the same time that were inserted before it.
 *
 * If all transmissions take equally long, this order follows from an event's chain of causes. The
 * end of a transmission is inserted one transmission time ahead. A generation is inserted when its
 * source generates the packet before, one gap ahead. So a generation precedes all ends if its gap
 * is longer than a transmission (early), and follows them if it is shorter (late). Two ends stand
 * like their causes, and so on back to the generations that began the two chains. The precedence
 * of an event has these fields, the most significant one first:
 *
 *   late   1 bit   the chain began with a late generation
 *   age    9 bits  transmission times since then: the young first if early, last if late;
 *                  511 stands for all above
 *   gap    3 bits  before that generation, the longer first; rounded, 0 stands for all above
 *   salt   8 bits  a hash of source and time: a fair order of chains that agree so far
 *   steps  5 bits  transmissions since the chain's last generation, the fewer first;
 *                  31 stands for all above
 *
 * A generation one transmission time after the one before continues its chain. Everything is known
 * where an event is caused and travels with it. */
#ifndef WEFT_SIM_PRECEDENCE_H
#define WEFT_SIM_PRECEDENCE_H

#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t weft_precedence; /* the least comes first */

enum {
    WEFT_PRECEDENCE_BITS = 26,
    WEFT_PRECEDENCE_STEPS = 0x1f,
    WEFT_PRECEDENCE_SALT = 5, /* where the others begin */
    WEFT_PRECEDENCE_GAP = 13,
    WEFT_PRECEDENCE_AGE = 16,
    WEFT_PRECEDENCE_AGE_MAX = 0x1ff,
    WEFT_PRECEDENCE_GAP_MAX = 0x7,
    WEFT_PRECEDENCE_LATE = 1 << 25,
};

typedef struct weft_precedence_scale {
    weft_time transmission; /* ticks */
    unsigned shift;         /* gaps are told apart by 2^shift ticks */
} weft_precedence_scale;

static inline weft_precedence_scale weft_precedence_scale_of(weft_time transmission)
{
    weft_precedence_scale scale = {.transmission = transmission};
    while (transmission >> scale.shift > 4)
        scale.shift++;
    return scale;
}

/* One transmission time later. */
static inline weft_precedence weft_precedence_older(weft_precedence of)
{
    uint32_t age = of >> WEFT_PRECEDENCE_AGE & WEFT_PRECEDENCE_AGE_MAX;
    if (of & WEFT_PRECEDENCE_LATE)
        return of - ((uint32_t)(age > 0) << WEFT_PRECEDENCE_AGE);
    return of + ((uint32_t)(age < WEFT_PRECEDENCE_AGE_MAX) << WEFT_PRECEDENCE_AGE);
}

/* Of the end of a transmission that an event with this precedence starts. */
static inline weft_precedence weft_precedence_end(weft_precedence cause)
{
    uint32_t age = 1u << WEFT_PRECEDENCE_AGE, late = (cause & WEFT_PRECEDENCE_LATE) != 0;
    weft_precedence end = cause + 1 + age - late * 2 * age; /* a branch could not be foreseen */
    bool full = (end & WEFT_PRECEDENCE_STEPS) == 0;
    if (__builtin_expect(full || ((end ^ cause) & WEFT_PRECEDENCE_LATE), 0))
        return weft_precedence_older(cause) + !full; /* at the end of its range a field stays */
    return end;
}

/* Of the start of the run, which stands for the generation before a source's first one. Sources
 * are in the list by their numbers then. */
static inline weft_precedence weft_precedence_start(uint32_t source, uint32_t sources)
{
    return (weft_precedence)(((uint64_t)source << 8) / sources) << WEFT_PRECEDENCE_SALT;
}

/* A source's part of the salt. */
static inline uint32_t weft_precedence_salt(uint32_t source)
{
    return source * 0x9e3779b1u;
}

/* Of a generation `gap` ticks after the one before, whose precedence was `last`. */
static inline weft_precedence weft_precedence_generation(const weft_precedence_scale *scale,
                                                         weft_precedence last, weft_time gap,
                                                         uint32_t salt, weft_time now)
{
    if (gap == scale->transmission)
        return weft_precedence_older(last);
    bool late = gap < scale->transmission;
    weft_time beyond = late ? gap : gap - scale->transmission;
    weft_time code = (beyond > 0 ? beyond - 1 : 0) >> scale->shift;
    uint32_t rest = WEFT_PRECEDENCE_GAP_MAX -
                    (code < WEFT_PRECEDENCE_GAP_MAX ? (uint32_t)code : WEFT_PRECEDENCE_GAP_MAX);
    uint32_t drawn = (salt ^ ((uint32_t)now * 0x85ebca77u)) >> 24;
    if (gap == now) /* since the start */
        drawn = last >> WEFT_PRECEDENCE_SALT;
    uint32_t first =
        late ? WEFT_PRECEDENCE_LATE | WEFT_PRECEDENCE_AGE_MAX << WEFT_PRECEDENCE_AGE : 0;
    return first | rest << WEFT_PRECEDENCE_GAP | drawn << WEFT_PRECEDENCE_SALT;
}

#endif
