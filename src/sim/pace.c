/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/pace.h"

#include "base/memory.h"

#define OLD ((uint32_t)1 << 30) /* more than any gap */

static const weft_pacing *pacing_of(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->platform->network;
    return &network->traffic_classes[source % network->n_traffic_classes].pacing;
}

void weft_pace_open(weft_site *site)
{
    if (!site->platform->paced)
        return;
    site->pace = weft_region_create(sizeof *site->pace * site->sources);
    for (uint32_t s = 0; s < site->sources; s++)
        site->pace[s].rate = pacing_of(site, s)->law.max;
}

void weft_pace_close(weft_site *site)
{
    if (site->pace)
        weft_region_destroy(site->pace, sizeof *site->pace * site->sources);
}

int64_t weft_pace_bytes(const weft_platform *platform)
{
    return platform->paced ? (int64_t)sizeof(weft_pace) : 0;
}

uint32_t weft_pace_due(const weft_site *site, uint32_t source, const weft_event *packet,
                       uint32_t ready)
{
    const weft_pacing *pacing = pacing_of(site, source);
    const weft_pace *pace = &site->pace[source];
    if (!pacing->law.kind || !pace->started)
        return ready;
    weft_random random = weft_packet_draw(site->platform->network->seed, packet, WEFT_FOR_PACE);
    double factor = 1 + pacing->jitter * (2 * weft_random_open(&random) - 1);
    uint32_t due = pace->last + (uint32_t)(factor * pacing->ticks / pace->rate + 0.5);
    return (int32_t)(due - ready) > 0 ? due : ready;
}

void weft_pace_start(weft_site *site, uint32_t source, uint32_t t)
{
    weft_pace *pace = &site->pace[source];
    pace->last = t;
    pace->started = 1;
    pace->flight += pacing_of(site, source)->law.kind != NULL;
}

void weft_pace_acknowledge(weft_site *site, uint32_t source, bool marked)
{
    weft_pace *pace = &site->pace[source];
    uint16_t *count = marked ? &pace->marked : &pace->regular;
    assert(pace->flight > (uint32_t)pace->marked + pace->regular && *count < UINT16_MAX);
    ++*count;
}

bool weft_pace_settle(weft_site *site, uint32_t source)
{
    weft_pace *pace = &site->pace[source];
    const weft_response *law = &pacing_of(site, source)->law;
    if (!pace->marked && !pace->regular)
        return false;
    pace->flight -= (uint32_t)pace->marked + pace->regular;
    for (; pace->marked > 0; pace->marked--)
        pace->rate = weft_response_decrease(law, pace->rate);
    for (; pace->regular > 0; pace->regular--)
        pace->rate = weft_response_increase(law, pace->rate);
    return true;
}

void weft_pace_sweep(weft_site *site, uint32_t t)
{
    for (uint32_t s = 0; site->pace && s < site->sources; s++)
        if (t - site->pace[s].last > OLD)
            site->pace[s].last = t - OLD;
}

void weft_pace_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    uint32_t each = weft_site_sources(site, router);
    for (uint32_t s = router * each; site->pace && s < (router + 1) * each; s++) {
        const weft_pace *pace = &site->pace[s];
        assert(!pace->marked && !pace->regular);
        weft_pack_double(pack, pace->rate);
        weft_pack_u32(pack, pace->last);
        weft_pack_u32(pack, pace->started);
        weft_pack_u32(pack, pace->flight);
    }
}

void weft_pace_load(weft_site *site, uint32_t router, weft_unpack *from)
{
    uint32_t each = weft_site_sources(site, router);
    for (uint32_t s = router * each; site->pace && s < (router + 1) * each; s++) {
        const weft_response *law = &pacing_of(site, s)->law;
        weft_pace *pace = &site->pace[s];
        pace->rate = weft_unpack_double(from);
        pace->last = weft_unpack_u32(from);
        pace->started = weft_unpack_u32(from);
        pace->flight = weft_unpack_u32(from);
        if (pace->started > 1 || !(pace->rate >= law->min && pace->rate <= law->max))
            weft_unpack_fail(from);
    }
}
