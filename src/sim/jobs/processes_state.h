/* SPDX-License-Identifier: Apache-2.0 */
/* The state of processes, for processes.c and processes_save.c. */
#ifndef WEFT_SIM_PROCESSES_STATE_H
#define WEFT_SIM_PROCESSES_STATE_H

#include "net/jobs/jobs.h"
#include "program/march/march.h"
#include "sim/jobs/processes.h"
#include "sim/jobs/message_waits.h"
#include "sim/source.h"

typedef struct weft_process_place { /* of an endpoint */
    uint32_t set;                   /* job; WEFT_NOWHERE: it has no rank */
    uint32_t local;                 /* rank of the set */
} weft_process_place;

typedef struct weft_process_waiting {
    weft_time at; /* since then */
    uint32_t number;
} weft_process_waiting;

typedef struct
    weft_process_queue { /* messages behind the one under the cursor: begin … count − 1 */
    weft_process_waiting *at;
    uint32_t begin, count, room;
} weft_process_queue;

typedef struct weft_process_set {
    bool generated; /* by a schedule: march; else stored: ranks */
    union {
        weft_ranks ranks;
        weft_march march;
    };
    struct weft_site *site;
    bool logs;                                    /* what its ranks do: in … */
    weft_rank_log log;                            /* … this */
    weft_process_times *flows[WEFT_SIZE_CLASSES]; /* NULL: no messages of this class come here */
    uint32_t count;                               /* ranks */
    uint32_t *source;                             /* per rank */
    weft_march_inbox inbox;
    weft_process_queue *queues;
    /* Per rank: messages it has handed over less those that have come to it, so that all together
     * are under way; only beside jobs in the background, else NULL. */
    int32_t *balance;
    weft_heap_entry *sorted; /* agenda by rank, while nothing changes; NULL: not at the moment */
} weft_process_set;

typedef struct weft_processes {
    uint32_t n_sets, n_endpoints;
    weft_process_set *sets;     /* per job */
    weft_process_place *places; /* per endpoint of the site */
    weft_message_waits *waits;  /* per router; NULL: not kept */
    uint32_t *called;           /* sources that have got a message in this tick */
    uint32_t n_called;
    int64_t waiting; /* messages handed over of which no packet exists */
    bool loaded;     /* from a checkpoint */
    weft_time now;   /* the last tick in which ranks ran */
    weft_time armed; /* the next one that the kernel will come to */
    weft_block *block;
} weft_processes;

/* True if such a message of a job can come to a rank: of a checkpoint anything may. */
bool weft_processes_expect(const weft_site *site, weft_process_place place,
                           weft_ranks_message message);

#endif
