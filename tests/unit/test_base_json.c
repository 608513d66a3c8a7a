/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as it is written: commas, nesting, escapes, numbers that JSON does not have. */
#include "base/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void objects_and_lists_nest(void **state)
{
    (void)state;
    weft_json json;
    weft_json_init(&json);
    weft_json_object(&json, NULL);
    weft_json_text(&json, "a", "b");
    weft_json_list(&json, "list");
    weft_json_whole(&json, NULL, -3);
    weft_json_real(&json, NULL, 0.1);
    weft_json_end(&json);
    weft_json_list(&json, "empty");
    weft_json_end(&json);
    weft_json_flag(&json, "flag", true);
    weft_json_end(&json);
    assert_string_equal(json.text.at, "{\n \"a\": \"b\",\n \"list\": [\n  -3,\n  0.1\n ],\n "
                                      "\"empty\": [],\n \"flag\": true\n}\n");
    weft_json_done(&json);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    weft_json_string(&text, "\"\\\n\t\x01 é \xff");
    assert_string_equal(text.at, "\"\\\"\\\\\\n\\t\\u0001 é \\ufffd\"");
    weft_text_done(&text);
}

static void what_is_no_number_is_null(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    weft_json_number(&text, (double)NAN);
    weft_json_number(&text, (double)INFINITY);
    weft_json_number(&text, 1e300);
    assert_string_equal(text.at, "nullnull1e+300");
    weft_text_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_lists_nest),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(what_is_no_number_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
