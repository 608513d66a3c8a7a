/* SPDX-License-Identifier: Apache-2.0 */
/* A line says when, which packet (from where, to where), and what happens to it at which router. */
#include "study/ts/ts_trace.h"

#include "study/ts/ts_text.h"

static void add_packet(weft_text *text, const weft_topology *topology, uint32_t router,
                       const weft_event *packet)
{
    weft_ts_node to = weft_ts_destination(topology, router, packet);
    weft_ts_add_packet(text, &topology->lattice, packet, &to);
}

static void show_queue(const weft_ts_trace *trace, uint32_t router)
{
    const weft_topology *topology = &trace->instance->platform.network->topology;
    uint32_t local, count = 0;
    const weft_site *site = weft_instance_find(trace->instance, router, &local);
    weft_ts_node here = weft_ts_node_of(&topology->lattice, router);
    weft_event packet;
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "queue of ");
    weft_ts_add_node(&text, &topology->lattice, &here);
    for (uint32_t at = 0; at < weft_sq_places(site, local); at++) {
        if (!weft_sq_look(site, local, at, &packet))
            continue;
        weft_text_add(&text, "%s", count++ ? ", " : ": ");
        add_packet(&text, topology, router, &packet);
    }
    weft_text_add(&text, "%s", count ? "" : ": empty");
    trace->line(trace->user, text.at);
    weft_text_done(&text);
}

void weft_ts_note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t router,
                  uint32_t output, uint32_t vc, weft_time at)
{
    static const char *const what[] = {[WEFT_TRACE_INJECT] = "generated at ",
                                       [WEFT_TRACE_HOP] = "goes to channel ",
                                       [WEFT_TRACE_DELIVER] = "delivered at ",
                                       [WEFT_TRACE_WAIT] = "goes to queue of ",
                                       [WEFT_TRACE_DROP] = "dropped at "};
    const weft_ts_trace *trace = user;
    const weft_topology *topology = &trace->instance->platform.network->topology;
    weft_ts_node here = weft_ts_node_of(&topology->lattice, router);
    weft_text text;
    weft_text_init(&text);
    (void)vc;
    weft_text_add(&text, "time %lld: packet ", (long long)at);
    add_packet(&text, topology, router, packet);
    weft_text_add(&text, " %s", what[kind]);
    if (kind == WEFT_TRACE_HOP)
        weft_text_add(&text, "%u of ", weft_ts_port(&topology->lattice, router, output));
    weft_ts_add_node(&text, &topology->lattice, &here);
    if (kind == WEFT_TRACE_DELIVER)
        weft_text_add(&text, " in %lld mtu, %u hops",
                      (long long)weft_birth_age(weft_packet_birth(packet), at),
                      weft_packet_hops(packet));
    trace->line(trace->user, text.at);
    weft_text_done(&text);
    if (trace->queues && kind != WEFT_TRACE_INJECT && kind != WEFT_TRACE_DELIVER)
        show_queue(trace, router);
}
