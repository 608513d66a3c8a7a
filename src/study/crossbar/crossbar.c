/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the laboratory from files and command lines to points: the same trees, grids
 * and keys as a scenario's. What the laboratory does not know by name is a setting of its
 * scheduler. */
#include "study/crossbar/crossbar.h"

#include "base/memory.h"
#include "config/describe/print.h"
#include "config/edit.h"
#include "config/include.h"
#include "study/catalog.h"
#include "study/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static bool is_apart(const char *name, size_t length)
{
    for (const char *const *apart = weft_xbar_laboratory_apart; *apart; apart++)
        if (strlen(*apart) == length && strncmp(*apart, name, length) == 0)
            return true;
    return false;
}

static bool is_own(const char *name, size_t length)
{
    for (const weft_param *p = weft_xbar_laboratory_settings.params; p->name; p++)
        if (strlen(p->name) == length && strncmp(p->name, name, length) == 0)
            return true;
    return is_apart(name, length) || memchr(name, '.', length);
}

/* matrix=…, starts=…: lists that are one value. */
static weft_status apply_apart(weft_model_settings *settings, const char *override, size_t length,
                               weft_arena *arena, weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *value = NULL;
    const weft_source *source =
        weft_source_of_text("command line", override, strlen(override), true, arena);
    WEFT_TRY(weft_source_check(source, err));
    WEFT_TRY(weft_tree_parse(source, length + 1, &nodes_left, arena, &value, err));
    const weft_node place = {.type = WEFT_NODE_SCALAR,
                             .plain = true,
                             .height = 1,
                             .size = 1,
                             .width = (uint32_t)length,
                             .source = source};
    const weft_node *key =
        weft_node_scalar(arena, &place, weft_arena_copy(arena, override, length));
    settings->fixed = weft_node_with(arena, settings->fixed, key,
                                     value ? value : weft_node_scalar(arena, key, ""));
    return WEFT_OK;
}

static bool is_scheduler(const char *name, size_t length)
{
    return length == strlen("scheduler") && strncmp(name, "scheduler", length) == 0;
}

/* Schedulers of a list have the settings that were given by themselves: iterations=4. */
static weft_status vary_scheduler(weft_model_settings *settings, const char *override,
                                  weft_arena *arena, weft_error *err)
{
    const weft_node *before = weft_node_get(settings->fixed, "scheduler");
    WEFT_TRY(
        weft_model_settings_apply(settings, &weft_xbar_laboratory_settings, override, arena, err));
    for (size_t i = 0; before && before->type == WEFT_NODE_MAP && i < before->n_values; i++) {
        const weft_node *key = before->keys[i];
        if (strcmp(key->text, "kind") == 0)
            continue;
        const weft_node *path =
            weft_node_scalar(arena, key, weft_arena_format(arena, "scheduler.%s", key->text));
        WEFT_TRY(weft_node_assign(arena, settings->fixed, path, before->values[i], &settings->fixed,
                                  err));
    }
    return WEFT_OK;
}

/* A scheduler that is given by its name keeps the settings that were given by themselves. */
static weft_status apply(weft_model_settings *settings, const char *override, weft_arena *arena,
                         weft_error *err)
{
    size_t length = strcspn(override, "=");
    /* Without a value the scenario's reader says what would be right. */
    bool given = override[length] == '=';
    if (given && is_apart(override, length))
        return apply_apart(settings, override, length, arena, err);
    if (given && is_scheduler(override, length) && override[length + 1] == '[')
        return vary_scheduler(settings, override, arena, err);
    if (given && length > 0 && !is_own(override, length))
        override = weft_arena_format(arena, "scheduler.%s", override);
    else if (given && is_scheduler(override, length) && override[length + 1] != '{')
        override = weft_arena_format(arena, "scheduler.kind%s", override + length);
    return weft_model_settings_apply(settings, &weft_xbar_laboratory_settings, override, arena,
                                     err);
}

/* The same for keys of a file. */
static weft_status move_scheduler_keys(const weft_node **map, weft_arena *arena, weft_error *err)
{
    const weft_node *given = *map;
    for (size_t i = 0; i < given->n_values; i++) {
        const weft_node *key = given->keys[i];
        if (is_own(key->text, strlen(key->text)))
            continue;
        *map = weft_node_without(arena, *map, key->text);
        const weft_node *path =
            weft_node_scalar(arena, key, weft_arena_format(arena, "scheduler.%s", key->text));
        WEFT_TRY(weft_node_assign(arena, *map, path, given->values[i], map, err));
    }
    return WEFT_OK;
}

static const weft_node *move_vary_keys(const weft_node *vary, weft_arena *arena)
{
    const weft_node *moved = weft_node_empty_map(arena, vary);
    for (size_t i = 0; vary->type == WEFT_NODE_MAP && i < vary->n_values; i++) {
        const weft_node *key = vary->keys[i];
        if (!is_own(key->text, strlen(key->text)) && strcmp(key->text, "together") != 0)
            key = weft_node_scalar(arena, key, weft_arena_format(arena, "scheduler.%s", key->text));
        moved = weft_node_with(arena, moved, key, vary->values[i]);
    }
    return vary->type == WEFT_NODE_MAP ? moved : vary;
}

static const char *print_source(const weft_model_settings *settings, weft_arena *arena)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "crossbar: ");
    weft_print_flow(&text, settings->fixed, true);
    if (settings->varied->n_values > 0) {
        weft_text_add(&text, "\nvary: ");
        weft_print_flow(&text, settings->varied, false);
    }
    weft_text_add(&text, "\n");
    const char *copy = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    return copy;
}

static const char *title_of(const weft_crossbar_source *source, const weft_node *fixed)
{
    const weft_node *title = weft_node_get(fixed, "title");
    if (source->title)
        return source->title;
    return title && title->type == WEFT_NODE_SCALAR ? title->text : "crossbar laboratory";
}

static weft_status prepare(weft_crossbar *lab, const weft_crossbar_source *source, weft_error *err)
{
    weft_arena *arena = &lab->arena;
    const weft_source *place = weft_source_of_text("command line", "", 0, true, arena);
    const weft_node here = {.type = WEFT_NODE_MAP, .height = 1, .size = 1, .source = place};
    const weft_node *empty = weft_node_empty_map(arena, &here);
    weft_model_settings settings = {source->settings ? source->settings : empty,
                                    source->vary ? source->vary : empty};
    WEFT_TRY(move_scheduler_keys(&settings.fixed, arena, err));
    settings.varied = move_vary_keys(settings.varied, arena);
    for (const char *const *o = source->overrides; o && *o; o++)
        WEFT_TRY(apply(&settings, *o, arena, err));
    lab->fixed = settings.fixed;
    lab->text = print_source(&settings, arena);
    lab->title = title_of(source, settings.fixed);
    WEFT_TRY(weft_sweep_read(settings.varied->n_values ? settings.varied : NULL, arena, &lab->grid,
                             err));
    lab->points = weft_sweep_points(lab->grid);
    lab->keys = WEFT_TAKE(arena, const char *, lab->points);
    for (size_t i = 0; i < lab->points; i++)
        lab->keys[i] = weft_sweep_key(lab->grid, i, arena);
    return WEFT_OK;
}

weft_status weft_crossbar_open_source(const weft_crossbar_source *source,
                                      const weft_registry *registry, weft_crossbar **lab,
                                      weft_error *err)
{
    weft_crossbar *opened = weft_alloc(sizeof *opened);
    weft_arena_init(&opened->arena);
    opened->registry = registry;
    weft_status status = prepare(opened, source, err);
    *lab = status == WEFT_OK ? opened : NULL;
    if (status != WEFT_OK)
        weft_crossbar_close(opened);
    return status;
}

static weft_status read_file(const char *file, weft_arena *arena, weft_crossbar_source *source,
                             weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *tree = NULL;
    WEFT_TRY(weft_include_read(file, &nodes_left, arena, &tree, err));
    source->vary = weft_node_get(tree, "vary");
    source->settings = weft_node_without(arena, tree, "vary");
    return WEFT_OK;
}

weft_status weft_crossbar_open(const char *file, const char *const *settings,
                               const weft_catalog *catalog, weft_crossbar **lab, weft_error *err)
{
    weft_crossbar_source source = {.overrides = settings};
    weft_arena arena;
    weft_arena_init(&arena);
    *lab = NULL;
    weft_status status = file ? read_file(file, &arena, &source, err) : WEFT_OK;
    if (status == WEFT_OK)
        status = weft_crossbar_open_source(&source, weft_catalog_registry(catalog), lab, err);
    if (!*lab) {
        weft_arena_done(&arena);
        return status;
    }
    (*lab)->file = arena; /* its nodes are shared */
    return WEFT_OK;
}

void weft_crossbar_close(weft_crossbar *lab)
{
    if (!lab)
        return;
    weft_arena_done(&lab->arena);
    weft_arena_done(&lab->file);
    free(lab);
}

size_t weft_crossbar_points(const weft_crossbar *lab)
{
    return lab->points;
}

const char *weft_crossbar_key(const weft_crossbar *lab, size_t i)
{
    assert(i < lab->points);
    return lab->keys[i];
}

/* ---- one point ---- */

weft_status weft_crossbar_point(const weft_crossbar *lab, size_t i, weft_arena *arena,
                                weft_xbar_laboratory *bound, const char **settings, weft_error *err)
{
    weft_setting set[WEFT_SETTINGS_MAX];
    size_t count = weft_sweep_settings(lab->grid, i, arena, set);
    const weft_node *tree = lab->fixed;
    for (size_t k = 0; k < count; k++) {
        const weft_node *path = set[k].path;
        if (strcmp(path->text, "scheduler") == 0 && set[k].value->type == WEFT_NODE_SCALAR)
            path = weft_node_scalar(arena, path, "scheduler.kind");
        WEFT_TRY(weft_node_assign(arena, tree, path, set[k].value, &tree, err));
    }
    WEFT_TRY(weft_xbar_laboratory_bind(lab->registry, tree, arena, bound, err));
    bound->plan.scheduler = &bound->scheduler;
    if (settings) {
        weft_text text;
        weft_text_init(&text);
        weft_text_add(&text, "crossbar: ");
        weft_print_flow(&text, tree, true);
        weft_text_add(&text, "\n");
        *settings = weft_arena_copy(arena, text.at, text.length);
        weft_text_done(&text);
    }
    return WEFT_OK;
}

weft_status weft_crossbar_count(const weft_crossbar *lab, char **text, weft_error *err)
{
    weft_text out;
    weft_status status = WEFT_OK;
    weft_text_init(&out);
    for (size_t i = 0; i < lab->points && status == WEFT_OK; i++) {
        weft_arena arena;
        weft_xbar_laboratory bound;
        weft_xbar_counter *counter = NULL;
        weft_arena_init(&arena);
        status = weft_crossbar_point(lab, i, &arena, &bound, NULL, err);
        if (status == WEFT_OK)
            status = weft_xbar_counter_create(bound.n, bound.d, &counter, err);
        if (status == WEFT_OK)
            weft_text_add(&out, "n=%u d=%u  %llu %s\n", bound.n, bound.d,
                          (unsigned long long)weft_xbar_counter_total(counter),
                          weft_xbar_counter_total(counter) == 1 ? "matrix" : "matrices");
        weft_xbar_counter_destroy(counter);
        weft_arena_done(&arena);
    }
    if (status == WEFT_OK)
        *text = weft_text_take(&out);
    else
        weft_text_done(&out);
    return status;
}
