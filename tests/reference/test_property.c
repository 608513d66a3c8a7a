/* SPDX-License-Identifier: Apache-2.0 */
/* Is packet level flit exact? Random networks are simulated twice, by the library and by the
 * flit-stepped reference, with the same packets; every packet's injection, hops and delivery
 * must be the same: tick, link or output, and VC. Some networks are cut into blocks and run on
 * two threads too, others by the code of routers with more than 64 ports, which some have. Bare
 * ones are also run by the general code, and unwatched, and must measure the same.
 *
 *     test_property [NETWORKS [SEED [AIM]]]     seeds SEED, …
 *
 * AIM pause: with pause, all but bare ones. AIM compiled: for every router that is compiled for
 * what is known of it (sim/router/input_queued/run.c), in turn; how often each ran is printed.
 *
 * A network that differs is printed with its seed; `test_property 1 SEED` repeats it alone. */
#include "reference/both.h"
#include "base/pack.h"
#include "interweft/interop.h"
#include "net/routing.h"
#include "reference/flit_route.h"
#include "reference/traced.h"
#include "sim/simulation.h"
#include "sim/site.h"
#include "sim/watch/journey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "sanitized.h"

enum { NETWORKS = SANITIZED ? 60 : 400 };
enum { FIRST_SEED = 1, DIFFERING_MOST = 3, TICKS_MOST = 2000000 };

typedef struct plan {
    uint64_t networks, seed;
    uint64_t packets, hops, differing;
    draw_aim aim;
    char path[64]; /* of a fabric */
} plan;

static void *grown(void *at, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return at;
    *room = *room ? 2 * *room : 256;
    at = realloc(at, *room * size);
    assert_non_null(at);
    return at;
}

/* The place of an endpoint in the reference, where all switches have as many. */
static uint32_t slot_of(const both *on, uint32_t endpoint)
{
    const weft_topology *topology = &on->stage.network.topology;
    return weft_topology_home(topology, endpoint) * on->draw.config.hosts +
           weft_topology_host(topology, endpoint);
}

static bool import_fabric(const draw *of)
{
    weft_error err;
    char edges[128], *text = NULL;
    (void)snprintf(edges, sizeof edges, "%s.edges", of->path);
    FILE *file = fopen(edges, "w");
    assert_non_null(file);
    (void)fputs(of->edges, file);
    assert_int_equal(fclose(file), 0);
    weft_import_options options = {.format = "edges", .file = edges, .out = of->path};
    weft_status status = weft_import(&options, &text, &err);
    if (status != WEFT_OK)
        fprintf(stderr, "seed %llu: %s\n%s", (unsigned long long)of->seed, err.text, of->edges);
    free(text);
    (void)remove(edges);
    return status == WEFT_OK;
}

/* What a route header means: hops along every dimension; on a flattened butterfly the difference
 * of the coordinates. */
static void set_offset(const both *on, uint32_t from, uint32_t to, uint32_t route,
                       flit_packet *packet)
{
    const weft_topology *topology = &on->stage.network.topology;
    const flit_config *set = &on->draw.config;
    weft_minimal_port way[WEFT_MINIMAL_PORTS_MAX];
    unsigned count =
        route ? topology->kind->minimal_ports(topology, from, route, WEFT_MINIMAL_PORTS_MAX, way)
              : 0;
    for (unsigned i = 0; i < count && !set->complete; i++)
        packet->offset[topology->lattice.port_dim[way[i].port]] =
            way[i].hops * topology->lattice.port_step[way[i].port];
    for (uint32_t d = 0; d < set->dims; d++) {
        int size = (int)set->size[d],
            difference = (int)flit_coordinate(set, to, d) - (int)flit_coordinate(set, from, d);
        if (set->complete)
            packet->offset[d] = difference;
        assert_int_equal((packet->offset[d] - difference) % size, 0);
    }
}

/* Adds the packets of one message. */
static void add_message(both *on, const flit_packet *message)
{
    uint32_t mtu = on->draw.mtu ? on->draw.mtu : message->flits, left = message->flits;
    on->messages = grown(on->messages, on->n_messages, &on->message_room, sizeof *on->messages);
    on->messages[on->n_messages++] = on->count;
    for (uint32_t number = 0; left > 0; number++) {
        on->packet = grown(on->packet, on->count, &on->room, sizeof *on->packet);
        on->packet[on->count] = *message;
        on->packet[on->count].number = number;
        on->packet[on->count].flits = left < mtu ? left : mtu;
        left -= on->packet[on->count++].flits;
    }
}

/* All messages of a source, as the library's sources walk them. */
static void list_source(both *on, uint32_t endpoint, uint32_t class)
{
    const weft_network *network = &on->stage.network;
    const weft_topology *topology = &network->topology;
    const weft_workload *workload = &network->traffic_classes[class].workload;
    weft_cursor cursor = workload->kind->first(workload, endpoint);
    while (cursor.live) {
        flit_packet message = {.source = endpoint,
                               .class = class,
                               .message = cursor.index,
                               .birth = weft_fine_time_tick(cursor.at)};
        weft_random random;
        weft_message found = workload->kind->next(workload, endpoint, &cursor, &random);
        uint32_t from = weft_topology_home(topology, endpoint),
                 to = weft_topology_home(topology, found.to);
        message.source = slot_of(on, endpoint);
        message.destination = slot_of(on, found.to);
        message.flits = found.flits;
        const weft_routing *routing = &network->traffic_classes[class].routing;
        if (on->draw.fabric.switches || on->draw.grouped)
            message.offset[0] =
                from == to ? 0
                           : (int)weft_routing_header_for_host(
                                 routing, weft_routing_initial_header(routing, from, to, &random),
                                 weft_topology_host(topology, found.to));
        else
            set_offset(on, from, to, topology->kind->make_header(topology, from, to, &random),
                       &message);
        add_message(on, &message);
    }
}

static void list_packets(both *on)
{
    uint32_t classes = on->draw.config.classes, endpoints = on->stage.network.endpoints;
    on->first = calloc((size_t)endpoints * classes + 1, sizeof *on->first);
    assert_non_null(on->first);
    for (uint32_t e = 0; e < endpoints; e++)
        for (uint32_t c = 0; c < classes; c++) {
            on->first[e * classes + c] = on->n_messages;
            list_source(on, e, c);
        }
    on->first[endpoints * classes] = on->n_messages;
    on->reference = calloc(on->count + 1, sizeof *on->reference);
    on->library = calloc(on->count + 1, sizeof *on->library);
    assert_true(on->reference && on->library);
}

/* The packet an event carries. A packet is in one place at a time, so is its history: no two
 * threads write it at once. */
static flit_history *history_of(both *on, const weft_event *event)
{
    uint32_t classes = on->draw.config.classes;
    size_t source = (size_t)event->data[0] * classes + weft_packet_traffic_class(event);
    size_t number = weft_packet_follows(event) ? event->data[2] : 0;
    if (event->data[0] >= on->stage.network.endpoints ||
        weft_packet_traffic_class(event) >= classes ||
        event->data[1] >= on->first[source + 1] - on->first[source])
        return NULL;
    size_t packet = on->messages[on->first[source] + event->data[1]] + number;
    return packet < on->count && on->packet[packet].source == slot_of(on, event->data[0]) &&
                   on->packet[packet].message == event->data[1]
               ? &on->library[packet]
               : NULL;
}

/* The library counts a router's endpoints behind the ports of its tier, the reference behind those
 * of the router with most. */
static uint32_t output_of(const both *on, uint32_t router, uint32_t output)
{
    uint32_t ports = weft_topology_tier(&on->stage.network.topology, router).ports;
    return output < ports ? output : output - ports + on->draw.config.ports;
}

static void note(void *user, weft_trace_kind kind, const weft_event *event, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at)
{
    both *on = user;
    flit_history *history = history_of(on, event);
    if (!history || (kind == WEFT_TRACE_HOP && history->n_hops == FLIT_HOPS)) {
        on->odd = true;
    } else if (kind == WEFT_TRACE_INJECT) {
        history->injected = at;
        history->link = output;
        history->vc = vc;
    } else if (kind == WEFT_TRACE_DELIVER) {
        history->delivered = at;
    } else {
        history->hops[history->n_hops++] = (flit_hop){
            .tick = at, .router = place, .output = output_of(on, place, output), .vc = vc};
    }
}

static bool same_hop(const both *on, const flit_hop *a, const flit_hop *b)
{
    bool ejects = a->output >= on->draw.config.ports;
    return a->tick == b->tick && a->router == b->router && a->output == b->output &&
           (ejects || a->vc == b->vc);
}

static bool same(const both *on, size_t packet)
{
    const flit_history *a = &on->reference[packet], *b = &on->library[packet];
    bool equal = a->injected == b->injected && a->link == b->link && a->vc == b->vc &&
                 a->delivered == b->delivered && a->n_hops == b->n_hops;
    for (uint32_t i = 0; equal && i < a->n_hops; i++)
        equal = same_hop(on, &a->hops[i], &b->hops[i]);
    return equal;
}

static void show(const char *whose, const both *on, const flit_history *history)
{
    fprintf(stderr, "  %s: injected at %lld by link %u, VC %u\n", whose,
            (long long)history->injected, history->link, history->vc);
    for (uint32_t i = 0; i < history->n_hops; i++) {
        const flit_hop *hop = &history->hops[i];
        fprintf(stderr, "    at %lld router %u, output %u", (long long)hop->tick, hop->router,
                hop->output);
        if (hop->output < on->draw.config.ports)
            fprintf(stderr, ", VC %u", hop->vc);
        fprintf(stderr, "\n");
    }
    fprintf(stderr, "    delivered at %lld\n", (long long)history->delivered);
}

static void show_journey(const weft_journey *journey)
{
    fprintf(stderr, "  journey: injected at %lld\n", (long long)journey->stops[0].left);
    for (size_t i = 1; i < journey->n_stops; i++) {
        const weft_journey_stop *stop = &journey->stops[i];
        fprintf(stderr, "    router %u, ready %lld, left %lld by output %u, VC %u\n", stop->router,
                (long long)stop->ready, (long long)stop->left, stop->output, stop->out_vc);
        for (size_t w = 0; w < stop->n_waits; w++)
            fprintf(stderr, "      %lld ticks, cause %d\n", (long long)stop->waits[w].ticks,
                    (int)stop->waits[w].cause);
    }
    fprintf(stderr, "    delivered at %lld\n", (long long)journey->delivered);
}

/* The tick at which two histories part; INT64_MAX: never. */
static int64_t parting(const both *on, size_t packet)
{
    const flit_history *a = &on->reference[packet], *b = &on->library[packet];
    if (same(on, packet))
        return INT64_MAX;
    if (a->injected != b->injected)
        return b->injected < 0 || a->injected < b->injected ? a->injected : b->injected;
    for (uint32_t i = 0; i < a->n_hops && i < b->n_hops; i++)
        if (!same_hop(on, &a->hops[i], &b->hops[i]))
            return a->hops[i].tick < b->hops[i].tick ? a->hops[i].tick : b->hops[i].tick;
    return a->n_hops > b->n_hops ? a->hops[b->n_hops].tick : a->delivered;
}

/* Compares every packet, and shows the one that differs first. */
static bool agree(const both *on, const char *how)
{
    size_t differing = 0, worst = 0;
    for (size_t i = 0; i < on->count; i++) {
        differing += !same(on, i);
        if (parting(on, i) < parting(on, worst))
            worst = i;
    }
    if (!differing && !on->odd)
        return true;
    fprintf(stderr, "seed %llu%s: %zu of %zu packets differ%s\n%s",
            (unsigned long long)on->draw.seed, how, differing, on->count,
            on->odd ? ", and unknown ones were seen" : "", on->draw.text);
    if (differing) {
        const flit_packet *packet = &on->packet[worst];
        fprintf(stderr,
                "packet %u.%u of endpoint %u, class %u, to endpoint %u, %u flits, born at %lld\n",
                packet->message, packet->number, packet->source, packet->class, packet->destination,
                packet->flits, (long long)packet->birth);
        show("reference", on, &on->reference[worst]);
        show("library", on, &on->library[worst]);
    }
    return false;
}

typedef struct way { /* to run the library */
    uint32_t blocks;
    unsigned threads;
    bool unwatched; /* without a trace, so by the code that is made for plain routers */
    bool shuffled;  /* events of a tick in another order, routers of a tick in reverse */
    bool wide;      /* as routers of many ports */
    bool general;   /* by the general code */
} way;

static bool run_library(both *on, way by)
{
    weft_trace trace = {.note = note,
                        .user = on,
                        .shuffle = by.shuffled ? 1 + (uint32_t)on->draw.seed : 0,
                        .wide = by.wide,
                        .general = by.general};
    weft_simulation_options options = {
        .blocks = by.blocks, .threads = by.threads, .trace = by.unwatched ? NULL : &trace};
    weft_simulation *simulation = NULL;
    weft_ending ending;
    weft_error *err = &on->stage.err;
    for (size_t i = 0; i < on->count; i++)
        on->library[i] = (flit_history){.injected = -1, .delivered = -1};
    weft_pack_done(&on->measured);
    weft_status status = weft_simulation_create(&on->stage.network, &options, &simulation, err);
    if (status == WEFT_OK)
        status = weft_simulation_run(simulation, &ending, err);
    if (status == WEFT_OK)
        weft_series_save(weft_simulation_series(simulation), &on->measured);
    else
        fprintf(stderr, "seed %llu: %s\n%s", (unsigned long long)on->draw.seed, err->text,
                on->draw.text);
    weft_simulation_destroy(simulation);
    return status == WEFT_OK;
}

/* The sums of every interval are those of the run before. */
static bool run_unwatched(both *on)
{
    weft_pack watched = on->measured;
    on->measured = (weft_pack){0};
    bool equal = run_library(on, (way){.blocks = 1, .threads = 1, .unwatched = true}) &&
                 on->measured.count == watched.count &&
                 memcmp(on->measured.data, watched.data, watched.count) == 0;
    if (!equal)
        fprintf(stderr, "seed %llu: measures something else when nobody watches\n%s",
                (unsigned long long)on->draw.seed, on->draw.text);
    weft_pack_done(&watched);
    return equal;
}

/* A journey has the reference's ticks, ports and VCs. */
static bool same_journey(const both *on, size_t packet, const weft_journey *journey)
{
    const flit_history *truth = &on->reference[packet];
    bool dropped = truth->delivered < 0 && truth->injected >= 0; /* VL 15, at its last stop */
    if (journey->delivered != truth->delivered ||
        journey->n_stops != truth->n_hops + 1u + dropped ||
        journey->stops[0].left != truth->injected)
        return false;
    for (uint32_t i = 0; i < truth->n_hops; i++) {
        const weft_journey_stop *stop = &journey->stops[i + 1];
        flit_hop hop = {stop->left, stop->router, output_of(on, stop->router, stop->output),
                        stop->out_vc};
        weft_time waited = 0;
        for (size_t w = 0; w < stop->n_waits; w++)
            waited += stop->waits[w].ticks;
        /* every tick between readiness and grant has a cause, and no other has */
        if (!same_hop(on, &truth->hops[i], &hop) || stop->ready > stop->left ||
            waited != stop->left - stop->ready)
            return false;
    }
    return true;
}

/* The library's number of the endpoint of a packet. */
static uint32_t endpoint_of(const both *on, const flit_packet *packet)
{
    uint32_t endpoint = 0;
    while (slot_of(on, endpoint) != packet->source)
        endpoint++;
    return endpoint;
}

#define FOLLOWED 5 /* packets of a network; and one network of so many is looked at */

/* Follows a few packets, spread over the run, and leaves all else as it was. */
static bool run_journeys(both *on)
{
    weft_packet_identity names[FOLLOWED];
    size_t which[FOLLOWED], count = on->count < FOLLOWED ? on->count : FOLLOWED;
    for (size_t i = 0; i < count; i++) {
        which[i] = (on->draw.seed + i * on->count / count) % on->count;
        const flit_packet *packet = &on->packet[which[i]];
        names[i] = (weft_packet_identity){endpoint_of(on, packet), packet->class, packet->message,
                                          packet->number};
    }
    weft_journeys journeys;
    weft_journeys_init(&journeys, &on->stage.network, names, count, INT64_MAX);
    weft_simulation_options options = {.blocks = 1 + (uint32_t)on->draw.seed % 3,
                                       .threads = 1,
                                       .look = weft_journeys_look,
                                       .looker = &journeys,
                                       .trace = journeys.trace};
    weft_simulation *simulation = NULL;
    weft_ending ending;
    weft_pack measured = {0};
    weft_status status =
        weft_simulation_create(&on->stage.network, &options, &simulation, &on->stage.err);
    if (status == WEFT_OK)
        status = weft_simulation_run(simulation, &ending, &on->stage.err);
    if (status == WEFT_OK)
        weft_series_save(weft_simulation_series(simulation), &measured);
    weft_simulation_destroy(simulation);
    bool equal = status == WEFT_OK && measured.count == on->measured.count &&
                 memcmp(measured.data, on->measured.data, measured.count) == 0;
    if (!equal)
        fprintf(stderr, "seed %llu: measures something else when packets are followed\n%s",
                (unsigned long long)on->draw.seed, on->draw.text);
    for (size_t i = 0; i < count && equal; i++) {
        equal = same_journey(on, which[i], &journeys.at[i]);
        if (!equal) {
            fprintf(stderr,
                    "seed %llu: another journey of packet %u.%u of endpoint %u, class %u\n%s",
                    (unsigned long long)on->draw.seed, names[i].index, names[i].number,
                    names[i].source, names[i].traffic_class, on->draw.text);
            show("reference", on, &on->reference[which[i]]);
            show_journey(&journeys.at[i]);
        }
    }
    weft_journeys_done(&journeys);
    weft_pack_done(&measured);
    return equal;
}

static bool run_both(both *on)
{
    static const way ways[] = {{.blocks = 2, .threads = 1},
                               {.blocks = 1, .threads = 1, .shuffled = true},
                               {.blocks = 3, .threads = 2},
                               {.blocks = 2, .threads = 2, .shuffled = true},
                               {.blocks = 5, .threads = 2}};
    int64_t end = flit_run(&on->draw.config, on->packet, on->count, TICKS_MOST, on->reference);
    if (end < 0) {
        fprintf(stderr, "seed %llu: the reference does not drain\n%s",
                (unsigned long long)on->draw.seed, on->draw.text);
        return false;
    }
    /* the scenario's own limit only costs sampling intervals: the library gets three times what
     * is needed */
    int64_t cycles = 3 * end / on->stage.network.timing.cycle + 1000;
    on->stage.scenario.measure.limit_time = (weft_duration){(double)cycles, WEFT_CYCLES};
    if (!run_library(on, (way){.blocks = 1, .threads = 1}) || !agree(on, "") ||
        (on->draw.seed % FOLLOWED == 0 && !run_journeys(on)) ||
        (on->draw.bare && !run_unwatched(on)))
        return false;
    if (on->draw.bare && !(run_library(on, (way){.blocks = 1, .threads = 1, .general = true}) &&
                           agree(on, " (general)")))
        return false;
    if (on->draw.seed % 2)
        return on->draw.config.scheduler == FLIT_ISLIP ||
               (run_library(on, (way){.blocks = 1, .threads = 1, .wide = true}) &&
                agree(on, " (wide)"));
    way other = ways[on->draw.seed / 2 % (sizeof ways / sizeof *ways)];
    char how[64];
    snprintf(how, sizeof how, " (%u blocks, %u threads%s)", other.blocks, other.threads,
             other.shuffled ? ", shuffled" : "");
    return run_library(on, other) && agree(on, how);
}

static bool try_network(plan *of, uint64_t seed)
{
    both on = {0};
    draw_network(&on.draw, seed, of->path, of->aim);
    if (on.draw.fabric.switches && !import_fabric(&on.draw))
        return false;
    bool equal = stage_try(&on.stage, on.draw.text) == WEFT_OK;
    if (equal) {
        both_set_config(&on);
        draw_thresholds(&on.draw, &on.stage.network.topology);
        list_packets(&on);
        equal = run_both(&on);
    } else {
        fprintf(stderr, "seed %llu: %s\n%s", (unsigned long long)seed, on.stage.err.text,
                on.draw.text);
    }
    of->packets += on.count;
    for (size_t i = 0; i < on.count; i++)
        of->hops += on.reference[i].n_hops;
    stage_close(&on.stage);
    free(on.peer);
    free(on.single);
    free(on.own_ports);
    free(on.packet);
    free(on.messages);
    free(on.first);
    free(on.reference);
    free(on.library);
    weft_pack_done(&on.measured);
    return equal;
}

static void every_packet_is_the_same(void **state)
{
    plan *of = *state;
    for (uint64_t i = 0; i < of->networks && of->differing < DIFFERING_MOST; i++)
        of->differing += !try_network(of, of->seed + i);
    print_message("%llu networks from seed %llu, %llu packets, %llu hops: %llu networks differ\n",
                  (unsigned long long)of->networks, (unsigned long long)of->seed,
                  (unsigned long long)of->packets, (unsigned long long)of->hops,
                  (unsigned long long)of->differing);
    uint64_t times;
    const char *name;
    for (uint32_t i = 0; (name = traced_name(i, &times)) && of->aim == DRAW_COMPILED; i++) {
        print_message("  %s: %llu blocks\n", name, (unsigned long long)times);
        assert_true(times > 0 || of->networks < 100);
    }
    assert_int_equal(of->differing, 0);
}

int main(int argc, char **argv)
{
    plan of = {.networks = argc > 1 ? strtoull(argv[1], NULL, 10) : NETWORKS,
               .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : FIRST_SEED,
               .aim = argc <= 3                          ? DRAW_ANY
                      : strcmp(argv[3], "compiled") == 0 ? DRAW_COMPILED
                                                         : DRAW_PAUSED};
    (void)snprintf(of.path, sizeof of.path, "property-%d.weftnet", (int)getpid());
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(every_packet_is_the_same, &of)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove(of.path);
    return failed;
}
