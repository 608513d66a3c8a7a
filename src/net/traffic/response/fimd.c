/* SPDX-License-Identifier: Apache-2.0 */
/* Fast increase, multiplicative decrease (Santos, Turner & Janakiraman, IEEE INFOCOM 2003). The
 * rate grows by the factor n in a time of 1 / min, so every flow recovers from a decrease in that
 * time: F(t) = r n^(t min), and after a packet f_inc(r) = r n^(min / r). */
#include "base/numeric.h"
#include "net/traffic/response/common/multiplicative.h"

static double increase(const weft_response *response, double rate)
{
    return rate * weft_pow(weft_multiplicative_factor(response), response->min / rate);
}

const weft_response_kind weft_response_fimd = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "fimd",
             .brief = "fast (exponential) increase, multiplicative decrease",
             .params = weft_multiplicative_params,
             .settings_size = sizeof(weft_multiplicative)},
    .increase = increase,
    .decrease = weft_multiplicative_decrease,
    .unclipped = weft_multiplicative_unclipped,
};
