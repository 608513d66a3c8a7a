/* SPDX-License-Identifier: Apache-2.0 */
/* weft ts against the runs of the original in studies/ts/ts_tables.csv.
 *
 * A row is one run of the original with one seed; of ours there are 32 runs of the same length.
 * If both compute the same thing, the row is one more draw from the distribution of ours: its
 * distance from our mean, over our standard deviation of a single run (and what the mean itself
 * is unsure by), is Student's t with 31 degrees of freedom. On the normal scale it may be 4 at
 * most, for every value of every row. A value that never varies must be the same. Packets queued
 * or dropped at the end may be a few: such counts are compared by their square roots (Anscombe's
 * √(n + 3/8)), whose deviation does not depend on the mean. The simulation time ends with the
 * first event after maxst: how long that takes is geometric, and is judged by that
 * distribution's tails. */
#ifndef WEFT_TEST_TS_TABLE_H
#define WEFT_TEST_TS_TABLE_H

#include "interweft/ts.h"
#include "statistical/support.h"

enum { TS_SEEDS = 32, TS_VALUES = 11, TS_TIME = 0, TS_QUEUED = 3, TS_DROPPED = 4 };
static const char *const ts_names[TS_VALUES] = {
    "simulation time", "generated",    "delivered", "queued", "dropped", "performance", "load",
    "hops per packet", "channel time", "all hops",  "latency"};

typedef struct ts_row {
    weft_ts_options options;
    double value[TS_VALUES];
} ts_row;

static inline bool ts_read(FILE *file, ts_row *row)
{
    char line[512], rule;
    long long d, k, maxst, bl;
    double lambda;
    int used = 0;
    if (!fgets(line, sizeof line, file))
        return false;
    assert_int_equal(sscanf(line, "%c,%lld,%lld,%lf,%lld,%lld,%*d%n", &rule, &d, &k, &lambda,
                            &maxst, &bl, &used),
                     6);
    row->options = weft_ts_defaults();
    row->options.rule = rule;
    row->options.d = d;
    row->options.k = k;
    row->options.lambda = lambda;
    row->options.maxst = maxst;
    row->options.bl = bl;
    char *at = line + used;
    for (int v = 0; v < TS_VALUES; v++) {
        assert_int_equal(*at, ',');
        row->value[v] = strtod(at + 1, &at);
    }
    return true;
}

static inline bool ts_same(const ts_row *a, const ts_row *b)
{
    return a->options.rule == b->options.rule && a->options.d == b->options.d &&
           a->options.lambda == b->options.lambda && a->options.maxst == b->options.maxst;
}

/* The scale on which a value is compared. */
static inline double ts_scale(int v, double value)
{
    return v == TS_QUEUED || v == TS_DROPPED ? sqrt(value + 0.375) : value;
}

/* 32 runs of ours. */
static inline void ts_run(const ts_row *row, const weft_catalog *catalog, sample *ours)
{
    memset(ours, 0, sizeof *ours * TS_VALUES);
    for (int seed = 1; seed <= TS_SEEDS; seed++) {
        weft_ts_options options = row->options;
        weft_ts_statistics s;
        weft_error err;
        options.seed = seed;
        trial_must(weft_ts_run(&options, catalog, &s, &err), &err);
        const double found[TS_VALUES] = {(double)s.time,
                                         (double)s.generated,
                                         (double)s.delivered,
                                         (double)s.queued,
                                         (double)s.dropped,
                                         s.performance,
                                         s.load,
                                         s.hops,
                                         s.channel_time,
                                         (double)s.transmissions,
                                         s.latency};
        for (int v = 0; v < TS_VALUES; v++)
            sample_add(&ours[v], ts_scale(v, found[v]));
    }
}

/* The row's distance on the normal scale. */
static inline double ts_score(const sample *ours, double theirs)
{
    double spread = sample_deviation(ours) * sqrt(1 + 1.0 / ours->count);
    if (!(spread > 0))
        return theirs == ours->mean ? 0 : INFINITY;
    return score_of_t((theirs - ours->mean) / spread, ours->count - 1);
}

/* The same of the simulation time. */
static inline double ts_score_time(const sample *ours, double theirs, double maxst)
{
    double later = 1 - 1 / (ours->mean - maxst), ticks = theirs - maxst;
    double above = pow(later, ticks - 1), below = 1 - pow(later, ticks);
    if (above >= 0.5 && below >= 0.5)
        return 0;
    return above < below ? -weft_normal_quantile(above) : weft_normal_quantile(below);
}

/* Compares the rows that `wanted` lets through; the original's values are printed with six
 * digits. */
static inline void ts_compare(bool (*wanted)(const ts_row *row))
{
    FILE *file = fopen(WEFT_SOURCE "/studies/ts/ts_tables.csv", "r");
    weft_catalog *catalog = weft_catalog_create();
    sample ours[TS_VALUES];
    board boards[TS_VALUES] = {0};
    ts_row row, last = {.value = {0}};
    char header[512];
    int rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    while (ts_read(file, &row)) {
        if (!wanted(&row))
            continue;
        if (!ts_same(&row, &last))
            ts_run(&row, catalog, ours);
        last = row;
        rows++;
        for (int v = 0; v < TS_VALUES; v++) {
            double value = ts_scale(v, row.value[v]);
            double score = v == TS_TIME ? ts_score_time(&ours[v], value, (double)row.options.maxst)
                                        : ts_score(&ours[v], value);
            board_add(&boards[v], score);
            if (!(fabs(score) <= 3))
                print_message("rule %c, d=%d, lambda=%g: %s %.7g, ours %.7g (deviation %.3g of a "
                              "run): %+.2f\n",
                              row.options.rule, (int)row.options.d, row.options.lambda, ts_names[v],
                              row.value[v], ours[v].mean, sample_deviation(&ours[v]), score);
        }
    }
    for (int v = 0; v < TS_VALUES; v++) {
        print_message("%-16s %d rows, greatest score %.2f, mean %+.3f\n", ts_names[v], rows,
                      boards[v].worst, boards[v].sum / boards[v].cells);
        assert_true(boards[v].worst <= 4);
    }
    weft_catalog_destroy(catalog);
    fclose(file);
}

#endif
