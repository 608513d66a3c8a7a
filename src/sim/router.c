/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router.h"

const weft_component *const weft_router_kinds[] = {
#define ROUTER(name) &weft_router_##name.carriage.base,
#include "sim/router/list.def"
#undef ROUTER
    NULL,
};

const weft_gauge_quantity weft_port_quantities[WEFT_GAUGE_COUNTS] = {
    {"port busy", "ticks", "port load", "fraction"},
    {"port occupancy", "flits × ticks", "buffer occupancy", "flits"},
    {"port flits", "flits", NULL, NULL},
    {"port stalls", "ticks", "credit stalls", "fraction"},
};
