/* SPDX-License-Identifier: Apache-2.0 */
/* The output-queued router by cases small enough to follow with a pencil, run through the real
 * simulation. Most use pattern neighbour on a torus of n dimensions with dimension order: every
 * link then serves one source, and a packet of L flits takes n hops past n − 1 routers. A backlog
 * and a class that stops at once put a known number of messages into tick 0. */
#include "sim/simulation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

typedef struct run {
    stage stage;
    weft_simulation *simulation;
    weft_ending ending;
} run;

static void run_blocks(run *it, const char *text, uint32_t blocks)
{
    const weft_network *network = stage_open(&it->stage, text);
    weft_simulation_options options = {.blocks = blocks};
    weft_error *err = &it->stage.err;
    assert_int_equal(weft_simulation_create(network, &options, &it->simulation, err), WEFT_OK);
    assert_int_equal(weft_simulation_run(it->simulation, &it->ending, err), WEFT_OK);
}

static void run_text(run *it, const char *text)
{
    run_blocks(it, text, 1);
}

static void run_done(run *it)
{
    weft_simulation_destroy(it->simulation);
    stage_close(&it->stage);
}

/* A column summed over the whole run. */
static int64_t total(const run *it, uint32_t column)
{
    return (int64_t)weft_series_total(weft_simulation_series(it->simulation), column);
}

static int64_t total_at(const run *it, uint32_t hops, weft_hop_column column)
{
    return total(it, weft_tally_hop_column(0, hops) + (uint32_t)column);
}

/* Every packet took exactly `latency` ticks and cut through wherever it could. */
static void assert_all_take(const run *it, int64_t latency, int64_t hops)
{
    int64_t packets = total(it, WEFT_COL_DELIVERED);
    assert_true(packets > 100);
    assert_int_equal(total(it, WEFT_COL_LATENCY), packets * latency);
    assert_int_equal(total(it, WEFT_COL_SQUARE), packets * latency * latency);
    assert_int_equal(total(it, WEFT_COL_HOPS), packets * hops);
    assert_int_equal(total(it, WEFT_COL_CHANCES), packets * (hops - 1));
    assert_int_equal(total(it, WEFT_COL_CUTS), packets * (hops - 1));
}

#define PERIODIC(load) "traffic: {all: {pattern: neighbour, arrival: periodic, " load "}}\n"
#define LIMIT          "measure: {limit: {time: 12800 cycles}}\n"

/* One reception port: h (header + wire) + L + host wire. Unlimited: the packet has arrived with its
 * last flit, header ticks before that. An injection port adds header + host wire. */
static void latency_without_load_is_exact(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int64_t latency, hops;
    } cases[] = {
        {"topology: {kind: torus, dims: [4, 4]}\n" PERIODIC("length: 10 flits, load: 0.1"), 12, 2},
        {"topology: {kind: torus, dims: [4, 4]}\nendpoint: {reception: unlimited}\n" PERIODIC(
             "length: 10 flits, load: 0.1"),
         11, 2},
        {"topology: {kind: torus, dims: [4, 4]}\nendpoint: {injection: one-port}\n" PERIODIC(
             "length: 10 flits, load: 0.1"),
         13, 2},
        {"topology: {kind: torus, dims: [4, 4, 4]}\nrouter: {header: 2 cycles}\n"
         "links: {latency: 5 cycles, host: {latency: 3 cycles}}\n" PERIODIC(
             "length: 20 flits, load: 0.1"),
         3 * 7 + 20 + 3, 3},
        {"topology: {kind: torus, dims: [4, 4, 4]}\nrouter: {header: 2 cycles}\n"
         "links: {latency: 5 cycles, host: {latency: 3 cycles}}\n"
         "endpoint: {reception: unlimited}\n" PERIODIC("length: 20 flits, load: 0.1"),
         3 * 7 + 18 + 3, 3},
        {"topology: {kind: torus, dims: [4, 4, 4]}\nrouter: {header: 2 cycles}\n"
         "links: {latency: 5 cycles, host: {latency: 3 cycles}}\n"
         "endpoint: {injection: one-port}\n" PERIODIC("length: 20 flits, load: 0.1"),
         5 + 3 * 7 + 20 + 3, 3},
        /* a packet shorter than the header delay has arrived when its header is read */
        {"topology: {kind: torus, dims: [4, 4]}\nrouter: {header: 4 cycles}\n"
         "links: {latency: 1 cycle, host: {latency: 0 cycles}}\n"
         "endpoint: {reception: unlimited}\n" PERIODIC("length: 1 flits, load: 0.1"),
         2 * 5, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s" LIMIT, cases[i].text);
        run it;
        run_text(&it, text);
        assert_all_take(&it, cases[i].latency, cases[i].hops);
        run_done(&it);
    }
}

/* Ticks of 40 ps: header 64, wire 125, four flits of 32. */
static void latency_in_seconds_is_exact(void **state)
{
    (void)state;
    run it;
    run_text(&it,
             "topology: {kind: torus, dims: [4, 4]}\nrouter: {header: 2.56 ns}\n"
             "links: {rate: 100 Gb/s, flit: 16 B, latency: 5 ns, host: {latency: 0 ns}}\n" PERIODIC(
                 "length: 64 B, load: 0.1") "measure: {limit: {time: 10 us}}\n");
    assert_all_take(&it, 2 * (64 + 125) + 4 * 32, 2);
    run_done(&it);
}

/* At load 1 every header comes in the tick in which the packet before has left its link. */
static void back_to_back_packets_cut_through_under_s0(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4, 4, 4]}\nrouter: {variant: S0}\n" PERIODIC(
                      "length: 10 flits, load: 1") LIMIT);
    assert_all_take(&it, 3 + 10, 3);
    run_done(&it);
}

/* messages in tick 0, and none later */
#define BACKLOG(n, more)                \
    "endpoint: {backlog: " n more "}\n" \
    "measure: {limit: {time: 1280 cycles}, warmup: 0 cycles, links: all, by: hops}\n"
#define ONCE(pattern)                                                                          \
    "traffic: {all: {pattern: " pattern ", arrival: periodic, length: 10 flits, load: 0.001, " \
    "stop: 1 cycle}}\n"

static void assert_sums(const run *it, int64_t packets, int64_t latency, int64_t cuts)
{
    assert_int_equal(total(it, WEFT_COL_GENERATED), packets);
    assert_int_equal(total(it, WEFT_COL_DELIVERED), packets);
    assert_int_equal(total(it, WEFT_COL_LATENCY), latency);
    assert_int_equal(total(it, WEFT_COL_CUTS), cuts);
}

/* Starts at 0, 10, 20; headers at the next router at 1, 11, 21 and at the last at 2, 12, 22. */
static void a_queue_drains_at_the_pace_of_its_link(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4, 4]}\nrouter: {variant: S0}\n" BACKLOG("3", "")
                      ONCE("neighbour"));
    assert_sums(&it, 48, 16 * (12 + 22 + 32), 48);
    /* what 3 packets of 10 flits need, on the links in use and no others */
    const weft_link_loads *links = weft_simulation_links(it.simulation);
    assert_int_equal(links->n_loads, 16 * 4);
    for (size_t i = 0; i < links->n_loads; i++) {
        assert_int_equal(links->loads[i].index, i);
        assert_int_equal(links->loads[i].busy, i % 2 ? 0 : 30);
    }
    assert_int_equal(links->total, 16 * 2 * 30);
    assert_int_equal(links->span, 1280);
    run_done(&it);
}

/* The second packet's header meets its link becoming free at tick 11. Heads: it goes on and has
 * arrived at 21. Tails: it is stored until 20 and has arrived at 30. The first takes 11 ticks. */
static void the_systematic_tie_is_a_fair_coin_under_s2(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [16, 16]}\n" BACKLOG("2", ", reception: unlimited")
                      ONCE("neighbour"));
    int64_t heads = total(&it, WEFT_COL_CUTS) - 256;
    assert_true(fabs((double)heads - 128) < 4 * sqrt(256 * 0.25));
    assert_sums(&it, 512, 256 * 11 + heads * 21 + (256 - heads) * 30, 256 + heads);
    run_done(&it);
}

/* Two hops round a ring of five, all in one direction: the second link is busy with its own
 * packet until 10, the header comes at 1 (or 5), the tail at 10 (or 12). */
static void a_blocked_packet_is_stored_completely(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [5]}\n" BACKLOG("1", "") ONCE("tornado"));
    assert_sums(&it, 5, 5 * (10 + 1 + 10), 0);
    run_done(&it);
    run_text(&it, "topology: {kind: torus, dims: [5]}\nrouter: {header: 3 cycles}\n"
                  "links: {latency: 2 cycles, host: {latency: 0 cycles}}\n" BACKLOG("1", "")
                      ONCE("tornado"));
    assert_sums(&it, 5, 5 * (12 + 5 + 10), 0);
    run_done(&it);
}

/* Of two messages in tick 0 the second finds x busy and takes y. Both then wait until 10 for the
 * link the other kind has taken, both reach their router at 11, and one reception port serves them
 * after each other, until 21 and 31. Oblivious packets wait at the source instead: 12 and 22. */
static void adaptive_packets_take_the_idle_link(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4, 4]}\n"
                  "routing: {kind: minimal-adaptive, selection: dimension-order}\n" BACKLOG("2", "")
                      ONCE("neighbour"));
    assert_sums(&it, 32, 16 * (21 + 31), 0);
    run_done(&it);
    run_text(&it, "topology: {kind: torus, dims: [4, 4]}\nrouter: {variant: S0}\n" BACKLOG("2", "")
                      ONCE("neighbour"));
    assert_sums(&it, 32, 16 * (12 + 22), 32);
    run_done(&it);
}

/* Routers 1, 2, 3 of a ring of four send to 0. Headers from 1 and 3 come at 1; the port takes them
 * in the order of ports until 11 and 21. 2 waits for a link until 10, then for the port: 31. The
 * hot endpoint's own packet meets nobody: 10 ticks and one per hop. */
static void one_reception_port_serves_one_packet_at_a_time(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4]}\nrouter: {variant: S0}\n" BACKLOG("1", "")
                      ONCE("{kind: hot-spot, node: 0, share: 100%}"));
    assert_int_equal(total(&it, WEFT_COL_DELIVERED), 4);
    int64_t own = total(&it, WEFT_COL_HOPS) - 4;
    assert_int_equal(total(&it, WEFT_COL_LATENCY), 11 + 21 + 31 + 10 + own);
    run_done(&it);
}

/* A message to an endpoint of the same router passes no link: it takes the wire to the endpoint,
 * and L where it needs the reception port. */
static void neighbours_at_one_router_talk_without_links(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4], hosts: 2}\n"
                  "links: {host: {latency: 3 cycles}}\n" BACKLOG("2", ", reception: unlimited")
                      ONCE("{kind: hot-spot, node: 0, share: 100%}"));
    int64_t packets = total_at(&it, 0, WEFT_HOP_PACKETS);
    assert_true(packets >= 2 && packets <= 4); /* endpoint 1's, and what 0 sends to 1 */
    assert_int_equal(total_at(&it, 0, WEFT_HOP_LATENCY), 3 * packets);
    assert_int_equal(total_at(&it, 0, WEFT_HOP_CHANCES), 0);
    run_done(&it);
}

/* Message j leaves its source at 10 j and has arrived 13 ticks later. */
static void an_injection_port_sends_one_packet_at_a_time(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4, 4]}\nrouter: {variant: S0}\n" BACKLOG(
                      "3", ", injection: one-port") ONCE("neighbour"));
    assert_sums(&it, 48, 16 * (13 + 23 + 33), 48);
    run_done(&it);
}

/* Runs with a backlog that cannot drain; returns the bytes held at the end. */
static int64_t overload(int64_t backlog)
{
    char text[512];
    snprintf(text, sizeof text,
             "topology: {kind: torus, dims: [4, 4]}\nrouter: {variant: S0}\n"
             "endpoint: {backlog: %lld, injection: one-port}\n"
             "measure: {limit: {time: 2000 cycles}}\n" ONCE("neighbour"),
             (long long)backlog);
    run it;
    run_text(&it, text);
    weft_census census = weft_simulation_census(it.simulation);
    weft_time now = weft_simulation_now(it.simulation);
    assert_int_equal(now % 10, 0);
    assert_int_equal(census.generated, 16 * backlog);
    assert_int_equal(census.delivered, 16 * ((now - 13 + 9) / 10));
    assert_int_equal(census.waiting, 16 * (backlog - now / 10));
    assert_int_equal(census.in_flight, census.generated - census.delivered - census.waiting);
    int64_t bytes = weft_simulation_bytes(it.simulation);
    run_done(&it);
    return bytes;
}

static void waiting_messages_cost_no_memory(void **state)
{
    (void)state;
    assert_int_equal(overload(1000), overload(100000));
}

/* A period of 100 ticks between 1000 and 2000: ten messages of each source. */
static void a_class_sends_between_start_and_stop(void **state)
{
    (void)state;
    run it;
    run_text(&it,
             "topology: {kind: torus, dims: [4, 4]}\n" PERIODIC("length: 10 flits, load: 0.1, "
                                                                "start: 1000 cycles, stop: 2000 "
                                                                "cycles") "measure: {limit: {time: "
                                                                          "3200 cycles}, series: "
                                                                          "100 cycles}\n");
    assert_int_equal(total(&it, WEFT_COL_GENERATED), 160);
    const weft_bins *bins = weft_simulation_bins(it.simulation);
    assert_int_equal(bins->width, 100);
    int64_t held = 0;
    for (size_t i = 0; i < bins->count; i++) {
        assert_int_equal(bins->start[i], 100 * (int64_t)i);
        if (i < 10 || i >= 20)
            assert_int_equal(bins->generated[i], 0);
        held += bins->generated[i] - bins->delivered[i];
        assert_int_equal(bins->population[i], held);
    }
    assert_int_equal(held, 0);
    run_done(&it);
}

/* A message in every cycle 10 … 19. */
static void start_counts_and_stop_does_not(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4, 4]}\n"
                  "traffic: {all: {pattern: neighbour, arrival: bernoulli, length: 1 flits, "
                  "load: 1, start: 10 cycles, stop: 20 cycles}}\n"
                  "measure: {limit: {time: 1280 cycles}, series: 10 cycles}\n");
    const weft_bins *bins = weft_simulation_bins(it.simulation);
    for (size_t i = 0; i < bins->count; i++)
        assert_int_equal(bins->generated[i], i == 1 ? 160 : 0);
    assert_int_equal(total(&it, WEFT_COL_DELIVERED), 160);
    run_done(&it);
}

/* Idealised routers have neither links of several rates nor endpoints with insides. */
static void what_an_idealised_router_lacks_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"links: {host: {rate: 0.5 flits/cycle}}\n",
         "test.yaml:4:22: links.host.rate must be the rate of links.local: routers of kind "
         "output-queued join links of one rate"},
        {"endpoint: {ports: 2}\n",
         "test.yaml:4:19: endpoint.ports must be left out: endpoints of routers of kind "
         "output-queued have one link and no delays of their own"},
        {"endpoint: {injection: one-port, dma: 3 cycles}\n",
         "test.yaml:4:38: endpoint.dma must be left out: endpoints of routers of kind "
         "output-queued have one link and no delays of their own"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "topology: {kind: torus, dims: [4, 4]}\n"
                 "traffic: {all: {length: 10 flits, load: 0.1}}\n%s",
                 cases[i].text);
        run it;
        const weft_network *network = stage_open(&it.stage, text);
        weft_simulation_options options = {0};
        assert_int_equal(weft_simulation_create(network, &options, &it.simulation, &it.stage.err),
                         WEFT_BAD_INPUT);
        assert_string_equal(it.stage.err.text, cases[i].message);
        stage_close(&it.stage);
    }
}

/* 25 flits in packets of 10, 10 and 5 follow each other on every link without a gap and take as
 * long as one packet of 25 flits. */
static void packets_of_a_message_follow_each_other(void **state)
{
    (void)state;
    const struct {
        const char *endpoint, *length;
        int64_t latency, packets, flits;
    } cases[] = {
        {"mtu: 10 flits", "25 flits", 2 + 25, 3, 25},
        {"mtu: 10 flits, injection: one-port", "25 flits", 3 + 25, 3, 25},
        {"mtu: 10 flits, injection: one-port", "30 flits", 3 + 30, 3, 30},
        {"mtu: 10 flits, injection: one-port", "31 flits", 3 + 31, 4, 31},
        {"mtu: 1 flit, injection: one-port", "12 flits", 3 + 12, 12, 12},
        {"mtu: 30 flits, injection: one-port", "30 flits", 3 + 30, 1, 30},
        {"mtu: 31 B, injection: one-port", "30 flits", 3 + 30, 1, 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "topology: {kind: torus, dims: [4, 4]}\nrouter: {variant: S0}\n"
                 "endpoint: {%s}\n"
                 "traffic: {all: {pattern: neighbour, arrival: periodic, length: %s, load: 0.1}}\n"
                 "measure: {limit: {time: 12800 cycles}, by: hops}\n",
                 cases[i].endpoint, cases[i].length);
        run it;
        run_text(&it, text);
        int64_t messages = total(&it, WEFT_COL_DELIVERED), packets = total(&it, WEFT_COL_PACKETS);
        assert_true(messages > 100);
        assert_int_equal(total(&it, WEFT_COL_LATENCY), messages * cases[i].latency);
        assert_in_range(packets, messages * cases[i].packets,
                        messages * cases[i].packets + 16 * cases[i].packets);
        assert_int_equal(total(&it, WEFT_COL_HOPS), packets * 2);
        assert_int_equal(total(&it, WEFT_COL_CUTS), packets);
        assert_int_equal(total_at(&it, 2, WEFT_HOP_MESSAGES), messages);
        assert_int_equal(total_at(&it, 2, WEFT_HOP_PACKETS), packets);
        run_done(&it);
    }
}

/* Longer than a packet can be: 65,535 flits and the rest. */
static void very_long_messages_are_cut_unasked(void **state)
{
    (void)state;
    run it;
    run_text(&it, "topology: {kind: torus, dims: [4, 4]}\nrouter: {variant: S0}\n"
                  "endpoint: {backlog: 1}\n"
                  "traffic: {all: {pattern: neighbour, arrival: periodic, length: 100000 flits, "
                  "load: 0.001, stop: 1 cycle}}\n"
                  "measure: {limit: {time: 128000 cycles}, warmup: 0 cycles}\n");
    assert_int_equal(total(&it, WEFT_COL_DELIVERED), 16);
    assert_int_equal(total(&it, WEFT_COL_PACKETS), 32);
    assert_int_equal(total(&it, WEFT_COL_FLITS), 16 * 100000);
    assert_int_equal(total(&it, WEFT_COL_LATENCY), 16 * (2 + 100000));
    run_done(&it);
}

#define BUSY                                                                     \
    "topology: {kind: torus, dims: [8, 6], hosts: 2}\n"                          \
    "routing: {kind: minimal-adaptive, selection: random}\n"                     \
    "offered: {rho: 0.6}\n"                                                      \
    "traffic:\n"                                                                 \
    "  a: {length: {kind: exponential, mean: 16 flits}, share: 0.5}\n"           \
    "  b: {length: 5 flits, share: 0.5, pattern: tornado, arrival: bernoulli}\n" \
    "measure: {limit: {time: 20000 cycles}, half-width: 1e-4, by: hops}\n"

/* Nothing is lost, and the sums of every column are the same however the network is cut. */
static void check_cuts(const char *endpoint)
{
    const uint32_t blocks[] = {1, 2, 5, 48};
    char text[1024];
    run first;
    snprintf(text, sizeof text, BUSY "endpoint: {%s}\n", endpoint);
    run_text(&first, text);
    assert_int_equal(first.ending, WEFT_END_LIMIT_TIME);
    const weft_tally *tally = weft_simulation_tally(first.simulation);
    uint32_t columns = weft_tally_groups(tally) * weft_tally_width(tally);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        run it;
        run_blocks(&it, text, blocks[i]);
        for (uint32_t c = 0; c < columns; c++)
            assert_int_equal(total(&it, c), total(&first, c));
        weft_census census = weft_simulation_census(it.simulation);
        assert_int_equal(census.generated, total(&it, WEFT_COL_GENERATED));
        assert_int_equal(census.delivered, total(&it, WEFT_COL_DELIVERED));
        assert_int_equal(census.generated, census.delivered + census.in_flight + census.waiting);
        assert_true(census.delivered > 10000);
        run_done(&it);
    }
    run_done(&first);
}

static void packets_are_conserved_in_any_number_of_blocks(void **state)
{
    (void)state;
    check_cuts("injection: unlimited");
    check_cuts("injection: one-port");
    check_cuts("mtu: 4 flits");
    check_cuts("injection: one-port, mtu: 4 flits");
}

static void a_network_without_delays_is_refused(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: torus, dims: [4]}\nrouter: {header: 0 cycles}\n"
                        "traffic: {all: {length: 1 flits, load: 0.1}}\n");
    weft_simulation_options options = {0};
    weft_simulation *simulation;
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &it.err),
                     WEFT_BAD_INPUT);
    assert_null(simulation);
    assert_string_equal(it.err.text,
                        "test.yaml:3:9: nothing between two routers takes time: give router.header "
                        "or links.latency at least one tick");
    stage_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_without_load_is_exact),
        cmocka_unit_test(latency_in_seconds_is_exact),
        cmocka_unit_test(back_to_back_packets_cut_through_under_s0),
        cmocka_unit_test(a_queue_drains_at_the_pace_of_its_link),
        cmocka_unit_test(the_systematic_tie_is_a_fair_coin_under_s2),
        cmocka_unit_test(a_blocked_packet_is_stored_completely),
        cmocka_unit_test(adaptive_packets_take_the_idle_link),
        cmocka_unit_test(one_reception_port_serves_one_packet_at_a_time),
        cmocka_unit_test(neighbours_at_one_router_talk_without_links),
        cmocka_unit_test(an_injection_port_sends_one_packet_at_a_time),
        cmocka_unit_test(waiting_messages_cost_no_memory),
        cmocka_unit_test(a_class_sends_between_start_and_stop),
        cmocka_unit_test(start_counts_and_stop_does_not),
        cmocka_unit_test(what_an_idealised_router_lacks_is_refused),
        cmocka_unit_test(packets_of_a_message_follow_each_other),
        cmocka_unit_test(very_long_messages_are_cut_unasked),
        cmocka_unit_test(packets_are_conserved_in_any_number_of_blocks),
        cmocka_unit_test(a_network_without_delays_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
