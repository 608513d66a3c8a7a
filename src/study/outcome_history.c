/* SPDX-License-Identifier: Apache-2.0 */
/* Cut-through and what came before it. */
#include "study/outcome_rows.h"

#include "base/numeric.h"

#include <math.h>

/* Cut-through at a router given what the packet did at the one before, of packets of h hops (0:
 * of all), and how much it matters: the difference, with an interval as if the two were
 * independent. */
static void add_pairs(weft_rows *rows, uint32_t column, uint32_t h, const char *of)
{
    weft_estimate after_cut =
        weft_rows_ratio(rows, column + WEFT_PAIR_CUT_CUT, column + WEFT_PAIR_AFTER_CUT);
    weft_estimate after_blocked =
        weft_rows_ratio(rows, column + WEFT_PAIR_BLOCKED_CUT, column + WEFT_PAIR_AFTER_BLOCKED);
    double one = after_cut.hi - after_cut.value, two = after_blocked.hi - after_blocked.value;
    double width = weft_sqrt(one * one + two * two);
    weft_estimate gap = {.value = after_cut.value - after_blocked.value};
    gap.lo = gap.value - width;
    gap.hi = gap.value + width;
    weft_metric metric = {.name = "cut-through after cut-through",
                          .of = of,
                          .by = h ? "hops" : "",
                          .index = h,
                          .n = weft_rows_sum(rows, column + WEFT_PAIR_AFTER_CUT),
                          .unit = "fraction",
                          .method = "batch means"};
    weft_rows_estimate(rows, metric, after_cut, 1, false);
    metric.name = "cut-through after blocking";
    metric.n = weft_rows_sum(rows, column + WEFT_PAIR_AFTER_BLOCKED);
    weft_rows_estimate(rows, metric, after_blocked, 1, false);
    metric.name = "cut-through dependence";
    metric.method = "batch means as if independent";
    weft_rows_estimate(rows, metric, gap, 1, false);
}

/* Variance of the number of cut-throughs of packets of h hops, of which sums[c] had c, over that
 * of independent ones of the same mean. */
static double spread(const double *sums, const void *user)
{
    uint32_t hops = *(const uint32_t *)user;
    double packets = 0, cuts = 0, squares = 0, chances = hops - 1.0;
    for (uint32_t c = 0; c < hops; c++) {
        packets += sums[c];
        cuts += sums[c] * c;
        squares += sums[c] * c * c;
    }
    double mean = cuts / packets, share = mean / chances;
    double independent = chances * share * (1 - share);
    if (packets < 2 || !(independent > 0))
        return NAN;
    return (squares - packets * mean * mean) / (packets - 1) / independent;
}

static void add_spread(weft_rows *rows, uint32_t column, uint32_t h, const char *of)
{
    uint32_t *columns = WEFT_TAKE(rows->arena, uint32_t, h);
    int64_t packets = 0;
    for (uint32_t c = 0; c < h; c++) {
        columns[c] = column + c;
        packets += weft_rows_sum(rows, column + c);
    }
    weft_rows_estimate(rows,
                       (weft_metric){.name = "cut-through spread",
                                     .of = of,
                                     .by = "hops",
                                     .index = h,
                                     .n = packets,
                                     .unit = "variance / binomial",
                                     .method = "jackknife of batches"},
                       weft_rows_statistic(rows, columns, h, spread, &h), 1, false);
}

void weft_rows_history(weft_rows *rows, uint32_t start, const char *of)
{
    const weft_tally *tally = weft_simulation_tally(rows->simulation);
    uint32_t column = tally->history ? weft_tally_history_column(tally, start) : 0;
    for (uint32_t h = 0; tally->history && h <= tally->hops_max; h++) {
        if (h == 0 || h > 2)
            add_pairs(rows, column + weft_tally_pair_word(h), h, of);
        if (h > 1)
            add_spread(rows, column + weft_tally_cuts_word(tally, h, 0), h, of);
    }
}

/* Packets of a group by hops (lines) and cut-throughs (columns). */
weft_array weft_rows_cuts(const weft_rows *rows, uint32_t group)
{
    const weft_tally *tally = weft_simulation_tally(rows->simulation);
    uint32_t start = group * weft_tally_width(tally), most = tally->hops_max;
    uint32_t column = weft_tally_history_column(tally, start);
    int64_t *y = WEFT_TAKE(rows->arena, int64_t, (size_t)(most + 1) * most);
    for (uint32_t h = 1; h <= most; h++)
        for (uint32_t c = 0; c < h; c++)
            y[(size_t)h * most + c] =
                weft_rows_sum(rows, column + weft_tally_cuts_word(tally, h, c));
    return (weft_array){.table = "matrix",
                        .name = "cut-throughs by hops",
                        .of = group ? rows->network->traffic_classes[group - 1].name : "",
                        .unit = "packets",
                        .count = (size_t)(most + 1) * most,
                        .y = y,
                        .columns = most};
}
