/* SPDX-License-Identifier: Apache-2.0 */
#include "program/timeline/rank_log.h"

#include "base/memory.h"
#include "program/program.h"

#include <stdlib.h>

#define WORDS_MOST  ((uint64_t)1 << 20) /* bins of all ranks together, about */
#define BINS_LEAST  16
#define WIDTH_MOST  ((uint64_t)1 << 62)
#define EVENT_BYTES 39 /* in a pack */

uint32_t weft_rank_log_bins(uint64_t ranks)
{
    uint32_t bins = WEFT_RANK_LOG_BINS;
    while (bins > BINS_LEAST && bins * ranks > WORDS_MOST)
        bins /= 2;
    return bins;
}

static void open_record(weft_rank_record *record, uint32_t n_bins)
{
    record->width = 1;
    record->busy = weft_alloc(sizeof *record->busy * n_bins * WEFT_RANK_STATES);
}

void weft_rank_log_open(weft_rank_log *log, uint32_t count, uint32_t n_bins, bool events)
{
    *log = (weft_rank_log){.events = events, .n_bins = n_bins, .count = count};
    log->records = weft_alloc(sizeof *log->records * ((size_t)count + 1));
    for (uint32_t i = 0; i < count; i++)
        open_record(&log->records[i], n_bins);
}

void weft_rank_log_close(weft_rank_log *log)
{
    for (uint32_t i = 0; i < log->count; i++) {
        free(log->records[i].events);
        free(log->records[i].busy);
    }
    free(log->records);
    *log = (weft_rank_log){0};
}

int64_t weft_rank_log_bytes(const weft_rank_log *log)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < log->count; i++)
        bytes += sizeof *log->records + log->records[i].room * sizeof *log->records->events +
                 sizeof *log->records->busy * log->n_bins * WEFT_RANK_STATES;
    return (int64_t)bytes;
}

/* ---- bins ---- */

static void halve(weft_rank_record *record, uint32_t n_bins)
{
    uint64_t *busy = record->busy;
    for (uint32_t i = 0; i < n_bins; i++)
        for (uint32_t s = 0; s < WEFT_RANK_STATES; s++) {
            uint64_t sum = 0;
            if (i < n_bins / 2)
                sum = busy[2 * i * WEFT_RANK_STATES + s] + busy[(2 * i + 1) * WEFT_RANK_STATES + s];
            busy[i * WEFT_RANK_STATES + s] = sum;
        }
    record->width *= 2;
}

void weft_rank_record_widen(weft_rank_record *record, uint32_t n_bins, uint64_t width)
{
    while (record->width < width)
        halve(record, n_bins);
}

static void add_time(weft_rank_record *record, uint32_t n_bins, weft_rank_state state,
                     uint64_t from, uint64_t until)
{
    while (record->width < WIDTH_MOST / n_bins && until > record->width * n_bins)
        halve(record, n_bins);
    while (from < until) {
        uint64_t bin = from / record->width, end = (bin + 1) * record->width;
        if (bin >= n_bins)
            return;
        end = end < until ? end : until;
        record->busy[bin * WEFT_RANK_STATES + state] += end - from;
        from = end;
    }
}

void weft_rank_log_add(weft_rank_log *log, uint32_t local, weft_rank_event event)
{
    weft_rank_record *record = &log->records[local];
    if (event.kind == WEFT_RANK_RUN)
        add_time(record, log->n_bins,
                 event.what == WEFT_OPERATION_CALC ? WEFT_RANK_COMPUTES : WEFT_RANK_OVERHEAD,
                 event.time, event.until);
    if (!log->events)
        return;
    if (record->n_events == record->room) {
        record->room = record->room ? 2 * record->room : 16;
        record->events = weft_realloc(record->events, record->room, sizeof *record->events);
    }
    record->events[record->n_events++] = event;
}

/* ---- as bytes ---- */

void weft_rank_record_save(const weft_rank_record *record, uint32_t n_bins, weft_pack *pack)
{
    weft_pack_u64(pack, record->width);
    for (uint32_t i = 0; i < n_bins * WEFT_RANK_STATES; i++)
        weft_pack_u64(pack, record->busy[i]);
    weft_pack_u32(pack, record->n_events);
    for (uint32_t i = 0; i < record->n_events; i++) {
        const weft_rank_event *event = &record->events[i];
        const unsigned char kinds[3] = {event->kind, event->what, event->cpu};
        weft_pack_u64(pack, event->time);
        weft_pack_u64(pack, event->until);
        weft_pack_u64(pack, event->size);
        weft_pack_u32(pack, event->operation);
        weft_pack_u32(pack, event->peer);
        weft_pack_u32(pack, event->number);
        weft_pack_bytes(pack, kinds, sizeof kinds);
    }
}

static void load_event(weft_rank_event *event, weft_unpack *from)
{
    event->time = weft_unpack_u64(from);
    event->until = weft_unpack_u64(from);
    event->size = weft_unpack_u64(from);
    event->operation = weft_unpack_u32(from);
    event->peer = weft_unpack_u32(from);
    event->number = weft_unpack_u32(from);
    const unsigned char *kinds = weft_unpack_bytes(from, 3);
    if (!kinds || kinds[0] >= WEFT_RANK_EVENTS || kinds[1] > WEFT_OPERATION_RECV ||
        event->time > WIDTH_MOST || event->until > WIDTH_MOST) {
        weft_unpack_fail(from);
        return;
    }
    event->kind = kinds[0];
    event->what = kinds[1];
    event->cpu = kinds[2];
}

void weft_rank_record_load(weft_rank_record *record, uint32_t n_bins, weft_unpack *from)
{
    record->width = weft_unpack_u64(from);
    if (record->width == 0 || record->width > WIDTH_MOST / n_bins ||
        (record->width & (record->width - 1)) != 0)
        weft_unpack_fail(from);
    for (uint32_t i = 0; i < n_bins * WEFT_RANK_STATES; i++)
        record->busy[i] = weft_unpack_u64(from);
    uint32_t count = weft_unpack_u32(from);
    if (count > weft_unpack_left(from) / EVENT_BYTES) {
        weft_unpack_fail(from);
        return;
    }
    record->events = weft_realloc(record->events, (size_t)count + 1, sizeof *record->events);
    record->room = count + 1;
    record->n_events = 0;
    for (uint32_t i = 0; i < count && !from->failed; i++)
        load_event(&record->events[record->n_events++], from);
}
