/* SPDX-License-Identifier: Apache-2.0 */
/* What a search has found: how many matrices have which throughput, and the worst of them.
 *
 * Throughputs are reduced fractions and are counted, not added up, so parts of a search merge
 * exactly and in any order; means and deviations are computed once, from the counts in ascending
 * order. Where a state does not recur there is an interval instead, and a value measured between
 * its ends. */
#ifndef WEFT_CROSSBAR_SPREAD_H
#define WEFT_CROSSBAR_SPREAD_H

#include "base/pack.h"
#include "crossbar/steady.h"

#define WEFT_WORST_MAX 64 /* matrices that are kept, at most */

typedef struct weft_xbar_ratio { /* reduced; of cells served to cells that could have been */
    uint64_t top, bottom;
} weft_xbar_ratio;

weft_xbar_ratio weft_xbar_ratio_of(weft_xbar_share share, uint32_t n);
int weft_xbar_ratio_compare(weft_xbar_ratio a, weft_xbar_ratio b);
static inline double weft_xbar_ratio_value(weft_xbar_ratio a)
{
    return (double)a.top / (double)a.bottom;
}

typedef struct weft_xbar_spread_row {
    weft_xbar_ratio value, least, most; /* exact: all the same */
    uint64_t count;
} weft_xbar_spread_row;

typedef struct weft_xbar_worst {
    weft_xbar_ratio value, least, most;
    bool exact;
    uint64_t index; /* of the matrix */
} weft_xbar_worst;

typedef struct weft_xbar_reduced { /* a share and its fraction, not to be found anew */
    weft_xbar_share share;
    weft_xbar_ratio ratio;
} weft_xbar_reduced;
#define WEFT_REDUCED 256 /* a power of two */

typedef struct weft_xbar_spread {
    uint32_t n;
    weft_xbar_spread_row *rows; /* a hash table, or, after weft_xbar_spread_sort, in order */
    size_t room, used;
    bool sorted;
    uint64_t matrices, unsettled; /* all of them, those without a fraction */
    uint64_t slots;               /* run */
    uint32_t keep;                /* worst ones to be kept */
    uint32_t n_worst;
    weft_xbar_worst worst[WEFT_WORST_MAX]; /* ascending by value, then index */
    weft_xbar_reduced reduced[WEFT_REDUCED];
} weft_xbar_spread;

void weft_xbar_spread_init(weft_xbar_spread *spread, uint32_t n, uint32_t keep);
void weft_xbar_spread_done(weft_xbar_spread *spread);
void weft_xbar_spread_add(weft_xbar_spread *spread, uint64_t index, const weft_xbar_steady *steady);
void weft_xbar_spread_merge(weft_xbar_spread *into, const weft_xbar_spread *other);
/* Rows in ascending order of value, least and most; nothing may be added after it. */
void weft_xbar_spread_sort(weft_xbar_spread *spread);
/* As bytes, for files and other processes; reading trusts nothing. */
void weft_xbar_spread_pack(const weft_xbar_spread *spread, weft_pack *pack);
WEFT_MUST_USE bool weft_xbar_spread_unpack(weft_xbar_spread *spread, weft_unpack *unpack);

typedef struct weft_xbar_bounded {
    double value, lo, hi;
} weft_xbar_bounded;

typedef struct weft_xbar_spread_summary {
    weft_xbar_bounded mean, worst, best, deviation,
        absolute;      /* standard and mean absolute deviation */
    uint64_t at_worst; /* matrices with the worst value */
} weft_xbar_spread_summary;

/* Of a sorted spread that is not empty. lo and hi hold whatever the values of intervals are. */
void weft_xbar_spread_sum_up(const weft_xbar_spread *spread, weft_xbar_spread_summary *summary);

#endif
