/* SPDX-License-Identifier: Apache-2.0 */
/* The measurements of a run over time: one row of integer columns (and histograms) per cell.
 *
 * The engine hands in one row per sampling interval, merged over all threads. At most
 * WEFT_CELLS_MAX cells are kept: when they are full, neighbours are merged in pairs, so a cell
 * covers `width` intervals and memory does not grow with the run. Every statistic is a ratio of two
 * columns' sums (mean latency = Σ latency / packets), estimated with an interval from batches of
 * cells. Sums are 128-bit integers: merging is exact in any order. */
#ifndef WEFT_STATS_SERIES_H
#define WEFT_STATS_SERIES_H

#include "base/numeric.h"
#include "base/pack.h"
#include "stats/histogram.h"

#include <stdbool.h>
#include <stddef.h>

#define WEFT_CELLS_MAX   256
#define WEFT_BATCHES_MIN 32

typedef struct weft_series weft_series;

weft_series *weft_series_create(uint32_t columns, uint32_t histograms);
void weft_series_destroy(weft_series *series);
/* Appends one interval. */
void weft_series_add(weft_series *series, const weft_i128 *columns,
                     const weft_histogram *histograms);

/* Saves the whole series as bytes; restores it into a series with the same columns and histograms.
 * Bytes that do not fit make the reader fail. */
void weft_series_save(const weft_series *series, weft_pack *pack);
void weft_series_load(weft_series *series, weft_unpack *from);

uint64_t weft_series_intervals(const weft_series *series); /* handed in so far */
uint32_t weft_series_cells(const weft_series *series);     /* complete cells */
uint64_t weft_series_width(const weft_series *series);     /* intervals of a complete cell */
weft_i128 weft_series_at(const weft_series *series, uint32_t cell, uint32_t column);
/* Sum of a column over cells from … end. */
weft_i128 weft_series_sum(const weft_series *series, uint32_t from, uint32_t column);
/* Sum of a column over all intervals, including the last, incomplete cell. */
weft_i128 weft_series_total(const weft_series *series, uint32_t column);
/* Merged histogram over cells from … end. */
void weft_series_histogram(const weft_series *series, uint32_t from, uint32_t histogram,
                           weft_histogram *out);
/* Adds the histograms of cells from … to − 1 to *into. */
void weft_series_gather(const weft_series *series, uint32_t from, uint32_t to, uint32_t histogram,
                        weft_histogram *into);

/* num and den are columns; den WEFT_PER_INTERVAL divides by intervals. */
#define WEFT_PER_INTERVAL UINT32_MAX
typedef struct weft_ratio {
    uint32_t num, den;
} weft_ratio;

typedef struct weft_estimate {
    /* lo and hi are NaN with fewer than WEFT_BATCHES_MIN batches, or if most batches are empty. */
    double value, lo, hi;
    double stderr_; /* standard error behind the interval */
    uint32_t batches;
    bool independent; /* the lag-1 test passed at this batch size */
} weft_estimate;

/* MSER: the first cell to keep. It minimises the standard error of the remaining per-cell values of
 * the ratio; earlier cells that do not differ from these are kept too. *settled is false if the
 * minimum lies in the second half (the run is too short). */
uint32_t weft_series_warmup(const weft_series *series, weft_ratio ratio, bool *settled);

/* Ratio over cells from … end with an interval of the given confidence (0.95) by batch means:
 * batches of 1, 2, 4 … cells until the lag-1 autocorrelation of the batch values passes its test
 * (one-sided, 10 %) or fewer than 2 × WEFT_BATCHES_MIN are left; variance of the ratio estimator,
 * widened by the correlation that is left; Student's t. */
weft_estimate weft_series_ratio(const weft_series *series, uint32_t from, weft_ratio ratio,
                                double confidence);
/* Any smooth function of the sums of some columns over cells from … end; interval by the
 * jackknife over the same batches. */
typedef double (*weft_statistic)(const double *sums, const void *user);
weft_estimate weft_series_statistic(const weft_series *series, uint32_t from,
                                    const uint32_t *columns, uint32_t n_columns,
                                    weft_statistic statistic, const void *user, double confidence);
/* Quantile p of a histogram over cells from … end. Interval of Woodruff (Journal of the American
 * Statistical Association 47, 1952): between the quantiles p ± the half-width of the share of
 * observations beyond the estimate, which is a ratio like any other. No interval if that share
 * reaches 0, fewer than 10 observations lie beyond, or they lie in fewer than 20 cells. */
weft_estimate weft_series_quantile(const weft_series *series, uint32_t from, uint32_t histogram,
                                   double p, double confidence);

#endif
