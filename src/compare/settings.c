/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/settings.h"

#include "config/describe/print.h"

#include <assert.h>
#include <string.h>

const weft_node *weft_compare_settings_read(const char *text, weft_arena *arena)
{
    weft_error ignored;
    size_t nodes = WEFT_NODES_MAX;
    const weft_node *root = NULL;
    const weft_source *source = weft_source_of_text("settings", text, strlen(text), true, arena);
    if (weft_source_check(source, &ignored) != WEFT_OK ||
        weft_tree_parse(source, 0, &nodes, arena, &root, &ignored) != WEFT_OK)
        return NULL;
    return root;
}

static const char *flow(const weft_node *node, weft_arena *arena)
{
    weft_text text;
    weft_text_init(&text);
    weft_print_flow(&text, node, true);
    const char *copy = weft_arena_copy(arena, text.at ? text.at : "", text.length);
    weft_text_done(&text);
    return copy;
}

const char *weft_compare_settings_at(const weft_node *root, const char *path, weft_arena *arena)
{
    const weft_node *node = root;
    for (const char *part = path; node && *part;) {
        size_t length = strcspn(part, ".");
        node = weft_node_get(node, weft_arena_copy(arena, part, length));
        part += length + (part[length] == '.');
    }
    if (!node)
        return "";
    const weft_node *kind = weft_node_get(node, "kind");
    return flow(kind && node->n_values == 1 ? kind : node, arena);
}

typedef struct walk {
    weft_arena *arena;
    weft_compare_leaf act;
    void *user;
} walk;

static void visit(const walk *w, const weft_node *node, const char *path)
{
    if (node->type != WEFT_NODE_MAP) {
        w->act(w->user, path, flow(node, w->arena));
        return;
    }
    for (uint32_t i = 0; i < node->n_values; i++)
        visit(w, node->values[i],
              weft_arena_format(w->arena, "%s%s%s", path, *path ? "." : "", node->keys[i]->text));
}

void weft_compare_settings_leaves(const weft_node *root, weft_arena *arena, weft_compare_leaf act,
                                  void *user)
{
    assert(act);
    if (root)
        visit(&(walk){arena, act, user}, root, "");
}
