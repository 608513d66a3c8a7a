/* SPDX-License-Identifier: Apache-2.0 */
/* Generalised exponential gaps: with probability τ = 2 / (scv + 1) exponential with τ times the
 * rate, else zero. Messages come in batches of geometric size whose first ones are a Poisson
 * process; the gaps have the given mean and the squared coefficient of variation scv ≥ 1
 * (1: Poisson). */
#include "base/numeric.h"
#include "interweft/traffic.h"
#include "net/kinds.h"

typedef struct settings {
    double scv;
} settings;

static const weft_param params[] = {
    {.name = "scv",
     .brief = "squared coefficient of variation of the gaps",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scv),
     .min = 1,
     .max = 1e6},
    {.name = NULL},
};

static weft_fine_time interval(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    (void)index;
    double tau = 2 / (((const settings *)arrival->settings)->scv + 1);
    double branch = weft_random_open(random), drawn = weft_random_open(random);
    return branch < tau ? weft_fine_time_of(-weft_log(drawn) * (arrival->mean / tau)) : 0;
}

const weft_arrival_kind weft_arrival_ge = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "ge",
             .brief = "generalised exponential gaps: batches of geometric size (compound Poisson)",
             .params = params,
             .settings_size = sizeof(settings)},
    .interval = interval,
};
