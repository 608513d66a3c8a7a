/* SPDX-License-Identifier: Apache-2.0 */
/* In the order of the endpoints' numbers. */
#include "net/allocation.h"

static weft_status order(weft_allocation *allocation, weft_error *err)
{
    (void)allocation, (void)err;
    return WEFT_OK;
}

const weft_allocation_kind weft_allocation_contiguous = {.name = "contiguous", .order = order};
