/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/audit.h"

#include "base/memory.h"
#include "sim/router/input_queued/credit_impl.h"

#include <stdlib.h>

typedef struct audit {
    const weft_instance *instance;
    int64_t **sum; /* per site: router × the most outputs there are × VCs */
} audit;

static const weft_iq *of(const weft_site *site)
{
    return site->state;
}

/* Accounts of one router of a site, some of which may not be used. */
static size_t accounts(const weft_iq *iq)
{
    uint32_t ins = 0;
    for (uint32_t p = 0; p < iq->n_groups; p++)
        ins = iq->groups[p].layout.ins > ins ? iq->groups[p].layout.ins : ins;
    return (size_t)ins * iq->layout.n_vcs;
}

static int64_t *at(const audit *all, uint32_t site, uint32_t router, uint32_t out, uint32_t vc)
{
    const weft_iq *iq = of(&all->instance->sites[site]);
    return &all->sum[site][router * accounts(iq) + out * iq->layout.n_vcs + vc];
}

/* Something lies in, or is on its way to, VC v of an input: it is on the account of whoever
 * feeds that. */
static void charge(const audit *all, uint32_t site, uint32_t router, uint32_t in, uint32_t v,
                   uint32_t flits)
{
    const weft_iq *iq = of(&all->instance->sites[site]);
    char *record = weft_iq_record(iq, router);
    const weft_topology *topology = iq->layout.topology;
    int64_t units = weft_iq_units(iq->layout.features, flits);
    if (weft_iq_is_management(iq->layout.features, &iq->layout, v))
        return;
    if (in >= weft_iq_layout_of(iq, record)->ports) {
        *at(all, site, router, in, v) += units;
        return;
    }
    weft_end from = weft_topology_upstream(topology, weft_iq_head_of(record)->id, in);
    uint32_t local;
    const weft_site *found = weft_instance_find(all->instance, from.router, &local);
    assert(found);
    *at(all, (uint32_t)(found - all->instance->sites), local, from.port, v) += units;
}

static void visit(void *user, uint32_t block, weft_time when, const weft_event *event)
{
    const audit *all = user;
    (void)when;
    weft_kind kind = weft_event_kind(event);
    if (kind == WEFT_CREDIT)
        *at(all, block, event->to, weft_event_port(all->instance->platform.key, event),
            weft_credit_vc(event)) += weft_credit_units(event);
    else if (weft_event_is_head(event))
        charge(all, block, event->to, weft_event_port(all->instance->platform.key, event),
               weft_packet_vc(event), weft_packet_flits(event));
}

static void charge_queue(const audit *all, uint32_t site, uint32_t router, uint32_t queue,
                         uint32_t tail)
{
    const weft_iq *iq = of(&all->instance->sites[site]);
    uint32_t handle = tail;
    do {
        handle = weft_iq_packet_at(iq, handle)->event.to;
        charge(all, site, router, queue / iq->layout.n_vcs, queue % iq->layout.n_vcs,
               weft_packet_flits(&weft_iq_packet_at(iq, handle)->event));
    } while (handle != tail);
}

static void charge_queues(const audit *all, uint32_t site, uint32_t router)
{
    const weft_iq *iq = of(&all->instance->sites[site]);
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) &&
            weft_iq_front_at(layout, record, q)->tail != WEFT_IQ_NONE)
            charge_queue(all, site, router, q, weft_iq_front_at(layout, record, q)->tail);
        if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH))
            continue;
        const uint64_t *present = weft_iq_present_of(layout, record, q);
        for (uint32_t words = layout->words, out = weft_set_next(words, present, 0);
             out < 64 * words; out = weft_set_next(words, present, out + 1))
            charge_queue(all, site, router, q,
                         weft_iq_tails(layout, record)[(size_t)q * layout->ins + out]);
    }
}

/* Credits of an output, and the bursts it knows of. */
static void add_credits(const audit *all, uint32_t site, uint32_t router)
{
    const weft_iq *iq = of(&all->instance->sites[site]);
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    for (uint32_t o = 0; o < layout->ins; o++) {
        weft_iq_port *out = weft_iq_port_at(layout, record, o);
        for (uint32_t v = 0; v < layout->n_vcs; v++)
            *at(all, site, router, o, v) += out->credits[v];
        for (uint32_t i = 0; i < out->credit_bursts; i++)
            *at(all, site, router, o, weft_iq_credit_bursts(layout, out)[i].vc) +=
                weft_iq_credit_bursts(layout, out)[i].units;
    }
}

/* Does every account of a router come to what its buffers hold? */
static bool is_even(const audit *all, uint32_t site, uint32_t router)
{
    const weft_iq *iq = of(&all->instance->sites[site]);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, weft_iq_record(iq, router));
    bool even = true;
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++)
        even &= *at(all, site, router, q / layout->n_vcs, q % layout->n_vcs) == layout->capacity;
    return even;
}

bool weft_iq_audit(const weft_instance *instance)
{
    audit all = {.instance = instance, .sum = weft_alloc(sizeof *all.sum * instance->n_sites)};
    bool even = true;
    for (uint32_t s = 0; s < instance->n_sites; s++)
        all.sum[s] = weft_alloc(sizeof **all.sum * instance->sites[s].routers *
                                accounts(of(&instance->sites[s])));
    for (uint32_t s = 0; s < instance->n_sites; s++)
        for (uint32_t r = 0; r < instance->sites[s].routers; r++) {
            add_credits(&all, s, r);
            charge_queues(&all, s, r);
        }
    weft_engine_visit(instance->engine, visit, &all);
    for (uint32_t s = 0; s < instance->n_sites; s++) {
        for (uint32_t r = 0; r < instance->sites[s].routers; r++)
            even &= is_even(&all, s, r);
        free(all.sum[s]);
    }
    free(all.sum);
    return even;
}
