/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a search: the number of matrices with each throughput, and the worst matrices.
 *
 * Throughputs are reduced fractions and are counted, not added up, so parts of a search merge
 * exactly and in any order; means and deviations are computed once, from the counts in ascending
 * order. A state that does not recur has an interval instead, and a measured value inside it. */
#ifndef WEFT_CROSSBAR_SPREAD_H
#define WEFT_CROSSBAR_SPREAD_H

#include "base/pack.h"
#include "crossbar/steady.h"

#define WEFT_WORST_MAX 64 /* matrices that are kept, at most */

/* A reduced fraction: cells served / cells that could have been served. */
typedef struct weft_xbar_ratio {
    uint64_t top, bottom;
} weft_xbar_ratio;

weft_xbar_ratio weft_xbar_ratio_of(weft_xbar_share share, uint32_t n);
int weft_xbar_ratio_compare(weft_xbar_ratio a, weft_xbar_ratio b);
static inline double weft_xbar_ratio_value(weft_xbar_ratio a)
{
    return (double)a.top / (double)a.bottom;
}

typedef struct weft_xbar_spread_row {
    weft_xbar_ratio value, least, most; /* all equal if exact */
    uint64_t count;
} weft_xbar_spread_row;

typedef struct weft_xbar_worst {
    weft_xbar_ratio value, least, most;
    bool exact;
    uint64_t index; /* of the matrix */
} weft_xbar_worst;

/* A share and its reduced fraction, cached. */
typedef struct weft_xbar_reduced {
    weft_xbar_share share;
    weft_xbar_ratio ratio;
} weft_xbar_reduced;
#define WEFT_REDUCED 256 /* a power of two */

typedef struct weft_xbar_spread {
    uint32_t n;
    weft_xbar_spread_row *rows; /* a hash table, or, after weft_xbar_spread_sort, in order */
    size_t room, used;
    bool sorted;
    uint64_t matrices, unsettled; /* all matrices, matrices without a fraction */
    uint64_t slots, longest;      /* slots run: in all, for one matrix */
    uint32_t keep;                /* number of worst matrices to keep */
    uint32_t n_worst;
    weft_xbar_worst worst[WEFT_WORST_MAX]; /* ascending by value, then index */
    weft_xbar_reduced reduced[WEFT_REDUCED];
} weft_xbar_spread;

void weft_xbar_spread_init(weft_xbar_spread *spread, uint32_t n, uint32_t keep);
void weft_xbar_spread_done(weft_xbar_spread *spread);
void weft_xbar_spread_add(weft_xbar_spread *spread, uint64_t index, const weft_xbar_steady *steady);
void weft_xbar_spread_merge(weft_xbar_spread *into, const weft_xbar_spread *other);
/* Sorts rows by ascending value, least and most; nothing may be added afterwards. */
void weft_xbar_spread_sort(weft_xbar_spread *spread);
/* Packs as bytes, for files and other processes; unpacking treats them as untrusted. */
void weft_xbar_spread_pack(const weft_xbar_spread *spread, weft_pack *pack);
WEFT_MUST_USE bool weft_xbar_spread_unpack(weft_xbar_spread *spread, weft_unpack *unpack);

typedef struct weft_xbar_bounded {
    double value, lo, hi;
} weft_xbar_bounded;

typedef struct weft_xbar_spread_summary {
    /* deviation: standard deviation; absolute: mean absolute deviation. */
    weft_xbar_bounded mean, worst, best, deviation, absolute;
    uint64_t at_worst; /* matrices with the worst value */
} weft_xbar_spread_summary;

/* Summarises a sorted, nonempty spread. lo and hi hold for any values inside the intervals. */
void weft_xbar_spread_sum_up(const weft_xbar_spread *spread, weft_xbar_spread_summary *summary);

#endif
