/* SPDX-License-Identifier: Apache-2.0 */
/* A study run in parts, as job scripts do: open points with estimates, some of them run into a file
 * of their own, all files collected; the bytes are those of a run in one piece. */
#include "base/text.h"
#include "interweft/interweft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define POINTS 8

static const char file[] =
    "interweft-study: 1\n"
    "seeds: 2\n"
    "vary: {traffic.all.rho: [0.1, 0.2]}\n"
    "series: {short: {traffic.all.length: 4 flits}, long: {traffic.all.length: 8 flits}}\n"
    "scenarios:\n"
    "  torus:\n"
    "    scenario:\n"
    "      topology: {kind: torus, dims: [4, 4]}\n"
    "      traffic: {all: {pattern: uniform, length: 16 flits}}\n"
    "      measure: {half-width: 10%, limit: {packets: 2000}}\n";

typedef struct place {
    char folder[32];
    weft_catalog *catalog;
} place;

static int setup(void **state)
{
    static place p;
    strcpy(p.folder, "/tmp/weft-parts-XXXXXX");
    p.catalog = weft_catalog_create();
    *state = &p;
    if (!mkdtemp(p.folder) || chdir(p.folder) != 0)
        return -1;
    FILE *to = fopen("study.yaml", "w");
    return !to || fputs(file, to) < 0 || fclose(to) != 0;
}

static int teardown(void **state)
{
    static const char *const made[] = {"study.yaml", "whole.weft", "a.weft",
                                       "b.weft",     "all.weft",   "long.weft"};
    place *p = *state;
    weft_catalog_destroy(p->catalog);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        (void)unlink(made[i]);
    return chdir("/") || rmdir(p->folder);
}

static weft_evaluation *open_study(const place *p, const char *results, const char *points)
{
    weft_error err = {""};
    weft_evaluation *evaluation = NULL;
    weft_study_options options = {
        .file = "study.yaml", .results = results, .threads = 1, .points = points};
    if (weft_evaluation_open(&options, p->catalog, &evaluation, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return evaluation;
}

/* Runs some points (NULL: all) into a file; returns how many are done then. wanted: a character
 * for each, x if it is among them. */
static size_t run(const place *p, const char *results, const char *points, const char *wanted)
{
    weft_error err = {""};
    weft_evaluation *evaluation = open_study(p, results, points);
    weft_study *study = weft_evaluation_study(evaluation);
    weft_point_survey survey[POINTS];
    size_t done = 0;
    assert_int_equal(weft_study_points(study), POINTS);
    if (weft_study_run(study, &err) != WEFT_OK || weft_study_survey(study, survey, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < POINTS; i++) {
        bool chosen = wanted[i] == 'x';
        assert_int_equal(survey[i].state, chosen ? WEFT_POINT_DONE : WEFT_POINT_OPEN);
        assert_true(!chosen || (survey[i].seconds > 0 && survey[i].bytes > 0));
        assert_true(!chosen || survey[i].took > 0);
        done += survey[i].state == WEFT_POINT_DONE;
    }
    weft_evaluation_close(evaluation);
    return done;
}

static weft_status gather(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

static void export(const char *path, weft_text *text)
{
    weft_error err = {""};
    weft_result *result;
    weft_text_init(text);
    if (weft_result_open(path, &result, &err) != WEFT_OK ||
        weft_result_export(result, WEFT_FORMAT_CANONICAL, gather, text, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_result_close(result);
}

static void parts_make_the_whole(void **state)
{
    static const char *const files[] = {"a.weft", "b.weft", "c.weft"}; /* one is not there */
    weft_left_point *left;
    const place *p = *state;
    weft_error err = {""};
    weft_text whole, parts;
    size_t count, others;
    assert_int_equal(run(p, "whole.weft", NULL, "xxxxxxxx"), POINTS);
    assert_int_equal(run(p, "a.weft", "1,4,6,8", "x--x-x-x"), 4);
    assert_int_equal(run(p, "b.weft", "2-3,5", "-xx-x---"), 3);
    weft_evaluation *evaluation = open_study(p, "all.weft", NULL);
    weft_study *study = weft_evaluation_study(evaluation);
    assert_int_equal(weft_study_collect(study, files, 3, &count, &others, &err), WEFT_OK);
    assert_int_equal(count, 7);
    assert_int_equal(others, 0);
    assert_int_equal(weft_study_collect(study, files, 3, &count, &others, &err), WEFT_OK);
    assert_int_equal(count, 0);
    assert_int_equal(weft_study_left(study, &left, &count, &err), WEFT_OK);
    assert_int_equal(count, 1);
    assert_true(left[0].point == 7 && left[0].seconds > 0 && left[0].bytes > 0);
    assert_int_equal(left[0].ranks, 1);
    free(left);
    weft_evaluation_close(evaluation);
    assert_int_equal(run(p, "all.weft", NULL, "xxxxxxxx"), POINTS);
    export("whole.weft", &whole);
    export("all.weft", &parts);
    assert_string_equal(whole.at, parts.at);
    weft_text_done(&whole);
    weft_text_done(&parts);
}

/* One long point: what is left of it may have several processes, unless the caller has said how
 * many. */
static void the_last_point_has_several_processes(void **state)
{
    static const char *const text =
        "interweft: 1\n"
        "topology: {kind: torus, dims: [256, 256]}\n"
        "traffic: {all: {length: 8 flits, rho: 0.5}}\n"
        "measure: {half-width: 0.001%, limit: {packets: 100000000000}}\n";
    const place *p = *state;
    weft_error err = {""};
    for (int ranks = 0; ranks < 2; ranks++) {
        const weft_study_options options = {
            .text = text, .results = "long.weft", .threads = 1, .ranks = ranks};
        weft_left_point *left;
        weft_study *study;
        size_t count;
        assert_int_equal(weft_study_open(&options, p->catalog, &study, &err), WEFT_OK);
        assert_int_equal(weft_study_left(study, &left, &count, &err), WEFT_OK);
        assert_int_equal(count, 1);
        assert_true(left[0].seconds > 600);
        assert_true(ranks ? left[0].ranks == 1 : left[0].ranks > 1);
        free(left);
        weft_study_close(study);
    }
}

static void nothing_is_left_of_a_file_that_is_none(void **state)
{
    const place *p = *state;
    weft_error err = {""};
    weft_left_point *left = (weft_left_point *)&err;
    size_t count;
    weft_evaluation *evaluation = open_study(p, "study.yaml", NULL);
    weft_study *study = weft_evaluation_study(evaluation);
    assert_int_equal(weft_study_left(study, &left, &count, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "study.yaml is not a results file of Interweft");
    assert_null(left);
    weft_evaluation_close(evaluation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_make_the_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(the_last_point_has_several_processes, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_left_of_a_file_that_is_none, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
