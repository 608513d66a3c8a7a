/* SPDX-License-Identifier: Apache-2.0 */
/* Fast increase, multiplicative decrease (Santos, Turner & Janakiraman, IEEE INFOCOM 2003). The
 * rate grows by the factor n in a time of 1 / min, so every flow recovers from a decrease in that
 * time: F(t) = r n^(t min), and after a packet f_inc(r) = r n^(min / r). */
#include "base/numeric.h"
#include "net/traffic/response.h"

typedef struct settings {
    double n;
} settings;

static const weft_param params[] = {
    {.name = "n",
     .brief = "a marked ACK divides the rate by n",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, n),
     .fallback = "4",
     .min = 1.001,
     .max = 1e6},
    {.name = NULL},
};

static double factor(const weft_response *response)
{
    return ((const settings *)response->settings)->n;
}

static double increase(const weft_response *response, double rate)
{
    return rate * weft_pow(factor(response), response->min / rate);
}

static double decrease(const weft_response *response, double rate)
{
    return rate / factor(response);
}

static double unclipped(const weft_response *response)
{
    return response->min * factor(response);
}

const weft_response_kind weft_response_fimd = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "fimd",
             .brief = "fast (exponential) increase, multiplicative decrease",
             .params = params,
             .settings_size = sizeof(settings)},
    .increase = increase,
    .decrease = decrease,
    .unclipped = unclipped,
};
