/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that ask why a point is slow: a stop ends every kind of run, and a
 * point that its scenario does not have is told. */
#include "interweft/interweft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after the headers above */
#include <cmocka.h>

#define MESH                                                      \
    "interweft: 1\n"                                              \
    "topology: {kind: mesh, dims: [4, 4]}\n"                      \
    "links: {latency: 1 cycle}\n"                                 \
    "router: {kind: input-queued, vcs: 2, buffer: 32 flits}\n"    \
    "routing: {kind: dimension-order}\n"                          \
    "traffic: {all: {pattern: transpose, length: 4 flits, load: " \
    "0.1}}\n"                                                     \
    "measure: {limit: {time: 2000 cycles}}\n"

typedef struct caller {
    int asked, stop_at; /* 0: never */
} caller;

static weft_request ask(void *user)
{
    caller *who = user;
    return ++who->asked == who->stop_at ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

static weft_catalog *catalog;
static weft_study *study;

static int run_mesh(void **state)
{
    weft_error err = {""};
    weft_study_options options = {.text = MESH, .results = WEFT_IN_MEMORY, .threads = 1};
    (void)state;
    catalog = weft_catalog_create();
    return weft_study_open(&options, catalog, &study, &err) != WEFT_OK ||
           weft_study_run(study, &err) != WEFT_OK;
}

static int leave_mesh(void **state)
{
    (void)state;
    weft_study_close(study);
    weft_catalog_destroy(catalog);
    return 0;
}

static void a_survey_is_stopped(void **state)
{
    (void)state;
    weft_error err = {""};
    weft_why *why = NULL;
    caller who = {.stop_at = 1};
    weft_why_options options = {.request = ask, .user = &who};
    assert_int_equal(weft_why_find(weft_study_result(study), 0, catalog, &options, &why, &err),
                     WEFT_STOPPED);
    assert_string_equal(err.text, "stopped");
    assert_null(why);
    who.stop_at = 0;
    assert_int_equal(weft_why_find(weft_study_result(study), 0, catalog, &options, &why, &err),
                     WEFT_OK);
    weft_why_destroy(why);
}

/* The first run is of the point as it is, the others are of changes. */
static void a_trial_is_stopped(void **state)
{
    (void)state;
    weft_error err = {""};
    weft_why_trial *trial = NULL;
    caller who = {.stop_at = 1};
    weft_why_options options = {.request = ask, .user = &who};
    assert_int_equal(weft_why_try(weft_study_result(study), 0, catalog, &options, &trial, &err),
                     WEFT_STOPPED);
    assert_string_equal(err.text, "stopped");
    assert_null(trial);
    who = (caller){.stop_at = 0};
    assert_int_equal(weft_why_try(weft_study_result(study), 0, catalog, &options, &trial, &err),
                     WEFT_OK);
    weft_why_trial_destroy(trial);
    who = (caller){.stop_at = who.asked / 2};
    assert_int_equal(weft_why_try(weft_study_result(study), 0, catalog, &options, &trial, &err),
                     WEFT_STOPPED);
    assert_string_equal(err.text, "stopped");
    assert_null(trial);
}

static weft_status follow(caller *who, const char *packet, weft_error *err)
{
    weft_traced *traced = NULL;
    weft_why_options options = {.request = ask, .user = who};
    weft_status status =
        weft_traced_find(weft_study_result(study), 0, packet, catalog, &options, &traced, err);
    assert_int_equal(status == WEFT_OK, traced != NULL);
    weft_traced_destroy(traced);
    return status;
}

static void a_trace_is_stopped(void **state)
{
    (void)state;
    weft_error err = {""};
    caller who = {.stop_at = 1};
    assert_int_equal(follow(&who, "slowest", &err), WEFT_STOPPED);
    assert_string_equal(err.text, "stopped");
    who = (caller){.stop_at = 1};
    assert_int_equal(follow(&who, "1:30", &err), WEFT_STOPPED);
    assert_string_equal(err.text, "stopped");
    who = (caller){.stop_at = 0};
    assert_int_equal(follow(&who, "1:30", &err), WEFT_OK);
}

static void a_point_that_its_scenario_does_not_have_is_told(void **state)
{
    (void)state;
    weft_error err = {""};
    weft_result *result;
    weft_why *why;
    const weft_point point = {
        .key = "traffic.all.load=0.1 router.vcs=2", .settings = MESH, .verdict = "goal"};
    assert_int_equal(weft_result_create(WEFT_IN_MEMORY, "", MESH, true, &result, &err), WEFT_OK);
    assert_int_equal(weft_result_commit(result, &point, &err), WEFT_OK);
    assert_int_equal(weft_why_find(result, 0, catalog, NULL, &why, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "the scenario of the results has no point "
                                  "'traffic.all.load=0.1 router.vcs=2'");
    assert_null(why);
    weft_result_close(result);
}

static void causes_have_names(void **state)
{
    (void)state;
    assert_string_equal(weft_why_name(WEFT_WHY_NOTHING), "nothing");
    assert_string_equal(weft_why_name(WEFT_WHY_HEAD_OF_LINE), "head-of-line");
    assert_string_equal(weft_why_name(WEFT_WHY_ARBITRATION), "arbitration");
    assert_string_equal(weft_why_name(WEFT_WHY_CAUSES), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_survey_is_stopped),
        cmocka_unit_test(a_trial_is_stopped),
        cmocka_unit_test(a_trace_is_stopped),
        cmocka_unit_test(a_point_that_its_scenario_does_not_have_is_told),
        cmocka_unit_test(causes_have_names),
    };
    return cmocka_run_group_tests(tests, run_mesh, leave_mesh);
}
