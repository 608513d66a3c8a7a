/* SPDX-License-Identifier: Apache-2.0 */
/* The one place that names Random123. */
#ifndef WEFT_BASE_PHILOX_H
#define WEFT_BASE_PHILOX_H

#include <Random123/philox.h>
#include <stdint.h>

/* Philox4x32-10. */
static inline philox4x32_ctr_t weft_philox(const uint32_t key[2], const uint32_t counter[4])
{
    philox4x32_key_t k = {{key[0], key[1]}};
    philox4x32_ctr_t c = {{counter[0], counter[1], counter[2], counter[3]}};
    return philox4x32(c, k);
}

#endif
