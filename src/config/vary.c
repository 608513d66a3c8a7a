/* SPDX-License-Identifier: Apache-2.0 */
/* A point is a number in mixed radix: one digit per axis. Its settings, its key and its seed follow
 * from the digits; nothing is stored per point. */
#include "config/vary.h"

#include "base/text.h"
#include "config/describe/print.h"
#include "config/range.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

typedef enum axis_type { AXIS_LIST, AXIS_RANGE, AXIS_TOGETHER } axis_type;

typedef struct axis {
    axis_type type;
    const weft_node *path; /* key of the section */
    const weft_node *list; /* values, or the maps of together */
    weft_range range;
    size_t count;
} axis;

struct weft_sweep {
    axis *axes;
    size_t n_axes, points;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two equal values would be two points of one name. */
static weft_status check_distinct(const weft_node *list, const char *path, weft_arena *arena,
                                  weft_error *err)
{
    const char **texts = WEFT_TAKE(arena, const char *, list->n_values);
    for (size_t i = 0; i < list->n_values; i++) {
        weft_text text;
        weft_text_init(&text);
        weft_print_flow(&text, list->values[i], true);
        texts[i] = weft_arena_copy(arena, text.at, text.length);
        weft_text_done(&text);
    }
    qsort(texts, list->n_values, sizeof *texts, by_text);
    for (size_t i = 1; i < list->n_values; i++)
        if (strcmp(texts[i - 1], texts[i]) == 0)
            return weft_node_complain(err, list, "%s has the value %.60s twice", path, texts[i]);
    return WEFT_OK;
}

static weft_status check_path(const weft_node *path, weft_error *err)
{
    static const char *const fixed[] = {"interweft", "include", "vary"};
    size_t length = strcspn(path->text, ".");
    if (path->text[0] == '\0' || path->text[strspn(path->text, PATH_CHARACTERS)] != '\0')
        return weft_node_complain(err, path,
                                  "'%.60s' is not a path of settings such as "
                                  "routing.selection",
                                  path->text);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strlen(fixed[i]) == length && strncmp(path->text, fixed[i], length) == 0)
            return weft_node_complain(err, path, "'%s' cannot vary", fixed[i]);
    return WEFT_OK;
}

static weft_status check_together(const weft_node *list, weft_error *err)
{
    const weft_node *first = list->values[0];
    for (size_t i = 0; i < list->n_values; i++) {
        const weft_node *map = list->values[i];
        if (map->type != WEFT_NODE_MAP || map->n_values == 0 || map->n_values > WEFT_AXES_MAX)
            return weft_node_complain(err, map,
                                      "vary.together is a list of maps from paths to values, such "
                                      "as [{seed: 1, traffic.all.rho: 0.3}]");
        for (size_t k = 0; k < map->n_values; k++) {
            WEFT_TRY(check_path(map->keys[k], err));
            if (map->n_values != first->n_values || !weft_node_get(first, map->keys[k]->text))
                return weft_node_complain(err, map,
                                          "every entry of vary.together must set the same paths "
                                          "as the first one");
        }
    }
    return WEFT_OK;
}

static weft_status read_axis(const weft_node *key, const weft_node *value, weft_arena *arena,
                             axis *out, weft_error *err)
{
    const char *path = weft_arena_format(arena, "vary.%.80s", key->text);
    bool together = strcmp(key->text, "together") == 0;
    *out = (axis){.type = together ? AXIS_TOGETHER : AXIS_LIST, .path = key, .list = value};
    WEFT_TRY(check_path(key, err));
    if (value->type == WEFT_NODE_MAP && !together) {
        out->type = AXIS_RANGE;
        WEFT_TRY(weft_range_read(value, path, WEFT_POINTS_MAX, arena, &out->range, err));
        out->count = out->range.count;
        return WEFT_OK;
    }
    if (value->type != WEFT_NODE_LIST)
        return weft_node_complain(err, value, "%s must be a list of %s, found %s", path,
                                  together ? "maps" : "values or {from, to, step}",
                                  weft_node_found(value, arena));
    if (value->n_values == 0)
        return weft_node_complain(err, value, "%s is an empty list; give at least one value", path);
    out->count = value->n_values;
    if (together)
        WEFT_TRY(check_together(value, err));
    return check_distinct(value, path, arena, err);
}

/* The same path in two axes would set it twice. */
static weft_status check_twice(const weft_sweep *grid, weft_arena *arena, weft_error *err)
{
    weft_setting settings[WEFT_SETTINGS_MAX];
    size_t count = weft_sweep_settings(grid, 0, arena, settings);
    for (size_t i = 1; i < count; i++)
        if (strcmp(settings[i - 1].path->text, settings[i].path->text) == 0)
            return weft_node_complain(err, settings[i].path, "'%.60s' is varied twice",
                                      settings[i].path->text);
    return WEFT_OK;
}

weft_status weft_sweep_read(const weft_node *vary, weft_arena *arena, const weft_sweep **grid,
                            weft_error *err)
{
    weft_sweep *made = WEFT_TAKE(arena, weft_sweep, 1);
    *grid = made;
    made->points = 1;
    if (!vary)
        return WEFT_OK;
    if (vary->type != WEFT_NODE_MAP)
        return weft_node_complain(err, vary, "vary must be a map from paths to values, found %s",
                                  weft_node_found(vary, arena));
    if (vary->n_values > WEFT_AXES_MAX)
        return weft_node_complain(err, vary, "vary has more than %d entries", WEFT_AXES_MAX);
    made->axes = WEFT_TAKE(arena, axis, vary->n_values);
    made->n_axes = vary->n_values;
    for (size_t i = 0; i < vary->n_values; i++) {
        WEFT_TRY(read_axis(vary->keys[i], vary->values[i], arena, &made->axes[i], err));
        made->points *= made->axes[i].count;
        if (made->points > WEFT_POINTS_MAX)
            return weft_node_complain(err, vary->keys[i], "vary gives more than %d points",
                                      WEFT_POINTS_MAX);
    }
    return check_twice(made, arena, err);
}

size_t weft_sweep_points(const weft_sweep *grid)
{
    return grid->points;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const weft_setting *)a)->path->text, ((const weft_setting *)b)->path->text);
}

size_t weft_sweep_settings(const weft_sweep *grid, size_t i, weft_arena *arena,
                           weft_setting settings[static WEFT_SETTINGS_MAX])
{
    assert(i < grid->points);
    size_t count = 0;
    for (size_t a = grid->n_axes; a-- > 0;) {
        const axis *x = &grid->axes[a];
        size_t digit = i % x->count;
        i /= x->count;
        if (x->type == AXIS_RANGE) {
            settings[count++] = (weft_setting){x->path, weft_range_value(&x->range, digit, arena)};
        } else if (x->type == AXIS_LIST) {
            settings[count++] = (weft_setting){x->path, x->list->values[digit]};
        } else {
            const weft_node *map = x->list->values[digit];
            for (size_t k = 0; k < map->n_values; k++)
                settings[count++] = (weft_setting){map->keys[k], map->values[k]};
        }
    }
    assert(count <= WEFT_SETTINGS_MAX);
    qsort(settings, count, sizeof *settings, by_path);
    return count;
}

const char *weft_sweep_key(const weft_sweep *grid, size_t i, weft_arena *arena)
{
    weft_setting settings[WEFT_SETTINGS_MAX];
    weft_arena values; /* of ranges: not worth keeping */
    weft_arena_init(&values);
    weft_text text;
    weft_text_init(&text);
    weft_text_append(&text, "", 0);
    size_t count = weft_sweep_settings(grid, i, &values, settings);
    for (size_t k = 0; k < count; k++) {
        weft_text_add(&text, "%s%s=", k ? " " : "", settings[k].path->text);
        weft_print_flow(&text, settings[k].value, true);
    }
    const char *key = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    weft_arena_done(&values);
    return key;
}

uint64_t weft_sweep_seed(int64_t seed, const char *key)
{
    const uint64_t prime = 1099511628211u;
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < 8; i++)
        hash = (hash ^ ((uint64_t)seed >> (8 * i) & 0xFF)) * prime;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * prime;
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
}
