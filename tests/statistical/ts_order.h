/* SPDX-License-Identifier: Apache-2.0 */
/* weft ts against the means of the original in tests/data/ts/order.csv: short channel times and
 * small queues, where the order of simultaneous events decides who waits and who is dropped.
 *
 * A row has means and standard deviations over 32 seeds of the original; of ours there are as many
 * runs of the same length, with other seeds in every row. Each value is compared by Welch's t, and
 * the scores of all rows are held to the z rules (support.h). */
#ifndef WEFT_TEST_TS_ORDER_H
#define WEFT_TEST_TS_ORDER_H

#include "interweft/ts.h"
#include "statistical/support.h"

enum { ORDER_SEEDS = 32, ORDER_VALUES = 6 };
static const char *const order_names[ORDER_VALUES] = {"generated", "delivered", "dropped",
                                                      "load",      "hops",      "channel time"};

typedef struct order_row {
    weft_ts_options options;
    double mean[ORDER_VALUES], deviation[ORDER_VALUES];
} order_row;

static inline bool order_read(FILE *file, order_row *row)
{
    char line[512], rule;
    long long d, k, cht, bl, maxst, seed;
    double lambda;
    int used = 0;
    if (!fgets(line, sizeof line, file))
        return false;
    assert_int_equal(sscanf(line, "%c,%lld,%lld,%lld,%lld,%lf,%lld,%lld%n", &rule, &d, &k, &cht,
                            &bl, &lambda, &maxst, &seed, &used),
                     8);
    row->options = weft_ts_defaults();
    row->options.rule = rule;
    row->options.d = d;
    row->options.k = k;
    row->options.cht = cht;
    row->options.bl = bl;
    row->options.lambda = lambda;
    row->options.maxst = maxst;
    row->options.seed = seed;
    char *at = line + used;
    for (int v = 0; v < ORDER_VALUES; v++) {
        assert_int_equal(*at, ',');
        row->mean[v] = strtod(at + 1, &at);
        assert_int_equal(*at, ',');
        row->deviation[v] = strtod(at + 1, &at);
    }
    return true;
}

static inline void order_run(const order_row *row, const weft_catalog *catalog, sample *ours)
{
    memset(ours, 0, sizeof *ours * ORDER_VALUES);
    for (int seed = 0; seed < ORDER_SEEDS; seed++) {
        weft_ts_options options = row->options;
        weft_ts_statistics s;
        weft_error err;
        options.seed += seed;
        trial_must(weft_ts_run(&options, catalog, &s, &err), &err);
        const double found[ORDER_VALUES] = {
            (double)s.generated, (double)s.delivered, (double)s.dropped, s.load, s.hops,
            s.channel_time};
        for (int v = 0; v < ORDER_VALUES; v++)
            sample_add(&ours[v], found[v]);
    }
}

/* Neither varies where nothing can be dropped. */
static inline double order_score(const sample *ours, double mean, double deviation)
{
    if (deviation > 0 || ours->squares > 0)
        return score_welch(ours, mean, deviation / sqrt(ORDER_SEEDS), ORDER_SEEDS - 1, 0);
    return ours->mean == mean ? 0 : INFINITY;
}

/* Compares the rows that `wanted` lets through. */
static inline void order_compare(bool (*wanted)(const weft_ts_options *options))
{
    FILE *file = fopen(WEFT_TEST_DATA "/ts/order.csv", "r");
    weft_catalog *catalog = weft_catalog_create();
    board boards[ORDER_VALUES] = {0};
    sample ours[ORDER_VALUES];
    order_row row;
    char header[512];
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    while (order_read(file, &row)) {
        const weft_ts_options *o = &row.options;
        if (!wanted(o))
            continue;
        order_run(&row, catalog, ours);
        for (int v = 0; v < ORDER_VALUES; v++) {
            double score = order_score(&ours[v], row.mean[v], row.deviation[v]);
            board_add(&boards[v], score);
            if (!(fabs(score) <= 2.58))
                print_message("rule %c, d=%d, k=%d, cht=%d, bl=%d: %s %.6g, ours %.6g: %+.2f\n",
                              o->rule, (int)o->d, (int)o->k, (int)o->cht, (int)o->bl,
                              order_names[v], row.mean[v], ours[v].mean, score);
        }
    }
    for (int v = 0; v < ORDER_VALUES; v++)
        board_check(&boards[v], order_names[v], boards[v].cells);
    weft_catalog_destroy(catalog);
    fclose(file);
}

#endif
