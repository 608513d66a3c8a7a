/* SPDX-License-Identifier: Apache-2.0 */
/* What a comparison looks like: ours, theirs and a model's curves; claims about parts of a grid,
 * about nothing, and to the digits that a table writes. */
#include "unit/test_reproduce_bench.h"

#include "interweft/catalog.h"

#define SETTINGS "metric: latency, table: t.csv, where: {h: 5}, value: lat"

static const weft_chart_trace *trace(const weft_chart *chart, weft_chart_kind kind, size_t series)
{
    for (size_t t = 0; t < chart->n_traces; t++)
        if (chart->traces[t].kind == kind && chart->traces[t].series == series)
            return &chart->traces[t];
    fail_msg("no trace of kind %d for series %zu", (int)kind, series);
    return NULL;
}

static void claims_about_one_metric_share_a_chart(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b,
         open_study(b, "      a: {rule: within, share: 5%, " SETTINGS ", only: {rho: {to: 0.2}}}\n"
                       "      b: {rule: shown, reason: to be seen, " SETTINGS "}\n"
                       "      c: {rule: trend, metric: hops, along: rho, direction: rising}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    assert_int_equal(comparison->n_charts, 1);
    const weft_chart *chart = comparison->charts;
    assert_string_equal(chart->title, "latency");
    assert_string_equal(chart->axis, "rho");
    assert_string_equal(chart->unit, "cycles");
    assert_int_equal(chart->n_series, 2);
    assert_string_equal(chart->series[0], "fast");
    assert_string_equal(chart->series[1], "slow");
    assert_int_equal(chart->n_traces, 4);
    const weft_chart_trace *ours = trace(chart, WEFT_CHART_OURS, 1);
    assert_int_equal(ours->n_spots, 3);
    assert_true(fabs(ours->spots[2].x - 0.3) < 1e-9 && fabs(ours->spots[2].y - 36) < 1e-9);
    assert_true(ours->spots[2].lo < 36 && ours->spots[2].hi > 36);
    const weft_chart_trace *theirs = trace(chart, WEFT_CHART_THEIRS, 0);
    assert_int_equal(theirs->n_spots, 3);
    assert_true(fabs(theirs->spots[1].y - 20) < 1e-9);
    weft_comparison_destroy(comparison);
}

/* Without a setting of numbers, labels whose codes are numbers make the axis. */
static void codes_of_labels_make_an_axis(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    put(b, "study.yaml",
        HEAD "    keys:\n"
             "      way: {column: code, values: {fast: {code: f, routing.kind: a,"
             " routing.selection: x}, slow: {code: s, routing.kind: b, routing.selection: x}}}\n"
             "      rho: {values: {low: {code: 0.1, traffic.all.rho: 0.1}, mid: {code: 0.2,"
             " traffic.all.rho: 0.2}, high: {code: 0.3, traffic.all.rho: 0.3}}}\n" VARIANTS
             "    claims:\n      a: {rule: shown, reason: to be seen, " SETTINGS "}\n");
    must(b, weft_reproduction_open(b->folder, NULL, &b->book, &b->err));
    weft_comparison *comparison = compare(b, &as_expected);
    assert_int_equal(comparison->n_charts, 1);
    assert_string_equal(comparison->charts->axis, "rho");
    assert_int_equal(comparison->charts->n_series, 2);
    const weft_chart_trace *ours = trace(comparison->charts, WEFT_CHART_OURS, 0);
    assert_true(ours->n_spots == 3 && fabs(ours->spots[2].x - 0.3) < 1e-9);
    weft_comparison_destroy(comparison);
}

static const made one_load = {.off = {{1, 1, 1}, {1, 1, 1}}, .loads = 1};

/* No key has several numbers: the parts of a metric are put side by side, theirs too. */
static void parts_of_a_metric_make_an_axis(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: shown, reason: r, by: hops, index: 2, " SETTINGS "}\n"
                          "      b: {rule: shown, reason: r, by: hops, index: 4, " SETTINGS "}\n"
                          "      c: {rule: shown, reason: r, " SETTINGS "}\n"));
    weft_comparison *comparison = compare(b, &one_load);
    const weft_chart *chart = comparison->charts;
    assert_int_equal(comparison->n_charts, 1); /* of c a point, which is no curve */
    assert_string_equal(chart->title, "latency by hops");
    assert_string_equal(chart->axis, "hops");
    assert_string_equal(chart->series[0], "fast rho=0.1");
    assert_string_equal(chart->series[1], "slow rho=0.1");
    const weft_chart_trace *ours = trace(chart, WEFT_CHART_OURS, 1);
    assert_int_equal(ours->n_spots, 2);
    assert_true(ours->spots[0].x == 2 && fabs(ours->spots[0].y - 12) < 1e-9);
    assert_true(ours->spots[1].x == 4 && fabs(ours->spots[1].y - 24) < 1e-9);
    const weft_chart_trace *theirs = trace(chart, WEFT_CHART_THEIRS, 1);
    assert_true(theirs->n_spots == 2 && theirs->spots[1].x == 4 && theirs->spots[1].y == 12);
    weft_comparison_destroy(comparison);
}

#define CUTS "rule: distribution, metric: cuts, table: t.csv, at: at, value: p, margin: 0.05"

/* A distribution has a chart for every number of the axis, with all series, up to the last place
 * that anything is in. */
static void distributions_have_charts_of_their_own(void **state)
{
    bench *b = *state;
    put(b, "t.csv",
        "code,rho,at,p\nf,0.1,0,0.5\nf,0.1,1,0.5\ns,0.1,0,0.4\ns,0.1,1,0.6\n"
        "f,0.2,0,0.5\nf,0.2,1,0.5\ns,0.2,0,0.5\ns,0.2,1,0.5\n");
    must(b, open_study(b, "      halves: {" CUTS ", only: {rho: {to: 0.2}}}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    assert_int_equal(comparison->n_charts, 2);
    assert_string_equal(comparison->charts[0].title, "halves, rho=0.1");
    assert_string_equal(comparison->charts[1].title, "halves, rho=0.2");
    assert_string_equal(comparison->charts[0].axis, "cuts");
    assert_string_equal(comparison->charts[0].value, "share");
    assert_int_equal(comparison->charts[0].n_series, 2);
    const weft_chart_trace *ours = trace(comparison->charts, WEFT_CHART_OURS, 1);
    const weft_chart_trace *theirs = trace(comparison->charts, WEFT_CHART_THEIRS, 1);
    assert_int_equal(ours->n_spots, 2); /* of three places */
    assert_int_equal(theirs->n_spots, 2);
    assert_true(fabs(ours->spots[0].y - 0.5) < 0.001 && fabs(ours->spots[1].y - 0.5) < 0.001);
    assert_true(theirs->spots[0].y == 0.4 && theirs->spots[1].x == 1 && theirs->spots[1].y == 0.6);
    weft_comparison_destroy(comparison);
}

static void distributions_of_other_places_are_refused(void **state)
{
    static const struct {
        const char *rows, *message;
    } tables[] = {
        {"f,0.1,3,0.5\n", "figure fig1, claim a: at 3 is none of our 3 places"},
        {"f,0.1,-1,0.5\n", "figure fig1, claim a: at -1 is none of our 3 places"},
        {"f,0.1,0.5,0.5\n", "figure fig1, claim a: at 0.5 is none of our 3 places"},
        {"s,0.1,0,0.5\n", "figure fig1, claim a: no rows of t.csv fit fast rho=0.1"},
    };
    bench *b = *state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char text[128];
        weft_comparison *comparison;
        (void)snprintf(text, sizeof text, "code,rho,at,p\n%s", tables[i].rows);
        put(b, "t.csv", text);
        must(b, open_study(b, "      a: {" CUTS ", only: {way: fast, rho: 0.1}}\n"));
        weft_result *result = results(b, &as_expected);
        assert_int_equal(
            weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err),
            WEFT_BAD_INPUT);
        assert_string_equal(b->err.text, tables[i].message);
        weft_result_close(result);
    }
}

/* A figure with an overlay and claims, whose texts are given. */
static weft_status open_claims_overlay(bench *b, const char *overlay, const char *claims)
{
    char text[8192];
    (void)snprintf(text, sizeof text, HEAD KEYS VARIANTS "    overlay:\n%s    claims:\n%s", overlay,
                   claims);
    put(b, "study.yaml", text);
    weft_reproduction_close(b->book);
    return weft_reproduction_open(b->folder, NULL, &b->book, &b->err);
}

static weft_status open_overlay(bench *b, const char *overlay)
{
    return open_claims_overlay(b, overlay,
                               "      a: {rule: shown, reason: to be seen, " SETTINGS "}\n");
}

#define MODEL "      name: one queue\n      model: mm1\n"
#define SAYS  "      outputs: {latency: latency}\n"

/* M/M/1: 1 / (μ − λ), with λ the axis and μ the series'. */
static void model_is_drawn_over_it(void **state)
{
    bench *b = *state;
    weft_catalog *catalog = weft_catalog_create();
    put(b, "t.csv", TABLE);
    must(b, open_overlay(b, MODEL "      keys: {rho: lambda, way: {fast: {mu: 2}, slow: {mu: 1}}}\n"
                                  "      settings: {mu: 5}\n" SAYS));
    weft_comparison *comparison = compare(b, &as_expected);
    must(b, weft_comparison_overlay(comparison, b->book, 0, catalog, &b->err));
    assert_int_equal(comparison->charts->n_traces, 6);
    for (size_t s = 0; s < 2; s++) {
        const weft_chart_trace *model = trace(comparison->charts, WEFT_CHART_MODEL, s);
        assert_string_equal(model->name, "one queue");
        assert_true(model->n_spots > 30); /* smooth, not only where there are points */
        for (size_t i = 0; i < model->n_spots; i++)
            assert_true(fabs(model->spots[i].y - 1 / ((s ? 1 : 2) - model->spots[i].x)) < 1e-9);
        assert_true(fabs(model->spots[0].x - 0.1) < 1e-12);
        assert_true(fabs(model->spots[model->n_spots - 1].x - 0.3) < 1e-12);
    }
    weft_comparison_destroy(comparison);

    /* One curve for both, and of no series; one series without a curve. */
    must(b, open_overlay(b, MODEL "      keys: {rho: lambda}\n" SAYS));
    comparison = compare(b, &as_expected);
    must(b, weft_comparison_overlay(comparison, b->book, 0, catalog, &b->err));
    assert_int_equal(comparison->charts->n_traces, 5);
    assert_true(trace(comparison->charts, WEFT_CHART_MODEL, 2)->n_spots > 30);
    weft_comparison_destroy(comparison);
    must(b, open_overlay(b, MODEL "      keys: {rho: lambda, way: {slow: {mu: 1}}}\n" SAYS));
    comparison = compare(b, &as_expected);
    must(b, weft_comparison_overlay(comparison, b->book, 0, catalog, &b->err));
    assert_int_equal(comparison->charts->n_traces, 5);
    assert_true(trace(comparison->charts, WEFT_CHART_MODEL, 1)->n_spots > 30);
    weft_comparison_destroy(comparison);
    weft_catalog_destroy(catalog);
}

/* Over the parts of a metric the index becomes a setting of the model; over a distribution the
 * model's own distribution is drawn. */
static void model_is_drawn_over_parts_and_places(void **state)
{
    bench *b = *state;
    weft_catalog *catalog = weft_catalog_create();
    put(b, "t.csv", TABLE);
    must(b, open_claims_overlay(b,
                                MODEL "      index: mu\n      settings: {lambda: 0.5}\n"
                                      "      keys: {}\n" SAYS,
                                "      a: {rule: shown, reason: r, by: hops, index: 2, " SETTINGS
                                "}\n      b: {rule: shown, reason: r, by: hops, index: 4, " SETTINGS
                                "}\n"));
    weft_comparison *comparison = compare(b, &one_load);
    must(b, weft_comparison_overlay(comparison, b->book, 0, catalog, &b->err));
    assert_int_equal(comparison->n_charts, 1);
    const weft_chart_trace *model = trace(comparison->charts, WEFT_CHART_MODEL, 2);
    assert_int_equal(model->n_spots, 2); /* the same for both series */
    assert_true(model->spots[0].x == 2 && fabs(model->spots[0].y - 1 / 1.5) < 1e-12);
    assert_true(model->spots[1].x == 4 && fabs(model->spots[1].y - 1 / 3.5) < 1e-12);
    weft_comparison_destroy(comparison);

    put(b, "t.csv", "code,rho,at,p\nf,0.1,0,0.5\nf,0.1,1,0.5\n");
    must(b, open_claims_overlay(b,
                                "      name: by weight\n      model: vl-arbitration\n"
                                "      settings: {low-vls: [0, 1], low-weights: [30, 10],"
                                " bytes: [64]}\n      keys: {}\n      outputs: {cuts: share}\n",
                                "      a: {" CUTS ", only: {way: fast, rho: 0.1}}\n"));
    comparison = compare(b, &as_expected);
    must(b, weft_comparison_overlay(comparison, b->book, 0, catalog, &b->err));
    assert_int_equal(comparison->n_charts, 1);
    model = trace(comparison->charts, WEFT_CHART_MODEL, 0);
    assert_string_equal(model->name, "by weight");
    assert_true(model->n_spots >= 2 && model->spots[0].x == 0 && model->spots[1].x == 1);
    assert_true(model->spots[0].y == 0.75 && model->spots[1].y == 0.25);
    weft_comparison_destroy(comparison);
    weft_catalog_destroy(catalog);
}

static void wrong_overlay_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } mistakes[] = {
        {"      model: mm1\n", "figures.fig1.overlay lacks the setting 'name'"},
        {MODEL, "figures.fig1.overlay lacks the setting 'keys'"},
        {MODEL "      keys: {rho: lambda}\n", "figures.fig1.overlay lacks the setting 'outputs'"},
        {MODEL "      keys: {load: lambda}\n" SAYS, "overlay.keys: this figure has no key 'load'"},
        {MODEL "      keys: {way: {fst: {mu: 1}}}\n" SAYS,
         "overlay.keys: 'fst' is not a value of the key 'way'"},
        {MODEL "      keys: {way: {fast: 3}}\n" SAYS, "overlay.keys must be a map, found '3'"},
        {MODEL "      keys: {rho: [1]}\n" SAYS, "overlay.keys must be a map, found a list"},
        {MODEL "      keys: 5\n" SAYS, "overlay.keys must be a map, found '5'"},
        {MODEL "      settings: 5\n      keys: {rho: lambda}\n" SAYS,
         "overlay.settings must be a map, found '5'"},
        {MODEL "      keys: {rho: lambda}\n      outputs: {latency: [1]}\n",
         "overlay.outputs: a value belongs here, found a list"},
    };
    bench *b = *state;
    put(b, "t.csv", TABLE);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (open_overlay(b, mistakes[i].text) == WEFT_OK ||
            !strstr(b->err.text, mistakes[i].message))
            fail_msg("instead of\n%s\nit says\n%s", mistakes[i].message, b->err.text);
    weft_catalog *catalog = weft_catalog_create();
    must(b, open_overlay(b, "      name: x\n      model: mm2\n      keys: {rho: lambda}\n" SAYS));
    weft_comparison *comparison = compare(b, &as_expected);
    assert_int_not_equal(weft_comparison_overlay(comparison, b->book, 0, catalog, &b->err),
                         WEFT_OK);
    assert_non_null(strstr(b->err.text, "there is no model 'mm2'"));
    weft_comparison_destroy(comparison);
    weft_catalog_destroy(catalog);
}

/* ---- which points, and how many ---- */

static void one_of_several_choices_is_enough(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: within, share: 5%, " SETTINGS
                          ", only: [{way: slow, rho: 0.3}, {rho: {to: 0.15}}]}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    assert_int_equal(comparison->claims[0].n_cells, 3);
    assert_string_equal(comparison->claims[0].cells[0].where, "fast rho=0.1");
    assert_string_equal(comparison->claims[0].cells[1].where, "slow rho=0.1");
    assert_string_equal(comparison->claims[0].cells[2].where, "slow rho=0.3");
    weft_comparison_destroy(comparison);
    assert_int_not_equal(open_study(b, "      a: {rule: within, " SETTINGS ", only: [5]}\n"),
                         WEFT_OK);
    assert_non_null(strstr(b->err.text, "claims.a.only must be a map from keys to values"));
}

static weft_status compare_quick(bench *b, weft_effort effort, weft_comparison **comparison)
{
    weft_result *result = results(b, &as_expected);
    weft_status status = weft_reproduction_compare(b->book, 0, effort, result, comparison, &b->err);
    weft_result_close(result);
    return status;
}

#define RISING "metric: latency, along: rho, direction: rising"

/* Nothing is no agreement: a mistake where all points are there, and told where they are not. */
static void claim_about_nothing_does_not_agree(void **state)
{
    static const char *const claims[] = {
        "      a: {rule: z, " SETTINGS ", error: ci, only: {rho: 0.7}}\n",
        "      a: {rule: shown, reason: r, " SETTINGS ", only: {rho: {from: 0.7}}}\n",
        "      a: {rule: trend, " RISING ", only: {rho: 0.1}}\n",
        "      a: {rule: bracket, metric: latency, along: rho, stable: 0.2, only: {rho: 0.7}}\n",
    };
    bench *b = *state;
    put(b, "t.csv", TABLE);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        weft_comparison *comparison = NULL;
        must(b, open_study(b, claims[i]));
        assert_int_not_equal(compare_quick(b, WEFT_FULL, &comparison), WEFT_OK);
        assert_string_equal(b->err.text,
                            "figure fig1, claim a claims nothing: none of the 6 points "
                            "of the full grid is one it is about");
        must(b, compare_quick(b, WEFT_QUICK, &comparison));
        assert_int_equal(comparison->claims[0].verdict, WEFT_NOT_CLAIMED);
        assert_string_equal(comparison->claims[0].reason, "nothing to compare in the quick grid");
        assert_int_equal(comparison->verdict, WEFT_NOT_CLAIMED);
        weft_comparison_destroy(comparison);
    }
}

static void digits_are_those_that_are_written(void **state)
{
    bench *b = *state;
    made wrong = as_expected;
    wrong.off[0][0] = 1.004; /* 10.04 */
    wrong.off[0][1] = 1.04;  /* 20.8 */
    put(b, "t.csv",
        "code,rho,h,lat\nf,0.1,5,10.0\nf,0.2,5,21\nf,0.3,5,3e1\n"
        "s,0.1,5,12.00\ns,0.2,5,2.40e1\ns,0.3,5,36\n");
    must(b, open_study(b, "      a: {rule: digits, written: true, " SETTINGS "}\n"));
    weft_comparison *comparison = compare(b, &wrong);
    assert_string_equal(comparison->claims[0].rule, "equal to the digits written");
    assert_string_equal(comparison->claims[0].summary, "6 cells, 6 equal");
    weft_comparison_destroy(comparison);
    put(b, "t.csv",
        "code,rho,h,lat\nf,0.1,5,10.00\nf,0.2,5,21.0\nf,0.3,5,3e1\n"
        "s,0.1,5,12.00\ns,0.2,5,2.40e1\ns,0.3,5,36\n");
    must(b, open_study(b, "      a: {rule: digits, written: true, " SETTINGS "}\n"));
    comparison = compare(b, &wrong);
    assert_string_equal(comparison->claims[0].summary, "6 cells, 4 equal");
    assert_int_equal(cell(comparison, 0, "fast rho=0.1")->verdict, WEFT_DISAGREES);
    assert_int_equal(cell(comparison, 0, "fast rho=0.2")->verdict, WEFT_DISAGREES);
    weft_comparison_destroy(comparison);
    assert_int_not_equal(
        open_study(b, "      a: {rule: digits, digits: 3, written: true, " SETTINGS "}\n"),
        WEFT_OK);
    assert_non_null(strstr(b->err.text, "'digits' and 'written' exclude each other"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(claims_about_one_metric_share_a_chart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(codes_of_labels_make_an_axis, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parts_of_a_metric_make_an_axis, set_up, tear_down),
        cmocka_unit_test_setup_teardown(distributions_have_charts_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(distributions_of_other_places_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(model_is_drawn_over_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(model_is_drawn_over_parts_and_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_overlay_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_of_several_choices_is_enough, set_up, tear_down),
        cmocka_unit_test_setup_teardown(claim_about_nothing_does_not_agree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(digits_are_those_that_are_written, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
