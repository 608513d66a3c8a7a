/* SPDX-License-Identifier: Apache-2.0 */
/* Triples → rows with alias tables. */
#include "net/traffic/common/weights.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static int by_ends(const void *a, const void *b)
{
    const weft_triple *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

void weft_weights_sort(weft_triple *triples, size_t count)
{
    qsort(triples, count, sizeof *triples, by_ends);
}

static uint32_t threshold(double part)
{
    return part >= 1 ? UINT32_MAX : (uint32_t)(part * 0x1p32);
}

/* Vose's: entries with less than their even part are filled up by one that has more. scratch:
 * room for 2 × count. */
static void alias(weft_weight *entry, uint32_t first, uint32_t count, double *part,
                  uint32_t *scratch)
{
    uint32_t *small = scratch, *large = scratch + count, smalls = 0, larges = 0;
    for (uint32_t i = 0; i < count; i++) {
        part[i] = entry[i].share * count;
        entry[i].keep = UINT32_MAX;
        entry[i].other = first + i;
        if (part[i] < 1)
            small[smalls++] = i;
        else
            large[larges++] = i;
    }
    while (smalls && larges) {
        uint32_t s = small[--smalls], l = large[larges - 1];
        entry[s].keep = threshold(part[s]);
        entry[s].other = first + l;
        part[l] -= 1 - part[s];
        if (part[l] < 1) {
            larges--;
            small[smalls++] = l;
        }
    }
}

/* The entries of one row; returns how many. */
static uint32_t fill_row(weft_weights *weights, uint32_t from, const weft_triple *triples,
                         size_t left)
{
    weft_weight *entry = weights->entry + weights->row[from];
    uint32_t count = 0;
    double sum = 0;
    for (; count < left && triples[count].from == from; count++)
        sum += triples[count].weight;
    for (uint32_t i = 0; i < count; i++)
        entry[i] = (weft_weight){.to = triples[i].to, .share = triples[i].weight / sum};
    weights->sum[from] = sum;
    weights->total += sum;
    weights->senders += count > 0;
    return count;
}

void weft_weights_build(weft_weights *weights, uint32_t places, const weft_triple *triples,
                        size_t count)
{
    uint32_t longest = 0;
    size_t used = 0;
    assert(count <= WEFT_WEIGHTS_MAX);
    *weights = (weft_weights){.places = places,
                              .row = weft_alloc(sizeof *weights->row * ((size_t)places + 1)),
                              .entry = weft_alloc(sizeof *weights->entry * (count + 1)),
                              .sum = weft_alloc(sizeof *weights->sum * ((size_t)places + 1))};
    for (uint32_t from = 0; from < places; from++) {
        uint32_t here = fill_row(weights, from, triples + used, count - used);
        used += here;
        weights->row[from + 1] = (uint32_t)used;
        longest = here > longest ? here : longest;
    }
    double *part = weft_alloc(sizeof *part * (longest + 1));
    uint32_t *scratch = weft_alloc(sizeof *scratch * 2 * (longest + 1));
    for (uint32_t from = 0; from < places; from++) {
        uint32_t first = weights->row[from];
        alias(weights->entry + first, first, weights->row[from + 1] - first, part, scratch);
    }
    free(part);
    free(scratch);
}

void weft_weights_done(weft_weights *weights)
{
    free(weights->row);
    free(weights->entry);
    free(weights->sum);
    *weights = (weft_weights){0};
}
