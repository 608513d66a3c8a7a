/* SPDX-License-Identifier: Apache-2.0 */
/* Power increase, power decrease. The rate, in units of a reference rate, is raised to the power m
 * in a time of 1 / min and to the power 1 / m by a marked ACK; after a packet f_inc(r) =
 * r^(m^(min / r)). A power depends on the unit, so the reference is a setting. It has to be below
 * the minimum: at it the rate would never leave the minimum, above it an increase would lower the
 * rate. */
#include "base/numeric.h"
#include "net/traffic/response.h"

typedef struct settings {
    double m, reference;
} settings;

static const weft_param params[] = {
    {.name = "m",
     .brief = "a marked ACK takes the m-th root of the rate",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, m),
     .fallback = "4",
     .min = 1.001,
     .max = 100},
    {.name = "reference",
     .brief = "unit of the rate in the powers, packets per second; below the minimum",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, reference),
     .fallback = "1000",
     .min = 1e-6,
     .max = 1e12},
    {.name = NULL},
};

static weft_status check(const weft_response *response, weft_error *err)
{
    const settings *set = response->settings;
    if (set->reference < response->min)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "law: the reference of pipd must be below the minimum rate (%.6g packets/s), "
                     "found %.6g: an increase would not raise the rate",
                     response->min, set->reference);
}

static double power(const weft_response *response, double rate, double exponent)
{
    double unit = ((const settings *)response->settings)->reference;
    return unit * weft_pow(rate / unit, exponent);
}

static double increase(const weft_response *response, double rate)
{
    double m = ((const settings *)response->settings)->m;
    return power(response, rate, weft_pow(m, response->min / rate));
}

static double decrease(const weft_response *response, double rate)
{
    return power(response, rate, 1 / ((const settings *)response->settings)->m);
}

static double unclipped(const weft_response *response)
{
    return power(response, response->min, ((const settings *)response->settings)->m);
}

const weft_response_kind weft_response_pipd = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "pipd",
             .brief = "power increase, power decrease",
             .params = params,
             .settings_size = sizeof(settings)},
    .check = check,
    .increase = increase,
    .decrease = decrease,
    .unclipped = unclipped,
};
