/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/response/common/multiplicative.h"

const weft_param weft_multiplicative_params[] = {
    {.name = "n",
     .brief = "a marked ACK divides the rate by n",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(weft_multiplicative, n),
     .fallback = "4",
     .min = 1.001,
     .max = 1e6},
    {.name = NULL},
};

double weft_multiplicative_decrease(const weft_response *response, double rate)
{
    return rate / weft_multiplicative_factor(response);
}

double weft_multiplicative_unclipped(const weft_response *response)
{
    return response->min * weft_multiplicative_factor(response);
}
