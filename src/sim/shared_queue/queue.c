/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for what: the lists of a router's queue. */
#include "sim/shared_queue.h"

#include <string.h>

/* Of a routing that says more than which minimal ports there are: what it would try, in its order. */
static unsigned ask(const weft_site *site, uint32_t id, const weft_event *packet,
                    const weft_routing *routing, weft_way *ways)
{
    weft_random drawn, *random = NULL;
    if (routing->draws) {
        drawn = weft_packet_draw(site->fabric->network->seed, packet, WEFT_FOR_HOP);
        random = &drawn;
    }
    if (routing->kind->candidates)
        return routing->kind->candidates(routing, id, packet->data[3], random, ways);
    weft_here here = {.router = id, .route = packet->data[3], .port = WEFT_FROM_ENDPOINT};
    weft_hop hops[WEFT_WAYS_MAX];
    unsigned count = routing->kind->hops(routing, &here, random, hops);
    for (unsigned i = 0; i < count; i++)
        ways[i] = (weft_way){.port = hops[i].port, .hops = 1, .after = hops[i].after};
    return count;
}

void weft_sq_ways(const weft_site *site, uint32_t router, const weft_event *packet,
                  weft_sq_choice *all)
{
    const weft_sq *q = site->state;
    const weft_topology *topology = &site->fabric->network->topology;
    uint32_t route = packet->data[3], flow = weft_packet_flow(packet);
    if (route == 0) {
        all->way[0] = (weft_way){.port = (uint16_t)(q->ports + weft_packet_host(packet, q->hosts))};
        all->count = 1;
        return;
    }
    uint32_t id = topology->relative
                      ? 0
                      : weft_partition_router(site->fabric->partition, site->block, router);
    if (q->every[flow])
        all->count = weft_sq_every(q, topology, id, route, all->way);
    else
        all->count = ask(site, id, packet, &site->fabric->network->flow[flow].routing, all->way);
}

weft_way weft_sq_way(const weft_site *site, uint32_t router, const weft_event *packet,
                     uint32_t output)
{
    const weft_sq *q = site->state;
    weft_sq_choice all;
    unsigned i = 0;
    if (q->lattice && output < q->ports)
        return weft_lattice_way(&q->lattice->field[q->shift[output]], packet->data[3]);
    weft_sq_ways(site, router, packet, &all);
    while (all.way[i].port != output)
        i++;
    assert(i < all.count);
    return all.way[i];
}

void weft_sq_put(const weft_site *site, uint32_t router, const weft_event *packet,
                 const weft_sq_choice *all)
{
    weft_sq *q = site->state;
    weft_line *line = &q->node[router].line;
    uint64_t outputs = 0;
    for (unsigned i = 0; i < all->count; i++)
        outputs |= (uint64_t)1 << all->way[i].port;
    if (line->end == line->room && weft_line_grow(line))
        memset(q->from + (size_t)router * q->outputs, 0, sizeof *q->from * q->outputs);
    weft_line_append(line, packet, outputs);
}

void weft_sq_alarm(const weft_sq *q, weft_block *block, uint32_t router, uint32_t output)
{
    weft_sq_node *node = &q->node[router];
    weft_time at = q->free[(size_t)router * q->outputs + output];
    uint64_t bit = (uint64_t)1 << output;
    node->next = at;
    if (node->armed & bit)
        return;
    node->armed |= bit;
    weft_event *event = weft_emit(block, at);
    event->to = router;
    event->key = weft_key(WEFT_WAKE, 0);
    event->data[0] = 0;
    event->data[1] = 1; /* no source */
}

void weft_sq_watch(const weft_sq *q, weft_block *block, uint32_t router, weft_time after)
{
    const weft_time *free = q->free + (size_t)router * q->outputs;
    uint32_t first = WEFT_SQ_OUTPUTS_MAX;
    for (uint64_t any = q->node[router].line.any; any; any &= any - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(any);
        if (free[output] > after && (first == WEFT_SQ_OUTPUTS_MAX || free[output] < free[first]))
            first = output;
    }
    if (first < WEFT_SQ_OUTPUTS_MAX)
        weft_sq_wake(q, block, router, first);
}

bool weft_sq_look(const weft_site *site, uint32_t router, uint32_t place, weft_event *packet)
{
    const weft_line *line = &((const weft_sq *)site->state)->node[router].line;
    if (place < line->first || line->at[place].outputs == 0)
        return false;
    weft_line_packet(&line->at[place], packet);
    return true;
}

uint32_t weft_sq_places(const weft_site *site, uint32_t router)
{
    return ((const weft_sq *)site->state)->node[router].line.end;
}

uint32_t weft_sq_sending(const weft_sq *q, uint32_t router, weft_time now)
{
    const weft_time *free = q->free + (size_t)router * q->outputs;
    uint32_t sending = 0;
    for (uint32_t o = 0; o < q->outputs; o++)
        sending += free[o] > now;
    return sending;
}

int64_t weft_sq_held(const weft_site *site)
{
    const weft_sq *q = site->state;
    int64_t held = 0;
    for (uint32_t r = 0; r < site->routers; r++)
        held += q->node[r].line.waiting;
    return held;
}

int64_t weft_sq_stored(const weft_site *site)
{
    const weft_sq *q = site->state;
    int64_t bytes = 0;
    for (uint32_t r = 0; r < site->routers; r++)
        bytes += (int64_t)sizeof(weft_waiter) * q->node[r].line.room;
    return bytes;
}
