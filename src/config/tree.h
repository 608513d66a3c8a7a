/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of settings: maps, lists and scalars, each knowing its place in a source.
 *
 * Trees are immutable and may share parts (an alias shares the node of its anchor). Made from
 * untrusted text with limits on depth, number of nodes (aliases counted as often as they expand)
 * and keys of one map. Knows YAML; knows nothing of settings. */
#ifndef WEFT_CONFIG_TREE_H
#define WEFT_CONFIG_TREE_H

#include "config/source.h"

#define WEFT_DEPTH_MAX 32
#define WEFT_NODES_MAX 100000
#define WEFT_KEYS_MAX  1024 /* of one map */

typedef enum weft_node_type { WEFT_NODE_SCALAR, WEFT_NODE_LIST, WEFT_NODE_MAP } weft_node_type;

typedef struct weft_node {
    uint8_t type;      /* weft_node_type */
    bool plain;        /* a scalar written without quotes */
    uint16_t height;   /* 1 + that of its highest child */
    uint32_t offset;   /* byte in the source */
    uint32_t width;    /* bytes there, for the caret */
    uint32_t n_values; /* children */
    uint32_t size;     /* nodes of the expanded subtree, itself included */
    const weft_source *source;
    const char *text;                      /* a scalar's text, \0-terminated */
    const struct weft_node *const *keys;   /* a map's keys: scalars */
    const struct weft_node *const *values; /* of a map or list */
} weft_node;

/* Parses the part of a checked source from byte `from`. *nodes_left is what may still be made and
 * is lowered. An empty text gives *root NULL. */
WEFT_MUST_USE weft_status weft_tree_parse(const weft_source *source, size_t from,
                                          size_t *nodes_left, weft_arena *arena,
                                          const weft_node **root, weft_error *err);

/* The value of a key, its key node, or NULL; also NULL if map is no map. */
const weft_node *weft_node_get(const weft_node *map, const char *key);
const weft_node *weft_node_key(const weft_node *map, const char *key);
/* Nothing was written: an empty value, ~ or null without quotes. */
bool weft_node_is_null(const weft_node *node);
/* What was found, for a sentence: 'text', a list, a map, nothing. */
const char *weft_node_found(const weft_node *node, weft_arena *arena);
/* A complaint about the place of a node. */
weft_status weft_node_complain(weft_error *err, const weft_node *node, const char *format, ...)
    WEFT_PRINTF(3, 4);

#endif
