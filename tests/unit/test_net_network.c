/* SPDX-License-Identifier: Apache-2.0 */
/* From a scenario to rates, by values computed by hand, and what is refused with which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/bounds/channel_load.h"
#include "contract/scenario.h"

static void assert_close(double found, double expected)
{
    assert_true(fabs(found - expected) <= 1e-12 * fabs(expected));
}

/* A 4×4 torus: 16 endpoints, 64 links, 32/15 hops on average. */
#define TORUS "topology: {kind: torus, dims: [4, 4]}\n"

static void load_is_a_share_of_injection_bandwidth(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "traffic: {all: {length: 64 flits, load: 0.5}}");
    const weft_traffic_class *traffic_class = &network->traffic_classes[0];
    assert_int_equal(network->endpoints, 16);
    assert_int_equal(traffic_class->senders, 16);
    assert_close(traffic_class->mean_hops, 32 / 15.0);
    assert_close(traffic_class->per_tick, 0.5 / 64);
    assert_close(traffic_class->traffic.arrival.mean, 128);
    assert_close(traffic_class->load, 0.5);
    assert_close(traffic_class->rho, 0.5 * 16 * (32 / 15.0) / 64);
    assert_close(traffic_class->rate, 0.5 / 64);
    assert_string_equal(network->rate_unit, "messages/cycle");
    assert_int_equal(traffic_class->traffic.start, 0);
    assert_true(traffic_class->traffic.stop == INT64_MAX);
    stage_close(&it);
}

static void rho_is_the_load_of_links(void **state)
{
    (void)state;
    stage it;
    const weft_network *network = stage_open(
        &it, TORUS "traffic: {all: {length: {kind: exponential, mean: 64 flits}, rho: 0.3}}");
    /* 0.3 × 64 links / (16 senders × 64.0071… ticks × 32/15 hops); the mean length is that of whole
     * flits, 1 + e^(−1.5/64) / (1 − e^(−1/64)) */
    assert_close(network->traffic_classes[0].per_tick,
                 0.3 * 64 / (16 * 64.00713102470917 * 32 / 15));
    assert_close(network->rho, 0.3);
    assert_close(network->load, 0.5625);
    stage_close(&it);
}

static void rate_is_per_second(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "clock: 1 GHz\n" TORUS "traffic: {all: {length: 64 flits, rate: 1e6}}");
    assert_close(network->traffic_classes[0].per_tick, 0.001);
    assert_close(network->load, 0.064);
    assert_close(network->rate, 1e6);
    assert_string_equal(network->rate_unit, "messages/s");
    stage_close(&it);
}

/* Two ports of a flit in 4 cycles each can inject half a flit per cycle; links between routers
 * carry one in 2 cycles. */
static void loads_are_fractions_of_what_the_links_carry(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "links: {rate: 0.5 flits/cycle, host: {rate: 0.25 flits/cycle}}\n"
                              "endpoint: {ports: 2}\n"
                              "traffic: {all: {length: 64 flits, load: 0.5}}");
    assert_int_equal(network->timing.period[WEFT_LINK_HOST], 4);
    assert_close(network->bandwidth, 32);
    assert_close(network->capacity, 64);
    assert_close(network->traffic_classes[0].per_tick, 0.25 / 64);
    assert_close(network->load, 0.5);
    assert_close(network->rho, 0.25 * 16 * (32 / 15.0) / (64 * 0.5));
    double rho = network->rho;
    stage_close(&it);
    char text[512];
    snprintf(text, sizeof text,
             TORUS "links: {rate: 0.5 flits/cycle, host: {rate: 0.25 flits/cycle}}\n"
                   "endpoint: {ports: 2}\n"
                   "traffic: {all: {length: 64 flits, rho: %.17g}}",
             rho);
    network = stage_open(&it, text);
    assert_close(network->traffic_classes[0].per_tick, 0.25 / 64);
    stage_close(&it);
}

static void traffic_classes_know_their_longest_message(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "links: {flit: 16 B}\n"
                              "traffic:\n"
                              "  a: {length: 100 B, load: 0.1}\n"
                              "  b: {length: {kind: bimodal, short: 9 flits, long: 4 flits}, load: "
                              "0.1}\n"
                              "  c: {length: {kind: exponential, mean: 10 flits}, load: 0.1}\n");
    assert_int_equal(network->traffic_classes[0].most_flits, 7);
    assert_int_equal(network->traffic_classes[1].most_flits, 9);
    assert_int_equal(network->traffic_classes[2].most_flits, 231);
    stage_close(&it);
}

/* 64 B = 4 flits of 16 B, 1.28 ns each, in ticks of 40 ps: a message takes 128 ticks. */
static void rates_in_seconds_use_the_tick(void **state)
{
    (void)state;
    stage it;
    const weft_network *network = stage_open(
        &it, TORUS "links: {rate: 100 Gb/s, latency: 5 ns, flit: 16 B}\n"
                   "router: {header: 2.56 ns}\n"
                   "traffic: {all: {length: 64 B, load: 0.64, start: 1 us, stop: 2 us}}");
    const weft_traffic_class *traffic_class = &network->traffic_classes[0];
    assert_close(traffic_class->mean_flits, 4);
    assert_close(traffic_class->per_tick, 0.64 / 128);
    assert_close(traffic_class->rate, 0.64 / 128 / 40e-12);
    assert_int_equal(traffic_class->traffic.start, 25000);
    assert_int_equal(traffic_class->traffic.stop, 50000);
    assert_close(traffic_class->traffic.arrival.cycle_ticks, 32);
    stage_close(&it);
}

/* Transpose on 4×4: 12 senders, 8/3 hops. load counts the four that are silent too. */
/* The words of a scenario see to it; programs can set a scenario's values themselves. */
static void a_rate_needs_seconds(void **state)
{
    (void)state;
    stage it;
    (void)stage_open(&it, "clock: 1 GHz\n" TORUS "traffic: {all: {length: 8 flits, rate: 1000}}");
    weft_network_done(&it.network);
    it.scenario.clock = WEFT_NONE_REAL;
    it.built = false;
    assert_int_equal(weft_network_build(&it.network, &it.scenario, &it.arena, &it.err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(it.err.text, ": rate is in messages per second: give clock too"));
    stage_close(&it);
}

static void jobs_know_whom_they_wait_for(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "jobs: {a: {collective: allreduce/ring, ranks: 4}, b: {collective: "
                              "allreduce/ring, ranks: 4}, c: {collective: allreduce/ring, ranks: "
                              "4, after: b}, d: {collective: allreduce/ring, ranks: 4, after: a}}");
    assert_int_equal(network->jobs->n_jobs, 4);
    assert_int_equal(network->jobs->jobs[0].after, WEFT_NOWHERE);
    assert_int_equal(network->jobs->jobs[1].after, WEFT_NOWHERE);
    assert_int_equal(network->jobs->jobs[2].after, 1);
    assert_int_equal(network->jobs->jobs[3].after, 0);
    stage_close(&it);
}

static void silent_endpoints_are_made_up_for(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "traffic: {all: {pattern: transpose, length: 64 flits, load: 0.3}}");
    const weft_traffic_class *traffic_class = &network->traffic_classes[0];
    assert_int_equal(traffic_class->senders, 12);
    assert_close(traffic_class->mean_hops, 8 / 3.0);
    assert_close(traffic_class->per_tick, 0.3 * 16 / 12 / 64);
    assert_close(traffic_class->load, 0.3);
    assert_close(traffic_class->rho, 0.2);
    stage_close(&it);
}

/* 0.4 offered: 0.1 in messages of 10 flits, 0.3 in messages of 100. */
static void shares_add_up_to_what_is_offered(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "offered: {load: 0.4}\n"
                              "traffic:\n"
                              "  small: {length: 10 flits, share: 25%}\n"
                              "  large: {length: 100 flits, share: 75%, pattern: neighbour}\n");
    assert_int_equal(network->n_traffic_classes, 2);
    assert_close(network->traffic_classes[0].per_tick, 0.01);
    assert_close(network->traffic_classes[1].per_tick, 0.003);
    assert_close(network->load, 0.4);
    assert_close(network->rate, 0.013);
    assert_close(network->mean_flits, (0.01 * 10 + 0.003 * 100) / 0.013);
    assert_close(network->mean_hops, (0.01 * 32 / 15 + 0.003 * 2) / 0.013);
    assert_close(network->rho, 0.25 * (0.1 * 32 / 15 + 0.3 * 2));
    stage_close(&it);
}

static void hosts_share_a_router(void **state)
{
    (void)state;
    stage it;
    const weft_network *network = stage_open(&it, "topology: {kind: mesh, dims: [2], hosts: 2}\n"
                                                  "traffic: {all: {length: 8 flits, load: 0.5}}");
    /* of 3 others, 2 are one hop away; 2 links carry what 4 endpoints send */
    assert_close(network->mean_hops, 2 / 3.0);
    assert_close(network->rho, 0.5 * 4 * (2 / 3.0) / 2);
    stage_close(&it);
}

static void selections_and_shortcuts_are_set(void **state)
{
    (void)state;
    const struct {
        const char *routing;
        unsigned straight;
        bool draws;
    } cases[] = {{"minimal-oblivious, selection: dimension-order", 1, false},
                 {"minimal-adaptive, selection: dimension-order", WEFT_MINIMAL_PORTS_MAX, false},
                 {"minimal-oblivious, selection: random", 0, true},
                 {"minimal-adaptive, selection: diagonal", 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 TORUS "routing: {kind: %s}\ntraffic: {all: {length: 1 flits, "
                       "load: 0.1}}",
                 cases[i].routing);
        stage it;
        const weft_network *network = stage_open(&it, text);
        assert_int_equal(network->routing.straight, cases[i].straight);
        assert_int_equal(network->routing.draws, cases[i].draws);
        assert_ptr_equal(network->routing.topology, &network->topology);
        stage_close(&it);
    }
}

static void refuse(const char *text, const char *message)
{
    stage it;
    assert_int_equal(stage_try(&it, text), WEFT_BAD_INPUT);
    assert_string_equal(it.err.text, message);
    stage_close(&it);
}

#define SOME_TRAFFIC "traffic: {all: {length: 1 flits, load: 0.1}}"

static void topologies_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    refuse("topology: {kind: torus, dims: [65535, 65535]}\n" SOME_TRAFFIC,
           "test.yaml:2:31: topology.dims makes more than 268435456 routers (2^28), the most there "
           "can be");
    refuse("topology: {kind: torus, dims: [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, "
           "2, 2, 2, 2, 2, 2, 2, 2]}\n" SOME_TRAFFIC,
           "test.yaml:2:31: topology.dims must list 1 to 24 sizes, found 25");
    refuse("topology: {kind: torus, dims: [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]}\n" SOME_TRAFFIC,
           "test.yaml:2:31: topology.dims needs a route of 33 bits, a packet has room for 32: use "
           "fewer or smaller dimensions");
    refuse("topology: {kind: mesh, dims: [5000]}\n" SOME_TRAFFIC,
           "test.yaml:2:11: the longest minimal path has 4999 hops, a packet can count 2047");
    refuse("topology: {kind: torus, dims: [2048, 2048, 8], hosts: 200}\n" SOME_TRAFFIC,
           "test.yaml:2:11: more than 2^32 endpoints");
}

static void traffic_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    refuse("topology: {kind: torus, dims: [2]}\n"
           "traffic:\n  all: {length: 1 flits, load: 0.1, pattern: tornado}",
           "test.yaml:4:8: no endpoint sends anything under pattern tornado");
    refuse(TORUS "traffic:\n"
                 "  good: {length: 1 flits, load: 0.1, pattern: {kind: hop-uniform, hops: 2}}\n"
                 "  bad: {length: 1 flits, load: 0.1, pattern: {kind: hop-uniform, hops: 5}}",
           "test.yaml:5:8: pattern hop-uniform: no router is 5 hops away in this network");
    refuse(TORUS
           "traffic:\n  all: {length: 1 flits, load: 1.5, overload: true, arrival: bernoulli}",
           "test.yaml:4:8: arrival bernoulli can send 1 per cycle and endpoint at most, the class "
           "offers 1.5");
    refuse("clock: 1 Hz\n" TORUS "traffic:\n  all: {length: 1 flits, rate: 70000}",
           "test.yaml:5:8: the class offers 70000 messages per tick and endpoint; more than 0 and "
           "at most 65536 can be simulated");
}

static void a_message_in_every_cycle_is_possible(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "traffic: {all: {length: 1 flits, load: 1, arrival: bernoulli}}");
    assert_close(network->traffic_classes[0].traffic.arrival.mean, 1);
    stage_close(&it);
}

/* Links between routers on the path of a message, by the routes of all pairs. */
static double walked(const weft_network *network)
{
    weft_channel_load load;
    double hops = 0;
    weft_channel_load_walk(&load, network, 1 << 26);
    assert_true(load.known && load.path[0].known);
    for (int i = 0; i < WEFT_PATH_CLASSES; i++)
        for (int j = 0; j < WEFT_PATH_CLASSES; j++)
            hops += j == WEFT_LINK_HOST ? 0 : load.path[0].link[i][j];
    return hops;
}

/* Whatever the pattern; expected: by hand, 0: as walked. Over a group within `error`. */
static void detours_are_as_long_as_walked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double expected, error;
    } cases[] = {
        /* a tenth leaves its router, for two times 15/16 of 32/15 hops */
        {"topology: {kind: torus, dims: [4, 4], hosts: 4}\n"
         "traffic: {all: {pattern: {kind: locality, shares: [{within: router, share: 90%}, "
         "{beyond: 0, share: 10%}]}, length: 4 flits, load: 0.1}}\n",
         0.4, 0},
        /* 0 + 1 + … + 7 hops out, 1 + 0 + 1 + … + 6 home */
        {"topology: {kind: mesh, dims: [8]}\n"
         "traffic: {all: {from: 0, to: 1, length: 4 flits, load: 0.1}}\n",
         50.0 / 8, 0},
        {"topology: {kind: mesh, dims: [4, 3], hosts: 2}\n"
         "traffic: {all: {pattern: {kind: locality, shares: [{within: router, share: 20%}, "
         "{beyond: 0, share: 80%}]}, length: 4 flits, load: 0.1}}\n",
         0, 0},
        {"topology: {kind: mesh, dims: [4, 4], hosts: 2}\n"
         "traffic: {all: {pattern: {kind: hot-spot, node: 0, share: 50%}, length: 4 flits, "
         "load: 0.1}}\n",
         0, 0},
        {"topology: {kind: torus, dims: [4, 4], hosts: 2}\n"
         "traffic: {all: {pattern: complement, length: 4 flits, load: 0.1}}\n",
         4, 0},
        {"topology: {kind: fat-tree, arity: 2, levels: 3}\n"
         "traffic: {all: {pattern: complement, length: 4 flits, load: 0.1}}\n",
         0, 0},
        {"topology: {kind: torus, dims: [4, 4], hosts: 4}\n"
         "traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}\n",
         4 * 60 / 63.0, 0},
        {"topology: {kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}\n"
         "traffic: {all: {pattern: {kind: locality, shares: [{within: router, share: 50%}, "
         "{within: group, share: 40%}, {beyond: 0, share: 10%}]}, length: 4 flits, load: 0.1}}\n",
         0, 0.01},
        {"topology: {kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}\n"
         "traffic: {all: {pattern: {kind: group-adversarial}, length: 4 flits, load: 0.1}}\n",
         0, 0.02},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stage it;
        char text[512];
        (void)snprintf(text, sizeof text,
                       "%srouting: {kind: valiant}\nrouter: {kind: input-queued, vcs: 8}\n",
                       cases[i].text);
        const weft_network *network = stage_open(&it, text);
        double hops = walked(network), found = network->traffic_classes[0].mean_hops;
        if (!(fabs(found / hops - 1) <= cases[i].error + 1e-12))
            fail_msg("%s: %.12g, by pairs %.12g", text, found, hops);
        if (cases[i].expected > 0)
            assert_close(found, cases[i].expected);
        stage_close(&it);
    }
}

/* 2047 at most: a packet counts no further. */
static void detours_of_too_many_hops_are_refused(void **state)
{
    (void)state;
    static const char *const kinds[] = {"valiant", "ugal", "par"};
    static const struct {
        const char *topology;
        unsigned hops; /* 0: accepted */
    } cases[] = {{"{kind: mesh, dims: [1024]}", 0},     {"{kind: mesh, dims: [1025]}", 2048},
                 {"{kind: mesh, dims: [1100]}", 2198},  {"{kind: mesh, dims: [2, 1024]}", 2048},
                 {"{kind: torus, dims: [2049]}", 2048}, {"{kind: torus, dims: [2046]}", 0}};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            stage it;
            char text[512], message[128];
            (void)snprintf(text, sizeof text,
                           "topology: %s\nrouting: {kind: %s}\n"
                           "router: {kind: input-queued, vcs: 8}\n"
                           "traffic: {all: {length: 4 flits, load: 0.0001}}\n",
                           cases[i].topology, kinds[k]);
            (void)snprintf(message, sizeof message,
                           "the longest path of routing %s has %u hops, a packet can count 2047",
                           kinds[k], cases[i].hops);
            if (cases[i].hops == 0) {
                (void)stage_open(&it, text);
            } else {
                assert_int_equal(stage_try(&it, text), WEFT_BAD_INPUT);
                assert_non_null(strstr(it.err.text, message));
            }
            stage_close(&it);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_is_a_share_of_injection_bandwidth),
        cmocka_unit_test(rho_is_the_load_of_links),
        cmocka_unit_test(rate_is_per_second),
        cmocka_unit_test(loads_are_fractions_of_what_the_links_carry),
        cmocka_unit_test(traffic_classes_know_their_longest_message),
        cmocka_unit_test(rates_in_seconds_use_the_tick),
        cmocka_unit_test(a_rate_needs_seconds),
        cmocka_unit_test(jobs_know_whom_they_wait_for),
        cmocka_unit_test(silent_endpoints_are_made_up_for),
        cmocka_unit_test(shares_add_up_to_what_is_offered),
        cmocka_unit_test(hosts_share_a_router),
        cmocka_unit_test(selections_and_shortcuts_are_set),
        cmocka_unit_test(topologies_that_do_not_fit_are_refused),
        cmocka_unit_test(traffic_that_does_not_fit_is_refused),
        cmocka_unit_test(a_message_in_every_cycle_is_possible),
        cmocka_unit_test(detours_are_as_long_as_walked),
        cmocka_unit_test(detours_of_too_many_hops_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
