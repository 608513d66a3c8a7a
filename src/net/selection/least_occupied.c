/* SPDX-License-Identifier: Apache-2.0 */
/* The router prefers the port with the shortest queue (output-queued) or the most free space
 * downstream (input-queued). Ports stay in dimension order, which breaks ties. */
#include "net/selection.h"

const weft_selection_kind weft_selection_least_occupied = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "least-occupied",
             .brief = "the port where the least waits, the lower dimension on ties"},
    .looks = true,
};
