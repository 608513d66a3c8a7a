/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/spread.h"

#include "base/memory.h"
#include "base/numeric.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX ((uint32_t)1 << 26) /* that are believed when read */

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

weft_xbar_ratio weft_xbar_ratio_of(weft_xbar_share share, uint32_t n)
{
    uint64_t most = share.slots * n, by = divisor(most, share.served);
    assert(most > 0 && share.served <= most);
    return (weft_xbar_ratio){share.served / by, most / by};
}

int weft_xbar_ratio_compare(weft_xbar_ratio a, weft_xbar_ratio b)
{
    weft_u128 x = (weft_u128)a.top * b.bottom, y = (weft_u128)b.top * a.bottom;
    return (x > y) - (x < y);
}

void weft_xbar_spread_init(weft_xbar_spread *spread, uint32_t n, uint32_t keep)
{
    assert(keep <= WEFT_WORST_MAX);
    *spread = (weft_xbar_spread){.n = n, .keep = keep, .room = 256};
    spread->rows = weft_alloc(spread->room * sizeof *spread->rows);
}

void weft_xbar_spread_done(weft_xbar_spread *spread)
{
    free(spread->rows);
    spread->rows = NULL;
}

/* ---- rows ---- */

static bool same_ratio(weft_xbar_ratio a, weft_xbar_ratio b)
{
    return a.top == b.top && a.bottom == b.bottom;
}

static bool same_row(const weft_xbar_spread_row *a, const weft_xbar_spread_row *b)
{
    return same_ratio(a->value, b->value) && same_ratio(a->least, b->least) &&
           same_ratio(a->most, b->most);
}

static weft_xbar_spread_row *find(const weft_xbar_spread *spread, const weft_xbar_spread_row *row)
{
    uint64_t hash = row->value.top * 0x9e3779b97f4a7c15u ^ row->value.bottom * 0xc2b2ae3d27d4eb4fu ^
                    row->least.top * 0x165667b19e3779f9u ^ row->most.top * 0x27d4eb2f165667c5u;
    size_t at = (hash ^ hash >> 31) & (spread->room - 1);
    while (spread->rows[at].count && !same_row(&spread->rows[at], row))
        at = (at + 1) & (spread->room - 1);
    return &spread->rows[at];
}

static void count(weft_xbar_spread *spread, const weft_xbar_spread_row *row);

static void grow(weft_xbar_spread *spread)
{
    weft_xbar_spread_row *old = spread->rows;
    size_t room = spread->room;
    spread->room *= 2;
    spread->rows = weft_alloc(spread->room * sizeof *spread->rows);
    spread->used = 0;
    for (size_t i = 0; i < room; i++)
        if (old[i].count)
            count(spread, &old[i]);
    free(old);
}

static void count(weft_xbar_spread *spread, const weft_xbar_spread_row *row)
{
    assert(!spread->sorted && row->count > 0);
    weft_xbar_spread_row *at = find(spread, row);
    if (at->count) {
        at->count += row->count;
        return;
    }
    *at = *row;
    if (2 * ++spread->used > spread->room)
        grow(spread);
}

/* ---- the worst ---- */

static bool worse(const weft_xbar_worst *a, const weft_xbar_worst *b)
{
    int order = weft_xbar_ratio_compare(a->value, b->value);
    return order < 0 || (order == 0 && a->index < b->index);
}

static void keep(weft_xbar_spread *spread, const weft_xbar_worst *one)
{
    uint32_t at = spread->n_worst;
    if (at == spread->keep && (at == 0 || !worse(one, &spread->worst[at - 1])))
        return;
    at -= at == spread->keep;
    for (; at > 0 && worse(one, &spread->worst[at - 1]); at--)
        spread->worst[at] = spread->worst[at - 1];
    spread->worst[at] = *one;
    spread->n_worst += spread->n_worst < spread->keep;
}

/* weft_xbar_ratio_of, but for the divisions: few shares come again and again. */
static weft_xbar_ratio reduce(weft_xbar_spread *spread, weft_xbar_share share)
{
    weft_xbar_reduced *known =
        &spread->reduced[(share.served * 29 + share.slots * 5) & (WEFT_REDUCED - 1)];
    if (known->share.served != share.served || known->share.slots != share.slots)
        *known = (weft_xbar_reduced){share, weft_xbar_ratio_of(share, spread->n)};
    return known->ratio;
}

void weft_xbar_spread_add(weft_xbar_spread *spread, uint64_t index, const weft_xbar_steady *steady)
{
    weft_xbar_ratio value = reduce(spread, steady->share), least = value, most = value;
    if (!steady->exact) {
        least = reduce(spread, steady->least);
        most = reduce(spread, steady->most);
    }
    count(spread, &(weft_xbar_spread_row){value, least, most, 1});
    keep(spread, &(weft_xbar_worst){value, least, most, steady->exact, index});
    spread->matrices++;
    spread->unsettled += !steady->exact;
    spread->slots += steady->run;
    spread->longest = steady->run > spread->longest ? steady->run : spread->longest;
}

void weft_xbar_spread_merge(weft_xbar_spread *into, const weft_xbar_spread *other)
{
    assert(into->n == other->n && into->keep == other->keep);
    for (size_t i = 0; i < (other->sorted ? other->used : other->room); i++)
        if (other->rows[i].count)
            count(into, &other->rows[i]);
    for (uint32_t k = 0; k < other->n_worst; k++)
        keep(into, &other->worst[k]);
    into->matrices += other->matrices;
    into->unsettled += other->unsettled;
    into->slots += other->slots;
    into->longest = other->longest > into->longest ? other->longest : into->longest;
}

static int by_value(const void *a, const void *b)
{
    const weft_xbar_spread_row *x = a, *y = b;
    int order = weft_xbar_ratio_compare(x->value, y->value);
    order = order ? order : weft_xbar_ratio_compare(x->least, y->least);
    return order ? order : weft_xbar_ratio_compare(x->most, y->most);
}

void weft_xbar_spread_sort(weft_xbar_spread *spread)
{
    size_t used = 0;
    for (size_t i = 0; !spread->sorted && i < spread->room; i++)
        if (spread->rows[i].count)
            spread->rows[used++] = spread->rows[i];
    if (!spread->sorted)
        qsort(spread->rows, used, sizeof *spread->rows, by_value);
    spread->sorted = true;
}

/* ---- bytes ---- */

static void pack_ratio(weft_pack *pack, weft_xbar_ratio ratio)
{
    weft_pack_u64(pack, ratio.top);
    weft_pack_u64(pack, ratio.bottom);
}

static weft_xbar_ratio unpack_ratio(weft_unpack *unpack)
{
    weft_xbar_ratio ratio;
    ratio.top = weft_unpack_u64(unpack);
    ratio.bottom = weft_unpack_u64(unpack);
    if (ratio.bottom == 0 || ratio.top > ratio.bottom)
        weft_unpack_fail(unpack);
    return ratio;
}

void weft_xbar_spread_pack(const weft_xbar_spread *spread, weft_pack *pack)
{
    weft_pack_u32(pack, spread->n);
    weft_pack_u32(pack, spread->keep);
    weft_pack_u64(pack, spread->matrices);
    weft_pack_u64(pack, spread->unsettled);
    weft_pack_u64(pack, spread->slots);
    weft_pack_u64(pack, spread->longest);
    weft_pack_u32(pack, (uint32_t)spread->used);
    for (size_t i = 0; i < (spread->sorted ? spread->used : spread->room); i++) {
        const weft_xbar_spread_row *row = &spread->rows[i];
        if (!row->count)
            continue;
        pack_ratio(pack, row->value);
        pack_ratio(pack, row->least);
        pack_ratio(pack, row->most);
        weft_pack_u64(pack, row->count);
    }
    weft_pack_u32(pack, spread->n_worst);
    for (uint32_t k = 0; k < spread->n_worst; k++) {
        pack_ratio(pack, spread->worst[k].value);
        pack_ratio(pack, spread->worst[k].least);
        pack_ratio(pack, spread->worst[k].most);
        weft_pack_u32(pack, spread->worst[k].exact);
        weft_pack_u64(pack, spread->worst[k].index);
    }
}

static void unpack_rows(weft_xbar_spread *spread, weft_unpack *unpack)
{
    uint32_t rows = weft_unpack_u32(unpack);
    for (uint32_t i = 0; i < rows && i < ROWS_MAX && !unpack->failed; i++) {
        weft_xbar_spread_row row;
        row.value = unpack_ratio(unpack);
        row.least = unpack_ratio(unpack);
        row.most = unpack_ratio(unpack);
        row.count = weft_unpack_u64(unpack);
        if (row.count == 0)
            weft_unpack_fail(unpack);
        if (!unpack->failed)
            count(spread, &row);
    }
}

static void unpack_worst(weft_xbar_spread *spread, weft_unpack *unpack)
{
    uint32_t kept = weft_unpack_u32(unpack);
    for (uint32_t k = 0; k < kept && k < WEFT_WORST_MAX && !unpack->failed; k++) {
        weft_xbar_worst one;
        one.value = unpack_ratio(unpack);
        one.least = unpack_ratio(unpack);
        one.most = unpack_ratio(unpack);
        one.exact = weft_unpack_u32(unpack) != 0;
        one.index = weft_unpack_u64(unpack);
        if (!unpack->failed)
            keep(spread, &one);
    }
}

bool weft_xbar_spread_unpack(weft_xbar_spread *spread, weft_unpack *unpack)
{
    uint32_t n = weft_unpack_u32(unpack), kept = weft_unpack_u32(unpack);
    if (n == 0 || n > WEFT_SIDE_MAX || kept > WEFT_WORST_MAX)
        weft_unpack_fail(unpack);
    weft_xbar_spread_init(spread, n, unpack->failed ? 0 : kept);
    spread->matrices = weft_unpack_u64(unpack);
    spread->unsettled = weft_unpack_u64(unpack);
    spread->slots = weft_unpack_u64(unpack);
    spread->longest = weft_unpack_u64(unpack);
    unpack_rows(spread, unpack);
    unpack_worst(spread, unpack);
    if (unpack->failed)
        weft_xbar_spread_done(spread);
    return !unpack->failed;
}

/* ---- numbers ---- */

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* How far the value of a row may be from what was measured. */
static double doubt(const weft_xbar_spread_row *row)
{
    double value = weft_xbar_ratio_value(row->value);
    return greater(value - weft_xbar_ratio_value(row->least),
                   weft_xbar_ratio_value(row->most) - value);
}

/* Deviations around the mean. If every value is off by at most its doubt, then (Minkowski's
 * inequality) the standard deviation is off by at most the root mean square of the doubts, the
 * mean absolute one by at most twice their mean. */
static void deviations(const weft_xbar_spread *spread, weft_xbar_spread_summary *summary)
{
    double squares = 0, sizes = 0, doubt_squares = 0, doubts = 0, all = (double)spread->matrices;
    for (size_t i = 0; i < spread->used; i++) {
        const weft_xbar_spread_row *row = &spread->rows[i];
        double off = weft_xbar_ratio_value(row->value) - summary->mean.value;
        double many = (double)row->count, unsure = doubt(row);
        squares += many * off * off;
        sizes += many * (off < 0 ? -off : off);
        doubt_squares += many * unsure * unsure;
        doubts += many * unsure;
    }
    double root = weft_sqrt(squares / all), slack = weft_sqrt(doubt_squares / all);
    summary->deviation = (weft_xbar_bounded){root, greater(root - slack, 0), root + slack};
    sizes /= all;
    summary->absolute =
        (weft_xbar_bounded){sizes, greater(sizes - 2 * doubts / all, 0), sizes + 2 * doubts / all};
}

static void extremes(const weft_xbar_spread *spread, weft_xbar_spread_summary *summary)
{
    weft_xbar_bounded *worst = &summary->worst, *best = &summary->best;
    worst->value = weft_xbar_ratio_value(spread->rows[0].value);
    best->value = weft_xbar_ratio_value(spread->rows[spread->used - 1].value);
    *worst = (weft_xbar_bounded){worst->value, 1, 1};
    *best = (weft_xbar_bounded){best->value, 0, 0};
    for (size_t i = 0; i < spread->used; i++) {
        const weft_xbar_spread_row *row = &spread->rows[i];
        double least = weft_xbar_ratio_value(row->least), most = weft_xbar_ratio_value(row->most);
        worst->lo = least < worst->lo ? least : worst->lo;
        worst->hi = most < worst->hi ? most : worst->hi;
        best->lo = greater(best->lo, least);
        best->hi = greater(best->hi, most);
        if (same_ratio(row->value, spread->rows[0].value))
            summary->at_worst += row->count;
    }
}

void weft_xbar_spread_sum_up(const weft_xbar_spread *spread, weft_xbar_spread_summary *summary)
{
    assert(spread->sorted && spread->used > 0);
    double all = (double)spread->matrices;
    *summary = (weft_xbar_spread_summary){.at_worst = 0};
    for (size_t i = 0; i < spread->used; i++) {
        const weft_xbar_spread_row *row = &spread->rows[i];
        summary->mean.value += (double)row->count * weft_xbar_ratio_value(row->value);
        summary->mean.lo += (double)row->count * weft_xbar_ratio_value(row->least);
        summary->mean.hi += (double)row->count * weft_xbar_ratio_value(row->most);
    }
    summary->mean.value /= all;
    summary->mean.lo /= all;
    summary->mean.hi /= all;
    deviations(spread, summary);
    extremes(spread, summary);
}
