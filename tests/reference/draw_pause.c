/* SPDX-License-Identifier: Apache-2.0 */
/* Pause in the place of credits, from a stream of its own. */
#include "reference/draw_pen.h"

enum { SHARE = 20 }; /* of networks that are not bare, in a hundred */

/* Room for all that can come after xoff, and more. */
static uint32_t room_above(const pen *by)
{
    const flit_config *set = &by->of->config;
    uint32_t wire = by->longest_wire > 9 ? by->longest_wire : 9,
             credit = set->credit >= 0 ? (uint32_t)set->credit : wire + 1;
    uint32_t before = (uint32_t)(set->crossbar > set->send ? set->crossbar : set->send);
    return 2 * (credit + wire + before) + by->longest + set->output_buffer;
}

void draw_pause(pen *by, const char *unit)
{
    flit_config *set = &by->of->config;
    uint64_t random = by->random;
    by->random = by->of->seed * 0x9fb21c651e98df25u + 3;
    if (!by->bare && by->manager == FLIT_NONE && (between(by, 1, 100) <= SHARE || by->paused)) {
        set->pause = true;
        set->shared = 0;
        by->of->given = between(by, 0, 1);
        set->xoff = between(by, 1, set->in_packets ? 4 : 2 * by->longest);
        set->xon = between(by, 0, set->xoff - 1);
        set->buffer = room_above(by) + set->xoff;
        write_text(by, ",\n         flow-control: pause");
        if (by->of->given)
            write_text(by, ", xoff: %u %s, xon: %u %s", set->xoff, unit, set->xon, unit);
    }
    by->random = random;
    write_text(by, ",\n         buffer: %u %s, shared: %u %s", set->buffer, unit, set->shared,
               unit);
}

/* What can come to a buffer by a link after it was filled to xoff: a flit per period until the
 * last packet is there, which starts just before the pause comes. */
static uint32_t headroom_of(const draw *of, flit_link link, bool inner)
{
    const flit_config *set = &of->config;
    int64_t credit = set->credit >= 0 ? set->credit : link.latency + 1, last = of->longest;
    int64_t delay = credit - 1 + (inner ? set->crossbar : set->send) + link.latency;
    bool buffered = inner && set->output_buffer;
    if (!set->in_packets)
        return (uint32_t)(delay / link.period + (buffered ? set->output_buffer : last) - 1);
    int64_t ahead = buffered ? set->output_buffer - of->shortest : 0;
    return (uint32_t)((delay + ahead * link.period) / (of->shortest * link.period));
}

void draw_thresholds(draw *of, const weft_topology *topology)
{
    flit_config *set = &of->config;
    uint32_t sides = set->ports + set->hosts, most = 0;
    if (!set->pause)
        return;
    for (uint32_t l = 0; l < set->routers * sides; l++) {
        uint32_t router = l / sides, i = l % sides;
        bool inner = i < set->ports,
             there = inner ? set->peer[router * set->ports + i].router != FLIT_NONE
                           : router < topology->edge_routers &&
                                 i - set->ports < weft_topology_hosts(topology, router);
        flit_link link = set->single ? set->single[l]
                         : inner     ? (flit_link){set->period[i], set->latency[i]}
                                     : (flit_link){set->host_period, set->host_latency};
        uint32_t headroom = there ? headroom_of(of, link, inner) : 0;
        most = headroom > most ? headroom : most;
    }
    if (!of->given) {
        uint32_t packet = set->in_packets ? 1 : of->longest;
        set->xoff = set->buffer - most;
        set->xon = set->xoff > packet ? set->xoff - packet : 0;
    }
    set->buffer = set->xoff + most;
}
