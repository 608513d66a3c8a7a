/* SPDX-License-Identifier: Apache-2.0 */
/* Why points are slow, told of what did not come to an end: packets that are still on their way,
 * settings that a network cannot have, and networks in which nothing waits. */
#include "report/explain/wait_tree.h"
#include "report/explain/why.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is written into a file; to be freed. */
static char *written(FILE *file)
{
    size_t length = (size_t)ftell(file);
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, length, file), length);
    (void)fclose(file);
    return text;
}

/* At its last router it waits, and it has not come to the next one. */
static void packets_that_have_not_arrived_are_told(void **state)
{
    (void)state;
    static weft_traced_wait waits[] = {{.time = 30, .text = "link r1+x carries another packet"}};
    static weft_traced_stop stops[] = {
        {.place = "source", .arrived = 100, .left = 104, .out = "injection link 0, VC 0"},
        {.place = "router r0",
         .in = "input 1, VC 0",
         .arrived = 110,
         .left = (double)NAN,
         .n_waits = 1,
         .waits = waits},
        {.place = "router r1", .in = "input 2, VC 0", .arrived = (double)NAN, .left = (double)NAN}};
    static weft_traced_packet packet = {.name = "3:17",
                                        .source = 3,
                                        .flits = 4,
                                        .born = 100,
                                        .delivered = (double)NAN,
                                        .n_stops = 3,
                                        .stops = stops};
    const weft_traced traced = {.unit = "cycles", .n_packets = 1, .packets = &packet};
    FILE *out = tmpfile();
    assert_non_null(out);
    weft_explain_traced(&traced, out);
    char *text = written(out);
    assert_string_equal(text,
                        "times in cycles\n"
                        "\npacket 3:17 of 4 flits, endpoint 3: born at 100 cycles, not delivered "
                        "when the run ended\n"
                        "      ready at    waited\n"
                        "           100         4  source → injection link 0, VC 0\n"
                        "           110         -  router r0, input 1, VC 0\n"
                        "                      30  link r1+x carries another packet\n");
    free(text);
}

static void settings_that_cannot_be_have_their_reason(void **state)
{
    (void)state;
    static const weft_why why = {.key = "", .unit = "cycles"};
    static const weft_why_trial trial = {
        .unit = "cycles",
        .by_load = true,
        .n_changes = 2,
        .changes = {{.change = "router.vcs=4", .what = "more VCs", .saturated = true},
                    {.change = "faults=[]", .what = "no faults", .refused = "there are none"}}};
    FILE *out = tmpfile();
    assert_non_null(out);
    weft_explain_why_json(&why, &trial, out);
    char *text = written(out);
    assert_non_null(strstr(text, "\"gain_of\": \"accepted\""));
    const char *refused = strstr(text, "\"change\": \"faults=[]\"");
    assert_non_null(refused);
    assert_non_null(strstr(refused, "\"refused\": \"there are none\""));
    assert_null(strstr(refused, "\"saturated\"")); /* it was not run */
    const char *run = strstr(text, "\"change\": \"router.vcs=4\"");
    assert_true(run && run < refused);
    const char *saturated = strstr(run, "\"saturated\": true");
    assert_true(saturated && saturated < refused);
    free(text);
}

static void where_nothing_waits_nothing_is_drawn(void **state)
{
    (void)state;
    static const weft_why why = {.key = "", .unit = "cycles"};
    weft_error err;
    assert_int_equal(weft_wait_tree_draw(&why, "", "/nowhere/at/all.svg", NULL, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "no packet waits in the network: nothing to draw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_that_have_not_arrived_are_told),
        cmocka_unit_test(settings_that_cannot_be_have_their_reason),
        cmocka_unit_test(where_nothing_waits_nothing_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
