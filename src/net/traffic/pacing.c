/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/pacing.h"

#define GAP_MAX 0x1p29 /* ticks: routers keep them in 32 bits */

static weft_status check(const weft_pacing *pacing, weft_error *err)
{
    const weft_response *law = &pacing->law;
    if (law->min >= law->max)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "min-rate must be below 1, the maximum rate, found %g",
                         law->min / law->max);
    if ((1 + pacing->jitter) * pacing->ticks / law->min >= GAP_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "min-rate: %.6g packets/s leave %.6g ticks between two packets, less than "
                         "2^29 can be simulated: give a higher rate",
                         law->min, pacing->ticks / law->min);
    return law->kind->check ? law->kind->check(law, err) : WEFT_OK;
}

weft_status weft_pacing_build(weft_pacing *pacing, const weft_class_settings *set,
                              const weft_timing *timing, double packet_ticks, weft_error *err)
{
    *pacing = (weft_pacing){0};
    if (!set->response.kind)
        return WEFT_OK;
    pacing->ticks = timing->tick_ps > 0 ? 1e12 / timing->tick_ps : (double)timing->cycle;
    double max = set->max_rate == WEFT_NONE_REAL ? pacing->ticks / packet_ticks : set->max_rate;
    pacing->law =
        (weft_response){.kind = (const weft_response_kind *)(const void *)set->response.kind,
                        .settings = set->response.settings,
                        .min = max * set->min_rate,
                        .max = max};
    pacing->jitter = set->rate_jitter;
    pacing->window = set->window == WEFT_NONE_INT ? 0 : (uint32_t)set->window;
    return check(pacing, err);
}
