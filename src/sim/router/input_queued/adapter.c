/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/adapter.h"

#include "base/pack.h"

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
