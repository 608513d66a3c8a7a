/* SPDX-License-Identifier: Apache-2.0 */
/* Exponential lengths, rounded to the nearest flit and at least one. With the exponential's mean
 * m the mean of what is drawn is 1 + e^(−3/2m) / (1 − e^(−1/m)): 64.01 for 64, 1.35 for 1.
 * Rounding up would add half a flit. */
#include "base/numeric.h"
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/size.h"

#define LONGEST 23.0 /* means: −ln of the least number that is drawn, 2^−33, is 22.9 */

typedef struct settings {
    weft_size mean;
} settings;

static const weft_param params[] = {
    {.name = "mean",
     .brief = "mean length",
     .type = WEFT_PARAM_SIZE,
     .offset = offsetof(settings, mean),
     .min = 1,
     .max = 45000}, /* the longest draw still fits a message's length */
    {.name = NULL},
};

static double given(const weft_length *length)
{
    return weft_size_flits(((const settings *)length->settings)->mean, length->flit_bytes);
}

static double mean(const weft_length *length)
{
    double m = given(length);
    return 1 + weft_exp(-1.5 / m) / (1 - weft_exp(-1 / m));
}

static uint32_t flits(const weft_length *length, weft_random *random)
{
    double drawn = -weft_log(weft_random_open(random)) * given(length) + 0.5;
    uint32_t whole = drawn < WEFT_FLITS_MAX ? (uint32_t)drawn : WEFT_FLITS_MAX;
    return whole ? whole : 1;
}

static uint32_t most(const weft_length *length)
{
    double longest = LONGEST * given(length) + 0.5;
    return longest < WEFT_FLITS_MAX ? (uint32_t)longest + 1 : WEFT_FLITS_MAX;
}

const weft_length_kind weft_length_exponential = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_length_kind),
             .name = "exponential",
             .brief = "exponential lengths, rounded to the nearest flit",
             .params = params,
             .settings_size = sizeof(settings)},
    .flits = flits,
    .mean = mean,
    .most = most,
};
