/* SPDX-License-Identifier: Apache-2.0 */
#include "config/change.h"

#include "base/text.h"
#include "config/describe/print.h"
#include "config/tree.h"

#include <string.h>

typedef struct comparison {
    weft_arena *arena;
    weft_change *found;
    size_t most, count;
} comparison;

static weft_status parse(const char *text, weft_arena *arena, const weft_node **tree,
                         weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_source *source = weft_source_of_text("settings", text, strlen(text), false, arena);
    WEFT_TRY(weft_source_check(source, err));
    return weft_tree_parse(source, 0, &nodes_left, arena, tree, err);
}

/* NULL for what is not there. */
static const char *print(const weft_node *node, weft_arena *arena)
{
    if (!node)
        return NULL;
    weft_text text;
    weft_text_init(&text);
    weft_print_flow(&text, node, false);
    const char *copy = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    return copy;
}

static void compare(comparison *c, const char *path, const weft_node *one, const weft_node *other);

/* The title, and the permission for loads above 1. */
static bool changes_nothing(const char *path, const char *key)
{
    bool offers = strcmp(path, "offered") == 0 || strncmp(path, "traffic.", 8) == 0;
    return (!*path && strcmp(key, "title") == 0) || (offers && strcmp(key, "overload") == 0);
}

/* The keys of one map, against those of the other; `only`: those that the other does not have. */
static void compare_keys(comparison *c, const char *path, const weft_node *one,
                         const weft_node *other, bool only)
{
    for (size_t i = 0; i < one->n_values; i++) {
        const char *key = one->keys[i]->text;
        const weft_node *there = weft_node_get(other, key);
        const char *below = *path ? weft_arena_format(c->arena, "%s.%s", path, key)
                                  : weft_arena_copy(c->arena, key, strlen(key));
        if (changes_nothing(path, key))
            continue;
        if (!only)
            compare(c, below, one->values[i], there);
        else if (!there)
            compare(c, below, NULL, one->values[i]);
    }
}

static void compare(comparison *c, const char *path, const weft_node *one, const weft_node *other)
{
    if (one && other && one->type == WEFT_NODE_MAP && other->type == WEFT_NODE_MAP) {
        compare_keys(c, path, one, other, false);
        compare_keys(c, path, other, one, true);
        return;
    }
    const char *a = print(one, c->arena), *b = print(other, c->arena);
    if ((a && b && strcmp(a, b) == 0) || c->count == c->most)
        return;
    c->found[c->count++] = (weft_change){path, a, b};
}

weft_status weft_change_find(const char *one, const char *other, weft_arena *arena,
                             weft_change *found, size_t most, size_t *count, weft_error *err)
{
    comparison c = {.arena = arena, .found = found, .most = most};
    const weft_node *first = NULL, *second = NULL;
    *count = 0;
    if (strcmp(one, other) == 0)
        return WEFT_OK;
    WEFT_TRY(parse(one, arena, &first, err));
    WEFT_TRY(parse(other, arena, &second, err));
    compare(&c, "", first, second);
    *count = c.count;
    return WEFT_OK;
}
