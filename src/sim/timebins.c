/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/timebins.h"

#include "base/memory.h"

#include <stdlib.h>

#define BINS_MAX ((size_t)1 << 20)

void weft_timebins_done(weft_bins *bins)
{
    free(bins->start);
    free(bins->generated);
    free(bins->delivered);
    free(bins->latency);
    free(bins->population);
    *bins = (weft_bins){0};
}

static void halve(weft_bins *bins)
{
    for (size_t i = 0; i < bins->count / 2; i++) {
        bins->start[i] = bins->start[2 * i];
        bins->generated[i] = bins->generated[2 * i] + bins->generated[2 * i + 1];
        bins->delivered[i] = bins->delivered[2 * i] + bins->delivered[2 * i + 1];
        bins->latency[i] = bins->latency[2 * i] + bins->latency[2 * i + 1];
        bins->population[i] = bins->population[2 * i + 1];
    }
    bins->count /= 2;
    bins->width *= 2;
}

static void reserve(weft_bins *bins)
{
    if (bins->count < bins->capacity)
        return;
    bins->capacity = bins->capacity ? 2 * bins->capacity : 1024;
    bins->start = weft_realloc(bins->start, bins->capacity, sizeof(int64_t));
    bins->generated = weft_realloc(bins->generated, bins->capacity, sizeof(int64_t));
    bins->delivered = weft_realloc(bins->delivered, bins->capacity, sizeof(int64_t));
    bins->latency = weft_realloc(bins->latency, bins->capacity, sizeof(int64_t));
    bins->population = weft_realloc(bins->population, bins->capacity, sizeof(int64_t));
}

void weft_timebins_add(weft_bins *bins, weft_time start, const weft_i128 *row, int64_t population)
{
    if (bins->count == 0 || start >= bins->start[bins->count - 1] + bins->width) {
        if (bins->count == BINS_MAX)
            halve(bins);
        reserve(bins);
        size_t i = bins->count++;
        bins->start[i] = start / bins->width * bins->width;
        bins->generated[i] = bins->delivered[i] = bins->latency[i] = 0;
    }
    size_t i = bins->count - 1;
    bins->generated[i] += (int64_t)row[WEFT_COL_GENERATED];
    bins->delivered[i] += (int64_t)row[WEFT_COL_DELIVERED];
    bins->latency[i] += (int64_t)row[WEFT_COL_LATENCY];
    bins->population[i] = population;
}
