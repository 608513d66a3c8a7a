/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, size_t width, const char *wanted)
{
    weft_text to;
    weft_text_init(&to);
    weft_fold(text, width, &to);
    char *folded = weft_text_take(&to);
    assert_string_equal(folded, wanted);
    free(folded);
}

static void lines_go_on_in_the_column_of_their_text(void **state)
{
    (void)state;
    expect("one\n\ntwo\n", 10, "one\n\ntwo\n");
    expect("--flag  N  does this and that\n", 24, "--flag  N  does this and\n           that\n");
    expect("plain words that are long\n", 12, "plain words\n  that are\n  long\n");
    expect("      a text of its own column\n", 16,
           "      a text of\n      its own\n      column\n");
    expect("µ µ µ µ µ µ\n", 11, "µ µ µ µ µ µ\n");
}

static void what_cannot_be_folded_stays(void **state)
{
    (void)state;
    expect("a-word-that-is-longer\n", 10, "a-word-that-is-longer\n");
    expect("            ^~~~~~ far right\n", 20, "            ^~~~~~ far right\n");
}

static void mappings_go_on_behind_a_comma(void **state)
{
    (void)state;
    expect("router: {kind: queue, room: 4 packets, x: 1}\n", 24,
           "router: {kind: queue,\n  room: 4 packets, x: 1}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_on_in_the_column_of_their_text),
        cmocka_unit_test(what_cannot_be_folded_stays),
        cmocka_unit_test(mappings_go_on_behind_a_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
