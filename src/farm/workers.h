/* SPDX-License-Identifier: Apache-2.0 */
/* Workers: threads of one process that run the items of a job side by side, each item on one of
 * them. Items are begun in the order given; rows are taken one at a time, by the thread that
 * made them. The first failure ends them all: nothing more is begun, what is in hand is asked to
 * stop. */
#ifndef WEFT_FARM_WORKERS_H
#define WEFT_FARM_WORKERS_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_workers weft_workers;

typedef struct weft_workers_job {
    uint32_t threads; /* at most; the caller's is one of them */
    size_t n_items;
    /* Makes the row of item i (to be freed by the worker), on any thread, beside others. */
    weft_status (*run)(void *user, weft_workers *workers, size_t i, void **row, size_t *bytes,
                       weft_error *err);
    /* Takes it, never two at once. */
    weft_status (*take)(void *user, size_t i, const void *row, size_t bytes, weft_error *err);
    void *user;
} weft_workers_job;

/* Runs all items; returns when no thread of it is left. */
WEFT_MUST_USE weft_status weft_workers_run(const weft_workers_job *job, weft_error *err);

/* For run: what is in hand should stop, because of a failure elsewhere. */
bool weft_workers_stops(weft_workers *workers);
/* For run: how many items share the process from now on, this one included. */
uint32_t weft_workers_beside(weft_workers *workers);

#endif
