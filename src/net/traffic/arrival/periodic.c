/* SPDX-License-Identifier: Apache-2.0 */
/* Equal gaps; the first one is uniform between zero and a whole gap. */
#include "interweft/traffic.h"
#include "net/kinds.h"

static weft_fine_time interval(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    double gap = arrival->mean;
    if (index == 0)
        gap *= weft_random_open(random);
    return weft_fine_time_of(gap);
}

const weft_arrival_kind weft_arrival_periodic = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "periodic",
             .brief = "equal gaps, a random phase per source"},
    .interval = interval,
};
