/* SPDX-License-Identifier: Apache-2.0 */
/* The reference simulator by cases that can be followed with a pencil: what it says here is what
 * docs/theory/input-queued.md says. */
#include "reference/flit.h"
#include "reference/flit_route.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct bench {
    flit_config config;
    flit_end *peer;
    flit_packet packet[64];
    size_t count;
    flit_history history[64];
} bench;

/* Ports of a line of routers: +1 is port 0, −1 is port 1. */
static flit_end *line_peers(uint32_t routers, bool closed)
{
    flit_end *peer = calloc((size_t)routers * 2, sizeof *peer);
    assert_non_null(peer);
    for (uint32_t r = 0; r < routers; r++) {
        bool last = r + 1 == routers && !closed, first = r == 0 && !closed;
        peer[2 * r] = (flit_end){.router = last ? FLIT_NONE : (r + 1) % routers, .port = 1};
        peer[2 * r + 1] =
            (flit_end){.router = first ? FLIT_NONE : (r + routers - 1) % routers, .port = 0};
    }
    return peer;
}

/* A line or ring of at least three routers with one endpoint each, a flit a tick everywhere. */
static void bench_open(bench *on, uint32_t routers, bool ring)
{
    memset(on, 0, sizeof *on);
    on->peer = line_peers(routers, ring);
    on->config = (flit_config){.routers = routers,
                               .ports = 2,
                               .hosts = 1,
                               .links = 1,
                               .classes = 1,
                               .vcs = 2,
                               .peer = on->peer,
                               .period = {1, 1},
                               .latency = {2, 2},
                               .host_period = 1,
                               .host_latency = 1,
                               .ready = 2,
                               .crossbar = 1,
                               .credit = 3,
                               .buffer = 8,
                               .input_speedup = 1,
                               .output_speedup = 1,
                               .speedup = 1,
                               .iterations = 1,
                               .route = flit_route,
                               .dims = 1,
                               .size = {routers},
                               .rings = ring};
}

static void bench_add(bench *on, uint32_t source, uint32_t destination, uint32_t flits,
                      int64_t birth)
{
    uint32_t hosts = on->config.hosts;
    int offset = (int)(destination / hosts) - (int)(source / hosts);
    int routers = (int)on->config.routers;
    if (on->config.rings)
        offset = offset > routers / 2 ? offset - routers : offset;
    on->packet[on->count] = (flit_packet){.source = source,
                                          .destination = destination,
                                          .flits = flits,
                                          .birth = birth,
                                          .message = (uint32_t)on->count,
                                          .offset = {offset}};
    on->count++;
}

static void bench_run(bench *on)
{
    assert_true(flit_run(&on->config, on->packet, on->count, 100000, on->history) >= 0);
}

static void bench_close(bench *on)
{
    free(on->peer);
}

static void assert_hop(const flit_history *of, uint32_t i, int64_t tick, uint32_t output,
                       uint32_t vc)
{
    assert_true(i < of->n_hops);
    assert_int_equal(of->hops[i].tick, tick);
    assert_int_equal(of->hops[i].output, output);
    if (vc != FLIT_NONE)
        assert_int_equal(of->hops[i].vc, vc);
}

/* D + W + R + hops (X + W + R) + X + W + (L − 1) f, over any delays. */
static void latency_without_load_is_the_formula(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 200; i++) {
        bench on;
        bench_open(&on, 5, false);
        flit_config *set = &on.config;
        set->crossbar = i % 3;
        set->ready = 1 + i % 4;
        set->latency[0] = set->latency[1] = i / 3 % 4;
        set->host_latency = i / 5 % 3;
        set->send = i / 7 % 2;
        set->credit = 1 + i % 7;
        set->store_and_forward = i / 11 % 2;
        set->voq = i / 13 % 2;
        set->vc_stage = i / 17 % 2;
        set->scheduler = i / 19 % 2 ? FLIT_ISLIP : FLIT_SEPARABLE;
        int64_t period = set->period[0] = set->period[1] = set->host_period = 1 + i % 2;
        int64_t hops = i % 5, flits = 1 + i % 8;
        bench_add(&on, 0, (uint32_t)hops, (uint32_t)flits, 7);
        bench_run(&on);
        int64_t tail = (flits - 1) * period, wait = set->store_and_forward ? tail : 0;
        int64_t stop = set->ready + wait + set->vc_stage;
        assert_int_equal(on.history[0].injected, 7);
        assert_int_equal(on.history[0].n_hops, hops + 1);
        assert_int_equal(on.history[0].delivered - 7,
                         set->send + set->host_latency + stop +
                             hops * (set->crossbar + set->latency[0] + stop) + set->crossbar +
                             set->host_latency + tail);
        bench_close(&on);
    }
}

/* Past a slow link (3 ticks a flit) the head waits until its packet can no longer run dry: 2 (L
 * − 1) ticks. */
static void a_fast_link_waits_for_a_slow_one(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 3, false);
    on.config.period[0] = on.config.period[1] = 3;
    bench_add(&on, 0, 1, 5, 0);
    bench_run(&on);
    assert_hop(&on.history[0], 0, 3, 0, 0);                     /* host wire 1, R 2 */
    assert_hop(&on.history[0], 1, 3 + 5 + 2 * 4, 2, FLIT_NONE); /* X, wire and R 2 are 5 */
    assert_int_equal(on.history[0].delivered, 16 + 2 + 4);
    bench_close(&on);
}

/* Two endpoints of router 0 send to those of router 1 over one link: input 2 goes first, its
 * neighbour when the crossbar line is free; then the pointer is behind input 3. */
static void two_inputs_take_turns(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 3, false);
    on.config.hosts = 2;
    on.config.buffer = 16;
    for (int n = 0; n < 2; n++)
        bench_add(&on, 0, 2, 4, 0);
    for (int n = 0; n < 2; n++)
        bench_add(&on, 1, 3, 4, 0);
    bench_run(&on);
    assert_hop(&on.history[0], 0, 3, 0, 0);
    assert_hop(&on.history[2], 0, 7, 0, 1); /* VC 0 has 12 credits */
    assert_hop(&on.history[1], 0, 11, 0, 0);
    assert_hop(&on.history[3], 0, 15, 0, 1);
    /* each has an ejection link of its own */
    assert_hop(&on.history[0], 1, 8, 2, FLIT_NONE);
    assert_hop(&on.history[2], 1, 12, 3, FLIT_NONE);
    bench_close(&on);
}

/* With one VC of exactly a packet the source waits for the last credit: granted at 3, so it is
 * back at 3 + 3 + 3. So does router 0: its packet is granted at router 1 at 8. */
static void a_full_buffer_stops_the_source(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 3, false);
    on.config.vcs = 1;
    on.config.buffer = 4;
    bench_add(&on, 0, 1, 4, 0);
    bench_add(&on, 0, 1, 4, 0);
    bench_run(&on);
    assert_int_equal(on.history[1].injected, 9);
    assert_hop(&on.history[1], 0, 8 + 3 + 3, 0, 0);
    bench_close(&on);
}

/* The same with the buffer counted in packets, and with a shared pool that takes the second
 * packet at once. */
static void pools_and_packets_are_counted(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 3, false);
    on.config.vcs = 1;
    on.config.in_packets = true;
    on.config.buffer = 1;
    bench_add(&on, 0, 1, 4, 0);
    bench_add(&on, 0, 1, 1, 0);
    bench_run(&on);
    assert_int_equal(on.history[1].injected, 9);
    on.config.in_packets = false;
    on.config.buffer = 4;
    on.config.shared = 1;
    bench_run(&on);
    assert_int_equal(on.history[1].injected, 4);
    bench_close(&on);
}

/* Two packets to one output with a slow link: the second crosses into the output buffer at twice
 * the speed and waits for the link there. */
static void an_output_buffer_frees_the_input(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 3, false);
    on.config.hosts = 2;
    on.config.buffer = 16;
    on.config.period[0] = on.config.period[1] = on.config.host_period = 2;
    on.config.speedup = 2;
    on.config.output_buffer = 8;
    bench_add(&on, 0, 2, 4, 0);
    bench_add(&on, 1, 3, 4, 0);
    bench_run(&on);
    /* host wire 1, R 2, and (L − 1)(2 − 1) until it cannot run dry */
    assert_hop(&on.history[0], 0, 6, 0, 0);
    assert_hop(&on.history[1], 0, 10, 0, 1);
    /* it starts on the link when the first has left it, at 7 + 8 */
    assert_hop(&on.history[1], 1, 15 + 2 + 2 + 3, 3, FLIT_NONE);
    bench_close(&on);
}

/* On a ring of 4 a packet from 3 to 0 passes the end: class 0, VC 0; others use VC 1. */
static void datelines_divide_the_vcs(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 4, true);
    bench_add(&on, 0, 2, 2, 0);
    bench_add(&on, 2, 0, 2, 0);
    bench_add(&on, 3, 1, 2, 0);
    bench_run(&on);
    assert_hop(&on.history[0], 0, 3, 0, 1);
    assert_hop(&on.history[0], 1, 8, 0, 1);
    assert_hop(&on.history[1], 0, 3, 1, 1); /* offset −2: 2 − 2 stays inside */
    assert_hop(&on.history[2], 0, 3, 1, 1);
    on.packet[1].offset[0] = 2;
    bench_run(&on);
    assert_hop(&on.history[1], 0, 3, 0, 0);
    assert_hop(&on.history[1], 1, 8, 0, 0); /* from router 3 past the end */
    on.config.per_hop = true;
    on.packet[2].offset[0] = -2;
    bench_run(&on);
    assert_hop(&on.history[1], 1, 8, 0, 0);
    bench_close(&on);
}

/* Losers of the VC stage keep their turn; a VC is free when its packet's tail has left. */
static void the_vc_stage_gives_one_vc_at_a_time(void **state)
{
    (void)state;
    bench on;
    bench_open(&on, 3, false);
    on.config.hosts = 2;
    on.config.vcs = 1;
    on.config.buffer = 16;
    on.config.vc_stage = true;
    bench_add(&on, 0, 2, 4, 0);
    bench_add(&on, 1, 3, 4, 0);
    bench_run(&on);
    assert_hop(&on.history[0], 0, 4, 0, 0); /* asks at 3 */
    assert_hop(&on.history[1], 0, 9, 0, 0); /* the VC is free at 8, where it asks */
    bench_close(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_without_load_is_the_formula),
        cmocka_unit_test(a_fast_link_waits_for_a_slow_one),
        cmocka_unit_test(two_inputs_take_turns),
        cmocka_unit_test(a_full_buffer_stops_the_source),
        cmocka_unit_test(pools_and_packets_are_counted),
        cmocka_unit_test(an_output_buffer_frees_the_input),
        cmocka_unit_test(datelines_divide_the_vcs),
        cmocka_unit_test(the_vc_stage_gives_one_vc_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
