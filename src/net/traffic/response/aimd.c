/* SPDX-License-Identifier: Apache-2.0 */
/* Additive increase, multiplicative decrease. The rate grows by the same amount in every second,
 * (n − 1) min²: so a flow that was lowered from n × min to the minimum is back after one packet,
 * in a time of 1 / min, as with the other laws. Faster flows take longer. After a packet, that is
 * after 1 / r, f_inc(r) = r + (n − 1) min² / r. */
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
    return rate + (factor(response) - 1) * response->min * response->min / rate;
}

static double decrease(const weft_response *response, double rate)
{
    return rate / factor(response);
}

static double unclipped(const weft_response *response)
{
    return response->min * factor(response);
}

const weft_response_kind weft_response_aimd = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "aimd",
             .brief = "additive increase, multiplicative decrease",
             .params = params,
             .settings_size = sizeof(settings)},
    .increase = increase,
    .decrease = decrease,
    .unclipped = unclipped,
};
