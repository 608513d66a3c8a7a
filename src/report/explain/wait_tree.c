/* SPDX-License-Identifier: Apache-2.0 */
#include "report/explain/wait_tree.h"

#include "base/digits.h"

#include <string.h>

#define LEAST 0.01 /* of all that wait: lighter branches are left out */

static size_t find(const weft_wait_tree *tree, const char *name)
{
    size_t i = 0;
    while (i < tree->count && strcmp(tree->nodes[i].name, name) != 0)
        i++;
    return i;
}

/* The heaviest wait for something in the tree by something that is not. */
static const weft_why_wait *heaviest(const weft_why *why, const weft_wait_tree *tree)
{
    for (size_t i = 0; i < why->n_waits; i++) {
        const weft_why_wait *wait = &why->waits[i];
        if (wait->packets >= LEAST * why->waiting / 10 && find(tree, wait->to) < tree->count &&
            find(tree, wait->from) == tree->count)
            return wait;
    }
    return NULL;
}

/* Puts a node and all below it in their order. */
static void arrange(const weft_wait_tree *from, size_t node, size_t parent, weft_wait_tree *to)
{
    size_t at = to->count++;
    to->nodes[at] = from->nodes[node];
    to->nodes[at].parent = from->nodes[node].depth ? parent : at;
    for (size_t i = node + 1; i < from->count; i++)
        if (from->nodes[i].parent == node && from->nodes[i].depth)
            arrange(from, i, at, to);
}

void weft_wait_tree_make(const weft_why *why, weft_wait_tree *tree)
{
    weft_wait_tree found = {0};
    const weft_why_wait *wait;
    for (size_t r = 0; r < why->n_roots; r++)
        if (why->roots[r].packets >= LEAST * why->waiting)
            found.nodes[found.count++] = (weft_wait_node){.name = why->roots[r].name,
                                                          .root = &why->roots[r],
                                                          .packets = why->roots[r].packets,
                                                          .parent = r};
    while (found.count < WEFT_WAIT_TREE_NODES && (wait = heaviest(why, &found))) {
        size_t parent = find(&found, wait->to);
        found.nodes[found.count++] = (weft_wait_node){.name = wait->from,
                                                      .packets = wait->packets,
                                                      .parent = parent,
                                                      .depth = found.nodes[parent].depth + 1};
    }
    tree->count = 0;
    for (size_t i = 0; i < found.count; i++)
        if (found.nodes[i].depth == 0)
            arrange(&found, i, i, tree);
}

void weft_wait_tree_print(const weft_wait_tree *tree, FILE *out)
{
    char packets[WEFT_DIGITS_TEXT];
    fprintf(out, "\n  where waits end, and what waits for that %14s %9s\n", "packets", "busy, %");
    for (size_t i = 0; i < tree->count; i++) {
        const weft_wait_node *node = &tree->nodes[i];
        int indent = 2 + 2 * (int)node->depth;
        fprintf(out, "%*s%-*.60s %8s", indent, "", 48 - indent, node->name,
                weft_digits_plain(packets, node->packets, 4));
        if (node->root)
            fprintf(out, " %7.1f ± %.1f", 100 * node->root->busy,
                    50 * (node->root->hi - node->root->lo));
        fputc('\n', out);
    }
}
