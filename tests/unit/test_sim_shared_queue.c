/* SPDX-License-Identifier: Apache-2.0 */
/* Routers with one queue against a plain simulation of the same packets, tick by tick and with a
 * list for every queue: each packet must take the same channels at the same times. The packets
 * are those that the sources of the run made.
 *
 * In a tick, channels that become free come first, in the order they started; then packets that
 * have come, by the number of the channel they came by and by their names; then those that are
 * generated. */
#include "sim/router/shared_queue/shared_queue.h"

#include "sim/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "contract/scenario.h"

enum { TICKS = 4000, PACKETS = 20000, NODES = 64, PORTS = 6, DIMS = 3 };

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

typedef struct world {
    stage stage;
    const weft_network *network;
    moves seen;
    size_t n_packets;
    packet packets[PACKETS];
} world;

static void note_move(moves *list, const packet *of, int kind, uint32_t router, uint32_t output,
                      weft_time at)
{
    assert_true(list->count < sizeof list->at / sizeof *list->at);
    list->at[list->count++] = (move){at, router, output, of->source, of->index, kind};
}

/* What the run tells: packets as they are made, and all that happens to them. */
static void note(void *user, weft_trace_kind kind, const weft_event *event, uint32_t router,
                 uint32_t output, uint32_t vc, weft_time at)
{
    world *it = user;
    const weft_topology *topology = &it->network->topology;
    packet made = {.source = event->data[0], .index = event->data[1], .born = at};
    (void)vc;
    if (kind == WEFT_TRACE_INJECT) {
        weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
        unsigned count = topology->kind->minimal_ports(topology, router, weft_packet_header(event),
                                                       WEFT_MINIMAL_PORTS_MAX, ways);
        for (unsigned i = 0; i < count; i++)
            made.left[topology->lattice.port_dim[ways[i].port]] =
                ways[i].hops * topology->lattice.port_step[ways[i].port];
        assert_true(it->n_packets < PACKETS);
        it->packets[it->n_packets++] = made;
    } else if (kind != WEFT_TRACE_WAIT) {
        note_move(&it->seen, &made, (int)kind, router, kind == WEFT_TRACE_HOP ? output : 0, at);
    }
}

typedef struct channel {
    weft_time free;
    uint64_t order;
    packet carried;
    bool busy;
} channel;

typedef struct plain {
    const weft_topology *topology;
    channel channel[NODES][PORTS];
    packet queue[NODES][256];
    int waiting[NODES];
    uint64_t started;
    weft_time cht;
    int room;
    bool adaptive;
    moves seen;
} plain;

/* The port of a dimension by which a packet goes on; PORTS: it is done there. */
static uint32_t port_of(const weft_topology *topology, const packet *of, uint32_t dim)
{
    for (uint32_t p = 0; p < topology->ports; p++)
        if (topology->lattice.port_dim[p] == dim &&
            of->left[dim] * topology->lattice.port_step[p] > 0)
            return p;
    return PORTS;
}

static void begin(plain *sim, uint32_t node, uint32_t port, const packet *of, weft_time now)
{
    channel *c = &sim->channel[node][port];
    note_move(&sim->seen, of, WEFT_TRACE_HOP, node, port, now);
    *c = (channel){.free = now + sim->cht, .order = ++sim->started, .carried = *of, .busy = true};
    c->carried.left[sim->topology->lattice.port_dim[port]] -=
        sim->topology->lattice.port_step[port];
}

static void come(plain *sim, uint32_t node, const packet *of, weft_time now)
{
    bool done = true;
    for (uint32_t d = 0; d < sim->topology->lattice.dims; d++) {
        uint32_t port = port_of(sim->topology, of, d);
        if (port == PORTS)
            continue;
        if (!sim->channel[node][port].busy) {
            begin(sim, node, port, of, now);
            return;
        }
        done = false;
        if (!sim->adaptive)
            break;
    }
    if (done)
        note_move(&sim->seen, of, WEFT_TRACE_DELIVER, node, 0, now);
    else if (sim->waiting[node] >= sim->room)
        note_move(&sim->seen, of, WEFT_TRACE_DROP, node, 0, now);
    else
        sim->queue[node][sim->waiting[node]++] = *of;
}

/* The first packet in the queue that a channel can take. */
static void extract(plain *sim, uint32_t node, uint32_t port, weft_time now)
{
    uint32_t dim = sim->topology->lattice.port_dim[port];
    for (int i = 0; i < sim->waiting[node]; i++)
        if (port_of(sim->topology, &sim->queue[node][i], dim) == port) {
            packet found = sim->queue[node][i];
            memmove(&sim->queue[node][i], &sim->queue[node][i + 1],
                    sizeof found * (size_t)(--sim->waiting[node] - i));
            begin(sim, node, port, &found, now);
            return;
        }
}

typedef struct arrival {
    uint32_t node, port;
    packet packet;
} arrival;

static int by_place(const void *a, const void *b)
{
    const arrival *x = a, *y = b;
    const uint32_t keys[][2] = {{x->node, y->node},
                                {x->port, y->port},
                                {x->packet.source, y->packet.source},
                                {x->packet.index, y->packet.index}};
    for (int i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Channels whose packet has been carried: all are free, then those of each node look into its
 * queue in their order. */
static size_t complete(plain *sim, weft_time now, arrival *arrivals)
{
    const weft_topology *topology = sim->topology;
    size_t count = 0;
    for (uint32_t n = 0; n < topology->routers; n++) {
        uint32_t due[PORTS], found = 0;
        for (uint32_t p = 0; p < topology->ports; p++) {
            channel *c = &sim->channel[n][p];
            if (!c->busy || c->free != now)
                continue;
            c->busy = false;
            arrivals[count++] =
                (arrival){topology->kind->peer(topology, n, p).router, p, c->carried};
            uint32_t i = found++;
            for (; i > 0 && sim->channel[n][due[i - 1]].order > c->order; i--)
                due[i] = due[i - 1];
            due[i] = p;
        }
        for (uint32_t i = 0; i < found; i++)
            extract(sim, n, due[i], now);
    }
    return count;
}

static void run_plain(plain *sim, const world *it)
{
    arrival *arrivals = calloc(NODES * PORTS, sizeof *arrivals);
    size_t next = 0;
    assert_non_null(arrivals);
    for (weft_time now = 0; now < TICKS; now++) {
        size_t count = complete(sim, now, arrivals);
        qsort(arrivals, count, sizeof *arrivals, by_place);
        for (size_t i = 0; i < count; i++)
            come(sim, arrivals[i].node, &arrivals[i].packet, now);
        for (; next < it->n_packets && it->packets[next].born == now; next++)
            come(sim, it->packets[next].source, &it->packets[next], now);
    }
    free(arrivals);
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
    size_t drops = 0;
    assert_int_equal(ours->count, theirs->count);
    qsort(ours->at, ours->count, sizeof *ours->at, by_packet);
    qsort(theirs->at, theirs->count, sizeof *theirs->at, by_packet);
    for (size_t i = 0; i < ours->count; i++) {
        const move *x = &ours->at[i], *y = &theirs->at[i];
        if (memcmp(x, y, offsetof(move, kind)) != 0 || x->kind != y->kind)
            fail_msg("tick %lld: packet %u of %u at router %u by %u, plain: tick %lld, %u of %u at "
                     "%u by %u",
                     (long long)x->at, x->index, x->source, x->router, x->output, (long long)y->at,
                     y->index, y->source, y->router, y->output);
        drops += x->kind == WEFT_TRACE_DROP;
    }
    print_message("%zu moves, %zu packets dropped\n", ours->count, drops);
}

static void check(const char *dims, const char *routing, bool adaptive, int room, int cht,
                  double rho)
{
    char text[1024];
    world *it = calloc(1, sizeof *it);
    plain *sim = calloc(1, sizeof *sim);
    assert_true(it && sim);
    snprintf(text, sizeof text,
             "topology: {kind: torus, dims: [%s]}\nlinks: {rate: %.17g flits/cycle}\n"
             "router: {kind: shared-queue, queue: [%d]}\nendpoint: {reception: unlimited}\n"
             "routing: {kind: %s}\ntraffic: {all: {length: 1 flits, rho: %g}}\n",
             dims, 1.0 / cht, room, routing, rho);
    it->network = stage_open(&it->stage, text);
    weft_tally tally;
    weft_tally_init(&tally, 1, 16, false);
    weft_trace trace = {.note = note, .user = it};
    weft_instance instance;
    weft_instance_plan plan = {.blocks = 1, .tallies = &tally, .trace = &trace};
    assert_int_equal(weft_instance_open(&instance, it->network, &plan, &it->stage.err), WEFT_OK);
    weft_instance_start(&instance);
    weft_engine_run(instance.engine, TICKS);
    sim->topology = &it->network->topology;
    sim->cht = cht;
    sim->room = room;
    sim->adaptive = adaptive;
    run_plain(sim, it);
    print_message("[%s] %s, room %d, rho %g: ", dims, routing, room, rho);
    compare(&it->seen, &sim->seen);
    weft_instance_close(&instance);
    weft_tally_done(&tally);
    stage_close(&it->stage);
    free(it);
    free(sim);
}

static void packets_move_as_in_a_plain_simulation(void **state)
{
    (void)state;
    check("4, 4", "minimal-oblivious", false, 200, 20, 0.5);
    check("4, 4", "minimal-adaptive", true, 200, 20, 0.7);
    check("4, 4", "minimal-oblivious", false, 3, 20, 0.9);
    check("3, 5", "minimal-adaptive", true, 2, 7, 0.9);
    check("4, 4, 4", "minimal-adaptive", true, 100, 30, 0.6);
    check("4, 3, 2", "minimal-oblivious", false, 1, 10, 0.8);
    check("2, 2", "minimal-adaptive", true, 0, 10, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packets_move_as_in_a_plain_simulation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
