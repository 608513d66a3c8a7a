/* SPDX-License-Identifier: Apache-2.0 */
/* ts prints its event list before every event, then the event: the generation of a packet, or the
 * end of a transmission with what happens at both ends of the channel. Here every router handles
 * its own part of these events. So the notes of a tick are collected, and told in the order of an
 * event list that is kept for this alone, as ts would insert them. An event waits for others of its
 * time that a router has handled before it.
 *
 * A packet that enters a router in a tick has one note of what it did. Others say that it was
 * generated before, or that it left the queue after. */
#include "study/ts/ts_debug.h"

#include "base/memory.h"
#include "sim/router/shared_queue/shared_queue.h"
#include "study/ts/ts_text.h"

#include <stdlib.h>
#include <string.h>

#define GENERATION UINT32_MAX /* in the place of an output */

typedef struct traveller {
    weft_event packet;
    weft_ts_node to;
} traveller;

typedef struct pending { /* an event of the list */
    weft_time at;
    uint32_t turn;
    uint32_t router, output;
    traveller carried; /* by the channel */
} pending;

typedef struct note {
    weft_trace_kind kind;
    uint32_t router, output;
    traveller of;
    bool queued;  /* it leaves the queue */
    pending next; /* the event it inserts */
} note;

struct weft_ts_debug {
    const weft_instance *instance;
    const weft_ts_options *options;
    const weft_topology *topology;
    weft_time now; /* of the notes */
    pending *list;
    note *notes;
    weft_event *queue; /* packets that wait, at any router */
    size_t n_list, n_notes, n_queue;
    size_t list_room, notes_room, queue_room;
};

static void tell(const weft_ts_debug *debug, char *line)
{
    debug->options->line(debug->options->user, line);
    free(line);
}

static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 64;
    return weft_realloc(array, *room, size);
}

/* Behind all events of its time. */
static void insert(weft_ts_debug *debug, const pending *event)
{
    size_t at = debug->n_list;
    debug->list = grow(debug->list, debug->n_list, &debug->list_room, sizeof *debug->list);
    for (; at > 0; at--) {
        if (debug->list[at - 1].at <= event->at)
            break;
        debug->list[at] = debug->list[at - 1];
    }
    debug->list[at] = *event;
    debug->n_list++;
}

static pending next_generation(const weft_ts_debug *debug, uint32_t router)
{
    uint32_t local;
    const weft_site *site = weft_instance_find(debug->instance, router, &local);
    pending event = {.router = router, .output = GENERATION};
    event.at = weft_fine_time_tick(site->head[local].at);
    event.turn = weft_sq_generation_turn(site, local, event.at);
    return event;
}

static bool is_same(const weft_event *a, const weft_event *b)
{
    return a->data[0] == b->data[0] && a->data[1] == b->data[1];
}

/* Takes a packet out of the queue; false: it is not there. */
static bool leave_queue(weft_ts_debug *debug, const weft_event *packet)
{
    for (size_t i = 0; i < debug->n_queue; i++)
        if (is_same(&debug->queue[i], packet)) {
            debug->queue[i] = debug->queue[--debug->n_queue];
            return true;
        }
    return false;
}

static void join_queue(weft_ts_debug *debug, const weft_event *packet)
{
    debug->queue = grow(debug->queue, debug->n_queue, &debug->queue_room, sizeof *debug->queue);
    debug->queue[debug->n_queue++] = *packet;
}

/* "packet VERB from (0,1) to (2,3) in 5 mtu", then WHAT and perhaps a node */
static void tell_packet(const weft_ts_debug *debug, const char *verb, const traveller *of,
                        const char *what, const uint32_t *router)
{
    const weft_lattice *lattice = &debug->topology->lattice;
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "packet %s", verb);
    weft_ts_add_packet(&text, lattice, &of->packet, &of->to);
    weft_text_add(&text, " in %u mtu%s", (uint32_t)weft_packet_age(&of->packet, debug->now), what);
    if (router) {
        weft_ts_node node = weft_ts_node_of(lattice, *router);
        weft_ts_add_node(&text, lattice, &node);
    }
    tell(debug, weft_text_take(&text));
}

/* ts' signed offset in every dimension. */
static void find_offsets(const weft_ts_debug *debug, uint32_t router, const weft_event *packet,
                         int32_t *offset)
{
    const weft_topology *topology = debug->topology;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = topology->kind->minimal_ports(topology, router, weft_packet_header(packet),
                                                   WEFT_MINIMAL_PORTS_MAX, ways);
    memset(offset, 0, sizeof *offset * topology->lattice.dims);
    for (unsigned i = 0; i < count; i++) {
        uint32_t port = weft_ts_port(&topology->lattice, router, ways[i].port);
        offset[port / 2] = port % 2 ? ways[i].hops : -(int32_t)ways[i].hops;
    }
}

static void tell_offsets(const weft_ts_debug *debug, uint32_t router, const int32_t *offset)
{
    weft_text text;
    weft_text_init(&text);
    for (uint32_t d = 0; d < debug->topology->lattice.dims; d++)
        weft_text_add(&text, "%s%d", d ? "," : "address difference (", offset[d]);
    weft_text_add(&text, ") node %u", router);
    tell(debug, weft_text_take(&text));
}

/* Rules a and d name the ports they look at: a the first, d all up to the one it takes. */
static void tell_in_order(const weft_ts_debug *debug, const int32_t *offset, int32_t taken)
{
    for (uint32_t d = 0; d < debug->topology->lattice.dims; d++) {
        int32_t port = (int32_t)(2 * d + (offset[d] > 0));
        if (offset[d] == 0)
            continue;
        tell(debug, weft_text_format("packet switched to j=%u, np=%d", d, port));
        if (port == taken || debug->options->rule == 'a')
            return;
    }
}

/* Rule c names the dimensions that its random number passes. */
static void tell_draw(const weft_ts_debug *debug, const weft_event *packet, const int32_t *offset)
{
    uint32_t dims = debug->topology->lattice.dims, count = 0, left = 0;
    for (uint32_t d = 0; d < dims; d++) {
        count += offset[d] != 0;
        left += (uint32_t)abs(offset[d]);
    }
    tell(debug, weft_text_format("rule c: altp=%u, z=%u", count, left));
    weft_random random =
        weft_packet_draw(debug->instance->platform.network->seed, packet, WEFT_FOR_HOP);
    uint32_t drawn = weft_random_below(&random, left);
    for (uint32_t d = 0; d < dims; d++) {
        if (offset[d] == 0)
            continue;
        tell(debug, weft_text_format("rule c: best available port: da[j]=%d, j=%u, rz=%u",
                                     offset[d], d, drawn));
        if (drawn <= (uint32_t)abs(offset[d]))
            return;
        drawn -= (uint32_t)abs(offset[d]);
    }
}

static void tell_switching(const weft_ts_debug *debug, const note *did)
{
    int32_t offset[WEFT_DIMS_MAX], taken = -1;
    if (did->kind == WEFT_TRACE_HOP)
        taken = (int32_t)weft_ts_port(&debug->topology->lattice, did->router, did->output);
    find_offsets(debug, did->router, &did->of.packet, offset);
    tell_offsets(debug, did->router, offset);
    if (debug->options->rule == 'a' || debug->options->rule == 'd')
        tell_in_order(debug, offset, taken);
    else if (debug->options->rule == 'c')
        tell_draw(debug, &did->of.packet, offset);
    tell(debug, weft_text_format("switched to port %d at node %u", taken, did->router));
    tell(debug, weft_text_format("***packet goes to %s", taken < 0 ? "queue" : "channel"));
}

/* A packet enters a router. */
static void enter(weft_ts_debug *debug, const weft_event *packet)
{
    const note *did = debug->notes;
    while (did->kind == WEFT_TRACE_INJECT || did->queued || !is_same(&did->of.packet, packet))
        did++;
    assert(did < debug->notes + debug->n_notes);
    tell_packet(debug, "", &did->of, " entered ", &did->router);
    if (did->kind == WEFT_TRACE_DELIVER) {
        char *hops = weft_text_format(", %u hops", weft_packet_hops(&did->of.packet));
        tell_packet(debug, "delivered ", &did->of, hops, NULL);
        free(hops);
        return;
    }
    tell_switching(debug, did);
    if (did->kind == WEFT_TRACE_HOP)
        insert(debug, &did->next);
}

static void tell_generation(weft_ts_debug *debug, uint32_t router)
{
    const note *did = debug->notes;
    while (did->kind != WEFT_TRACE_INJECT || did->router != router)
        did++;
    assert(did < debug->notes + debug->n_notes);
    tell(debug, weft_text_copy("process_event_gen_pkt"));
    insert(debug, &did->next);
    enter(debug, &did->of.packet);
}

static void tell_end(weft_ts_debug *debug, const pending *end)
{
    uint32_t router = end->router, output = end->output;
    uint32_t port = weft_ts_port(&debug->topology->lattice, router, output);
    tell(debug, weft_text_copy("process_event_free_chan"));
    tell(debug, weft_text_format("node=%u, port=%u", router, port));
    char *freed = weft_text_format(" freed channel %u in ", port);
    tell_packet(debug, "", &end->carried, freed, &router);
    free(freed);
    enter(debug, &end->carried.packet);
    for (const note *did = debug->notes; did < debug->notes + debug->n_notes; did++)
        if (did->queued && did->router == router && did->output == output) {
            tell(debug, weft_text_copy("***packet goes from queue"));
            insert(debug, &did->next);
        }
}

typedef struct part { /* of an event, at one router */
    uint32_t router, turn;
} part;

static unsigned parts_of(const weft_ts_debug *debug, const pending *event, part *parts)
{
    const weft_topology *topology = debug->topology;
    parts[0] = (part){event->router, event->turn};
    if (event->output == GENERATION)
        return 1;
    weft_end peer = topology->kind->peer(topology, event->router, event->output);
    parts[1] = (part){peer.router, event->turn | WEFT_SQ_TURN_LAST};
    return 2;
}

/* True if some router handles the other event before this one. */
static bool waits_for(const weft_ts_debug *debug, const pending *event, const pending *other)
{
    part mine[2], theirs[2];
    unsigned count = parts_of(debug, event, mine), others = parts_of(debug, other, theirs);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < others; j++)
            if (mine[i].router == theirs[j].router && theirs[j].turn < mine[i].turn)
                return true;
    return false;
}

static bool is_ready(const weft_ts_debug *debug, size_t event)
{
    for (size_t i = 0; i < debug->n_list && debug->list[i].at == debug->now; i++)
        if (i != event && waits_for(debug, &debug->list[event], &debug->list[i]))
            return false;
    return true;
}

/* Brings the next event to the front: the first that waits for none, or just the first. */
static void bring_forward(weft_ts_debug *debug)
{
    size_t at = 0;
    while (at < debug->n_list && debug->list[at].at == debug->now && !is_ready(debug, at))
        at++;
    if (at == debug->n_list || debug->list[at].at != debug->now)
        return;
    pending next = debug->list[at];
    memmove(debug->list + 1, debug->list, sizeof next * at);
    debug->list[0] = next;
}

static void tell_list(const weft_ts_debug *debug)
{
    const weft_lattice *lattice = &debug->topology->lattice;
    tell(debug, weft_text_copy("event queue"));
    for (const pending *event = debug->list; event < debug->list + debug->n_list; event++) {
        weft_ts_node node = weft_ts_node_of(lattice, event->router);
        int32_t port = event->output == GENERATION
                           ? -1
                           : (int32_t)weft_ts_port(lattice, event->router, event->output);
        weft_text text;
        weft_text_init(&text);
        tell(debug, weft_text_copy("event"));
        tell(debug, weft_text_format("at=%lld, np=%d", (long long)event->at, port));
        for (uint32_t d = 0; d < lattice->dims; d++)
            weft_text_add(&text, "%u ", node.at[d]);
        tell(debug, weft_text_take(&text));
    }
    tell(debug, weft_text_copy(""));
}

void weft_ts_debug_finish(weft_ts_debug *debug)
{
    if (debug->n_notes == 0)
        return;
    tell(debug, weft_text_format("current time: %lld", (long long)debug->now));
    while (debug->list[0].at == debug->now) {
        bring_forward(debug);
        tell_list(debug);
        pending event = debug->list[0];
        debug->n_list--;
        memmove(debug->list, debug->list + 1, sizeof event * debug->n_list);
        if (event.output == GENERATION)
            tell_generation(debug, event.router);
        else
            tell_end(debug, &event);
    }
    debug->n_notes = 0;
}

static pending end_of(const weft_ts_debug *debug, const note *did)
{
    uint32_t local;
    const weft_site *site = weft_instance_find(debug->instance, did->router, &local);
    const weft_sq_output *output = &weft_sq_at(site->state, local)->output[did->output];
    return (pending){output->free, output->order, did->router, did->output, did->of};
}

void weft_ts_debug_note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t router,
                        uint32_t output, uint32_t vc, weft_time at)
{
    weft_ts_debug *debug = user;
    (void)vc;
    if (at != debug->now)
        weft_ts_debug_finish(debug);
    debug->now = at;
    debug->notes = grow(debug->notes, debug->n_notes, &debug->notes_room, sizeof *debug->notes);
    note *did = &debug->notes[debug->n_notes++];
    *did = (note){.kind = kind, .router = router, .output = output, .of = {.packet = *packet}};
    did->of.to = weft_ts_destination(debug->topology, router, packet);
    if (kind == WEFT_TRACE_INJECT)
        did->next = next_generation(debug, router);
    if (kind == WEFT_TRACE_WAIT)
        join_queue(debug, packet);
    if (kind == WEFT_TRACE_HOP) {
        did->next = end_of(debug, did);
        did->queued = leave_queue(debug, packet);
    }
}

weft_ts_debug *weft_ts_debug_create(const weft_instance *instance, const weft_ts_options *options)
{
    weft_ts_debug *debug = weft_alloc(sizeof *debug);
    const weft_topology *topology = &instance->platform.network->topology;
    debug->instance = instance;
    debug->options = options;
    debug->topology = topology;
    for (uint32_t r = 0; r < topology->routers; r++) {
        pending first = next_generation(debug, r);
        weft_ts_node node = weft_ts_node_of(&topology->lattice, r);
        weft_text text;
        weft_text_init(&text);
        weft_text_add(&text, "init node ");
        weft_ts_add_node(&text, &topology->lattice, &node);
        tell(debug, weft_text_take(&text));
        insert(debug, &first);
    }
    return debug;
}

void weft_ts_debug_destroy(weft_ts_debug *debug)
{
    if (!debug)
        return;
    free(debug->list);
    free(debug->notes);
    free(debug->queue);
    free(debug);
}
