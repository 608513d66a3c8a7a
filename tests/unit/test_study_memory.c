/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario given as text, with results in memory: the same bytes as in a file, and no file. */
#include "base/text.h"
#include "interweft/interweft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SCENARIO                                             \
    "interweft: 1\n"                                         \
    "topology: {kind: torus, dims: [4, 4]}\n"                \
    "traffic: {all: {pattern: uniform, length: 16 flits}}\n" \
    "measure: {half-width: 10%, limit: {packets: 20000}}\n"  \
    "vary: {traffic.all.rho: [0.2, 0.4]}\n"

static weft_catalog *catalog;

static int setup(void **state)
{
    (void)state;
    catalog = weft_catalog_create();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    weft_catalog_destroy(catalog);
    return 0;
}

static weft_status collect(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

static void export(weft_result *result, weft_text *text)
{
    weft_error err = {""};
    weft_text_init(text);
    if (weft_result_export(result, WEFT_FORMAT_CANONICAL, collect, text, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

static void count_point(void *user, const weft_point *point)
{
    (void)point;
    ++*(int *)user;
}

static weft_study *run(const char *results, int *points)
{
    weft_error err = {""};
    weft_study *study = NULL;
    weft_study_options options = {.text = SCENARIO,
                                  .results = results,
                                  .threads = 1,
                                  .fresh = true,
                                  .finished = count_point,
                                  .user = points};
    if (weft_study_open(&options, catalog, &study, &err) != WEFT_OK ||
        weft_study_run(study, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return study;
}

static void memory_and_file_hold_the_same(void **state)
{
    (void)state;
    weft_error err = {""};
    weft_text one, other;
    weft_result *file;
    int points = 0;
    weft_study *study = run("memory-test.weft", &points);
    assert_null(weft_study_result(study));
    weft_study_close(study);
    assert_int_equal(weft_result_open("memory-test.weft", &file, &err), WEFT_OK);
    export(file, &one);
    weft_result_close(file);
    assert_int_equal(unlink("memory-test.weft"), 0);

    points = 0;
    study = run(WEFT_IN_MEMORY, &points);
    assert_int_equal(points, 2);
    assert_int_equal(weft_result_points(weft_study_result(study)), 2);
    export(weft_study_result(study), &other);
    assert_string_equal(one.at, other.at);
    assert_int_equal(weft_study_run(study, &err), WEFT_OK); /* nothing is missing */
    assert_int_equal(points, 2);
    weft_study_close(study);
    assert_int_not_equal(access(":memory:", F_OK), 0);
    weft_text_done(&one);
    weft_text_done(&other);
}

static void mistakes_in_a_text_have_their_place(void **state)
{
    (void)state;
    weft_error err = {""};
    weft_study *study = NULL;
    weft_study_options options = {.text = "interweft: 1\ntopology: {kind: tours}\n"};
    assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_OK);
    assert_int_equal(weft_study_run(study, &err), WEFT_BAD_INPUT);
    assert_memory_equal(err.text, "scenario:2:18: ", 15);
    weft_study_close(study);
    options.text = "interweft: 1\ninclude: other.yaml\n";
    options.file = "mine";
    assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "mine:2:1: 'include' needs a scenario that is a file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(memory_and_file_hold_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(mistakes_in_a_text_have_their_place, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
