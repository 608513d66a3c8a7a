/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario from its file to its points: includes, overrides, the vary grid, one point's tree. */
#include "config/scenario.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"
#include "config/describe/print.h"
#include "config/edit.h"
#include "config/files.h"
#include "config/include.h"
#include "config/one_load.h"
#include "config/override.h"
#include "config/settings.h"
#include "config/vary.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weft_plan {
    weft_arena *arena;
    const weft_registry *registry;
    const weft_node *tree; /* merged, without vary */
    const weft_node *vary; /* NULL: none */
    const weft_sweep *grid;
    const char *title, *text;
    const char **keys;          /* of points, made when asked for */
    const char *const *changes; /* of every point, over its settings; NULL: none */
    /* of a joint plan, which has neither tree nor grid */
    const weft_plan_part *parts;
    size_t n_parts, n_points;
};

static weft_status check_version(const weft_node *tree, weft_arena *arena, weft_error *err)
{
    const weft_node *version = weft_node_get(tree, "interweft");
    if (!version)
        return weft_node_complain(err, tree,
                                  "the scenario lacks 'interweft: 1', the version of its language");
    if (version->type != WEFT_NODE_SCALAR || strcmp(version->text, "1") != 0)
        return weft_node_complain(err, version,
                                  "interweft must be 1, the version of the language that this "
                                  "program reads, found %s",
                                  weft_node_found(version, arena));
    return WEFT_OK;
}

static const char *plan_text(const weft_node *tree, weft_arena *arena)
{
    weft_text text;
    weft_text_init(&text);
    for (size_t i = 0; i < tree->n_values; i++) {
        weft_print_text(&text, tree->keys[i]->text);
        weft_text_append(&text, ": ", 2);
        weft_print_flow(&text, tree->values[i], false);
        weft_text_append(&text, "\n", 1);
    }
    const char *copy = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    return copy;
}

static const char *plan_title(const weft_node *tree, weft_arena *arena)
{
    const weft_node *title = weft_node_get(tree, "title");
    if (!title || title->type != WEFT_NODE_SCALAR || weft_node_is_null(title))
        return "";
    char *text = weft_arena_copy(arena, title->text, strlen(title->text));
    weft_make_harmless(text);
    return text;
}

/* From the merged tree: overrides, version, grid. */
static weft_status finish(const weft_node *tree, const char *const *overrides, size_t *nodes_left,
                          weft_plan *plan, weft_error *err)
{
    for (; overrides && *overrides; overrides++)
        WEFT_TRY(weft_override_apply(*overrides, nodes_left, plan->arena, &tree, err));
    WEFT_TRY(check_version(tree, plan->arena, err));
    plan->vary = weft_node_get(tree, "vary");
    WEFT_TRY(weft_sweep_read(plan->vary, plan->arena, &plan->grid, err));
    if (!plan->text)
        plan->text = plan_text(tree, plan->arena);
    plan->title = plan_title(tree, plan->arena);
    plan->tree = weft_node_without(plan->arena, tree, "vary");
    plan->keys = WEFT_TAKE(plan->arena, const char *, weft_sweep_points(plan->grid));
    return WEFT_OK;
}

static weft_plan *new_plan(const weft_registry *registry, weft_arena *arena)
{
    weft_plan *plan = WEFT_TAKE(arena, weft_plan, 1);
    plan->arena = arena;
    plan->registry = registry;
    return plan;
}

weft_status weft_plan_read(const char *file, const char *const *overrides,
                           const weft_registry *registry, weft_arena *arena, weft_plan **plan,
                           weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *tree = NULL;
    *plan = new_plan(registry, arena);
    WEFT_TRY(weft_include_read(file, &nodes_left, arena, &tree, err));
    return finish(tree, overrides, &nodes_left, *plan, err);
}

weft_status weft_plan_read_text(const char *name, const char *text, size_t length,
                                const char *const *overrides, const weft_registry *registry,
                                weft_arena *arena, weft_plan **plan, weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *tree = NULL;
    *plan = new_plan(registry, arena);
    if (length > WEFT_SOURCE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "%s is larger than 1 MiB, the limit of a scenario",
                         name);
    const weft_source *source = weft_source_of_text(name, text, length, false, arena);
    WEFT_TRY(weft_source_check(source, err));
    WEFT_TRY(weft_tree_parse(source, 0, &nodes_left, arena, &tree, err));
    WEFT_TRY(weft_include_root(source, tree, arena, err));
    if (weft_node_key(tree, "include"))
        return weft_node_complain(err, weft_node_key(tree, "include"),
                                  "'include' needs a scenario that is a file");
    return finish(tree, overrides, &nodes_left, *plan, err);
}

weft_status weft_plan_keep_one_load(weft_plan *plan, weft_error *err)
{
    if (!plan->vary)
        return WEFT_OK;
    plan->vary = weft_one_load(plan->tree, plan->vary, plan->grid, plan->arena);
    WEFT_TRY(weft_sweep_read(plan->vary, plan->arena, &plan->grid, err));
    plan->keys = WEFT_TAKE(plan->arena, const char *, weft_sweep_points(plan->grid));
    return WEFT_OK;
}

weft_status weft_plan_of_tree(const weft_node *tree, const weft_registry *registry,
                              weft_arena *arena, weft_plan **plan, weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    *plan = new_plan(registry, arena);
    (*plan)->text = ""; /* many parts of one joint plan would hold much the same */
    return finish(tree, NULL, &nodes_left, *plan, err);
}

weft_plan *weft_plan_join(const weft_node *tree, const weft_plan_part *parts, size_t n_parts,
                          weft_arena *arena)
{
    weft_plan *plan = new_plan(NULL, arena);
    plan->title = plan_title(tree, arena);
    plan->text = plan_text(tree, arena);
    plan->parts = parts;
    plan->n_parts = n_parts;
    for (size_t p = 0; p < n_parts; p++)
        plan->n_points += weft_plan_points(parts[p].plan);
    plan->keys = WEFT_TAKE(arena, const char *, plan->n_points);
    return plan;
}

bool weft_plan_is_joint(const weft_plan *plan)
{
    return plan->parts != NULL;
}

/* The part of a joint plan that has point *i, which becomes its number there. */
static const weft_plan_part *part_of(const weft_plan *plan, size_t *i)
{
    const weft_plan_part *part = plan->parts;
    while (*i >= weft_plan_points(part->plan))
        *i -= weft_plan_points((part++)->plan);
    return part;
}

static const char *joint_key(const weft_plan *plan, size_t i, weft_arena *arena)
{
    const weft_plan_part *part = part_of(plan, &i);
    const char *inside = weft_sweep_key(part->plan->grid, i, arena);
    return weft_arena_format(arena, "%s%s%s", part->label, *inside ? " " : "", inside);
}

const char *weft_plan_title(const weft_plan *plan)
{
    return plan->title;
}

size_t weft_plan_points(const weft_plan *plan)
{
    return plan->parts ? plan->n_points : weft_sweep_points(plan->grid);
}

const char *weft_plan_key(const weft_plan *plan, size_t i)
{
    assert(i < weft_plan_points(plan));
    if (!plan->keys[i])
        plan->keys[i] = plan->parts ? joint_key(plan, i, plan->arena)
                                    : weft_sweep_key(plan->grid, i, plan->arena);
    return plan->keys[i];
}

const char *weft_plan_text(const weft_plan *plan)
{
    return plan->text;
}

static weft_status bind_point(const weft_plan *plan, size_t i, weft_arena *arena,
                              weft_scenario *scenario, weft_error *err)
{
    assert(i < weft_plan_points(plan));
    weft_setting settings[WEFT_SETTINGS_MAX];
    const weft_node *tree = plan->tree;
    size_t count = weft_sweep_settings(plan->grid, i, arena, settings);
    for (size_t k = 0; k < count; k++)
        WEFT_TRY(weft_node_assign(arena, tree, settings[k].path, settings[k].value, &tree, err));
    size_t nodes_left = WEFT_NODES_MAX;
    for (const char *const *change = plan->changes; change && *change; change++)
        WEFT_TRY(weft_override_apply(*change, &nodes_left, arena, &tree, err));
    WEFT_TRY(weft_settings_bind(plan->registry, tree, arena, scenario, err));
    scenario->key = weft_sweep_key(plan->grid, i, arena);
    scenario->point_seed = weft_sweep_seed(scenario->seed, scenario->key);
    return WEFT_OK;
}

void weft_plan_change(weft_plan *plan, const char *const *settings)
{
    assert(!plan->parts);
    plan->changes = settings;
}

weft_status weft_plan_point_with(const weft_plan *plan, const char *const *settings,
                                 size_t n_settings, weft_arena *arena, weft_scenario *scenario,
                                 weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *tree = plan->tree;
    assert(!plan->parts);
    for (size_t i = 0; i < n_settings; i++)
        WEFT_TRY(weft_override_apply(settings[i], &nodes_left, arena, &tree, err));
    return weft_settings_bind(plan->registry, tree, arena, scenario, err);
}

/* Random numbers follow from the settings alone, and the settings tell what files held. */
static weft_status joint_point(const weft_plan *plan, size_t i, weft_arena *arena,
                               weft_scenario *scenario, weft_error *err)
{
    size_t inside = i;
    const weft_plan_part *part = part_of(plan, &inside);
    WEFT_TRY(weft_plan_point(part->plan, inside, arena, scenario, err));
    scenario->key = joint_key(plan, i, arena);
    scenario->point_seed = weft_sweep_seed(scenario->seed, "");
    scenario->text = scenario->identity;
    return WEFT_OK;
}

weft_status weft_plan_point(const weft_plan *plan, size_t i, weft_arena *arena,
                            weft_scenario *scenario, weft_error *err)
{
    if (plan->parts)
        return joint_point(plan, i, arena, scenario, err);
    WEFT_TRY(bind_point(plan, i, arena, scenario, err));
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "%s", scenario->text);
    for (size_t k = 0; k < scenario->n_files; k++)
        weft_files_add(&text, &scenario->files[k]);
    scenario->identity = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    return WEFT_OK;
}

/* Adds the lines of files, but for those that are there. */
static void add_files(const weft_scenario *scenario, weft_arena *arena, weft_file **seen,
                      size_t *count, weft_text *text)
{
    for (size_t i = 0; i < scenario->n_files; i++) {
        const weft_file *file = &scenario->files[i];
        size_t k = 0;
        while (k < *count && strcmp((*seen)[k].path, file->path) != 0)
            k++;
        if (k < *count)
            continue;
        *seen = weft_realloc(*seen, *count + 1, sizeof **seen);
        (*seen)[(*count)++] =
            (weft_file){.path = weft_arena_copy(arena, file->path, strlen(file->path))};
        weft_files_add(text, file);
    }
}

weft_status weft_plan_identity(const weft_plan *plan, weft_text *text, weft_error *err)
{
    weft_arena all, one;
    weft_file *seen = NULL;
    size_t count = 0;
    weft_status status = WEFT_OK;
    weft_text_add(text, "%s", plan->text);
    if (plan->parts)
        return WEFT_OK;
    weft_arena_init(&all);
    for (size_t i = 0; i < weft_plan_points(plan) && status == WEFT_OK; i++) {
        weft_scenario scenario;
        weft_arena_init(&one);
        status = bind_point(plan, i, &one, &scenario, err);
        if (status == WEFT_OK)
            add_files(&scenario, &all, &seen, &count, text);
        weft_arena_done(&one);
    }
    weft_arena_done(&all);
    free(seen);
    return status;
}

const char *weft_scenario_where(const weft_scenario *scenario, const char *path, weft_arena *arena)
{
    const weft_node *node = scenario->tree;
    assert(node);
    while (*path) {
        size_t length = strcspn(path, ".");
        const weft_node *next = weft_node_get(node, weft_arena_copy(arena, path, length));
        if (!next)
            break;
        node = next;
        path += length;
        path += *path == '.';
    }
    return weft_source_prefix(node->source, node->offset, arena);
}

weft_status weft_scenario_locate(const weft_scenario *scenario, const char *path,
                                 weft_status status, weft_error *err)
{
    if (status == WEFT_OK)
        return WEFT_OK;
    weft_error said = *err;
    weft_arena arena;
    weft_arena_init(&arena);
    const char *word = weft_arena_copy(&arena, said.text, strcspn(said.text, " :"));
    const char *section = weft_arena_copy(&arena, word, strcspn(word, "."));
    if (strchr(word, '.') && weft_node_get(scenario->tree, section))
        path = word;
    const char *where = weft_scenario_where(scenario, path, &arena);
    status = weft_fail(err, status, "%.512s%.3000s", where, said.text);
    weft_arena_done(&arena);
    return status;
}
