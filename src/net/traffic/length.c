/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/length.h"

const weft_component *const weft_length_kinds[] = {
#define LENGTH(name) &weft_length_##name.base,
#include "net/traffic/length/list.def"
#undef LENGTH
    NULL,
};
