/* SPDX-License-Identifier: Apache-2.0 */
/* A value that was written as a whole number stays one: it steps by the wanted part of it, but at
 * least by 1. A side that the scenario cannot have (no virtual channel, a load above 1) is left
 * out. */
#include "config/evaluation/variants.h"

#include "base/digits.h"
#include "base/suggest.h"
#include "config/edit.h"
#include "config/include.h"
#include "config/number.h"
#include "config/override.h"
#include "config/units.h"
#include "config/vary.h"

#include <stdio.h>
#include <string.h>

#define SETTINGS_MOST 1000
#define PLAIN         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

typedef struct finder {
    const weft_sensitivity_options *options;
    const weft_registry *registry;
    bool (*sound)(weft_scenario *scenario, weft_arena *arena, weft_error *err);
    weft_arena *arena;
    weft_variants *variants;
    const weft_node *tree; /* without vary */
    weft_plan_part *parts;
    size_t n_parts;
    weft_error *err;
} finder;

/* The number that a text begins with, and its unit; false: it is no quantity. */
static bool read_quantity(const weft_node *node, double *value, const char **unit)
{
    char canonical[WEFT_QUANTITY_CHARS];
    if (node->type != WEFT_NODE_SCALAR || !weft_quantity_canonical(node->text, canonical))
        return false;
    size_t length = weft_number_read(node->text, 0, value);
    *unit = node->text + length;
    return length > 0;
}

static bool is_whole(const weft_node *node)
{
    return node->text[strcspn(node->text, ".eE%")] == '\0' ||
           strcspn(node->text, ".eE%") > strspn(node->text, "+-0123456789 ");
}

static bool add_setting(finder *f, const char *path)
{
    if (f->variants->n_settings == SETTINGS_MOST)
        return false;
    f->variants->settings[f->variants->n_settings++] = (weft_varied_setting){.path = path};
    return true;
}

/* All numbers of a scenario that describe what is simulated, not how it is measured. */
static void find_numbers(finder *f, const weft_node *map, const char *path)
{
    static const char *const apart[] = {"interweft", "title", "seed", "measure", "where"};
    for (size_t i = 0; i < map->n_values; i++) {
        const char *name = map->keys[i]->text, *unit;
        double value;
        bool skip = name[strspn(name, PLAIN)] != '\0';
        for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
            skip = skip || strcmp(apart[k], name) == 0;
        if (skip)
            continue;
        const char *inner = weft_arena_format(f->arena, "%s%s%s", path, *path ? "." : "", name);
        if (map->values[i]->type == WEFT_NODE_MAP)
            find_numbers(f, map->values[i], inner);
        else if (read_quantity(map->values[i], &value, &unit) && value != 0)
            (void)add_setting(f, inner);
    }
}

static const weft_node *value_at(const finder *f, const char *path)
{
    const weft_node *node = f->tree;
    while (node && *path) {
        size_t length = strcspn(path, ".");
        node = weft_node_get(node, weft_arena_copy(f->arena, path, length));
        path += length + (path[length] == '.');
    }
    return node;
}

/* The settings that were asked for; they must be numbers of the scenario. */
static weft_status take_asked(finder *f)
{
    weft_variants known = {.settings = WEFT_TAKE(f->arena, weft_varied_setting, SETTINGS_MOST)};
    weft_variants *wanted = f->variants;
    f->variants = &known;
    find_numbers(f, f->tree, "");
    f->variants = wanted;
    for (const char *const *path = f->options->vary; *path; path++) {
        double value;
        const char *unit;
        const weft_node *node = value_at(f, *path);
        weft_suggest suggest = {.word = *path};
        for (size_t k = 0; k < known.n_settings; k++)
            weft_suggest_offer(&suggest, known.settings[k].path);
        const char *nearest = weft_suggest_text(&suggest);
        if (!node)
            return weft_fail(f->err, WEFT_BAD_USAGE,
                             "--vary: the scenario does not give '%.80s'%.100s", *path,
                             *nearest ? nearest : "; give it a value, such as router.vcs=4");
        if (!read_quantity(node, &value, &unit) || value == 0)
            return weft_node_complain(f->err, node,
                                      "--vary: %.80s is no number other than 0; found %s", *path,
                                      weft_node_found(node, f->arena));
        if (!add_setting(f, *path))
            return weft_fail(f->err, WEFT_BAD_USAGE, "--vary: more than %d settings",
                             SETTINGS_MOST);
    }
    return WEFT_OK;
}

/* ---- values ---- */

/* A number to ten digits, so that 0.3 × 1.1 is 0.33. */
static double rounded(double value)
{
    char text[32];
    double read;
    (void)weft_digits_print(text, sizeof text, "%.10g", value);
    return weft_number_read(text, 0, &read) > 0 ? read : value;
}

static double stepped(double value, bool whole, double by, weft_side side)
{
    double sign = side == WEFT_SIDE_UP ? 1 : -1;
    double size = value < 0 ? -value : value;
    if (!whole)
        return rounded(value * (1 + sign * by));
    double step = (double)(int64_t)(size * by + 0.5);
    return value + sign * (step < 1 ? 1 : step);
}

/* The tree with a setting at a value; NULL: the scenario cannot have it, *err says why. */
static const weft_node *variant(finder *f, const char *path, const char *text)
{
    weft_arena arena;
    weft_plan *plan;
    weft_scenario scenario;
    const weft_node *tree = f->tree, *at = value_at(f, path);
    const weft_node *key = weft_node_scalar(f->arena, at, path);
    weft_status status =
        weft_node_assign(f->arena, tree, key, weft_node_scalar(f->arena, at, text), &tree, f->err);
    weft_arena_init(&arena);
    if (status == WEFT_OK)
        status = weft_plan_of_tree(tree, f->registry, &arena, &plan, f->err);
    if (status == WEFT_OK)
        status = weft_plan_point(plan, 0, &arena, &scenario, f->err);
    bool sound = status == WEFT_OK && f->sound(&scenario, &arena, f->err);
    weft_arena_done(&arena);
    return sound ? tree : NULL;
}

/* The part of the joint plan of a tree: one point for each seed. */
static weft_status add_part(finder *f, const char *label, const weft_node *tree)
{
    weft_arena *arena = f->arena;
    const weft_node *at = f->tree, *range = weft_node_empty_map(arena, at);
    const char *keys[] = {"from", "to", "step"};
    const char *ends[] = {"1", weft_arena_format(arena, "%lld", (long long)f->options->seeds), "1"};
    weft_plan_part *part = &f->parts[f->n_parts++];
    for (size_t i = 0; i < 3; i++)
        range = weft_node_with(arena, range, weft_node_scalar(arena, at, keys[i]),
                               weft_node_scalar(arena, at, ends[i]));
    tree = weft_override_vary(weft_node_without(arena, tree, "title"),
                              weft_node_scalar(arena, at, "seed"), range, arena);
    part->label = label;
    return weft_plan_of_tree(tree, f->registry, arena, &part->plan, f->err);
}

/* Adds the sides that the scenario can have; *sides: how many. */
static weft_status try_sides(finder *f, weft_varied_setting *s, const char *unit, bool whole,
                             size_t *sides)
{
    *sides = 0;
    for (int side = WEFT_SIDE_DOWN; side <= WEFT_SIDE_UP; side++) {
        char number[WEFT_NUMBER_CHARS];
        double value = stepped(s->value[WEFT_SIDE_BASE], whole, f->options->by, (weft_side)side);
        const char *text =
            weft_arena_format(f->arena, "%s%s", weft_number_write(value, number), unit);
        const weft_node *tree = value != 0 ? variant(f, s->path, text) : NULL;
        if (!tree) {
            const char *said = f->err->text;
            s->why =
                value != 0 ? weft_arena_copy(f->arena, said, strcspn(said, "\n")) : "it would be 0";
            continue;
        }
        s->value[side] = value;
        s->text[side] = text;
        s->label[side] = weft_arena_format(f->arena, "setting=%s value=%s", s->path, text);
        WEFT_TRY(add_part(f, s->label[side], tree));
        ++*sides;
    }
    return WEFT_OK;
}

/* A load of 1 looks like a whole number, and cannot step by one. */
static weft_status add_sides(finder *f, weft_varied_setting *s)
{
    const weft_node *node = value_at(f, s->path);
    const char *unit = "";
    size_t sides;
    (void)read_quantity(node, &s->value[WEFT_SIDE_BASE], &unit);
    s->text[WEFT_SIDE_BASE] = node->text;
    s->label[WEFT_SIDE_BASE] = "setting=none";
    WEFT_TRY(try_sides(f, s, unit, is_whole(node), &sides));
    const char *why = s->why;
    if (sides == 0 && is_whole(node))
        WEFT_TRY(try_sides(f, s, unit, false, &sides));
    s->why = sides > 0 ? NULL : why;
    return WEFT_OK;
}

/* ---- the scenario ---- */

/* Axes of vary have their first values. */
static weft_status drop_vary(finder *f, const weft_node *tree)
{
    const weft_node *vary = weft_node_get(tree, "vary");
    const weft_sweep *grid;
    weft_setting settings[WEFT_SETTINGS_MAX];
    WEFT_TRY(weft_sweep_read(vary, f->arena, &grid, f->err));
    f->variants->first = weft_sweep_key(grid, 0, f->arena);
    f->tree = weft_node_without(f->arena, tree, "vary");
    size_t count = weft_sweep_settings(grid, 0, f->arena, settings);
    for (size_t i = 0; i < count; i++)
        WEFT_TRY(weft_node_assign(f->arena, f->tree, settings[i].path, settings[i].value, &f->tree,
                                  f->err));
    return WEFT_OK;
}

weft_status
weft_variants_read(const weft_sensitivity_options *options, const weft_registry *registry,
                   bool (*sound)(weft_scenario *scenario, weft_arena *arena, weft_error *err),
                   weft_arena *arena, weft_variants *variants, weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *tree = NULL;
    weft_error own; /* why a side cannot be run is kept */
    *variants = (weft_variants){.settings = WEFT_TAKE(arena, weft_varied_setting, SETTINGS_MOST)};
    finder f = {.options = options,
                .registry = registry,
                .sound = sound,
                .arena = arena,
                .variants = variants,
                .parts = WEFT_TAKE(arena, weft_plan_part, 2 * SETTINGS_MOST + 1),
                .err = err ? err : &own};
    WEFT_TRY(weft_include_read(options->study.file, &nodes_left, arena, &tree, err));
    for (const char *const *o = options->study.overrides; o && *o; o++)
        WEFT_TRY(weft_override_apply(*o, &nodes_left, arena, &tree, err));
    WEFT_TRY(drop_vary(&f, tree));
    WEFT_TRY(add_part(&f, "setting=none", f.tree));
    weft_scenario scenario; /* mistakes of the scenario itself are told first */
    WEFT_TRY(weft_plan_point(f.parts[0].plan, 0, arena, &scenario, err));
    if (options->vary)
        WEFT_TRY(take_asked(&f));
    else
        find_numbers(&f, f.tree, "");
    for (size_t i = 0; i < variants->n_settings; i++)
        WEFT_TRY(add_sides(&f, &variants->settings[i]));
    if (f.n_parts == 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s gives no numbers that can be varied; --vary names settings",
                         options->study.file);
    variants->plan = weft_plan_join(tree, f.parts, f.n_parts, arena);
    return WEFT_OK;
}
