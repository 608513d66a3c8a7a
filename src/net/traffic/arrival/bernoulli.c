/* SPDX-License-Identifier: Apache-2.0 */
/* A Bernoulli process: a message with the same probability in every cycle. Gaps are geometric, at
 * least one cycle. */
#include "base/numeric.h"
#include "interweft/traffic.h"
#include "net/kinds.h"

static weft_fine_time interval(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    double p = arrival->cycle_ticks / arrival->mean, idle = 0;
    if (p < 1) {
        double stay = p > 1e-9 ? weft_log(1 - p) : -p; /* 1 − p would lose what is left of p */
        idle = weft_log(weft_random_open(random)) / stay;
        idle = idle < 0x1p46 ? (double)(uint64_t)idle : 0x1p46;
    }
    double cycles = index == 0 ? idle : idle + 1; /* the very first cycle counts too */
    return weft_fine_time_of(cycles * arrival->cycle_ticks);
}

const weft_arrival_kind weft_arrival_bernoulli = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "bernoulli",
             .brief = "a coin in every cycle"},
    .interval = interval,
    .most = 1,
};
