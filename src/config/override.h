/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the command line. */
#ifndef WEFT_CONFIG_OVERRIDE_H
#define WEFT_CONFIG_OVERRIDE_H

#include "config/tree.h"

/* Sets key=value in a scenario. An axis of vary with the same key keeps that value alone. */
WEFT_MUST_USE weft_status weft_override_apply(const char *override, size_t *nodes_left,
                                              weft_arena *arena, const weft_node **tree,
                                              weft_error *err);
/* Sets a path in a scenario; key holds its text and place. An axis of vary with the same path keeps
 * that value alone. */
WEFT_MUST_USE weft_status weft_override_set(const weft_node *key, const weft_node *value,
                                            weft_arena *arena, const weft_node **tree,
                                            weft_error *err);
/* tree with an axis of vary, which may be a short form (config/short_axis.h). */
const weft_node *weft_override_vary(const weft_node *tree, const weft_node *key,
                                    const weft_node *value, weft_arena *arena);

#endif
