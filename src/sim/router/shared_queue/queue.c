/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for what: the lists of a router's queue. */
#include "sim/router/shared_queue/shared_queue.h"

/* Of a routing that says more than which minimal ports there are: what it would try, in its
 * order. */
static unsigned ask(const weft_site *site, uint32_t id, const weft_event *packet,
                    const weft_routing *routing, weft_minimal_port *ways)
{
    weft_random drawn, *random = NULL;
    if (routing->draws) {
        drawn = weft_packet_draw(site->platform->network->seed, packet, WEFT_FOR_HOP);
        random = &drawn;
    }
    weft_route_context here = {
        .router = id, .header = weft_packet_header(packet), .port = WEFT_FROM_ENDPOINT};
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = routing->kind->candidates(routing, &here, random, hops);
    for (unsigned i = 0; i < count; i++)
        ways[i] = (weft_minimal_port){
            .port = hops[i].port, .hops = 1, .next_header = hops[i].next_header};
    return count;
}

void weft_sq_ways(const weft_site *site, uint32_t router, const weft_event *packet,
                  weft_sq_choice *all)
{
    const weft_sq *q = site->state;
    const weft_topology *topology = &site->platform->network->topology;
    uint32_t route = weft_packet_header(packet), traffic_class = weft_packet_traffic_class(packet);
    if (route == 0) {
        all->ways[0] = (weft_minimal_port){
            .port = (uint16_t)(q->ports + weft_packet_host(site->platform->key, packet, q->hosts))};
        all->n_ways = 1;
        return;
    }
    /* wherever the packet is */
    bool alike = q->every[traffic_class] && topology->proof.header_self_contained;
    uint32_t id = alike ? 0 : weft_partition_router(site->platform->partition, site->block, router);
    if (q->every[traffic_class])
        all->n_ways = weft_sq_every(q, topology, id, route, all->ways);
    else
        all->n_ways =
            ask(site, id, packet, &site->platform->network->traffic_classes[traffic_class].routing,
                all->ways);
}

weft_minimal_port weft_sq_pick(const weft_site *site, uint32_t router, const weft_event *packet,
                               uint32_t output)
{
    weft_sq_choice all;
    unsigned i = 0;
    weft_sq_ways(site, router, packet, &all);
    while (i + 1 < all.n_ways && all.ways[i].port != output)
        i++;
    assert(all.ways[i].port == output);
    return all.ways[i];
}

void weft_sq_put(const weft_site *site, uint32_t router, const weft_event *packet, uint64_t outputs)
{
    const weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    weft_wait_queue *wait_queue = &node->wait_queue;
    if (wait_queue->end == wait_queue->room && weft_wait_queue_grow(wait_queue))
        for (uint32_t o = 0; o < q->outputs; o++)
            node->output[o].from = 0;
    weft_wait_queue_append(wait_queue, packet, outputs);
}

void weft_sq_alarm(const weft_sq *q, weft_block *block, uint32_t router, uint32_t output)
{
    weft_sq_node *node = weft_sq_at(q, router);
    weft_time at = node->output[output].free;
    uint64_t bit = (uint64_t)1 << output;
    node->next = at;
    if (node->armed & bit)
        return;
    node->armed |= bit;
    weft_event *event = weft_emit(block, at);
    event->to = router;
    weft_wake_make(event, 0, 0, false);
}

void weft_sq_watch(const weft_sq *q, weft_block *block, uint32_t router, weft_time after)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    const weft_sq_output *outputs = node->output;
    uint32_t first = WEFT_SQ_OUTPUTS_MAX;
    for (uint64_t any = node->wait_queue.any; any; any &= any - 1) {
        uint32_t o = (uint32_t)__builtin_ctzll(any);
        if (outputs[o].free > after &&
            (first == WEFT_SQ_OUTPUTS_MAX || outputs[o].free < outputs[first].free))
            first = o;
    }
    if (first < WEFT_SQ_OUTPUTS_MAX)
        weft_sq_wake(q, block, router, first);
}

bool weft_sq_look(const weft_site *site, uint32_t router, uint32_t place, weft_event *packet)
{
    const weft_wait_queue *wait_queue = &weft_sq_at(site->state, router)->wait_queue;
    if (place < wait_queue->first || wait_queue->at[place].outputs == 0)
        return false;
    weft_wait_queue_packet(&wait_queue->at[place], packet);
    return true;
}

uint32_t weft_sq_places(const weft_site *site, uint32_t router)
{
    return weft_sq_at(site->state, router)->wait_queue.end;
}

uint32_t weft_sq_sending(const weft_sq *q, uint32_t router, weft_time now)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    uint32_t sending = 0;
    for (uint32_t o = 0; o < q->outputs; o++)
        sending += node->output[o].free > now ||
                   (node->output[o].free == now && node->output[o].order > q->turn);
    return sending;
}

int64_t weft_sq_held(const weft_site *site)
{
    const weft_sq *q = site->state;
    int64_t held = 0;
    for (uint32_t r = 0; r < site->routers; r++)
        held += weft_sq_at(q, r)->wait_queue.waiting;
    return held;
}

int64_t weft_sq_stored(const weft_site *site)
{
    const weft_sq *q = site->state;
    int64_t bytes = 0;
    for (uint32_t r = 0; r < site->routers; r++)
        bytes += (int64_t)sizeof(weft_waiter) * weft_sq_at(q, r)->wait_queue.room;
    return bytes;
}
