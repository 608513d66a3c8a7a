/* SPDX-License-Identifier: Apache-2.0 */
/* What is seen is the state after the decisions of tick t, the one before the sync point. A front
 * that is still there was not granted in t. Its output carries another packet if the output is not
 * free at t, whether that was granted in t or before. The rules are those of the scan, looked at
 * from outside: nothing is written, no pointer moves. */
#include "sim/router/input_queued/blocked.h"

#include "sim/router/input_queued/endpoint_impl.h"
#include "sim/router/input_queued/run.h"
#include "sim/source.h"

typedef struct sight {
    const weft_iq *iq;
    const weft_iq_layout *layout;
    char *record;
    uint32_t router, id, t;
    const weft_blocked_view *view;
    uint8_t lost[WEFT_WIDE_MAX]; /* per output: the strongest reason so far */
} sight;

/* Reasons of an idle output: the first that applies. Credits come first, since nobody could use
 * the output without them. */
static int rank_of(weft_wait_cause cause)
{
    static const int ranks[WEFT_CAUSE_CAUSES] = {
        [WEFT_CAUSE_ARBITER] = 5, [WEFT_CAUSE_VC] = 4,   [WEFT_CAUSE_CREDIT] = 3,
        [WEFT_CAUSE_BEHIND] = 2,  [WEFT_CAUSE_LINE] = 1,
    };
    return ranks[cause];
}

static void lose(sight *s, uint32_t out, weft_wait_cause cause)
{
    if (rank_of(cause) > rank_of((weft_wait_cause)s->lost[out]))
        s->lost[out] = (uint8_t)cause;
}

/* From when on a line to an output is free. */
static uint32_t free_at(const sight *s, uint32_t line)
{
    return *weft_iq_out_free_at(s->layout->features, s->layout, s->record, line);
}

/* Does an output carry a packet at t? Its lines from the crossbar; with a buffer, its link. */
static bool carries(const sight *s, uint32_t out)
{
    const weft_iq_layout *layout = s->layout;
    if (layout->out_room)
        return weft_iq_later(weft_iq_link_free(layout, s->record)[out], s->t + layout->cross);
    return weft_iq_later(free_at(s, out * layout->out_speed), s->t);
}

/* Are all lines to an output busy, or has its buffer no room? */
static bool closed(const sight *s, uint32_t out, uint32_t flits)
{
    const weft_iq_layout *layout = s->layout;
    bool some = false;
    for (uint32_t k = 0; k < layout->out_speed; k++)
        some = some || !weft_iq_later(free_at(s, out * layout->out_speed + k), s->t);
    return !some ||
           (layout->out_room && weft_iq_buffer_wait(layout, s->record, out, flits, s->t) > 0);
}

/* The VC of a set with the most room, and whether it has enough. */
static bool roomiest(const sight *s, uint32_t out, uint32_t vcs, int32_t units, uint32_t *vc)
{
    int32_t most = INT32_MIN;
    for (; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        int32_t room = weft_iq_room_at(s->layout->features, s->layout, s->record, out, w, s->t);
        if (room > most) {
            most = room;
            *vc = w;
        }
    }
    return most >= units;
}

/* Why a front whose line is free could not go by one of its candidates. */
static weft_wait_cause cause_of(const sight *s, const weft_iq_bid *bid, const weft_candidate *hop,
                                uint32_t *vc)
{
    const weft_iq_layout *layout = s->layout;
    int32_t units = weft_iq_units(layout->features, bid->flits);
    uint32_t other = 0;
    if (closed(s, hop->port, bid->flits))
        return WEFT_CAUSE_OUTPUT;
    if (hop->port >= layout->ports || weft_iq_are_management(layout->features, layout, hop->vcs) ||
        roomiest(s, hop->port, hop->vcs, units, vc))
        return WEFT_CAUSE_ARBITER;
    uint32_t others = layout->all_vcs & ~(uint32_t)hop->vcs;
    return others && roomiest(s, hop->port, others, units, &other) ? WEFT_CAUSE_VC
                                                                   : WEFT_CAUSE_CREDIT;
}

/* The output that a line feeds at t: one that is free again in the same tick. Of several the one
 * that its next packet wants, else any, so that none is preferred over many ticks. */
static uint32_t fed_by(const sight *s, uint32_t line, uint32_t wanted)
{
    const weft_iq_layout *layout = s->layout;
    uint32_t until = weft_iq_lines_of(s->record)[line].free;
    assert(layout->out_speed > 0);
    for (uint32_t n = 0; wanted < layout->ins && n < layout->out_speed; n++)
        if (free_at(s, wanted * layout->out_speed + n) == until)
            return wanted;
    uint32_t lines = layout->out_lines, y = lines ? (line + s->t) % lines : 0;
    for (uint32_t n = 0; n < lines; n++, y = y + 1 < lines ? y + 1 : 0)
        if (free_at(s, y) == until)
            return y / layout->out_speed;
    return layout->ins;
}

/* Judges a front by all its candidates: it waits for the one that is nearest to being open. */
static void judge(sight *s, const weft_iq_bid *bid, bool owns, weft_blocked *found)
{
    static const int nearness[WEFT_CAUSE_CAUSES] = {[WEFT_CAUSE_ARBITER] = 4,
                                                    [WEFT_CAUSE_OUTPUT] = 3,
                                                    [WEFT_CAUSE_CREDIT] = 2,
                                                    [WEFT_CAUSE_VC] = 1};
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX + 1];
    unsigned count = weft_iq_candidates(s->iq, s->record, bid, hops);
    for (unsigned i = 0; i < count; i++) {
        uint32_t vc = hops[i].vcs ? (uint32_t)__builtin_ctz(hops[i].vcs) : 0;
        weft_wait_cause cause = cause_of(s, bid, &hops[i], &vc);
        if (!owns && hops[i].port < s->layout->ports && cause != WEFT_CAUSE_OUTPUT)
            cause = WEFT_CAUSE_VC; /* all that it may take are owned by others */
        if (cause != WEFT_CAUSE_OUTPUT)
            lose(s, hops[i].port, cause);
        if (nearness[cause] <= nearness[found->cause])
            continue;
        found->cause = cause;
        found->out = hops[i].port;
        found->vc = (uint16_t)vc;
    }
}

/* The output that a packet wants first. */
static uint32_t first_output(const sight *s, uint32_t in, uint32_t v, const weft_iq_packet *packet)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX + 1];
    weft_iq_bid bid = {.in = in,
                       .vc = v,
                       .flits = weft_packet_flits(&packet->event),
                       .vcs = packet->vcs,
                       .out = packet->out,
                       .packet = packet};
    return weft_iq_candidates(s->iq, s->record, &bid, hops) ? hops[0].port : s->layout->ins;
}

/* Packets from `handle` on, up to `last`, stand behind a front. */
static uint64_t look_behind(sight *s, weft_input_queue queue, uint32_t handle, uint32_t last,
                            bool held)
{
    uint64_t count = 0;
    for (bool more = true; more; count++) {
        const weft_iq_packet *packet = weft_iq_packet_at(s->iq, handle);
        uint32_t out = first_output(s, queue.in, queue.vc, packet);
        if (out < s->layout->ins) {
            lose(s, out, held ? WEFT_CAUSE_BEHIND : WEFT_CAUSE_LINE);
            s->view->behind(s->view->user, queue, &packet->event, out);
        }
        more = handle != last;
        handle = packet->event.to;
    }
    return count;
}

/* A queue of packets: `head` is its front, `tail` the last. */
static void look_at_queue(sight *s, weft_iq_bid *bid, uint32_t ready, uint32_t tail, bool owns)
{
    const weft_iq_layout *layout = s->layout;
    weft_blocked found = {.queue = {s->id, (uint16_t)bid->in, (uint16_t)bid->vc},
                          .out = (uint16_t)bid->out,
                          .packets = 1,
                          .waited =
                              (int32_t)(s->t + 1 - ready) > 0 ? (int32_t)(s->t + 1 - ready) : 0,
                          .packet = &bid->packet->event};
    uint32_t head = (uint32_t)(bid->packet - s->iq->packets);
    bool seen = !weft_iq_later(bid->packet->event.when, s->t);
    if (weft_iq_later(weft_iq_lines_of(s->record)[bid->line].free, s->t)) {
        found.cause = seen ? WEFT_CAUSE_LINE : WEFT_CAUSE_NONE;
        uint32_t out = first_output(s, bid->in, bid->vc, bid->packet);
        if (seen && out < layout->ins)
            lose(s, out, WEFT_CAUSE_LINE);
        found.out = (uint16_t)fed_by(s, bid->line, out);
    } else if (!weft_iq_later(ready, s->t)) {
        judge(s, bid, owns, &found);
    }
    bool held = found.cause != WEFT_CAUSE_NONE && found.cause != WEFT_CAUSE_LINE;
    if (head != tail)
        found.packets += look_behind(s, found.queue, bid->packet->event.to, tail, held);
    s->view->front(s->view->user, &found);
}

static void look_at_fifo(sight *s, uint32_t line, uint32_t in, uint32_t v)
{
    const weft_iq_front *front = weft_iq_front_of(s->layout->features, s->layout, s->record, in, v);
    if (front->tail == WEFT_IQ_NONE)
        return;
    weft_iq_bid bid = {.in = in,
                       .vc = v,
                       .line = line,
                       .flits = front->flits,
                       .vcs = front->vcs,
                       .out = front->out,
                       .packet = weft_iq_head_packet(s->iq, front)};
    look_at_queue(s, &bid, front->ready, front->tail,
                  !weft_iq_has(s->layout, WEFT_IQ_VC_STAGE) || front->vc != UINT8_MAX);
}

static void look_at_voqs(sight *s, uint32_t line, uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = s->layout;
    uint32_t number = in * layout->n_vcs + v, words = layout->words;
    const uint32_t *tails = weft_iq_tails(layout, s->record) + (size_t)number * layout->ins;
    const uint64_t *present = weft_iq_present_of(layout, s->record, number);
    for (uint32_t out = weft_set_next(words, present, 0); out < 64 * words;
         out = weft_set_next(words, present, out + 1)) {
        if (weft_iq_line_for(layout, in, v, out) != line)
            continue;
        const weft_iq_packet *packet =
            weft_iq_packet_at(s->iq, weft_iq_packet_at(s->iq, tails[out])->event.to);
        weft_iq_bid bid = {.in = in,
                           .vc = v,
                           .line = line,
                           .flits = weft_packet_flits(&packet->event),
                           .vcs = packet->vcs,
                           .out = out,
                           .packet = packet};
        look_at_queue(s, &bid, packet->ready, tails[out], true);
    }
}

/* Messages of a source that have come and of which no packet was made. */
static uint64_t backlog(const weft_site *site, uint32_t source)
{
    const weft_cursor *head = &site->head[source], *counted = site->counted;
    if (!counted || !head->live)
        return 0;
    int64_t waiting = (int64_t)counted[source].index - head->index;
    return waiting > 0 ? (uint64_t)waiting : 0;
}

static void look_at_source(sight *s, uint32_t host, uint32_t traffic_class)
{
    const weft_iq_layout *layout = s->layout;
    const weft_site *site = s->iq->site;
    uint32_t source = (s->router * layout->stride + host) * layout->traffic_classes + traffic_class,
             first = layout->ports + host * layout->each, vc = 0;
    if (s->iq->staged[source] == WEFT_IQ_NONE)
        return;
    const weft_event *packet = &weft_iq_packet_at(s->iq, s->iq->staged[source])->event;
    int32_t units = weft_iq_units(layout->features, weft_packet_flits(packet));
    weft_blocked found = {.queue = {s->id, (uint16_t)first, WEFT_BLOCKED_SOURCE},
                          .cause = WEFT_CAUSE_LINK,
                          .out = (uint16_t)first,
                          .packets = 1 + backlog(site, source),
                          .packet = packet};
    uint32_t vcs =
        weft_iq_has(layout, WEFT_IQ_APART) ? layout->class_vcs[traffic_class] : layout->all_vcs;
    uint32_t others = layout->all_vcs & ~vcs, other = 0;
    bool closed_by_rate = weft_iq_has(layout, WEFT_IQ_PACED) && weft_pace_closed(site, source);
    for (uint32_t link = first; link < first + layout->each; link++) {
        if (weft_iq_later(weft_iq_end_free(layout, s->record)[link - layout->ports], s->t))
            continue;
        found.out = found.queue.in = (uint16_t)link;
        if (closed_by_rate || weft_iq_later(packet->when, s->t))
            found.cause = WEFT_CAUSE_HOST;
        else if (weft_iq_are_management(layout->features, layout, vcs) ||
                 roomiest(s, link, vcs, units, &vc))
            found.cause = WEFT_CAUSE_NONE;
        else
            found.cause = others && roomiest(s, link, others, units, &other) ? WEFT_CAUSE_VC
                                                                             : WEFT_CAUSE_CREDIT;
        found.vc = (uint16_t)vc;
        break;
    }
    if (!weft_iq_later(packet->when, s->t))
        found.waited = (int32_t)(s->t + 1 - packet->when);
    s->view->front(s->view->user, &found);
}

void weft_iq_blocked(const weft_site *site, uint32_t router, weft_time now,
                     const weft_blocked_view *view)
{
    const weft_iq *iq = site->state;
    const weft_input_queue *only = view->only;
    char *record = weft_iq_record(iq, router);
    sight s = {.iq = iq,
               .layout = weft_iq_layout_of(iq, record),
               .record = record,
               .router = router,
               .id = weft_iq_head_of(record)->id,
               .t = (uint32_t)(now - 1),
               .view = view};
    for (uint32_t line = 0; line < s.layout->in_lines; line++)
        for (uint32_t vcs = weft_iq_lines_of(record)[line].waiting; vcs; vcs &= vcs - 1) {
            uint32_t v = (uint32_t)__builtin_ctz(vcs), in = line / s.layout->in_speed;
            if (only && (only->in != in || only->vc != v))
                continue;
            if (!weft_iq_has(s.layout, WEFT_IQ_QUEUE_EACH))
                look_at_fifo(&s, line, in, v);
            else
                look_at_voqs(&s, line, in, v);
        }
    bool sources = !only || only->vc == WEFT_BLOCKED_SOURCE;
    for (uint32_t host = 0; sources && host < s.layout->hosts; host++)
        for (uint32_t f = 0; weft_site_sources(site, router) && f < s.layout->traffic_classes; f++)
            look_at_source(&s, host, f);
    for (uint32_t out = 0; !only && out < s.layout->ins; out++) {
        bool busy = carries(&s, out);
        view->output(view->user, s.id, out, busy,
                     busy ? WEFT_CAUSE_NONE : (weft_wait_cause)s.lost[out]);
    }
}

static weft_iq_traits with_watch(weft_iq_traits features, bool on)
{
    return on ? features | WEFT_IQ_WATCHED : features & ~(weft_iq_traits)WEFT_IQ_WATCHED;
}

void weft_iq_note_moves(weft_site *site, bool on)
{
    weft_iq *iq = site->state;
    iq->layout.features = with_watch(iq->layout.features, on);
    for (uint32_t g = 0; g < iq->n_groups; g++)
        iq->groups[g].layout.features = with_watch(iq->groups[g].layout.features, on);
    /* The general code from then on: what it leaves, compiled code might not expect. */
    if (on)
        iq->run = weft_iq_choose_run(iq);
}
