/* SPDX-License-Identifier: Apache-2.0 */
/* The router looks: it prefers the port where the least waits (output-queued) or behind which
 * there is the most room (input-queued). Ways stay in dimension order, which decides between
 * equals. */
#include "net/selection.h"

const weft_selection_kind weft_selection_least_occupied = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "least-occupied",
             .brief = "the port where the least waits, the lower dimension on ties"},
    .looks = true,
};
