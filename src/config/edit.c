/* SPDX-License-Identifier: Apache-2.0 */
/* Path copying: a changed map is a new node over copies of its two pointer arrays. */
#include "config/edit.h"

#include "base/suggest.h"

#include <assert.h>
#include <string.h>

const weft_node *weft_node_scalar(weft_arena *arena, const weft_node *at, const char *text)
{
    weft_node *node = WEFT_TAKE(arena, weft_node, 1);
    *node = *at;
    node->type = WEFT_NODE_SCALAR;
    node->plain = true;
    node->height = 1;
    node->size = 1;
    node->n_values = 0;
    node->text = text;
    return node;
}

const weft_node *weft_node_empty_map(weft_arena *arena, const weft_node *at)
{
    weft_node *node = WEFT_TAKE(arena, weft_node, 1);
    *node = *at;
    node->type = WEFT_NODE_MAP;
    node->height = 1;
    node->size = 1;
    node->n_values = 0;
    return node;
}

/* A copy of map with room for `count` entries, the first `keep` of them filled. */
static weft_node *copy_map(weft_arena *arena, const weft_node *map, size_t keep, size_t count,
                           const weft_node ***keys, const weft_node ***values)
{
    assert(map->type == WEFT_NODE_MAP && keep <= map->n_values && keep <= count);
    weft_node *copy = WEFT_TAKE(arena, weft_node, 1);
    *copy = *map;
    *keys = WEFT_TAKE(arena, const weft_node *, count);
    *values = WEFT_TAKE(arena, const weft_node *, count);
    if (keep) {
        memcpy(*keys, map->keys, keep * sizeof **keys);
        memcpy(*values, map->values, keep * sizeof **values);
    }
    copy->keys = *keys;
    copy->values = *values;
    copy->n_values = (uint32_t)count;
    return copy;
}

const weft_node *weft_node_only(weft_arena *arena, const weft_node *value)
{
    const weft_node **values = WEFT_TAKE(arena, const weft_node *, 1);
    weft_node *list = WEFT_TAKE(arena, weft_node, 1);
    values[0] = value;
    *list = *value;
    list->type = WEFT_NODE_LIST;
    list->values = values;
    list->n_values = 1;
    return list;
}

const weft_node *weft_node_with(weft_arena *arena, const weft_node *base, const weft_node *key,
                                const weft_node *value)
{
    size_t at = 0;
    while (at < base->n_values && strcmp(base->keys[at]->text, key->text) != 0)
        at++;
    const weft_node **keys, **values;
    size_t count = at < base->n_values ? base->n_values : at + 1;
    weft_node *copy = copy_map(arena, base, base->n_values, count, &keys, &values);
    keys[at] = key;
    values[at] = value;
    return copy;
}

const weft_node *weft_node_without(weft_arena *arena, const weft_node *map, const char *key)
{
    size_t at = 0;
    while (at < map->n_values && strcmp(map->keys[at]->text, key) != 0)
        at++;
    if (at == map->n_values)
        return map;
    const weft_node **keys, **values;
    weft_node *copy = copy_map(arena, map, at, map->n_values - 1, &keys, &values);
    for (size_t i = at + 1; i < map->n_values; i++) {
        keys[i - 1] = map->keys[i];
        values[i - 1] = map->values[i];
    }
    return copy;
}

/* A scalar is the short form of a kind. */
static const weft_node *long_form(weft_arena *arena, const weft_node *scalar)
{
    const weft_node *empty = weft_node_empty_map(arena, scalar);
    return weft_node_is_null(scalar)
               ? empty
               : weft_node_with(arena, empty, weft_node_scalar(arena, scalar, "kind"), scalar);
}

const weft_node *weft_node_merge(weft_arena *arena, const weft_node *base, const weft_node *over)
{
    if (base->type == WEFT_NODE_SCALAR && over->type == WEFT_NODE_MAP)
        base = long_form(arena, base);
    if (base->type != WEFT_NODE_MAP || over->type != WEFT_NODE_MAP)
        return over;
    const weft_node **keys, **values;
    size_t count = base->n_values;
    weft_node *merged =
        copy_map(arena, base, count, (size_t)base->n_values + over->n_values, &keys, &values);
    for (size_t i = 0; i < over->n_values; i++) {
        size_t at = 0;
        while (at < base->n_values && strcmp(base->keys[at]->text, over->keys[i]->text) != 0)
            at++;
        const weft_node *value = over->values[i];
        if (at < base->n_values)
            value = weft_node_merge(arena, base->values[at], value);
        else
            at = count++;
        keys[at] = over->keys[i];
        values[at] = value;
    }
    merged->n_values = (uint32_t)count;
    merged->source = over->source;
    merged->offset = over->offset;
    merged->width = over->width;
    return merged;
}

/* The parts of a dotted path as key nodes, each at its own place in the source. */
static weft_status split(weft_arena *arena, const weft_node *path, const weft_node **parts,
                         size_t *count, weft_error *err)
{
    bool placed = path->plain && path->width == strlen(path->text);
    *count = 0;
    for (const char *at = path->text;; at++) {
        size_t length = strcspn(at, ".");
        if (length == 0)
            return weft_node_complain(err, path,
                                      "'%.60s' is not a path of settings such as "
                                      "routing.selection",
                                      path->text);
        if (*count == WEFT_PATH_MAX)
            return weft_node_complain(err, path, "a path of more than %d parts", WEFT_PATH_MAX);
        weft_node *part = WEFT_TAKE(arena, weft_node, 1);
        *part = *path;
        part->text = weft_arena_copy(arena, at, length);
        if (placed) {
            part->offset += (uint32_t)(at - path->text);
            part->width = (uint32_t)length;
        }
        parts[(*count)++] = part;
        at += length;
        if (*at == '\0')
            return WEFT_OK;
    }
}

static const weft_node *set(weft_arena *arena, const weft_node *node, const weft_node **parts,
                            size_t count, const weft_node *value)
{
    if (count == 0)
        return value;
    if (!node || node->type == WEFT_NODE_LIST)
        node = weft_node_empty_map(arena, parts[0]);
    if (node->type == WEFT_NODE_SCALAR)
        node = long_form(arena, node);
    const weft_node *child = weft_node_get(node, parts[0]->text);
    child = set(arena, child, parts + 1, count - 1, value);
    return weft_node_with(arena, node, parts[0], child);
}

static weft_status check_class(const weft_node *root, const weft_node **parts, size_t count,
                               weft_error *err)
{
    const weft_node *traffic = weft_node_get(root, "traffic");
    if (count < 3 || strcmp(parts[0]->text, "traffic") != 0 || !traffic ||
        traffic->type != WEFT_NODE_MAP || weft_node_get(traffic, parts[1]->text))
        return WEFT_OK;
    weft_suggest suggest = {.word = parts[1]->text};
    for (size_t i = 0; i < traffic->n_values; i++)
        weft_suggest_offer(&suggest, traffic->keys[i]->text);
    return weft_node_complain(err, parts[1], "traffic has no class '%.60s'%s", parts[1]->text,
                              weft_suggest_text(&suggest));
}

/* A part of a list has no name of its own: topology.dims.0. */
static weft_status check_lists(const weft_node *node, const weft_node **parts, size_t count,
                               weft_error *err)
{
    for (size_t i = 0; i < count && node; i++) {
        if (node->type == WEFT_NODE_LIST && parts[i]->text[0] >= '0' && parts[i]->text[0] <= '9')
            return weft_node_complain(err, parts[i],
                                      "'%.60s' is a list, whose parts have no names; give all of "
                                      "it, such as [4, 4]",
                                      i > 0 ? parts[i - 1]->text : "this");
        node = node->type == WEFT_NODE_MAP ? weft_node_get(node, parts[i]->text) : NULL;
    }
    return WEFT_OK;
}

weft_status weft_node_assign(weft_arena *arena, const weft_node *root, const weft_node *key,
                             const weft_node *value, const weft_node **out, weft_error *err)
{
    const weft_node *parts[WEFT_PATH_MAX];
    size_t count;
    WEFT_TRY(split(arena, key, parts, &count, err));
    WEFT_TRY(check_class(root, parts, count, err));
    WEFT_TRY(check_lists(root, parts, count, err));
    *out = set(arena, root, parts, count, value);
    return WEFT_OK;
}
