/* SPDX-License-Identifier: Apache-2.0 */
#include "net/arrival.h"

const weft_component *const weft_arrival_kinds[] = {
#define ARRIVAL(name) &weft_arrival_##name.base,
#include "net/arrival/list.def"
#undef ARRIVAL
    NULL,
};
