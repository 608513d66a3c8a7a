/* SPDX-License-Identifier: Apache-2.0 */
/* A virtual channel sends packets of L flits without a pause if L credits are there as each of them starts: with
 * what has been sent within a round trip, X + W + R + C ticks, on its way. So it needs room for a round trip's
 * flits and L − 1 more; counted in packets, whose credit comes with the tail, for those that start within a round
 * trip and L − 1 flits. */
#include "sim/buffering.h"

#include "sim/fabric.h"
#include "sim/input_queued/shape.h"

static bool is_input_queued(const weft_fabric *fabric)
{
    return fabric->router == &weft_router_input_queued;
}

static uint32_t longest_packet(const weft_fabric *fabric)
{
    const weft_network *network = fabric->network;
    uint32_t most = 1;
    for (uint32_t f = 0; f < network->flows; f++)
        most = network->flow[f].most_flits > most ? network->flow[f].most_flits : most;
    return most < fabric->mtu ? most : fabric->mtu;
}

/* The port to another router whose credits take longest. */
static uint32_t farthest(const weft_iq_shape *shape)
{
    uint32_t port = 0;
    for (uint32_t p = 1; p < shape->ports; p++)
        if (shape->wire[p] + shape->credit[p] > shape->wire[port] + shape->credit[port])
            port = p;
    return port;
}

static void look_inside(weft_buffering *b, const weft_iq_shape *shape)
{
    const weft_lane_plan *plan = &shape->routing.plan;
    b->vcs = shape->vcs;
    b->lines = shape->in_speed;
    b->speedup = shape->period[0] / shape->through[0];
    b->voq = shape->voq;
    b->buffered = shape->out_room > 0;
    b->several = !shape->one_way;
    b->credit_events = !shape->direct;
    b->open = (uint32_t)__builtin_popcount(plan->open);
    b->crossing = (uint32_t)__builtin_popcount(plan->class[0]);
    b->rest = (uint32_t)__builtin_popcount(plan->class[1]);
    b->classes = plan->class[0] != plan->class[1];
}

static int64_t needed(const weft_buffering *b)
{
    weft_time trip = b->hop + b->credit, last = (b->longest - 1) * b->period;
    if (!b->by_packet)
        return (trip + last + b->period - 1) / b->period;
    weft_time packet = b->longest * b->period;
    return (trip + last + packet - 1) / packet;
}

void weft_buffering_look(weft_buffering *buffering, const weft_fabric *fabric)
{
    *buffering = (weft_buffering){.hop = fabric->router->lookahead(fabric)};
    if (!is_input_queued(fabric))
        return;
    weft_iq_shape shape;
    weft_iq_shape_build(&shape, fabric);
    uint32_t port = farthest(&shape);
    *buffering = (weft_buffering){.hop = (weft_time)shape.cross + shape.wire[port] + shape.ready,
                                  .finite = true,
                                  .credit = shape.credit[port],
                                  .period = shape.period[port],
                                  .by_packet = shape.by_packet,
                                  .capacity = shape.capacity,
                                  .shared = shape.pool,
                                  .longest = longest_packet(fabric),
                                  .inputs = shape.ins};
    buffering->needed = needed(buffering);
    look_inside(buffering, &shape);
    for (uint32_t p = 0; p < shape.ports; p++) {
        weft_time credit = shape.credit[p], window = fabric->router->lookahead(fabric);
        buffering->credit_bound =
            buffering->credit_bound ||
            (credit == window && credit < (weft_time)shape.cross + shape.wire[p] + shape.ready);
    }
}

size_t weft_buffering_extras(const weft_fabric *fabric, weft_extra extras[WEFT_EXTRAS_MAX])
{
    size_t count = 0;
    weft_fabric without = *fabric;
    int64_t bytes = weft_fabric_bytes(fabric);
    weft_iq_settings plain[] = {{0}, {0}, {0}};
    static const char *const names[] = {"VOQ", "output buffers", "VC stage"};
    if (is_input_queued(fabric)) {
        for (int i = 0; i < 3; i++)
            plain[i] = *(const weft_iq_settings *)fabric->router_settings;
        plain[0].queues = WEFT_IQ_FIFO;
        plain[1].output_buffer.value = 0;
        plain[2].vc_stage = false;
        for (int i = 0; i < 3; i++) {
            without.router_settings = &plain[i];
            extras[count] = (weft_extra){names[i], bytes - weft_fabric_bytes(&without)};
            count += extras[count].bytes != 0;
        }
    }
    without = *fabric;
    without.count_links = false;
    extras[count] = (weft_extra){"counts of links", bytes - weft_fabric_bytes(&without)};
    return count + (extras[count].bytes != 0);
}
