/* SPDX-License-Identifier: Apache-2.0 */
/* Series and control as bytes, for checkpoints. Only cells in use and bins in reach are written. */
#include "stats/control.h"
#include "stats/series_inside.h"

static void pack_wide(weft_pack *pack, weft_i128 value)
{
    weft_pack_u64(pack, (uint64_t)value);
    weft_pack_u64(pack, (uint64_t)((weft_u128)value >> 64));
}

/* Sums of a run stay below this; from larger ones the sums of all cells and what is added
 * to them might overflow. */
#define SUM_BITS 118

static weft_i128 unpack_wide(weft_unpack *from)
{
    uint64_t low = weft_unpack_u64(from);
    weft_i128 value = (weft_i128)((weft_u128)weft_unpack_u64(from) << 64 | low);
    weft_i128 limit = (weft_i128)1 << SUM_BITS;
    if (value > -limit && value < limit)
        return value;
    weft_unpack_fail(from);
    return 0;
}

/* Complete cells and the one being filled. */
static uint32_t used(const weft_series *series)
{
    return series->cells + (series->filled > 0);
}

void weft_series_save(const weft_series *series, weft_pack *pack)
{
    weft_pack_u32(pack, series->columns);
    weft_pack_u32(pack, series->histograms);
    weft_pack_u32(pack, series->cells);
    weft_pack_u64(pack, series->width);
    weft_pack_u64(pack, series->filled);
    for (uint32_t i = 0; i < used(series) * series->columns; i++)
        pack_wide(pack, series->sum[i]);
    for (uint32_t c = 0; c < series->columns; c++)
        pack_wide(pack, series->total[c]);
    for (uint32_t h = 0; h < series->histograms; h++) {
        weft_pack_u32(pack, series->reach[h]);
        for (uint32_t cell = 0; cell < used(series); cell++)
            for (uint32_t bin = 0; bin < series->reach[h]; bin++)
                weft_pack_u64(pack, series->bins[(size_t)cell * series->histograms + h].count[bin]);
    }
}

static bool fits(const weft_series *series)
{
    return series->cells < WEFT_CELLS_MAX && series->width >= 1 &&
           series->width < (uint64_t)1 << 50 && series->filled < series->width;
}

void weft_series_load(weft_series *series, weft_unpack *from)
{
    bool same = weft_unpack_u32(from) == series->columns;
    same = weft_unpack_u32(from) == series->histograms && same;
    series->cells = weft_unpack_u32(from);
    series->width = weft_unpack_u64(from);
    series->filled = weft_unpack_u64(from);
    if (!same || !fits(series)) {
        series->cells = 0;
        series->filled = 0;
        weft_unpack_fail(from);
        return;
    }
    for (uint32_t i = 0; i < used(series) * series->columns; i++)
        series->sum[i] = unpack_wide(from);
    for (uint32_t c = 0; c < series->columns; c++)
        series->total[c] = unpack_wide(from);
    for (uint32_t h = 0; h < series->histograms; h++) {
        series->reach[h] = weft_unpack_u32(from);
        if (series->reach[h] > WEFT_HISTOGRAM_BINS) {
            series->reach[h] = 0;
            weft_unpack_fail(from);
        }
        for (uint32_t cell = 0; cell < used(series); cell++)
            for (uint32_t bin = 0; bin < series->reach[h]; bin++)
                series->bins[(size_t)cell * series->histograms + h].count[bin] =
                    weft_unpack_u64(from);
    }
}

void weft_control_save(const weft_control *control, weft_pack *pack)
{
    weft_pack_u64(pack, control->next_check);
    weft_pack_u32(pack, control->growth_seen);
    weft_pack_u32(pack, control->reached_seen);
    weft_pack_u32(pack, control->floor);
    weft_pack_u32(pack, control->from);
    weft_pack_u32(pack, control->settled);
    weft_pack_u32(pack, control->growing);
    weft_pack_u32(pack, control->deep);
    weft_pack_double(pack, control->watched.value);
    weft_pack_double(pack, control->watched.lo);
    weft_pack_double(pack, control->watched.hi);
    weft_pack_double(pack, control->watched.stderr_);
    weft_pack_u32(pack, control->watched.batches);
    weft_pack_u32(pack, control->watched.independent);
}

void weft_control_load(weft_control *control, weft_unpack *from)
{
    control->next_check = weft_unpack_u64(from);
    control->growth_seen = weft_unpack_u32(from);
    control->reached_seen = weft_unpack_u32(from);
    control->floor = (weft_floor)weft_unpack_u32(from);
    control->from = weft_unpack_u32(from);
    control->settled = weft_unpack_u32(from) != 0;
    control->growing = weft_unpack_u32(from) != 0;
    control->deep = weft_unpack_u32(from) != 0;
    control->watched.value = weft_unpack_double(from);
    control->watched.lo = weft_unpack_double(from);
    control->watched.hi = weft_unpack_double(from);
    control->watched.stderr_ = weft_unpack_double(from);
    control->watched.batches = weft_unpack_u32(from);
    control->watched.independent = weft_unpack_u32(from) != 0;
    if (control->from > WEFT_CELLS_MAX || control->floor >= WEFT_FLOORS)
        weft_unpack_fail(from);
}
