/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks did and when: events of every operation, and the time that CPUs were busy in bins.
 *
 * Each rank has a record of its own, so a log does not depend on which ranks lie beside each other.
 * Bins of a rank begin with a width of one tick and are merged in pairs when its time outgrows
 * them: widths are powers of two, and records of any widths can be brought to one exactly. */
#ifndef WEFT_PROGRAM_RANK_LOG_H
#define WEFT_PROGRAM_RANK_LOG_H

#include "base/pack.h"

#include <stdbool.h>
#include <stdint.h>

#define WEFT_RANK_LOG_BINS 256 /* of a rank, at most */

typedef enum weft_rank_event_kind {
    WEFT_RANK_READY,   /* the last of what an operation waits for: the end of operation `number` */
    WEFT_RANK_FOLLOW,  /* … or its start */
    WEFT_RANK_RUN,     /* a CPU runs an operation, until `until` */
    WEFT_RANK_ARRIVAL, /* message `number` of rank `peer` has come completely */
    WEFT_RANK_TAKEN,   /* a receive that is posted has this message */
    WEFT_RANK_ANSWER,  /* a receive answers this request */
    WEFT_RANK_DATA,    /* a send has its answer; data leave from tick `size` to tick `until` */
    WEFT_RANK_EVENTS
} weft_rank_event_kind;

typedef struct weft_rank_event {
    uint64_t time, until;
    uint64_t size;         /* of an operation that runs: bytes, or units of a calculation */
    uint32_t operation;    /* repetition × operations of the rank + its number */
    uint32_t peer, number; /* of a message, as in ranks.h */
    uint8_t kind;          /* weft_rank_event_kind */
    uint8_t what, cpu;     /* of an operation that runs: weft_operation_kind */
} weft_rank_event;

typedef enum weft_rank_state {
    WEFT_RANK_COMPUTES,
    WEFT_RANK_OVERHEAD,
    WEFT_RANK_STATES
} weft_rank_state;

typedef struct weft_rank_record {
    weft_rank_event *events; /* in order */
    uint32_t n_events, room;
    uint64_t width; /* ticks of a bin */
    uint64_t *busy; /* bins × WEFT_RANK_STATES: ticks */
} weft_rank_record;

typedef struct weft_rank_log {
    bool events;     /* are kept; else bins alone */
    uint32_t n_bins; /* a power of two */
    uint32_t count;  /* ranks */
    weft_rank_record *records;
} weft_rank_log;

/* Bins of each of so many ranks. */
uint32_t weft_rank_log_bins(uint64_t ranks);
void weft_rank_log_open(weft_rank_log *log, uint32_t count, uint32_t n_bins, bool events);
void weft_rank_log_close(weft_rank_log *log);
int64_t weft_rank_log_bytes(const weft_rank_log *log);
/* Adds an event, and the time of an operation that runs to the bins. */
void weft_rank_log_add(weft_rank_log *log, uint32_t local, weft_rank_event event);
/* Merges the bins of a record until they are this wide. */
void weft_rank_record_widen(weft_rank_record *record, uint32_t n_bins, uint64_t width);

/* A record as bytes. Implausible bytes fail the reader. */
void weft_rank_record_save(const weft_rank_record *record, uint32_t n_bins, weft_pack *pack);
void weft_rank_record_load(weft_rank_record *record, uint32_t n_bins, weft_unpack *from);

#endif
