/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of points: their order, parts and values; and the page about results. */
#include "result/key.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *text;
    bool is_number;
    double value;
} numbers[] = {
    {"0", true, 0},
    {"-5", true, -5},
    {"+5", true, 5},
    {"0.25", true, 0.25},
    {"30%", true, 0.3},
    {"1e3", true, 1000},
    {"1E+3", true, 1000},
    {"25e-2", true, 0.25},
    {"1e500", true, HUGE_VAL},
    {"1e305", true, 1e305},
    {"0e500", true, 0},
    {"1e-500", true, 0},
    {"0.1234567890123456789", true, 0.123456789012345678},
    {"", false, 0},
    {"-", false, 0},
    {".5", false, 0},
    {"5.", false, 0},
    {"1e", false, 0},
    {"1e-", false, 0},
    {"1e+x", false, 0},
    {"1%%", false, 0},
    {"5 flits", false, 0},
};

static void numbers_of_keys_are_decimals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = -1;
        size_t length = strlen(numbers[i].text);
        char *text = malloc(length + 2); /* what stands behind it does not count */
        memcpy(text, numbers[i].text, length);
        memcpy(text + length, "7", 2);
        assert_int_equal(weft_key_number(text, length, &value), numbers[i].is_number);
        double off = value - numbers[i].value; /* of a product of tens, not the nearest double */
        if (numbers[i].is_number && value != numbers[i].value &&
            !(fabs(off) <= 1e-13 * fabs(numbers[i].value)))
            fail_msg("%s: %.17g", numbers[i].text, value);
        free(text);
    }
}

static const struct {
    const char *key, *value;
    bool is;
} values[] = {
    {"a=10%", "0.1", true},      {"a=32 flits", "32", true}, {"a=32 flits", "32 flits", true},
    {"a=32 flits", "33", false}, {"a=x", "x", true},         {"a=x", "y", false},
    {"a=x", "xy", false},        {"a=1e2", "100", true},
};

static void values_are_texts_or_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *rest = values[i].key;
        weft_key_part part;
        assert_true(weft_key_next(&rest, &part));
        assert_int_equal(weft_key_is_value(&part, values[i].value, strlen(values[i].value)),
                         values[i].is);
    }
}

static void keys_sort_numbers_by_value(void **state)
{
    (void)state;
    static const char *const sorted[] = {"",         "a=-5",       "a=-1", "a=0.05",   "a=0.5",
                                         "a=0.50",   "a=1e-0 b=1", "a=2",  "a=10",     "a=1e1",
                                         "a=10 b=1", "a=1e3",      "a=b",  "d=[4, 4]", "d=[16, 16]",
                                         "x=r2 y=3", "x=r17 y=3"};
    size_t count = sizeof sorted / sizeof *sorted;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            int order = weft_key_compare(sorted[i], sorted[j]);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
}

static void key_is_cut_into_parts(void **state)
{
    (void)state;
    const char *rest = "links.rate=400 Gb/s m={a: 1, b: \"x y=2\"} l=[[1], p q=1] t='p q=1' z=";
    static const char *const wanted[] = {
        "links.rate", "400 Gb/s", "m", "{a: 1, b: \"x y=2\"}", "l", "[[1], p q=1]", "t",
        "'p q=1'",    "z",        ""};
    weft_key_part part;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i += 2) {
        assert_true(weft_key_next(&rest, &part));
        assert_int_equal(part.name_length, strlen(wanted[i]));
        assert_memory_equal(part.name, wanted[i], part.name_length);
        assert_int_equal(part.value_length, strlen(wanted[i + 1]));
        assert_memory_equal(part.value, wanted[i + 1], part.value_length);
    }
    assert_false(weft_key_next(&rest, &part));
    double number;
    assert_true(weft_key_number("30%", 3, &number) && number == 0.3);
    assert_true(weft_key_number("-1.25e2", 7, &number) && number == -125);
    assert_false(weft_key_number("4 GHz", 5, &number));
    assert_false(weft_key_number("", 0, &number));
    const weft_key_part room = {"buffer", "32 flits", 6, 8}, load = {"rho", "0.1", 3, 3};
    assert_true(weft_key_is_value(&room, "32", 2) && weft_key_is_value(&room, "32 flits", 8));
    assert_false(weft_key_is_value(&room, "32 B", 4) || weft_key_is_value(&room, "3", 1));
    assert_true(weft_key_is_value(&load, "10%", 3));
}

/* The page of all metrics, arrays and tables. */
static void the_page_has_every_table(void **state)
{
    (void)state;
    char *page = weft_result_page();
    assert_true(page[0] == '#' && page[1] == ' ');
    assert_non_null(strstr(page, "\n| name | by | unit | meaning |\n|---|---|---|---|\n| `"));
    assert_non_null(strstr(page, "\n## Arrays\n"));
    assert_non_null(strstr(page, "\n| name | table | unit | meaning |\n|---|---|---|---|\n| `"));
    assert_non_null(strstr(page, "\n## Tables\n"));
    assert_non_null(strstr(page, "\n| `provenance` | "));
    assert_non_null(strstr(page, "\n| `latency` | "));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_keys_are_decimals),
        cmocka_unit_test(values_are_texts_or_numbers),
        cmocka_unit_test(keys_sort_numbers_by_value),
        cmocka_unit_test(key_is_cut_into_parts),
        cmocka_unit_test(the_page_has_every_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
