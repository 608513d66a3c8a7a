/* SPDX-License-Identifier: Apache-2.0 */
/* A line says when, which packet (from where, to where), and what happens to it at which router. A packet carries
 * how far it has to go in every dimension, so where it goes to is found from where it is. Ports have ts' numbers: of
 * dimension m 2m towards lower coordinates, 2m + 1 towards higher ones. */
#include "study/ts_trace.h"

#include "base/text.h"

typedef struct place {
    uint32_t at[WEFT_DIMS_MAX];
} place;

static place place_of(const weft_lattice *lattice, uint32_t router)
{
    place found = {{0}};
    for (uint32_t d = lattice->dims; d-- > 0; router /= lattice->size[d])
        found.at[d] = router % lattice->size[d];
    return found;
}

static void add_place(weft_text *text, const weft_lattice *lattice, const place *shown)
{
    for (uint32_t d = 0; d < lattice->dims; d++)
        weft_text_add(text, "%s%u", d ? "," : "(", shown->at[d]);
    weft_text_add(text, ")");
}

/* Where a packet at this router goes to. */
static place goal_of(const weft_topology *topology, uint32_t router, const weft_event *packet)
{
    const weft_lattice *lattice = &topology->lattice;
    weft_way ways[WEFT_WAYS_MAX];
    unsigned count = topology->kind->ways(topology, router, packet->data[3], WEFT_WAYS_MAX, ways);
    place goal = place_of(lattice, router);
    for (unsigned i = 0; i < count; i++) {
        uint32_t d = lattice->port_dim[ways[i].port], size = lattice->size[d];
        uint32_t steps = lattice->port_step[ways[i].port] > 0 ? ways[i].hops : size - ways[i].hops;
        goal.at[d] = (goal.at[d] + steps) % size;
    }
    return goal;
}

static uint32_t port_of(const weft_lattice *lattice, uint32_t router, uint32_t port)
{
    uint32_t d = lattice->port_dim[port];
    bool up =
        lattice->size[d] == 2 ? place_of(lattice, router).at[d] == 1 : lattice->port_step[port] > 0;
    return 2 * d + up;
}

/* "from (0,1) to (2,3)" */
static void add_packet(weft_text *text, const weft_topology *topology, uint32_t router,
                       const weft_event *packet)
{
    place from = place_of(&topology->lattice, weft_packet_source(packet)),
          to = goal_of(topology, router, packet);
    weft_text_add(text, "from ");
    add_place(text, &topology->lattice, &from);
    weft_text_add(text, " to ");
    add_place(text, &topology->lattice, &to);
}

static void show_queue(const weft_ts_trace *trace, uint32_t router)
{
    const weft_topology *topology = &trace->plant->fabric.network->topology;
    uint32_t local, count = 0;
    const weft_site *site = weft_plant_find(trace->plant, router, &local);
    place here = place_of(&topology->lattice, router);
    weft_event packet;
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "queue of ");
    add_place(&text, &topology->lattice, &here);
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
                  uint32_t output, uint32_t lane, weft_time at)
{
    static const char *const what[] = {[WEFT_TRACE_INJECT] = "generated at ",
                                       [WEFT_TRACE_HOP] = "goes to channel ",
                                       [WEFT_TRACE_DELIVER] = "delivered at ",
                                       [WEFT_TRACE_WAIT] = "goes to queue of ",
                                       [WEFT_TRACE_DROP] = "dropped at "};
    const weft_ts_trace *trace = user;
    const weft_topology *topology = &trace->plant->fabric.network->topology;
    place here = place_of(&topology->lattice, router);
    weft_text text;
    weft_text_init(&text);
    (void)lane;
    weft_text_add(&text, "time %lld: packet ", (long long)at);
    add_packet(&text, topology, router, packet);
    weft_text_add(&text, " %s", what[kind]);
    if (kind == WEFT_TRACE_HOP)
        weft_text_add(&text, "%u of ", port_of(&topology->lattice, router, output));
    add_place(&text, &topology->lattice, &here);
    if (kind == WEFT_TRACE_DELIVER)
        weft_text_add(&text, " in %lld mtu, %u hops",
                      (long long)weft_birth_age(weft_packet_birth(packet), at),
                      weft_packet_hops(packet));
    trace->line(trace->user, text.at);
    weft_text_done(&text);
    if (trace->queues && kind != WEFT_TRACE_INJECT && kind != WEFT_TRACE_DELIVER)
        show_queue(trace, router);
}
