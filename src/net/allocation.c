/* SPDX-License-Identifier: Apache-2.0 */
#include "net/allocation.h"

const weft_allocation_kind *weft_allocation_of(int placement)
{
    static const weft_allocation_kind *const kinds[] = {
#define ALLOCATION(placement, name) [placement] = &weft_allocation_##name,
#include "net/allocation/list.def"
#undef ALLOCATION
    };
    return kinds[placement];
}
