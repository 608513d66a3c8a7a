/* SPDX-License-Identifier: Apache-2.0 */
/* No response: the rate stays as it is. */
#include "net/traffic/response.h"

static double keep(const weft_response *response, double rate)
{
    (void)response;
    return rate;
}

static double unclipped(const weft_response *response)
{
    return response->min;
}

const weft_response_kind weft_response_none = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "none",
             .brief = "the rate stays as it is"},
    .increase = keep,
    .decrease = keep,
    .unclipped = unclipped,
};
