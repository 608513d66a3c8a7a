/* SPDX-License-Identifier: Apache-2.0 */
/* Results side by side: every verdict, what has no counterpart, which metrics a name means, what
 * is printed. */
#include "interweft/compare.h"
#include "report/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NONE    ((double)NAN)
#define METRICS 8

typedef struct sample {
    const char *key, *settings;
    bool saturated;
    weft_metric metrics[METRICS]; /* up to the first without a name */
} sample;

static weft_result *made(const sample *samples, size_t count)
{
    weft_result *result;
    weft_error err;
    if (weft_result_create(WEFT_IN_MEMORY, "t", "s", true, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++) {
        weft_point point = {.key = samples[i].key,
                            .settings = samples[i].settings ? samples[i].settings : "",
                            .verdict = samples[i].saturated ? "saturated" : "converged",
                            .saturated = samples[i].saturated,
                            .metrics = samples[i].metrics};
        while (point.n_metrics < METRICS && samples[i].metrics[point.n_metrics].name)
            point.n_metrics++;
        if (weft_result_commit(result, &point, &err) != WEFT_OK)
            fail_msg("%s", err.text);
    }
    return result;
}

typedef struct pair {
    weft_result *sides[2];
    weft_compare_sheet *sheet;
} pair;

static pair compared(const sample *ours, size_t n_ours, const sample *theirs, size_t n_theirs,
                     const weft_compare_options *options)
{
    weft_error err;
    pair p = {.sides = {made(ours, n_ours), made(theirs, n_theirs)}};
    if (weft_compare_make(p.sides, 2, options, &p.sheet, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return p;
}

static void done(pair *p)
{
    weft_compare_destroy(p->sheet);
    weft_result_close(p->sides[0]);
    weft_result_close(p->sides[1]);
}

static char *printed(const pair *p, bool json, size_t width)
{
    static const char *const names[] = {"one.weft", "two.weft"};
    char *text = NULL;
    size_t length;
    FILE *out = tmpfile();
    assert_non_null(out);
    if (json)
        weft_report_compare_json(p->sheet, names, out);
    else
        weft_report_compare(p->sheet, names, out, width);
    length = (size_t)ftell(out);
    rewind(out);
    text = calloc(1, length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, out), length);
    (void)fclose(out);
    return text;
}

#define LATENCY(value, half)                                                          \
    {                                                                                 \
        "latency", "", "", 0, value, (value) - (half), (value) + (half), 9, "cycles", \
            "batch means"                                                             \
    }
#define UNKNOWN(value)                                                             \
    {                                                                              \
        "latency", "", "", 0, value, NONE, NONE, 9, "cycles", "saturated: no mean" \
    }

static const weft_compare_options usual = {.confidence = 0.95};

static void verdicts_say_what_is_known(void **state)
{
    (void)state;
    static const struct {
        sample ours, theirs;
        weft_compare_verdict verdict;
        bool differs;
        const char *text; /* of the row, at its end */
    } cases[] = {
        {{"k=1", NULL, false, {LATENCY(10, 1)}},
         {"k=1", NULL, false, {LATENCY(10.5, 1)}},
         WEFT_COMPARE_WITHIN,
         false,
         "within\n"},
        {{"k=1", NULL, false, {LATENCY(10, 0.1)}},
         {"k=1", NULL, false, {LATENCY(20, 0.1)}},
         WEFT_COMPARE_HIGHER,
         true,
         "higher\n"},
        {{"k=1", NULL, false, {LATENCY(-10, 0.1)}},
         {"k=1", NULL, false, {LATENCY(-20, 0.1)}},
         WEFT_COMPARE_LOWER,
         true,
         "lower\n"},
        {{"k=1", NULL, false, {LATENCY(0, 0.1)}},
         {"k=1", NULL, false, {LATENCY(9, 0.1)}},
         WEFT_COMPARE_HIGHER,
         true,
         "higher\n"},
        {{"k=1", NULL, false, {LATENCY(10, 1)}},
         {"k=1", NULL, false, {UNKNOWN(12)}},
         WEFT_COMPARE_NO_INTERVAL,
         false,
         "no interval\n"},
        {{"k=1", NULL, true, {UNKNOWN(10)}},
         {"k=1", NULL, false, {LATENCY(12, 1)}},
         WEFT_COMPARE_OURS_SATURATED,
         true,
         "A saturated\n"},
        {{"k=1", NULL, false, {LATENCY(12, 1)}},
         {"k=1", NULL, true, {UNKNOWN(10)}},
         WEFT_COMPARE_THEIRS_SATURATED,
         true,
         "B saturated\n"},
        {{"k=1", NULL, true, {UNKNOWN(12)}},
         {"k=1", NULL, true, {UNKNOWN(10)}},
         WEFT_COMPARE_BOTH_SATURATED,
         false,
         "both saturated\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pair p = compared(&cases[i].ours, 1, &cases[i].theirs, 1, &usual);
        assert_int_equal(p.sheet->n_rows, 1);
        assert_int_equal(p.sheet->rows[0].verdict, cases[i].verdict);
        assert_int_equal(weft_compare_differs(p.sheet), cases[i].differs);
        char *text = printed(&p, false, 200);
        assert_non_null(strstr(text, cases[i].text));
        free(text);
        done(&p);
    }
}

/* Percentiles are whole ticks: an interval may end at its value; then only that intervals do not
 * overlap is known, which is less at a lower confidence of theirs. */
static void intervals_without_width_that_lie_apart_differ(void **state)
{
    (void)state;
#define P99(value, lo, hi)                                                                 \
    {                                                                                      \
        "latency", "", "percentile", 99000, value, lo, hi, 9, "cycles", "order statistics" \
    }
    static const sample ours = {"k=1", "measure: {confidence: 0.95}", false, {P99(20, 18, 20)}},
                        loose = {"k=1", "measure: {confidence: 0.5}", false, {P99(20, 18, 20)}},
                        broken = {"k=1", "measure: [", false, {P99(20, 18, 20)}},
                        odd = {"k=1", "measure: {confidence: 7}", false, {P99(20, 18, 20)}},
                        theirs = {"k=1", NULL, false, {P99(30, 30, 32)}},
                        equal = {"k=1", NULL, false, {P99(20, 20, 22)}};
    static const sample *const base[] = {&ours, &broken, &odd};
    double p = NONE;
    for (size_t i = 0; i < 3; i++) {
        pair found = compared(base[i], 1, &theirs, 1, &usual);
        assert_int_equal(found.sheet->n_rows, 1);
        assert_int_equal(found.sheet->rows[0].verdict, WEFT_COMPARE_HIGHER);
        p = i == 0 ? found.sheet->rows[0].p : p;
        assert_true(p > 0 && p < 0.05 && found.sheet->rows[0].p == p);
        done(&found);
    }
    pair less = compared(&loose, 1, &theirs, 1, &usual);
    assert_true(less.sheet->rows[0].p > 0.05);
    assert_int_equal(less.sheet->rows[0].verdict, WEFT_COMPARE_WITHIN);
    done(&less);
    pair same = compared(&ours, 1, &equal, 1, &usual);
    assert_int_equal(same.sheet->rows[0].verdict, WEFT_COMPARE_WITHIN);
    done(&same);
}

static void metrics_are_those_named(void **state)
{
    (void)state;
    static const sample one = {
        "k=1",
        NULL,
        false,
        {LATENCY(10, 1),
         {"latency", "", "percentile", 99900, 40, 38, 42, 9, "cycles", "order statistics"},
         {"latency", "", "hops", 3, 12, 11, 13, 9, "cycles", "batch means"},
         {"latency", "a", "hops", 3, 12, 11, 13, 9, "cycles", "batch means"},
         {"latency", "", "model", 0, 9, NONE, NONE, 0, "cycles", "model: M/D/1"},
         {"latency", "", "bound", 0, 8, NONE, NONE, 0, "cycles", "bound: zero load"},
         {"jitter", "", "percentile", 50000, 2, 1, 3, 9, "cycles", "order statistics"},
         {"packets", "", "", 0, 500, NONE, NONE, 0, "packets", "exact count"}}};
    static const struct {
        const char *name;
        size_t rows;
        const char *label;
    } cases[] = {{"latency", 1, "latency"},
                 {"p99.9", 1, "p99.9"},
                 {"p99", 0, NULL},
                 {"p0", 0, NULL},
                 {"p100", 0, NULL},
                 {"p99.9x", 0, NULL},
                 {"latency by hops 3", 1, "latency by hops 3"},
                 {"latency by hops 3, a", 1, "latency by hops 3, a"},
                 {"latency model", 0, NULL},
                 {"jitter p50", 1, "jitter p50"},
                 {"packets", 1, "packets"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const names[] = {cases[i].name, NULL};
        pair p = compared(&one, 1, &one, 1,
                          &(weft_compare_options){.confidence = 0.95, .metrics = names});
        assert_int_equal(p.sheet->n_rows, cases[i].rows);
        if (cases[i].label)
            assert_string_equal(p.sheet->metrics[p.sheet->rows[0].metric], cases[i].label);
        assert_string_equal(p.sheet->apart, cases[i].rows ? ""
                                                          : "points without a metric that both "
                                                            "sides have");
        done(&p);
    }
    /* All but theory; without a name the usual ones and what is exact. */
    const char *const no_names[] = {NULL};
    pair all = compared(&one, 1, &one, 1, &(weft_compare_options){.confidence = 0.95, .all = true});
    assert_int_equal(all.sheet->n_rows, 6);
    assert_false(weft_compare_differs(all.sheet));
    done(&all);
    pair few = compared(&one, 1, &one, 1,
                        &(weft_compare_options){.confidence = 0.95, .metrics = no_names});
    assert_int_equal(few.sheet->n_rows, 2);
    done(&few);
}

static void points_without_a_counterpart_are_listed(void **state)
{
    (void)state;
    static const sample ours[] = {
        {"k=1", "a: {kind: x}\nb: 2", false, {LATENCY(10, 1)}},
        {"k=2", "a: {kind: x}\nb: 2", false, {LATENCY(11, 1)}},
        {"k={kind: long}", "a: {kind: x}\nb: 2", false, {LATENCY(12, 1)}}};
    static const sample theirs[] = {{"k=1", "a: {kind: y}", false, {LATENCY(10, 1)}},
                                    {"k=3", "a: {kind: x}", false, {LATENCY(11, 1)}}};
    pair p = compared(ours, 3, theirs, 2, &usual);
    char *text = printed(&p, false, 200), *json = printed(&p, true, 200);
    assert_true(weft_compare_differs(p.sheet));
    assert_non_null(strstr(text, "A  one.weft: 3 points\nB  two.weft: 2 points\n"));
    assert_non_null(strstr(text, "Points that not every side has:\n  A only:  k=2\n"));
    assert_non_null(strstr(text, "  A only:  k=long\n"));
    assert_non_null(strstr(text, "  B only:  k=3\n"));
    assert_non_null(strstr(text, "a                     x  y\n"));
    assert_non_null(strstr(text, "b                     2  –\n"));
    const char *unmatched = strstr(json, "\"unmatched\": [");
    assert_non_null(unmatched);
    assert_non_null(strstr(unmatched, "\"k\": 2"));
    assert_non_null(strstr(unmatched, "\"k\": 3"));
    assert_non_null(strstr(unmatched, "\"k\": \"{kind: long}\""));
    assert_null(strstr(unmatched, "\"k\": 1"));
    free(text);
    free(json);
    done(&p);
}

/* Half-widths of both sides, or of none, where columns do not fit. */
static void narrow_tables_keep_values_and_verdicts(void **state)
{
    (void)state;
    static const sample ours = {"k=1", NULL, false, {LATENCY(123456.5, 0.25)}},
                        theirs = {"k=1", NULL, false, {LATENCY(223456.5, 1000)}};
    for (size_t width = 30; width <= 120; width += 5) {
        pair p = compared(&ours, 1, &theirs, 1, &usual);
        char *text = printed(&p, false, width);
        size_t halves = 0;
        const char *head = strstr(text, "verdict\n");
        assert_non_null(head);
        while (head > text && head[-1] != '\n')
            head--;
        for (const char *at = head; (at = strstr(at, "±")) != NULL && at < strchr(head, '\n'); at++)
            halves++;
        assert_true(halves == 0 || halves == 2);
        assert_true(halves == 0 || width > 30);
        assert_true(halves == 2 || width < 120);
        assert_non_null(strstr(text, "higher\n"));
        free(text);
        done(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_say_what_is_known),
        cmocka_unit_test(intervals_without_width_that_lie_apart_differ),
        cmocka_unit_test(metrics_are_those_named),
        cmocka_unit_test(points_without_a_counterpart_are_listed),
        cmocka_unit_test(narrow_tables_keep_values_and_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
