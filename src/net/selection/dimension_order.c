/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies list their minimal ports in dimension order already. */
#include "net/selection.h"

const weft_selection_kind weft_selection_dimension_order = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "dimension-order",
             .brief = "the lowest dimension first"},
};
