/* SPDX-License-Identifier: Apache-2.0 */
/* A packet of h hops passes h − 1 intermediate routers: its chances to cut through. */
#include "sim/tally.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_tally_init(weft_tally *tally, uint32_t traffic_classes, uint32_t hops_max, int by)
{
    *tally = (weft_tally){.n_traffic_classes = traffic_classes,
                          .hops_max = hops_max,
                          .by_hops = by > 0,
                          .history = by > 1};
    /* no other thread's lines */
    tally->traffic_classes = weft_region_create(sizeof *tally->traffic_classes * traffic_classes);
    for (uint32_t f = 0; f < traffic_classes; f++) {
        tally->traffic_classes[f].bins = weft_alloc(sizeof(weft_histogram));
        if (tally->by_hops)
            tally->traffic_classes[f].by_hops = weft_alloc(sizeof(weft_tally_hop) * (hops_max + 1));
        if (tally->history)
            tally->traffic_classes[f].history =
                weft_alloc(sizeof(int64_t) * weft_tally_history(tally));
    }
}

void weft_tally_promise(weft_tally *tally, uint32_t traffic_class, uint64_t deadline,
                        double promised)
{
    tally->traffic_classes[traffic_class].deadline = deadline;
    tally->traffic_classes[traffic_class].promised = promised;
}

void weft_tally_done(weft_tally *tally)
{
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++) {
        free(tally->traffic_classes[f].bins);
        free(tally->traffic_classes[f].by_hops);
        free(tally->traffic_classes[f].history);
    }
    weft_region_destroy(tally->traffic_classes,
                        sizeof *tally->traffic_classes * tally->n_traffic_classes);
    *tally = (weft_tally){0};
}

void weft_tally_clear(weft_tally *tally, weft_time since)
{
    tally->since = since;
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++) {
        weft_tally_traffic_class *traffic_class = &tally->traffic_classes[f];
        weft_histogram *bins = traffic_class->bins;
        weft_tally_hop *by_hops = traffic_class->by_hops;
        int64_t *history = traffic_class->history;
        memset(bins->count, 0,
               sizeof *bins->count * (weft_histogram_bin(traffic_class->longest) + 1));
        if (by_hops)
            memset(by_hops, 0, sizeof *by_hops * (tally->hops_max + 1));
        if (history)
            memset(history, 0, sizeof *history * weft_tally_history(tally));
        *traffic_class = (weft_tally_traffic_class){.bins = bins,
                                                    .by_hops = by_hops,
                                                    .history = history,
                                                    .deadline = traffic_class->deadline,
                                                    .promised = traffic_class->promised};
    }
}

static void add_traffic_class(const weft_tally *tally, weft_tally_traffic_class *into,
                              const weft_tally_traffic_class *from)
{
    for (uint32_t i = 0; i < weft_tally_history(tally); i++)
        into->history[i] += from->history[i];
    into->generated += from->generated;
    into->delivered += from->delivered;
    into->packets += from->packets;
    into->made += from->made;
    into->lost += from->lost;
    into->busy += from->busy;
    into->in_time += from->in_time;
    into->longest = from->longest > into->longest ? from->longest : into->longest;
    into->flits += from->flits;
    into->latency += from->latency;
    into->square += from->square;
    into->hops += from->hops;
    into->flit_hops += from->flit_hops;
    into->cuts += from->cuts;
    into->chances += from->chances;
    into->came += from->came;
    into->left += from->left;
    weft_histogram_merge(into->bins, from->bins);
    for (uint32_t h = 0; into->by_hops && h <= tally->hops_max; h++) {
        into->by_hops[h].packets += from->by_hops[h].packets;
        into->by_hops[h].messages += from->by_hops[h].messages;
        into->by_hops[h].latency += from->by_hops[h].latency;
        into->by_hops[h].square += from->by_hops[h].square;
        into->by_hops[h].cuts += from->by_hops[h].cuts;
    }
}

void weft_tally_merge(weft_tally *into, weft_tally *from)
{
    assert(into->n_traffic_classes == from->n_traffic_classes && into->since == from->since);
    for (uint32_t f = 0; f < into->n_traffic_classes; f++)
        add_traffic_class(into, &into->traffic_classes[f], &from->traffic_classes[f]);
    weft_tally_clear(from, from->since);
}

/* A 128-bit sum goes as three words of 43 bits: 2^20 processes do not overflow one. */
enum { WIDE_BITS = 43, WIDE_WORDS = 3, COUNTERS = 15 };
enum { TRAFFIC_CLASS_WORDS = COUNTERS + WIDE_WORDS, HOP_WORDS = 4 + WIDE_WORDS };

static int64_t *write_wide(int64_t *words, weft_u128 value)
{
    for (int i = 0; i < WIDE_WORDS; i++, value >>= WIDE_BITS)
        *words++ = (int64_t)(value & (((weft_u128)1 << WIDE_BITS) - 1));
    return words;
}

static const int64_t *read_wide(const int64_t *words, weft_u128 *value)
{
    *value = 0;
    for (int i = 0; i < WIDE_WORDS; i++)
        *value += (weft_u128)words[i] << (i * WIDE_BITS);
    return words + WIDE_WORDS;
}

/* The plain counters of a flow, in the order they are written. */
static void list_traffic_class(weft_tally_traffic_class *traffic_class, int64_t *list[COUNTERS])
{
    int64_t *all[COUNTERS] = {
        &traffic_class->generated, &traffic_class->delivered, &traffic_class->flits,
        &traffic_class->latency,   &traffic_class->hops,      &traffic_class->flit_hops,
        &traffic_class->cuts,      &traffic_class->chances,   &traffic_class->came,
        &traffic_class->left,      &traffic_class->made,      &traffic_class->packets,
        &traffic_class->lost,      &traffic_class->busy,      &traffic_class->in_time};
    memcpy(list, all, sizeof all);
}

size_t weft_tally_words(const weft_tally *tally)
{
    size_t hops = tally->by_hops ? HOP_WORDS * ((size_t)tally->hops_max + 1) : 0;
    return tally->n_traffic_classes *
           (TRAFFIC_CLASS_WORDS + WEFT_HISTOGRAM_BINS + hops + weft_tally_history(tally));
}

void weft_tally_write(const weft_tally *tally, int64_t *words)
{
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++) {
        weft_tally_traffic_class *traffic_class = &tally->traffic_classes[f];
        int64_t *list[COUNTERS];
        list_traffic_class(traffic_class, list);
        for (int i = 0; i < COUNTERS; i++)
            *words++ = *list[i];
        words = write_wide(words, traffic_class->square);
        memcpy(words, traffic_class->bins->count, sizeof traffic_class->bins->count);
        words += WEFT_HISTOGRAM_BINS;
        for (uint32_t h = 0; traffic_class->by_hops && h <= tally->hops_max; h++) {
            *words++ = traffic_class->by_hops[h].packets;
            *words++ = traffic_class->by_hops[h].messages;
            *words++ = traffic_class->by_hops[h].latency;
            *words++ = traffic_class->by_hops[h].cuts;
            words = write_wide(words, traffic_class->by_hops[h].square);
        }
        for (uint32_t i = 0; i < weft_tally_history(tally); i++)
            *words++ = traffic_class->history[i];
    }
}

void weft_tally_read(weft_tally *tally, const int64_t *words)
{
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++) {
        weft_tally_traffic_class *traffic_class = &tally->traffic_classes[f];
        int64_t *list[COUNTERS];
        list_traffic_class(traffic_class, list);
        for (int i = 0; i < COUNTERS; i++)
            *list[i] = *words++;
        words = read_wide(words, &traffic_class->square);
        memcpy(traffic_class->bins->count, words, sizeof traffic_class->bins->count);
        words += WEFT_HISTOGRAM_BINS;
        traffic_class->longest = UINT64_MAX; /* as it is not among the words */
        for (uint32_t h = 0; traffic_class->by_hops && h <= tally->hops_max; h++) {
            traffic_class->by_hops[h].packets = *words++;
            traffic_class->by_hops[h].messages = *words++;
            traffic_class->by_hops[h].latency = *words++;
            traffic_class->by_hops[h].cuts = *words++;
            words = read_wide(words, &traffic_class->by_hops[h].square);
        }
        for (uint32_t i = 0; i < weft_tally_history(tally); i++)
            traffic_class->history[i] = *words++;
    }
}

uint32_t weft_tally_groups(const weft_tally *tally)
{
    return tally->n_traffic_classes > 1 ? tally->n_traffic_classes + 1 : 1;
}

uint32_t weft_tally_width(const weft_tally *tally)
{
    return WEFT_COLUMNS + (tally->by_hops ? (tally->hops_max + 1) * WEFT_HOP_COLUMNS : 0) +
           weft_tally_history(tally);
}

static void write_group(const weft_tally *tally, const weft_tally_traffic_class *traffic_class,
                        weft_time ticks, int64_t *population, weft_i128 *row)
{
    weft_i128 span = ticks;
    row[WEFT_COL_GENERATED] = traffic_class->generated;
    row[WEFT_COL_DELIVERED] = traffic_class->delivered;
    row[WEFT_COL_FLITS] = traffic_class->flits;
    row[WEFT_COL_LATENCY] = traffic_class->latency;
    row[WEFT_COL_SQUARE] = (weft_i128)traffic_class->square;
    row[WEFT_COL_HOPS] = traffic_class->hops;
    row[WEFT_COL_FLIT_HOPS] = traffic_class->flit_hops;
    row[WEFT_COL_CUTS] = traffic_class->cuts;
    row[WEFT_COL_CHANCES] = traffic_class->chances;
    row[WEFT_COL_PACKETS] = traffic_class->packets;
    row[WEFT_COL_LOST] = traffic_class->lost;
    row[WEFT_COL_GONE] = traffic_class->delivered + traffic_class->lost;
    row[WEFT_COL_BUSY] = traffic_class->busy;
    row[WEFT_COL_IN_TIME] = traffic_class->in_time;
    row[WEFT_COL_KEPT] = traffic_class->promised > 0 &&
                         (double)traffic_class->flits >= traffic_class->promised * (double)ticks;
    *population += traffic_class->generated - traffic_class->delivered - traffic_class->lost;
    row[WEFT_COL_POPULATION] = *population * span - traffic_class->came + traffic_class->left;
    row[WEFT_COL_PER_HOP] = 0;
    for (uint32_t h = 0; tally->by_hops && h <= tally->hops_max; h++) {
        weft_i128 *part = row + weft_tally_hop_column(0, h);
        part[WEFT_HOP_PACKETS] = traffic_class->by_hops[h].packets;
        part[WEFT_HOP_MESSAGES] = traffic_class->by_hops[h].messages;
        part[WEFT_HOP_LATENCY] = traffic_class->by_hops[h].latency;
        part[WEFT_HOP_SQUARE] = (weft_i128)traffic_class->by_hops[h].square;
        part[WEFT_HOP_CUTS] = traffic_class->by_hops[h].cuts;
        part[WEFT_HOP_CHANCES] = traffic_class->by_hops[h].packets * (h > 0 ? (int64_t)h - 1 : 0);
        row[WEFT_COL_PER_HOP] +=
            ((weft_i128)traffic_class->by_hops[h].latency << 16) / (h > 0 ? h : 1);
    }
    for (uint32_t i = 0; i < weft_tally_history(tally); i++)
        row[weft_tally_history_column(tally, 0) + i] = traffic_class->history[i];
}

const weft_histogram *weft_tally_row(const weft_tally *tally, weft_time ticks, int64_t *population,
                                     weft_i128 *row, weft_histogram *bins)
{
    uint32_t width = weft_tally_width(tally), first = tally->n_traffic_classes > 1 ? 1 : 0;
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++)
        write_group(tally, &tally->traffic_classes[f], ticks, &population[f],
                    row + (first + f) * width);
    if (first == 0)
        return tally->traffic_classes[0].bins;
    memset(row, 0, sizeof *row * width);
    memset(&bins[0], 0, sizeof bins[0]);
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++) {
        for (uint32_t c = 0; c < width; c++)
            row[c] += row[(first + f) * width + c];
        bins[first + f] = *tally->traffic_classes[f].bins;
        weft_histogram_merge(&bins[0], &bins[first + f]);
    }
    return bins;
}
