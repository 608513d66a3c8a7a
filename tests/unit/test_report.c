/* SPDX-License-Identifier: Apache-2.0 */
/* Tables say no more digits than are known; pictures take text from files as text. */
#include "report/figure/curve.h"
#include "report/figure/over.h"
#include "report/plain.h"
#include "report/figure/plot.h"
#include "report/table.h"
#include "report/text_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define NONE ((double)NAN)

typedef struct place {
    char folder[64];
    char file[96], svg[96], png[96], pdf[96], trap[96];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->folder, "/tmp/test_report.XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    (void)snprintf(p->file, sizeof p->file, "%s/r.weft", p->folder);
    (void)snprintf(p->svg, sizeof p->svg, "%s/r.svg", p->folder);
    (void)snprintf(p->png, sizeof p->png, "%s/r.png", p->folder);
    (void)snprintf(p->pdf, sizeof p->pdf, "%s/r.pdf", p->folder);
    (void)snprintf(p->trap, sizeof p->trap, "%s/trap", p->folder);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    (void)unlink(p->file);
    (void)unlink(p->svg);
    (void)unlink(p->png);
    (void)unlink(p->pdf);
    int left = rmdir(p->folder);
    free(p);
    return left;
}

typedef struct sample {
    const char *key;
    double rho, latency, half;
    bool saturated;
    const char *verdict;
    int64_t n; /* packets */
} sample;

static void commit(weft_result *result, const sample *s)
{
    weft_metric metrics[] = {
        {"offered rho", "", "", 0, s->rho, NONE, NONE, 0, "fraction", "setting"},
        {"offered load", "", "", 0, s->rho / 4, NONE, NONE, 0, "fraction", "setting"},
        {"offered rate", "", "", 0, s->rho / 256, NONE, NONE, 0, "messages/cycle", "setting"},
        {"accepted", "", "", 0, s->rho / 4, s->rho / 4 - 0.0004, s->rho / 4 + 0.0004, 9, "fraction",
         "batch means"},
        {"latency", "", "", 0, s->latency, s->latency - s->half, s->latency + s->half, 9, "cycles",
         "batch means"},
        {"latency", "", "percentile", 50000, s->latency * 0.75, NONE, NONE, s->n, "cycles",
         "exact"},
        {"latency", "", "percentile", 99000, s->latency * 4, NONE, NONE, s->n, "cycles", "exact"},
        {"latency", "", "percentile", 99900, s->latency * 9, NONE, NONE, s->n, "cycles", "exact"},
        {"latency", "", "hops", 1, 65.5, 65, 66, 5, "cycles", "batch means"},
        {"latency", "", "hops", 2, 130, 120, 140, 5, "cycles", "batch means"},
        {"packets", "", "hops", 1, 5, NONE, NONE, 5, "packets", "count"},
        {"packets", "", "hops", 2, 12, NONE, NONE, 5, "packets", "count"},
    };
    weft_point point = {.key = s->key,
                        .settings = "",
                        .verdict = s->verdict ? s->verdict : "converged",
                        .saturated = s->saturated,
                        .n_metrics = sizeof metrics / sizeof *metrics,
                        .metrics = metrics};
    weft_error err;
    if (weft_result_commit(result, &point, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

static weft_result *made(const place *p, const char *title, const sample *samples, size_t count)
{
    weft_result *result;
    weft_error err;
    if (weft_result_create(p->file, title, "s", true, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++)
        commit(result, &samples[i]);
    return result;
}

static char *printed_columns(weft_result *result, size_t width, const char *columns)
{
    char *text = NULL;
    size_t length;
    FILE *out = tmpfile();
    assert_non_null(out);
    weft_error err;
    if (weft_report_table(result, out, width, columns, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    length = (size_t)ftell(out);
    rewind(out);
    text = calloc(1, length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, out), length);
    (void)fclose(out);
    return text;
}

static char *printed(weft_result *result, size_t width)
{
    return printed_columns(result, width, NULL);
}

/* 5000 packets support p99, with 50 beyond it, and not p99.9. */
static const sample few[] = {
    {"routing.selection=random traffic.all.rho=0.9", 0.9, 4000, 130, true, "saturated", 5000},
    {"routing.selection=random traffic.all.rho=0.1", 0.1, 101.25, 0.52, false, NULL, 5000},
    {"routing.selection=diagonal traffic.all.rho=0.1", 0.1, 94.117, 1.04, false, NULL, 5000},
};

static void table_has_a_row_for_each_point(void **state)
{
    weft_result *result = made(*state, "A torus", few, 3);
    char *text = printed(result, 0);
    assert_string_equal(
        text, "A torus\n"
              "\n"
              "                                     ───────── latency ─────────  offered\n"
              "selection  rho  verdict    accepted         mean     p50     p99     load\n"
              "           0…1                  0…1       cycles  cycles  cycles      0…1\n"
              "diagonal   0.1  converged    0.0250   94.1 ± 1.0   70.59   376.5    0.025\n"
              "random     0.1  converged    0.0250  101.2 ± 0.5   75.94     405    0.025\n"
              "random     0.9  saturated    0.2250   4000 ± 130    3000   16000    0.225\n"
              "More with --columns all: rate\n");
    assert_null(strchr(text, '\033'));
    assert_null(strstr(text, " \n"));
    free(text);
    weft_result_close(result);
}

static void narrow_table_says_what_it_left_out(void **state)
{
    weft_result *result = made(*state, "", few, 3);
    char *text = printed(result, 60);
    assert_non_null(strstr(text, "\nMore with --columns all: p50, load, rate\n"));
    assert_non_null(strstr(text, "\nrandom     0.9  saturated    0.2250   4000 ± 130   16000\n"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(weft_plain_width(line) <= 60);
    free(text);
    weft_result_close(result);
}

static void columns_are_those_asked_for(void **state)
{
    weft_result *result = made(*state, "", few, 3);
    char *text = printed_columns(result, 40, "rho, p99.9,p50,verdict,rho");
    assert_string_equal(text, "                offered  latency\n"
                              "selection  rho      rho      p50  verdict\n"
                              "           0…1      0…1   cycles\n"
                              "diagonal   0.1      0.1    70.59  converged\n"
                              "random     0.1      0.1    75.94  converged\n"
                              "random     0.9      0.9     3000  saturated\n");
    weft_error err;
    assert_int_equal(weft_report_table_check("all", &err), WEFT_OK);
    assert_int_equal(weft_report_table_check("mean,hop", &err), WEFT_BAD_USAGE);
    assert_non_null(
        strstr(err.text, "--columns: there is no 'hop' (there are verdict, completion, "));
    assert_non_null(strstr(err.text, "; did you mean 'hops'?"));
    free(text);
    weft_result_close(result);
}

/* A component by its kind, by more where kinds are alike; units in the header; rows by curve; what
 * is the same in all rows above them; short verdicts, and cut texts that stay different, where room
 * is short. */
static const sample mixed[] = {
    {"links.latency=20 ns router=2 routing={kind: ugal, via: group} traffic.pattern=uniform", 0.1,
     10, 1, false, "limit time: still warming up", 5000},
    {"links.latency=100 ns router=2 routing={kind: ugal, via: group} traffic.pattern=uniform", 0.1,
     11, 1, false, NULL, 5000},
    {"links.latency=20 ns router=2 routing={kind: ugal, via: router} traffic.pattern=uniform", 0.1,
     12, 1, true, "saturated: memory limit at 24.0 MiB", 5000},
    {"links.latency=100 ns router=2 routing={kind: minimal-adaptive, vcs: 2} "
     "traffic.pattern=uniform",
     0.1, 13, 1, false, NULL, 5000},
};

static void rows_say_which_point_they_are(void **state)
{
    weft_result *result = made(*state, "", mixed, 4);
    char *text = printed(result, 65);
    assert_string_equal(text, "In all rows: router 2, pattern uniform.\n"
                              "\n"
                              "                                               ──── latency ─────\n"
                              "routing         latency  verdict     accepted        mean     p99\n"
                              "                     ns                   0…1      cycles  cycles\n"
                              "minimal-adapt…      100  converged     0.0250  13.0 ± 1.0      52\n"
                              "ugal via group       20  warming up    0.0250  10.0 ± 1.0      40\n"
                              "ugal via group      100  converged     0.0250  11.0 ± 1.0      44\n"
                              "ugal via rout…       20  saturated     0.0250  12.0 ± 1.0      48\n"
                              "warming up: the run reached its limit before it had settled.\n"
                              "More with --columns all: p50, load, rho, rate\n");
    free(text);
    weft_result_close(result);
}

/* Keys have the settings of a component sorted by name: its kind stands anywhere. */
static const sample kinds[] = {
    {"topology={arity: 4, kind: fat-tree, levels: 2}", 0.1, 10, 1, false, NULL, 5000},
    {"topology={dims: [4, 4], kind: torus}", 0.1, 11, 1, false, NULL, 5000},
    {"topology={kind: hyperx, of: {kind: torus}}", 0.1, 12, 1, false, NULL, 5000},
    {"topology={dims: [2, 2], kind: torus, tie: wrap}", 0.1, 13, 1, false, NULL, 5000},
    {"topology={kind: full}", 0.1, 14, 1, false, NULL, 5000},
    {"topology={kind: full, routers: 3}", 0.1, 15, 1, false, NULL, 5000},
};

static void kinds_are_found_among_settings(void **state)
{
    weft_result *result = made(*state, "", kinds, 6);
    char *text = printed(result, 0);
    static const char *const names[] = {"\nfat-tree  ", "\ntorus dims [4, 4]  ",
                                        "\nhyperx  ",   "\ntorus dims [2, 2], tie wrap  ",
                                        "\nfull  ",     "\nfull routers 3  "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(strstr(text, names[i]));
    free(text);
    weft_result_close(result);
}

static void single_point_is_a_block_with_its_hops(void **state)
{
    weft_result *result = made(*state, "One\npoint\033[2J", &few[1], 1);
    char *text = printed(result, 0);
    assert_string_equal(text, "One point [2J\n"
                              "\n"
                              "  selection     random\n"
                              "  rho           0.1\n"
                              "  verdict       converged\n"
                              "  accepted      0.0250 ± 0.0004\n"
                              "  latency mean  101.2 ± 0.5 cycles\n"
                              "  latency p50   75.94 cycles\n"
                              "  latency p99   405 cycles\n"
                              "  offered load  0.025\n"
                              "  offered rho   0.1\n"
                              "  offered rate  0.0003906 msg/cycle\n"
                              "\n"
                              "hops  packets     latency\n"
                              "                   cycles\n"
                              "   1        5  65.5 ± 0.5\n"
                              "   2       12   130 ± 10\n");
    free(text);
    weft_result_close(result);
}

static void numbers_have_the_digits_they_deserve(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    assert_string_equal(weft_plain_number(&arena, 126.34, 0.86), "126.3");
    assert_string_equal(weft_plain_number(&arena, 126.34, 0.14), "126.34");
    assert_string_equal(weft_plain_number(&arena, 126.34, 1.4), "126.3");
    assert_string_equal(weft_plain_number(&arena, 126.34, 14), "126");
    assert_string_equal(weft_plain_half(&arena, 0.86), "0.9");
    assert_string_equal(weft_plain_half(&arena, 0.97), "1.0");
    assert_string_equal(weft_plain_half(&arena, 175.6), "176");
    assert_string_equal(weft_plain_number(&arena, 0.0123456, NONE), "0.01235");
    assert_string_equal(weft_plain_number(&arena, 123456, 0), "123456");
    assert_string_equal(weft_plain_number(&arena, NONE, 1), "–");
    assert_string_equal(weft_plain_number(&arena, -3e20, 1e18), "-3e+20");
    assert_string_equal(weft_plain_number(&arena, 0.5, HUGE_VAL), "0.5");
    assert_string_equal(weft_plain_number(&arena, 0.5, 1e-30), "0.500000000000");
    assert_int_equal(weft_plain_width("a\xff\xc3\xa9"), 3);
    static const char *const values[][2] = {
        {"{kind: torus}", "torus"},
        {"{kind: torus, dims: [4]}", "{kind: torus, dims: [4]}"},
        {"{kind: {a: 1}}", "{kind: {a: 1}}"},
        {"{kind: }", "{kind: }"},
        {"{kind: torus", "{kind: torus"},
        {"{size: torus}", "{size: torus}"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_string_equal(weft_plain_value(&arena, values[i][0], strlen(values[i][0]), 99),
                            values[i][1]);
    assert_string_equal(weft_plain_text(&arena, "a\x1b\xff\xc3\xa9z", 6, 10), "a ?éz");
    assert_string_equal(weft_plain_text(&arena, "abcdef", 6, 4), "abc…");
    assert_string_equal(weft_plain_name(&arena, "bulk.load", 9), "bulk.load");
    assert_string_equal(weft_plain_name(&arena, "bulk.load", 8), "bu….load");
    assert_string_equal(weft_plain_name(&arena, "bu….load", 7), "b….load");
    assert_string_equal(weft_plain_name(&arena, "bulk.load", 6), "bulk.…");
    assert_string_equal(weft_plain_name(&arena, "selection", 5), "sele…");
    static const char *const alike[] = {"seed", "topology.seed", "bitseed"};
    assert_string_equal(weft_plain_path(alike, 3, 0), "seed");
    assert_string_equal(weft_plain_path(alike, 3, 1), "topology.seed");
    assert_string_equal(weft_plain_path(alike, 3, 2), "bitseed");
    static const char *const paths[] = {"traffic.a.rho", "traffic.b.rho", "routing.kind", "seed"};
    assert_string_equal(weft_plain_path(paths, 4, 0), "a.rho");
    assert_string_equal(weft_plain_path(paths, 4, 1), "b.rho");
    assert_string_equal(weft_plain_path(paths, 4, 2), "routing.kind");
    assert_string_equal(weft_plain_path(paths, 4, 3), "seed");
    weft_arena_done(&arena);
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 0;
}

static bool holds(const char *path, const char *wanted)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    (void)fread(text, 1, (1 << 20) - 1, file);
    (void)fclose(file);
    bool found = strstr(text, wanted) != NULL;
    free(text);
    return found;
}

static bool have_gnuplot(void)
{
    return access("/usr/bin/gnuplot", X_OK) == 0 || access("/usr/local/bin/gnuplot", X_OK) == 0;
}

static void picture_is_drawn(void **state)
{
    const place *p = *state;
    if (!have_gnuplot())
        skip();
    weft_result *result = made(p, "A torus", few, 3);
    weft_error err;
    weft_curves_request request = {.svg = p->svg, .png = p->png, .pdf = p->pdf};
    if (weft_curves_draw(&result, NULL, 1, &request, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_result_close(result);
    assert_true(holds(p->png, "\x89PNG") && holds(p->pdf, "%PDF"));
    assert_true(holds(p->svg, "A torus"));
    assert_true(holds(p->svg, "mean latency (cycles)"));
    assert_true(holds(p->svg, "offered load ρ"));
    assert_true(holds(p->svg, ">diagonal<") && holds(p->svg, ">saturated<"));
}

/* Whatever a title or a value says, nothing of it is run. */
static void hostile_text_is_only_shown(void **state)
{
    const place *p = *state;
    if (!have_gnuplot())
        skip();
    static const char *const layouts[] = {
        "`touch %s`",
        "$(touch %s)",
        "'; system('touch %s'); '",
        "\"; system(\"touch %s\"); \"",
        "x\nsystem('touch %s')\n!touch %s",
        "\\'; system(\"touch %s\") #\\",
        "{/=40 @big} @ARG0 %% ~a{.8-} \\",
        "x' offset 0,0\n! touch %s\n# ",
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        char text[512], key[600];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        (void)snprintf(text, sizeof text, layouts[i], p->trap, p->trap);
#pragma GCC diagnostic pop
        (void)snprintf(key, sizeof key, "a.name=%s traffic.all.rho=0.5", text);
        sample samples[] = {few[0], {key, 0.5, 200, 1, false, NULL, 5000}};
        weft_result *result = made(p, text, samples, 2);
        weft_error err;
        if (weft_curves_draw(&result, NULL, 1, &(weft_curves_request){.svg = p->svg, .png = p->png},
                             &err) != WEFT_OK)
            fail_msg("%s: %s", text, err.text);
        weft_result_close(result);
        assert_true(exists(p->svg) && exists(p->png));
        assert_false(exists(p->trap) || access(p->trap, F_OK) == 0);
    }
}

static void missing_gnuplot_is_said(void **state)
{
    const place *p = *state;
    weft_result *result = made(p, "t", few, 3);
    const char *was = getenv("PATH");
    assert_non_null(was);
    char *path = strdup(was ? was : "");
    assert_non_null(path);
    assert_int_equal(setenv("PATH", p->folder, 1), 0);
    weft_error err;
    weft_status status =
        weft_curves_draw(&result, NULL, 1, &(weft_curves_request){.svg = p->svg}, &err);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_int_equal(status, WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "gnuplot, which is not installed"));
    assert_false(exists(p->svg));
    weft_result_close(result);
}

static void nothing_to_draw_is_said(void **state)
{
    const place *p = *state;
    weft_result *result = made(p, "t", NULL, 0);
    weft_error err;
    assert_int_equal(
        weft_curves_draw(&result, NULL, 1, &(weft_curves_request){.svg = p->svg}, &err),
        WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "nothing to draw"));
    char *text = printed(result, 0);
    assert_string_equal(text, "t\n\nNo point has finished yet.\n");
    free(text);
    weft_result_close(result);
}

/* Points that are left of some over the values of a setting; 0: refused. */
static size_t points_over(const place *p, const sample *samples, size_t count, const char *setting,
                          weft_error *err)
{
    weft_result *result = made(p, "t", samples, count), *combined;
    size_t points = 0;
    if (weft_curves_over(result, setting, &combined, err) == WEFT_OK) {
        points = weft_result_points(combined);
        weft_result_close(combined);
    }
    weft_result_close(result);
    return points;
}

/* "seed" is the seed, not that of the topology; a name that two settings end with is neither. */
static void means_are_over_one_setting(void **state)
{
    static const sample seeds[] = {
        {"seed=1 topology.seed=1", 0.1, 10, 1, false, NULL, 9},
        {"seed=1 topology.seed=2", 0.1, 30, 1, false, NULL, 9},
        {"seed=2 topology.seed=1", 0.1, 12, 1, false, NULL, 9},
        {"seed=2 topology.seed=2", 0.1, 32, 1, false, NULL, 9},
    };
    static const sample loads[] = {
        {"seed=1 traffic.a.load=0.1 traffic.b.load=0.1", 0.1, 10, 1, false, NULL, 9},
        {"seed=1 traffic.a.load=0.1 traffic.b.load=0.2", 0.1, 11, 1, false, NULL, 9},
        {"seed=1 traffic.a.load=0.2 traffic.b.load=0.1", 0.1, 12, 1, false, NULL, 9},
    };
    weft_error err;
    assert_int_equal(points_over(*state, seeds, 4, "seed", &err), 2);
    assert_int_equal(points_over(*state, seeds, 4, "topology.seed", &err), 2);
    assert_int_equal(points_over(*state, seeds + 2, 2, "seed", &err), 2);
    assert_int_equal(points_over(*state, loads, 3, "a.load", &err), 2);
    assert_int_equal(points_over(*state, loads, 3, "load", &err), 0);
    assert_string_equal(err.text, "--over: 'load' is the name of several settings "
                                  "(traffic.a.load, traffic.b.load)");
    assert_int_equal(points_over(*state, loads, 3, "oad", &err), 0);
    assert_non_null(strstr(err.text, "--over: 'oad' does not vary in "));
}

static void axis_suits_the_data(void **state)
{
    (void)state;
    weft_dot dots[] = {{0.1, 90, 89, 91, false, false}, {0.9, 4000, 3900, 4100, false, true}};
    weft_curve curve = {.label = "it's", .n_dots = 2, .dots = dots};
    weft_plot plot = {.title = "", .x_label = "x", .y_label = "y", .n_curves = 1, .curves = &curve};
    weft_text script = {0};
    weft_plot_script(&plot, WEFT_PICTURE_SVG, &script);
    assert_non_null(strstr(script.at, "set logscale y"));
    assert_non_null(strstr(script.at, "set yrange [50:5000]"));
    assert_non_null(strstr(script.at, "set label 'it’s' at screen"));
    assert_non_null(strstr(script.at, "set label 'not converged' at screen"));
    assert_non_null(strstr(script.at, "0.1 90 89 91 0\n0.9 4000 3900 4100 1\n"));
    script.length = 0;
    dots[1] = (weft_dot){0.9, 400, 390, 410, false, false};
    weft_plot_script(&plot, WEFT_PICTURE_PNG, &script);
    assert_null(strstr(script.at, "logscale"));
    assert_null(strstr(script.at, "saturated"));
    script.length = 0;
    dots[1].saturated = true;
    weft_plot_script(&plot, WEFT_PICTURE_PNG, &script);
    assert_non_null(strstr(script.at, "\n0.1 90 89 91 0\n0.9 "));
    assert_non_null(strstr(script.at, "set object 1 rectangle from "));
    assert_non_null(strstr(script.at, "'saturated'"));
    weft_text_done(&script);
}

/* Places and values of any sign and size, and none at all. */
static void axes_hold_all_dots(void **state)
{
    static const weft_dot pairs[][2] = {
        {{0, 0, 0, 0, false, false}, {0, 0, 0, 0, false, false}},
        {{-2, -5, -6, -4, false, false}, {-1, 5, 4, 6, false, false}},
        {{3, 7, 7, 7, false, false}, {3, 7, 7, 7, false, false}},
        {{0, 7, 7, 7, false, true}, {0, 9, 9, 9, false, true}},
        {{1e-6, 1e-9, 1e-9, 1e-9, false, false}, {1e6, 1e9, 1e9, 1e9, false, false}},
        {{0.2, 5, 5, 5, true, false}, {0.4, 6, 6, 6, true, false}},
        {{20, 30, 29, 31, false, false}, {30, 31, 30, 32, false, false}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int scale = 0; scale < 6; scale++) {
            weft_dot dots[] = {pairs[i][0], pairs[i][1]};
            weft_curve curve = {.label = "c", .n_dots = 2, .dots = dots};
            weft_plot plot = {.title = "",
                              .x_label = "x",
                              .y_label = "y",
                              .n_curves = 1,
                              .curves = &curve,
                              .log_x = scale % 2,
                              .y_scale = (weft_plot_scale)(scale / 2)};
            weft_plot_axes a = weft_plot_choose_axes(&plot);
            assert_true(a.x_min < a.x_max && a.y_min < a.y_max);
            assert_true(!a.log_x || a.x_min > 0);
            assert_true(!a.logarithmic || a.y_min > 0);
            for (size_t k = 0; k < 2; k++) {
                assert_true(dots[k].x >= a.x_min && dots[k].x <= a.x_max);
                assert_true(dots[k].saturated || (dots[k].y >= a.y_min && dots[k].y <= a.y_max));
            }
            if (a.log_x) /* beyond the end of an axis too short for a round number */
                assert_true(weft_plot_first_tic(a.x_min, a.x_max) >= a.x_min);
            weft_text script = {0};
            weft_plot_script(&plot, WEFT_PICTURE_SVG, &script);
            assert_null(strstr(script.at, "nan"));
            assert_null(strstr(script.at, "inf"));
            weft_text_done(&script);
        }
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(table_has_a_row_for_each_point),
        HERE(narrow_table_says_what_it_left_out),
        HERE(columns_are_those_asked_for),
        HERE(rows_say_which_point_they_are),
        HERE(kinds_are_found_among_settings),
        HERE(single_point_is_a_block_with_its_hops),
        cmocka_unit_test(numbers_have_the_digits_they_deserve),
        HERE(picture_is_drawn),
        HERE(hostile_text_is_only_shown),
        HERE(missing_gnuplot_is_said),
        HERE(nothing_to_draw_is_said),
        HERE(means_are_over_one_setting),
        cmocka_unit_test(axis_suits_the_data),
        cmocka_unit_test(axes_hold_all_dots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
