/* SPDX-License-Identifier: Apache-2.0 */
/* Philox4x32-10 from Random123, in blocks of four words. */
#include "interweft/random.h"

#include "base/philox.h"

void weft_random_refill(weft_random *random)
{
    weft_philox_back(random->key, random->counter, random->word); /* word[] is taken from its end */
    random->counter[0]++;
    random->left = 4;
}

/* Lemire's multiplication with rejection: every value equally likely. */
uint32_t weft_random_below(weft_random *random, uint32_t n)
{
    uint64_t product = (uint64_t)weft_random_word(random) * n;
    if ((uint32_t)product < n) {
        uint32_t least = (0u - n) % n;
        while ((uint32_t)product < least)
            product = (uint64_t)weft_random_word(random) * n;
    }
    return (uint32_t)(product >> 32);
}
