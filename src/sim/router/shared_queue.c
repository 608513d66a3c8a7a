/* SPDX-License-Identifier: Apache-2.0 */
/* The events of routers with one queue for all packets, as in the torus simulator ts.
 *
 * A packet that has come completely asks its routing for an output. If that is free (of an adaptive routing: one
 * of them) it is sent, and is at the next router as a whole when the output has carried its last flit. Otherwise it
 * joins the queue of the router. When an output becomes free, the first packet in the queue that can use it
 * goes, whatever the routing would have said; an output that is free is never offered to a packet that waits
 * (extraction: suitable, the rule of ts) unless the packet waits for it anyway. */
#include "sim/assembly.h"
#include "sim/shared_queue.h"
#include "sim/source.h"

static inline void note(const weft_site *site, weft_trace_kind kind, const weft_event *packet,
                        uint32_t router, uint32_t output, weft_time now)
{
    const weft_trace *trace = site->fabric->trace;
    if (__builtin_expect(trace != NULL, 0))
        trace->note(trace->user, kind, packet,
                    weft_partition_router(site->fabric->partition, site->block, router), output, 0,
                    now);
}

static inline bool idle(const weft_sq *q, uint32_t router, uint32_t output, weft_time now)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    return node->output[output].free <= now && (!q->chain || output != q->up || node->credits > 0);
}

static uint32_t length_of(const weft_site *site, const weft_event *packet)
{
    const weft_sq *q = site->state;
    const weft_network *network = site->fabric->network;
    uint32_t flow = weft_packet_flow(packet);
    if (!q->draws[flow])
        return weft_packet_flits(packet);
    const weft_length *length = &network->flow[flow].traffic.length;
    weft_random random = weft_packet_draw(network->seed, packet, WEFT_FOR_LENGTH);
    return length->kind->flits(length, &random);
}

/* In a chain: the room ahead that a packet takes, and the room behind that it leaves at tick `left`. */
static void pass_credit(const weft_site *site, weft_block *block, uint32_t router, uint32_t output,
                        weft_time left)
{
    const weft_sq *q = site->state;
    if (output == q->up)
        weft_sq_at(q, router)->credits--;
    if (weft_partition_router(site->fabric->partition, site->block, router) == 0)
        return;
    weft_step step =
        weft_partition_step(site->fabric->partition, site->box, site->block, router, q->down);
    weft_event *event = step.slot == WEFT_INSIDE
                            ? weft_emit(block, left + q->credit)
                            : weft_emit_across(block, step.slot, left + q->credit);
    event->to = step.local;
    event->key = weft_key(WEFT_CREDIT, q->up);
    event->data[0] = event->data[1] = event->data[2] = event->data[3] = event->data[4] = 0;
}

static void count(const weft_sq *q, uint32_t router, uint32_t output, uint32_t flits, weft_time end)
{
    q->meter[(size_t)router * q->outputs + output].sent += flits;
    q->left[router] += end;
}

/* Sends a packet by an output that is idle. */
static void send(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                 const weft_way *way, weft_time now)
{
    const weft_sq *q = site->state;
    uint32_t output = way->port, flits = length_of(site, packet);
    weft_sq_node *node = weft_sq_at(q, router);
    weft_time busy = flits * q->period[output], end = now + busy;
    node->output[output].free = end;
    node->output[output].busy += busy;
    node->output[output].order = node->sent++;
    node->armed &= ~((uint64_t)1 << output);
    if (node->line.any >> output & 1)
        weft_sq_wake(q, block, router, output);
    if (q->meter)
        count(q, router, output, flits, end);
    if (q->chain)
        pass_credit(site, block, router, output, q->counts_all ? end : now);
    note(site, WEFT_TRACE_HOP, packet, router, output, now);
    bool hop = output < q->ports;
    weft_step step = {.slot = WEFT_INSIDE, .local = router};
    if (hop)
        step = weft_partition_step(site->fabric->partition, site->box, site->block, router, output);
    weft_time then = end + q->wire[output];
    weft_event *event = step.slot == WEFT_INSIDE ? weft_emit(block, then)
                                                 : weft_emit_across(block, step.slot, then);
    event->to = step.local;
    weft_packet_move(event, packet, hop ? WEFT_HEADER : WEFT_DELIVER, hop ? output : 0);
    event->data[3] = way->after;
    event->data[4] = (packet->data[4] & 0xffff) + hop + (flits << 16);
}

/* An output is free: the first packet that can use it goes. */
static void serve(weft_site *site, weft_block *block, uint32_t router, uint32_t output,
                  weft_time now)
{
    weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    weft_line *line = &node->line;
    uint32_t place = weft_line_find(line, output, &node->output[output].from);
    if (place == line->end)
        return;
    if (!idle(q, router, output, now)) { /* for want of credits */
        if (!node->stalled)
            node->since = now;
        node->stalled = 1;
        return;
    }
    weft_event packet;
    weft_line_take(line, place, &packet);
    weft_way way = weft_sq_way(site, router, &packet, output);
    send(site, block, router, &packet, &way, now);
}

/* Of outputs (a bit each) that started at the same time, the one that did so first. */
static uint32_t earliest(const weft_sq *q, uint32_t router, uint64_t outputs)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    uint32_t found = (uint32_t)__builtin_ctzll(outputs);
    for (outputs &= outputs - 1; outputs; outputs &= outputs - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(outputs);
        if (node->sent - node->output[output].order > node->sent - node->output[found].order)
            found = output;
    }
    return found;
}

/* Outputs that become free now come first, in the order they started. One that has been free before is not offered to
 * anybody. */
static __attribute__((noinline)) void settle(weft_site *site, weft_block *block, uint32_t router,
                                             weft_time now)
{
    const weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    uint64_t due = 0;
    uint32_t first = WEFT_SQ_OUTPUTS_MAX;
    for (uint64_t any = node->line.any; any; any &= any - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(any);
        weft_time at = node->output[output].free;
        if (at == now)
            due |= (uint64_t)1 << output;
        else if (at > now && (first == WEFT_SQ_OUTPUTS_MAX || at < node->output[first].free))
            first = output;
    }
    node->next = WEFT_SQ_NEVER;
    while (due) {
        uint32_t output = earliest(q, router, due);
        due &= ~((uint64_t)1 << output);
        serve(site, block, router, output, now);
    }
    if (first < WEFT_SQ_OUTPUTS_MAX && node->line.waiting > 0)
        weft_sq_wake(q, block, router, first); /* those that have just started wake it themselves */
}

/* The selection's first choice among ways, which it reorders. */
static inline void prefer(const weft_site *site, const weft_event *packet,
                          const weft_routing *routing, weft_way *ways, unsigned count)
{
    const weft_selection_kind *selection = routing->selection;
    if (count < 2 || !selection->rank)
        return;
    weft_random random;
    if (selection->draws)
        random = weft_packet_draw(site->fabric->network->seed, packet, WEFT_FOR_HOP);
    selection->rank(routing->selection_settings, ways, count, 1, selection->draws ? &random : NULL);
}

static inline bool any_idle(const weft_sq *q, uint32_t router, const weft_sq_choice *all,
                            weft_time now)
{
    bool any = false;
    for (unsigned i = 0; i < all->count; i++)
        any |= idle(q, router, all->way[i].port, now);
    return any;
}

/* By a routing that ranks the topology's ways: its favourite, or of an adaptive one the favourite of those that
 * are idle. */
static bool favour(const weft_site *site, uint32_t router, const weft_event *packet,
                   const weft_routing *routing, weft_time now, weft_sq_choice *all, weft_way *way)
{
    const weft_sq *q = site->state;
    if (routing->kind->ways_wanted == 1) {
        if (all->count > 1 && routing->selection->draws && !any_idle(q, router, all, now))
            return false; /* whichever were drawn */
        prefer(site, packet, routing, all->way, all->count);
        *way = all->way[0];
        return idle(q, router, way->port, now);
    }
    weft_way ways[WEFT_WAYS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < all->count; i++)
        if (idle(q, router, all->way[i].port, now))
            ways[count++] = all->way[i];
    prefer(site, packet, routing, ways, count);
    *way = ways[0];
    return count > 0;
}

/* Can a packet go on at once, and how? */
static bool choose(const weft_site *site, uint32_t router, const weft_event *packet, weft_time now,
                   weft_sq_choice *all, weft_way *way)
{
    const weft_sq *q = site->state;
    uint32_t flow = weft_packet_flow(packet);
    if (packet->data[3] && q->ranked[flow])
        return favour(site, router, packet, &site->fabric->network->flow[flow].routing, now, all,
                      way);
    for (unsigned i = 0; i < all->count; i++)
        if (idle(q, router, all->way[i].port, now)) {
            *way = all->way[i];
            return true;
        }
    return false;
}

/* Of the outputs that may take a packet which waits now: the first that becomes free wakes the router. */
static void await(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                  const weft_sq_choice *all, weft_time now)
{
    const weft_sq *q = site->state;
    const weft_sq_node *node = weft_sq_at(q, router);
    uint64_t outputs = 0;
    uint32_t first = q->outputs;
    weft_time soonest = node->next;
    for (unsigned i = 0; i < all->count; i++) {
        uint32_t output = all->way[i].port;
        weft_time at = node->output[output].free;
        outputs |= (uint64_t)1 << output;
        if (at > now && at < soonest) {
            soonest = at;
            first = output;
        }
    }
    weft_sq_put(site, router, packet, outputs);
    if (first < q->outputs)
        weft_sq_alarm(q, block, router, first);
    if (q->chain && (outputs >> q->up & 1) && node->output[q->up].free <= now)
        serve(site, block, router, q->up, now); /* it stalls */
    note(site, WEFT_TRACE_WAIT, packet, router, 0, now);
}

/* Is there no room for a packet that goes on at once, or not? What has come over the link of a chain has room. */
static bool crowded(const weft_sq *q, uint32_t router, bool goes, bool from_link, weft_time now)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    if (node->line.waiting + q->outputs < node->room || (q->chain && from_link))
        return false;
    if (q->counts_all)
        return node->line.waiting + weft_sq_sending(q, router, now) >= node->room;
    return !goes && node->line.waiting >= node->room;
}

/* A packet has come to a router, completely. */
static void enter(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                  weft_time now, bool from_link)
{
    const weft_sq *q = site->state;
    if (!packet->data[3] && q->outputs == q->ports) {
        if (q->chain && from_link)
            pass_credit(site, block, router, q->outputs, now); /* the room was kept for it */
        note(site, WEFT_TRACE_DELIVER, packet, router, 0, now);
        weft_assembly_deliver(site, router, packet, now);
        return;
    }
    weft_sq_choice all;
    weft_way way;
    if (packet->data[3] && q->lattice && q->every[weft_packet_flow(packet)])
        all.count = weft_sq_every(q, NULL, 0, packet->data[3], all.way);
    else
        weft_sq_ways(site, router, packet, &all);
    bool goes = choose(site, router, packet, now, &all, &way);
    if (crowded(q, router, goes, from_link, now)) {
        note(site, WEFT_TRACE_DROP, packet, router, 0, now);
        weft_tally_lose(site->tally, weft_packet_flow(packet), now);
        return;
    }
    if (q->meter)
        q->came[router] += now;
    if (goes)
        send(site, block, router, packet, &way, now);
    else
        await(site, block, router, packet, &all, now);
}

/* Every packet of every message of this tick. */
static void inject(weft_site *site, weft_block *block, uint32_t router, uint32_t source,
                   weft_time now)
{
    weft_event packet;
    do {
        weft_sources_take(site, source, &packet);
        note(site, WEFT_TRACE_INJECT, &packet, router, 0, now);
        enter(site, block, router, &packet, now, false);
    } while (weft_sources_due(site, source, now));
    weft_sources_arm(site, block, source, now);
}

static void take_credit(weft_site *site, weft_block *block, uint32_t router, weft_time now)
{
    weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    node->credits++;
    if (!node->stalled)
        return;
    node->stalled = 0;
    if (q->meter)
        q->meter[(size_t)router * q->outputs + q->up].stalled += now - node->since;
    serve(site, block, router, q->up, now);
}

static void tick(void *state, weft_block *block, const weft_batch *given)
{
    weft_site *site = state;
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    const weft_sq *q = site->state;
    uint32_t last = UINT32_MAX;
    for (const weft_event *event = batch.events; event < batch.events + batch.count; event++) {
        weft_kind kind = weft_event_kind(event);
        if (weft_sq_at(q, event->to)->next <= batch.now)
            settle(site, block, event->to, batch.now);
        last = event->to;
        if (kind == WEFT_HEADER)
            enter(site, block, last, event, batch.now, true);
        else if (kind == WEFT_CREDIT)
            take_credit(site, block, last, batch.now);
        else if (kind == WEFT_DELIVER) {
            note(site, WEFT_TRACE_DELIVER, event, last, 0, batch.now);
            weft_assembly_deliver(site, last, event, batch.now);
        } else if (event->data[1] == 0)
            inject(site, block, last, event->data[0], batch.now);
    }
}

static void timer(void *state, weft_block *block, uint32_t source, weft_time now)
{
    weft_sources_timer(state, block, source, now);
}

const weft_router_kind weft_router_shared_queue = {
    .carriage =
        {.base = {.abi = WEFT_ABI,
                  .size = sizeof(weft_router_kind),
                  .name = "shared-queue",
                  .brief = "one queue for all packets, store-and-forward, first suitable goes (ts)",
                  .params = weft_sq_params,
                  .settings_size = sizeof(weft_sq_settings)}},
    .model = {.tick = tick, .timer = timer, .seat = weft_site_seat, .rest = weft_sources_rest},
    .lookahead = weft_sq_lookahead,
    .check = weft_sq_check,
    .open = weft_sq_open,
    .close = weft_sq_close,
    .bytes = weft_sq_bytes,
    .quiet = weft_sq_quiet,
    .link_busy = weft_sq_link_busy,
    .gauges = weft_sq_gauges,
    .gauge = weft_sq_gauge,
    .holds = "packets",
    .held = weft_sq_held,
    .stored = weft_sq_stored,
    .loses = true,
    .redraws = true,
    .save = weft_sq_save,
    .load = weft_sq_load,
    .credit = weft_sq_credit,
    .start = weft_sq_start,
};
