/* SPDX-License-Identifier: Apache-2.0 */
/* Includes are merged in their order, the including file last: later wins. A file is told by its
 * device and inode, so a cycle is noticed whatever its names are. */
#include "config/include.h"

#include "base/utf8.h"
#include "config/edit.h"

#include <assert.h>

typedef struct loader {
    size_t *nodes_left;
    weft_arena *arena;
    weft_error *err;
    const weft_source *chain[WEFT_INCLUDE_DEPTH]; /* files being read, outermost first */
    size_t depth, files;
} loader;

static weft_status load(loader *l, const char *file, const weft_node *at, const weft_node **tree);

static weft_status include_one(loader *l, const weft_node *name, const weft_node **base)
{
    if (name->type != WEFT_NODE_SCALAR || weft_node_is_null(name) || name->text[0] == '\0')
        return weft_node_complain(l->err, name,
                                  "include must name a file or a list of files, found %s",
                                  weft_node_found(name, l->arena));
    const weft_node *tree = NULL;
    WEFT_TRY(load(l, weft_source_beside(name->source, name->text, l->arena), name, &tree));
    *base = *base ? weft_node_merge(l->arena, *base, tree) : tree;
    return WEFT_OK;
}

static weft_status include_all(loader *l, const weft_node *include, const weft_node **base)
{
    if (include->type != WEFT_NODE_LIST)
        return include_one(l, include, base);
    for (size_t i = 0; i < include->n_values; i++)
        WEFT_TRY(include_one(l, include->values[i], base));
    return WEFT_OK;
}

static weft_status check_cycle(loader *l, const weft_source *source, const weft_node *at)
{
    size_t first = 0;
    while (first < l->depth &&
           (l->chain[first]->device != source->device || l->chain[first]->inode != source->inode))
        first++;
    if (first == l->depth)
        return WEFT_OK;
    const char *chain = "";
    for (size_t i = first; i < l->depth; i++)
        chain = weft_arena_format(l->arena, "%s%.80s → ", chain, l->chain[i]->name);
    return weft_node_complain(l->err, at, "these files include each other: %s%.80s", chain,
                              source->name);
}

weft_status weft_include_root(const weft_source *source, const weft_node *root, weft_arena *arena,
                              weft_error *err)
{
    if (!root)
        return weft_complain(err, source, 0, 1,
                             "no settings here; a scenario begins with 'interweft: 1'");
    if (root->type != WEFT_NODE_MAP)
        return weft_node_complain(err, root, "a scenario must be a map of sections, found %s",
                                  weft_node_found(root, arena));
    return WEFT_OK;
}

static weft_status open_source(loader *l, const char *file, const weft_node *at,
                               const weft_source **source)
{
    if (at && (l->depth == WEFT_INCLUDE_DEPTH || l->files == WEFT_INCLUDE_FILES))
        return weft_node_complain(l->err, at,
                                  "more than %d files, or includes nested deeper than %d",
                                  WEFT_INCLUDE_FILES, WEFT_INCLUDE_DEPTH);
    const char *why;
    *source = weft_source_read(file, l->arena, &why);
    l->files++;
    if (!*source && at)
        return weft_node_complain(l->err, at, "the included file '%.200s' %s", file, why);
    if (!*source) {
        char *name = weft_arena_format(l->arena, "%.1024s", file);
        weft_make_harmless(name);
        return weft_fail(l->err, WEFT_BAD_INPUT, "%s %s", name, why);
    }
    WEFT_TRY(at ? check_cycle(l, *source, at) : WEFT_OK);
    return weft_source_check(*source, l->err);
}

static weft_status load(loader *l, const char *file, const weft_node *at, const weft_node **tree)
{
    const weft_source *source = NULL;
    const weft_node *root = NULL, *base = NULL;
    WEFT_TRY(open_source(l, file, at, &source));
    WEFT_TRY(weft_tree_parse(source, 0, l->nodes_left, l->arena, &root, l->err));
    WEFT_TRY(weft_include_root(source, root, l->arena, l->err));
    assert(l->depth < WEFT_INCLUDE_DEPTH);
    l->chain[l->depth++] = source;
    const weft_node *include = weft_node_get(root, "include");
    if (include)
        WEFT_TRY(include_all(l, include, &base));
    l->depth--;
    root = weft_node_without(l->arena, root, "include");
    *tree = base ? weft_node_merge(l->arena, base, root) : root;
    return WEFT_OK;
}

weft_status weft_include_read(const char *file, size_t *nodes_left, weft_arena *arena,
                              const weft_node **tree, weft_error *err)
{
    loader l = {.nodes_left = nodes_left, .arena = arena, .err = err};
    return load(&l, file, NULL, tree);
}

weft_status weft_include_named(const weft_node *name, size_t *nodes_left, weft_arena *arena,
                               const weft_node **tree, weft_error *err)
{
    loader l = {.nodes_left = nodes_left, .arena = arena, .err = err};
    return load(&l, weft_source_beside(name->source, name->text, arena), name, tree);
}
