/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of fabrics and the texts in them: names in any script, levels above the third, cables
 * that are gone, and control characters, which are never written. */
#include "report/fabric/canvas.h"
#include "report/fabric/fabric.h"
#include "report/figure/gnuplot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* One of ASCII is a space; one of two bytes, and what is no UTF-8, a question mark. */
static void control_characters_are_not_written(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    weft_canvas_escape(&text, "a\nb\x1b[m\xc2\x85 \xff<é>\"&");
    assert_string_equal(text.at, "a b [m? ?&lt;é&gt;&quot;&amp;");
    weft_text_done(&text);
    weft_text_init(&text);
    weft_gnuplot_quote(&text, "a\nb\x1b[m\xc2\x85.\xff'é']]>");
    assert_string_equal(text.at, "'a b [m .?’é’]] >'");
    weft_text_done(&text);
}

/* Lines of gnuplot cannot change their style one by one. */
static void dashed_lines_are_arrows_without_heads(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    weft_canvas canvas = {.kind = &weft_canvas_gnuplot, .out = &text};
    weft_text_init(&canvas.lines);
    canvas.kind->line(&canvas, (double[]){1, 2}, (double[]){3, 4.5}, "#0000ff", 1.5, false);
    canvas.kind->line(&canvas, (double[]){1, 2}, (double[]){3, 4.5}, "#c8c8c8", 1, true);
    assert_string_equal(text.at, "set arrow from 1.0,2.0 to 3.0,4.5 nohead back dashtype 2 "
                                 "linewidth 1.0 linecolor '#c8c8c8'\n");
    assert_string_equal(canvas.lines.at, "1.0 2.0 2.0 2.5 255 1.50\n");
    weft_text_done(&canvas.lines);
    weft_text_done(&text);
}

/* Four switches on top of each other; the hosts of the lowest have names of two bytes a letter that
 * differ in the second byte, and the cable to the uppermost is gone. */
static void names_and_levels_are_drawn(void **state)
{
    (void)state;
    weft_judge_switch switches[] = {
        {.name = "s0", .first = "knä", .last = "knö", .hosts = 2, .level = 0},
        {.name = "s1", .level = 1},
        {.name = "s2", .level = 2},
        {.name = "s3", .level = 3}};
    weft_judge_cable cables[] = {{.at = {0, 1}, .port = {1, 1}, .load = {1, 0.5}},
                                 {.at = {1, 2}, .port = {2, 1}, .load = {1, 0.5}},
                                 {.at = {2, 3}, .port = {2, 1}, .gone = true}};
    weft_judge_case one = {.name = "tower",
                           .hosts = 2,
                           .n_switches = 4,
                           .n_cables = 3,
                           .switches = switches,
                           .cables = cables};
    const weft_judgement judgement = {.n_cases = 1, .cases = &one};
    weft_text svg;
    weft_text_init(&svg);
    weft_judged_svg(&judgement, &svg);
    assert_non_null(strstr(svg.at, ">knä … ö (2)</text>"));
    static const char *const levels[] = {"leaves", "spines", "cores", "level 4"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char wanted[32];
        (void)snprintf(wanted, sizeof wanted, ">%s</text>", levels[i]);
        assert_non_null(strstr(svg.at, wanted));
    }
    assert_non_null(strstr(svg.at, "stroke=\"#c8c8c8\" stroke-width=\"1.0\" "
                                   "stroke-dasharray=\"3 3\"/>"));
    assert_non_null(strstr(svg.at, "<title>s0:p1-&gt;s1 load 1; s1:p1-&gt;s0 load 0.5</title>"));
    weft_text_done(&svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_are_not_written),
        cmocka_unit_test(dashed_lines_are_arrows_without_heads),
        cmocka_unit_test(names_and_levels_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
