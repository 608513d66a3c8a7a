/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a point, read back from its results: by path, and leaf by leaf. What cannot be
 * read has no settings: results are not trusted. */
#ifndef WEFT_COMPARE_SETTINGS_H
#define WEFT_COMPARE_SETTINGS_H

#include "base/arena.h"
#include "config/tree.h"

/* NULL: none. */
const weft_node *weft_compare_settings_read(const char *text, weft_arena *arena);
/* The value at a dotted path in its one canonical form; a kind without settings is its name. ""
 * is nothing there. */
const char *weft_compare_settings_at(const weft_node *root, const char *path, weft_arena *arena);

typedef void (*weft_compare_leaf)(void *user, const char *path, const char *value);
/* Calls act for every scalar and list below root. */
void weft_compare_settings_leaves(const weft_node *root, weft_arena *arena, weft_compare_leaf act,
                                  void *user);

#endif
