/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/congestion/marking_impl.h"

#include "sim/packet.h"

/* Copies the count of an output that a packet of a congested buffer waits for. */
static void copy(const weft_iq_layout *layout, char *record, uint32_t out)
{
    weft_iq_marker *marker = &weft_iq_markers(layout, record)[out];
    marker->due = marker->waiting;
}

static void mark_queue(const weft_iq *iq, const weft_iq_layout *layout, char *record,
                       uint32_t queue)
{
    if (weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) {
        const uint64_t *present = weft_iq_present_of(layout, record, queue);
        for (uint32_t words = layout->words, out = weft_set_next(words, present, 0);
             out < 64 * words; out = weft_set_next(words, present, out + 1))
            copy(layout, record, out);
        return;
    }
    uint32_t tail = weft_iq_front_at(layout, record, queue)->tail, handle = tail;
    if (tail == WEFT_IQ_NONE)
        return;
    do {
        copy(layout, record, weft_iq_packet_at(iq, handle)->out);
        handle = weft_iq_packet_at(iq, handle)->event.to;
    } while (handle != tail);
}

void weft_iq_mark_waiting(const weft_iq *iq, char *record)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    weft_iq_level *levels = weft_iq_levels(layout, record);
    uint32_t queues = layout->ins * layout->n_vcs;
    if (levels[queues].congested == 0)
        return;
    levels[queues].congested = 0;
    for (uint32_t q = 0; q < queues; q++)
        if (levels[q].congested) {
            levels[q].congested = 0;
            mark_queue(iq, layout, record, q);
        }
}

/* Is there room for another packet behind this one? Of the longest kind, in the VC it takes. */
static bool has_credits(const weft_iq_layout *layout, char *record, const weft_iq_marking *of,
                        uint32_t t)
{
    if (of->out >= layout->ports)
        return true;
    int32_t units = weft_iq_units(layout->features, weft_packet_flits(&of->packet->event));
    return weft_iq_room_at(layout->features, layout, record, of->out, of->out_vc, t) >=
           units + (int32_t)layout->marking_packet;
}

bool weft_iq_mark_drawn(const weft_iq_layout *layout, char *record, const weft_iq_marking *of,
                        uint32_t t)
{
    const weft_marking *marking = &layout->marking;
    const weft_event *packet = &of->packet->event;
    if (!marking->kind->probability)
        return false;
    weft_marking_output output = {.packets = weft_iq_markers(layout, record)[of->out].waiting,
                                  .capacity = (uint32_t)layout->capacity,
                                  .bytes = weft_packet_flits(packet) * layout->flit_bytes,
                                  .endpoint = of->out >= layout->ports};
    if (marking->kind->by_vl) {
        output.queued = *weft_iq_queued(layout, record, of->packet, of->vc);
        output.credits = has_credits(layout, record, of, t);
    }
    double probability = marking->kind->probability(marking, &output);
    if (probability <= 0 || probability >= 1)
        return probability >= 1;
    weft_random random =
        weft_packet_draw(layout->platform->network->seed, packet, WEFT_FOR_MARKING);
    return weft_random_open(&random) < probability;
}

/* What lies in a buffer: packets that wait, and those that lines are carrying away. */
static uint32_t used_of(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t v,
                        uint32_t t)
{
    uint32_t used = weft_iq_levels(layout, record)[in * layout->n_vcs + v].waiting;
    for (uint32_t x = in * layout->in_speed; x < (in + 1) * layout->in_speed; x++) {
        const weft_iq_leaver *leaver = &weft_iq_leavers(layout, record)[x];
        if (leaver->vc == v && weft_iq_later(weft_iq_lines_of(record)[x].free, t))
            used += leaver->units;
    }
    return used;
}

bool weft_iq_note_congestion(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t v,
                             uint32_t t)
{
    const weft_marking *marking = &layout->marking;
    weft_iq_level *levels = weft_iq_levels(layout, record);
    weft_marking_buffer buffer = {.used = used_of(layout, record, in, v, t),
                                  .capacity = (uint32_t)layout->capacity,
                                  .packet = layout->marking_packet};
    if (!marking->kind->congested || !marking->kind->congested(marking, &buffer))
        return false;
    levels[in * layout->n_vcs + v].congested = 1;
    levels[layout->ins * layout->n_vcs].congested = 1; /* some buffer is */
    return true;
}
