/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario file with the files it includes, as one tree. */
#ifndef WEFT_CONFIG_INCLUDE_H
#define WEFT_CONFIG_INCLUDE_H

#include "config/tree.h"

#define WEFT_INCLUDE_DEPTH 16
#define WEFT_INCLUDE_FILES 64

/* Reads a file and merges it over what it includes; the result has no key 'include'. Limits on
 * depth, files and nodes hold for all files together. */
WEFT_MUST_USE weft_status weft_include_read(const char *file, size_t *nodes_left, weft_arena *arena,
                                            const weft_node **tree, weft_error *err);
/* The same of a file that a node names, relative to the file of the node. */
WEFT_MUST_USE weft_status weft_include_named(const weft_node *name, size_t *nodes_left,
                                             weft_arena *arena, const weft_node **tree,
                                             weft_error *err);
/* The root of a scenario must be a map; says so. */
WEFT_MUST_USE weft_status weft_include_root(const weft_source *source, const weft_node *root,
                                            weft_arena *arena, weft_error *err);

#endif
