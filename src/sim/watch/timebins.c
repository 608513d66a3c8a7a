/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/timebins.h"

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

void weft_timebins_save(const weft_bins *bins, weft_pack *pack)
{
    weft_pack_i64(pack, bins->width);
    weft_pack_u64(pack, bins->count);
    for (size_t i = 0; i < bins->count; i++) {
        weft_pack_i64(pack, bins->start[i]);
        weft_pack_i64(pack, bins->generated[i]);
        weft_pack_i64(pack, bins->delivered[i]);
        weft_pack_i64(pack, bins->latency[i]);
        weft_pack_i64(pack, bins->population[i]);
    }
}

void weft_timebins_load(weft_bins *bins, weft_unpack *from)
{
    weft_time width = weft_unpack_count(from);
    uint64_t count = weft_unpack_u64(from);
    if ((width > 0) != (bins->width > 0) || count > BINS_MAX ||
        count > weft_unpack_left(from) / (5 * sizeof(int64_t)))
        weft_unpack_fail(from);
    bins->width = width;
    for (bins->count = 0; !from->failed && bins->count < count; bins->count++) {
        reserve(bins);
        bins->start[bins->count] = weft_unpack_count(from);
        bins->generated[bins->count] = weft_unpack_count(from);
        bins->delivered[bins->count] = weft_unpack_count(from);
        bins->latency[bins->count] = weft_unpack_count(from);
        bins->population[bins->count] = weft_unpack_count(from);
    }
}
