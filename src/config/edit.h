/* SPDX-License-Identifier: Apache-2.0 */
/* New trees from old: merging, setting, leaving out. The old trees stay as they are; unchanged
 * parts are shared. Sizes and heights of nodes are the parser's and not kept up. */
#ifndef WEFT_CONFIG_EDIT_H
#define WEFT_CONFIG_EDIT_H

#include "config/tree.h"

#define WEFT_PATH_MAX 16 /* parts of a dotted path */

/* A scalar at the place of `at`. */
const weft_node *weft_node_scalar(weft_arena *arena, const weft_node *at, const char *text);
/* An empty map at the place of `at`. */
const weft_node *weft_node_empty_map(weft_arena *arena, const weft_node *at);
/* A list of one value. */
const weft_node *weft_node_only(weft_arena *arena, const weft_node *value);
/* base with key set to value: replaced where it stands, or added at the end. */
const weft_node *weft_node_with(weft_arena *arena, const weft_node *base, const weft_node *key,
                                const weft_node *value);
/* map without a key. */
const weft_node *weft_node_without(weft_arena *arena, const weft_node *map, const char *key);
/* Maps are merged deeply; anything else of `over` replaces what `base` has. */
const weft_node *weft_node_merge(weft_arena *arena, const weft_node *base, const weft_node *over);
/* Sets a dotted path; `key` holds its text and place. Maps that are missing on the way are made;
 * a scalar on the way is the short form of a kind and becomes {kind: scalar}. Fails if the path is
 * malformed or goes through a traffic class that does not exist. */
WEFT_MUST_USE weft_status weft_node_assign(weft_arena *arena, const weft_node *root,
                                           const weft_node *key, const weft_node *value,
                                           const weft_node **out, weft_error *err);

#endif
