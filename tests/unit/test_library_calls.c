/* SPDX-License-Identifier: Apache-2.0 */
/* Calls for programs that embed the library: a flag that stops a run, answers as JSON, a topology
 * of a scenario's text. */
#include "interweft/interweft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TORUS                                 \
    "interweft: 1\n"                          \
    "topology: {kind: torus, dims: [4, 4]}\n" \
    "traffic: {all: {length: 8 flits, rho: 0.2}}\n"

static void a_flag_asks_once_for_a_checkpoint_and_always_for_a_stop(void **state)
{
    (void)state;
    int flag = WEFT_REQUEST_NONE;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_NONE);
    flag = WEFT_REQUEST_CHECKPOINT;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_CHECKPOINT);
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_NONE);
    flag = WEFT_REQUEST_STOP;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_STOP);
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_STOP);
}

static void a_flag_stops_a_run(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_study *study;
    int flag = WEFT_REQUEST_STOP;
    const weft_study_options options = {
        .text = TORUS, .results = WEFT_IN_MEMORY, .request = weft_request_flag, .user = &flag};
    assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_OK);
    assert_int_equal(weft_study_run(study, &err), WEFT_STOPPED);
    flag = WEFT_REQUEST_NONE;
    assert_int_equal(weft_study_run(study, &err), WEFT_OK);
    assert_int_equal(weft_result_points(weft_study_result(study)), 1);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

static void lines_become_members(void **state)
{
    (void)state;
    char *json = weft_facts_json("# network\nrouters                64\n"
                                 "mean path              2.5 hops\n");
    assert_string_equal(json, "{\n \"network\": {\n  \"routers\": {\n   \"text\": \"64\",\n"
                              "   \"value\": 64\n  },\n  \"mean path\": {\n"
                              "   \"text\": \"2.5 hops\",\n   \"value\": 2.5,\n"
                              "   \"unit\": \"hops\"\n  }\n }\n}\n");
    free(json);
}

static void a_topology_may_be_of_a_text(void **state)
{
    (void)state;
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    char *text = NULL;
    const weft_topology_choice good = {.text = TORUS};
    assert_int_equal(weft_topology_show(catalog, &good, &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "routers                16\n"));
    free(text);
    assert_int_equal(weft_topology_path(catalog, &good, "0", "5", &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "hops                   2\n"));
    free(text);
    const weft_topology_choice wrong = {.file = "mine",
                                        .text = "interweft: 1\ntopology: {kind: trous}\n"};
    assert_int_equal(weft_topology_show(catalog, &wrong, &text, &err), WEFT_BAD_INPUT);
    assert_ptr_equal(strstr(err.text, "mine:2:18: "), err.text);
    weft_catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flag_asks_once_for_a_checkpoint_and_always_for_a_stop),
        cmocka_unit_test(a_flag_stops_a_run),
        cmocka_unit_test(lines_become_members),
        cmocka_unit_test(a_topology_may_be_of_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
