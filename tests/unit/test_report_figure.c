/* SPDX-License-Identifier: Apache-2.0 */
/* Every curve is in the legend, and nothing of the legend is on the frame or outside the picture;
 * lines of theory are drawn once for all curves they hold for; flags choose what they say. */
#include "report/figure/curve.h"
#include "report/figure/legend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CURVES 40

typedef struct bench {
    char labels[CURVES][64];
    weft_plot plot;
} bench;

/* `count` curves with labels of at least `length` letters, the last one saturated. */
static void fill(bench *b, size_t count, int length)
{
    *b = (bench){.plot = {.title = "A title", .x_label = "x", .y_label = "y"}};
    for (size_t c = 0; c < count; c++) {
        (void)snprintf(b->labels[c], sizeof b->labels[c], "%0*zu", length, c);
        weft_curve *curve = weft_curves_find(&b->plot, WEFT_CURVE_MEASURED, b->labels[c], NULL, c);
        weft_curves_add_dot(curve, (weft_dot){.x = 0.1, .y = 10, .lo = 9, .hi = 11});
        weft_curves_add_dot(
            curve, (weft_dot){.x = 0.5, .y = 20, .lo = 9, .hi = 21, .saturated = c + 1 == count});
    }
}

static void check_entry(const weft_legend *l, const weft_legend_entry *e)
{
    double end =
        e->x + WEFT_LEGEND_SAMPLE + WEFT_LEGEND_GAP + weft_legend_text_width(e->text, l->font);
    assert_true(e->x >= 0 && end <= l->width);
    assert_true(e->y - l->line / 2 >= 0 && e->y + l->line / 2 <= l->height);
    if (l->place == WEFT_LEGEND_RIGHT) {
        assert_true(e->x >= l->right);
        assert_true(end - e->x <= l->width / 4);
    } else {
        assert_true(e->y - l->line / 2 >= l->bottom + 2 * l->text);
    }
}

static void legend_has_every_curve_beside_or_below_the_frame(void **state)
{
    static const size_t counts[] = {1, 2, 4, 12, 30, 40};
    static const double sizes[][2] = {{0, 0}, {320, 240}, {600, 400}, {1600, 400}};
    bench *b = *state;
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        for (int length = 2; length <= 42; length += 8)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                weft_legend l;
                fill(b, counts[n], length);
                b->plot.width = sizes[s][0];
                b->plot.height = sizes[s][1];
                weft_legend_init(&l, &b->plot);
                assert_int_equal(l.n_entries, counts[n] + 1);
                for (size_t i = 0; i < l.n_entries; i++)
                    check_entry(&l, &l.entries[i]);
                for (size_t i = 0; i < counts[n]; i++)
                    assert_string_equal(l.entries[i].text, b->labels[i]);
                assert_true(l.bottom - l.top >= 0.44 * sizes[s][1] && l.bottom - l.top >= 100);
                weft_legend_done(&l);
                weft_curves_done(&b->plot);
            }
}

static void rows_of_saturated_marks_stay_at_the_top(void **state)
{
    bench *b = *state;
    fill(b, CURVES, 4);
    for (size_t c = 0; c < CURVES; c++)
        b->plot.curves[c].dots[1].saturated = true;
    weft_plot_axes a = weft_plot_choose_axes(&b->plot);
    assert_true(a.rows_from >= 0.79 && a.rows_from + a.row * (CURVES - 1) < 1);
    assert_true(weft_plot_height(&a, 0) > 11);
    weft_curves_done(&b->plot);
}

static weft_point point_of(weft_metric *metrics, size_t count)
{
    return (weft_point){.key = "", .n_metrics = count, .metrics = metrics};
}

static void add_theory(bench *b, weft_arena *arena, size_t colour, double zero, double wall)
{
    weft_metric metrics[] = {
        {"offered load", "", "", 0, 0.1, NAN, NAN, 0, "fraction", "setting"},
        {"latency", "", "bound", 0, zero, NAN, NAN, 0, "cycles", "bound: zero load, about"},
        {"accepted", "", "bound", 0, wall, NAN, NAN, 0, "fraction", "bound: channel load"},
    };
    weft_point point = point_of(metrics, 3);
    weft_curves_theory theory = {.metric = "latency", .of = "", .arena = arena};
    weft_curves_add_theory(&b->plot, &theory, &point, 0.1, colour);
}

static size_t count_kind(const weft_plot *plot, weft_curve_kind kind)
{
    size_t count = 0;
    for (size_t c = 0; c < plot->n_curves; c++)
        count += plot->curves[c].kind == kind;
    return count;
}

static void theory_is_drawn_once_and_where_it_holds(void **state)
{
    bench *b = *state;
    weft_arena arena;
    weft_legend l;
    weft_arena_init(&arena);
    fill(b, 3, 4);
    add_theory(b, &arena, 0, 30, 0.3);
    add_theory(b, &arena, 1, 30.1, 0.4);
    add_theory(b, &arena, 2, 36, 0.9); /* beyond its curve */
    weft_curves_merge_theory(&b->plot);
    assert_int_equal(count_kind(&b->plot, WEFT_CURVE_BOUND), 2);
    assert_int_equal(count_kind(&b->plot, WEFT_CURVE_WALL), 2);
    weft_legend_init(&l, &b->plot);
    assert_int_equal(l.n_entries, 3 + 2 + 1);
    assert_string_equal(l.entries[3].text, "zero-load latency");
    assert_true(l.entries[3].curve->shared);
    assert_string_equal(l.entries[4].text, "throughput bound: channel load");
    assert_false(l.entries[4].curve->shared);
    weft_legend_done(&l);
    weft_curves_done(&b->plot);
    weft_arena_done(&arena);
}

static void sizes_have_units(void **state)
{
    bench *b = *state;
    weft_error err;
    static const struct {
        const char *text;
        double width, height;
    } good[] = {{"800x500", 800, 500},        {"8.5cm x 6cm", 321.26, 226.77},
                {"3.5in,2.5in", 336, 240},    {"85x60mm", 321.26, 226.77},
                {"640 px x 480px", 640, 480}, {NULL, 0, 0}};
    for (size_t i = 0; good[i].text; i++) {
        assert_int_equal(weft_curves_set_size(&b->plot, good[i].text, &err), WEFT_OK);
        assert_true(fabs(b->plot.width - good[i].width) < 0.01);
        assert_true(fabs(b->plot.height - good[i].height) < 0.01);
    }
    static const char *const wrong[] = {"800", "x", "800x", "10x10", "800x500x3", "1kmx2km", NULL};
    for (size_t i = 0; wrong[i]; i++)
        assert_int_equal(weft_curves_set_size(&b->plot, wrong[i], &err), WEFT_BAD_USAGE);
    assert_int_equal(weft_curves_set_legend(&b->plot, "left", &err), WEFT_BAD_USAGE);
}

static void curves_are_those_asked_for(void **state)
{
    bench *b = *state;
    weft_error err;
    static const char *const labels[] = {"minimal, uniform", "minimal, tornado", "ugal, uniform",
                                         "ugal, tornado"};
    fill(b, 4, 2);
    for (size_t c = 0; c < 4; c++)
        b->plot.curves[c].label = labels[c];
    assert_int_equal(weft_curves_select(&b->plot, "ugal uniform,tornado", &err), WEFT_OK);
    assert_int_equal(b->plot.n_curves, 3);
    assert_string_equal(b->plot.curves[0].label, "ugal, uniform");
    assert_string_equal(b->plot.curves[1].label, "minimal, tornado");
    assert_string_equal(b->plot.curves[2].label, "ugal, tornado");
    for (size_t c = 0; c < 3; c++)
        assert_int_equal(b->plot.curves[c].colour, c);
    assert_int_equal(weft_curves_select(&b->plot, "valiant", &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text, "--curves: none holds 'valiant' (there are 'ugal, uniform', "
                                  "'minimal, tornado', 'ugal, tornado')");
    weft_curves_done(&b->plot);
}

static int make_bench(void **state)
{
    *state = calloc(1, sizeof(bench));
    return *state == NULL;
}

static int remove_bench(void **state)
{
    free(*state);
    return 0;
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, make_bench, remove_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(legend_has_every_curve_beside_or_below_the_frame),
        WITH(rows_of_saturated_marks_stay_at_the_top),
        WITH(theory_is_drawn_once_and_where_it_holds),
        WITH(sizes_have_units),
        WITH(curves_are_those_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
