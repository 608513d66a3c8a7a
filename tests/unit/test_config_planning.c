/* SPDX-License-Identifier: Apache-2.0 */
/* Files of weft plan: what is understood, and what is refused with which words. */
#include "config/planning/requirements.h"
#include "test_refusals.h"

#define FILE_NAME "plan.yaml"

/* Version and endpoints are added to a plan that has none; behind " <- " stands a setting. */
static weft_status plan_of(const char *text, const weft_registry *registry, weft_arena *arena,
                           weft_requirements *plan, weft_error *err)
{
    const char *arrow = strstr(text, " <- ");
    const char *const overrides[] = {arrow ? arrow + 4 : NULL, NULL};
    int length = arrow ? (int)(arrow - text) : (int)strlen(text);
    FILE *out = fopen(FILE_NAME, "w");
    assert_non_null(out);
    (void)fprintf(out, "%s%s%.*s\n", refusals_has(text, "interweft") ? "" : "interweft-plan: 1\n",
                  refusals_has(text, "endpoints") ? "" : "endpoints: 64\n", length, text);
    assert_int_equal(fclose(out), 0);
    weft_status status =
        weft_requirements_read(FILE_NAME, arrow ? overrides : NULL, registry, arena, plan, err);
    assert_int_equal(unlink(FILE_NAME), 0);
    return status;
}

static const char *refused(const char *text, const weft_registry *registry, weft_arena *arena)
{
    weft_requirements plan;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    weft_status status = plan_of(text, registry, arena, &plan, err);
    assert_int_equal(status != WEFT_OK, *err->text != '\0');
    return err->text;
}

static const refusal rows[] = {
    {"interweft: 1", "plan.yaml:1:1: the plan lacks 'interweft-plan: 1', the version of its "
                     "language; this is a scenario, for `weft run`"},
    {"interweft-study: 1",
     "plan.yaml:1:1: the plan lacks 'interweft-plan: 1', the version of its language"},
    {"interweft-plan: 2", "plan.yaml:2:17: interweft-plan must be 1 … 1, found 2"},
    {"interweft-plan: [1",
     "plan.yaml:2:17: not valid YAML: this '[' is never closed; ']' is missing"},
    {"endpoints: 0", "plan.yaml:2:12: endpoints must be 2 … 1048576, found 0"},
    {"endpoints: many", "plan.yaml:2:12: endpoints must be a whole number, found 'many'"},
    {"fabrics: []", "plan.yaml:3:10: fabrics must have 1 … 16 entries, found 0"},
    {"fabrics: dragonfly",
     "plan.yaml:3:10: fabrics must be a list of kinds of fabric, found 'dragonfly'"},
    {"fabrics: [dragonfy]",
     "plan.yaml:3:11: fabrics.0: there is no fabric 'dragonfy' (known: fat-tree, dragonfly, "
     "megafly, hyperx, slim-fly); did you mean 'dragonfly'?"},
    {"fabrics: [{kind: fat-tree, levels: [4]}]",
     "plan.yaml:3:37: fabrics.0.levels must be 2 … 3, found 4"},
    {"fabrics: [{levels: [2]}]", "plan.yaml:3:11: fabrics.0 lacks the setting 'kind' (one of "
                                 "fat-tree, dragonfly, megafly, hyperx, slim-fly)"},
    {"switch: 5", "plan.yaml:3:9: switch must be a map of settings, found '5'"},
    {"switch: {latency: 5 cycles}",
     "plan.yaml:3:19: switch.latency of a plan is a time such as 200 ns, not cycles"},
    {"switch: {rate: 1 flits/cycle}",
     "plan.yaml:3:16: switch.rate of a plan is bits a second, such as 400 Gb/s, not flits a cycle"},
    {"switch: {radix: 3}",
     "plan.yaml:3:10: switch has no setting 'radix' (known: ports, rate, latency)"},
    {"cables: {lengths: [1, 1]}", "plan.yaml:3:19: cables.lengths must ascend, found 1 behind 1"},
    {"cables: {lengths: [2, 1]}", "plan.yaml:3:19: cables.lengths must ascend, found 1 behind 2"},
    {"cables: {lengths: [1, x]}",
     "plan.yaml:3:23: cables.lengths must be a list of numbers such as [8, 16.5], found 'x'"},
    {"cables: {lengths: 5}",
     "plan.yaml:3:19: cables.lengths must be a list of numbers such as [8, 16.5], found '5'"},
    {"cables: {lengths: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}",
     "plan.yaml:3:19: cables.lengths has 17 numbers; 16 is the limit"},
    {"simulation: {loads: [0.5, 0.4]}",
     "plan.yaml:3:21: simulation.loads must ascend, found 0.4 behind 0.5"},
    {"simulation: {loads: "
     "[0.1,0.11,0.12,0.13,0.14,0.15,0.16,0.17,0.18,0.19,0.2,0.21,0.22,0.23,0.24,0.25,0.26]}",
     "plan.yaml:3:21: simulation.loads has 17 numbers; 16 is the limit"},
    {"vary: {endpoints: [1, 2]}",
     "plan.yaml:3:8: a plan varies nothing: endpoints takes one value, or a list such as [5, 7]"},
    {"vary: {}", "plan.yaml:3:1: a plan has no section 'vary' (known: interweft-plan, title, "
                 "endpoints, fabrics, simulate, seed, switch, rack, cables, prices, power, "
                 "constraints, faults, spares, simulation)"},
    {"prices: {weather: 5}", "plan.yaml:3:10: prices has no setting 'weather' (known: switch, "
                             "port, copper, copper-metre, optics, optics-metre, rack)"},
    {"title: x <- endpoints=64,128",
     "command line: a plan varies nothing: endpoints takes one value, or a list such as [5, 7]"},
    {"title: x <- endpoints=0", "command line: endpoints must be 2 … 1048576, found 0"},
    {"title: x <- endpoints",
     "command line: 'endpoints' is not a setting; write key=value, such as traffic.all.rho=0.3"},
};

static void plans_are_refused_with_their_sentence(void **state)
{
    (void)state;
    REFUSED(rows, refused);
}

static void a_plan_is_understood(void **state)
{
    (void)state;
    weft_registry registry;
    weft_arena arena;
    weft_requirements plan;
    weft_error err = {""};
    refusals_folder folder;
    refusals_enter(&folder);
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    assert_int_equal(plan_of("fabrics: [dragonfly, {kind: fat-tree, levels: [2]}]\n"
                             "switch: {rate: 100 Gb/s, latency: 200 ns}\n"
                             "cables: {lengths: [1, 2.5, 30]} <- endpoints=100",
                             &registry, &arena, &plan, &err),
                     WEFT_OK);
    assert_int_equal(plan.endpoints, 100);
    assert_int_equal(plan.fabrics.count, 2);
    assert_string_equal(plan.fabrics.at[1].kind->name, "fat-tree");
    assert_true(plan.with.rate.value == 1e11);
    assert_int_equal(plan.cables.lengths.count, 3);
    assert_true(plan.cables.lengths.at[1] == 2.5);
    const weft_assumption *list;
    size_t count = weft_requirements_assumptions(&plan, &arena, &list), given = 0;
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++)
        given += !list[i].assumed;
    assert_int_equal(given, 3);
    /* without a list: all that there are */
    assert_int_equal(plan_of("", &registry, &arena, &plan, &err), WEFT_OK);
    assert_int_equal(plan.endpoints, 64);
    const weft_family *family = weft_registry_find(&registry, "fabric");
    assert_int_equal(plan.fabrics.count, family->n_kinds);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
    refusals_leave(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_refused_with_their_sentence),
        cmocka_unit_test(a_plan_is_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
