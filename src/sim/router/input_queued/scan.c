/* SPDX-License-Identifier: Apache-2.0 */
/* The rarer ways to be eligible: several candidates, several lines to an output, output buffers,
 * pools, VOQ. */
#include "sim/router/input_queued/scan_impl.h"

#include "base/memory.h"
#include "sim/router/input_queued/backlog_impl.h"

#define MANY_PACKETS (1u << 20)

uint32_t weft_iq_take_new(weft_iq *iq)
{
    if (iq->used == iq->room) {
        size_t each = sizeof *iq->packets, before = each * iq->room;
        /* regions move without being copied, so a large one may grow by little */
        uint32_t more = iq->room < MANY_PACKETS ? iq->room : iq->room / 8;
        iq->room += more ? more : 1024;
        iq->packets = weft_region_resize(iq->packets, before, each * iq->room);
    }
    return iq->used++;
}

/* What a VC uses beyond its own part is taken from the pool. */
int32_t weft_iq_pool_at(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                        uint32_t out, uint32_t w, uint32_t t)
{
    int32_t left = layout->pool, own = 0;
    for (uint32_t v = 0; v < layout->n_vcs; v++) {
        int32_t credits =
            weft_iq_credits_at(features, layout, weft_iq_port_at(layout, record, out), v, t);
        left += credits < 0 ? credits : 0;
        own = v == w && credits > 0 ? credits : own;
    }
    return own + left;
}

/* True if one of the VCs may use so many units at tick t. */
static bool pool_fits(weft_iq_traits features, const weft_iq_context *ctx, uint32_t out,
                      uint32_t vcs, int32_t units, uint32_t t)
{
    for (; vcs; vcs &= vcs - 1)
        if (weft_iq_pool_at(features, ctx->layout, ctx->record, out, (uint32_t)__builtin_ctz(vcs),
                            t) >= units)
            return true;
    return false;
}

/* When the last ramp that is known has come completely, ticks from t. */
static uint32_t last_credit_burst(const weft_iq_layout *layout, char *record, uint32_t out,
                                  uint32_t t)
{
    weft_iq_port *behind = weft_iq_port_at(layout, record, out);
    const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, behind);
    uint32_t last = 0;
    for (uint32_t i = behind->credit_bursts; i-- > 0;) {
        uint32_t end = credit_burst[i].start +
                       (credit_burst[i].units - 1u) * layout->class_through[credit_burst[i].class];
        if (weft_iq_later(end, t) && end - t > last)
            last = end - t;
    }
    return last;
}

/* Room only grows until the next grant: the first tick with enough is found by halving. */
uint32_t weft_iq_pool_wait(weft_iq_traits features, const weft_iq_context *ctx, uint32_t out,
                           uint32_t vcs, int32_t units)
{
    uint32_t t = ctx->t;
    if (pool_fits(features, ctx, out, vcs, units, t))
        return 0;
    uint32_t low = 0, high = last_credit_burst(ctx->layout, ctx->record, out, t);
    if (!pool_fits(features, ctx, out, vcs, units, t + high))
        return WEFT_IQ_NEVER;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (pool_fits(features, ctx, out, vcs, units, t + middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Packets leave a buffer in the order in which they stand in it. */
uint32_t weft_iq_buffer_wait(const weft_iq_layout *layout, char *record, uint32_t out,
                             uint32_t flits, uint32_t t)
{
    const weft_iq_buffered_packet *list =
        weft_iq_buffered_packets(layout, record) + (size_t)out * (layout->out_room + 1);
    uint32_t count = list[0].flits, used = 0, wait = 0;
    for (uint32_t i = 1; i <= count; i++)
        used += weft_iq_later(list[i].gone, t) ? list[i].flits : 0;
    for (uint32_t i = 1; i <= count && used + flits > layout->out_room; i++)
        if (weft_iq_later(list[i].gone, t)) {
            used -= list[i].flits;
            wait = list[i].gone - t;
        }
    return wait;
}

unsigned weft_iq_candidates(const weft_iq *iq, char *record, const weft_iq_bid *bid,
                            weft_candidate *hops)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    const weft_iq_packet *packet = bid->packet;
    uint32_t route = weft_packet_header(&packet->event);
    if (!weft_iq_several(layout->features, layout, &packet->event)) {
        hops[0] = (weft_candidate){
            .port = (uint16_t)bid->out, .vcs = (uint16_t)bid->vcs, .next_header = packet->after};
        return 1;
    }
    if (route == 0) {
        uint32_t first =
            layout->ports + weft_iq_host(layout->features, layout, &packet->event) * layout->each;
        for (uint32_t k = 0; k < layout->each; k++)
            hops[k] = (weft_candidate){.port = (uint16_t)(first + k)};
        return layout->each;
    }
    uint32_t traffic_class = weft_packet_traffic_class(&packet->event),
             first = layout->vc[traffic_class];
    const weft_routing *routing = layout->routing[traffic_class];
    weft_route_context here = {
        .router = weft_iq_head_of(record)->id,
        .header = route,
        .port = bid->in < layout->ports ? (uint16_t)bid->in : WEFT_FROM_ENDPOINT,
        .vc = (uint16_t)(bid->in < layout->ports ? bid->vc - first : bid->vc)};
    weft_random drawn, *random = NULL;
    if (routing->draws) {
        drawn = weft_packet_draw(layout->platform->network->seed, &packet->event, WEFT_FOR_HOP);
        random = &drawn;
    }
    unsigned count = iq->down ? weft_routing_candidates(routing, &here, random, hops)
                              : routing->kind->candidates(routing, &here, random, hops);
    for (unsigned i = 0; first && i < count; i++)
        hops[i].vcs = (uint16_t)(hops[i].vcs << first);
    return count;
}

static uint32_t waiting(const void *user, uint32_t port, uint16_t vcs)
{
    const weft_iq_seen *seen = user;
    const weft_iq_layout *layout = seen->layout;
    weft_iq_port *out = weft_iq_port_at(layout, seen->record, port);
    int32_t used = 0;
    for (uint32_t v = seen->first; v < layout->n_vcs; v++)
        if (vcs >> (v - seen->first) & 1)
            used += layout->capacity -
                    weft_iq_credits_at(layout->features, layout, out, v, seen->t) +
                    weft_iq_awaited(layout, seen->record, port, v, seen->t);
    return (uint32_t)used;
}

/* The same at another router: all are in this block, and in this tick no router has decided yet. */
static uint32_t waiting_at(const void *user, uint32_t router, uint32_t port, uint16_t vcs)
{
    const weft_iq_seen *here = user;
    weft_iq_seen there = *here;
    weft_place place = weft_partition_place(here->layout->platform->partition, router);
    there.record = weft_iq_record(here->iq, place.local);
    there.layout = weft_iq_layout_of(here->iq, there.record);
    return waiting(&there, port, vcs);
}

void weft_iq_reroute(const weft_iq *iq, char *record, weft_event *packet, uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t traffic_class = weft_packet_traffic_class(packet);
    const weft_routing *routing = layout->routing[traffic_class];
    if (weft_packet_header(packet) == 0 || !routing->kind->reroute)
        return;
    bool inside = in < layout->ports;
    weft_route_context here = {.router = weft_iq_head_of(record)->id,
                               .header = weft_packet_header(packet),
                               .port = inside ? (uint16_t)in : WEFT_FROM_ENDPOINT,
                               .vc = (uint16_t)(inside ? v - layout->vc[traffic_class] : v)};
    weft_iq_seen seen = {.iq = iq,
                         .layout = layout,
                         .record = record,
                         .t = packet->when,
                         .first = layout->vc[traffic_class]};
    weft_congestion_view view = {
        .user = &seen, .waiting = waiting, .waiting_at = routing->sees_all ? waiting_at : NULL};
    weft_random random =
        weft_packet_draw(layout->platform->network->seed, packet, WEFT_FOR_REROUTE);
    weft_packet_set_header(packet, routing->kind->reroute(routing, &here, &view, &random));
}

/* Ticks until an output has a free line; those of its lines that are free now in *open. */
static uint32_t line_wait(const weft_iq_layout *layout, char *record, uint32_t out, uint32_t t,
                          uint32_t *open)
{
    const uint32_t *free =
        weft_iq_out_free_at(layout->features, layout, record, out * layout->out_speed);
    uint32_t least = WEFT_IQ_NEVER;
    *open = 0;
    for (uint32_t k = 0; k < layout->out_speed; k++)
        if (weft_iq_later(free[k], t))
            least = free[k] - t < least ? free[k] - t : least;
        else
            *open |= 1u << k;
    return *open ? 0 : least;
}

/* Ticks until a packet could go by this candidate. */
static uint32_t hop_wait(weft_iq_traits features, const weft_iq_context *ctx,
                         const weft_iq_bid *bid, const weft_candidate *hop, uint32_t *open)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t;
    uint32_t out = hop->port, wait = line_wait(layout, record, out, t, open), more = 0;
    int32_t units = weft_iq_units(features, bid->flits);
    if (weft_iq_several(features, layout, &bid->packet->event) &&
        !weft_iq_has(layout, WEFT_IQ_STORED) &&
        weft_iq_period(features, layout, bid->in) > weft_iq_through(features, layout, out)) {
        uint32_t from =
            bid->packet->event.when +
            (bid->flits - 1) * (weft_iq_period(features, layout, bid->in) -
                                weft_iq_through(features, layout, out)) +
            ((features & WEFT_IQ_VC_STAGE) != 0); /* an ejection link: the stage's tick */
        more = weft_iq_later(from, t) ? from - t : 0;
        wait = more > wait ? more : wait;
    }
    if (layout->out_room) {
        more = weft_iq_buffer_wait(layout, record, out, bid->flits, t);
        wait = more > wait ? more : wait;
    }
    if (out < layout->ports) {
        more = weft_iq_room_wait(features, ctx, out, hop->vcs, units);
        if (more)
            weft_iq_starve(features, ctx, out, bid->line, hop->vcs, units);
        wait = more > wait ? more : wait;
    }
    return wait;
}

/* How much there is behind a candidate: what its best VC has. */
static int32_t best_room(weft_iq_traits features, const weft_iq_context *ctx,
                         const weft_candidate *hop)
{
    int32_t best = INT32_MIN;
    if (hop->port >= ctx->layout->ports)
        return best;
    for (uint32_t vcs = hop->vcs; vcs; vcs &= vcs - 1) {
        int32_t room = weft_iq_room_at(features, ctx->layout, ctx->record, hop->port,
                                       (uint32_t)__builtin_ctz(vcs), ctx->t);
        best = room > best ? room : best;
    }
    return best;
}

/* One of the free lines to an output: those of different inputs are spread over them. */
static uint32_t one_line(const weft_iq_layout *layout, uint32_t line, uint32_t open)
{
    uint32_t speed = layout->out_speed, k = line % speed;
    while (!(open >> k & 1))
        k = k + 1 == speed ? 0 : k + 1;
    return k;
}

/* Candidates of one sort, for escape or not. */
static bool add_lines(const weft_iq_context *ctx, const weft_iq_bid *bid,
                      const weft_candidate *hops, unsigned count, uint32_t *wait, uint64_t *wants)
{
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_traits features = ctx->iq->layout.features;
    uint32_t words = weft_iq_words(features, layout), best = 0, open;
    int64_t most = INT64_MIN;
    bool some = false;
    for (unsigned i = 0; i < count; i++) {
        if (hops[i].escape != bid->escape)
            continue;
        uint32_t more = hop_wait(features, ctx, bid, &hops[i], &open),
                 first = hops[i].port * layout->out_speed;
        weft_iq_bound(wait, more);
        if (more)
            continue;
        some = true;
        for (uint32_t left = layout->several ? open : 0; left; left &= left - 1)
            weft_set_add(words, wants, first + (uint32_t)__builtin_ctz(left));
        int32_t room = layout->several ? 0 : best_room(features, ctx, &hops[i]);
        if (room > most) {
            most = room;
            best = first + one_line(layout, bid->line, open);
        }
    }
    if (some && !layout->several)
        weft_set_add(words, wants, best);
    return some;
}

bool weft_iq_lines(weft_iq *iq, char *record, weft_iq_bid *bid, uint32_t t, uint32_t *wait,
                   uint64_t *wants)
{
    const weft_iq_context ctx = {
        .iq = iq, .layout = weft_iq_layout_of(iq, record), .record = record, .t = t};
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX + 1];
    unsigned count = weft_iq_candidates(iq, record, bid, hops);
    *wait = WEFT_IQ_NEVER;
    for (unsigned escape = 0; escape < 2; escape++) {
        bid->escape = escape;
        if (add_lines(&ctx, bid, hops, count, wait, wants))
            return true;
    }
    return false;
}
