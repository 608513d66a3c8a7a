/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that double in width.
 *
 * Invariants: (1) fewer than WEFT_CELLS_MAX cells are complete after every call; the next slot
 * holds the one being filled. (2) Bins from reach[h] on are 0 in every histogram h, so that pages
 * above are never touched. (3) Slots behind the one being filled are all zero. */
#include "stats/series_inside.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t bins_bytes(const weft_series *series)
{
    return sizeof(weft_histogram) * WEFT_CELLS_MAX * series->histograms;
}

weft_series *weft_series_create(uint32_t columns, uint32_t histograms)
{
    weft_series *series = weft_alloc(sizeof *series);
    series->columns = columns;
    series->histograms = histograms;
    series->width = 1;
    series->sum = weft_alloc(sizeof *series->sum * WEFT_CELLS_MAX * columns);
    series->total = weft_alloc(sizeof *series->total * columns);
    series->reach = weft_alloc(sizeof *series->reach * histograms);
    series->bins = weft_region_create(bins_bytes(series));
    return series;
}

void weft_series_destroy(weft_series *series)
{
    if (!series)
        return;
    weft_region_destroy(series->bins, bins_bytes(series));
    free(series->reach);
    free(series->total);
    free(series->sum);
    free(series);
}

static weft_histogram *bins_at(const weft_series *series, uint32_t cell, uint32_t histogram)
{
    return &series->bins[(size_t)cell * series->histograms + histogram];
}

static void add_bins(weft_histogram *into, const weft_histogram *from, uint32_t reach)
{
    for (uint32_t bin = 0; bin < reach; bin++)
        into->count[bin] += from->count[bin];
}

static void clear_bins(weft_histogram *histogram, uint32_t reach)
{
    memset(histogram->count, 0, sizeof *histogram->count * reach);
}

/* Cell i becomes the sum of cells 2i and 2i + 1, in ascending order so that i is empty by then. */
static void merge_pairs(weft_series *series)
{
    assert(series->cells == WEFT_CELLS_MAX && series->filled == 0);
    uint32_t columns = series->columns;
    for (uint32_t i = 1; i < WEFT_CELLS_MAX; i++) {
        for (uint32_t c = 0; c < columns; c++) {
            weft_i128 value = series->sum[i * columns + c];
            series->sum[i * columns + c] = 0; /* cells 2i and 2i + 1 lie behind cell i */
            series->sum[i / 2 * columns + c] += value;
        }
        for (uint32_t h = 0; h < series->histograms; h++) {
            add_bins(bins_at(series, i / 2, h), bins_at(series, i, h), series->reach[h]);
            clear_bins(bins_at(series, i, h), series->reach[h]);
        }
    }
    series->cells = WEFT_CELLS_MAX / 2;
    series->width *= 2;
}

/* Bins up to the last one in use, `least` or more; looks at an octave at once. */
static uint32_t reach_of(const weft_histogram *histogram, uint32_t least)
{
    uint32_t reach = WEFT_HISTOGRAM_BINS;
    for (uint64_t any = 0; !any && reach >= least + (1u << WEFT_HISTOGRAM_SUB);) {
        const uint64_t *octave = &histogram->count[reach - (1u << WEFT_HISTOGRAM_SUB)];
        for (uint32_t i = 0; i < 1u << WEFT_HISTOGRAM_SUB; i++)
            any |= octave[i];
        reach -= any ? 0 : 1u << WEFT_HISTOGRAM_SUB;
    }
    while (reach > least && histogram->count[reach - 1] == 0)
        reach--;
    return reach;
}

void weft_series_add(weft_series *series, const weft_i128 *columns,
                     const weft_histogram *histograms)
{
    assert(series->cells < WEFT_CELLS_MAX);
    weft_i128 *sum = &series->sum[series->cells * series->columns];
    for (uint32_t c = 0; c < series->columns; c++) {
        sum[c] += columns[c];
        series->total[c] += columns[c];
    }
    for (uint32_t h = 0; h < series->histograms; h++) {
        series->reach[h] = reach_of(&histograms[h], series->reach[h]);
        add_bins(bins_at(series, series->cells, h), &histograms[h], series->reach[h]);
    }
    if (++series->filled < series->width)
        return;
    series->filled = 0;
    if (++series->cells == WEFT_CELLS_MAX)
        merge_pairs(series);
}

uint64_t weft_series_intervals(const weft_series *series)
{
    return series->cells * series->width + series->filled;
}

uint32_t weft_series_cells(const weft_series *series)
{
    return series->cells;
}

uint64_t weft_series_width(const weft_series *series)
{
    return series->width;
}

weft_i128 weft_series_at(const weft_series *series, uint32_t cell, uint32_t column)
{
    assert(cell < series->cells && column < series->columns);
    return series->sum[cell * series->columns + column];
}

weft_i128 weft_series_sum(const weft_series *series, uint32_t from, uint32_t column)
{
    assert(column < series->columns);
    weft_i128 sum = 0;
    for (uint32_t cell = from; cell < series->cells; cell++)
        sum += series->sum[cell * series->columns + column];
    return sum;
}

weft_i128 weft_series_total(const weft_series *series, uint32_t column)
{
    assert(column < series->columns);
    return series->total[column];
}

void weft_series_histogram(const weft_series *series, uint32_t from, uint32_t histogram,
                           weft_histogram *out)
{
    memset(out, 0, sizeof *out);
    weft_series_gather(series, from, series->cells, histogram, out);
}

void weft_series_gather(const weft_series *series, uint32_t from, uint32_t to, uint32_t histogram,
                        weft_histogram *into)
{
    assert(histogram < series->histograms && to <= series->cells);
    for (uint32_t cell = from; cell < to; cell++)
        add_bins(into, bins_at(series, cell, histogram), series->reach[histogram]);
}
