/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/pattern.h"

const char *const weft_self_choices[] = {"excluded", "included", NULL};

const weft_component *const weft_pattern_kinds[] = {
#define PATTERN(name) &weft_pattern_##name.base,
#include "net/traffic/pattern/list.def"
#undef PATTERN
    NULL,
};
