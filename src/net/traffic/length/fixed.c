/* SPDX-License-Identifier: Apache-2.0 */
/* All messages are equally long. */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/size.h"

typedef struct settings {
    weft_size size;
} settings;

static const weft_param params[] = {
    {.name = "size",
     .brief = "length of every message",
     .type = WEFT_PARAM_SIZE,
     .offset = offsetof(settings, size),
     .min = 1,
     .max = WEFT_FLITS_MAX},
    {.name = NULL},
};

static uint32_t flits(const weft_length *length, weft_random *random)
{
    (void)random;
    return weft_size_whole(((const settings *)length->settings)->size, length->flit_bytes);
}

static double mean(const weft_length *length)
{
    return flits(length, NULL);
}

static uint32_t most(const weft_length *length)
{
    return flits(length, NULL);
}

const weft_length_kind weft_length_fixed = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_length_kind),
             .name = "fixed",
             .brief = "all messages equally long",
             .params = params,
             .settings_size = sizeof(settings)},
    .flits = flits,
    .mean = mean,
    .most = most,
};
