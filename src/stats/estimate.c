/* SPDX-License-Identifier: Apache-2.0 */
/* From cells to estimates: warm-up by MSER, means and quantiles with intervals by batch means.
 *
 * MSER: White, "An effective truncation heuristic for bias reduction in simulation output",
 * Simulation 69 (1997); what it cuts but is no warm-up is given back. Batch means: Law, Simulation
 * Modeling and Analysis, chapter 9; the interval is widened by the correlation that remains between
 * batches as in Skart (Tafazzoli et al., 2011). */
#include "stats/series.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOT_A_NUMBER    __builtin_nan("")
#define LAG_LEVEL       1.2815515655446004 /* normal quantile .9: lag-1 test, one-sided, 10 % */
#define AGREES          2  /* standard deviations that the beginning may differ and still be kept */
#define QUANTILE_BEYOND 10 /* the fewest observations beyond a quantile whose error is told … */
#define CELLS_BEYOND    20 /* … and the fewest cells they come from: they come in bursts */
#define FILLED_LEAST    8  /* batches with observations: from fewer no error is told */

typedef struct batch {
    double num, den;
} batch;

static double den_of(const weft_series *series, uint32_t cell, weft_ratio ratio)
{
    return ratio.den == WEFT_PER_INTERVAL ? (double)weft_series_width(series)
                                          : (double)weft_series_at(series, cell, ratio.den);
}

/* The lag-1 autocorrelation of deviations, corrected for its bias of −1/count. */
static double lag_one(const double *deviation, uint32_t count)
{
    double product = 0, square = 0, before = 0;
    for (uint32_t i = 0; i < count; i++) {
        product += before * deviation[i];
        square += deviation[i] * deviation[i];
        before = deviation[i];
    }
    return square > 0 ? product / square + 1.0 / count : 0;
}

/* The per-cell values of a ratio; cells without observations are left out. */
struct profile {
    uint32_t count;
    double value[WEFT_CELLS_MAX];
    uint32_t cell[WEFT_CELLS_MAX];
};

static void profile_read(struct profile *profile, const weft_series *series, weft_ratio ratio)
{
    profile->count = 0;
    for (uint32_t cell = 0; cell < weft_series_cells(series); cell++) {
        double den = den_of(series, cell, ratio);
        if (den == 0)
            continue;
        profile->cell[profile->count] = cell;
        profile->value[profile->count++] = (double)weft_series_at(series, cell, ratio.num) / den;
    }
}

static double mean_of(const double *value, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += value[i];
    return sum / count;
}

/* What the mean of many cells has as variance, times their number: from the last half. */
static double long_run_variance(const struct profile *profile)
{
    uint32_t count = profile->count - profile->count / 2;
    const double *value = &profile->value[profile->count / 2];
    double deviation[WEFT_CELLS_MAX], mean = mean_of(value, count), square = 0;
    for (uint32_t i = 0; i < count; i++) {
        deviation[i] = value[i] - mean;
        square += deviation[i] * deviation[i];
    }
    double lag = lag_one(deviation, count);
    lag = lag < 0 ? 0 : lag > 0.8 ? 0.8 : lag;
    return square / (count - 1) * (1 + lag) / (1 - lag);
}

/* Where the squared standard error of the rest is least, within the first five eighths: values are
 * added from the last to the first. */
static uint32_t mser(const struct profile *profile)
{
    uint32_t limit = profile->count - profile->count * 3 / 8, best = limit;
    double mean = 0, squares = 0, least = __builtin_inf();
    for (uint32_t i = profile->count; i-- > 0;) {
        double count = (double)(profile->count - i), change = profile->value[i] - mean;
        mean += change / count;
        squares += change * (profile->value[i] - mean);
        if (i <= limit && squares / (count * count) <= least) {
            least = squares / (count * count);
            best = i;
        }
    }
    return best;
}

/* MSER alone also cuts away bursts that are no warm-up, because they come early and are large,
 * which biases what is left. A warm-up deviates from its beginning: as long as the first half of
 * what is to be cut agrees with what is kept, it is kept too. */
static uint32_t give_back(const struct profile *profile, uint32_t cut)
{
    double variance = long_run_variance(profile);
    double mean = mean_of(&profile->value[cut], profile->count - cut);
    for (uint32_t from = 0; from < cut; from++) {
        uint32_t count = (cut - from + 1) / 2;
        double difference = mean_of(&profile->value[from], count) - mean;
        if (difference * difference <= AGREES * AGREES * variance / count)
            return from;
    }
    return cut;
}

uint32_t weft_series_warmup(const weft_series *series, weft_ratio ratio, bool *settled)
{
    struct profile profile;
    uint32_t cells = weft_series_cells(series);
    profile_read(&profile, series, ratio);
    *settled = false;
    if (profile.count < 8)
        return cells - cells * 3 / 8;
    uint32_t cut = mser(&profile), from = give_back(&profile, cut);
    *settled = profile.cell[cut] <= cells / 2;
    assert(from <= cut && cut < profile.count);
    return profile.cell[*settled ? from : cut];
}

/* Completes an estimate from the deviations of its batches; scale turns their mean into units of
 * the value. True if the lag-1 test passed. */
static bool judge(weft_estimate *estimate, const double *deviation, uint32_t count, double scale)
{
    double lag = lag_one(deviation, count), square = 0;
    for (uint32_t i = 0; i < count; i++)
        square += deviation[i] * deviation[i];
    double kept = lag < 0 ? 0 : lag > 0.9 ? 0.9 : lag;
    double variance = square / (count - 1.0) / count * (1 + kept) / (1 - kept);
    estimate->stderr_ = weft_sqrt(variance) * scale;
    estimate->batches = count;
    estimate->independent = lag <= LAG_LEVEL / weft_sqrt(count);
    return estimate->independent;
}

static void bound(weft_estimate *estimate, double confidence)
{
    assert(confidence > 0 && confidence < 1 && estimate->batches > 1);
    double t = weft_student_quantile(0.5 + 0.5 * confidence, estimate->batches - 1.0);
    estimate->lo = estimate->value - t * estimate->stderr_;
    estimate->hi = estimate->value + t * estimate->stderr_;
}

/* Two sums in every cell, whose ratio is wanted. */
typedef struct pairs {
    double num[WEFT_CELLS_MAX], den[WEFT_CELLS_MAX];
} pairs;

/* Deviations num − ratio × den of the `count` batches of `size` cells that end before `cells`;
 * returns the mean of den over them, 0 if hardly any has observations. */
static double ratio_deviations(const pairs *of, uint32_t cells, uint32_t size, uint32_t count,
                               double *deviation)
{
    batch batches[WEFT_CELLS_MAX], all = {0, 0};
    uint32_t start = cells - size * count, filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        batch sum = {0, 0};
        for (uint32_t cell = start + i * size; cell < start + (i + 1) * size; cell++) {
            sum.num += of->num[cell];
            sum.den += of->den[cell];
        }
        batches[i] = sum;
        all.num += sum.num;
        all.den += sum.den;
        filled += sum.den != 0;
    }
    for (uint32_t i = 0; i < count; i++)
        deviation[i] = all.den != 0 ? batches[i].num - all.num / all.den * batches[i].den : 0;
    return filled < FILLED_LEAST ? 0 : all.den / count;
}

/* The error of a ratio over the last `kept` of so many cells: batches of 1, 2, 4 … of them,
 * until they are independent. */
static void judge_ratio(weft_estimate *estimate, const pairs *of, uint32_t cells, uint32_t kept)
{
    double deviation[WEFT_CELLS_MAX];
    for (uint32_t size = 1; kept / size >= WEFT_BATCHES_MIN; size *= 2) {
        double mean = ratio_deviations(of, cells, size, kept / size, deviation);
        if (mean != 0 && judge(estimate, deviation, kept / size, 1 / mean))
            break;
    }
}

static weft_estimate no_estimate(void)
{
    return (weft_estimate){
        .value = NOT_A_NUMBER, .lo = NOT_A_NUMBER, .hi = NOT_A_NUMBER, .stderr_ = NOT_A_NUMBER};
}

weft_estimate weft_series_ratio(const weft_series *series, uint32_t from, weft_ratio ratio,
                                double confidence)
{
    weft_estimate estimate = no_estimate();
    uint32_t cells = weft_series_cells(series), kept = cells > from ? cells - from : 0;
    double den = ratio.den == WEFT_PER_INTERVAL ? (double)kept * (double)weft_series_width(series)
                                                : (double)weft_series_sum(series, from, ratio.den);
    if (den == 0)
        return estimate;
    estimate.value = (double)weft_series_sum(series, from, ratio.num) / den;
    estimate.batches = kept;
    if (kept < WEFT_BATCHES_MIN)
        return estimate;
    pairs of;
    for (uint32_t cell = from; cell < cells; cell++) {
        of.num[cell] = (double)weft_series_at(series, cell, ratio.num);
        of.den[cell] = den_of(series, cell, ratio);
    }
    judge_ratio(&estimate, &of, cells, kept);
    bound(&estimate, confidence);
    return estimate;
}

/* Observations of a histogram beyond a value, those of its own bin in proportion. */
static double beyond(const weft_histogram *histogram, double value)
{
    uint32_t bin = weft_histogram_bin((uint64_t)value);
    double edge = (double)weft_histogram_edge(bin), end = (double)weft_histogram_edge(bin + 1);
    double above = (end - 1 - value) / (end - edge), count = 0;
    for (uint32_t b = bin + 1; b < WEFT_HISTOGRAM_BINS; b++)
        count += (double)histogram->count[b];
    return count + (double)histogram->count[bin] * (above > 0 ? above : 0);
}

/* Of every cell: the observations beyond a value, and all. The number of cells with some beyond. */
static uint32_t count_beyond(const weft_series *series, uint32_t from, uint32_t histogram,
                             double value, pairs *found)
{
    uint32_t some = 0;
    for (uint32_t cell = from; cell < weft_series_cells(series); cell++) {
        weft_histogram one;
        memset(&one, 0, sizeof one);
        weft_series_gather(series, cell, cell + 1, histogram, &one);
        found->num[cell] = beyond(&one, value);
        found->den[cell] = (double)weft_histogram_total(&one);
        some += found->num[cell] > 0;
    }
    return some;
}

weft_estimate weft_series_quantile(const weft_series *series, uint32_t from, uint32_t histogram,
                                   double p, double confidence)
{
    assert(p > 0 && p < 1);
    weft_estimate estimate = no_estimate(), share = no_estimate();
    weft_histogram merged;
    weft_series_histogram(series, from, histogram, &merged);
    estimate.value = weft_histogram_quantile(&merged, p);
    double observations = (double)weft_histogram_total(&merged);
    uint32_t cells = weft_series_cells(series), kept = cells > from ? cells - from : 0;
    if (observations * (1 - p) < QUANTILE_BEYOND || observations * p < QUANTILE_BEYOND)
        return estimate;
    pairs of;
    if (count_beyond(series, from, histogram, estimate.value, &of) < CELLS_BEYOND)
        return estimate;
    judge_ratio(&share, &of, cells, kept);
    estimate.batches = share.batches;
    estimate.independent = share.independent;
    if (share.batches < 2)
        return estimate;
    double t = weft_student_quantile(0.5 + 0.5 * confidence, share.batches - 1.0);
    double width = t * share.stderr_;
    if (!(p + width < 1 && p - width > 0))
        return estimate;
    estimate.lo = weft_histogram_quantile(&merged, p - width);
    estimate.hi = weft_histogram_quantile(&merged, p + width);
    estimate.stderr_ = (estimate.hi - estimate.lo) / 2 / t;
    return estimate;
}

/* Sums of columns over batches, and over all of them. */
static void column_sums(const weft_series *series, uint32_t start, uint32_t size, uint32_t count,
                        const uint32_t *columns, uint32_t n_columns, double *sums, double *all)
{
    for (uint32_t c = 0; c < n_columns; c++)
        all[c] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < n_columns; c++) {
            weft_i128 sum = 0;
            for (uint32_t cell = start + i * size; cell < start + (i + 1) * size; cell++)
                sum += weft_series_at(series, cell, columns[c]);
            sums[i * n_columns + c] = (double)sum;
            all[c] += (double)sum;
        }
}

/* Deviations of the jackknife's pseudo-values; false: the statistic is not defined without some
 * batch. */
static bool pseudo_values(const double *sums, const double *all, uint32_t count, uint32_t n_columns,
                          weft_statistic statistic, const void *user, double *deviation)
{
    double *left = weft_alloc(sizeof *left * n_columns), mean = 0;
    double whole = statistic(all, user);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < n_columns; c++)
            left[c] = all[c] - sums[i * n_columns + c];
        deviation[i] = (count - 1.0) * (whole - statistic(left, user));
        mean += deviation[i] / count;
    }
    for (uint32_t i = 0; i < count; i++)
        deviation[i] -= mean;
    free(left);
    return mean - mean == 0;
}

weft_estimate weft_series_statistic(const weft_series *series, uint32_t from,
                                    const uint32_t *columns, uint32_t n_columns,
                                    weft_statistic statistic, const void *user, double confidence)
{
    weft_estimate estimate = no_estimate();
    uint32_t cells = weft_series_cells(series), kept = cells > from ? cells - from : 0;
    double *sums = weft_alloc(sizeof *sums * n_columns * (kept + 1)), deviation[WEFT_CELLS_MAX];
    double *all = weft_alloc(sizeof *all * n_columns);
    column_sums(series, from, kept, kept > 0, columns, n_columns, sums, all);
    estimate.value = statistic(all, user);
    estimate.batches = kept;
    bool judged = false;
    for (uint32_t size = 1; kept / size >= WEFT_BATCHES_MIN; size *= 2) {
        uint32_t count = kept / size;
        column_sums(series, cells - size * count, size, count, columns, n_columns, sums, all);
        if (!pseudo_values(sums, all, count, n_columns, statistic, user, deviation))
            continue;
        judged = true;
        if (judge(&estimate, deviation, count, 1))
            break;
    }
    if (judged)
        bound(&estimate, confidence);
    free(sums);
    free(all);
    return estimate;
}
