/* SPDX-License-Identifier: Apache-2.0 */
/* Study folders that are wrong, each with its message; and verdicts on results made up here, so
 * that each is known beforehand. */
#include "unit/test_reproduce_bench.h"

/* ---- reading ---- */

static void study_tells_what_it_holds(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY));
    assert_string_equal(weft_reproduction_name(b->book), "paper");
    assert_string_equal(weft_reproduction_title(b->book), "A paper");
    assert_string_equal(weft_reproduction_source(b->book), "Somebody, somewhere");
    assert_int_equal(weft_reproduction_figures(b->book), 1);
    assert_string_equal(weft_reproduction_figure(b->book, 0)->title, "A figure");
    weft_study_options options = {0};
    weft_reproduction_prepare(b->book, 0, WEFT_QUICK, &options);
    assert_non_null(strstr(options.file, "/paper/s.yaml"));
    assert_string_equal(options.overrides[0], "vary.traffic.all.rho=[0.1]");
    assert_string_equal(options.overrides[1], "vary.seed={from: 1, to: 8, step: 1}");
    assert_null(options.overrides[2]);
}

typedef struct mistake {
    const char *text, *message;
} mistake;

static void check(bench *b, const mistake *m, weft_status status)
{
    if (status == WEFT_OK || !strstr(b->err.text, m->message))
        fail_msg("instead of\n%s\nit says\n%s", m->message, status ? b->err.text : "nothing");
}

static void wrong_claim_is_refused(void **state)
{
    static const mistake mistakes[] = {
        {"      a: {rule: zz}\n",
         "study.yaml:18:17: figures.fig1.claims.a.rule must be one of z, digits"},
        {"      a: {metric: x}\n", "figures.fig1.claims.a lacks the setting 'rule'"},
        {"      a: {rule: z, metrics: x}\n",
         "figures.fig1.claims.a has no setting 'metrics'; did you mean 'metric'?"},
        {"      a: {rule: z}\n", "claims.a lacks the setting 'metric', which rule z needs"},
        {"      a: {rule: z, metric: x}\n", "claims.a lacks the setting 'table'"},
        {"      a: {rule: z, metric: x, table: t.csv}\n", "claims.a lacks the setting 'value'"},
        {"      a: {rule: z, metric: x, table: ../t.csv, value: lat}\n",
         "claims.a.table is a file of the study's own folder"},
        {"      a: {rule: z, metric: x, table: none.csv, value: lat}\n",
         "paper/none.csv cannot be read: No such file"},
        {"      a: {rule: z, metric: x, table: t.csv, value: late}\n",
         "the table t.csv has no column 'late'"},
        {"      a: {rule: z, metric: x, table: t.csv, value: lat, where: {h: 7}}\n",
         "no row of the table t.csv is left"},
        {"      a: {rule: z, metric: x, table: t.csv, value: lat, where: {g: 7}}\n",
         "the table t.csv has no column 'g'"},
        {"      a: {rule: z, metric: x, table: t.csv, value: lat, where: 5}\n",
         "claims.a.where must be a map from names to values, found '5'"},
        {"      a: {rule: z, metric: x, table: t.csv, value: code}\n",
         "t.csv:2:1: column code must be a number, found 'f'"},
        {"      a: {rule: digits, metric: x, table: t.csv, value: lat, digits: 0}\n",
         "claims.a.digits must be 1 … 15, found 0"},
        {"      a: {rule: not-claimed}\n", "claims.a lacks the setting 'reason'"},
        {"      a: {rule: trend, metric: x}\n", "claims.a lacks the setting 'along'"},
        {"      a: {rule: trend, metric: x, along: rho}\n",
         "claims.a lacks the setting 'direction'"},
        {"      a: {rule: trend, metric: x, along: load, direction: rising}\n",
         "this figure has no key 'load'"},
        {"      a: {rule: ordering, metric: x, along: way}\n",
         "claims.a lacks the setting 'order'"},
        {"      a: {rule: ordering, metric: x, along: way, order: [fast]}\n",
         "claims.a.order must be a list of two values or more"},
        {"      a: {rule: ordering, metric: x, along: way, order: [fast, fst]}\n",
         "claims.a.order: 'fst' is not a value of the key 'way'"},
        {"      a: {rule: z, metric: x, table: t.csv, value: lat, known: [{way: fast}]}\n",
         "claims.a.known lacks the reason"},
        {"      a: {rule: z, metric: x, table: t.csv, value: lat, known: [{w: f, reason: r}]}\n",
         "'w' is neither a key of this figure nor 'reason'"},
        {"      a: {rule: z, metric: x, table: t.csv, value: lat, known: [{way: fast, reason: "
         "r}]}\n",
         "claims.a.known lacks 'between: [from, to]', the range of ours"},
        {"      a: {rule: trend, metric: x, along: rho, direction: rising, known:"
         " [{way: fast, reason: r, between: [2, 1]}]}\n",
         "claims.a.known.between must be two numbers in order, [from, to]"},
        {"      a: {rule: trend, metric: x, along: rho, direction: rising, sentence: it rises}\n",
         "claims.a: a sentence needs its 'place'"},
        {"      a: {rule: trend, metric: x, along: rho, direction: rising, sentence: it rises,"
         " place: p. 1, known: [{way: fast, reason: r, between: [1, 2]}]}\n",
         "claims.a: a printed sentence has no known differences"},
        {"      a: {rule: contrast, metric: x}\n", "claims.a.terms must be a list of terms"},
        {"      a: {rule: contrast, metric: x, terms: [{at: {load: 1}}]}\n",
         "claims.a.terms: this figure has no key 'load'"},
        {"      a: {rule: contrast, metric: x, terms: [{}, {key: way}]}\n",
         "claims.a.terms: the key 'way' has names, not numbers"},
        {"      a: {rule: contrast, metric: x, terms: [{constant: 1}]}\n",
         "claims.a.terms: the first term must be a metric"},
        {"      a: {rule: contrast, metric: x, terms: [{constant: 1, key: rho}]}\n",
         "claims.a.terms: a term is a metric, a key or a constant"},
        {"      a: {rule: shown, metric: x, table: t.csv, value: lat}\n",
         "claims.a lacks the setting 'reason', which rule shown needs"},
        {"      a: {rule: bracket, metric: x, along: rho}\n",
         "claims.a lacks the setting 'stable', which rule bracket needs"},
        {"      a: {rule: within, metric: x, table: t.csv, value: lat, beside: [x]}\n",
         "claims.a.beside: 'x' is not a key of this figure"},
        {"      a: {rule: within, metric: x, table: t.csv, value: lat, only: {load: 3}}\n",
         "claims.a.only: this figure has no key 'load'"},
        {"      a: {rule: within, metric: x, table: t.csv, value: lat, only: {way: {to: 3}}}\n",
         "claims.a.only.way: the key 'way' has names, not numbers; give one of them"},
        {"      a: {rule: within, metric: x, table: t.csv, value: lat, only: fast}\n",
         "claims.a.only must be a map from keys to values or {from, to}, found 'fast'"},
        {"      a: {rule: within, metric: x, table: t.csv, value: lat, adjust: {metric: h}}\n",
         "claims.a.adjust lacks the setting 'column'"},
        {"      a: {rule: within, metric: x, table: t.csv, value: lat,"
         " adjust: {metric: h, column: g, slope: 1}}\n",
         "claims.a.adjust: the table t.csv has no column 'g'"},
        {"      a: {rule: trend, metric: x, along: rho, direction: rising,"
         " adjust: {metric: h, column: g, slope: 1}}\n",
         "claims.a.adjust needs a table of theirs"},
        {"      a: 5\n", "figures.fig1.claims.a must be a map of settings, found '5'"},
    };
    bench *b = *state;
    put(b, "t.csv", TABLE);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check(b, &mistakes[i], open_study(b, mistakes[i].text));
}

static void wrong_study_is_refused(void **state)
{
#define CLAIMS "    claims:\n      a: {rule: not-claimed, reason: none}\n"
    static const mistake mistakes[] = {
        {"", "no settings here; a study begins with 'interweft-study: 1'"},
        {"- 1\n", "study must be a map of settings, found a list"},
        {"interweft-study: 2\n", "study.interweft-study must be 1 … 1, found 2"},
        {"interweft-study: 1\ntitel: x\n", "study has no setting 'titel'; did you mean 'title'?"},
        {"interweft-study: 1\ntitle: x\n", "study lacks the setting 'source'"},
        {"interweft-study: 1\ntitle: x\nsource: y\n", "there is no 'figures' here"},
        {"interweft-study: 1\ntitle: x\nsource: y\nfigures: {}\n", "figures is empty"},
        {"interweft-study: 1\ntitle: x\nsource: y\nfigures: {../x: {}}\n",
         "a figure's name is made of small letters, digits, - and _"},
        {"interweft-study: 1\ntitle: x\nsource: y\nfigures: {a: {title: t, scenario: /etc/x}}\n",
         "figures.a.scenario is a file of the study's own folder"},
        {HEAD VARIANTS CLAIMS, "there is no 'figures.fig1.keys' here"},
        {HEAD "    keys: {a: {column: x}}\n" VARIANTS CLAIMS,
         "figures.fig1.keys.a needs either 'setting' or 'values'"},
        {HEAD "    keys: {a: {values: {x: {code: y}}}}\n" VARIANTS CLAIMS,
         "figures.fig1.keys.a.values.x names no setting of the scenario"},
        {HEAD KEYS "    full: {seeds: 8}\n" CLAIMS, "there is no 'figures.fig1.quick' here"},
        {HEAD KEYS "    quick: {settings: []}\n    full: {seeds: 8}\n" CLAIMS,
         "study.yaml:15:12: figures.fig1.quick lacks the setting 'seeds' (runs of every point, "
         "with "
         "seeds 1, 2, …)"},
        {HEAD KEYS "    quick: {seeds: 0}\n    full: {seeds: 8}\n" CLAIMS,
         "figures.fig1.quick.seeds must be 1 … 1000, found 0"},
        {HEAD KEYS "    quick: {seeds: 1, settings: [x]}\n    full: {seeds: 8}\n" CLAIMS,
         "figures.fig1.quick.settings: write key=value, found 'x'"},
        {HEAD KEYS "    quick: {seeds: 1, settings: x}\n    full: {seeds: 8}\n" CLAIMS,
         "figures.fig1.quick.settings must be a list such as [measure.limit.packets=1000]"},
        {HEAD KEYS VARIANTS, "there is no 'figures.fig1.claims' here"},
        {HEAD KEYS "    quick: {seeds: 7}\n    full: {seeds: 8}\n    claims:\n" LATENCY,
         "figures.fig1.quick.seeds must be at least 8 for the z rules"},
    };
    bench *b = *state;
    put(b, "t.csv", TABLE);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        put(b, "study.yaml", mistakes[i].text);
        check(b, &mistakes[i], weft_reproduction_open(b->folder, NULL, &b->book, &b->err));
    }
}

static void wrong_table_is_refused(void **state)
{
    static const mistake mistakes[] = {
        {"", "a table of expected values begins with a line that names its columns"},
        {"\n1,2\n", "a table of expected values begins with a line that names its columns"},
        {"code,rho,h,lat,lat\n", "name every column differently, found 'lat'"},
        {"code,,h,lat,ci\n", "name every column differently, found ''"},
        {"code,rho,h,lat,ci\nf,0.1,5,10\n",
         "t.csv:2:1: this line has 4 fields, the first one has 5"},
        {"code,rho,h,lat,ci\nf,0.1,5,10,1,2\n", "t.csv:2:1: this line has 6 fields"},
        {"code,rho,h,lat,ci\n\"f,0.1,5,10,1\n", "t.csv:2:1: this line has 1 fields"},
        {"code,rho,h,lat,ci\n\"f\"g,0.1,5,10,1\n", "a comma must follow closing quotes"},
        {"code,rho,h,lat,ci\nf\",0.1,5\",10,1,,\n", "quotes stand around a whole field"},
        {"code,rho,h,lat,ci\nf,0.1,5,10,-1\n", "t.csv:2:1: an error cannot be negative"},
        {"code,rho,h,lat,ci\nf,0.1,5,1e999,1\n", "column lat must be a number, found '1e999'"},
        {"code,rho,h,lat,ci\n\nf,0.1,5,10,1\n", "t.csv:2:1: this line has 1 fields"},
        {"code,rho,h,lat,ci\rf,0.1,5,nan,1\r", "column lat must be a number, found 'nan'"},
        {"code,rho,h,lat,ci\nf,0.1,5,\xff,1\n", "t.csv:2:9:"},
    };
    bench *b = *state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        put(b, "t.csv", mistakes[i].text);
        check(b, &mistakes[i], open_study(b, LATENCY));
    }
}

/* ---- verdicts ---- */

static void results_as_expected_agree(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY));
    weft_comparison *comparison = compare(b, &as_expected);
    const weft_claim_result *claim = &comparison->claims[0];
    assert_int_equal(comparison->verdict, WEFT_AGREES);
    assert_int_equal(comparison->points, 6);
    assert_int_equal(comparison->seeds, SEEDS);
    assert_string_equal(claim->rule, "z rules");
    assert_string_equal(claim->unit, "cycles");
    assert_int_equal(claim->n_cells, 6);
    assert_string_equal(claim->cells[0].where, "fast rho=0.1"); /* in the order of the keys */
    assert_string_equal(claim->cells[5].where, "slow rho=0.3");
    const weft_cell *at = cell(comparison, 0, "slow rho=0.2");
    assert_true(fabs(at->ours - 24) < 1e-9 && at->theirs == 24 && fabs(at->score) < 1e-6);
    assert_true(fabs(at->error - sqrt(0.42 / 7 / 8)) < 1e-9 && fabs(at->their_error - 0.1) < 1e-12);
    assert_true(fabs(at->hi - at->lo - 2 * 2.364624 * at->error) < 1e-6);
    weft_comparison_destroy(comparison);
}

static void one_wrong_value_disagrees(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY));
    made wrong = as_expected;
    wrong.off[1][1] = 1.1;
    weft_comparison *comparison = compare(b, &wrong);
    const weft_cell *at = cell(comparison, 0, "slow rho=0.2");
    assert_int_equal(comparison->verdict, WEFT_DISAGREES);
    assert_int_equal(at->verdict, WEFT_DISAGREES);
    assert_true(at->score > 4);
    assert_string_equal(at->reason, "ours is 10 % above theirs");
    assert_int_equal(cell(comparison, 0, "slow rho=0.1")->verdict, WEFT_AGREES);
    assert_non_null(strstr(comparison->claims[0].reason, "more than 4 standard errors"));
    weft_comparison_destroy(comparison);
}

static void small_shift_everywhere_disagrees(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY));
    made shifted = as_expected;
    for (int s = 0; s < SERIES; s++)
        for (int load = 0; load < LOADS; load++)
            shifted.off[s][load] = 1 - 0.22 / (10.0 * (load + 1) * (s ? 1.2 : 1));
    weft_comparison *comparison = compare(b, &shifted);
    assert_int_equal(comparison->verdict, WEFT_DISAGREES);
    assert_non_null(strstr(comparison->claims[0].reason, "ours are lower throughout"));
    weft_comparison_destroy(comparison);
}

/* Each may be by chance, both are not: theirs ± 0.1 and ours ± 0.087 give 3 standard errors. */
static void two_rare_values_of_six_disagree(void **state)
{
    bench *b = *state;
    made rare = as_expected;
    rare.off[0][0] = 1.04;  /* 10.4 of 10 */
    rare.off[1][1] = 0.982; /* 23.57 of 24 */
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY));
    weft_comparison *comparison = compare(b, &rare);
    assert_int_equal(comparison->verdict, WEFT_DISAGREES);
    assert_string_equal(comparison->claims[0].reason, "2 cells beyond 2.58, of 6 cells 1 may be");
    assert_int_equal(cell(comparison, 0, "fast rho=0.1")->verdict, WEFT_DISAGREES);
    assert_int_equal(cell(comparison, 0, "slow rho=0.2")->verdict, WEFT_DISAGREES);
    assert_int_equal(cell(comparison, 0, "slow rho=0.1")->verdict, WEFT_AGREES);
    weft_comparison_destroy(comparison);
    rare.off[1][1] = 1;
    comparison = compare(b, &rare);
    assert_int_equal(comparison->verdict, WEFT_AGREES);
    weft_comparison_destroy(comparison);
}

/* A single run of theirs is as unsure as one of ours: √8 times as much as our mean of eight. */
static void a_single_run_of_theirs_is_as_unsure_as_one_of_ours(void **state)
{
    bench *b = *state;
    made off = as_expected;
    off.off[0][0] = 1.1; /* 11 of 10 */
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: z, metric: latency, table: t.csv, where: {h: 5},"
                          " value: lat, single: true}\n"));
    weft_comparison *comparison = compare(b, &off);
    const weft_cell *at = cell(comparison, 0, "fast rho=0.1");
    double one = sqrt(0.42 / 7); /* standard deviation of ours */
    assert_true(fabs(at->error - one / sqrt(8)) < 1e-9);
    assert_true(fabs(at->their_error - one) < 1e-9);
    weft_comparison_destroy(comparison);
}

static void margin_and_known_disagreements_count(void **state)
{
    bench *b = *state;
    made wrong = as_expected;
    wrong.off[1][1] = 1.1;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      latency: {rule: z, metric: latency, table: t.csv, where: {h: 5},"
                          " value: lat, error: ci, margin-share: 10%}\n"));
    weft_comparison *comparison = compare(b, &wrong);
    assert_int_equal(comparison->verdict, WEFT_AGREES);
    weft_comparison_destroy(comparison);
    must(b,
         open_study(b, "      latency: {rule: z, metric: latency, table: t.csv, where: {h: 5},"
                       " value: lat, error: ci, known: [{way: slow, rho: 0.20, reason: a misprint,"
                       " between: [26, 27]}]}\n"));
    comparison = compare(b, &wrong);
    const weft_cell *at = cell(comparison, 0, "slow rho=0.2");
    assert_int_equal(comparison->verdict, WEFT_EXPLAINED);
    assert_int_equal(at->verdict, WEFT_EXPLAINED);
    assert_string_equal(at->reason, "ours is 10 % above theirs; a misprint");
    assert_string_equal(comparison->claims[0].reason, "1 explained difference");
    weft_comparison_destroy(comparison);
}

static void digits_are_compared(void **state)
{
    bench *b = *state;
    made wrong = as_expected;
    wrong.off[0][2] = 1.0018;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: digits, digits: 3, metric: latency, table: t.csv,"
                          " where: {h: 5}, value: lat}\n"
                          "      b: {rule: digits, digits: 2, metric: latency, table: t.csv,"
                          " where: {h: 5}, value: lat}\n"));
    weft_comparison *comparison = compare(b, &wrong);
    assert_string_equal(comparison->claims[0].rule, "equal to 3 digits");
    assert_int_equal(comparison->claims[0].verdict, WEFT_DISAGREES);
    assert_int_equal(cell(comparison, 0, "fast rho=0.3")->verdict, WEFT_DISAGREES);
    assert_string_equal(comparison->claims[0].summary, "6 cells, 5 equal");
    assert_int_equal(comparison->claims[1].verdict, WEFT_AGREES);
    weft_comparison_destroy(comparison);
}

static void orderings_and_trends_are_seen(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b,
         open_study(b, "      a: {rule: ordering, metric: latency, along: way,"
                       " order: [slow, fast]}\n"
                       "      b: {rule: ordering, metric: latency, along: way,"
                       " order: [fast, slow]}\n"
                       "      c: {rule: trend, metric: latency, along: rho, direction: rising}\n"
                       "      d: {rule: trend, metric: latency, along: rho, direction: falling}\n"
                       "      e: {rule: not-claimed, reason: no number is given}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    static const weft_verdict wanted[] = {WEFT_AGREES, WEFT_DISAGREES, WEFT_AGREES, WEFT_DISAGREES,
                                          WEFT_NOT_CLAIMED};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(comparison->claims[i].verdict, wanted[i]);
    assert_int_equal(comparison->claims[0].n_cells, 3);
    assert_int_equal(comparison->claims[2].n_cells, 4);
    const weft_cell *at = cell(comparison, 2, "slow rho=0.1 < slow rho=0.2");
    assert_true(fabs(at->ours - 12) < 1e-9 && isnan(at->theirs) && at->score > 4);
    assert_string_equal(comparison->claims[1].reason,
                        "3 of 3 pairs stand the other way beyond chance");
    assert_string_equal(comparison->claims[4].reason, "no number is given");
    assert_int_equal(comparison->verdict, WEFT_DISAGREES);
    weft_comparison_destroy(comparison);
}

static void ordering_that_nothing_shows_disagrees(void **state)
{
    bench *b = *state;
    made equal = as_expected;
    for (int load = 0; load < LOADS; load++)
        equal.off[1][load] = 1 / 1.2;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: ordering, metric: latency, along: way,"
                          " order: [slow, fast]}\n"));
    weft_comparison *comparison = compare(b, &equal);
    assert_int_equal(comparison->verdict, WEFT_DISAGREES);
    assert_string_equal(comparison->claims[0].reason, "only 0 of 3 pairs are clearly apart");
    weft_comparison_destroy(comparison);
}

static void what_does_not_fit_is_told(void **state)
{
    bench *b = *state;
    weft_comparison *comparison;
    put(b, "t.csv", "code,rho,h,lat,ci\nf,0.1,5,10,0.2\ns,0.1,5,12,0.2\n");
    must(b, open_study(b, LATENCY));
    weft_result *result = results(b, &as_expected);
    assert_int_equal(weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err),
                     WEFT_BAD_INPUT);
    assert_string_equal(b->err.text,
                        "figure fig1, claim latency: no rows of t.csv fit fast rho=0.2");
    weft_result_close(result);
    put(b, "t.csv", TABLE);
    must(b,
         open_study(b, "      a: {rule: trend, metric: speed, along: rho, direction: rising}\n"));
    made missing = as_expected;
    missing.left_out = 3;
    result = results(b, &missing);
    assert_int_equal(weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(b->err.text, "has no metric speed"));
    must(b, open_study(b, LATENCY));
    assert_int_equal(weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err),
                     WEFT_BAD_INPUT);
    assert_string_equal(b->err.text, "figure fig1: slow rho=0.3 has 5 runs, there must be 8");
    weft_result_close(result);
    missing.left_out = SERIES * LOADS * SEEDS;
    result = results(b, &missing);
    assert_int_equal(weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err),
                     WEFT_BAD_INPUT);
    assert_string_equal(b->err.text, "figure fig1: its results have no points");
    weft_result_close(result);
}

/* A result of a single point with this key. */
static void refused(bench *b, const char *key, const char *message)
{
    weft_result *result;
    weft_comparison *comparison;
    weft_metric metric = {"latency", "", "", 0, 1, 1, 1, 1, "cycles", "exact"};
    weft_point point = {
        .key = key, .settings = "", .verdict = "converged", .n_metrics = 1, .metrics = &metric};
    must(b, weft_result_create(":memory:", "made up", "x: 1\n", true, &result, &b->err));
    must(b, weft_result_commit(result, &point, &b->err));
    assert_int_equal(weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err),
                     WEFT_BAD_INPUT);
    assert_string_equal(b->err.text, message);
    weft_result_close(result);
}

/* Points of another grid than the study's. */
static void foreign_points_are_refused(void **state)
{
    bench *b = *state;
    char key[1024] = "", message[1200];
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: contrast, metric: latency, terms: [{}]}\n"));
    refused(b, "routing.kind=a routing.selection=x seed=9 traffic.all.rho=0.1",
            "figure fig1: the point 'routing.kind=a routing.selection=x seed=9 "
            "traffic.all.rho=0.1' has no seed of ours");
    for (size_t i = 0, at = 0; i < 65; i++)
        at += (size_t)snprintf(key + at, sizeof key - at, "%sk%02zu=1", i ? " " : "", i);
    (void)snprintf(message, sizeof message, "the point '%.200s' has too many settings", key);
    refused(b, key, message);
}

/* ---- the record ---- */

static weft_status gather(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    (void)snprintf(to, 8192, "%.*s", (int)count, bytes);
    return WEFT_OK;
}

static void record_is_csv(void **state)
{
    bench *b = *state;
    char text[8192];
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY "      \"a, b\": {rule: not-claimed, reason: 'says \"no\"'}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    must(b, weft_comparison_export(comparison, "2026-01-31", gather, text, &b->err));
    weft_comparison_destroy(comparison);
    assert_non_null(strstr(text, "version,date,claim,rule,metric,unit,where,ours,error,theirs,"
                                 "their_error,score,verdict,reason,"
                                 "against,sentence,place,sure,lo,hi\n"));
    assert_non_null(strstr(text, ",2026-01-31,latency,z rules,latency,cycles,fast rho=0.1,10,"
                                 "0.08660254,10,0.1,"));
    assert_non_null(strstr(
        text, ",\"a, b\",not claimed,,,,,,,,,not claimed,\"says \"\"no\"\"\",document,,,,,\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(study_tells_what_it_holds),
        TEST(wrong_claim_is_refused),
        TEST(wrong_study_is_refused),
        TEST(wrong_table_is_refused),
        TEST(results_as_expected_agree),
        TEST(one_wrong_value_disagrees),
        TEST(small_shift_everywhere_disagrees),
        TEST(two_rare_values_of_six_disagree),
        TEST(a_single_run_of_theirs_is_as_unsure_as_one_of_ours),
        TEST(margin_and_known_disagreements_count),
        TEST(digits_are_compared),
        TEST(orderings_and_trends_are_seen),
        TEST(ordering_that_nothing_shows_disagrees),
        TEST(what_does_not_fit_is_told),
        TEST(foreign_points_are_refused),
        TEST(record_is_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
