/* SPDX-License-Identifier: Apache-2.0 */
/* What every model promises: outputs that are named once and have units, the same answer twice,
 * printed values only where they are asked for, and a scenario that can be read and measures
 * what it says. */
#include "analytic/answer.h"
#include "analytic/model.h"
#include "base/memory.h"
#include "config/scenario.h"
#include "study/kinds.h"
#include "study/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Settings of every kind, all of them answered in milliseconds; a new kind adds its line. */
static const struct {
    const char *name, *settings[12];
} samples[] = {
    {"cut-through", {"rho=0.3", "h=7", "selection=diagonal", "distribution=true", "header=1"}},
    {"credit", {"lambda=5", "mu1=6", "mu2=8", "n=6", "m=3"}},
    {"threshold",
     {"lambda=4", "mu=[8, 16, 12]", "thresholds=[4, 8]", "capacity=12", "ca2=5", "cs2=7",
      "states=12"}},
    {"shared-vls",
     {"lambda=[3, 5]", "mu=[8, 16, 12]", "thresholds=[3, 6]", "room=3", "shared=2", "ca2=[5, 2]",
      "cs2=7"}},
    {"mm1", {"lambda=0.5", "states=4"}},
    {"md1", {"lambda=0.5"}},
    {"mg1", {"lambda=0.5", "cs2=3"}},
    {"mm1k", {"lambda=1.5", "capacity=4", "states=4"}},
    {"mmc", {"lambda=2.5", "servers=3", "states=4"}},
    {"erlang-b", {"lambda=2.5", "servers=3", "target=1%", "states=4"}},
    {"erlang-c", {"lambda=2.5", "servers=3", "patience=0.5"}},
    {"priority", {"lambda=[0.2, 0.3]", "cs2=[0, 2]", "discipline=preemptive-resume"}},
    {"jackson", {"lambda=[1, 0]", "mu=[3, 4]", "routing=[0, 0.5, 0.5, 0]", "servers=[1, 2]"}},
    {"vl-arbitration", {"low-vls=[0, 1]", "low-weights=[30, 10]", "bytes=[64]"}},
    {"response", {"law=pipd", "rate=100000", "conditions=true"}},
    {"admission", {"lambda=[2, 0.5]", "bandwidth=[1, 4]", "capacity=10"}},
    {"admission-network",
     {"topology={kind: torus, dims: [3, 3]}", "lambda=[2, 0.5]", "bandwidth=[1, 4]", "capacity=10",
      "requests=2000"}},
    {"ge-ge-1", {"lambda=0.5", "ca2=2", "cs2=3", "states=4"}},
    {"ge-ge-1-n", {"lambda=1.5", "ca2=2", "cs2=3", "capacity=5", "states=5"}},
};

static const char *const *sample_of(const char *name)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (strcmp(samples[i].name, name) == 0)
            return samples[i].settings;
    fail_msg("there is no sample of model %s", name);
    return NULL;
}

typedef struct opened {
    weft_registry registry;
    weft_model_sheet *sheet;
} opened;

static void open_kind(opened *o, const weft_model_kind *kind, const char *also)
{
    const char *settings[14] = {NULL};
    const char *const *given = sample_of(kind->base.name);
    weft_error err;
    size_t count = 0;
    for (; given[count]; count++)
        settings[count] = given[count];
    settings[count] = also;
    weft_registry_init(&o->registry);
    weft_kinds_register(&o->registry);
    const weft_model_source source = {.name = kind->base.name, .overrides = settings};
    if (weft_model_open_source(&source, &o->registry, &o->sheet, &err) != WEFT_OK ||
        weft_model_run(o->sheet, NULL, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(weft_model_points(o->sheet), 1);
}

static void close_kind(opened *o)
{
    weft_model_close(o->sheet);
    weft_registry_done(&o->registry);
}

static const weft_model_kind *kind_at(size_t i)
{
    return (const weft_model_kind *)(const void *)weft_model_kinds[i];
}

static void outputs_have_names_and_units(void **state)
{
    (void)state;
    for (size_t i = 0; weft_model_kinds[i]; i++) {
        const weft_output *outputs = kind_at(i)->outputs;
        assert_non_null(outputs[0].name);
        assert_null(outputs[0].by); /* a picture shows it */
        for (const weft_output *o = outputs; o->name; o++) {
            assert_true(*o->unit && *o->brief);
            assert_true(o->printed == (strncmp(o->name, "printed ", 8) == 0));
            for (const weft_output *other = outputs; other < o; other++)
                assert_string_not_equal(other->name, o->name);
        }
    }
}

static bool is_printed(const weft_metric *metric)
{
    return strcmp(metric->method, "as printed") == 0;
}

static void answers_are_numbers_and_the_same_twice(void **state)
{
    (void)state;
    for (size_t i = 0; weft_model_kinds[i]; i++) {
        opened a, b;
        open_kind(&a, kind_at(i), NULL);
        open_kind(&b, kind_at(i), NULL);
        const weft_point *x = weft_model_point(a.sheet, 0), *y = weft_model_point(b.sheet, 0);
        assert_true(x->n_metrics > 0 && x->n_metrics == y->n_metrics);
        for (size_t m = 0; m < x->n_metrics; m++) {
            const weft_metric *metric = &x->metrics[m];
            assert_memory_equal(&metric->value, &y->metrics[m].value, sizeof metric->value);
            assert_true(metric->value - metric->value == 0);
            assert_false(is_printed(metric));
            if (strcmp(metric->unit, "fraction") == 0)
                assert_true(metric->value >= 0 && metric->value <= 1);
            assert_ptr_equal(
                weft_point_metric(x, metric->name, metric->of, metric->by, metric->index), metric);
        }
        close_kind(&a);
        close_kind(&b);
    }
}

static void printed_values_come_where_they_are_asked_for(void **state)
{
    (void)state;
    size_t kinds = 0;
    for (size_t i = 0; weft_model_kinds[i]; i++) {
        const weft_model_kind *kind = kind_at(i);
        bool has = false;
        for (const weft_output *o = kind->outputs; o->name; o++)
            has = has || o->printed;
        if (!has)
            continue;
        opened a;
        open_kind(&a, kind, "printed=true");
        const weft_point *point = weft_model_point(a.sheet, 0);
        const weft_metric *valid = weft_point_metric(point, "printed valid", "", "", 0);
        assert_non_null(valid);
        assert_true(is_printed(valid) && (valid->value == 0 || valid->value == 1));
        kinds++;
        close_kind(&a);
    }
    assert_true(kinds >= 4);
}

/* The scenario is read and bound, not run: tests/statistical run such ones. */
static void check_scenario(const opened *o, const weft_model_kind *kind)
{
    weft_arena arena;
    weft_trial trial;
    weft_error err;
    weft_plan *plan;
    weft_scenario scenario;
    const void *settings;
    const weft_node *tree;
    weft_arena_init(&arena);
    weft_trial_init(&trial);
    assert_int_equal(weft_model_bind(o->sheet, 0, &arena, &settings, &tree, &err), WEFT_OK);
    if (kind->scenario(settings, &trial, &err) != WEFT_OK)
        fail_msg("%s: %s", kind->base.name, err.text);
    if (weft_plan_read_text("scenario", trial.text.at, trial.text.length, NULL, &o->registry,
                            &arena, &plan, &err) != WEFT_OK ||
        weft_plan_point(plan, 0, &arena, &scenario, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(weft_plan_points(plan), 1);
    assert_true(trial.count > 0);
    for (size_t i = 0; i < trial.count; i++) {
        const weft_output *output = &kind->outputs[trial.at[i].output];
        assert_null(output->by);
        assert_non_null(weft_point_metric(weft_model_point(o->sheet, 0), output->name, "", "", 0));
    }
    weft_trial_done(&trial);
    weft_arena_done(&arena);
}

static void scenarios_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; weft_model_kinds[i]; i++) {
        opened o;
        if (!kind_at(i)->scenario)
            continue;
        open_kind(&o, kind_at(i), NULL);
        check_scenario(&o, kind_at(i));
        close_kind(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_have_names_and_units),
        cmocka_unit_test(answers_are_numbers_and_the_same_twice),
        cmocka_unit_test(printed_values_come_where_they_are_asked_for),
        cmocka_unit_test(scenarios_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
