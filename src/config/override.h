/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the command line. */
#ifndef WEFT_CONFIG_OVERRIDE_H
#define WEFT_CONFIG_OVERRIDE_H

#include "config/tree.h"

/* Sets key=value in a scenario. An axis of vary with the same key keeps that value alone. */
WEFT_MUST_USE weft_status weft_override_apply(const char *override, size_t *nodes_left,
                                              weft_arena *arena, const weft_node **tree,
                                              weft_error *err);

#endif
