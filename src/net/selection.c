/* SPDX-License-Identifier: Apache-2.0 */
#include "net/selection.h"

const weft_component *const weft_selection_kinds[] = {
#define SELECTION(name) &weft_selection_##name.base,
#include "net/selection/list.def"
#undef SELECTION
    NULL,
};
