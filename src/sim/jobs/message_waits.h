/* SPDX-License-Identifier: Apache-2.0 */
/* Where messages of jobs waited: at every router, of each message that passes it, the longest
 * wait of one of its packets for a link there. Kept with measure.timeline: operations, by routers
 * that know how long a packet has been ready (input-queued). */
#ifndef WEFT_SIM_MESSAGE_WAITS_H
#define WEFT_SIM_MESSAGE_WAITS_H

#include "base/pack.h"
#include "sim/site.h"

struct weft_simulation;

#define WEFT_WAIT_INJECTION UINT32_MAX /* the output of an endpoint, at its router */

typedef struct weft_message_wait {
    uint32_t source, number; /* the message: endpoint, number there */
    uint32_t output;
    uint32_t ticks; /* 0: an empty slot */
} weft_message_wait;

typedef struct weft_message_waits { /* of a router, a hash table */
    weft_message_wait *slots;
    uint32_t count, room; /* room: a power of two, or 0 */
} weft_message_waits;

/* Of a message: the longest of all its waits. */
typedef struct weft_longest_wait {
    uint32_t source, number, router, output, ticks;
} weft_longest_wait;
typedef struct weft_longest_waits { /* of all messages that waited */
    size_t count;
    weft_longest_wait *at; /* by source and number */
} weft_longest_waits;
/* NULL: it has not waited. */
const weft_longest_wait *weft_longest_waits_find(const weft_longest_waits *waits, uint32_t source,
                                                 uint32_t number);

/* A wait of one packet; the longest one of a message is kept, of equals that of the first
 * output. */
void weft_message_waits_add(weft_message_waits *log, weft_message_wait wait);
void weft_message_waits_save(const weft_message_waits *log, weft_pack *pack);
/* Implausible bytes fail the reader. */
void weft_message_waits_load(weft_message_waits *log, uint32_t endpoints, weft_unpack *from);

/* A packet has waited for an output of a router of the site (WEFT_WAIT_INJECTION: its endpoint's):
 * notes it if it belongs to a job that has a history. */
void weft_message_waits_note(weft_site *site, uint32_t router, const weft_event *packet,
                             uint32_t output, uint32_t ticks);
/* True if waits of jobs are kept. */
bool weft_message_waits_kept(const weft_network *network);
/* Fills simulation->waits on rank 0; all processes together. */
void weft_message_waits_collect(struct weft_simulation *simulation);

#endif
