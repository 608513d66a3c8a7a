/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a program on their hosts: what they do, and when, as messages arrive. All ranks of a
 * program, or those of one block of a simulated network. The network is the caller's: it is handed
 * messages and says when they have arrived. Times are ticks; replay.h has the rules.
 *
 * A program may be repeated: a rank that has finished its operations begins again, whatever the
 * others do. A message is (rank, number) with number = ((repetition × operations of that rank) +
 * operation) × 2, + 1 for data that follow a request. So neither size nor tag has to travel. The
 * answer to a request is the message of the receive. */
#ifndef WEFT_PROGRAM_RANKS_H
#define WEFT_PROGRAM_RANKS_H

#include "base/pack.h"
#include "interweft/program.h"
#include "program/heap.h"
#include "program/program.h"
#include "program/timeline/rank_log.h"

#define WEFT_RANKS_TIME_MAX ((uint64_t)1 << 62)
#define WEFT_RANKS_NEVER    UINT64_MAX

/* What takes longer than times may be is a tick too long, and cannot wrap around when it is added
 * to a time. */
static inline uint64_t weft_ranks_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    bool over = __builtin_mul_overflow(a, b, &product);
    return over || product > WEFT_RANKS_TIME_MAX ? WEFT_RANKS_TIME_MAX + 1 : product;
}

enum {                         /* of an operation */
       WEFT_RANKS_POSTED = 1,  /* a receive that waits for its message */
       WEFT_RANKS_ARRIVED = 2, /* a receive whose message is there before it is posted */
       WEFT_RANKS_STARTED = 4,
       WEFT_RANKS_DONE = 8,
       WEFT_RANKS_ANSWERED = 16 /* a send whose request has been answered */
};

/* In the order within a tick. Entries up to WEFT_RANKS_RELEASE and WEFT_RANKS_DECIDE are those of
 * ranks; the others are the network's. */
typedef enum weft_ranks_entry {
    WEFT_RANKS_OVER,    /* an operation */
    WEFT_RANKS_RELEASE, /* an operation may start */
    WEFT_RANKS_HEAD,
    WEFT_RANKS_TAIL,
    WEFT_RANKS_REPLY,
    WEFT_RANKS_DECIDE,
    WEFT_RANKS_HAND, /* a message is handed to the network */
    WEFT_RANKS_BEGIN /* a rank begins */
} weft_ranks_entry;

/* What CPUs do; the rest of their time is spent waiting for messages that are not sent yet. */
enum {
    WEFT_SPENT_CALC,
    WEFT_SPENT_MESSAGES, /* o and O */
    WEFT_SPENT_NETWORK,  /* idle, until a message comes that was on its way, or a NIC is free */
    WEFT_SPENT_KINDS
};

#define WEFT_STEPS_MAX 1024 /* repetitions whose ends are kept; of more of them every n-th */

typedef struct weft_ranks_message {
    uint32_t source, number;
} weft_ranks_message;

typedef struct weft_ranks_list { /* in order */
    weft_ranks_message *at;
    uint32_t count, room;
} weft_ranks_list;

typedef struct weft_ranks {
    const weft_program *program;
    weft_host_costs costs;
    uint64_t flit;    /* bytes: costs.per_byte is for each of these */
    uint64_t calc;    /* ticks of a unit */
    uint32_t repeats; /* of the program */
    uint32_t count;   /* ranks here */
    uint32_t *rank;   /* their numbers in the program */
    uint32_t *base;   /* where the operations of each begin in need, held and state */
    weft_heap agenda;
    uint64_t now, pushed; /* pushed: entries so far */
    uint64_t *finish;     /* per rank: the end of its last operation */
    uint64_t *armed;      /* when it decides next; WEFT_RANKS_NEVER: not known */
    uint64_t *cpu_free;   /* rank × CPUs */
    uint64_t *send_free;  /* rank × NICs: its sending side */
    weft_heap *ready;     /* rank × CPUs × (1 + NICs): receives and calculations, then sends */
    uint32_t *repetition, *left; /* left: operations of this repetition */
    uint32_t *need;              /* per operation: dependencies that are left */
    uint32_t *held; /* per receive: the send of its message; NULL: the program is divided */
    /* Of a divided program: where the messages of each rank begin in … */
    uint32_t *known_first;
    uint32_t
        *known; /* … this: numbers of its receives, and of sends that ask, by (peer, partner) */
    uint8_t *state; /* per operation */
    /* Of ranks that match messages as they come: receives that are posted (number: operation),
     * messages that came early, receives whose request was answered. */
    weft_ranks_list *posted, *early, *answered;
    weft_ranks_list *ahead; /* messages of later repetitions */
    uint32_t n_left;        /* ranks that have not finished */
    uint64_t *spent;        /* rank × WEFT_SPENT_KINDS: ticks of its CPUs */
    uint64_t *came, *way;   /* per rank: when its last message came, and the ticks of its way */
    uint64_t *ends;         /* of steps: the last rank here that reached each */
    bool late;              /* times have become too long */
    /* The rank `local` sends the message of an operation at tick `at`: a send, the data of a send
     * whose request was answered, or a receive as the answer to the request of `send`. */
    void (*send)(void *user, uint64_t at, uint32_t local, uint32_t operation, uint32_t send);
    void *user;
    weft_rank_log *log; /* NULL: nothing is recorded */
} weft_ranks;

/* Sets up `count` ranks, rank[i] each (NULL: all of the program); costs, repeats, flit, send and
 * user are filled in by the caller, all else is 0. */
void weft_ranks_open(weft_ranks *ranks, const uint32_t *rank, uint32_t count);
void weft_ranks_close(weft_ranks *ranks);
/* Bytes of a rank with its operations, without what it takes while it runs. */
uint64_t weft_ranks_bytes(const weft_program *program, uint32_t rank);
/* Begins a rank at tick ranks->now. */
void weft_ranks_begin(weft_ranks *ranks, uint32_t local);
/* Adds an entry to the agenda. */
void weft_ranks_push(weft_ranks *ranks, uint64_t time, weft_ranks_entry kind, uint32_t local,
                     uint32_t what);
static inline weft_ranks_entry weft_ranks_kind(weft_heap_entry entry)
{
    return (weft_ranks_entry)(entry.order >> 61);
}
static inline uint32_t weft_ranks_local(weft_heap_entry entry)
{
    return (uint32_t)(entry.order >> 33) & (WEFT_PROGRAM_RANKS_MAX - 1);
}
/* Carries out an entry of a rank at its time. */
void weft_ranks_take(weft_ranks *ranks, weft_heap_entry entry);
/* The last byte of a message has come to a rank. */
void weft_ranks_arrive(weft_ranks *ranks, uint32_t local, weft_ranks_message message);
/* The answer to the request of a send has come back. */
void weft_ranks_reply(weft_ranks *ranks, uint32_t local, uint32_t send);

/* ranks_time.c. Repetitions of a step, and steps of a program that is repeated. */
uint32_t weft_ranks_stride(uint32_t repeats);
uint32_t weft_ranks_steps(uint32_t repeats);
/* A CPU that was free at tick `free` begins an operation that takes it for so many ticks. */
void weft_ranks_spend(weft_ranks *ranks, uint32_t local, const weft_operation *operation,
                      uint64_t free, uint64_t takes);
/* A rank has ended a repetition. */
void weft_ranks_step(weft_ranks *ranks, uint32_t local);

/* Flits after the first of a message, and its bytes after the first. */
uint64_t weft_ranks_flits(const weft_ranks *ranks, uint32_t operation);
/* True if a send asks first. */
static inline bool weft_ranks_asks(const weft_ranks *ranks, uint32_t operation)
{
    return weft_operation_size(&ranks->program->operations[operation]) > ranks->costs.eager;
}
/* Ticks that a message takes a link or a side of a NIC. */
uint64_t weft_ranks_link_time(const weft_ranks *ranks, uint64_t flits);

static inline uint32_t weft_ranks_operations(const weft_program *program, uint32_t rank)
{
    return program->first[rank + 1] - program->first[rank];
}

/* The operation of a message, of a program that is not divided, and its repetition. */
static inline uint32_t weft_ranks_operation(const weft_program *program, weft_ranks_message message)
{
    return program->first[message.source] +
           message.number / 2 % weft_ranks_operations(program, message.source);
}
static inline uint32_t weft_ranks_repetition(const weft_program *program,
                                             weft_ranks_message message)
{
    return message.number / 2 / weft_ranks_operations(program, message.source);
}
/* The message of an operation of a rank here, in its repetition. */
static inline uint32_t weft_ranks_number(const weft_ranks *ranks, uint32_t local,
                                         uint32_t operation, bool data)
{
    uint32_t rank = ranks->rank[local], first = ranks->program->at[rank];
    uint32_t each = weft_ranks_operations(ranks->program, rank);
    return (ranks->repetition[local] * each + (operation - first)) * 2 + data;
}
/* Where an operation of a rank is in need, held and state. */
static inline uint32_t weft_ranks_at(const weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    return ranks->base[local] + (operation - ranks->program->at[ranks->rank[local]]);
}

/* An operation with the size of a message that has come to a rank; WEFT_PROGRAM_NONE: it has none
 * for it. *send: if it is an answer, the
 * send whose request it answers; else WEFT_PROGRAM_NONE. */
uint32_t weft_ranks_sized(const weft_ranks *ranks, uint32_t local, weft_ranks_message message,
                          uint32_t *send);
/* Lists the messages of all ranks here, of a divided program. */
void weft_ranks_know(weft_ranks *ranks);
/* The receive, or the send, of a rank that has to do with a message of a divided program;
 * WEFT_PROGRAM_NONE: there is none. */
uint32_t weft_ranks_known(const weft_ranks *ranks, uint32_t local, weft_ranks_message message);

/* Record an event now, if ranks->log: of an operation, because of a message or of the operation
 * other.number of the rank; of one that takes its CPU; of data that follow a request. */
void weft_ranks_note(const weft_ranks *ranks, uint32_t local, weft_rank_event_kind kind,
                     uint32_t operation, weft_ranks_message other);
void weft_ranks_note_run(const weft_ranks *ranks, uint32_t local, uint32_t operation,
                         uint64_t takes);
void weft_ranks_note_data(const weft_ranks *ranks, uint32_t local, uint32_t send, uint64_t first,
                          uint64_t over);

/* Writes and reads all of a rank but its entries in the agenda. Implausible bytes fail the
 * reader. */

void weft_ranks_save(const weft_ranks *ranks, uint32_t local, weft_pack *pack);
void weft_ranks_load(weft_ranks *ranks, uint32_t local, weft_unpack *from);
/* The agenda sorted by rank; malloc'ed. */
weft_heap_entry *weft_ranks_sorted(const weft_ranks *ranks);

/* The operation of a rank at which it waits for another one: its number there, + 1; 0: none. */
uint32_t weft_ranks_waits(const weft_ranks *ranks, uint32_t local);
typedef struct weft_ranks_wait { /* of a rank */
    uint32_t number;             /* weft_ranks_waits */
    weft_operation operation;    /* and the operation */
} weft_ranks_wait;
/* Describes why nothing can go on. waits: of every rank of the program. */
WEFT_MUST_USE weft_status weft_ranks_stuck(const weft_program *program,
                                           const weft_ranks_wait *waits, uint64_t now,
                                           const char *name, weft_error *err);

#endif
