/* SPDX-License-Identifier: Apache-2.0 */
/* Text that must not be obeyed: which characters are shown, how wide they are, sentences, cells of
 * CSV, strings of JSON; and files that somebody else has laid in the way. */
#include "base/utf8.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "interweft/status.h"
#include "result/quoted_cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void only_whole_characters_count(void **state)
{
    (void)state;
    static const char *const broken[] = {"\x80",         "\xc0\xaf",         "\xc3",
                                         "\xe2\x82",     "\xed\xa0\x80",     "\xe0\x80\x80",
                                         "\xf0\x80\x80", "\xf4\x90\x80\x80", "\xff"};
    uint32_t code;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_int_equal(weft_utf8_next(broken[i], strlen(broken[i]), &code), 0);
    assert_int_equal(weft_utf8_next("", 0, &code), 0);
    assert_int_equal(weft_utf8_next("€", 3, &code), 3);
    assert_int_equal(code, 0x20AC);
    assert_int_equal(weft_utf8_next("\xf4\x8f\xbf\xbf", 4, &code), 4);
    assert_int_equal(code, 0x10FFFF);
}

static void characters_of_east_asia_are_two_columns_wide(void **state)
{
    (void)state;
    static const uint32_t wide[] = {0x1100, 0x3042, 0x6F22, 0xAC00, 0xFF21, 0x1F47E, 0x20000};
    static const uint32_t narrow[] = {'a', 0xE9, 0x3C1, 0x2500, 0x2026, 0x303F, 0xFF61, 0x1F000};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        assert_int_equal(weft_utf8_columns(wide[i]), 2);
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        assert_int_equal(weft_utf8_columns(narrow[i]), 1);
}

static void sentences_hold_no_commands_of_terminals(void **state)
{
    (void)state;
    weft_error err;
    assert_int_equal(weft_fail(&err, WEFT_BAD_INPUT, "found '%s'\nµ", "\033]0;x\a\xc2\x9b\xff\r"),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "found '?]0;x??? '\nµ");
    char text[] = "a\xe2\x80\xae\nb\xe2\x81\xa6\t";
    weft_make_harmless(text);
    assert_string_equal(text, "a? b? ");
}

static void expect_cell(const char *text, const char *wanted)
{
    weft_text to;
    weft_text_init(&to);
    weft_quoted_cell(&to, text, strlen(text));
    char *cell = weft_text_take(&to);
    assert_string_equal(cell, wanted);
    free(cell);
}

static void cells_are_text(void **state)
{
    (void)state;
    expect_cell("", "");
    expect_cell("plain", "plain");
    expect_cell("a,b", "\"a,b\"");
    expect_cell("say \"x\"", "\"say \"\"x\"\"\"");
    expect_cell("two\r\nlines", "\"two\r\nlines\"");
    expect_cell("=1+1", "'=1+1");
    expect_cell("@x", "'@x");
    expect_cell("-x,y", "\"'-x,y\"");
    expect_cell("＝1", "'＝1");
    expect_cell("\nx", "\"'\nx\"");
    expect_cell("-5", "-5");
    expect_cell("+2.5e-3", "+2.5e-3");
    expect_cell("-7%", "-7%");
    expect_cell("a\033[2J\xff", "a?[2J?");
}

static void strings_of_json_hold_no_control_characters(void **state)
{
    (void)state;
    weft_text to;
    weft_text_init(&to);
    weft_json_string(&to, "\"\\\n\t\033\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xff漢");
    char *text = weft_text_take(&to);
    assert_string_equal(text, "\"\\\"\\\\\\n\\t\\u001b\\u007f\\u009b\\u202e\\u2028\\ufffd漢\"");
    free(text);
}

/* Somebody has laid a link by the name of the part, to a file of ours. */
static void no_link_in_the_way_is_followed(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-utf8-XXXXXX", part[64], victim[64], path[64];
    weft_error err;
    weft_bytes bytes;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/out", folder);
    (void)snprintf(part, sizeof part, "%s/out.part", folder);
    (void)snprintf(victim, sizeof victim, "%s/victim", folder);
    assert_int_equal(weft_bytes_write(victim, "kept", 4, &err), WEFT_OK);
    for (int way = 0; way < 2; way++) {
        assert_int_equal(symlink(victim, part), 0);
        if (way == 0) {
            assert_int_equal(weft_bytes_write(path, "new", 3, &err), WEFT_OK);
        } else {
            char *named;
            int fd;
            assert_int_equal(weft_bytes_begin(path, &named, &fd, &err), WEFT_OK);
            assert_true(write(fd, "new", 3) == 3 && close(fd) == 0);
            free(named);
        }
        assert_int_equal(weft_bytes_read(victim, 100, "a text", &bytes, &err), WEFT_OK);
        assert_string_equal(bytes.at, "kept");
        free(bytes.at);
    }
    assert_true(unlink(part) == 0 && unlink(path) == 0 && unlink(victim) == 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_whole_characters_count),
        cmocka_unit_test(characters_of_east_asia_are_two_columns_wide),
        cmocka_unit_test(sentences_hold_no_commands_of_terminals),
        cmocka_unit_test(cells_are_text),
        cmocka_unit_test(strings_of_json_hold_no_control_characters),
        cmocka_unit_test(no_link_in_the_way_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
