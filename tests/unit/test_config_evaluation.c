/* SPDX-License-Identifier: Apache-2.0 */
/* Files of weft study and the variants of weft sensitivity: their points and exhibits as they are
 * understood, and what is refused with which words. */
#include "base/text.h"
#include "config/evaluation/evaluation.h"
#include "config/evaluation/variants.h"
#include "test_refusals.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#define TORUS \
    "{topology: {kind: torus, dims: [4, 4]}, traffic: {all: {length: 8 flits, load: 0.1}}}"

/* Version and a scenario are added to a study that has none. */
static const char *whole(const char *text, weft_arena *arena)
{
    bool version = refusals_has(text, "interweft"), scenarios = refusals_has(text, "scenarios:");
    return weft_arena_format(arena, "%s%s\n%s", version ? "" : "interweft-study: 1\n", text,
                             scenarios ? "" : "scenarios: {t: {scenario: " TORUS "}}\n");
}

static const char *study(const char *text, const weft_registry *registry, weft_arena *arena)
{
    weft_evaluation_settings settings;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    text = whole(text, arena);
    weft_status status =
        weft_evaluation_read_text("s.yaml", text, strlen(text), registry, arena, &settings, err);
    assert_int_equal(status != WEFT_OK, *err->text != '\0');
    return err->text;
}

static const refusal studies[] = {
    {"interweft: 1", "s.yaml:1:1: the study lacks 'interweft-study: 1', the version of its "
                     "language; this is a scenario, for `weft run`"},
    {"interweft-study: 2", "s.yaml:1:18: interweft-study must be 1 … 1, found 2"},
    {"interweft-study: 1\nwords: 5",
     "s.yaml:2:1: a study has no section 'words' (known: interweft-study, title, about, seeds, "
     "scenarios, figures, tables, set, vary, series)"},
    {"interweft-study: [1", "s.yaml:2:10: not valid YAML: ',' or ']' is missing here; the list "
                            "begins at line 1, column 18"},
    {"seeds: 0", "s.yaml:2:8: seeds must be 1 … 10000, found 0"},
    {"seeds: 10001", "s.yaml:2:8: seeds must be 1 … 10000, found 10001"},
    {"include: other.yaml", "s.yaml:2:1: 'include' needs a study that is a file"},
    {"set: 5", "s.yaml:2:6: set must be a map from paths of settings to values, such as "
               "{router.vcs: 4}, found '5'"},
    {"set: {vary: 5}", "s.yaml:2:7: 'vary' is no setting; what varies stands in vary, beside set"},
    {"set: {vary.seed: [1, 2]}",
     "s.yaml:2:7: 'vary.seed' is no setting; what varies stands in vary, beside set"},
    {"set: {include: a.yaml}",
     "s.yaml:2:7: 'include' is no setting; what varies stands in vary, beside set"},
    {"set: {traffic.al.load: 0.2}", "s.yaml:2:15: traffic has no class 'al'; did you mean 'all'?"},
    {"vary: [seed]", "s.yaml:2:7: vary must be a map from paths of settings to values, such as "
                     "{router.vcs: 4}, found a list"},
    {"vary: {vary: [1]}", "s.yaml:2:8: 'vary' cannot vary"},
    {"vary: {seed: [1, 2]}\nseeds: 2",
     "s.yaml:2:8: the seed varies here and by 'seeds'; leave one of them out"},
    {"series: 5", "s.yaml:2:9: series must be a map from names to settings by path, such as "
                  "{minimal: {routing.kind: minimal-oblivious}}, found '5'"},
    {"series: {}", "s.yaml:2:9: series must be a map from names to settings by path, such as "
                   "{minimal: {routing.kind: minimal-oblivious}}, found an empty map"},
    {"series: {9: {seed: 1}}", "s.yaml:2:10: a series is named by a letter and at most 39 letters, "
                               "digits, - and _; found '9'"},
    {"series: {a: 5}", "s.yaml:2:13: a series must be a map from paths of settings to values, such "
                       "as {router.vcs: 4}, found '5'"},
    {"series: {a: {vary.seed: 1}}",
     "s.yaml:2:14: 'vary.seed' is no setting; what varies stands in vary, beside a series"},
    {"scenarios: 5", "s.yaml:2:12: scenarios must be a map of 1 to 4096 names, found '5'"},
    {"scenarios: {}",
     "s.yaml:2:12: scenarios must be a map of 1 to 4096 names, found an empty map"},
    {"scenarios: {a b: {scenario: a.yaml}}", "s.yaml:2:13: a scenario is named by a letter and at "
                                             "most 39 letters, digits, - and _; found 'a b'"},
    {"scenarios: {a: 5}", "s.yaml:2:16: scenarios.a must be a map of settings, found '5'"},
    {"scenarios: {a: {scenarios: 5}}",
     "s.yaml:2:17: scenarios.a has no setting 'scenarios'; did you mean 'scenario'?"},
    {"scenarios: {a: {seeds: 2}}",
     "s.yaml:2:13: scenarios.a lacks 'scenario', the name of a file or the scenario itself"},
    {"scenarios: {a: {scenario: [a.yaml]}}",
     "s.yaml:2:27: scenario must be the name of a file or a map, found a list"},
    {"scenarios: {a: {scenario: ~}}",
     "s.yaml:2:27: scenario must be the name of a file or a map, found nothing"},
    {"scenarios: {a: {scenario: no-such-file.yaml}}",
     "s.yaml:2:27: the included file 'no-such-file.yaml' cannot be read: No such file or "
     "directory"},
    {"scenarios: {a: {scenario: {include: a.yaml}}}",
     "s.yaml:2:28: 'include' belongs into a scenario file"},
    {"scenarios: {a: {scenario: {interweft: 2}}}",
     "s.yaml:2:39: interweft must be 1, the version of the language that this program reads, found "
     "'2'"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, set: 5}}",
     "s.yaml:2:73: set must be a map from paths of settings to values, such as {router.vcs: 4}, "
     "found '5'"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, set: {include: 5}}}",
     "s.yaml:2:74: 'include' is no setting; what varies stands in vary, beside set"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, vary: 5}}",
     "s.yaml:2:74: vary must be a map from paths of settings to values, such as {router.vcs: 4}, "
     "found '5'"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, vary: {seed: []}}}",
     "s.yaml:2:81: vary.seed is an empty list; give at least one value"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, series: []}}",
     "s.yaml:2:76: series must be a map from names to settings by path, such as {minimal: "
     "{routing.kind: minimal-oblivious}}, found an empty list"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, seeds: 2, vary: {seed: "
     "[1]}}}",
     "s.yaml:2:85: the seed varies here and by 'seeds'; leave one of them out"},
    {"scenarios: {a: {scenario: {topology: {kind: torus, dims: [4, 4]}}, vary: {seed: "
     "1/1000000/1}}, b: {scenario: {topology: {kind: torus, dims: [4, 4]}}}}",
     "s.yaml:2:96: the study has more than 1000000 points"},
    {"figures: 5", "s.yaml:2:10: figures must be a map of 1 to 4096 names, found '5'"},
    {"figures: {}", "s.yaml:2:10: figures must be a map of 1 to 4096 names, found an empty map"},
    {"figures: {a b: {}}", "s.yaml:2:11: a figure or table is named by a letter and at most 39 "
                           "letters, digits, - and _; found 'a b'"},
    {"figures: {f: 5}", "s.yaml:2:14: figures.f must be a map of settings, found '5'"},
    {"figures: {f: {z: mean}}", "s.yaml:2:15: figures.f has no setting 'z' (known: title, caption, "
                                "x, y, log, size, legend, of, only, curves)"},
    {"figures: {f: {log: z}}",
     "s.yaml:2:20: figures.f.log must be one of auto, none, x, y, both, found 'z'"},
    {"figures: {f: {of: T}}", "s.yaml:2:19: there is no scenario 'T'"},
    {"figures: {f: {of: [t, nothing]}}", "s.yaml:2:23: there is no scenario 'nothing'"},
    {"figures: {f: {of: {t: 1}}}",
     "s.yaml:2:19: of must be a word or a list of words, found a map"},
    {"figures: {f: {of: []}}",
     "s.yaml:2:19: of must be a word or a list of words, found an empty list"},
    {"figures: {f: {of: ~}}", "s.yaml:2:19: of must be a word or a list of words, found nothing"},
    {"figures: {f: {of: [[t]]}}",
     "s.yaml:2:19: of must be a word or a list of words, found a list"},
    {"figures: {f: {only: 5}}", "s.yaml:2:21: only must be a map from paths of settings to values, "
                                "such as {router.vcs: 4}, found '5'"},
    {"figures: {f: {curves: {a: 1}}}",
     "s.yaml:2:23: curves must be a word or a list of words, found a map"},
    {"figures: {f: {curves: []}}",
     "s.yaml:2:23: curves must be a word or a list of words, found an empty list"},
    {"figures: {f: {columns: mean}}", "s.yaml:2:15: figures.f has no setting 'columns' (known: "
                                      "title, caption, x, y, log, size, legend, of, only, curves)"},
    {"tables: 5", "s.yaml:2:9: tables must be a map of 1 to 4096 names, found '5'"},
    {"tables: {t: {x: mean}}",
     "s.yaml:2:14: tables.t has no setting 'x' (known: title, caption, of, only, columns)"},
    {"tables: {t: {columns: []}}",
     "s.yaml:2:23: columns must be a word or a list of words, found an empty list"},
    {"tables: {t: {columns: [mean, [p99]]}}",
     "s.yaml:2:23: columns must be a word or a list of words, found a list"},
};

static void studies_are_refused_with_their_sentence(void **state)
{
    (void)state;
    REFUSED(studies, study);
}

static const char file[] = "test_config_evaluation.yaml"; /* of this test alone */

static void write_file(const char *text)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* Of a study with one scenario, in which nothing is set. */
static const char *overridden(const char *text, const weft_registry *registry, weft_arena *arena)
{
    weft_evaluation_settings settings;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    const char *const overrides[] = {text, NULL};
    write_file(whole("seeds: 2", arena));
    weft_status status = weft_evaluation_read(file, overrides, registry, arena, &settings, err);
    assert_int_equal(status != WEFT_OK, *err->text != '\0');
    assert_int_equal(unlink(file), 0);
    return err->text;
}

static const refusal settings_given[] = {
    {"set.router.vcs", "command line: 'set.router.vcs' is not a setting; write key=value, such as "
                       "traffic.all.rho=0.3"},
    {"set.router.vcs=[", "command line: not valid YAML: the text ends where a value is missing"},
    {"set.=3", "command line: '' is not a path of settings such as routing.selection"},
    {"set.seed=1,2", "command line: set takes single values; found 'set.seed=1,2'"},
    {"set.seed=1/3/1", "command line: set takes single values; found 'set.seed=1/3/1'"},
    {"set.traffic.al.load=0.2", "command line: traffic has no class 'al'; did you mean 'all'?"},
    {"set.topology.dims.0=4",
     "command line: 'dims' is a list, whose parts have no names; give all of it, such as [4, 4]"},
    {"seeds",
     "command line: 'seeds' is not a setting; write key=value, such as traffic.all.rho=0.3"},
    {"seeds=0", "command line: seeds must be 1 … 10000, found 0"},
    {"seeds=many", "command line: seeds must be a whole number, found 'many'"},
    {"include=a.yaml", "command line: 'include' belongs into a scenario file"},
    {"figures.f.of=u", "command line: there is no scenario 'u'"},
    {"vary.seed=1/3/1", "command line: the seed varies here and by 'seeds'; leave one of them out"},
    {"vary.traffic.all.load=0.1,0.2", ""},
    {"set.seed=3", ""},
    {"set.title=", ""},
};

static void settings_of_a_study_are_refused_by_their_own_names(void **state)
{
    (void)state;
    REFUSED(settings_given, overridden);
}

static bool any(weft_scenario *scenario, weft_arena *arena, weft_error *err)
{
    (void)scenario, (void)arena, (void)err;
    return true;
}

/* Two virtual channels are right. */
static bool only_two(weft_scenario *scenario, weft_arena *arena, weft_error *err)
{
    (void)arena;
    if (weft_scenario_vcs(scenario) == 2)
        return true;
    (void)weft_fail(err, WEFT_BAD_INPUT, "two are right\nalways");
    return false;
}

#define SCENARIO                                                                     \
    "interweft: 1\n"                                                                 \
    "title: 5\n"                                                                     \
    "seed: 7\n"                                                                      \
    "topology: {kind: torus, dims: [4, 4], hosts: 20}\n"                             \
    "router: {kind: input-queued, vcs: 2}\n"                                         \
    "links: {latency: 0 cycles}\n"                                                   \
    "traffic: {all: {length: 8 flits, rho: 1}, b: {length: 8.0 flits, load: 10%}}\n" \
    "measure: {half-width: 3%}\n"                                                    \
    "vary: {router.vcs: [2, 4]}\n"

/* Names for --vary, none: all numbers of the scenario. */
static weft_status variants_of(const char *scenario, const char *text,
                               const weft_registry *registry, weft_arena *arena,
                               weft_variants *variants, weft_error *err)
{
    const char *names[4] = {NULL};
    size_t count = 0;
    for (char *at = weft_arena_format(arena, "%s", text); at && *at;) {
        assert(count < 3);
        names[count++] = strsep(&at, " ");
    }
    const weft_sensitivity_options options = {
        .study = {.file = file}, .vary = *text ? names : NULL, .by = 0.1, .seeds = 2};
    write_file(scenario);
    weft_status status =
        weft_variants_read(&options, registry, *text ? any : only_two, arena, variants, err);
    assert_int_equal(unlink(file), 0);
    return status;
}

static const char *varied(const char *text, const weft_registry *registry, weft_arena *arena)
{
    weft_variants variants;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    weft_status status = variants_of(SCENARIO, text, registry, arena, &variants, err);
    assert_int_equal(status != WEFT_OK, *err->text != '\0');
    return err->text;
}

static const refusal variations[] = {
    {"router.vc", "--vary: the scenario does not give 'router.vc'; did you mean 'router.vcs'?"},
    {"nothing.at.all",
     "--vary: the scenario does not give 'nothing.at.all'; give it a value, such as router.vcs=4"},
    {"links.latency", "test_config_evaluation.yaml:6:18: --vary: links.latency is no number other "
                      "than 0; found '0 cycles'"},
    {"topology",
     "test_config_evaluation.yaml:4:11: --vary: topology is no number other than 0; found a map"},
    {"topology.dims", "test_config_evaluation.yaml:4:31: --vary: topology.dims is no number other "
                      "than 0; found a list"},
    {"traffic.all", "test_config_evaluation.yaml:7:16: --vary: traffic.all is no number other than "
                    "0; found a map"},
    {"router.vcs.x",
     "--vary: the scenario does not give 'router.vcs.x'; did you mean 'router.vcs'?"},
    {"router.kind", "test_config_evaluation.yaml:5:16: --vary: router.kind is no number other than "
                    "0; found 'input-queued'"},
};

static void variants_are_refused_with_their_sentence(void **state)
{
    (void)state;
    REFUSED(variations, varied);
}

/* What a study of two scenarios, two series and two seeds comes to. */
static void a_study_is_all_combinations(void **state)
{
    (void)state;
    static const char text[] =
        "interweft-study: 1\n"
        "seeds: 2\n"
        "set: {traffic.all.load: 0.3}\n"
        "vary:\n  traffic.all.length: 4 flits,8 flits\n"
        "series: {fast: {router.header: 1 cycle}, slow: {router.header: 9 cycles}}\n"
        "scenarios:\n"
        "  a: {scenario: " TORUS ", vary: {topology.hosts: 1/3/1}}\n"
        "  b: {scenario: " TORUS ", series: {only: {topology.hosts: 2}}, seeds: 1, vary: "
        "{traffic.all.length: [9 flits]}}\n"
        "figures:\n"
        "  f: {title: T, of: [b, a], curves: [x, y z], only: {seed: 1, topology.hosts: [1, 2]},"
        " log: both}\n"
        "  g: {of: a, curves: w}\n"
        "tables: {t: {columns: [mean, p99]}, u: {}}\n";
    weft_registry registry;
    weft_arena arena;
    weft_evaluation_settings settings;
    weft_error err = {""};
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    weft_status status =
        weft_evaluation_read_text("s.yaml", text, strlen(text), &registry, &arena, &settings, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(weft_plan_points(settings.plan), 2 * 2 * 3 * 2 + 1);
    assert_string_equal(
        weft_plan_key(settings.plan, 0),
        "scenario=a series=fast seed=1 topology.hosts=1 traffic.all.length=4 flits");
    assert_string_equal(
        weft_plan_key(settings.plan, 23),
        "scenario=a series=slow seed=2 topology.hosts=3 traffic.all.length=8 flits");
    assert_string_equal(weft_plan_key(settings.plan, 24),
                        "scenario=b series=only traffic.all.length=9 flits");
    assert_int_equal(settings.n_figures, 2);
    const weft_exhibit *f = &settings.figures[0], *g = &settings.figures[1];
    assert_string_equal(f->name, "f");
    assert_string_equal(f->title, "T");
    assert_null(f->caption);
    assert_int_equal(f->n_scenarios, 2);
    assert_string_equal(f->scenarios[0], "b");
    assert_string_equal(f->scenarios[1], "a");
    assert_string_equal(f->curves, "x,y z");
    assert_int_equal(f->log, WEFT_LOG_BOTH);
    assert_int_equal(f->n_only, 2);
    assert_string_equal(f->only[0].path, "seed");
    assert_int_equal(f->only[0].n_values, 1);
    assert_string_equal(f->only[0].values[0], "1");
    assert_string_equal(f->only[1].path, "topology.hosts");
    assert_int_equal(f->only[1].n_values, 2);
    assert_string_equal(f->only[1].values[1], "2");
    assert_int_equal(g->n_scenarios, 1);
    assert_string_equal(g->scenarios[0], "a");
    assert_string_equal(g->curves, "w");
    assert_int_equal(g->n_only, 0);
    assert_int_equal(settings.n_tables, 2);
    assert_string_equal(settings.tables[0].columns, "mean,p99");
    assert_null(settings.tables[1].columns);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

/* set.PATH=VALUE is of all scenarios, beside what the file sets. */
static void settings_given_are_set_in_every_scenario(void **state)
{
    (void)state;
    static const char *const overrides[] = {"set.traffic.all.load=0.4", "set.topology.hosts=3",
                                            NULL};
    weft_registry registry;
    weft_arena arena;
    weft_evaluation_settings settings;
    weft_scenario scenario;
    weft_error err = {""};
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    for (int given = 0; given < 2; given++) {
        write_file(whole(given ? "set: {traffic.all.load: 0.2, seed: 5}" : "", &arena));
        assert_int_equal(weft_evaluation_read(file, overrides, &registry, &arena, &settings, &err),
                         WEFT_OK);
        assert_int_equal(weft_plan_point(settings.plan, 0, &arena, &scenario, &err), WEFT_OK);
        assert_true(scenario.traffic[0].load == 0.4);
        assert_non_null(strstr(scenario.text, "hosts: 3"));
        assert_int_equal(scenario.seed, given ? 5 : 1);
    }
    assert_int_equal(unlink(file), 0);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

static const struct {
    const char *path, *base, *down, *up, *why; /* NULL: none */
} sides[] = {
    {"topology.hosts", "20", "18", "22", NULL},
    {"router.vcs", "2", NULL, NULL, "two are right"},
    {"traffic.all.length", "8 flits", "7 flits", "9 flits", NULL},
    {"traffic.all.rho", "1", "0.9", NULL, NULL},
    {"traffic.b.length", "8.0 flits", "7.2 flits", "8.8 flits", NULL},
    {"traffic.b.load", "10%", "9%", "11%", NULL},
};

static void assert_same(const char *found, const char *wanted)
{
    assert_int_equal(found == NULL, wanted == NULL);
    if (wanted)
        assert_string_equal(found, wanted);
}

/* Whole numbers step by whole numbers, at least by 1; the others by a tenth. */
static void every_number_of_a_scenario_has_two_sides(void **state)
{
    (void)state;
    weft_registry registry;
    weft_arena arena;
    weft_variants variants;
    weft_error err = {""};
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    weft_status status = variants_of(SCENARIO, "", &registry, &arena, &variants, &err);
    assert_int_equal(status, WEFT_OK);
    assert_string_equal(variants.first, "router.vcs=2");
    assert_int_equal(variants.n_settings, sizeof sides / sizeof *sides);
    for (size_t i = 0; i < variants.n_settings; i++) {
        const weft_varied_setting *s = &variants.settings[i];
        assert_string_equal(s->path, sides[i].path);
        assert_string_equal(s->text[WEFT_SIDE_BASE], sides[i].base);
        assert_same(s->text[WEFT_SIDE_DOWN], sides[i].down);
        assert_same(s->text[WEFT_SIDE_UP], sides[i].up);
        assert_same(s->why, sides[i].why);
    }
    assert_true(variants.settings[5].value[WEFT_SIDE_BASE] == 10);
    assert_true(variants.settings[5].value[WEFT_SIDE_DOWN] == 9);
    assert_int_equal(weft_plan_points(variants.plan), 2 * (1 + 9));
    assert_string_equal(weft_plan_key(variants.plan, 0), "setting=none seed=1");
    assert_string_equal(weft_plan_key(variants.plan, 3), "setting=topology.hosts value=18 seed=2");
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

/* Scenarios with `keys` settings each, and every one of them in `series`. */
static void add_study(weft_text *text, int scenarios, int keys, int series)
{
    weft_text_add(text, "scenarios:\n");
    for (int i = 0; i < scenarios; i++) {
        weft_text_add(text, "  a%d: {scenario: {seed: 1", i);
        for (int k = 0; k < keys; k++)
            weft_text_add(text, ", x%d: 1", k);
        weft_text_add(text, "}}\n");
    }
    weft_text_add(text, "series: {");
    for (int s = 0; s < series; s++)
        weft_text_add(text, "%ss%d: {seed: 2}", s ? ", " : "", s);
    weft_text_add(text, "}\n");
}

/* Its first line ends so. */
static void assert_study_refused(const weft_text *text, const char *message)
{
    weft_registry registry;
    weft_arena arena;
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    const char *said = study(text->at, &registry, &arena);
    const char *line = weft_arena_copy(&arena, said, strcspn(said, "\n")),
               *place = strstr(line, message);
    if (!place || strcmp(place, message) != 0)
        fail_msg("%s", line);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

static void studies_have_an_end(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    add_study(&text, 5, 0, 820); /* the 817th series of the fifth scenario */
    assert_study_refused(&text, "s.yaml:8:13772: more than 4096 scenarios and series");
    weft_text_done(&text);
    weft_text_init(&text);
    add_study(&text, 4, 1000, 1000);
    assert_study_refused(&text, ": the study is too large: its scenarios with all "
                                "their series take more than 48 MiB");
    weft_text_done(&text);
    weft_text_init(&text);
    weft_text_add(&text, "about: %*d\n", 1 << 20, 1);
    assert_study_refused(&text, "s.yaml is larger than 1 MiB, the limit of a study");
    weft_text_done(&text);
}

static void a_thousand_settings_are_varied_at_most(void **state)
{
    (void)state;
    weft_registry registry;
    weft_arena arena;
    weft_variants variants;
    weft_error err = {""};
    const char *names[1002] = {NULL};
    for (int i = 0; i < 1001; i++)
        names[i] = "router.vcs";
    const weft_sensitivity_options options = {
        .study = {.file = file}, .vary = names, .by = 0.1, .seeds = 2};
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    write_file(SCENARIO);
    assert_int_equal(weft_variants_read(&options, &registry, any, &arena, &variants, &err),
                     WEFT_BAD_USAGE);
    assert_string_equal(err.text, "--vary: more than 1000 settings");
    assert_int_equal(unlink(file), 0);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

/* A scenario may have no number that can be another one. */
static void something_must_vary(void **state)
{
    (void)state;
    static const char text[] = "interweft: 1\n"
                               "topology: {kind: torus, dims: [4, 4]}\n"
                               "jobs: {a: {collective: allreduce/ring}}\n";
    weft_registry registry;
    weft_arena arena;
    weft_variants variants;
    weft_error err = {""};
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    assert_int_equal(variants_of(text, "", &registry, &arena, &variants, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "test_config_evaluation.yaml gives no numbers that can be "
                                  "varied; --vary names settings");
    weft_arena_done(&arena);
    weft_registry_done(&registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(studies_are_refused_with_their_sentence),
        cmocka_unit_test(settings_of_a_study_are_refused_by_their_own_names),
        cmocka_unit_test(variants_are_refused_with_their_sentence),
        cmocka_unit_test(a_study_is_all_combinations),
        cmocka_unit_test(settings_given_are_set_in_every_scenario),
        cmocka_unit_test(every_number_of_a_scenario_has_two_sides),
        cmocka_unit_test(studies_have_an_end),
        cmocka_unit_test(a_thousand_settings_are_varied_at_most),
        cmocka_unit_test(something_must_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
