/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: points, keys, seeds. */
#include "config/scenario.h"
#include "config/vary.h"
#include "test_config_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BASE                                  \
    "interweft: 1\n"                          \
    "topology: {kind: torus, dims: [4, 8]}\n" \
    "routing: minimal-adaptive\n"             \
    "traffic: {all: {length: 64 flits, rho: 0.3}}\n"

static weft_arena arena;

static weft_plan *plan_of(const char *text, const char *const *overrides)
{
    weft_plan *plan;
    weft_error err;
    if (weft_plan_read_text("t.yaml", text, strlen(text), overrides, &registry, &arena, &plan,
                            &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return plan;
}

static weft_scenario point(const weft_plan *plan, size_t i)
{
    weft_scenario scenario = {0};
    weft_error err;
    if (weft_plan_point(plan, i, &arena, &scenario, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return scenario;
}

static void ranges_do_not_gather_rounding(void **state)
{
    (void)state;
    const weft_plan *plan =
        plan_of(BASE "vary: {traffic.all.rho: {from: 0.05, to: 0.90, step: 0.05}}", NULL);
    static const char *const some[] = {"traffic.all.rho=0.05", "traffic.all.rho=0.1",
                                       "traffic.all.rho=0.15"};
    assert_int_equal(weft_plan_points(plan), 18);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(weft_plan_key(plan, i), some[i]);
    assert_string_equal(weft_plan_key(plan, 17), "traffic.all.rho=0.9");
    assert_true(point(plan, 2).traffic[0].rho == 0.15);
}

static void an_axis_of_the_command_line_hides_no_mistake(void **state)
{
    static const char text[] = BASE "vary: 5\n";
    static const char *const overrides[] = {"traffic.all.rho=0.1,0.2", NULL};
    weft_plan *plan;
    weft_error err;
    (void)state;
    assert_int_equal(weft_plan_read_text("t.yaml", text, strlen(text), overrides, &registry, &arena,
                                         &plan, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, ": vary must be a map from paths to values, found '5'"));
}

static void ranges_go_down_and_have_units(void **state)
{
    (void)state;
    const weft_plan *plan =
        plan_of(BASE "vary:\n"
                     "  router.header: {from: 3 cycles, to: 1 cycles, step: -1 cycles}\n"
                     "  measure.half-width: {from: 1%, to: 1%, step: 1%}\n",
                NULL);
    assert_int_equal(weft_plan_points(plan), 3);
    assert_string_equal(weft_plan_key(plan, 1), "measure.half-width=1% router.header=2 cycles");
    assert_true(((const fake_router *)point(plan, 2).router.settings)->header.value == 1);
}

static void the_last_axis_runs_fastest(void **state)
{
    (void)state;
    const weft_plan *plan = plan_of(BASE "vary:\n"
                                         "  traffic.all.rho: [0.10, 0.2]\n"
                                         "  routing.selection: [random, diagonal]\n",
                                    NULL);
    assert_int_equal(weft_plan_points(plan), 4);
    assert_string_equal(weft_plan_key(plan, 0), "routing.selection=random traffic.all.rho=0.1");
    assert_string_equal(weft_plan_key(plan, 1), "routing.selection=diagonal traffic.all.rho=0.1");
    assert_string_equal(weft_plan_key(plan, 2), "routing.selection=random traffic.all.rho=0.2");
    weft_scenario s = point(plan, 1);
    const fake_routing *routing = s.routing.settings;
    assert_string_equal(s.routing.kind->name, "minimal-adaptive");
    assert_string_equal(routing->selection.kind->name, "diagonal");
    assert_string_equal(s.key, weft_plan_key(plan, 1));
}

static void together_varies_jointly_and_maps_are_values(void **state)
{
    (void)state;
    const weft_plan *plan = plan_of(
        BASE "vary:\n"
             "  together: [{seed: 1, traffic.all.rho: 0.1}, {seed: 2, traffic.all.rho: 0.2}]\n"
             "  traffic.all.length: [4 flits, {mean: 8.0 flits, kind: exponential}]\n",
        NULL);
    assert_int_equal(weft_plan_points(plan), 4);
    assert_string_equal(weft_plan_key(plan, 3), "seed=2 traffic.all.length={kind: exponential, "
                                                "mean: 8 flits} traffic.all.rho=0.2");
    weft_scenario s = point(plan, 3);
    assert_int_equal(s.seed, 2);
    assert_string_equal(s.traffic[0].length.kind->name, "exponential");
}

static void overrides_set_entries_of_vary(void **state)
{
    (void)state;
    const char *const overrides[] = {"vary.seed=[1, 2, 3]", "vary.traffic.all.rho=[0.7]", NULL};
    const weft_plan *plan =
        plan_of(BASE "vary: {traffic.all.rho: [0.1, 0.2], routing.selection: [random]}", overrides);
    assert_int_equal(weft_plan_points(plan), 3);
    assert_string_equal(weft_plan_key(plan, 2),
                        "routing.selection=random seed=3 traffic.all.rho=0.7");
    assert_string_equal(weft_plan_text(plan),
                        "interweft: 1\n"
                        "topology: {kind: torus, dims: [4, 8]}\n"
                        "routing: minimal-adaptive\n"
                        "traffic: {all: {length: 64 flits, rho: 0.3}}\n"
                        "vary: {traffic.all.rho: [0.7], routing.selection: [random], "
                        "seed: [1, 2, 3]}\n");
}

/* These values may never change: results and published curves hang on them. */
static void seeds_are_fixed_for_ever(void **state)
{
    (void)state;
    assert_true(weft_sweep_seed(1, "") == UINT64_C(0x4a3a3a4ba6523826));
    assert_true(weft_sweep_seed(1, "routing.selection=diagonal traffic.all.rho=0.3") ==
                UINT64_C(0x812f88cd357b4371));
    assert_true(point(plan_of(BASE, NULL), 0).point_seed == UINT64_C(0x4a3a3a4ba6523826));
}

static void seeds_ignore_what_does_not_vary(void **state)
{
    (void)state;
    static const char vary[] = BASE "vary: {traffic.all.rho: [0.1, 0.2]}";
    static const char other[] = BASE "vary: {traffic.all.rho: [0.5, 0.4, 0.2]}";
    const char *const overrides[] = {"topology.hosts=2", NULL};
    weft_scenario a = point(plan_of(vary, NULL), 1), b = point(plan_of(other, overrides), 2);
    assert_true(a.point_seed == b.point_seed);
    assert_true(a.point_seed != point(plan_of(vary, NULL), 0).point_seed);
}

static void large_grids_cost_nothing_until_used(void **state)
{
    (void)state;
    const weft_plan *plan =
        plan_of(BASE "vary:\n  traffic.all.rho: {from: 0.001, to: 1, step: 0.001}\n"
                     "  seed: {from: 1, to: 1000, step: 1}\n",
                NULL);
    assert_int_equal(weft_plan_points(plan), 1000000);
    assert_true(arena.used < (size_t)9 << 20);
    assert_string_equal(weft_plan_key(plan, 999999), "seed=1000 traffic.all.rho=1");
}

static int setup(void **state)
{
    weft_arena_init(&arena);
    return group_setup(state);
}

static int teardown(void **state)
{
    weft_arena_done(&arena);
    return group_teardown(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* The keys of a plan's points, with " | " between them. */
static const char *keys_with(const char *vary, const char *override)
{
    const char *const overrides[] = {override, NULL};
    char *text = weft_arena_format(&arena, BASE "vary: %s\n", vary), *all = "";
    const weft_plan *plan = plan_of(text, overrides);
    for (size_t i = 0; i < weft_plan_points(plan); i++) {
        (void)point(plan, i);
        all = weft_arena_format(&arena, "%s%s%s", all, i ? " | " : "", weft_plan_key(plan, i));
    }
    return all;
}

/* What the command line sets does not vary any more, however vary names it. */
static void the_command_line_holds_for_axes_too(void **state)
{
    (void)state;
    static const struct {
        const char *vary, *override, *keys;
    } cases[] = {
        {"{traffic.all.rho: [0.1, 0.2]}", "traffic.all.rho=0.2", "traffic.all.rho=0.2"},
        {"{traffic.all.rho: {from: 0.1, to: 0.9, step: 0.1}}", "traffic.all.rho=0.35",
         "traffic.all.rho=0.35"},
        {"{topology.dims: [[4, 4], [8, 8]]}", "topology.dims=[2,2]", "topology.dims=[2, 2]"},
        {"{traffic.all.rho: [0.1, 0.2]}", "traffic.all={length: 1 flits, rho: 0.5}",
         "traffic.all.rho=0.5"},
        {"{routing.selection: [random, diagonal]}", "routing=minimal-adaptive",
         "routing.selection=random | routing.selection=diagonal"},
        {"{routing.kind: [minimal-adaptive, minimal-oblivious]}", "routing=minimal-oblivious",
         "routing.kind=minimal-oblivious"},
        {"{routing: [{kind: minimal-adaptive, selection: random}, minimal-oblivious]}",
         "routing.selection=diagonal",
         "routing={kind: minimal-adaptive, selection: diagonal} | routing={kind: "
         "minimal-oblivious, "
         "selection: diagonal}"},
        {"{routing: [{kind: minimal-adaptive, selection: random}, {kind: minimal-adaptive, "
         "selection: diagonal}]}",
         "routing.selection=diagonal", "routing={kind: minimal-adaptive, selection: diagonal}"},
        {"{together: [{traffic.all.rho: 0.1, seed: 1}, {traffic.all.rho: 0.2, seed: 2}]}", "seed=7",
         "seed=7 traffic.all.rho=0.1 | seed=7 traffic.all.rho=0.2"},
        {"{traffic.all.rho: [0.1, 0.2]}", "vary.traffic.all.rho=[0.3, 0.4]",
         "traffic.all.rho=0.3 | traffic.all.rho=0.4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(keys_with(cases[i].vary, cases[i].override), cases[i].keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ranges_do_not_gather_rounding),
        TEST(an_axis_of_the_command_line_hides_no_mistake),
        TEST(ranges_go_down_and_have_units),
        TEST(the_last_axis_runs_fastest),
        TEST(together_varies_jointly_and_maps_are_values),
        TEST(overrides_set_entries_of_vary),
        TEST(seeds_are_fixed_for_ever),
        TEST(seeds_ignore_what_does_not_vary),
        TEST(large_grids_cost_nothing_until_used),
        TEST(the_command_line_holds_for_axes_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
