/* SPDX-License-Identifier: Apache-2.0 */
/* router.order event-list against plain simulations of the packets that the run generated. A packet
 * takes the first dimension left, or the first one whose channel is free.
 *
 * The first simulation keeps one list of all events, in which simultaneous ones stand as they were
 * inserted: there precedences (sim/precedence.h) must never fall. The second one handles the events
 * of each node by precedence: every packet must take the same channels at the same times. */
#include "sim/platform.h"
#include "sim/router/shared_queue/shared_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "contract/scenario.h"

enum { PACKETS = 40000, NODES = 64, PORTS = 6, DIMS = 3, EVENTS = NODES * (2 * PORTS + 1) };

typedef struct packet {
    uint32_t source, index;
    int left[DIMS]; /* hops, negative downwards */
    weft_time born;
} packet;

typedef struct move { /* a channel that a packet takes, or what becomes of it */
    weft_time at;
    uint32_t router, output, source, index;
    int kind; /* weft_trace_kind */
} move;

typedef struct moves {
    size_t count;
    move at[16 * PACKETS];
} moves;

typedef struct world { /* a run of ours */
    stage stage;
    const weft_network *network;
    moves seen;
    size_t n_packets;
    packet packets[PACKETS];
} world;

typedef struct channel {
    bool busy;
    weft_time free;
    packet carried;
    uint32_t turn;     /* of its end */
    uint64_t inserted; /* so many events before its end */
} channel;

typedef struct plain {
    const weft_topology *topology;
    weft_precedence_scale scale;
    channel channel[NODES][PORTS];
    packet queue[NODES][256];
    int waiting[NODES], room;
    uint32_t starts[NODES]; /* in this tick */
    weft_time last[NODES];  /* generation … */
    weft_precedence birth[NODES];
    uint64_t next_inserted[NODES], inserted; /* … and the number of the next one's event */
    uint32_t turn;                           /* of the event in hand */
    weft_time now;
    bool adaptive;
    moves seen;
} plain;

typedef struct event { /* the end of a channel, its part at either node, or a generation */
    uint32_t node, port;
    enum { RELEASE, GENERATE, ARRIVE, END } kind;
    uint32_t turn;
    uint64_t inserted;
    packet packet;
} event;

static void note_move(moves *list, const packet *of, int kind, uint32_t router, uint32_t output,
                      weft_time at)
{
    assert_true(list->count < sizeof list->at / sizeof *list->at);
    list->at[list->count++] = (move){at, router, output, of->source, of->index, kind};
}

/* What the run tells: packets as they are made, and all that happens to them. */
static void note(void *user, weft_trace_kind kind, const weft_event *told, uint32_t router,
                 uint32_t output, uint32_t vc, weft_time at)
{
    world *it = user;
    const weft_topology *topology = &it->network->topology;
    packet made = {
        .source = weft_packet_source(told), .index = weft_packet_index(told), .born = at};
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    (void)vc;
    if (kind == WEFT_TRACE_HOP || kind == WEFT_TRACE_DELIVER || kind == WEFT_TRACE_DROP)
        note_move(&it->seen, &made, (int)kind, router, kind == WEFT_TRACE_HOP ? output : 0, at);
    if (kind != WEFT_TRACE_INJECT)
        return;
    unsigned count = topology->kind->minimal_ports(topology, router, weft_packet_header(told),
                                                   WEFT_MINIMAL_PORTS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        made.left[topology->lattice.port_dim[ways[i].port]] =
            ways[i].hops * topology->lattice.port_step[ways[i].port];
    assert_true(it->n_packets < PACKETS);
    it->packets[it->n_packets++] = made;
}

/* The port of a dimension by which a packet goes on; PORTS: it is done there. */
static uint32_t port_of(const weft_topology *topology, const packet *of, uint32_t dim)
{
    for (uint32_t p = 0; p < topology->ports; p++)
        if (topology->lattice.port_dim[p] == dim &&
            of->left[dim] * topology->lattice.port_step[p] > 0)
            return p;
    return PORTS;
}

static void begin(plain *sim, uint32_t node, uint32_t port, const packet *of)
{
    channel *c = &sim->channel[node][port];
    weft_precedence end = weft_precedence_end(sim->turn >> WEFT_SQ_TURN_BITS);
    note_move(&sim->seen, of, WEFT_TRACE_HOP, node, port, sim->now);
    *c = (channel){.busy = true,
                   .free = sim->now + sim->scale.transmission,
                   .carried = *of,
                   .turn = end << WEFT_SQ_TURN_BITS | sim->starts[node]++,
                   .inserted = sim->inserted++};
    c->carried.left[sim->topology->lattice.port_dim[port]] -=
        sim->topology->lattice.port_step[port];
}

static void come(plain *sim, uint32_t node, const packet *of)
{
    bool done = true;
    for (uint32_t d = 0; d < sim->topology->lattice.dims && (done || sim->adaptive); d++) {
        uint32_t port = port_of(sim->topology, of, d);
        if (port == PORTS)
            continue;
        if (!sim->channel[node][port].busy) {
            begin(sim, node, port, of);
            return;
        }
        done = false;
    }
    if (done)
        note_move(&sim->seen, of, WEFT_TRACE_DELIVER, node, 0, sim->now);
    else if (sim->waiting[node] >= sim->room)
        note_move(&sim->seen, of, WEFT_TRACE_DROP, node, 0, sim->now);
    else
        sim->queue[node][sim->waiting[node]++] = *of;
}

/* The first packet in the queue that a channel can take. */
static void extract(plain *sim, uint32_t node, uint32_t port)
{
    uint32_t dim = sim->topology->lattice.port_dim[port];
    for (int i = 0; i < sim->waiting[node]; i++)
        if (port_of(sim->topology, &sim->queue[node][i], dim) == port) {
            packet found = sim->queue[node][i];
            memmove(&sim->queue[node][i], &sim->queue[node][i + 1],
                    sizeof found * (size_t)(--sim->waiting[node] - i));
            begin(sim, node, port, &found);
            return;
        }
}

static void handle(plain *sim, const event *it)
{
    sim->turn = it->turn;
    if (it->kind == GENERATE)
        sim->next_inserted[it->node] = sim->inserted++;
    if (it->kind == RELEASE || it->kind == END)
        sim->channel[it->node][it->port].busy = false;
    if (it->kind == END)
        come(sim, sim->topology->kind->peer(sim->topology, it->node, it->port).router, &it->packet);
    else if (it->kind != RELEASE)
        come(sim, it->node, &it->packet);
    if (it->kind == RELEASE || it->kind == END)
        extract(sim, it->node, it->port);
}

/* Ends of transmissions in this tick: one event each in a list, otherwise one at either node. */
static size_t collect(plain *sim, bool list, event *events)
{
    const weft_topology *topology = sim->topology;
    size_t count = 0;
    for (uint32_t n = 0; n < topology->routers; n++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            const channel *c = &sim->channel[n][p];
            if (!c->busy || c->free != sim->now)
                continue;
            events[count++] = (event){n, p, list ? END : RELEASE, c->turn, c->inserted, c->carried};
            if (!list)
                events[count++] = (event){topology->kind->peer(topology, n, p).router,
                                          p,
                                          ARRIVE,
                                          c->turn | WEFT_SQ_TURN_LAST,
                                          0,
                                          c->carried};
        }
    return count;
}

static event generation(plain *sim, const packet *of)
{
    uint32_t n = of->source;
    sim->birth[n] = weft_precedence_generation(&sim->scale, sim->birth[n], sim->now - sim->last[n],
                                               weft_precedence_salt(n), sim->now);
    sim->last[n] = sim->now;
    return (event){.node = n,
                   .kind = GENERATE,
                   .turn = sim->birth[n] << WEFT_SQ_TURN_BITS | WEFT_SQ_TURN_LAST,
                   .inserted = sim->next_inserted[n],
                   .packet = *of};
}

static int by_insertion(const void *a, const void *b)
{
    const event *x = a, *y = b;
    return x->inserted < y->inserted ? -1 : x->inserted > y->inserted;
}

static int by_node(const void *a, const void *b)
{
    const event *x = a, *y = b;
    const uint32_t keys[][2] = {{x->node, y->node},
                                {x->turn, y->turn},
                                {x->kind, y->kind},
                                {x->packet.source, y->packet.source},
                                {x->packet.index, y->packet.index}};
    for (int i = 0; i < 5; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Neighbours in the list whose precedence falls, as far as it does not depend on salt. */
static size_t falls(const event *events, size_t count)
{
    const int below = WEFT_SQ_TURN_BITS + WEFT_PRECEDENCE_GAP;
    size_t found = 0;
    for (size_t i = 1; i < count; i++)
        found += events[i].turn >> below < events[i - 1].turn >> below;
    return found;
}

/* Returns how many events of the list have less precedence than the one before. */
static size_t run_plain(plain *sim, const world *it, bool list, weft_time ticks)
{
    static event events[EVENTS];
    size_t next = 0, fallen = 0;
    for (uint32_t n = 0; n < sim->topology->routers; n++) {
        sim->birth[n] = weft_precedence_start(n, sim->topology->routers);
        sim->next_inserted[n] = sim->inserted++;
    }
    for (sim->now = 0; sim->now < ticks; sim->now++) {
        size_t count = collect(sim, list, events);
        for (; next < it->n_packets && it->packets[next].born == sim->now; next++)
            events[count++] = generation(sim, &it->packets[next]);
        qsort(events, count, sizeof *events, list ? by_insertion : by_node);
        memset(sim->starts, 0, sizeof sim->starts);
        fallen += list ? falls(events, count) : 0;
        for (size_t i = 0; i < count; i++)
            handle(sim, &events[i]);
    }
    return fallen;
}

static int by_packet(const void *a, const void *b)
{
    const move *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->kind - y->kind;
}

static void compare(moves *ours, moves *theirs)
{
    assert_int_equal(ours->count, theirs->count);
    qsort(ours->at, ours->count, sizeof *ours->at, by_packet);
    qsort(theirs->at, theirs->count, sizeof *theirs->at, by_packet);
    for (size_t i = 0; i < ours->count; i++)
        if (by_packet(&ours->at[i], &theirs->at[i]) != 0 ||
            ours->at[i].router != theirs->at[i].router ||
            ours->at[i].output != theirs->at[i].output)
            fail_msg("tick %lld: packet %u of %u at router %u, plain: tick %lld, %u of %u at %u",
                     (long long)ours->at[i].at, ours->at[i].index, ours->at[i].source,
                     ours->at[i].router, (long long)theirs->at[i].at, theirs->at[i].index,
                     theirs->at[i].source, theirs->at[i].router);
}

static size_t drops(const moves *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->at[i].kind == WEFT_TRACE_DROP;
    return count;
}

static void run_ours(world *it, const char *dims, bool adaptive, int room, int cht, double lambda,
                     weft_time ticks)
{
    char text[1024];
    snprintf(text, sizeof text,
             "clock: 1 GHz\ntopology: {kind: torus, dims: [%s], tie: wrap}\n"
             "links: {rate: %.17g flits/cycle}\n"
             "router: {kind: shared-queue, queue: [%d], order: event-list}\n"
             "endpoint: {reception: unlimited}\nrouting: {kind: %s}\n"
             "traffic: {all: {arrival: {kind: poisson, gaps: truncated}, length: 1 flits, "
             "rate: %.17g}}\n",
             dims, 1.0 / cht, room, adaptive ? "minimal-adaptive" : "minimal-oblivious",
             lambda * 1e9);
    it->network = stage_open(&it->stage, text);
    weft_tally tally;
    weft_tally_init(&tally, 1, 16, false);
    weft_trace trace = {.note = note, .user = it};
    weft_instance instance;
    weft_instance_plan plan = {.blocks = 1, .tallies = &tally, .trace = &trace};
    assert_int_equal(weft_instance_open(&instance, it->network, &plan, &it->stage.err), WEFT_OK);
    weft_instance_start(&instance);
    weft_engine_run(instance.engine, ticks);
    weft_instance_close(&instance);
    weft_tally_done(&tally);
}

static void check(const char *dims, bool adaptive, int room, int cht, double lambda,
                  weft_time ticks)
{
    world *it = calloc(1, sizeof *it);
    plain *by_precedence = calloc(1, sizeof *by_precedence), *list = calloc(1, sizeof *list);
    assert_true(it && by_precedence && list);
    run_ours(it, dims, adaptive, room, cht, lambda, ticks);
    by_precedence->topology = &it->network->topology;
    by_precedence->scale = weft_precedence_scale_of(cht);
    by_precedence->room = room;
    by_precedence->adaptive = adaptive;
    *list = *by_precedence;
    run_plain(by_precedence, it, false, ticks);
    size_t fallen = run_plain(list, it, true, ticks);
    print_message("[%s] cht %d, room %d: %zu moves, %zu dropped; list: %zu, %zu dropped, %zu out "
                  "of order\n",
                  dims, cht, room, it->seen.count, drops(&it->seen), list->seen.count,
                  drops(&list->seen), fallen);
    compare(&it->seen, &by_precedence->seen);
    assert_int_equal(fallen, 0);
    stage_close(&it->stage);
    free(it);
    free(by_precedence);
    free(list);
}

static void packets_move_by_the_precedence_of_a_list(void **state)
{
    (void)state;
    check("4, 4", false, 2, 1, 0.9, 1000);
    check("4, 4", true, 1, 1, 1.5, 1000);
    check("5, 4", false, 2, 3, 0.4, 3000);
    check("3, 5", true, 200, 2, 0.5, 3000);
    check("4, 4, 4", true, 1, 7, 0.2, 1500);
    check("4, 3, 2", false, 3, 10, 0.1, 4000);
    check("2, 2", true, 0, 5, 0.3, 4000);
    check("4, 4", false, 5, 100, 0.02, 60000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packets_move_by_the_precedence_of_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
