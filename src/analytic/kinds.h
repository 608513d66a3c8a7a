/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the built-in kinds, and a NULL-terminated list of them for every family. A kind is
 * one line in analytic/list.def. */
#ifndef WEFT_ANALYTIC_KINDS_H
#define WEFT_ANALYTIC_KINDS_H

#include "interweft/component.h"

#define FAMILY(family)     extern const weft_component *const weft_##family##_kinds[];
#define KIND(family, name) extern const struct weft_##family##_kind weft_##family##_##name;
#define END
#include "analytic/list.def"
#undef FAMILY
#undef KIND
#undef END

#endif
