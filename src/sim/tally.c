/* SPDX-License-Identifier: Apache-2.0 */
/* A packet of h hops passes h − 1 intermediate routers: its chances to cut through. */
#include "sim/tally.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_tally_init(weft_tally *tally, uint32_t flows, uint32_t hops_max, int by)
{
    *tally =
        (weft_tally){.n_flows = flows, .hops_max = hops_max, .by_hops = by > 0, .history = by > 1};
    tally->flows = weft_region_create(sizeof *tally->flows * flows); /* no other thread's lines */
    for (uint32_t f = 0; f < flows; f++) {
        tally->flows[f].bins = weft_alloc(sizeof(weft_histogram));
        if (tally->by_hops)
            tally->flows[f].by_hops = weft_alloc(sizeof(weft_tally_hop) * (hops_max + 1));
        if (tally->history)
            tally->flows[f].history = weft_alloc(sizeof(int64_t) * weft_tally_history(tally));
    }
}

void weft_tally_done(weft_tally *tally)
{
    for (uint32_t f = 0; f < tally->n_flows; f++) {
        free(tally->flows[f].bins);
        free(tally->flows[f].by_hops);
        free(tally->flows[f].history);
    }
    weft_region_destroy(tally->flows, sizeof *tally->flows * tally->n_flows);
    *tally = (weft_tally){0};
}

void weft_tally_clear(weft_tally *tally, weft_time since)
{
    tally->since = since;
    for (uint32_t f = 0; f < tally->n_flows; f++) {
        weft_tally_flow *flow = &tally->flows[f];
        weft_histogram *bins = flow->bins;
        weft_tally_hop *by_hops = flow->by_hops;
        int64_t *history = flow->history;
        memset(bins, 0, sizeof *bins);
        if (by_hops)
            memset(by_hops, 0, sizeof *by_hops * (tally->hops_max + 1));
        if (history)
            memset(history, 0, sizeof *history * weft_tally_history(tally));
        *flow = (weft_tally_flow){.bins = bins, .by_hops = by_hops, .history = history};
    }
}

static void add_flow(const weft_tally *tally, weft_tally_flow *into, const weft_tally_flow *from)
{
    for (uint32_t i = 0; i < weft_tally_history(tally); i++)
        into->history[i] += from->history[i];
    into->generated += from->generated;
    into->delivered += from->delivered;
    into->packets += from->packets;
    into->made += from->made;
    into->lost += from->lost;
    into->busy += from->busy;
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
    assert(into->n_flows == from->n_flows && into->since == from->since);
    for (uint32_t f = 0; f < into->n_flows; f++)
        add_flow(into, &into->flows[f], &from->flows[f]);
    weft_tally_clear(from, from->since);
}

/* A 128-bit sum goes as three words of 43 bits: 2^20 processes do not overflow one. */
enum { WIDE_BITS = 43, WIDE_WORDS = 3, COUNTERS = 14 };
enum { FLOW_WORDS = COUNTERS + WIDE_WORDS, HOP_WORDS = 4 + WIDE_WORDS };

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
static void list_flow(weft_tally_flow *flow, int64_t *list[COUNTERS])
{
    int64_t *all[COUNTERS] = {&flow->generated, &flow->delivered, &flow->flits, &flow->latency,
                              &flow->hops,      &flow->flit_hops, &flow->cuts,  &flow->chances,
                              &flow->came,      &flow->left,      &flow->made,  &flow->packets,
                              &flow->lost,      &flow->busy};
    memcpy(list, all, sizeof all);
}

size_t weft_tally_words(const weft_tally *tally)
{
    size_t hops = tally->by_hops ? HOP_WORDS * ((size_t)tally->hops_max + 1) : 0;
    return tally->n_flows * (FLOW_WORDS + WEFT_HISTOGRAM_BINS + hops + weft_tally_history(tally));
}

void weft_tally_write(const weft_tally *tally, int64_t *words)
{
    for (uint32_t f = 0; f < tally->n_flows; f++) {
        weft_tally_flow *flow = &tally->flows[f];
        int64_t *list[COUNTERS];
        list_flow(flow, list);
        for (int i = 0; i < COUNTERS; i++)
            *words++ = *list[i];
        words = write_wide(words, flow->square);
        memcpy(words, flow->bins->count, sizeof flow->bins->count);
        words += WEFT_HISTOGRAM_BINS;
        for (uint32_t h = 0; flow->by_hops && h <= tally->hops_max; h++) {
            *words++ = flow->by_hops[h].packets;
            *words++ = flow->by_hops[h].messages;
            *words++ = flow->by_hops[h].latency;
            *words++ = flow->by_hops[h].cuts;
            words = write_wide(words, flow->by_hops[h].square);
        }
        for (uint32_t i = 0; i < weft_tally_history(tally); i++)
            *words++ = flow->history[i];
    }
}

void weft_tally_read(weft_tally *tally, const int64_t *words)
{
    for (uint32_t f = 0; f < tally->n_flows; f++) {
        weft_tally_flow *flow = &tally->flows[f];
        int64_t *list[COUNTERS];
        list_flow(flow, list);
        for (int i = 0; i < COUNTERS; i++)
            *list[i] = *words++;
        words = read_wide(words, &flow->square);
        memcpy(flow->bins->count, words, sizeof flow->bins->count);
        words += WEFT_HISTOGRAM_BINS;
        for (uint32_t h = 0; flow->by_hops && h <= tally->hops_max; h++) {
            flow->by_hops[h].packets = *words++;
            flow->by_hops[h].messages = *words++;
            flow->by_hops[h].latency = *words++;
            flow->by_hops[h].cuts = *words++;
            words = read_wide(words, &flow->by_hops[h].square);
        }
        for (uint32_t i = 0; i < weft_tally_history(tally); i++)
            flow->history[i] = *words++;
    }
}

uint32_t weft_tally_groups(const weft_tally *tally)
{
    return tally->n_flows > 1 ? tally->n_flows + 1 : 1;
}

uint32_t weft_tally_width(const weft_tally *tally)
{
    return WEFT_COLUMNS + (tally->by_hops ? (tally->hops_max + 1) * WEFT_HOP_COLUMNS : 0) +
           weft_tally_history(tally);
}

static void write_group(const weft_tally *tally, const weft_tally_flow *flow, weft_time ticks,
                        int64_t *population, weft_i128 *row)
{
    weft_i128 span = ticks;
    row[WEFT_COL_GENERATED] = flow->generated;
    row[WEFT_COL_DELIVERED] = flow->delivered;
    row[WEFT_COL_FLITS] = flow->flits;
    row[WEFT_COL_LATENCY] = flow->latency;
    row[WEFT_COL_SQUARE] = (weft_i128)flow->square;
    row[WEFT_COL_HOPS] = flow->hops;
    row[WEFT_COL_FLIT_HOPS] = flow->flit_hops;
    row[WEFT_COL_CUTS] = flow->cuts;
    row[WEFT_COL_CHANCES] = flow->chances;
    row[WEFT_COL_PACKETS] = flow->packets;
    row[WEFT_COL_LOST] = flow->lost;
    row[WEFT_COL_GONE] = flow->delivered + flow->lost;
    row[WEFT_COL_BUSY] = flow->busy;
    *population += flow->generated - flow->delivered - flow->lost;
    row[WEFT_COL_POPULATION] = *population * span - flow->came + flow->left;
    row[WEFT_COL_PER_HOP] = 0;
    for (uint32_t h = 0; tally->by_hops && h <= tally->hops_max; h++) {
        weft_i128 *part = row + weft_tally_hop_column(0, h);
        part[WEFT_HOP_PACKETS] = flow->by_hops[h].packets;
        part[WEFT_HOP_MESSAGES] = flow->by_hops[h].messages;
        part[WEFT_HOP_LATENCY] = flow->by_hops[h].latency;
        part[WEFT_HOP_SQUARE] = (weft_i128)flow->by_hops[h].square;
        part[WEFT_HOP_CUTS] = flow->by_hops[h].cuts;
        part[WEFT_HOP_CHANCES] = flow->by_hops[h].packets * (h > 0 ? (int64_t)h - 1 : 0);
        row[WEFT_COL_PER_HOP] += ((weft_i128)flow->by_hops[h].latency << 16) / (h > 0 ? h : 1);
    }
    for (uint32_t i = 0; i < weft_tally_history(tally); i++)
        row[weft_tally_history_column(tally, 0) + i] = flow->history[i];
}

void weft_tally_row(const weft_tally *tally, weft_time ticks, int64_t *population, weft_i128 *row,
                    weft_histogram *bins)
{
    uint32_t width = weft_tally_width(tally), first = tally->n_flows > 1 ? 1 : 0;
    for (uint32_t f = 0; f < tally->n_flows; f++) {
        write_group(tally, &tally->flows[f], ticks, &population[f], row + (first + f) * width);
        bins[first + f] = *tally->flows[f].bins;
    }
    if (first == 0)
        return;
    memset(row, 0, sizeof *row * width);
    memset(&bins[0], 0, sizeof bins[0]);
    for (uint32_t f = 0; f < tally->n_flows; f++) {
        for (uint32_t c = 0; c < width; c++)
            row[c] += row[(first + f) * width + c];
        weft_histogram_merge(&bins[0], &bins[first + f]);
    }
}
