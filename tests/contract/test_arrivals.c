/* SPDX-License-Identifier: Apache-2.0 */
/* What every arrival process and every length promises: the mean it was asked for, no less than
 * the least, and the spread of its name. */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "sim/source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/settings.h"

#define DRAWS 100000u

typedef struct sample {
    double n, mean, variance, least, greatest;
} sample;

static void sample_add(sample *of, double value)
{
    double step = value - of->mean;
    if (of->n == 0)
        of->least = of->greatest = value;
    of->n++;
    of->mean += step / of->n;
    of->variance += (step * (value - of->mean) - of->variance) / of->n;
    of->least = fmin(of->least, value);
    of->greatest = fmax(of->greatest, value);
}

static void assert_mean(const sample *of, double expected, double rounding)
{
    assert_true(fabs(of->mean - expected) <= 4 * sqrt(of->variance / of->n) + rounding);
}

static const weft_arrival_kind *arrival_kind(const weft_component *kind)
{
    return (const weft_arrival_kind *)(const void *)kind;
}

static weft_fine_time next_gap(const weft_arrival *arrival, uint64_t index, uint64_t draw,
                               uint32_t *memory)
{
    weft_random random = weft_random_stream(11, draw, 0, WEFT_FOR_ESTIMATE);
    if (arrival->kind->interval_with_memory)
        return arrival->kind->interval_with_memory(arrival, index, memory, &random);
    return arrival->kind->interval(arrival, index, &random);
}

static weft_fine_time gap(const weft_arrival *arrival, uint64_t index, uint64_t draw)
{
    uint32_t memory = 0;
    return next_gap(arrival, index, draw, &memory);
}

/* Gaps in ticks; index 0: those before the first message. */
static sample gaps(const weft_arrival *arrival, uint64_t index)
{
    sample found = {0};
    uint32_t memory = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        weft_fine_time drawn = next_gap(arrival, index ? index + i : 0, i, &memory);
        sample_add(&found, (double)drawn * 0x1p-16);
    }
    return found;
}

#define HALF_FINE_TIME 0x1p-17 /* a gap is rounded to 1/65536 of a tick */

static const double means[] = {1, 1.3, 2.5, 7.3, 64.01, 1000.7, 123456.78};
static const double cycles[] = {1, 3, 32};

#define SCV 3.0 /* of generalised exponential gaps */

static void *arrival_settings(const weft_component *kind)
{
    static const char *const own[][2] = {{"ge", "scv=3"},
                                         {"pareto", "shape=4"},
                                         {"on-off", "burst=1 peak=2 on=exponential off-shape=4"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(kind->name, own[i][0]) == 0)
            text = own[i][1];
    return settings_make(kind, text);
}

/* Calls visit for every kind that can send so densely. */
static void each_arrival(const char *only, void (*visit)(const weft_arrival *arrival))
{
    for (const weft_component *const *kind = weft_arrival_kinds; *kind; kind++) {
        void *settings = arrival_settings(*kind);
        for (size_t m = 0; m < sizeof means / sizeof *means; m++)
            for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++) {
                weft_arrival arrival = {.kind = arrival_kind(*kind),
                                        .settings = settings,
                                        .mean = means[m],
                                        .cycle_ticks = cycles[c]};
                double most = arrival.kind->most;
                bool possible = most == 0 || arrival.cycle_ticks <= most * arrival.mean;
                if (possible && (!only || strcmp(only, (*kind)->name) == 0))
                    visit(&arrival);
            }
        free(settings);
    }
}

static void check_rate(const weft_arrival *arrival)
{
    sample found = gaps(arrival, 1);
    assert_mean(&found, arrival->mean, HALF_FINE_TIME);
}

static void gaps_have_the_mean_they_were_asked_for(void **state)
{
    (void)state;
    each_arrival(NULL, check_rate);
}

/* Arrivals are rounded to ticks one by one, not gap by gap: no error adds up. */
static void check_clock(const weft_arrival *arrival)
{
    weft_fine_time at = 0;
    weft_time before = 0;
    for (uint32_t i = 1; i <= 10000; i++) {
        at += gap(arrival, i, i);
        weft_time tick = weft_fine_time_tick(at);
        assert_true(tick >= before && fabs((double)tick - (double)at * 0x1p-16) <= 0.5);
        before = tick;
    }
}

static void rounding_to_ticks_does_not_bias_the_rate(void **state)
{
    (void)state;
    each_arrival(NULL, check_clock);
}

/* An exponential gap: variance = mean², fourth central moment 9 mean⁴, so the variance of n gaps
 * is known to √(8/n) of itself. */
static void check_poisson(const weft_arrival *arrival)
{
    sample found = gaps(arrival, 1);
    double expected = arrival->mean * arrival->mean;
    assert_true(fabs(found.variance - expected) <= 4 * sqrt(8.0 / DRAWS) * expected);
    assert_true(found.least < 1e-3 * arrival->mean);
    sample first = gaps(arrival, 0);
    assert_mean(&first, arrival->mean, HALF_FINE_TIME);
}

static void poisson_gaps_are_exponential(void **state)
{
    (void)state;
    each_arrival("poisson", check_poisson);
}

/* A share of 2 / (scv + 1) is exponential with a mean of 1 / share, the others are nothing:
 * second moment 2 / share, fourth 24 / share³. */
static void check_ge(const weft_arrival *arrival)
{
    double share = 2 / (SCV + 1), nothing = 0, second = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double drawn = (double)gap(arrival, 1, i) * 0x1p-16 / arrival->mean;
        nothing += drawn == 0;
        second += drawn * drawn / DRAWS;
    }
    double spread = sqrt((24 / (share * share * share) - 4 / (share * share)) / DRAWS);
    assert_true(fabs(second - (SCV + 1)) <= 4 * spread);
    assert_true(fabs(nothing / DRAWS - (1 - share)) <=
                4 * sqrt(share * (1 - share) / DRAWS) + 1e-4);
}

static void ge_gaps_come_in_batches(void **state)
{
    (void)state;
    each_arrival("ge", check_ge);
}

/* ts' gaps: whole cycles, at least one, 1 / (e^p − 1) + 1 − e^−p cycles on average. */
static void truncated_gaps_raise_the_rate(void **state)
{
    (void)state;
    const weft_component *kind = kind_named(weft_arrival_kinds, "poisson");
    void *settings = settings_make(kind, "gaps=truncated");
    for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++)
        for (double p = 0.005; p < 2; p *= 3) {
            weft_arrival arrival = {.kind = arrival_kind(kind),
                                    .settings = settings,
                                    .mean = cycles[c] / p,
                                    .cycle_ticks = cycles[c]};
            sample found = gaps(&arrival, 1);
            assert_mean(&found, (1 / (exp(p) - 1) + 1 - exp(-p)) * cycles[c], 0);
            assert_true(found.least >= cycles[c]);
            assert_true(gap(&arrival, 1, 5) % ((weft_fine_time)cycles[c] << WEFT_FRACTION_BITS) ==
                        0);
        }
    free(settings);
}

/* Geometric: variance (1 − p) / p², excess kurtosis 6 + p² / (1 − p). */
static void check_bernoulli(const weft_arrival *arrival)
{
    sample found = gaps(arrival, 1), first = gaps(arrival, 0);
    double cycle = arrival->cycle_ticks, p = cycle / arrival->mean;
    double expected = (1 - p) / (p * p) * cycle * cycle;
    double spread = p < 1 ? sqrt((8 + p * p / (1 - p)) / DRAWS) : 0;
    assert_true(fabs(found.variance - expected) <= 4 * spread * expected);
    assert_true(found.least >= cycle); /* never two in one cycle */
    if (p > 1e-3)
        assert_true(found.least == cycle && first.least == 0); /* the very first one counts */
    assert_mean(&first, arrival->mean - cycle, 0);
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(gap(arrival, 1, i) % ((weft_fine_time)cycle << WEFT_FRACTION_BITS) == 0);
}

static void bernoulli_is_a_coin_in_every_cycle(void **state)
{
    (void)state;
    each_arrival("bernoulli", check_bernoulli);
}

static void check_periodic(const weft_arrival *arrival)
{
    sample found = gaps(arrival, 1), phase = gaps(arrival, 0);
    assert_true(found.least == found.greatest);
    assert_mean(&phase, arrival->mean / 2, HALF_FINE_TIME);
    double uniform = arrival->mean * arrival->mean / 12; /* excess kurtosis −1.2 */
    assert_true(fabs(phase.variance - uniform) <= 4 * sqrt(0.8 / DRAWS) * uniform + 1e-6);
    assert_true(phase.least >= 0 && phase.greatest <= arrival->mean + HALF_FINE_TIME);
}

static void periodic_gaps_are_equal_and_phases_uniform(void **state)
{
    (void)state;
    each_arrival("periodic", check_periodic);
}

/* Pareto from its least gap on: variance mean² / (shape (shape − 2)), fourth moment shape /
 * (shape − 4) of the least gap. The first gap is the rest of one: mean E gap² / 2 E gap. */
static void pareto_gaps_have_their_tail(void **state)
{
    (void)state;
    const weft_component *kind = kind_named(weft_arrival_kinds, "pareto");
    void *settings = settings_make(kind, "shape=9");
    weft_arrival arrival = {
        .kind = arrival_kind(kind), .settings = settings, .mean = 1000, .cycle_ticks = 1};
    sample found = gaps(&arrival, 1), first = gaps(&arrival, 0);
    double variance = 1e6 / (9 * 7), tails[2] = {0};
    assert_true(fabs(found.variance - variance) <= 0.05 * variance);
    assert_true(found.least >= 1000 * 8 / 9.0 - HALF_FINE_TIME);
    assert_mean(&first, (variance + 1e6) / 2000, HALF_FINE_TIME);
    free(settings);
    arrival.settings = settings = settings_make(kind, "shape=1.5"); /* least gap 1000 / 3 */
    for (uint32_t i = 0; i < DRAWS; i++) {
        tails[0] += (double)gap(&arrival, 1, i) * 0x1p-16 > 1e4 / 3; /* 10^−1.5 */
        tails[1] += (double)gap(&arrival, 0, i) * 0x1p-16 > 1e4 / 3; /* 10^−0.5 / 1.5 */
    }
    const double expected[2] = {pow(10, -1.5), pow(10, -0.5) / 1.5};
    for (int k = 0; k < 2; k++)
        assert_true(fabs(tails[k] / DRAWS - expected[k]) <= 4 * sqrt(expected[k] / DRAWS));
    free(settings);
}

/* Messages of one source within a time from its start; `source` numbers its streams. */
static uint32_t count_within(const weft_arrival *arrival, uint32_t source, double ticks)
{
    weft_fine_time at = 0, end = weft_fine_time_of(ticks);
    uint32_t count = 0, memory = 0;
    for (;; count++) {
        weft_random random = weft_random_stream(12, count, source, WEFT_FOR_ESTIMATE);
        at += arrival->kind->interval_with_memory
                  ? arrival->kind->interval_with_memory(arrival, count, &memory, &random)
                  : arrival->kind->interval(arrival, count, &random);
        if (at > end)
            return count;
    }
}

/* Mean and variance of the counts of independent sources in `ticks`. */
static sample counts(const char *name, const char *text, double mean, double ticks, uint32_t n)
{
    const weft_component *kind = kind_named(weft_arrival_kinds, name);
    void *settings = settings_make(kind, text);
    weft_arrival arrival = {
        .kind = arrival_kind(kind), .settings = settings, .mean = mean, .cycle_ticks = 1};
    sample found = {0};
    for (uint32_t s = 0; s < n; s++)
        sample_add(&found, count_within(&arrival, s, ticks));
    free(settings);
    return found;
}

/* The steady state from the beginning: short spans have the mean rate too, heavy tails or not. */
static void sources_start_in_the_steady_state(void **state)
{
    (void)state;
    const char *const cases[][2] = {{"pareto", "shape=1.5"},
                                    {"pareto", "shape=1.2"},
                                    {"on-off", ""},
                                    {"on-off", "burst=3 peak=10"},
                                    {"on-off", "on=exponential burst=7 off-shape=1.3"},
                                    {"on-off", "off=exponential burst=1"},
                                    {"on-off", "peak=1"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (double ticks = 10; ticks < 1e4; ticks *= 17) {
            sample found = counts(cases[c][0], cases[c][1], 100, ticks, 10000);
            assert_mean(&found, ticks / 100, 0.002 * ticks / 100);
        }
}

/* Index of dispersion of counts in long spans, by renewal theory. Pareto gaps: their squared
 * coefficient of variation. Bursts of N messages and silences of mean s: (Var N (1 − 1 / peak)² +
 * Var s / mean²) / E N; N − 1 = ⌊Y + U⌋ has the variance of Y and E f (1 − f), f the fraction of
 * Y. */
static void counts_have_their_dispersion(void **state)
{
    (void)state;
    enum { SOURCES = 4000 };
    double spread = 4 * sqrt(2.0 / SOURCES), span = 2e5, mean = 100;
    sample found = counts("pareto", "shape=4", mean, span, SOURCES);
    assert_true(fabs(found.variance / found.mean - 1.0 / 8) <= spread / 8);
    double y = 4, silence = 5 * 75, fraction = 0;
    for (int i = 0; i < 100000; i++) { /* Y = −ln u × 4 at equal steps of u */
        double drawn = -log((i + 0.5) / 100000) * y, f = drawn - floor(drawn);
        fraction += f * (1 - f) / 100000;
    }
    double expected = ((y * y + fraction) * 0.75 * 0.75 + silence * silence / (mean * mean)) / 5;
    found = counts("on-off", "on=exponential off=exponential burst=5", mean, span, SOURCES);
    assert_true(fabs(found.variance / found.mean - expected) <= 1.2 * spread * expected);
}

/* Bursts of one message with no time between them but silences are Poisson; with a peak of 1
 * there are no silences. */
static void bursts_have_their_limits(void **state)
{
    (void)state;
    const weft_component *kind = kind_named(weft_arrival_kinds, "on-off");
    void *poisson = settings_make(kind, "burst=1 peak=1e6 off=exponential");
    void *periodic = settings_make(kind, "peak=1");
    weft_arrival arrival = {
        .kind = arrival_kind(kind), .settings = poisson, .mean = 64, .cycle_ticks = 1};
    check_poisson(&arrival);
    arrival.settings = periodic;
    check_periodic(&arrival);
    free(poisson);
    free(periodic);
}

/* One message in the age of the universe must not overflow a moment. */
static void the_rarest_messages_are_still_moments(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_arrival_kinds; *kind; kind++) {
        void *settings = arrival_settings(*kind);
        bool batches = strcmp((*kind)->name, "ge") == 0;
        weft_arrival arrival = {
            .kind = arrival_kind(*kind), .settings = settings, .mean = 1e18, .cycle_ticks = 1};
        for (uint32_t i = 0; i < 1000; i++) {
            assert_true(gap(&arrival, i, i) <= (weft_fine_time)1 << 62);
            assert_true(gap(&arrival, i + 1, i) > 1000 || batches);
        }
        arrival.mean = 1e9; /* rarer than 1 − p can tell from 1 */
        arrival.cycle_ticks = 0.5;
        sample found = gaps(&arrival, 1);
        assert_mean(&found, arrival.mean, 1);
        free(settings);
    }
}

typedef struct length_example {
    const char *kind, *settings;
    double flit_bytes, mean; /* as asked for, before rounding */
} length_example;

static const length_example length_examples[] = {
    {"fixed", "size=1", 1, 1},
    {"fixed", "size=64", 8, 64},
    {"fixed", "size=100B", 16, 7}, /* the last flit is not full */
    {"fixed", "size=64B", 16, 4},
    {"exponential", "mean=1", 1, 1},
    {"exponential", "mean=4", 1, 4},
    {"exponential", "mean=64", 1, 64},
    {"exponential", "mean=1000B", 16, 62.5},
    {"exponential", "mean=45000", 1, 45000},
    {"bimodal", "short=4 long=68 share=25%", 1, 20},
    {"bimodal", "short=8B long=100B share=0.9", 16, 6.4},
    {"bimodal", "short=3 long=9 share=0", 1, 3},
    {"redraw", "mean=64", 1, 64}, /* of exponential ones */
    /* The sum over n of P(at least n flits), of the published points. */
    {"empirical", "of=web-search", 64, 26738.28173866667},
    {"empirical", "of=web-search", 1, 400704.8186187}, /* cut off at the longest message */
    {"empirical", "of=hadoop", 64, 1881.5743802374063},
    {"empirical", "of=hadoop", 1000, 120.71},
    {"empirical", "of=storage scale=0.1", 16, 255.440836},
};
#define LENGTHS (sizeof length_examples / sizeof *length_examples)

/* An exponential length of mean m, rounded to the nearest flit and at least 1: the sum over k of
 * P(more than k flits) = 1 + Σ_{k≥1} exp(−(k + ½)/m). */
static double rounded_exponential(double m)
{
    return 1 + exp(-1.5 / m) / (1 - exp(-1 / m));
}

static sample draw_lengths(const length_example *which, double *mean)
{
    const weft_component *kind = kind_named(weft_length_kinds, which->kind);
    const weft_component *inner = kind_named(weft_length_kinds, "exponential");
    bool redraws = strcmp(which->kind, "redraw") == 0;
    void *settings = settings_make(kind, redraws ? "" : which->settings);
    void *inside = settings_make(inner, redraws ? which->settings : "");
    if (redraws)
        settings_put_kind(kind, settings, "of", (weft_kind_ref){inner, inside});
    weft_length length = {.kind = (const weft_length_kind *)(const void *)kind,
                          .settings = settings,
                          .flit_bytes = which->flit_bytes};
    sample found = {0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        weft_random random = weft_random_stream(12, i, 0, WEFT_FOR_ESTIMATE);
        uint32_t flits = length.kind->flits(&length, &random);
        assert_in_range(flits, 1, 1048576);
        sample_add(&found, flits);
    }
    *mean = length.kind->mean(&length);
    assert_int_equal(weft_length_redraws(&length), redraws);
    free(settings);
    free(inside);
    return found;
}

static void lengths_have_the_mean_they_were_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTHS; i++) {
        const length_example *which = &length_examples[i];
        double mean;
        sample found = draw_lengths(which, &mean);
        bool exponential =
            strcmp(which->kind, "exponential") == 0 || strcmp(which->kind, "redraw") == 0;
        double drawn = exponential ? rounded_exponential(which->mean) : which->mean;
        assert_true(fabs(mean - drawn) < 1e-12 * drawn);
        assert_mean(&found, drawn, 1e-9);
    }
}

/* Rounding to nearest keeps the mean of all but the shortest packets: 64.01 for 64. */
static void exponential_lengths_keep_their_mean(void **state)
{
    (void)state;
    assert_true(fabs(rounded_exponential(64) - 64.01) < 0.005);
    double mean;
    sample found = draw_lengths(&length_examples[6], &mean);
    assert_true(found.least == 1);
    assert_true(fabs(found.variance - 64 * 64) < 4 * sqrt(8.0 / DRAWS) * 64 * 64);
}

static void bimodal_lengths_have_their_shares(void **state)
{
    (void)state;
    double mean;
    sample found = draw_lengths(&length_examples[9], &mean);
    assert_true(found.least == 4 && found.greatest == 68);
    double longs = (found.mean - 4) / 64;
    assert_true(fabs(longs - 0.25) < 4 * sqrt(0.25 * 0.75 / DRAWS));
    found = draw_lengths(&length_examples[11], &mean);
    assert_true(found.least == 3 && found.greatest == 3);
}

static void every_length_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_length_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < LENGTHS; i++)
            found += strcmp(length_examples[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_have_the_mean_they_were_asked_for),
        cmocka_unit_test(rounding_to_ticks_does_not_bias_the_rate),
        cmocka_unit_test(poisson_gaps_are_exponential),
        cmocka_unit_test(ge_gaps_come_in_batches),
        cmocka_unit_test(truncated_gaps_raise_the_rate),
        cmocka_unit_test(bernoulli_is_a_coin_in_every_cycle),
        cmocka_unit_test(periodic_gaps_are_equal_and_phases_uniform),
        cmocka_unit_test(pareto_gaps_have_their_tail),
        cmocka_unit_test(sources_start_in_the_steady_state),
        cmocka_unit_test(counts_have_their_dispersion),
        cmocka_unit_test(bursts_have_their_limits),
        cmocka_unit_test(the_rarest_messages_are_still_moments),
        cmocka_unit_test(lengths_have_the_mean_they_were_asked_for),
        cmocka_unit_test(exponential_lengths_keep_their_mean),
        cmocka_unit_test(bimodal_lengths_have_their_shares),
        cmocka_unit_test(every_length_has_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
