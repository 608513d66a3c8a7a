/* SPDX-License-Identifier: Apache-2.0 */
/* Settings in the keys of points: long values stay apart, and of more settings than a table or a
 * page takes the first ones are shown. */
#include "base/text.h"
#include "report/measurands.h"
#include "report/page/data.h"
#include "report/table.h"
#include "report/vary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 70, SHOWN = WEFT_VARY_MAX };

/* Two points; every metric of the measurands that a table knows. */
static weft_result *made(const char *const keys[2])
{
    weft_result *result;
    weft_error err;
    weft_metric metrics[WEFT_MEASURANDS_MAX];
    size_t count = 0;
    for (size_t i = 1; i < weft_n_measurands; i++) {
        const weft_measurand *m = &weft_measurands[i];
        metrics[count++] = (weft_metric){m->metric, "", m->by, m->index, 3, 2, 4, 9, "ns", "exact"};
    }
    if (weft_result_create(WEFT_IN_MEMORY, "many", "s", true, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (int p = 0; p < 2; p++) {
        const weft_point point = {.key = keys[p],
                                  .settings = "",
                                  .verdict = "converged",
                                  .n_metrics = count,
                                  .metrics = metrics};
        if (weft_result_commit(result, &point, &err) != WEFT_OK)
            fail_msg("%s", err.text);
    }
    return result;
}

/* "k00=1 k01=1 …": all settings of the second point are others. */
static weft_result *made_many(void)
{
    static char text[2][MANY * 8];
    for (int p = 0; p < 2; p++)
        for (size_t i = 0, at = 0; i < MANY; i++)
            at += (size_t)snprintf(text[p] + at, sizeof text[p] - at, "%sk%02zu=%d", i ? " " : "",
                                   i, p + 1);
    return made((const char *const[]){text[0], text[1]});
}

static void settings_beyond_the_bound_are_left_out(void **state)
{
    (void)state;
    weft_result *result = made_many();
    weft_vary *vary = weft_vary_create(&result, 1);
    assert_int_equal(vary->n_settings, SHOWN);
    assert_string_equal(vary->paths[SHOWN - 1], "k63");
    assert_true(vary->settings[SHOWN - 1].varies && vary->settings[SHOWN - 1].numeric);
    const weft_key_part last = {.name = "k69", .name_length = 3, .value = "1", .value_length = 1};
    assert_int_equal(weft_vary_find(vary, &last), SHOWN);
    weft_vary_destroy(vary);
    weft_result_close(result);
}

/* Columns of settings leave room for less than all measures. */
static void a_table_has_the_columns_that_it_has_room_for(void **state)
{
    (void)state;
    weft_result *result = made_many();
    weft_error err;
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_equal(weft_report_table(result, out, 4000, "all", &err), WEFT_OK);
    size_t length = (size_t)ftell(out);
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    rewind(out);
    assert_int_equal(fread(text, 1, length, out), length);
    (void)fclose(out);
    assert_non_null(strstr(text, "\nk01  k02 "));
    assert_non_null(strstr(text, " k63  k00 ")); /* the first one is the axis */
    assert_null(strstr(text, "k64"));
    assert_non_null(strstr(text, " accepted "));
    assert_null(strstr(text, " half-width ")); /* one of the last measures */
    free(text);
    weft_result_close(result);
}

static weft_status into_text(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

static void a_page_has_as_many_settings(void **state)
{
    (void)state;
    weft_result *result = made_many();
    weft_text text = {0};
    weft_error err;
    const char *name = "many.weft";
    const weft_report_page page = {.n_results = 1, .results = &result, .names = &name};
    weft_out out = {.sink = into_text, .to = &text, .err = &err};
    assert_int_equal(weft_page_data(&page, &out), WEFT_OK);
    weft_text_done(&out.text);
    assert_non_null(strstr(text.at, "\"vary\":[[\"k00\","));
    assert_non_null(strstr(text.at, ",[\"k63\","));
    assert_null(strstr(text.at, "k64"));
    weft_text_done(&text);
    weft_result_close(result);
}

/* What is cut to the same text is not cut a second time. */
static void long_values_stay_apart(void **state)
{
    (void)state;
    static const char *const keys[2] = {
        "file=a-folder-with-a-long-name/another-folder/and-one-more/first.csv",
        "file=a-folder-with-a-long-name/another-folder/and-one-more/second.csv"};
    weft_result *result = made(keys);
    weft_vary *vary = weft_vary_create(&result, 1);
    const weft_vary_setting *file = &vary->settings[0];
    assert_int_equal(file->n_values, 2);
    assert_string_equal(file->values[0].text, "a-folder-with-a-long-name/another-folder/and-on…");
    assert_string_equal(file->values[1].text, keys[1] + strlen("file="));
    weft_vary_destroy(vary);
    weft_result_close(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_beyond_the_bound_are_left_out),
        cmocka_unit_test(a_table_has_the_columns_that_it_has_room_for),
        cmocka_unit_test(a_page_has_as_many_settings),
        cmocka_unit_test(long_values_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
