/* SPDX-License-Identifier: Apache-2.0 */
/* A search as metrics, a histogram, the exact distribution and the worst matrices. */
#include "study/crossbar/crossbar.h"

#include "base/numeric.h"

#include <math.h>

#define METRICS (10 + WEFT_WORST_MAX)
#define ARRAYS  (2 + WEFT_WORST_MAX)
#define BINS    1000 /* of the histogram: thousandths */

typedef struct writer {
    const weft_xbar_laboratory *lab;
    const weft_xbar_spread *spread;
    weft_arena *arena;
    weft_metric *metrics;
    weft_array *arrays;
    size_t n_metrics, n_arrays;
    const char *method;
} writer;

static void add(writer *to, const char *name, weft_xbar_bounded value, const char *unit)
{
    bool whole = value.lo == value.hi;
    to->metrics[to->n_metrics++] = (weft_metric){.name = name,
                                                 .of = "",
                                                 .by = "",
                                                 .value = value.value,
                                                 .lo = whole ? (double)NAN : value.lo,
                                                 .hi = whole ? (double)NAN : value.hi,
                                                 .n = (int64_t)to->spread->matrices,
                                                 .unit = unit,
                                                 .method = whole ? "exact" : to->method};
}

static void add_count(writer *to, const char *name, uint64_t count, const char *unit)
{
    to->metrics[to->n_metrics++] = (weft_metric){.name = name,
                                                 .of = "",
                                                 .by = "",
                                                 .value = (double)count,
                                                 .lo = (double)NAN,
                                                 .hi = (double)NAN,
                                                 .n = (int64_t)to->spread->matrices,
                                                 .unit = unit,
                                                 .method = "count"};
}

/* Thousandths, from the least to the greatest that there is. */
static void add_histogram(writer *to)
{
    const weft_xbar_spread *spread = to->spread;
    int64_t counts[BINS + 1] = {0};
    size_t first = BINS, last = 0;
    for (size_t i = 0; i < spread->used; i++) {
        const weft_xbar_spread_row *row = &spread->rows[i];
        size_t bin = (size_t)((weft_u128)row->value.top * BINS / row->value.bottom);
        counts[bin] += (int64_t)row->count;
        first = bin < first ? bin : first;
        last = bin > last ? bin : last;
    }
    size_t count = last - first + 1;
    int64_t *x = WEFT_TAKE(to->arena, int64_t, count), *y = WEFT_TAKE(to->arena, int64_t, count);
    for (size_t k = 0; k < count; k++) {
        x[k] = (int64_t)(first + k);
        y[k] = counts[first + k];
    }
    to->arrays[to->n_arrays++] = (weft_array){.table = "histogram",
                                              .name = "throughput",
                                              .of = "",
                                              .unit = "1/1000",
                                              .count = count,
                                              .x = x,
                                              .y = y};
}

/* Every throughput there is: numerator, denominator, how many matrices have it. */
static void add_fractions(writer *to)
{
    const weft_xbar_spread *spread = to->spread;
    int64_t *y = WEFT_TAKE(to->arena, int64_t, 3 * spread->used);
    for (size_t i = 0; i < spread->used; i++) {
        y[3 * i] = (int64_t)spread->rows[i].value.top;
        y[3 * i + 1] = (int64_t)spread->rows[i].value.bottom;
        y[3 * i + 2] = (int64_t)spread->rows[i].count;
    }
    to->arrays[to->n_arrays++] = (weft_array){.table = "matrix",
                                              .name = "throughputs",
                                              .of = "",
                                              .unit = "numerator, denominator, matrices",
                                              .count = 3 * spread->used,
                                              .y = y,
                                              .columns = 3};
}

static void add_worst(writer *to, weft_xbar_counter *counter, uint32_t k)
{
    const weft_xbar_worst *one = &to->spread->worst[k];
    uint32_t n = to->lab->n, *cell = WEFT_TAKE(to->arena, uint32_t, (size_t)n * n);
    int64_t *y = WEFT_TAKE(to->arena, int64_t, (size_t)n * n);
    weft_xbar_search_matrix(&to->lab->plan, counter, one->index, cell);
    for (uint32_t c = 0; c < n * n; c++)
        y[c] = cell[c];
    to->arrays[to->n_arrays++] =
        (weft_array){.table = "matrix",
                     .name = weft_arena_format(to->arena, "matrix %u", k + 1),
                     .of = "",
                     .unit = "cells",
                     .count = (size_t)n * n,
                     .y = y,
                     .columns = n};
    to->metrics[to->n_metrics++] = (weft_metric){
        .name = "throughput",
        .of = "",
        .by = "worst",
        .index = k + 1,
        .value = weft_xbar_ratio_value(one->value),
        .lo = one->exact ? (double)NAN : weft_xbar_ratio_value(one->least),
        .hi = one->exact ? (double)NAN : weft_xbar_ratio_value(one->most),
        .n = (int64_t)one->index,
        .unit = "fraction",
        .method = weft_arena_format(to->arena, "%s %llu/%llu", one->exact ? "exact" : "windows",
                                    (unsigned long long)one->value.top,
                                    (unsigned long long)one->value.bottom)};
}

void weft_crossbar_outcome(const weft_xbar_laboratory *lab, weft_xbar_counter *counter,
                           weft_xbar_spread *spread, weft_arena *arena, weft_point *point)
{
    weft_xbar_spread_summary summary;
    weft_xbar_spread_sort(spread);
    weft_xbar_spread_sum_up(spread, &summary);
    writer to = {.lab = lab,
                 .spread = spread,
                 .arena = arena,
                 .metrics = WEFT_TAKE(arena, weft_metric, METRICS),
                 .arrays = WEFT_TAKE(arena, weft_array, ARRAYS),
                 .method = "windows"};
    add(&to, "throughput", summary.mean, "fraction");
    add(&to, "worst", summary.worst, "fraction");
    add(&to, "best", summary.best, "fraction");
    add(&to, "deviation", summary.deviation, "fraction");
    add(&to, "absolute-deviation", summary.absolute, "fraction");
    add_count(&to, "matrices", spread->matrices, "matrices");
    add_count(&to, "at-worst", summary.at_worst, "matrices");
    add_count(&to, "unsettled", spread->unsettled, "matrices");
    add_count(&to, "slots", spread->slots, "slots");
    if (lab->plan.steady.stop == WEFT_STOP_PAPER)
        add_count(&to, "longest run", spread->longest, "slots");
    add_histogram(&to);
    add_fractions(&to);
    for (uint32_t k = 0; k < spread->n_worst; k++)
        add_worst(&to, counter, k);
    point->verdict = spread->unsettled == 0 ? "exact"
                     : lab->plan.steady.stop == WEFT_STOP_EXACT
                         ? "exact but for what does not recur"
                         : "measured in windows";
    point->metrics = to.metrics;
    point->n_metrics = to.n_metrics;
    point->arrays = to.arrays;
    point->n_arrays = to.n_arrays;
}
