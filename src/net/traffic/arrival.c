/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/arrival.h"

const weft_component *const weft_arrival_kinds[] = {
#define ARRIVAL(name) &weft_arrival_##name.base,
#include "net/traffic/arrival/list.def"
#undef ARRIVAL
    NULL,
};
