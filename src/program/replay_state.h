/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a replay. */
#ifndef WEFT_PROGRAM_REPLAY_STATE_H
#define WEFT_PROGRAM_REPLAY_STATE_H

#include "program/heap.h"
#include "program/replay.h"

enum {                          /* of an operation */
       WEFT_REPLAY_POSTED = 1,  /* a receive that waits for its message */
       WEFT_REPLAY_ARRIVED = 2, /* a message that waits for its receive, held[operation] */
       WEFT_REPLAY_STARTED = 4,
       WEFT_REPLAY_DONE = 8
};

typedef struct weft_replay_message {
    uint32_t source, index; /* index: of the messages of its source */
    uint32_t send;          /* its operation; in the list of free ones: the next */
    uint32_t receive;       /* WEFT_PROGRAM_NONE: not known yet */
    bool request;           /* of a longer message */
} weft_replay_message;

typedef struct weft_replay_list { /* of handles, in order */
    uint32_t *at;
    uint32_t count, room;
} weft_replay_list;

typedef struct weft_replay_state {
    const weft_program *program;
    weft_host_costs costs;
    weft_heap agenda;
    uint64_t now, pushed;            /* pushed: entries so far */
    uint64_t *finish;                /* per rank */
    uint64_t *armed;                 /* per rank: when it decides next; UINT64_MAX: never */
    uint64_t *cpu_free;              /* rank × CPUs */
    uint64_t *send_free, *link_free; /* rank × NICs: its sending side, its link for receiving */
    /* rank × CPUs × (1 + NICs): what is ready; receives and calculations, then sends by NIC. */
    weft_heap *ready;
    uint32_t *sent; /* per rank: messages so far */
    uint32_t *need; /* per operation: dependencies that are left */
    uint32_t *held; /* per receive: the message that came early */
    uint8_t *state; /* per operation */
    uint32_t n_done;
    weft_replay_message *messages;
    uint32_t n_messages, message_room, free_message; /* WEFT_PROGRAM_NONE: no free one */
    weft_replay_list *posted, *early; /* per rank that matches messages as they come, or NULL */
    bool late;                        /* times have become too long */
} weft_replay_state;

/* Describes why nothing can go on. */
weft_status weft_replay_stuck(const weft_replay_state *replay, weft_error *err);

#endif
