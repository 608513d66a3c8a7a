/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/pace.h"

#include "base/memory.h"

#define OLD      ((uint32_t)1 << 30)  /* more than any gap */
#define TIME_MAX ((weft_time)1 << 62) /* ticks of a checkpoint */

static const weft_pacing *pacing_of(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->platform->network;
    return &network->traffic_classes[source % network->n_traffic_classes].pacing;
}

/* NULL: it has no law by reaction. */
static const weft_reaction *reaction_of(const weft_pacing *pacing)
{
    return pacing->law.kind ? pacing->law.kind->reaction : NULL;
}

static bool any_reacts(const weft_platform *platform)
{
    bool any = false;
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++)
        any = any || reaction_of(&platform->network->traffic_classes[f].pacing);
    return any;
}

/* Where the timers of a source stand; sources differ, so that their timers do not expire
 * together. */
static double phase_of(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->platform->network;
    const weft_topology *topology = &network->topology;
    uint32_t traffic_class = source % network->n_traffic_classes;
    uint32_t host = source / network->n_traffic_classes % topology->concentration;
    uint32_t router = weft_partition_router(site->platform->partition, site->block,
                                            weft_site_router_of(site, source));
    weft_random random =
        weft_random_stream(network->seed, UINT64_MAX, weft_site_endpoint(topology, router, host),
                           (weft_purpose)((uint32_t)WEFT_FOR_PACE | traffic_class << 4));
    return weft_random_open(&random);
}

static void open_flow(weft_site *site, uint32_t source)
{
    const weft_pacing *pacing = pacing_of(site, source);
    weft_paced_flow *paced = &site->flows[source];
    *paced = (weft_paced_flow){.told = -1};
    if (reaction_of(pacing))
        reaction_of(pacing)->begin(&pacing->law, phase_of(site, source), &paced->flow);
}

void weft_pace_open(weft_site *site)
{
    if (!site->platform->paced)
        return;
    site->pace = weft_region_create(sizeof *site->pace * site->sources);
    if (site->platform->network->n_rated)
        site->sent = weft_region_create(sizeof *site->sent * site->sources);
    for (uint32_t s = 0; s < site->sources; s++)
        site->pace[s].rate = pacing_of(site, s)->law.max;
    if (!any_reacts(site->platform))
        return;
    site->flows = weft_region_create(sizeof *site->flows * site->sources);
    for (uint32_t s = 0; s < site->sources; s++)
        open_flow(site, s);
}

void weft_pace_close(weft_site *site)
{
    if (site->pace)
        weft_region_destroy(site->pace, sizeof *site->pace * site->sources);
    if (site->sent)
        weft_region_destroy(site->sent, sizeof *site->sent * site->sources);
    if (site->flows)
        weft_region_destroy(site->flows, sizeof *site->flows * site->sources);
}

int64_t weft_pace_bytes(const weft_platform *platform)
{
    return (platform->paced ? (int64_t)sizeof(weft_pace) : 0) +
           (platform->network->n_rated ? (int64_t)sizeof(uint64_t) : 0) +
           (any_reacts(platform) ? (int64_t)sizeof(weft_paced_flow) : 0);
}

/* The tick at which the gap after a flow's last packet has passed, `ticks` by its rate; timers that
 * expire before may raise the rate meanwhile. After a long packet the gap is long. */
static weft_time gap_end(const weft_pacing *pacing, const weft_paced_flow *paced, double ticks)
{
    const weft_reaction *reaction = reaction_of(pacing);
    weft_reaction_state flow = paced->flow;
    double length = ticks * paced->flits / pacing->law.constants->packet;
    weft_time from = paced->last;
    for (;;) {
        weft_time due = paced->last + (weft_time)(length / flow.rate + 0.5);
        weft_time next = reaction->next(&pacing->law, &flow);
        if (due <= from || next >= due)
            return due > from ? due : from;
        reaction->advance(&pacing->law, &flow, next);
        from = next;
    }
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
    double ticks = factor * site->platform->pace_ticks; /* times packets per unit of time */
    uint32_t due = reaction_of(pacing) ? (uint32_t)gap_end(pacing, &site->flows[source], ticks)
                                       : pace->last + (uint32_t)(ticks / pace->rate + 0.5);
    return (int32_t)(due - ready) > 0 ? due : ready;
}

void weft_pace_start(weft_site *site, uint32_t source, uint32_t flits, weft_time now)
{
    const weft_pacing *pacing = pacing_of(site, source);
    const weft_reaction *reaction = reaction_of(pacing);
    weft_pace *pace = &site->pace[source];
    pace->last = (uint32_t)now;
    pace->started = 1;
    if (site->sent)
        site->sent[source] += flits;
    if (!reaction) {
        pace->flight += pacing->law.kind != NULL;
        return;
    }
    weft_paced_flow *paced = &site->flows[source];
    reaction->advance(&pacing->law, &paced->flow, now);
    if (reaction->send)
        reaction->send(&pacing->law, &paced->flow, flits);
    paced->last = now;
    paced->flits = flits;
}

void weft_pace_acknowledge(weft_site *site, uint32_t source, bool marked)
{
    weft_pace *pace = &site->pace[source];
    uint16_t *count = marked ? &pace->marked : &pace->regular;
    assert(reaction_of(pacing_of(site, source)) ||
           pace->flight > (uint32_t)pace->marked + pace->regular);
    assert(*count < UINT16_MAX);
    ++*count;
}

/* Notifications of this tick; only one of them counts, and none soon after another, where the law
 * wants them apart. */
static void react(const weft_pacing *pacing, weft_paced_flow *paced, uint32_t notices,
                  weft_time now)
{
    const weft_response *law = &pacing->law;
    if (law->constants->apart > 0 && paced->told >= 0 && now - paced->told < law->constants->apart)
        return;
    law->kind->reaction->advance(law, &paced->flow, now);
    for (uint32_t n = law->constants->apart > 0 ? 1 : notices; n > 0; n--)
        law->kind->reaction->notify(law, &paced->flow, now);
    paced->told = now;
}

bool weft_pace_settle(weft_site *site, uint32_t source, weft_time now)
{
    weft_pace *pace = &site->pace[source];
    const weft_pacing *pacing = pacing_of(site, source);
    const weft_response *law = &pacing->law;
    if (!pace->marked && !pace->regular)
        return false;
    if (reaction_of(pacing)) {
        react(pacing, &site->flows[source], pace->marked, now);
        pace->marked = 0;
        return true;
    }
    pace->flight -= (uint32_t)pace->marked + pace->regular;
    for (; pace->marked > 0; pace->marked--)
        pace->rate = weft_response_decrease(law, pace->rate);
    for (; pace->regular > 0; pace->regular--)
        pace->rate = weft_response_increase(law, pace->rate);
    return true;
}

double weft_pace_rate(const weft_site *site, uint32_t source, weft_time now)
{
    const weft_pacing *pacing = pacing_of(site, source);
    if (!reaction_of(pacing))
        return site->pace[source].rate;
    weft_reaction_state flow = site->flows[source].flow;
    reaction_of(pacing)->advance(&pacing->law, &flow, now);
    return flow.rate;
}

void weft_pace_sweep(weft_site *site, uint32_t t)
{
    for (uint32_t s = 0; site->pace && s < site->sources; s++)
        if (t - site->pace[s].last > OLD)
            site->pace[s].last = t - OLD;
}

static void save_flow(const weft_paced_flow *paced, weft_pack *pack)
{
    const weft_reaction_state *flow = &paced->flow;
    weft_pack_double(pack, flow->rate);
    for (int i = 0; i < 2; i++) {
        weft_pack_double(pack, flow->value[i]);
        weft_pack_i64(pack, flow->timer[i]);
        weft_pack_u32(pack, flow->count[i]);
    }
    weft_pack_i64(pack, flow->flits);
    weft_pack_i64(pack, paced->last);
    weft_pack_i64(pack, paced->told);
    weft_pack_u32(pack, paced->flits);
}

static void load_flow(const weft_pacing *pacing, weft_paced_flow *paced, weft_unpack *from)
{
    const weft_response *law = &pacing->law;
    weft_reaction_state *flow = &paced->flow;
    bool fits = true;
    flow->rate = weft_unpack_double(from);
    for (int i = 0; i < 2; i++) {
        flow->value[i] = weft_unpack_double(from);
        flow->timer[i] = weft_unpack_i64(from);
        flow->count[i] = weft_unpack_u32(from);
        fits = fits && flow->value[i] >= 0 && flow->value[i] < 1e300 && flow->timer[i] >= 0 &&
               flow->timer[i] < TIME_MAX;
    }
    flow->flits = weft_unpack_count(from);
    paced->last = weft_unpack_count(from);
    paced->told = weft_unpack_count(from);
    paced->flits = weft_unpack_u32(from);
    uint32_t most = law->kind->reaction->most(law);
    if (!fits || !(flow->rate >= law->min && flow->rate <= law->max) || flow->count[0] > most ||
        flow->count[1] > most || flow->flits < 0 || flow->flits > law->constants->flits ||
        paced->last < 0 || paced->last > TIME_MAX || paced->told < -1 || paced->told > TIME_MAX ||
        paced->flits > WEFT_PACKET_MAX)
        weft_unpack_fail(from);
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
        if (site->sent)
            weft_pack_u64(pack, site->sent[s]);
        if (reaction_of(pacing_of(site, s)))
            save_flow(&site->flows[s], pack);
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
        if (site->sent)
            site->sent[s] = weft_unpack_u64(from);
        if (pace->started > 1 || !(pace->rate >= law->min && pace->rate <= law->max))
            weft_unpack_fail(from);
        if (reaction_of(pacing_of(site, s)))
            load_flow(pacing_of(site, s), &site->flows[s], from);
    }
}
