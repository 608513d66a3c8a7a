/* SPDX-License-Identifier: Apache-2.0 */
/* Additive increase, multiplicative decrease. The rate grows by the same amount in every second,
 * (n − 1) min²: so a flow that was lowered from n × min to the minimum is back after one packet,
 * in a time of 1 / min, as with the other laws. Faster flows take longer. After a packet, that is
 * after 1 / r, f_inc(r) = r + (n − 1) min² / r. */
#include "net/traffic/response/common/multiplicative.h"

static double increase(const weft_response *response, double rate)
{
    return rate + (weft_multiplicative_factor(response) - 1) * response->min * response->min / rate;
}

const weft_response_kind weft_response_aimd = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "aimd",
             .brief = "additive increase, multiplicative decrease",
             .params = weft_multiplicative_params,
             .settings_size = sizeof(weft_multiplicative)},
    .increase = increase,
    .decrease = weft_multiplicative_decrease,
    .unclipped = weft_multiplicative_unclipped,
};
