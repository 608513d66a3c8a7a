/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router.h"

const weft_component *const weft_router_kinds[] = {
#define ROUTER(name) &weft_router_##name.base,
#include "sim/router/list.def"
#undef ROUTER
    NULL,
};
