/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a packet through a router with one queue. A template: kind.c and listed.c define
 * LISTED (1: order: event-list) and include it, so that each form is compiled without the code of
 * the other.
 *
 * A packet that has arrived completely asks its routing for an output. If the output is free (with
 * adaptive routing: one of them), it is sent, and arrives at the next router when the output has
 * carried its last flit. Otherwise it joins the router's queue. When an output becomes free, the
 * first packet in the queue that can use it is sent, whatever the routing would have said. A free
 * output is never offered to a packet that waits (extraction: suitable, the rule of ts) unless the
 * packet waits for it anyway. */
#ifndef WEFT_SIM_ROUTER_SHARED_QUEUE_HANDLERS_IMPL_H
#define WEFT_SIM_ROUTER_SHARED_QUEUE_HANDLERS_IMPL_H

#include "sim/assembly.h"
#include "sim/router/shared_queue/shared_queue.h"
#include "sim/source.h"

static inline void note(const weft_site *site, weft_trace_kind kind, const weft_event *packet,
                        uint32_t router, uint32_t output, weft_time now)
{
    const weft_trace *trace = site->platform->trace;
    if (__builtin_expect(trace != NULL, 0))
        trace->note(trace->user, kind, packet,
                    weft_partition_router(site->platform->partition, site->block, router), output,
                    0, now);
}

/* With order: event-list an output that becomes free in this tick is busy until its turn. */
static inline bool idle(const weft_sq *q, const weft_sq_node *node, uint32_t output, weft_time now)
{
    const weft_sq_output *of = &node->output[output];
    if (LISTED)
        return (of->free < now) | ((of->free == now) & (of->order <= q->turn));
    return of->free <= now && (!q->chain || output != q->up || node->credits > 0);
}

static inline uint32_t length_of(const weft_site *site, const weft_event *packet)
{
    const weft_sq *q = site->state;
    const weft_network *network = site->platform->network;
    uint32_t traffic_class = weft_packet_traffic_class(packet);
    if (!q->draws[traffic_class])
        return weft_packet_flits(packet);
    const weft_length *length = &network->traffic_classes[traffic_class].traffic.length;
    weft_random random = weft_packet_draw(network->seed, packet, WEFT_FOR_LENGTH);
    return length->kind->flits(length, &random);
}

/* In a chain: the room ahead that a packet takes, and the room behind that it leaves at `left`. */
static inline void pass_credit(const weft_site *site, weft_block *block, uint32_t router,
                               uint32_t output, weft_time left)
{
    const weft_sq *q = site->state;
    if (output == q->up)
        weft_sq_at(q, router)->credits--;
    if (weft_partition_router(site->platform->partition, site->block, router) == 0)
        return;
    weft_step step =
        weft_partition_step(site->platform->partition, site->box, site->block, router, q->down);
    weft_event *event = step.slot == WEFT_INSIDE
                            ? weft_emit(block, left + q->credit)
                            : weft_emit_across(block, step.slot, left + q->credit);
    event->to = step.local;
    weft_credit_make(site->platform->key, event, q->up, 0, 0, 0);
}

static inline void count(const weft_sq *q, uint32_t router, uint32_t output, uint32_t flits,
                         weft_time end)
{
    q->meter[(size_t)router * q->outputs + output].sent += flits;
    q->left[router] += end;
}

/* The order of an output that starts a packet now. */
static inline uint32_t order_of(weft_sq *q, weft_sq_node *node)
{
    if (!LISTED)
        return node->sent++;
    weft_precedence end = weft_precedence_end(q->turn >> WEFT_SQ_TURN_BITS);
    return end << WEFT_SQ_TURN_BITS | q->starts++;
}

/* Sends a packet by an output that is idle. */
static inline __attribute__((always_inline)) void send(weft_site *site, weft_block *block,
                                                       uint32_t router, const weft_event *packet,
                                                       const weft_minimal_port *way, weft_time now)
{
    weft_sq *q = site->state;
    uint32_t output = way->port;
    uint32_t flits = LISTED ? weft_packet_flits(packet) : length_of(site, packet);
    weft_sq_node *node = weft_sq_at(q, router);
    weft_time busy = LISTED ? q->scale.transmission : flits * q->period[output], end = now + busy;
    uint32_t order = order_of(q, node);
    node->output[output].free = end;
    node->output[output].busy += busy;
    node->output[output].order = order;
    node->armed &= ~((uint64_t)1 << output);
    if (node->wait_queue.any >> output & 1)
        weft_sq_wake(q, block, router, output);
    if (q->meter)
        count(q, router, output, flits, end);
    if (!LISTED && q->chain)
        pass_credit(site, block, router, output, q->counts_all ? end : now);
    note(site, WEFT_TRACE_HOP, packet, router, output, now);
    bool hop = LISTED || output < q->ports;
    weft_step step = {.slot = WEFT_INSIDE, .local = router};
    if (hop && q->next)
        step.local = q->next[(size_t)router * q->ports + output];
    if (hop && (!q->next || step.local == WEFT_NOWHERE))
        step =
            weft_partition_step(site->platform->partition, site->box, site->block, router, output);
    weft_time then = LISTED ? end : end + q->wire[output];
    weft_event *event = step.slot == WEFT_INSIDE ? weft_emit(block, then)
                                                 : weft_emit_across(block, step.slot, then);
    event->to = step.local;
    weft_packet_move(site->platform->key, event, packet, hop ? WEFT_HEADER : WEFT_DELIVER,
                     hop ? output : 0);
    if (LISTED)
        event->key = order >> WEFT_SQ_TURN_BITS << WEFT_SQ_KEY_SHIFT;
    if (LISTED) {
        weft_packet_step(event, way->next_header);
    } else {
        weft_packet_set_header(event, way->next_header);
        weft_packet_redraw(event, hop, flits);
    }
}

/* An output is free: the first packet that can use it goes. */
static void serve(weft_site *site, weft_block *block, uint32_t router, uint32_t output,
                  weft_time now)
{
    weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    weft_wait_queue *wait_queue = &node->wait_queue;
    uint32_t place = weft_wait_queue_find(wait_queue, output, &node->output[output].from);
    if (place == wait_queue->end)
        return;
    if (!LISTED && !idle(q, node, output, now)) { /* for want of credits */
        if (!node->stalled)
            node->since = now;
        node->stalled = 1;
        return;
    }
    weft_event packet;
    weft_wait_queue_take(wait_queue, place, &packet);
    weft_minimal_port way = weft_sq_way(site, router, &packet, output);
    send(site, block, router, &packet, &way, now);
}

/* The selection's first choice among ways, which it reorders. */
static inline void prefer(const weft_site *site, const weft_event *packet, uint32_t traffic_class,
                          weft_minimal_port *ways, unsigned count)
{
    const weft_sq *q = site->state;
    if (count < 2 || !q->sorts[traffic_class])
        return;
    const weft_routing *routing = &site->platform->network->traffic_classes[traffic_class].routing;
    weft_random random;
    if (q->random[traffic_class])
        random = weft_packet_draw(site->platform->network->seed, packet, WEFT_FOR_HOP);
    routing->selection->rank(routing->selection_settings, ways, count, 1,
                             q->random[traffic_class] ? &random : NULL);
}

/* Takes note of one output that may take a packet. */
static inline __attribute__((always_inline)) void consider(const weft_sq *q,
                                                           const weft_sq_node *node,
                                                           uint32_t output, weft_time now,
                                                           weft_sq_choice *all)
{
    const weft_sq_output *of = &node->output[output];
    bool later = (of->free > now) | (LISTED & (of->free == now) & (of->order > q->turn));
    all->first = weft_sq_sooner(all->first, weft_sq_end_of(of->free, output, later));
    all->outputs |= (uint64_t)1 << output;
    all->idle |= LISTED ? !later : idle(q, node, output, now);
}

/* All minimal ways of a packet on a lattice. */
static inline __attribute__((always_inline)) void consider_lattice(const weft_sq *q,
                                                                   const weft_sq_node *node,
                                                                   uint32_t route, weft_time now,
                                                                   weft_sq_choice *all)
{
    unsigned count = 0;
    for (uint32_t rest = route; rest; count++) {
        const weft_lattice_field *field = &q->lattice->field[__builtin_ctz(rest)];
        all->ways[count] = weft_lattice_way(field, route);
        rest &= ~field->all;
        consider(q, node, all->ways[count].port, now, all);
    }
    all->n_ways = count;
}

/* By a routing that ranks the topology's ways: its favourite, or with adaptive routing its
 * favourite among the idle ones. */
static bool favour(const weft_site *site, uint32_t router, const weft_event *packet,
                   uint32_t traffic_class, weft_time now, weft_sq_choice *all,
                   weft_minimal_port *way)
{
    const weft_sq *q = site->state;
    if (q->single[traffic_class]) {
        if (all->n_ways > 1 && q->random[traffic_class] && !all->idle)
            return false; /* whichever were drawn */
        prefer(site, packet, traffic_class, all->ways, all->n_ways);
        *way = all->ways[0];
        return idle(q, weft_sq_at(q, router), way->port, now);
    }
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < all->n_ways; i++)
        if (idle(q, weft_sq_at(q, router), all->ways[i].port, now))
            ways[count++] = all->ways[i];
    if (count == 0)
        return false;
    prefer(site, packet, traffic_class, ways, count);
    *way = ways[0];
    return true;
}

/* Can a packet go on at once, and how? */
static bool choose(const weft_site *site, uint32_t router, const weft_event *packet, weft_time now,
                   weft_sq_choice *all, weft_minimal_port *way)
{
    const weft_sq *q = site->state;
    uint32_t traffic_class = weft_packet_traffic_class(packet);
    if ((LISTED || weft_packet_header(packet)) && q->ranked[traffic_class])
        return favour(site, router, packet, traffic_class, now, all, way);
    for (unsigned i = 0; i < all->n_ways; i++)
        if (idle(q, weft_sq_at(q, router), all->ways[i].port, now)) {
            *way = all->ways[i];
            return true;
        }
    return false;
}

/* Queues a packet. The first of its outputs that becomes free wakes the router. */
static void await(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                  const weft_sq_choice *all, weft_time now)
{
    const weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    weft_sq_put(site, router, packet, all->outputs);
    if (all->first != WEFT_SQ_NO_END && weft_sq_end_tick(all->first) < node->next) {
        if (LISTED && weft_sq_end_tick(all->first) == now)
            node->next = now; /* later in this tick */
        else
            weft_sq_alarm(q, block, router, weft_sq_end_output(all->first));
    }
    if (!LISTED && q->chain && (all->outputs >> q->up & 1) && node->output[q->up].free <= now)
        serve(site, block, router, q->up, now); /* it stalls */
    note(site, WEFT_TRACE_WAIT, packet, router, 0, now);
}

/* True if there is no room for a packet, which goes on at once or waits. What has come over the
 * link of a chain has room. */
static bool crowded(const weft_sq *q, uint32_t router, bool goes, bool from_link, weft_time now)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    if (node->wait_queue.waiting + q->outputs < node->room || (!LISTED && q->chain && from_link))
        return false;
    if (q->counts_all)
        return node->wait_queue.waiting + weft_sq_sending(q, router, now) >= node->room;
    return !goes && node->wait_queue.waiting >= node->room;
}

/* A packet that is not where it goes to has come to a router, completely. */
static void admit(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                  weft_time now, bool from_link)
{
    const weft_sq *q = site->state;
    const weft_sq_node *node = weft_sq_at(q, router);
    weft_sq_choice all;
    weft_minimal_port way = {0};
    all.idle = false;
    all.first = WEFT_SQ_NO_END;
    all.outputs = 0;
    if ((LISTED || weft_packet_header(packet)) && q->lattice &&
        q->every[weft_packet_traffic_class(packet)]) {
        consider_lattice(q, node, weft_packet_header(packet), now, &all);
    } else {
        weft_sq_ways(site, router, packet, &all);
        for (unsigned i = 0; i < all.n_ways; i++)
            consider(q, node, all.ways[i].port, now, &all);
    }
    bool goes = choose(site, router, packet, now, &all, &way);
    if (crowded(q, router, goes, from_link, now)) {
        note(site, WEFT_TRACE_DROP, packet, router, 0, now);
        weft_tally_lose(site->tally, weft_packet_traffic_class(packet), now);
        return;
    }
    if (q->meter)
        q->came[router] += now;
    if (goes)
        send(site, block, router, packet, &way, now);
    else
        await(site, block, router, packet, &all, now);
}

static inline void deliver(weft_site *site, uint32_t router, const weft_event *packet,
                           weft_time now)
{
    note(site, WEFT_TRACE_DELIVER, packet, router, 0, now);
    weft_assembly_deliver(site, router, packet, now);
}

/* A packet has come to a router, completely. */
static inline void enter(weft_site *site, weft_block *block, uint32_t router,
                         const weft_event *packet, weft_time now, bool from_link)
{
    const weft_sq *q = site->state;
    if (!weft_packet_header(packet) && q->outputs == q->ports) {
        if (!LISTED && q->chain && from_link)
            pass_credit(site, block, router, q->outputs, now); /* the room was kept for it */
        deliver(site, router, packet, now);
    } else
        admit(site, block, router, packet, now, from_link);
}

/* Every packet of every message of this tick. */
static inline void inject(weft_site *site, weft_block *block, uint32_t router, uint32_t source,
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

#endif
