/* SPDX-License-Identifier: Apache-2.0 */
/* Questions a tree answers. */
#include "config/tree.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t find(const weft_node *map, const char *key)
{
    for (size_t i = 0; i < map->n_values; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return i;
    return map->n_values;
}

const weft_node *weft_node_get(const weft_node *map, const char *key)
{
    if (!map || map->type != WEFT_NODE_MAP)
        return NULL;
    size_t i = find(map, key);
    return i < map->n_values ? map->values[i] : NULL;
}

const weft_node *weft_node_key(const weft_node *map, const char *key)
{
    if (!map || map->type != WEFT_NODE_MAP)
        return NULL;
    size_t i = find(map, key);
    return i < map->n_values ? map->keys[i] : NULL;
}

bool weft_node_is_null(const weft_node *node)
{
    return node->type == WEFT_NODE_SCALAR && node->plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

const char *weft_node_found(const weft_node *node, weft_arena *arena)
{
    if (node->type == WEFT_NODE_LIST)
        return node->n_values ? "a list" : "an empty list";
    if (node->type == WEFT_NODE_MAP)
        return node->n_values ? "a map" : "an empty map";
    if (weft_node_is_null(node))
        return "nothing";
    bool clipped = strlen(node->text) > 60;
    char *text = weft_arena_format(arena, "%.60s", node->text);
    weft_make_harmless(text);
    return weft_arena_format(arena, "'%s%s'", text, clipped ? "…" : "");
}

weft_status weft_node_complain(weft_error *err, const weft_node *node, const char *format, ...)
{
    assert(node && node->source);
    char sentence[2048];
    va_list args;
    va_start(args, format);
    (void)weft_digits_vprint(sentence, sizeof sentence, format, args);
    va_end(args);
    return weft_complain(err, node->source, node->offset, node->width, "%s", sentence);
}
