/* SPDX-License-Identifier: Apache-2.0 */
/* A random order: what is left of a machine after many jobs have come and gone. */
#include "interweft/random.h"
#include "net/allocation.h"

static weft_status order(weft_allocation *allocation, weft_error *err)
{
    uint32_t *free = allocation->free;
    (void)err;
    for (uint32_t i = allocation->count; i > 1; i--) {
        weft_random random =
            weft_random_stream(allocation->seed, i, allocation->job, WEFT_FOR_PHASE);
        uint32_t j = weft_random_below(&random, i), other = free[j];
        free[j] = free[i - 1];
        free[i - 1] = other;
    }
    return WEFT_OK;
}

const weft_allocation_kind weft_allocation_random = {.name = "random", .order = order};
