/* SPDX-License-Identifier: Apache-2.0 */
/* The history of a job: when each operation of each rank could start, ran and was over, and what it
 * waited for last. Made from the events of a log that has all of them. */
#ifndef WEFT_PROGRAM_HISTORY_H
#define WEFT_PROGRAM_HISTORY_H

#include "program/program.h"
#include "program/timeline/rank_log.h"

#define WEFT_HISTORY_NONE UINT32_MAX

/* Operations are known by their place in the history; times are ticks. */
typedef struct weft_past {
    uint64_t ready;      /* all it waits for on its rank has happened; a receive is posted then */
    uint64_t taken;      /* of a receive: its message is there, too */
    uint64_t run, until; /* on its CPU */
    uint64_t over;       /* its end: later than `until` if data have to leave */
    uint64_t sent;       /* of a send: its bytes are handed to the network */
    uint64_t arrived;    /* of a receive: the last byte of its message has come */
    /* If the send asks first: its request has come, the receive answers, the answer has come back;
     * the first two are the receive's, the third the send's. */
    uint64_t asked, answers, answered;
    uint64_t size;         /* bytes, or units of a calculation */
    uint32_t cause;        /* the operation that it waited for last; WEFT_HISTORY_NONE: none */
    uint32_t partner;      /* of a message: the other end's operation */
    uint32_t before;       /* the one that ran before it on its CPU */
    uint32_t sender;       /* of a send: the send of its rank before it */
    uint32_t rank, number; /* number: among those of all repetitions of the rank */
    uint32_t name;         /* as events call it: there may be gaps */
    bool by_start;         /* waited for the start of `cause`, else for its end */
    bool asks;             /* request and answer came before */
    uint8_t kind, cpu;     /* weft_operation_kind */
} weft_past;

typedef struct weft_history {
    uint32_t n_ranks;
    size_t n_operations;
    size_t *first; /* per rank, and of n_ranks: all */
    weft_past *operations;
} weft_history;

/* records: of the ranks of a job, with their events. overhead: ticks from the start of a send to
 * its hand-over; start: of the job. False: the records are not those of a whole run. */
bool weft_history_build(weft_history *history, const weft_rank_record *records, uint32_t n_ranks,
                        uint32_t repeats, uint64_t overhead, uint64_t start);
void weft_history_done(weft_history *history);

#endif
