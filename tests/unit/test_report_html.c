/* SPDX-License-Identifier: Apache-2.0 */
/* The page's bytes: nothing from a results file gets out of the data, numbers come back exactly,
 * equal things are written once, what is too much is left out; and the TeX document spells text
 * out. */
#include "base/text.h"
#include "interweft/result.h"
#include "report/html.h"
#include "report/page/columns.h"
#include "report/page/data.h"
#include "report/figure/tex.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define EVIL "</script><script>alert(1)</script><!--"

typedef struct place {
    char folder[64], file[96];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->folder, "/tmp/test_html.XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    (void)snprintf(p->file, sizeof p->file, "%s/r.weft", p->folder);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    (void)unlink(p->file);
    int left = rmdir(p->folder);
    free(p);
    return left;
}

static weft_status into_text(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

static weft_metric metric(const char *name, double value)
{
    return (weft_metric){name, "", "", 0, value, value - 1, value + 1, 5, "cycles", "batch means"};
}

/* A file of `count` points at loads 0.1, 0.2 …, each with the same metrics. */
static weft_result *results(const place *p, const char *text, int count)
{
    weft_result *result;
    weft_error err;
    if (weft_result_create(p->file, text, text, true, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < count; i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "traffic.all.load=0.%d", i + 1);
        weft_metric metrics[] = {metric("latency", 10 + i / 3.0), metric("again", 10 + i / 3.0),
                                 metric("offered load", 0.1 * (i + 1)), metric(text, INFINITY)};
        weft_link_row link = {.name = EVIL, .index = 0, .busy = 1, .span = 2};
        weft_point point = {.key = key,
                            .settings = text,
                            .verdict = text,
                            .n_metrics = 4,
                            .metrics = metrics,
                            .n_links = 1,
                            .links = &link};
        if (weft_result_commit(result, &point, &err) != WEFT_OK)
            fail_msg("%s", err.text);
    }
    return result;
}

static char *page_of(weft_result *result, const char *name, const weft_report_verdict *verdict)
{
    weft_text text = {0};
    weft_error err;
    weft_report_page page = {.n_results = 1,
                             .results = &result,
                             .names = &name,
                             .n_verdicts = verdict ? 1 : 0,
                             .verdicts = verdict};
    if (weft_report_html(&page, into_text, &text, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return weft_text_take(&text);
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void no_text_leaves_the_data(void **state)
{
    if (!weft_report_has_page())
        skip();
    weft_result *result = results(*state, EVIL, 3);
    static const weft_report_verdict verdict = {EVIL, EVIL, EVIL, 1,    0,    2,
                                                1,    EVIL, EVIL, EVIL, EVIL, EVIL};
    char *evil = page_of(result, EVIL, &verdict);
    assert_null(strstr(evil, EVIL));
    assert_non_null(strstr(evil, "\\u003c/script>\\u003cscript>alert(1)"));
    assert_int_equal(occurrences(evil, "</script"), 4); /* the data's own end and three scripts */
    assert_int_equal(occurrences(evil, "<script"), 4);
    const char *data = strstr(evil, "id=\"data\">");
    assert_non_null(data);
    assert_memory_equal(strchr(data + 10, '<'), "</script>\n<script>", 18);
    free(evil);
    weft_result_close(result);
}

static void page_has_a_policy_and_asks_for_nothing(void **state)
{
    if (!weft_report_has_page())
        skip();
    weft_result *result = results(*state, "plain", 1);
    char *page = page_of(result, "r.weft", NULL);
    assert_non_null(strstr(page, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(page, "<link"));
    assert_null(strstr(page, " src="));
    assert_non_null(strstr(page, "Permission to use, copy, modify")); /* ISC */
    assert_true(strlen(page) < 1000000);
    free(page);
    weft_result_close(result);
}

static char *data_of(weft_result *result)
{
    static const char *const names[] = {"r.weft"};
    weft_text text = {0};
    weft_report_page page = {.n_results = 1, .results = &result, .names = names};
    weft_out out = {.sink = into_text, .to = &text};
    assert_int_equal(weft_page_data(&page, &out), WEFT_OK);
    weft_text_done(&out.text);
    return weft_text_take(&text);
}

static void equal_columns_are_written_once(void **state)
{
    weft_result *result = results(*state, "plain", 9);
    char *data = data_of(result);
    /* latency, and "again" with the same numbers: as a list or in base64, but once */
    assert_int_equal(occurrences(data, "\"again\""), 1);
    const char *again = strstr(data, ",null,"), *next = strstr(again + 1, ",null,");
    assert_non_null(next);
    assert_int_equal(strncmp(again, next, strcspn(again, "]")), 0);
    assert_non_null(strstr(data, "\"axis\":\"offered load (fraction of injection bandwidth)\""));
    free(data);
    weft_result_close(result);
}

static char *written(const double *values, size_t count)
{
    weft_intern columns;
    weft_text text = {0};
    weft_out out = {.sink = into_text, .to = &text};
    weft_intern_init(&columns);
    assert_int_equal(weft_page_columns_add(&columns, values, count), 0);
    assert_int_equal(weft_page_columns_add(&columns, values, count), 0);
    assert_int_equal(weft_page_columns_write(&columns, &out), WEFT_OK);
    assert_int_equal(weft_out_flush(&out, true), WEFT_OK);
    weft_intern_done(&columns);
    weft_text_done(&out.text);
    return weft_text_take(&text);
}

static void assert_written(const double *values, size_t count, const char *wanted)
{
    char *text = written(values, count);
    assert_string_equal(text, wanted);
    free(text);
}

static void columns_are_short_and_exact(void **state)
{
    (void)state;
    assert_written((const double[]){3, 3, 3}, 3, "[3]");
    assert_written((const double[]){(double)NAN, (double)NAN}, 2, "[null]");
    assert_written((const double[]){1, 2.5, (double)NAN}, 3, "[[1,2.5,null]]");
    assert_written((const double[]){-9007199254740993.0, 0.1}, 2, "[[-9007199254740992,0.1]]");
    assert_written((const double[]){(double)INFINITY, 1}, 2, "[\"AAAAAAAA8H8AAAAAAADwPw==\"]");
    assert_written((const double[]){-0.0, 0}, 2, "[[-0,0]]");
    double thirds[12];
    for (int i = 0; i < 12; i++)
        thirds[i] = (i + 1) / 3.0;
    char *text = written(thirds, 12);
    assert_memory_equal(text, "[\"VVVVVVVV1T9VVVVVVVXlP", 22); /* base64 of 1/3, 2/3 … */
    assert_int_equal(strlen(text), 4 + 128);
    free(text);
}

static void interned_bytes_keep_their_numbers(void **state)
{
    (void)state;
    weft_intern pool;
    char text[16];
    weft_intern_init(&pool);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            (void)snprintf(text, sizeof text, "text %u", i);
            assert_int_equal(weft_intern_text(&pool, text), i);
        }
    assert_int_equal(pool.n_items, 5000);
    assert_string_equal(pool.items[4321].bytes, "text 4321");
    assert_int_equal(weft_intern_text(&pool, ""), 5000);
    weft_intern_done(&pool);
}

static void too_many_values_are_left_out_and_counted(void **state)
{
    enum { MANY = 800000 };
    const place *p = *state;
    weft_result *result;
    int64_t *x = calloc(MANY, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < MANY; i++)
        x[i] = i * i % 1009;
    assert_int_equal(weft_result_create(p->file, "t", "s", true, &result, NULL), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        char key[8];
        (void)snprintf(key, sizeof key, "a=%d", i);
        x[0] = i; /* no two are the same */
        weft_array array = {"series", "delivered", "", "cycles", MANY, x, x, 0};
        weft_point point = {
            .key = key, .settings = "", .verdict = "", .n_arrays = 1, .arrays = &array};
        assert_int_equal(weft_result_commit(result, &point, NULL), WEFT_OK);
    }
    char *data = data_of(result);
    assert_non_null(strstr(data, "\"left\":[2,0]"));
    free(data);
    free(x);
    weft_result_close(result);
}

/* Of a point with more than a million links no load is shown; those of the others are. */
static void too_many_links_are_left_out_and_counted(void **state)
{
    (void)state;
    static const weft_link_row one = {"r0+x", 0, 3, 4};
    weft_page_pools pools;
    weft_text text = {0};
    weft_out out = {.sink = into_text, .to = &text};
    weft_intern_init(&pools.strings);
    weft_intern_init(&pools.columns);
    weft_intern_init(&pools.curves);
    weft_page_arrays *arrays = weft_page_arrays_create(&pools);
    weft_page_arrays_add(arrays, 0, &(weft_point){.n_links = 1000001, .links = &one});
    weft_page_arrays_add(arrays, 1, &(weft_point){.n_links = 1, .links = &one});
    assert_int_equal(weft_page_arrays_write(arrays, &out), WEFT_OK);
    assert_int_equal(weft_out_flush(&out, true), WEFT_OK);
    assert_string_equal(text.at, "\"arrays\":[],\n\"links\":{\"names\":[\"r0+x\"],\n\"loads\":"
                                 "[[1,1,null,0,1]]},\n\"left\":[0,1]");
    weft_page_arrays_destroy(arrays);
    weft_intern_done(&pools.strings);
    weft_intern_done(&pools.columns);
    weft_intern_done(&pools.curves);
    weft_text_done(&out.text);
    weft_text_done(&text);
}

static void tex_spells_text_out(void **state)
{
    (void)state;
    weft_dot dots[] = {{1, 2, 1.5, 2.5, false, false}, {2, 900, 900, 900, true, false}};
    weft_curve curve = {.label = "\\input{x}_$^~#%&√é", .n_dots = 2, .dots = dots};
    weft_plot plot = {
        .title = "ρ", .x_label = "x", .y_label = "y", .n_curves = 1, .curves = &curve};
    weft_text text = {0};
    weft_tex_write(&plot, &text);
    assert_non_null(strstr(text.at, "\\addlegendentry{\\textbackslash{}input\\{x\\}\\_\\$"
                                    "\\textasciicircum{}\\textasciitilde{}\\#\\%\\&?é}"));
    assert_non_null(strstr(text.at, "title={$\\rho$}"));
    assert_non_null(strstr(text.at, "x y lo hi\n1 2 1.5 2.5\n};"));
    assert_non_null(strstr(
        text.at, "only marks, mark=*, mark options={fill=white}, forget plot] coordinates {(2,"));
    weft_text_done(&text);
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(no_text_leaves_the_data),
        HERE(page_has_a_policy_and_asks_for_nothing),
        HERE(equal_columns_are_written_once),
        cmocka_unit_test(columns_are_short_and_exact),
        cmocka_unit_test(interned_bytes_keep_their_numbers),
        HERE(too_many_values_are_left_out_and_counted),
        cmocka_unit_test(too_many_links_are_left_out_and_counted),
        cmocka_unit_test(tex_spells_text_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
