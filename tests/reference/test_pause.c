/* SPDX-License-Identifier: Apache-2.0 */
/* Pause: what a buffer holds under a sender that never stops is a closed form, and the headroom is
 * exactly enough; thresholds and buffers that would lose packets are refused. */
#include "base/pack.h"
#include "sim/buffering.h"
#include "sim/platform.h"
#include "sim/simulation.h"
#include "sim/site.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

enum { GRANTS_MOST = 4096, SLOW = 1000 };

typedef struct line { /* two routers, the second of which hardly drains; times in cycles */
    int period, wire, crossbar, credit, flits, xoff;
} line;

typedef struct watch {
    weft_time sent[GRANTS_MOST]; /* grants at the first router … */
    weft_time left[GRANTS_MOST]; /* … and at the second */
    int n_sent, n_left;
} watch;

static void note(void *user, weft_trace_kind kind, const weft_event *event, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at)
{
    watch *on = user;
    (void)event, (void)output, (void)vc;
    if (kind != WEFT_TRACE_HOP)
        return;
    assert_true(on->n_sent < GRANTS_MOST && on->n_left < GRANTS_MOST);
    if (place == 0)
        on->sent[on->n_sent++] = at;
    else
        on->left[on->n_left++] = at;
}

/* Flits of packets that began at these ticks, a period apart, that are there by tick t. */
static int64_t flits_by(const weft_time *from, int count, int flits, int period, weft_time t)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        weft_time come = t < from[i] ? 0 : (t - from[i]) / period + 1;
        sum += come < flits ? come : flits;
    }
    return sum;
}

/* The most that the buffer behind the link ever holds. */
static int64_t greatest(const line *of, const watch *on)
{
    int64_t most = 0;
    weft_time way = of->crossbar + of->wire;
    for (weft_time t = 0; t < SLOW; t++) {
        int64_t level = flits_by(on->sent, on->n_sent, of->flits, of->period, t - way) -
                        flits_by(on->left, on->n_left, of->flits, SLOW, t);
        most = level > most ? level : most;
    }
    return most;
}

static void write_line(const line *of, char *text, size_t room)
{
    (void)snprintf(text, room,
                   "topology: {kind: mesh, dims: [2]}\n"
                   "links: {latency: %d cycles, rate: %.12f flits/cycle, where: {'host 1': "
                   "{rate: %.12f flits/cycle}}}\n"
                   "routing: {kind: dimension-order}\n"
                   "router: {kind: input-queued, vcs: 1, flow-control: pause, xoff: %d flits, "
                   "xon: 0 flits, buffer: 2000 flits, crossbar: %d cycles, credit: %d cycles}\n"
                   "endpoint: {backlog: 200}\n"
                   "traffic: {a: {from: 0, to: 1, length: %d flits, load: 0.01}}\n"
                   "measure: {half-width: 0.0001%%, limit: {time: %d cycles}}\n",
                   of->wire, 1.0 / of->period, 1.0 / SLOW, of->xoff, of->crossbar, of->credit,
                   of->flits, SLOW - 10);
}

/* Flit xoff + 1 fills the buffer, as one flit has left; packets that start until the pause comes
 * are finished. */
static int64_t expected(const line *of)
{
    int64_t paused = (int64_t)of->xoff * of->period + of->crossbar + of->wire + of->credit;
    return ((paused - 1) / (of->flits * of->period) + 1) * of->flits - 1;
}

static int64_t headroom(const line *of)
{
    return (of->credit + of->crossbar + of->wire - 1) / of->period + of->flits - 1;
}

static int64_t run_line(const line *of)
{
    stage it;
    char text[1024];
    watch *on = calloc(1, sizeof *on);
    weft_simulation *simulation = NULL;
    weft_ending ending;
    weft_buffering found;
    weft_platform platform;
    assert_non_null(on);
    write_line(of, text, sizeof text);
    const weft_network *network = stage_open(&it, text);
    assert_int_equal(network->timing.cycle, 1);
    weft_platform_init(&platform, network);
    weft_buffering_look(&found, &platform);
    assert_true(found.pauses && found.headroom >= headroom(of));
    weft_trace trace = {.note = note, .user = on};
    weft_simulation_options options = {.blocks = 1, .threads = 1, .trace = &trace};
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &it.err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &it.err), WEFT_OK);
    int64_t most = greatest(of, on);
    weft_simulation_destroy(simulation);
    stage_close(&it);
    free(on);
    return most;
}

static void persistent_sender_fills_the_headroom(void **state)
{
    static const int periods[] = {1, 2, 4};
    int attained = 0;
    (void)state;
    srand(7);
    for (int i = 0; i < 200; i++) {
        line of = {.period = periods[rand() % 3],
                   .wire = 1 + rand() % 12,
                   .crossbar = rand() % 3,
                   .credit = 1 + rand() % 20,
                   .flits = 1 + rand() % 9,
                   .xoff = 4 + rand() % 30};
        int64_t most = run_line(&of);
        assert_int_equal(most, expected(&of));
        assert_true(most <= of.xoff + headroom(&of));
        attained += most == of.xoff + headroom(&of);
    }
    print_message("200 lines as computed, %d of them fill the headroom\n", attained);
    assert_true(attained > 20);
}

/* The network is built, the router refuses it. */
static void refuses(const char *router, const char *rest, const char *why)
{
    stage it;
    char text[1024];
    weft_platform platform;
    (void)snprintf(text, sizeof text,
                   "topology: {kind: torus, dims: [4, 4]}\nlinks: {latency: 3 cycles}\n"
                   "router: {kind: input-queued, vcs: 4, %s}\n%s\n",
                   router, rest);
    weft_platform_init(&platform, stage_open(&it, text));
    assert_int_equal(platform.router->check(&platform, &it.err), WEFT_BAD_INPUT);
    if (!strstr(it.err.text, why))
        fail_msg("'%s' does not say '%s'", it.err.text, why);
    stage_close(&it);
}

/* Latency 3, crossbar 1, credit 4: 7 flits and a packet less one. */
static void buffer_that_would_lose_is_refused(void **state)
{
    const char *plain = "traffic: {a: {pattern: uniform, length: 8 flits, load: 0.1}}";
    (void)state;
    refuses("flow-control: pause, buffer: 33 flits, xoff: 20 flits", plain,
            "would lose packets: xoff at 20 and headroom for 14 flits that come after it need 34");
    refuses("flow-control: pause, buffer: 14 flits", plain, "need 15");
    refuses("flow-control: pause, buffer: 2 packets, xoff: 3 packets", plain,
            "headroom for 0 packets that come after it need 3");
    refuses("flow-control: pause, buffer: 64 flits, xoff: 9 flits, xon: 9 flits", plain,
            "router.xon must be below router.xoff");
    refuses("flow-control: pause, buffer: 64 flits, xoff: 2 packets", plain,
            "must both be counted in packets");
    refuses("flow-control: pause, buffer: 64 flits, shared: 4 flits", plain, "router.shared");
    refuses("buffer: 64 flits, xoff: 20 flits", plain, "are for flow-control: pause");
}

/* What is not given follows from the buffer. */
static void thresholds_follow_from_the_buffer(void **state)
{
    stage it;
    weft_platform platform;
    weft_buffering found;
    (void)state;
    weft_platform_init(
        &platform,
        stage_open(&it,
                   "topology: {kind: torus, dims: [4, 4]}\nlinks: {latency: 3 cycles}\n"
                   "router: {kind: input-queued, vcs: 4, flow-control: pause, buffer: 40 flits}\n"
                   "traffic: {a: {pattern: uniform, length: 8 flits, load: 0.1}}\n"));
    assert_int_equal(platform.router->check(&platform, &it.err), WEFT_OK);
    weft_buffering_look(&found, &platform);
    assert_int_equal(found.headroom, 14);
    assert_int_equal(found.xoff, 26);
    assert_int_equal(found.xon, 18);
    stage_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(persistent_sender_fills_the_headroom),
                                       cmocka_unit_test(buffer_that_would_lose_is_refused),
                                       cmocka_unit_test(thresholds_follow_from_the_buffer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
