/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that go through a schedule: the rules of program/ranks.h for programs that are generated,
 * with one CPU and one NIC a rank. A rank's state is the round it is in, and a few counters; what
 * it sends, to whom, and which of its steps receives a message follow from the step alone. What
 * else is kept exists for a while only: messages that came before their receive was posted, and
 * what waits for a busy CPU. Ranks are those of one block of a simulated network. */
#ifndef WEFT_PROGRAM_MARCH_MARCH_H
#define WEFT_PROGRAM_MARCH_MARCH_H

#include "base/pack.h"
#include "interweft/program.h"
#include "program/agenda.h"
#include "program/ranks.h"
#include "program/march/inbox.h"
#include "program/march/phased.h"

typedef struct weft_march_rank {
    uint64_t cpu_free, send_free; /* when the CPU and the sending side of the NIC are */
    uint64_t armed;               /* when it decides next; WEFT_RANKS_NEVER: not known */
    uint64_t finish;              /* the end of its last operation */
    uint64_t half;                /* when it was half way to schedule->limit */
    uint32_t rank;                /* number in the program */
    uint32_t repetition, phase;   /* phase: WEFT_PROGRAM_NONE before it begins */
    uint32_t chains;              /* that have not ended, of this phase */
    uint32_t ready, ready_last;   /* what waits for the CPU, in order: a list in the pool */
} weft_march_rank;

typedef struct weft_march_chain { /* of a rank */
    uint64_t since;               /* when its round began */
    uint32_t first, end;          /* steps of the round */
    uint32_t next;                /* step to be sent next; end: none */
    uint32_t left;                /* operations that are not over */
} weft_march_chain;

typedef struct weft_march_ready { /* a receive whose message is there, or a calculation */
    uint64_t time, order;
    uint32_t what, next, last; /* last: the one before it */
} weft_march_ready;

typedef struct weft_march_early { /* a message whose receive is not posted */
    uint32_t local;               /* WEFT_PROGRAM_NONE: the entry is free */
    uint32_t receive;             /* number of the step that will receive it */
    uint32_t number;              /* its own */
} weft_march_early;

typedef struct weft_march_memo { /* a step of a rank, as weft_phased_step has it */
    uint32_t local, phase, step;
    weft_collective_step is;
} weft_march_memo;

typedef struct weft_march {
    const weft_phased *schedule;
    weft_host_costs costs;
    uint64_t flit; /* bytes: costs.per_byte is for each of these */
    uint64_t calc; /* ticks of a unit, for the log */
    uint32_t repeats, count;
    uint64_t now, start; /* start: when all ranks begin; WEFT_RANKS_NEVER: not known yet */
    weft_march_rank *ranks;
    weft_march_chain *chains; /* rank × schedule->chains */
    weft_agenda agenda;       /* by time, rank, kind */
    uint64_t pushed;
    uint32_t n_left, n_waiting; /* ranks that have not finished, that have not begun */
    weft_march_ready *pool;
    uint32_t pool_free, pool_room;    /* the first that is free; all there are */
    weft_march_early *early;          /* a table with open addressing */
    uint32_t n_early, early_room;     /* room: 0 or a power of two */
    bool late;                        /* times have become too long */
    uint64_t spent[WEFT_SPENT_KINDS]; /* ticks of the CPUs of all ranks here */
    uint64_t *ends;                   /* of steps (ranks.h): the last rank here that reached each */
    /* Of the rank in hand: a message has come in this tick, and the ticks of its way; the operation
     * whose end sets others free. */
    bool came;
    uint64_t way;
    uint32_t cause;
    weft_march_memo memo[2];
    weft_rank_log *log; /* NULL: nothing is recorded */
    /* The rank `local` hands message `number` to the network now. */
    void (*hand)(void *user, uint32_t local, uint32_t number);
    void *user;
} weft_march;

/* Sets up `count` ranks, rank[i] each; schedule, costs, flit, calc, repeats, start, hand and user
 * are filled in by the caller, all else is 0. */
void weft_march_open(weft_march *march, const uint32_t *rank, uint32_t count);
void weft_march_close(weft_march *march);
/* Bytes held now; and of a rank that is idle. */
uint64_t weft_march_bytes(const weft_march *march);
uint64_t weft_march_rank_bytes(const weft_phased *schedule);

/* The next tick in which a rank has something to do; WEFT_RANKS_NEVER: none. */
uint64_t weft_march_next(const weft_march *march);
/* Runs all ranks in tick march->now. What has arrived is in the order of ranks. */
void weft_march_run(weft_march *march, const weft_march_arrival *arrivals, uint32_t count);

/* The message by which a rank waits for another one, + 1; 0: none. */
uint32_t weft_march_waits(const weft_march *march, uint32_t local);
/* Describes why nothing can go on. waits: weft_march_waits of every rank of the program. */
WEFT_MUST_USE weft_status weft_march_stuck(const weft_phased *schedule, const uint32_t *waits,
                                           uint64_t now, const char *name, weft_error *err);

/* Writes and reads all of a rank; sorted: the agenda by rank. Implausible bytes fail the reader.
 * now: the next tick. */
void weft_march_save(const weft_march *march, const weft_heap_entry *sorted, uint32_t local,
                     weft_pack *pack);
void weft_march_load(weft_march *march, uint32_t local, uint64_t now, weft_unpack *from);
/* The agenda sorted by rank; malloc'ed. */
weft_heap_entry *weft_march_sorted(const weft_march *march);

#endif
