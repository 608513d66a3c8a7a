/* SPDX-License-Identifier: Apache-2.0 */
#include "planning/kinds.h"

#include "planning/design.h"

/* clang-format off */
#define FAMILY(family)     const weft_component *const weft_##family##_kinds[] = {
#define KIND(family, name) &weft_##family##_##name.base,
#define END                NULL};
/* clang-format on */
#include "planning/list.def"
