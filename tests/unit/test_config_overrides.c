/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the command line on a scenario: what becomes of its text, of axes of vary too. */
#include "test_refusals.h"

#include "base/text.h"

/* A scenario, and behind " <- " settings with blanks between; what the plan's text has behind its
 * first line, in one line, or the message. */
static const char *set(const char *text, const weft_registry *registry, weft_arena *arena)
{
    weft_plan *plan;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    const char *arrow = strstr(text, " <- "), *overrides[4] = {NULL};
    assert_non_null(arrow);
    char *words = weft_arena_format(arena, "%s", arrow + 4);
    for (size_t i = 0; i < 3 && words; i++)
        overrides[i] = strsep(&words, ";");
    const char *whole = weft_arena_format(arena, "interweft: 1\n%.*s\n", (int)(arrow - text), text);
    if (weft_plan_read_text("t.yaml", whole, strlen(whole), overrides, registry, arena, &plan,
                            err) != WEFT_OK)
        return err->text;
    char *said = weft_arena_format(arena, "%s", strchr(weft_plan_text(plan), '\n') + 1);
    for (char *end = said; (end = strchr(end, '\n'));)
        *end = end[1] ? '|' : '\0';
    return said;
}

static const refusal rows[] = {
    {"seed: 1 <- seed=2", "seed: 2"},
    {"seed: 1 <- seed= 2", "seed: 2"},
    {"seed: 1 <- seed=1,2", "seed: 1|vary: {seed: [1, 2]}"},
    {"seed: 1 <- seed=1, 2", "seed: 1|vary: {seed: [1, 2]}"},
    {"seed: 1 <- seed=1/5/2", "seed: 1|vary: {seed: {from: 1, to: 5, step: 2}}"},
    {"seed: 1 <- seed=-1/+5/.5", "seed: 1|vary: {seed: {from: -1, to: 5, step: 0.5}}"},
    {"seed: 1 <- seed=1/5", "seed: 1/5"},
    {"seed: 1 <- seed=1/5/2/3", "seed: 1/5/2/3"},
    {"seed: 1 <- seed=1e3,1E-3,2e+1,3e", "seed: 1|vary: {seed: [1000, 0.001, 20, 3e]}"},
    {"seed: 1 <- seed=1,x", "seed: \"1,x\""},
    {"seed: 1 <- seed=a,b-2,c", "seed: 1|vary: {seed: [a, b-2, c]}"},
    {"seed: 1 <- seed=a,B", "seed: \"a,B\""},
    {"seed: 1 <- seed=a,-b", "seed: \"a,-b\""},
    {"seed: 1 <- seed=a,", "seed: \"a,\""},
    {"seed: 1 <- seed=,a", "command line: not valid YAML: a value is missing before this ','"},
    {"seed: 1 <- seed='1,2'", "seed: \"1,2\""},
    {"seed: 1 <- seed=\"1/2/1\"", "seed: 1/2/1"},
    {"seed: 1 <- seed=1;seed=2", "seed: 2"},
    {"seed: 1 <- seed=1_,2", "seed: \"1_,2\""},
    {"seed: 1 <- x=4 flits,8 flits", "seed: 1|vary: {x: [4 flits, 8 flits]}"},
    {"seed: 1 <- x=10%,20 %", "seed: 1|vary: {x: [10%, 20%]}"},
    {"seed: 1 <- x=3 µs,4 µs", "seed: 1|vary: {x: [3 µs, 4 µs]}"},
    {"seed: 1 <- x=1 Gb/s,2 Gb/s", "seed: 1|vary: {x: [1 Gb/s, 2 Gb/s]}"},
    {"seed: 1 <- x=-.5,+.5,-,5", "seed: 1|x: \"-.5,+.5,-,5\""},
    {"seed: 1 <- x=-.5,+.5", "seed: 1|vary: {x: [-0.5, 0.5]}"},
    {"seed: 1 <- title=a,b", "seed: 1|title: \"a,b\""},
    {"seed: 1 <- a.from=0,1", "seed: 1|a: {from: \"0,1\"}"},
    {"seed: 1 <- a.to=0,1", "seed: 1|a: {to: \"0,1\"}"},
    {"seed: 1 <- a.on=0,1", "seed: 1|a: {on: \"0,1\"}"},
    {"seed: 1 <- a.rates=0,1", "seed: 1|a: {rates: \"0,1\"}"},
    {"seed: 1 <- a.named=0,1", "seed: 1|a: {named: \"0,1\"}"},
    {"seed: 1 <- a.without=a,b", "seed: 1|a: {without: \"a,b\"}"},
    {"seed: 1 <- faults=a,b", "seed: 1|faults: \"a,b\""},
    {"seed: 1 <- a.faults=a,b", "seed: 1|vary: {a.faults: [a, b]}"},
    {"seed: 1 <- x=", "seed: 1|x: null"},
    {"seed: 1 <- x=~", "seed: 1|x: null"},
    {"seed: 1 <- =x",
     "command line: '=x' is not a setting; write key=value, such as traffic.all.rho=0.3"},
    {"seed: 1 <- x",
     "command line: 'x' is not a setting; write key=value, such as traffic.all.rho=0.3"},
    {"seed: 1 <- x=[", "command line: not valid YAML: the text ends where a value is missing"},
    {"seed: 1 <- .x=1", "command line: '.x' is not a path of settings such as routing.selection"},
    {"seed: 1 <- include=a", "command line: 'include' belongs into a scenario file"},
    {"seed: 1 <- vary=5", "command line: vary must be a map from paths to values, found '5'"},
    {"seed: 1 <- vary.seed=1,2", "seed: 1|vary: {seed: [1, 2]}"},
    {"seed: 1 <- vary.seed=1/3/1", "seed: 1|vary: {seed: {from: 1, to: 3, step: 1}}"},
    {"seed: 1 <- vary.seed=[4, 5]", "seed: 1|vary: {seed: [4, 5]}"},
    {"seed: 1 <- vary.seed=4",
     "command line: vary.seed must be a list of values or {from, to, step}, found '4'"},
    {"a: {b: 1} <- a.c=2", "a: {b: 1, c: 2}"},
    {"a: {b: 1} <- a.b.c=2", "a: {b: {kind: 1, c: 2}}"},
    {"a: x <- a.c=2", "a: {kind: x, c: 2}"},
    {"a: ~ <- a.c=2", "a: {c: 2}"},
    {"a: [1, 2] <- a.c=2", "a: {c: 2}"},
    {"a: [1, 2] <- a.0=2",
     "command line: 'a' is a list, whose parts have no names; give all of it, such as [4, 4]"},
    {"a: [1, 2] <- a.9=2",
     "command line: 'a' is a list, whose parts have no names; give all of it, such as [4, 4]"},
    {"a: [1, 2] <- a./=2", "a: {/: 2}"},
    {"vary: {seed: [1, 2]} <- seed=3", "vary: {seed: [3]}|seed: 3"},
    {"vary: {seed: [1, 2]} <- seed=[3, 4]", "vary: {seed: [3, 4]}"},
    {"vary: {seed: [1, 2]} <- seed=[]",
     "command line: vary.seed is an empty list; give at least one value"},
    {"vary: {seed: [1, 2]} <- seed={from: 1, to: 2, step: 1}",
     "vary: {seed: {from: 1, to: 2, step: 1}}"},
    {"vary: {seed: [1, 2]} <- seed={from: 1, to: 2}",
     "vary: {seed: [{from: 1, to: 2}]}|seed: {from: 1, to: 2}"},
    {"vary: {dims: [[4, 4], [8, 8]]} <- dims=[2, 2]", "vary: {dims: [[2, 2]]}|dims: [2, 2]"},
    {"vary: {dims: {from: 1, to: 2, step: 1}} <- dims=[2, 2]",
     "command line: vary.dims has the value 2 twice"},
    {"vary: {a.b: [1, 2]} <- a={b: 3}", "vary: {a.b: [3]}|a: {b: 3}"},
    {"vary: {a.b: [1, 2]} <- a={c: 3}", "vary: {a.b: [1, 2]}|a: {c: 3}"},
    {"vary: {a.b: [1, 2]} <- a=x", "vary: {a.b: [1, 2]}|a: x"},
    {"vary: {a.kind: [x, y]} <- a=z", "vary: {a.kind: [z]}|a: z"},
    {"vary: {a: [x, y]} <- a.kind=z", "vary: {a: [{kind: z}]}|a: {kind: z}"},
    {"vary: {a: [{kind: x}, y, z]} <- a.c=5",
     "vary: {a: [{kind: x, c: 5}, {kind: y, c: 5}, {kind: z, c: 5}]}|a: {c: 5}"},
    {"vary: {a: [{kind: x}, x]} <- a.c=5", "vary: {a: [{kind: x, c: 5}]}|a: {c: 5}"},
    {"vary: {a: [[1], [2]]} <- a.0=5",
     "command line: 'this' is a list, whose parts have no names; give all of it, such as [4, 4]"},
    {"vary: {a: {from: 1, to: 2, step: 1}} <- a.c=5",
     "vary: {a: {from: 1, to: 2, step: 1}}|a: {c: 5}"},
    {"vary: {ab: [1, 2]} <- a=5", "vary: {ab: [1, 2]}|a: 5"},
    {"vary: {a: [1, 2]} <- ab=5", "vary: {a: [1, 2]}|ab: 5"},
    {"vary: {together: [{a: 1, b: 1}, {a: 2, b: 2}]} <- a=5",
     "vary: {together: [{a: 5, b: 1}, {a: 5, b: 2}]}|a: 5"},
    {"vary: {together: [{a: 1, b: 1}, {a: 2, b: 1}]} <- a=5",
     "vary: {together: [{a: 5, b: 1}]}|a: 5"},
    {"vary: {together: [{a: x, b: 1}, {a: y, b: 2}]} <- a.c=5",
     "vary: {together: [{a: {kind: x, c: 5}, b: 1}, {a: {kind: y, c: 5}, b: 2}]}|a: {c: 5}"},
    {"vary: {together: [{a.c: x, b: 1}, {a.c: y, b: 2}]} <- a={c: 5}",
     "vary: {together: [{a.c: 5, b: 1}, {a.c: 5, b: 2}]}|a: {c: 5}"},
    {"vary: {together: [{a.c: x, b: 1}, {a.c: y, b: 2}]} <- a=z",
     "vary: {together: [{a.c: x, b: 1}, {a.c: y, b: 2}]}|a: z"},
    {"vary: {together: [{a: [1], b: 1}, {a: [2], b: 2}]} <- a.0=5",
     "command line: 'this' is a list, whose parts have no names; give all of it, such as [4, 4]"},
    {"vary: {together: [1, 2]} <- a=5", "t.yaml:2:19: vary.together is a list of maps from paths "
                                        "to values, such as [{seed: 1, traffic.all.rho: 0.3}]"},
    {"vary: 5 <- a=5", "t.yaml:2:7: vary must be a map from paths to values, found '5'"},
};

static void settings_change_the_scenario_and_its_axes(void **state)
{
    (void)state;
    REFUSED(rows, set);
}

/* A program that embeds the library may give a setting of any length. */
static void a_setting_of_a_mebibyte_is_refused(void **state)
{
    (void)state;
    weft_registry registry;
    weft_arena arena;
    weft_text text;
    weft_registry_init(&registry);
    weft_arena_init(&arena);
    weft_text_init(&text);
    weft_text_add(&text, "seed: 1 <- title=%*d", 1 << 20, 1);
    assert_string_equal(set(text.at, &registry, &arena),
                        "command line is larger than 1 MiB, the limit of a scenario");
    weft_text_done(&text);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_change_the_scenario_and_its_axes),
        cmocka_unit_test(a_setting_of_a_mebibyte_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
