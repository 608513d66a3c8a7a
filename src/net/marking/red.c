/* SPDX-License-Identifier: Apache-2.0 */
/* RED (Floyd & Jacobson 1993) on the queue as it is, without an average, as Ethernet switches mark
 * ECN: nothing up to min packets, then a probability that grows linearly to `most` at max, and
 * every packet beyond. */
#include "net/marking.h"

typedef struct settings {
    int64_t min, max;
    double most;
} settings;

static const weft_param params[] = {
    {.name = "min",
     .brief = "packets that wait for an output up to which none is marked",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, min),
     .fallback = "5",
     .min = 0,
     .max = 1e6},
    {.name = "max",
     .brief = "packets beyond which every one is marked",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, max),
     .fallback = "200",
     .min = 1,
     .max = 1e6},
    {.name = "most",
     .brief = "probability of a mark at max",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, most),
     .fallback = "1%",
     .min = 0,
     .max = 1},
    {.name = NULL},
};

static weft_status check(const weft_marking *marking, weft_error *err)
{
    const settings *set = marking->settings;
    if (set->min < set->max)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "router.marking.min must be below max (%lld packets), found %lld",
                     (long long)set->max, (long long)set->min);
}

static double probability(const weft_marking *marking, const weft_marking_output *output)
{
    const settings *set = marking->settings;
    uint32_t waiting = output->packets;
    if (waiting > set->max)
        return 1;
    if (waiting <= set->min)
        return 0;
    return set->most * (double)(waiting - set->min) / (double)(set->max - set->min);
}

const weft_marking_kind weft_marking_red = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_marking_kind),
             .name = "red",
             .brief = "by a probability that grows with the packets that wait for an output",
             .params = params,
             .settings_size = sizeof(settings)},
    .check = check,
    .probability = probability,
};
