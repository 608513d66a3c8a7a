/* SPDX-License-Identifier: Apache-2.0 */
/* A study file to its plan: every scenario and series is a tree of its own, edited by what the file
 * says, with the places of the file in its nodes. */
#include "config/evaluation/evaluation.h"

#include "base/suggest.h"
#include "config/describe/print.h"
#include "config/edit.h"
#include "config/include.h"
#include "config/override.h"
#include "config/vary.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MOST 4096               /* of a section */
#define BYTES_MOST   ((size_t)48 << 20) /* of all trees together */

typedef struct reader {
    weft_binder binder;
    weft_evaluation_settings *settings;
    const weft_node *tree;
    size_t nodes_left, n_parts, n_points;
    weft_plan_part *parts;
} reader;

/* A section whose keys are names; NULL: it is not there. */
static weft_status named_section(reader *r, const char *name, const weft_node **section)
{
    const weft_node *node = weft_node_get(r->tree, name);
    *section = node;
    if (!node)
        return WEFT_OK;
    if (node->type != WEFT_NODE_MAP || node->n_values == 0 || node->n_values > ENTRIES_MOST)
        return weft_node_complain(r->binder.err, node,
                                  "%s must be a map of 1 to %d names, found %s", name, ENTRIES_MOST,
                                  weft_node_found(node, r->binder.arena));
    return WEFT_OK;
}

static const weft_table *table_of(const char *name)
{
    const weft_table *const *t = weft_table_evaluation.tables;
    while (strcmp((*t)->name, name) != 0)
        t++;
    return *t;
}

/* ---- scenarios ---- */

/* Every setting of every series copies the maps on its path. */
static weft_status check_room(reader *r, const weft_node *at)
{
    if (r->binder.arena->used > BYTES_MOST)
        return weft_node_complain(r->binder.err, at,
                                  "the study is too large: its scenarios with all their series "
                                  "take more than %d MiB",
                                  (int)(BYTES_MOST >> 20));
    return WEFT_OK;
}

static weft_status check_paths(reader *r, const weft_node *map, const char *what)
{
    if (map && map->type != WEFT_NODE_MAP)
        return weft_node_complain(r->binder.err, map,
                                  "%s must be a map from paths of settings to values, such as "
                                  "{router.vcs: 4}, found %s",
                                  what, weft_node_found(map, r->binder.arena));
    return WEFT_OK;
}

/* Sets all paths of a map. */
static weft_status set_all(reader *r, const weft_node *map, const char *what,
                           const weft_node **tree)
{
    WEFT_TRY(check_paths(r, map, what));
    for (size_t i = 0; map && i < map->n_values; i++) {
        const char *path = map->keys[i]->text;
        if (strcmp(path, "vary") == 0 || strcmp(path, "include") == 0 ||
            strncmp(path, "vary.", 5) == 0)
            return weft_node_complain(
                r->binder.err, map->keys[i],
                "'%.60s' is no setting; what varies stands in vary, beside %s", path, what);
        WEFT_TRY(
            weft_override_set(map->keys[i], map->values[i], r->binder.arena, tree, r->binder.err));
        WEFT_TRY(check_room(r, map->keys[i]));
    }
    return WEFT_OK;
}

/* Adds all axes of a map. */
static weft_status vary_all(reader *r, const weft_node *map, const weft_node **tree)
{
    WEFT_TRY(check_paths(r, map, "vary"));
    for (size_t i = 0; map && i < map->n_values; i++) {
        *tree = weft_override_vary(*tree, map->keys[i], map->values[i], r->binder.arena);
        WEFT_TRY(check_room(r, map->keys[i]));
    }
    return WEFT_OK;
}

/* The scenario that an entry starts from. */
static weft_status base_of(reader *r, const weft_node *name, const weft_node *entry,
                           const weft_node **tree)
{
    const weft_node *scenario = weft_node_get(entry, "scenario");
    weft_arena *arena = r->binder.arena;
    if (!scenario)
        return weft_node_complain(r->binder.err, name,
                                  "scenarios.%s lacks 'scenario', the name of a file or the "
                                  "scenario itself",
                                  name->text);
    if (scenario->type == WEFT_NODE_LIST || weft_node_is_null(scenario))
        return weft_node_complain(r->binder.err, scenario,
                                  "scenario must be the name of a file or a map, found %s",
                                  weft_node_found(scenario, arena));
    if (scenario->type == WEFT_NODE_SCALAR)
        return weft_include_named(scenario, &r->nodes_left, arena, tree, r->binder.err);
    const weft_node *include = weft_node_key(scenario, "include");
    if (include)
        return weft_node_complain(r->binder.err, include, "'include' belongs into a scenario file");
    *tree = weft_node_get(scenario, "interweft")
                ? scenario
                : weft_node_with(arena, scenario, weft_node_scalar(arena, scenario, "interweft"),
                                 weft_node_scalar(arena, scenario, "1"));
    return WEFT_OK;
}

/* Adds the axis seed: 1 … seeds. */
static weft_status add_seeds(reader *r, int64_t seeds, const weft_node **tree)
{
    weft_arena *arena = r->binder.arena;
    const weft_node *by_hand = weft_node_key(weft_node_get(*tree, "vary"), "seed");
    if (seeds == 1)
        return WEFT_OK;
    if (by_hand)
        return weft_node_complain(r->binder.err, by_hand,
                                  "the seed varies here and by 'seeds'; leave one of them out");
    const weft_node *at = r->tree, *range = weft_node_empty_map(arena, at);
    const char *keys[] = {"from", "to", "step"};
    const char *values[] = {"1", weft_arena_format(arena, "%lld", (long long)seeds), "1"};
    for (size_t i = 0; i < 3; i++)
        range = weft_node_with(arena, range, weft_node_scalar(arena, at, keys[i]),
                               weft_node_scalar(arena, at, values[i]));
    *tree = weft_override_vary(*tree, weft_node_scalar(arena, at, "seed"), range, arena);
    return WEFT_OK;
}

static weft_status add_part(reader *r, const weft_node *at, const char *label,
                            const weft_node *tree)
{
    weft_arena *arena = r->binder.arena;
    if (r->n_parts == ENTRIES_MOST)
        return weft_node_complain(r->binder.err, at, "more than %d scenarios and series",
                                  ENTRIES_MOST);
    weft_plan_part *part = &r->parts[r->n_parts++];
    part->label = label;
    tree = weft_node_without(arena, tree, "title");
    WEFT_TRY(weft_plan_of_tree(tree, r->binder.registry, arena, &part->plan, r->binder.err));
    WEFT_TRY(check_room(r, at));
    r->n_points += weft_plan_points(part->plan);
    if (r->n_points > WEFT_POINTS_MAX)
        return weft_node_complain(r->binder.err, at, "the study has more than %d points",
                                  WEFT_POINTS_MAX);
    return WEFT_OK;
}

/* One part for each series, or a single one. */
static weft_status add_series(reader *r, const weft_node *name, const weft_node *series,
                              const weft_node *tree, int64_t seeds)
{
    weft_arena *arena = r->binder.arena;
    const char *label = weft_arena_format(arena, "scenario=%s", name->text);
    if (!series) {
        WEFT_TRY(add_seeds(r, seeds, &tree));
        return add_part(r, name, label, tree);
    }
    if (series->type != WEFT_NODE_MAP || series->n_values == 0)
        return weft_node_complain(r->binder.err, series,
                                  "series must be a map from names to settings by path, such as "
                                  "{minimal: {routing.kind: minimal-oblivious}}, found %s",
                                  weft_node_found(series, arena));
    for (size_t i = 0; i < series->n_values; i++) {
        const weft_node *own = tree;
        WEFT_TRY(weft_bind_name(&r->binder, series->keys[i], "a series"));
        WEFT_TRY(set_all(r, series->values[i], "a series", &own));
        WEFT_TRY(add_seeds(r, seeds, &own));
        WEFT_TRY(add_part(r, series->keys[i],
                          weft_arena_format(arena, "%s series=%s", label, series->keys[i]->text),
                          own));
    }
    return WEFT_OK;
}

/* What the file says of all scenarios comes before what an entry says. */
static weft_status add_scenario(reader *r, const weft_node *name, const weft_node *entry)
{
    const char *path = weft_arena_format(r->binder.arena, "scenarios.%.40s", name->text);
    weft_scenario_entry bound;
    const weft_node *tree = NULL, *series = weft_node_get(entry, "series");
    WEFT_TRY(weft_bind_name(&r->binder, name, "a scenario"));
    WEFT_TRY(weft_bind_table(&r->binder, path, entry, table_of("scenarios"), &bound));
    WEFT_TRY(base_of(r, name, entry, &tree));
    WEFT_TRY(set_all(r, weft_node_get(r->tree, "set"), "set", &tree));
    WEFT_TRY(vary_all(r, weft_node_get(r->tree, "vary"), &tree));
    WEFT_TRY(set_all(r, weft_node_get(entry, "set"), "set", &tree));
    WEFT_TRY(vary_all(r, weft_node_get(entry, "vary"), &tree));
    return add_series(r, name, series ? series : weft_node_get(r->tree, "series"), tree,
                      bound.seeds == WEFT_NONE_INT ? r->settings->seeds : bound.seeds);
}

static weft_status read_scenarios(reader *r)
{
    const weft_node *section;
    WEFT_TRY(named_section(r, "scenarios", &section));
    if (!section)
        return weft_node_complain(r->binder.err, r->tree,
                                  "the study lacks the section 'scenarios', such as scenarios: "
                                  "{torus: {scenario: torus.yaml}}");
    r->parts = WEFT_TAKE(r->binder.arena, weft_plan_part, ENTRIES_MOST);
    for (size_t i = 0; i < section->n_values; i++)
        WEFT_TRY(add_scenario(r, section->keys[i], section->values[i]));
    r->settings->plan = weft_plan_join(r->tree, r->parts, r->n_parts, r->binder.arena);
    return WEFT_OK;
}

/* ---- figures and tables ---- */

static const char *flow_of(reader *r, const weft_node *node)
{
    weft_text text;
    weft_text_init(&text);
    weft_print_flow(&text, node, true);
    const char *copy = weft_arena_copy(r->binder.arena, text.at, text.length);
    weft_text_done(&text);
    return copy;
}

/* One word or a list of words; NULL: nothing is there. */
static weft_status read_words(reader *r, const weft_node *node, const char *key,
                              const weft_node *const **words, size_t *count)
{
    *count = 0;
    if (!node)
        return WEFT_OK;
    bool list = node->type == WEFT_NODE_LIST, bad = node->type == WEFT_NODE_MAP;
    for (size_t i = 0; list && i < node->n_values; i++)
        bad = bad || node->values[i]->type != WEFT_NODE_SCALAR;
    if (bad || (list && node->n_values == 0) || weft_node_is_null(node))
        return weft_node_complain(r->binder.err, node,
                                  "%s must be a word or a list of words, "
                                  "found %s",
                                  key, weft_node_found(node, r->binder.arena));
    const weft_node **one = WEFT_TAKE(r->binder.arena, const weft_node *, 1);
    one[0] = node;
    *words = list ? node->values : one;
    *count = list ? node->n_values : 1;
    return WEFT_OK;
}

/* [mean, p99] as "mean,p99", the form of flags. */
static weft_status read_joined(reader *r, const weft_node *entry, const char *key,
                               const char **joined)
{
    const weft_node *const *words;
    size_t count;
    WEFT_TRY(read_words(r, weft_node_get(entry, key), key, &words, &count));
    *joined = NULL;
    for (size_t i = 0; i < count; i++)
        *joined = weft_arena_format(r->binder.arena, "%s%s%s", i ? *joined : "", i ? "," : "",
                                    words[i]->text);
    return WEFT_OK;
}

/* Names of scenarios. */
static weft_status read_of(reader *r, const weft_node *entry, weft_exhibit *exhibit)
{
    const weft_node *known = weft_node_get(r->tree, "scenarios"), *const * words;
    WEFT_TRY(read_words(r, weft_node_get(entry, "of"), "of", &words, &exhibit->n_scenarios));
    const char **names = WEFT_TAKE(r->binder.arena, const char *, exhibit->n_scenarios + 1);
    for (size_t i = 0; i < exhibit->n_scenarios; i++) {
        names[i] = words[i]->text;
        if (weft_node_get(known, names[i]))
            continue;
        weft_suggest suggest = {.word = names[i]};
        for (size_t k = 0; k < known->n_values; k++)
            weft_suggest_offer(&suggest, known->keys[k]->text);
        return weft_node_complain(r->binder.err, words[i], "there is no scenario %s%s",
                                  weft_node_found(words[i], r->binder.arena),
                                  weft_suggest_text(&suggest));
    }
    exhibit->scenarios = names;
    return WEFT_OK;
}

static weft_status read_only(reader *r, const weft_node *entry, weft_exhibit *exhibit)
{
    const weft_node *map = weft_node_get(entry, "only");
    WEFT_TRY(check_paths(r, map, "only"));
    if (!map)
        return WEFT_OK;
    weft_exhibit_only *only = WEFT_TAKE(r->binder.arena, weft_exhibit_only, map->n_values + 1);
    for (size_t i = 0; i < map->n_values; i++) {
        const weft_node *values = map->values[i];
        bool list = values->type == WEFT_NODE_LIST;
        size_t count = list ? values->n_values : 1;
        const char **texts = WEFT_TAKE(r->binder.arena, const char *, count + 1);
        for (size_t k = 0; k < count; k++)
            texts[k] = flow_of(r, list ? values->values[k] : values);
        only[i] =
            (weft_exhibit_only){.path = map->keys[i]->text, .n_values = count, .values = texts};
    }
    exhibit->n_only = map->n_values;
    exhibit->only = only;
    return WEFT_OK;
}

static weft_status read_exhibit(reader *r, const char *section, const weft_node *name,
                                const weft_node *entry, weft_exhibit *exhibit)
{
    const char *path = weft_arena_format(r->binder.arena, "%s.%.40s", section, name->text);
    WEFT_TRY(weft_bind_name(&r->binder, name, "a figure or table"));
    WEFT_TRY(weft_bind_table(&r->binder, path, entry, table_of(section), exhibit));
    exhibit->name = name->text;
    WEFT_TRY(read_of(r, entry, exhibit));
    WEFT_TRY(read_only(r, entry, exhibit));
    WEFT_TRY(read_joined(r, entry, "curves", &exhibit->curves));
    return read_joined(r, entry, "columns", &exhibit->columns);
}

static weft_status read_exhibits(reader *r, const char *section, const weft_exhibit **exhibits,
                                 size_t *count)
{
    const weft_node *map;
    WEFT_TRY(named_section(r, section, &map));
    if (!map)
        return WEFT_OK;
    weft_exhibit *all = WEFT_TAKE(r->binder.arena, weft_exhibit, map->n_values);
    *exhibits = all;
    *count = map->n_values;
    for (size_t i = 0; i < map->n_values; i++)
        WEFT_TRY(read_exhibit(r, section, map->keys[i], map->values[i], &all[i]));
    return WEFT_OK;
}

/* ---- the file ---- */

static weft_status read_tree(reader *r)
{
    weft_evaluation_settings *settings = r->settings;
    if (!weft_node_key(r->tree, "interweft-study"))
        return weft_node_complain(
            r->binder.err, r->tree,
            "the study lacks 'interweft-study: 1', the version of its "
            "language%s",
            weft_node_key(r->tree, "interweft") ? "; this is a scenario, for `weft run`" : "");
    WEFT_TRY(weft_bind_table(&r->binder, NULL, r->tree, &weft_table_evaluation, settings));
    WEFT_TRY(weft_bind_findings(&r->binder));
    settings->tree = r->tree;
    WEFT_TRY(read_scenarios(r));
    WEFT_TRY(read_exhibits(r, "figures", &settings->figures, &settings->n_figures));
    return read_exhibits(r, "tables", &settings->tables, &settings->n_tables);
}

/* set.router.vcs=4 is the path router.vcs of the section set. */
static weft_status apply(reader *r, const char *override)
{
    weft_arena *arena = r->binder.arena;
    const weft_node *inner = weft_node_get(r->tree, "set");
    if (strncmp(override, "set.", 4) != 0)
        return weft_override_apply(override, &r->nodes_left, arena, &r->tree, r->binder.err);
    const weft_node *one = weft_node_empty_map(arena, r->tree);
    const char *path = override + 4, *value = strchr(path, '=');
    if (!value)
        return weft_override_apply(override, &r->nodes_left, arena, &r->tree, r->binder.err);
    /* a path without dots for the parser of overrides, then its own name */
    WEFT_TRY(weft_override_apply(weft_arena_format(arena, "x%s", value), &r->nodes_left, arena,
                                 &one, r->binder.err));
    const weft_node *key =
        weft_node_scalar(arena, one->keys[0], weft_arena_copy(arena, path, (size_t)(value - path)));
    if (!weft_node_get(one, "x"))
        return weft_node_complain(r->binder.err, key, "set takes single values; found '%.60s'",
                                  override);
    if (!inner || inner->type != WEFT_NODE_MAP)
        inner = weft_node_empty_map(arena, r->tree);
    inner = weft_node_with(arena, inner, key, weft_node_get(one, "x"));
    r->tree = weft_node_with(arena, r->tree, weft_node_scalar(arena, r->tree, "set"), inner);
    return WEFT_OK;
}

static reader new_reader(const weft_registry *registry, weft_arena *arena,
                         weft_evaluation_settings *settings, weft_error *err)
{
    *settings = (weft_evaluation_settings){0};
    return (reader){.binder = {.registry = registry, .arena = arena, .err = err},
                    .settings = settings,
                    .nodes_left = WEFT_NODES_MAX};
}

weft_status weft_evaluation_read(const char *file, const char *const *overrides,
                                 const weft_registry *registry, weft_arena *arena,
                                 weft_evaluation_settings *settings, weft_error *err)
{
    reader r = new_reader(registry, arena, settings, err);
    WEFT_TRY(weft_include_read(file, &r.nodes_left, arena, &r.tree, err));
    for (; overrides && *overrides; overrides++)
        WEFT_TRY(apply(&r, *overrides));
    return read_tree(&r);
}

weft_status weft_evaluation_read_text(const char *name, const char *text, size_t length,
                                      const weft_registry *registry, weft_arena *arena,
                                      weft_evaluation_settings *settings, weft_error *err)
{
    reader r = new_reader(registry, arena, settings, err);
    const weft_source *source = weft_source_of_text(name, text, length, false, arena);
    if (length > WEFT_SOURCE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "%s is larger than 1 MiB, the limit of a study",
                         name);
    WEFT_TRY(weft_source_check(source, err));
    WEFT_TRY(weft_tree_parse(source, 0, &r.nodes_left, arena, &r.tree, err));
    WEFT_TRY(weft_include_root(source, r.tree, arena, err));
    if (weft_node_key(r.tree, "include"))
        return weft_node_complain(err, weft_node_key(r.tree, "include"),
                                  "'include' needs a study that is a file");
    return read_tree(&r);
}
