/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the command line: key=value, with what vary makes of the same key. */
#include "config/override.h"

#include "base/text.h"
#include "base/utf8.h"
#include "config/describe/print.h"
#include "config/edit.h"
#include "config/short_axis.h"

#include <stdio.h>
#include <string.h>

#define COMPARED_MOST 1000

static weft_status bad_override(weft_error *err, const char *override)
{
    char shown[80];
    (void)snprintf(shown, sizeof shown, "%.60s", override);
    weft_make_harmless(shown);
    return weft_fail(err, WEFT_BAD_USAGE,
                     "command line: '%s' is not a setting; write key=value, such as "
                     "traffic.all.rho=0.3",
                     shown);
}

/* The settings below `path` on the way to `longer`: "selection" of routing and
 * routing.selection; "" if they are the same; NULL if `longer` does not lie below. */
static const char *below(const char *path, const char *longer)
{
    size_t length = strlen(path);
    if (strncmp(path, longer, length) != 0 || (longer[length] != '.' && longer[length] != '\0'))
        return NULL;
    return longer + length + (longer[length] == '.');
}

/* The value at a path inside of a map; NULL: there is none. A scalar is the short form of a
 * kind. */
static const weft_node *value_at(const weft_node *node, const char *path, weft_arena *arena)
{
    if (node->type == WEFT_NODE_SCALAR && strcmp(path, "kind") == 0)
        return node;
    while (node && *path) {
        size_t length = strcspn(path, ".");
        node = weft_node_get(node, weft_arena_copy(arena, path, length));
        path += length + (path[length] == '.');
    }
    return node;
}

static bool is_same(const weft_node *a, const weft_node *b)
{
    weft_text one, other;
    weft_text_init(&one);
    weft_text_init(&other);
    weft_print_flow(&one, a, false);
    weft_print_flow(&other, b, false);
    bool same = one.length == other.length && memcmp(one.at, other.at, one.length) == 0;
    weft_text_done(&one);
    weft_text_done(&other);
    return same;
}

/* A list of these values, each of them once (a long one is left to the complaint about equal
 * values). */
static const weft_node *list_of(weft_arena *arena, const weft_node *at, const weft_node **values,
                                size_t count)
{
    weft_node *list = WEFT_TAKE(arena, weft_node, 1);
    *list = *at;
    list->type = WEFT_NODE_LIST;
    list->values = values;
    list->n_values = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = count > COMPARED_MOST ? list->n_values : 0;
        while (k < list->n_values && !is_same(values[i], values[k]))
            k++;
        if (k == list->n_values)
            values[list->n_values++] = values[i];
    }
    return list;
}

/* An axis whose values are maps: the setting inside of each of them. */
static weft_status set_inside(weft_arena *arena, const weft_node *axis, const weft_node *rest,
                              const weft_node *value, const weft_node **out, weft_error *err)
{
    const weft_node **values = WEFT_TAKE(arena, const weft_node *, axis->n_values);
    for (size_t i = 0; i < axis->n_values; i++)
        WEFT_TRY(weft_node_assign(arena, axis->values[i], rest, value, &values[i], err));
    *out = list_of(arena, axis, values, axis->n_values);
    return WEFT_OK;
}

/* One map of `together`: each of its settings under one from the command line. */
static weft_status pin_map(weft_arena *arena, const weft_node *key, const weft_node *value,
                           const weft_node **map, weft_error *err)
{
    for (size_t i = 0; (*map)->type == WEFT_NODE_MAP && i < (*map)->n_values; i++) {
        const weft_node *path = (*map)->keys[i], *new = NULL;
        const char *inside = below(path->text, key->text), *around = below(key->text, path->text);
        if (around)
            new = value_at(value, around, arena);
        else if (inside)
            WEFT_TRY(weft_node_assign(arena, (*map)->values[i],
                                      weft_node_scalar(arena, key, inside), value, &new, err));
        if (new)
            *map = weft_node_with(arena, *map, path, new);
    }
    return WEFT_OK;
}

static weft_status pin_together(weft_arena *arena, const weft_node *axis, const weft_node *key,
                                const weft_node *value, const weft_node **out, weft_error *err)
{
    const weft_node **values = WEFT_TAKE(arena, const weft_node *, axis->n_values);
    for (size_t i = 0; i < axis->n_values; i++) {
        values[i] = axis->values[i];
        WEFT_TRY(pin_map(arena, key, value, &values[i], err));
    }
    *out = list_of(arena, axis, values, axis->n_values);
    return WEFT_OK;
}

/* One axis of vary under a setting from the command line. */
static weft_status pin_axis(weft_arena *arena, const weft_node *path, const weft_node *axis,
                            const weft_node *key, const weft_node *value, const weft_node **out,
                            weft_error *err)
{
    const char *inside = below(path->text, key->text), *around = below(key->text, path->text);
    const weft_node *only = around ? value_at(value, around, arena) : NULL;
    *out = axis;
    if (axis->type == WEFT_NODE_LIST && strcmp(path->text, "together") == 0)
        return pin_together(arena, axis, key, value, out, err);
    if (only)
        *out = weft_node_only(arena, only);
    else if (inside && *inside && axis->type == WEFT_NODE_LIST)
        return set_inside(arena, axis, weft_node_scalar(arena, key, inside), value, out, err);
    return WEFT_OK;
}

/* What the command line says holds for axes of vary too: the setting is the only value of an
 * axis of its name, of what it sets an axis below varies no more, and the values of an axis
 * above have it. */
static weft_status pin_axes(weft_arena *arena, const weft_node *key, const weft_node *value,
                            const weft_node **tree, weft_error *err)
{
    const weft_node *vary = weft_node_get(*tree, "vary");
    if (!vary || vary->type != WEFT_NODE_MAP)
        return WEFT_OK;
    for (size_t i = 0; i < vary->n_values; i++) {
        const weft_node *axis;
        WEFT_TRY(pin_axis(arena, vary->keys[i], vary->values[i], key, value, &axis, err));
        vary = weft_node_with(arena, vary, vary->keys[i], axis);
    }
    *tree = weft_node_with(arena, *tree, weft_node_key(*tree, "vary"), vary);
    return WEFT_OK;
}

/* Texts of their own, in which a comma is a comma. */
static bool is_text(const char *path)
{
    const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
    return strcmp(name, "title") == 0 || strcmp(name, "from") == 0 || strcmp(name, "to") == 0 ||
           strcmp(name, "on") == 0 || strcmp(name, "rates") == 0 || strcmp(name, "named") == 0 ||
           strcmp(name, "without") == 0 || strcmp(path, "faults") == 0;
}

/* The axis that a value means: short forms always, a list or range where vary has an axis of
 * single values; NULL: it is a value. */
static const weft_node *axis_of(const weft_node *tree, const weft_node *key, const weft_node *value,
                                weft_arena *arena)
{
    const weft_node *vary = weft_node_get(tree, "vary");
    const weft_node *axis = weft_node_get(vary, key->text);
    if (value->type == WEFT_NODE_SCALAR) {
        const weft_node *range = weft_short_range(value, arena);
        return range ? range : is_text(key->text) ? NULL : weft_short_list(value, arena);
    }
    bool lists = axis && axis->type == WEFT_NODE_LIST && axis->n_values > 0 &&
                 axis->values[0]->type != WEFT_NODE_SCALAR;
    bool is_axis = value->type == WEFT_NODE_LIST || weft_node_get(value, "step");
    return axis && !lists && is_axis ? value : NULL;
}

/* A vary that is no map stays, so that it is complained of. */
static const weft_node *with_axis(weft_arena *arena, const weft_node *tree, const weft_node *key,
                                  const weft_node *axis)
{
    const weft_node *vary = weft_node_get(tree, "vary");
    if (vary && vary->type != WEFT_NODE_MAP)
        return tree;
    if (!vary)
        vary = weft_node_empty_map(arena, key);
    return weft_node_with(arena, tree, weft_node_scalar(arena, key, "vary"),
                          weft_node_with(arena, vary, key, axis));
}

const weft_node *weft_override_vary(const weft_node *tree, const weft_node *key,
                                    const weft_node *value, weft_arena *arena)
{
    bool scalar = value->type == WEFT_NODE_SCALAR;
    const weft_node *axis = scalar ? weft_short_range(value, arena) : NULL;
    if (scalar && !axis)
        axis = weft_short_list(value, arena);
    return with_axis(arena, tree, key, axis ? axis : value);
}

weft_status weft_override_set(const weft_node *key, const weft_node *value, weft_arena *arena,
                              const weft_node **tree, weft_error *err)
{
    WEFT_TRY(weft_node_assign(arena, *tree, key, value, tree, err));
    return pin_axes(arena, key, value, tree, err);
}

weft_status weft_override_apply(const char *override, size_t *nodes_left, weft_arena *arena,
                                const weft_node **tree, weft_error *err)
{
    const char *equals = strchr(override, '=');
    if (!equals || equals == override)
        return bad_override(err, override);
    size_t length = (size_t)(equals - override);
    const weft_source *source =
        weft_source_of_text("command line", override, strlen(override), true, arena);
    WEFT_TRY(weft_source_check(source, err));
    weft_node *key = WEFT_TAKE(arena, weft_node, 1);
    *key = (weft_node){.type = WEFT_NODE_SCALAR,
                       .plain = true,
                       .height = 1,
                       .size = 1,
                       .width = (uint32_t)length,
                       .source = source,
                       .text = weft_arena_copy(arena, override, length)};
    const weft_node *value = NULL;
    WEFT_TRY(weft_tree_parse(source, length + 1, nodes_left, arena, &value, err));
    if (!value)
        value = weft_node_scalar(arena, key, "");
    if (strcmp(key->text, "include") == 0)
        return weft_node_complain(err, key, "'include' belongs into a scenario file");
    if (strncmp(key->text, "vary.", 5) == 0) {
        /* its paths are keys with dots of their own: vary.routing.selection=[…] */
        key->text += strlen("vary.");
        key->offset += (uint32_t)strlen("vary.");
        key->width -= (uint32_t)strlen("vary.");
        *tree = weft_override_vary(*tree, key, value, arena);
        return WEFT_OK;
    }
    const weft_node *axis = axis_of(*tree, key, value, arena);
    if (axis) {
        *tree = with_axis(arena, *tree, key, axis);
        return WEFT_OK;
    }
    return weft_override_set(key, value, arena, tree, err);
}
