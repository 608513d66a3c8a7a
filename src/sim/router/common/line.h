/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that wait at one place, in the order they came, each with the outputs it waits for.
 * The first that waits for a given output is found by looking through them; where it stands is
 * remembered, so that in a long line nobody is looked at twice for the same output. */
#ifndef WEFT_SIM_ROUTER_COMMON_LINE_H
#define WEFT_SIM_ROUTER_COMMON_LINE_H

#include "kernel/kernel.h"

typedef struct weft_waiter {
    uint64_t outputs; /* a bit each; 0: it has gone */
    uint32_t key, data[5];
} weft_waiter;

typedef struct weft_line { /* all 0: empty */
    weft_waiter *at;       /* first … end − 1 wait, or have gone */
    uint32_t first, end, room;
    uint32_t waiting;
    uint64_t any; /* outputs that somebody waits for, and perhaps others */
} weft_line;

/* Makes room for one more; true: those that wait have other places now. */
bool weft_line_grow(weft_line *line);
void weft_line_done(weft_line *line);

/* The packet of one that waits. when and to are left alone. */
static inline void weft_line_packet(const weft_waiter *waiter, weft_event *packet)
{
    packet->key = waiter->key;
    for (int i = 0; i < 5; i++)
        packet->data[i] = waiter->data[i];
}

/* At the end; there is room. */
static inline void weft_line_append(weft_line *line, const weft_event *packet, uint64_t outputs)
{
    weft_waiter *waiter = &line->at[line->end++];
    waiter->outputs = outputs;
    waiter->key = packet->key;
    for (int i = 0; i < 5; i++)
        waiter->data[i] = packet->data[i];
    line->any |= outputs;
    line->waiting++;
}

/* The place of the first that waits for an output, not before *from, which moves there; end:
 * nobody does. */
static inline uint32_t weft_line_find(weft_line *line, uint32_t output, uint32_t *from)
{
    uint32_t i = *from > line->first ? *from : line->first;
    while (i < line->end && !(line->at[i].outputs >> output & 1))
        i++;
    if (i == line->end)
        line->any &= ~((uint64_t)1 << output);
    return *from = i;
}

#define WEFT_LINE_SHORT 6 /* places: they are all looked at to know who waits for what */

/* Takes out the one at a place. */
static inline void weft_line_take(weft_line *line, uint32_t place, weft_event *packet)
{
    weft_line_packet(&line->at[place], packet);
    line->at[place].outputs = 0;
    line->waiting--;
    while (line->first < line->end && line->at[line->first].outputs == 0)
        line->first++;
    if (line->end - line->first <= WEFT_LINE_SHORT) {
        uint64_t any = 0;
        for (uint32_t i = line->first; i < line->end; i++)
            any |= line->at[i].outputs;
        line->any = any;
    }
}

#endif
