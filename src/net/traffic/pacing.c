/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/pacing.h"

#define GAP_MAX 0x1p29 /* ticks: routers keep them in 32 bits */

static const char *unit_of(const weft_timing *timing)
{
    return timing->tick_ps > 0 ? "packets/s" : "packets/cycle";
}

static weft_status check(const weft_pacing *pacing, const weft_timing *timing, weft_error *err)
{
    const weft_response *law = &pacing->law;
    double ticks = weft_pacing_ticks(timing);
    if (law->min >= law->max)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "min-rate must be below 1, the maximum rate, found %g",
                         law->min / law->max);
    if ((1 + pacing->jitter) * ticks / law->min >= GAP_MAX)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "min-rate: %.6g %s leave %.6g ticks between two packets, less than 2^29 can "
            "be simulated: give a higher rate",
            law->min, unit_of(timing), ticks / law->min);
    return law->kind->check ? law->kind->check(law, err) : WEFT_OK;
}

/* After a packet that is longer than the mean the gap is longer, too. */
static weft_status check_reaction(const weft_pacing *pacing, weft_pacing_packet packet,
                                  const weft_timing *timing, weft_error *err)
{
    const weft_response *law = &pacing->law;
    double ticks = weft_pacing_ticks(timing);
    double gap = (1 + pacing->jitter) * ticks / law->min * packet.most_flits / packet.flits;
    if (pacing->window > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "window counts packets without an ACK, and response %s has none: leave it "
                         "out, or use aimd, fimd or pipd",
                         law->kind->base.name);
    if (gap >= GAP_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "min-rate: %.6g %s leave %.6g ticks after the longest packet, less than "
                         "2^29 can be simulated: give a higher rate",
                         law->min, unit_of(timing), gap);
    return WEFT_OK;
}

static weft_status build_reaction(weft_pacing *pacing, const weft_timing *timing,
                                  weft_pacing_packet packet, weft_arena *arena, weft_error *err)
{
    weft_response *law = &pacing->law;
    weft_response_constants *constants = WEFT_TAKE(arena, weft_response_constants, 1);
    weft_response_units units = {.timing = timing,
                                 .ticks = weft_pacing_ticks(timing),
                                 .flits = packet.flits,
                                 .flit_bytes = packet.flit_bytes};
    *constants = (weft_response_constants){.packet = packet.flits};
    law->constants = constants;
    WEFT_TRY(law->kind->reaction->prepare(law, &units, constants, err));
    return check_reaction(pacing, packet, timing, err);
}

double weft_pacing_ticks(const weft_timing *timing)
{
    return timing->tick_ps > 0 ? 1e12 / timing->tick_ps : (double)timing->cycle;
}

weft_status weft_pacing_build(weft_pacing *pacing, const weft_class_settings *set,
                              const weft_timing *timing, weft_pacing_packet packet,
                              weft_arena *arena, weft_error *err)
{
    *pacing = (weft_pacing){0};
    if (!set->response.kind)
        return WEFT_OK;
    weft_response *law = &pacing->law;
    double packet_ticks = packet.flits * (double)timing->period[WEFT_LINK_HOST];
    double ticks = weft_pacing_ticks(timing);
    double max = set->max_rate == WEFT_NONE_REAL ? ticks / packet_ticks : set->max_rate;
    *law = (weft_response){.kind = (const weft_response_kind *)(const void *)set->response.kind,
                           .settings = set->response.settings,
                           .min = max * set->min_rate,
                           .max = max};
    pacing->jitter = set->rate_jitter;
    pacing->window = set->window == WEFT_NONE_INT ? 0 : (uint32_t)set->window;
    WEFT_TRY(check(pacing, timing, err));
    return law->kind->reaction ? build_reaction(pacing, timing, packet, arena, err) : WEFT_OK;
}
