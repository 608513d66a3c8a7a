/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/adapter.h"

#include "base/pack.h"
#include "sched/contract.h"

weft_scheduler weft_iq_adapter_of(const weft_platform *platform)
{
    const weft_iq_settings *set = platform->router_settings;
    weft_kind_ref own = platform->network->scenario->endpoint.scheduler;
    weft_kind_ref ref = own.kind ? own : set->scheduler;
    weft_scheduler adapter = {.kind = (const weft_scheduler_kind *)(const void *)ref.kind,
                              .settings = ref.settings,
                              .inputs = 1,
                              .outputs = 1,
                              .n_vcs = (uint32_t)set->vcs,
                              .voq = true};
    if (!own.kind && !adapter.kind->sent)
        adapter.kind = NULL;
    return adapter;
}

weft_status weft_iq_adapter_check(const weft_platform *platform, weft_error *err)
{
    weft_scheduler adapter = weft_iq_adapter_of(platform);
    if (!adapter.kind)
        return WEFT_OK;
    if (!adapter.kind->sent)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "endpoint.scheduler must know sizes of packets, as vl-arbitration does, "
                         "found %s",
                         adapter.kind->base.name);
    double longest =
        weft_iq_longest_packet(platform) * platform->network->scenario->links.flit.value;
    if (longest > WEFT_IQ_SIZE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s.scheduler %s is for packets of at most %u bytes, here some have "
                         "%.0f: cut messages with endpoint.mtu",
                         platform->network->scenario->endpoint.scheduler.kind ? "endpoint"
                                                                              : "router",
                         adapter.kind->base.name, WEFT_IQ_SIZE_MAX, longest);
    WEFT_TRY(adapter.kind->build(&adapter, err));
    return adapter.kind->base.foreign ? weft_sched_check_scheduler(&adapter, err) : WEFT_OK;
}

uint32_t weft_iq_adapter_pick(const weft_iq_layout *layout, char *record, uint32_t link,
                              const weft_iq_offers *offers)
{
    const weft_scheduler *adapter = &layout->adapter;
    uint32_t asking = offers->asking;
    if (asking == 0)
        return WEFT_IQ_NONE;
    if (!(asking & (asking - 1)))
        return offers->source[__builtin_ctz(asking)];
    uint64_t wants[WEFT_VCS_MAX] = {0};
    for (uint32_t left = asking; left; left &= left - 1)
        wants[__builtin_ctz(left)] = 1;
    weft_requests requests = {.wants = wants, .asking = 1};
    weft_match found;
    adapter->kind->match(adapter, weft_iq_adapter(layout, record, link), &requests, &found);
    assert(found.inputs == 1 && (asking >> found.vc[0] & 1));
    return offers->source[found.vc[0]];
}

void weft_iq_adapter_sent(const weft_iq_layout *layout, char *record, uint32_t link, uint32_t vl,
                          uint32_t flits)
{
    const weft_scheduler *adapter = &layout->adapter;
    void *state = weft_iq_adapter(layout, record, link);
    weft_crossing crossing = {.vc = vl, .next_vc = vl, .bytes = weft_iq_bytes_of(layout, flits)};
    adapter->kind->sent(adapter, state, &crossing);
    adapter->kind->granted(adapter, state, 0, vl, 0, true);
}

void weft_iq_adapters_reset(const weft_iq_layout *layout, char *record)
{
    for (uint32_t k = 0; layout->adapter.kind && k < layout->ends; k++)
        layout->adapter.kind->reset(&layout->adapter,
                                    weft_iq_adapter(layout, record, layout->ports + k));
}

void weft_iq_adapters_save(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    for (uint32_t k = 0; layout->adapter.kind && k < layout->ends; k++)
        weft_pack_bytes(pack, weft_iq_adapter(layout, record, layout->ports + k),
                        layout->adapter.bytes);
}

void weft_iq_adapters_load(const weft_iq_layout *layout, char *record, weft_unpack *from)
{
    const weft_scheduler *adapter = &layout->adapter;
    for (uint32_t k = 0; adapter->kind && k < layout->ends; k++) {
        void *state = weft_iq_adapter(layout, record, layout->ports + k);
        const void *saved = weft_unpack_bytes(from, adapter->bytes);
        if (saved)
            memcpy(state, saved, adapter->bytes);
        if (!saved || (adapter->kind->sound && !adapter->kind->sound(adapter, state))) {
            adapter->kind->reset(adapter, state);
            weft_unpack_fail(from);
        }
    }
}
