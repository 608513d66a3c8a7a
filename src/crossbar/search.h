/* SPDX-License-Identifier: Apache-2.0 */
/* One scheduler on many matrices: a range of all matrices, or of a sequence of drawn ones. Uses
 * lanes where they are supported, else the scheduler's own object; the result is the same. */
#ifndef WEFT_CROSSBAR_SEARCH_H
#define WEFT_CROSSBAR_SEARCH_H

#include "crossbar/lanes.h"
#include "crossbar/spread.h"

/* Widths of weft_xbar_search_plan besides those of weft_xbar_width. */
#define WEFT_WIDTH_OBJECT 1 /* one switch at a time, by the scheduler's object */

typedef struct weft_xbar_search_plan {
    const weft_scheduler *scheduler; /* built */
    uint32_t n, d;                   /* matrices */
    bool drawn;                      /* matrices are drawn by `draw`; else all matrices */
    weft_xbar_draw draw;
    /* cells of a period = cells of the matrix × scale, in d × stretch slots: rho = scale /
     * stretch */
    uint32_t scale, stretch;
    weft_xbar_arrivals_options arrivals;
    weft_xbar_steady_options steady;
    uint32_t width; /* weft_xbar_width or WEFT_WIDTH_OBJECT */
} weft_xbar_search_plan;

/* The matrix at an index. The counter is that of n and d; NULL for drawn matrices. */
void weft_xbar_search_matrix(const weft_xbar_search_plan *plan, weft_xbar_counter *counter,
                             uint64_t index, uint32_t *cell);

typedef struct weft_xbar_search_watch {
    /* Called every few milliseconds. */
    bool (*stop)(void *user, uint64_t done);
    /* The next range, once all of the last one is begun; false: none. NULL: there is none. */
    bool (*more)(void *user, uint64_t *from, uint64_t *count);
    void *user;
} weft_xbar_search_watch;

/* Adds matrices from … from + count − 1, and those of further ranges, to the spread; WEFT_STOPPED:
 * the watch stopped the search, and the spread must not be used. */
WEFT_MUST_USE weft_status weft_xbar_search_range(const weft_xbar_search_plan *plan,
                                                 weft_xbar_counter *counter, uint64_t from,
                                                 uint64_t count,
                                                 const weft_xbar_search_watch *watch,
                                                 weft_xbar_spread *spread, weft_error *err);

#endif
