/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing.h"

const weft_component *const weft_routing_kinds[] = {
#define ROUTING(name) &weft_routing_##name.base,
#include "net/routing/list.def"
#undef ROUTING
    NULL,
};
