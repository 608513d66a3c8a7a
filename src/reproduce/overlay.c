/* SPDX-License-Identifier: Apache-2.0 */
/* `overlay:` of a figure: which model says something about the same points, and how a point's
 * keys become its settings. It is read when the study is opened; overlay_curve.c evaluates it. */
#include "config/bind/bind.h"
#include "reproduce/reproduce.h"

#include <string.h>

#define NO_MORE 0, 0, NULL, NULL

static const weft_param params[] = {
    {"name", "of its curves in the legend", WEFT_PARAM_TEXT, offsetof(weft_overlay, name), NULL,
     NO_MORE},
    {"model", "name of a model", WEFT_PARAM_TEXT, offsetof(weft_overlay, model), NULL, NO_MORE},
    {"index", "setting of the model that is a claim's index", WEFT_PARAM_TEXT,
     offsetof(weft_overlay, index), "none", NO_MORE},
    {.name = NULL}};
static const char *const apart[] = {"settings", "keys", "outputs", NULL};
static const weft_table table = {.name = "overlay", .params = params, .apart = apart};

typedef struct reader {
    const char *path;
    const weft_figure_plan *figure;
    weft_arena *arena;
    weft_error *err;
} reader;

static weft_status need_map(const reader *r, const char *what, const weft_node *map)
{
    if (map->type == WEFT_NODE_MAP)
        return WEFT_OK;
    return weft_node_complain(r->err, map, "%s.%s must be a map, found %s", r->path, what,
                              weft_node_found(map, r->arena));
}

static weft_status need_value(const reader *r, const char *what, const weft_node *value)
{
    if (value->type == WEFT_NODE_SCALAR && !weft_node_is_null(value))
        return WEFT_OK;
    return weft_node_complain(r->err, value, "%s.%s: a value belongs here, found %s", r->path, what,
                              weft_node_found(value, r->arena));
}

/* {name: value, …} */
static weft_status read_pins(const reader *r, const char *what, const weft_node *map,
                             const weft_pin **pins)
{
    WEFT_TRY(need_map(r, what, map));
    weft_pin *made = WEFT_TAKE(r->arena, weft_pin, map->n_values + 1);
    for (size_t i = 0; i < map->n_values; i++) {
        WEFT_TRY(need_value(r, what, map->values[i]));
        made[i] = (weft_pin){map->keys[i]->text, map->values[i]->text};
    }
    *pins = made;
    return WEFT_OK;
}

static bool has_label(const weft_group_key *key, const char *name)
{
    bool found = key->setting != NULL;
    for (size_t i = 0; i < key->n_labels && !found; i++)
        found = strcmp(key->labels[i].name, name) == 0;
    return found;
}

/* `rho: rho`, or `routing: {oblivious random: {selection: oblivious}}` */
static weft_status read_key(const reader *r, const weft_node *name, const weft_node *node,
                            weft_overlay_key *key)
{
    key->key = weft_figure_key(r->figure, name->text);
    if (key->key == r->figure->n_keys)
        return weft_node_complain(r->err, name, "%s.keys: this figure has no key '%.60s'", r->path,
                                  name->text);
    if (node->type == WEFT_NODE_SCALAR && !weft_node_is_null(node)) {
        key->setting = node->text;
        return WEFT_OK;
    }
    WEFT_TRY(need_map(r, "keys", node));
    weft_label *labels = WEFT_TAKE(r->arena, weft_label, node->n_values + 1);
    for (size_t i = 0; i < node->n_values; i++) {
        const char *value = node->keys[i]->text;
        if (!has_label(&r->figure->keys[key->key], value))
            return weft_node_complain(r->err, node->keys[i],
                                      "%s.keys: '%.60s' is not a value of the key '%s'", r->path,
                                      value, name->text);
        labels[i].name = value;
        WEFT_TRY(read_pins(r, "keys", node->values[i], &labels[i].pins));
        labels[i].n_pins = node->values[i]->n_values;
    }
    key->labels = labels;
    key->n_labels = node->n_values;
    return WEFT_OK;
}

static weft_status read_keys(const reader *r, const weft_node *map, weft_overlay *overlay)
{
    WEFT_TRY(need_map(r, "keys", map));
    weft_overlay_key *keys = WEFT_TAKE(r->arena, weft_overlay_key, map->n_values + 1);
    for (size_t i = 0; i < map->n_values; i++)
        WEFT_TRY(read_key(r, map->keys[i], map->values[i], &keys[i]));
    overlay->keys = keys;
    overlay->n_keys = map->n_values;
    return WEFT_OK;
}

weft_status weft_overlay_read(const char *path, const weft_node *map,
                              const weft_figure_plan *figure, weft_arena *arena,
                              const weft_overlay **overlay, weft_error *err)
{
    const weft_node *node = weft_node_get(map, "overlay");
    weft_binder binder = {.arena = arena, .err = err};
    reader r = {weft_arena_format(arena, "%s.overlay", path), figure, arena, err};
    *overlay = NULL;
    if (!node)
        return WEFT_OK;
    weft_overlay *made = WEFT_TAKE(arena, weft_overlay, 1);
    WEFT_TRY(weft_bind_table(&binder, r.path, node, &table, made));
    const weft_node *keys = weft_node_get(node, "keys"), *outputs = weft_node_get(node, "outputs");
    if (!keys || !outputs)
        return weft_node_complain(err, node, "%s lacks the setting '%s'", r.path,
                                  keys ? "outputs" : "keys");
    made->settings = weft_node_get(node, "settings");
    if (made->settings)
        WEFT_TRY(need_map(&r, "settings", made->settings));
    WEFT_TRY(read_keys(&r, keys, made));
    WEFT_TRY(read_pins(&r, "outputs", outputs, &made->outputs));
    made->n_outputs = outputs->n_values;
    *overlay = made;
    return WEFT_OK;
}
