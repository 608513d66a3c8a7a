/* SPDX-License-Identifier: Apache-2.0 */
/* The vary section for a search that scales all traffic itself: axes that only do the same keep
 * their first value. */
#ifndef WEFT_CONFIG_ONE_LOAD_H
#define WEFT_CONFIG_ONE_LOAD_H

#include "config/vary.h"

/* `tree`: the scenario without vary; `grid`: of vary. Keys of points, and so their seeds, are those
 * of the points with the first load. */
const weft_node *weft_one_load(const weft_node *tree, const weft_node *vary, const weft_sweep *grid,
                               weft_arena *arena);

#endif
