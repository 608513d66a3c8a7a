/* SPDX-License-Identifier: Apache-2.0 */
/* Kleinrock's independence assumption as a setting: a packet's length is drawn anew at every hop,
 * from the distribution of another kind, so that lengths along a path are independent. */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/size.h"

typedef struct settings {
    weft_kind_ref of;
} settings;

static const weft_param params[] = {
    {.name = "of",
     .brief = "what is drawn at every hop",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, of),
     .family = "length"},
    {.name = NULL},
};

static weft_length inner(const weft_length *length)
{
    weft_kind_ref of = ((const settings *)length->settings)->of;
    return (weft_length){.kind = (const weft_length_kind *)(const void *)of.kind,
                         .settings = of.settings,
                         .flit_bytes = length->flit_bytes};
}

static uint32_t flits(const weft_length *length, weft_random *random)
{
    weft_length of = inner(length);
    return of.kind->flits(&of, random);
}

static double mean(const weft_length *length)
{
    weft_length of = inner(length);
    return of.kind->mean(&of);
}

static uint32_t most(const weft_length *length)
{
    weft_length of = inner(length);
    return of.kind->most ? of.kind->most(&of) : WEFT_FLITS_MAX;
}

const weft_length_kind weft_length_redraw = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_length_kind),
             .name = "redraw",
             .brief = "drawn anew at every hop (Kleinrock's independence assumption)",
             .params = params,
             .settings_size = sizeof(settings)},
    .flits = flits,
    .mean = mean,
    .most = most,
    .redraws = true,
};
