/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router.h"

/* clang-format off */
#define FAMILY(family)     const weft_component *const weft_##family##_kinds[] = {
#define KIND(family, name) &weft_##family##_##name.carriage.base,
#define END                NULL};
/* clang-format on */
#include "sim/list.def"

const weft_counter_quantity weft_port_quantities[WEFT_COUNTER_COUNTS] = {
    {"port busy", "ticks", "port load", "fraction"},
    {"port occupancy", "flits × ticks", "buffer occupancy", "flits"},
    {"port flits", "flits", NULL, NULL},
    {"port stalls", "ticks", "credit stalls", "fraction"},
};
