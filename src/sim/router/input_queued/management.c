/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/management.h"

#include "sim/router/input_queued/wake_impl.h"

typedef struct reserved {
    uint64_t outputs[WEFT_WIDE_WORDS], lines[WEFT_WIDE_WORDS];
} reserved;

static void reserve(const weft_iq_layout *layout, reserved *all, uint32_t in, uint32_t out)
{
    weft_set_add(layout->words, all->outputs, out);
    weft_set_add(layout->words, all->lines, weft_iq_line_for(layout, in, layout->management, out));
}

/* What the packets at the front of an input's queues of VL 15 wait for. */
static void reserve_for(const weft_iq *iq, char *record, uint32_t in, uint32_t t, reserved *all)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t queue = in * layout->n_vcs + layout->management, words = layout->words;
    if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) {
        const weft_iq_front *front = weft_iq_front_at(layout, record, queue);
        if (!weft_iq_later(front->ready, t))
            reserve(layout, all, in, front->out);
        return;
    }
    const uint64_t *present = weft_iq_present_of(layout, record, queue);
    const uint32_t *tails = weft_iq_tails(layout, record) + (size_t)queue * layout->ins;
    for (uint32_t out = weft_set_next(words, present, 0); out < 64 * words;
         out = weft_set_next(words, present, out + 1)) {
        uint32_t head = weft_iq_packet_at(iq, tails[out])->event.to;
        if (!weft_iq_later(weft_iq_packet_at(iq, head)->ready, t))
            reserve(layout, all, in, out);
    }
}

/* Leaves of a line's requests those that are not in the way; true if some were. */
static bool clear_way(const weft_iq_layout *layout, const reserved *all, uint32_t x,
                      uint64_t *wants, uint16_t *vcs)
{
    uint32_t words = layout->words;
    bool own = weft_set_has(words, all->lines, x), some = false;
    for (uint32_t left = *vcs & ~(1u << layout->management); left; left &= left - 1) {
        uint32_t vc = (uint32_t)__builtin_ctz(left);
        uint64_t *set = wants + (size_t)vc * words;
        for (uint32_t w = 0; w < words; w++) {
            uint64_t taken = own ? set[w] : set[w] & all->outputs[w];
            some |= taken != 0;
            set[w] &= ~taken;
        }
        if (!weft_set_any(words, set))
            *vcs &= (uint16_t) ~(1u << vc);
    }
    return some;
}

uint32_t weft_iq_give_way(weft_iq *iq, char *record, uint32_t t, uint64_t *asks, uint64_t *wants,
                          uint16_t *vcs)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t words = layout->words;
    reserved all = {.outputs = {0}};
    for (uint32_t in = 0; in < layout->ins; in++)
        if (weft_iq_managed(layout, record)[in] > 0)
            reserve_for(iq, record, in, t, &all);
    for (uint32_t x = weft_set_next(words, asks, 0); x < 64 * words;
         x = weft_set_next(words, asks, x + 1)) {
        if (clear_way(layout, &all, x, wants + (size_t)x * layout->n_vcs * words, &vcs[x]))
            weft_iq_rouse(iq->layout.features, layout, record, x, t + 1);
        if (vcs[x] == 0)
            weft_set_remove(words, asks, x);
    }
    return weft_set_count(words, asks);
}

weft_status weft_iq_management_check(const weft_platform *platform, weft_error *err)
{
    const weft_iq_settings *set = platform->router_settings;
    const weft_network *network = platform->network;
    if (!weft_network_managed(network))
        return WEFT_OK;
    if (set->flow_control == WEFT_IQ_PAUSE)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "management (VL 15) is InfiniBand's, whose links have credits: "
                         "router.flow-control must be credits, found pause");
    const char *between = set->output_buffer.value > 0   ? "router.output-buffer"
                          : set->vc_stage                ? "router.vc-stage"
                          : platform->endpoint_ports > 1 ? "endpoint.ports above 1"
                                                         : NULL;
    if (between)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: packets of management (VL 15) would not go first: leave it out",
                         between);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[f];
        if (!traffic_class->routing.single)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "traffic.%s: beside management (VL 15) packets need one port each; "
                             "routing %s has several: use dimension-order or tables",
                             traffic_class->name, traffic_class->routing.kind->base.name);
        if (weft_network_manages(network, f) && traffic_class->most_flits > platform->mtu)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "traffic.%s: messages of management are of one packet, at most %u "
                             "flits, found up to %u",
                             traffic_class->name, platform->mtu, traffic_class->most_flits);
    }
    return WEFT_OK;
}
