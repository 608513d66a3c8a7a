/* SPDX-License-Identifier: Apache-2.0 */
/* Short messages and long ones. */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/size.h"

typedef struct settings {
    weft_size small, large;
    double share;
} settings;

static const weft_param params[] = {
    {.name = "short",
     .brief = "length of a short message",
     .type = WEFT_PARAM_SIZE,
     .offset = offsetof(settings, small),
     .min = 1,
     .max = WEFT_FLITS_MAX},
    {.name = "long",
     .brief = "length of a long message",
     .type = WEFT_PARAM_SIZE,
     .offset = offsetof(settings, large),
     .min = 1,
     .max = WEFT_FLITS_MAX},
    {.name = "share",
     .brief = "share of the messages that are long",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, share),
     .fallback = "50%",
     .min = 0,
     .max = 1},
    {.name = NULL},
};

static uint32_t flits(const weft_length *length, weft_random *random)
{
    const settings *set = length->settings;
    bool large = weft_random_open(random) < set->share;
    return weft_size_whole(large ? set->large : set->small, length->flit_bytes);
}

static double mean(const weft_length *length)
{
    const settings *set = length->settings;
    return set->share * weft_size_whole(set->large, length->flit_bytes) +
           (1 - set->share) * weft_size_whole(set->small, length->flit_bytes);
}

static uint32_t most(const weft_length *length)
{
    const settings *set = length->settings;
    uint32_t large = weft_size_whole(set->large, length->flit_bytes);
    uint32_t small = weft_size_whole(set->small, length->flit_bytes);
    return large > small ? large : small;
}

const weft_length_kind weft_length_bimodal = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_length_kind),
             .name = "bimodal",
             .brief = "short messages and long ones",
             .params = params,
             .settings_size = sizeof(settings)},
    .flits = flits,
    .mean = mean,
    .most = most,
};
