/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures and numbers of a plan: axes have a few round numbers, a fabric without a latency hides
 * no other, and what has no interval is told without one. */
#include "report/plan/plan.h"
#include "study/plan/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define NONE ((double)NAN)

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* 45 is more than eight fives and less than five tens. */
static void axes_have_round_numbers(void **state)
{
    (void)state;
    static const struct {
        double cost;
        const char *step, *last, *between;
    } fronts[] = {{45, ">10</text>", ">50</text>", ">5</text>"},
                  {30, ">5</text>", ">35</text>", ">2</text>"},
                  {700, ">100</text>", ">800</text>", ">50</text>"},
                  {0.45, ">0.1</text>", ">0.5</text>", ">0.05</text>"}};
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
        weft_planning_entry entry = {
            .planned = {.name = "f", .family = "fat-tree", .cost = fronts[i].cost}};
        const weft_planning plan = {.entries = &entry, .n_entries = 1};
        weft_text svg;
        weft_text_init(&svg);
        weft_shortlist_front(&plan, WEFT_TRAFFIC_UNIFORM, &svg);
        assert_non_null(strstr(svg.at, fronts[i].step));
        assert_non_null(strstr(svg.at, fronts[i].last));
        assert_null(strstr(svg.at, fronts[i].between));
        weft_text_done(&svg);
    }
}

/* The first has saturated before anything could be measured. */
static void fabrics_without_a_latency_hide_no_others(void **state)
{
    (void)state;
    static const weft_simulated without = {
        .n_loads = 1, .loads = {{1, {0.5, NONE, NONE}, {NONE, NONE, NONE}, NONE, true}}};
    static const weft_simulated with = {
        .n_loads = 2,
        .loads = {{0.2, {0.2, 0.19, 0.21}, {1000, 990, 1010}, 2000, false},
                  {0.5, {0.5, NONE, NONE}, {1500, NONE, NONE}, 4000, false}}};
    weft_planning_entry entries[] = {
        {.planned = {.name = "one", .family = "fat-tree", .simulated = &without}},
        {.planned = {.name = "two", .family = "hyperx", .simulated = &with}}};
    weft_planning plan = {.entries = entries, .n_entries = 2};
    weft_text svg;
    weft_text_init(&svg);
    weft_shortlist_curves(&plan, &svg);
    assert_non_null(svg.at);
    assert_non_null(strstr(svg.at, ">two</text>"));
    assert_non_null(strstr(svg.at, ">4000</text>"));
    assert_null(strstr(svg.at, "nan"));
    /* two points and two marks of the legend, one of them of the fabric without a curve */
    assert_int_equal(occurrences(svg.at, "<rect x="), 4);
    weft_text_done(&svg);
    plan.n_entries = 1;
    weft_text_init(&svg);
    weft_shortlist_curves(&plan, &svg);
    assert_int_equal(svg.length, 0);
    weft_text_done(&svg);
}

static void values_have_the_interval_that_is_known(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    assert_string_equal(
        weft_shortlist_value(&(weft_simulated_value){0.741, 0.721, 0.761}, 2, &arena), "0.74±0.02");
    assert_string_equal(weft_shortlist_value(&(weft_simulated_value){0.741, NONE, NONE}, 2, &arena),
                        "0.74");
    assert_string_equal(weft_shortlist_value(&(weft_simulated_value){NONE, NONE, NONE}, 2, &arena),
                        "–");
    weft_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_have_round_numbers),
        cmocka_unit_test(fabrics_without_a_latency_hide_no_others),
        cmocka_unit_test(values_have_the_interval_that_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
