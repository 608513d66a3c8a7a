/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that wait at one place, in the order they came, each with the outputs it waits for. The
 * first that waits for a given output is found by a scan; its place is kept, so that no packet of a
 * long queue is scanned twice for the same output. */
#ifndef WEFT_SIM_ROUTER_COMMON_WAIT_QUEUE_H
#define WEFT_SIM_ROUTER_COMMON_WAIT_QUEUE_H

#include "kernel/kernel.h"

typedef struct weft_waiter {
    uint64_t outputs; /* a bit each; 0: it has gone */
    uint32_t key, data[5];
} weft_waiter;

typedef struct weft_wait_queue { /* all 0: empty */
    weft_waiter *at;             /* first … end − 1 wait, or have gone */
    uint32_t first, end, room;
    uint32_t waiting;
    uint64_t any; /* a superset of the outputs that packets wait for */
} weft_wait_queue;

/* Makes room for one more packet; true if places of packets have changed. */
bool weft_wait_queue_grow(weft_wait_queue *wait_queue);
void weft_wait_queue_done(weft_wait_queue *wait_queue);

/* Copies a waiting packet; leaves when and to alone. */
static inline void weft_wait_queue_packet(const weft_waiter *waiter, weft_event *packet)
{
    packet->key = waiter->key;
    for (int i = 0; i < 5; i++)
        packet->data[i] = waiter->data[i];
}

/* Appends a packet; there must be room. */
static inline void weft_wait_queue_append(weft_wait_queue *wait_queue, const weft_event *packet,
                                          uint64_t outputs)
{
    weft_waiter *waiter = &wait_queue->at[wait_queue->end++];
    waiter->outputs = outputs;
    waiter->key = packet->key;
    for (int i = 0; i < 5; i++)
        waiter->data[i] = packet->data[i];
    wait_queue->any |= outputs;
    wait_queue->waiting++;
}

/* The place of the first packet from *from on that waits for an output, or end; *from moves
 * there. */
static inline uint32_t weft_wait_queue_find(weft_wait_queue *wait_queue, uint32_t output,
                                            uint32_t *from)
{
    uint32_t i = *from > wait_queue->first ? *from : wait_queue->first;
    while (i < wait_queue->end && !(wait_queue->at[i].outputs >> output & 1))
        i++;
    if (i == wait_queue->end)
        wait_queue->any &= ~((uint64_t)1 << output);
    return *from = i;
}

#define WEFT_WAIT_QUEUE_SHORT 6 /* places that are scanned to find `any` exactly */

/* Takes out the packet at a place. */
static inline void weft_wait_queue_take(weft_wait_queue *wait_queue, uint32_t place,
                                        weft_event *packet)
{
    weft_wait_queue_packet(&wait_queue->at[place], packet);
    wait_queue->at[place].outputs = 0;
    wait_queue->waiting--;
    while (wait_queue->first < wait_queue->end && wait_queue->at[wait_queue->first].outputs == 0)
        wait_queue->first++;
    if (wait_queue->end - wait_queue->first <= WEFT_WAIT_QUEUE_SHORT) {
        uint64_t any = 0;
        for (uint32_t i = wait_queue->first; i < wait_queue->end; i++)
            any |= wait_queue->at[i].outputs;
        wait_queue->any = any;
    }
}

#endif
