/* SPDX-License-Identifier: Apache-2.0 */
/* Why jobs took as long as they did: the critical path of each, and its ranks over time. */
#ifndef WEFT_REPORT_EXPLAIN_H
#define WEFT_REPORT_EXPLAIN_H

#include "base/arena.h"
#include "interweft/result.h"

#include <stdio.h>

typedef enum weft_explain_part {
    WEFT_EXPLAIN_COMPUTE,
    WEFT_EXPLAIN_OVERHEAD,
    WEFT_EXPLAIN_INJECTION,
    WEFT_EXPLAIN_NETWORK,
    WEFT_EXPLAIN_WAITING, /* in the network; a step of the path has no such part */
    WEFT_EXPLAIN_PARTS
} weft_explain_part;

typedef struct weft_explain_operation { /* times in ticks, −1: none */
    int64_t rank, number, kind, ready, run, until, peer, size, sent, arrived;
} weft_explain_operation;

typedef struct weft_explain_step {
    int64_t part, rank, number, from, until, to, size, zero_load;
} weft_explain_step;

typedef struct weft_explain_wait { /* of a step */
    int64_t link, ticks;           /* −1: at none that has a name */
} weft_explain_wait;

typedef struct weft_explain_link {
    const char *name;
    double wait; /* of the messages of the path that waited longest here */
    int64_t messages;
} weft_explain_link;

/* A job of a point, as far as its timeline was recorded; nothing here is trusted to be whole, but
 * ranks, kinds and parts are in their ranges. */
typedef struct weft_explain_job {
    const char *name, *unit; /* unit: of times */
    double completion;
    double tick; /* times of a tick */
    uint32_t ranks;
    size_t n_operations, n_steps;
    const weft_explain_operation *operations; /* NULL: not recorded */
    const weft_explain_step *steps;
    const weft_explain_wait *waits; /* per step; NULL: not recorded */
    size_t n_links;
    weft_explain_link *links;        /* at which they waited, the longest first */
    double part[WEFT_EXPLAIN_PARTS]; /* times of the path */
    int64_t n[WEFT_EXPLAIN_PARTS];
    double compute, overhead; /* shares of the time of CPUs; NaN: not known */
    size_t n_bins;
    double bin;            /* width */
    const int64_t *states; /* (2 × rank + state) × bins + bin, ticks; NULL: not recorded */
    const int64_t *ends;   /* per rank, ticks; NULL: not known */
} weft_explain_job;

extern const char *const weft_explain_parts[WEFT_EXPLAIN_PARTS];

/* The jobs of a point; *count: how many. */
weft_explain_job *weft_explain_jobs(const weft_point *point, weft_arena *arena, size_t *count);

/* Prints, for every point that has jobs, what decided their ends; steps: the last ones of each path
 * that are listed. Fails if there are no jobs, or nothing was recorded. */
WEFT_MUST_USE weft_status weft_explain_print(weft_result *result, size_t steps, FILE *out,
                                             weft_error *err);
/* True if some point has jobs. */
bool weft_explain_has_jobs(weft_result *result);
/* Draws the ranks of all jobs of the first point over time, with the critical paths; NULL: not as
 * this. */
WEFT_MUST_USE weft_status weft_explain_draw(weft_result *result, const char *svg, const char *png,
                                            weft_error *err);

#endif
