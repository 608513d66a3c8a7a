/* SPDX-License-Identifier: Apache-2.0 */
#include "net/kinds.h"

#include "interweft/routing.h"
#include "interweft/traffic.h"
#include "net/marking.h"
#include "net/traffic/placement.h"
#include "net/traffic/response.h"

/* clang-format off */
#define FAMILY(family)     const weft_component *const weft_##family##_kinds[] = {
#define KIND(family, name) &weft_##family##_##name.base,
#define END                NULL};
/* clang-format on */
#include "net/list.def"
