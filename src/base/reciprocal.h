/* SPDX-License-Identifier: Apache-2.0 */
/* Division of 32-bit numbers by a fixed divisor: one multiplication. Exact for every dividend. */
#ifndef WEFT_BASE_RECIPROCAL_H
#define WEFT_BASE_RECIPROCAL_H

#include "base/numeric.h"

typedef uint64_t weft_reciprocal; /* ⌈2^63 / divisor⌉ */

static inline weft_reciprocal weft_reciprocal_of(uint32_t divisor)
{
    return (((uint64_t)1 << 63) + divisor - 1) / divisor;
}

static inline uint32_t weft_divide(uint32_t dividend, weft_reciprocal reciprocal)
{
    return (uint32_t)(((weft_u128)dividend * reciprocal) >> 63);
}

#endif
