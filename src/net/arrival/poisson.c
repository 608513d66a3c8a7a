/* SPDX-License-Identifier: Apache-2.0 */
/* A Poisson process: gaps are −ln u times the mean. */
#include "base/numeric.h"
#include "net/arrival.h"

static weft_moment interval(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    (void)index;
    double gap = -weft_log(weft_random_open(random)) * arrival->mean;
    return weft_moment_of(gap);
}

const weft_arrival_kind weft_arrival_poisson = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "poisson",
             .brief = "exponential gaps, independent of each other"},
    .interval = interval,
};
