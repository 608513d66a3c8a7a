/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the built-in kinds, and a NULL-terminated list of them for every family. A kind is
 * one line in planning/list.def. */
#ifndef WEFT_PLANNING_KINDS_H
#define WEFT_PLANNING_KINDS_H

#include "interweft/component.h"

#define FAMILY(family)     extern const weft_component *const weft_##family##_kinds[];
#define KIND(family, name) extern const struct weft_##family##_kind weft_##family##_##name;
#define END
#include "planning/list.def"
#undef FAMILY
#undef KIND
#undef END

#endif
