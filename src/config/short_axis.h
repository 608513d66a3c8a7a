/* SPDX-License-Identifier: Apache-2.0 */
/* Several values of a setting, as people write them on a command line: 0.1/0.9/0.1 and a,b. */
#ifndef WEFT_CONFIG_SHORT_AXIS_H
#define WEFT_CONFIG_SHORT_AXIS_H

#include "config/tree.h"

/* from/to/step, all numbers, as {from, to, step}; NULL: it is something else. */
const weft_node *weft_short_range(const weft_node *value, weft_arena *arena);
/* a,b,c, all numbers or all words, as a list; NULL: it is something else. */
const weft_node *weft_short_list(const weft_node *value, weft_arena *arena);

#endif
