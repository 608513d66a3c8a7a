/* SPDX-License-Identifier: Apache-2.0 */
/* Rings whose packets may use all VCs stop sooner or later: the run says so soon, even while
 * other packets still go on, and who waits for whom, which the verdict before the run knew to be
 * possible. What is only slow is not called so. */
#include "analysis/deadlock/deadlock.h"
#include "sim/simulation.h"
#include "sim/site.h"
#include "sim/watch/knot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "contract/scenario.h"

#define LATENCIES 20

typedef struct move { /* of a packet into a channel */
    weft_channel channel;
    weft_time at;
} move;

typedef struct witness { /* when a packet last went into each channel */
    move moved[4096];
    uint32_t count;
} witness;

static void note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at)
{
    witness *w = user;
    (void)packet;
    if (kind != WEFT_TRACE_HOP)
        return;
    uint32_t i = 0;
    while (i < w->count && (w->moved[i].channel.router != place ||
                            w->moved[i].channel.port != output || w->moved[i].channel.vc != vc))
        i++;
    assert_true(i < 4096);
    w->count = i == w->count ? i + 1 : w->count;
    w->moved[i] = (move){{place, (uint16_t)output, (uint16_t)vc}, at};
}

static weft_time last_move(const witness *w, weft_channel channel)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->moved[i].channel.router == channel.router &&
            w->moved[i].channel.port == channel.port && w->moved[i].channel.vc == channel.vc)
            return w->moved[i].at;
    return 0;
}

/* Runs a scenario; its status, and the text of a failure in it->err. */
static weft_status play(stage *it, const char *text, uint32_t blocks, witness *w)
{
    weft_simulation *simulation = NULL;
    weft_trace trace = {.note = note, .user = w};
    weft_simulation_options options = {.blocks = blocks, .trace = w ? &trace : NULL};
    weft_ending ending;
    stage_open(it, text);
    assert_int_equal(weft_simulation_create(&it->network, &options, &simulation, &it->err),
                     WEFT_OK);
    weft_status status = weft_simulation_run(simulation, &ending, &it->err);
    weft_simulation_destroy(simulation);
    return status;
}

/* Every wait that is told is one of the graph; returns how many there are, and the last move
 * into any of these channels. */
static unsigned check_edges(const stage *it, const weft_deadlock *found, const witness *w,
                            weft_time *last)
{
    const weft_topology *topology = &it->network.topology;
    unsigned edges = 0;
    *last = 0;
    for (const char *at = strstr(it->err.text, "router "); at; at = strstr(at + 1, "router ")) {
        unsigned router, in, vc, out, next_vc;
        if (sscanf(at, "router %u input %u VC %u waits for output %u VC %u", &router, &in, &vc,
                   &out, &next_vc) != 5)
            continue;
        weft_end from = weft_topology_upstream(topology, router, in);
        weft_channel held = {from.router, (uint16_t)from.port, (uint16_t)vc};
        weft_channel next = {router, (uint16_t)out, (uint16_t)next_vc};
        assert_true(weft_deadlock_waits(found, held, next));
        weft_time moved = last_move(w, held);
        *last = moved > *last ? moved : *last;
        edges++;
    }
    return edges;
}

static void assert_deadlock(const char *text, weft_deadlock_verdict verdict, bool committed)
{
    char first[sizeof((weft_error *)0)->text];
    for (uint32_t blocks = 1; blocks <= 4; blocks += 3) {
        stage it;
        witness *w = calloc(1, sizeof *w);
        assert_int_equal(play(&it, text, blocks, w), WEFT_BROKEN);
        long long tick = 0;
        assert_int_equal(sscanf(it.err.text, "deadlock at tick %lld: ", &tick), 1);
        weft_deadlock_question question;
        weft_deadlock found;
        weft_deadlock_ask(&question, &it.network, committed);
        weft_deadlock_init(&found, &question);
        assert_int_equal(found.verdict, verdict);
        weft_time last;
        assert_true(check_edges(&it, &found, w, &last) >= 3);
        /* a hop takes 3 ticks here: routers + 1 of them, and the flits of a packet */
        double alone = (it.network.mean_hops + 1) * 3 + it.network.mean_flits;
        assert_true(last > 0 && (double)(tick - last) <= LATENCIES * alone);
        if (blocks == 1)
            memcpy(first, it.err.text, sizeof first);
        assert_string_equal(first, it.err.text);
        weft_deadlock_done(&found);
        free(w);
        stage_close(&it);
    }
}

static void a_deadlock_is_found_soon_and_explained(void **state)
{
    (void)state;
    assert_deadlock("topology: {kind: torus, dims: [8], tie: positive}\n"
                    "router: {kind: input-queued, vcs: 2, buffer: 4 flits}\n"
                    "routing: {kind: dimension-order, dateline: none}\n"
                    "traffic: {all: {pattern: tornado, length: 4 flits, load: 1.0}}\n"
                    "measure: {warmup: 0 cycles, limit: {time: 1000000 cycles}}\n",
                    WEFT_DEADLOCK_FOUND, false);
    assert_deadlock("topology: {kind: torus, dims: [6, 6]}\n"
                    "router: {kind: input-queued, vcs: 1, buffer: 8 flits}\n"
                    "routing: {kind: dimension-order, dateline: none}\n"
                    "traffic: {all: {pattern: uniform, length: 4 flits, load: 0.6}}\n"
                    "measure: {warmup: 0 cycles, limit: {time: 1000000 cycles}}\n",
                    WEFT_DEADLOCK_FOUND, false);
}

static void packets_that_own_a_vc_without_room_deadlock(void **state)
{
    (void)state;
    assert_deadlock("topology: {kind: torus, dims: [8, 8]}\n"
                    "router: {kind: input-queued, vcs: 3, buffer: 4 flits, vc-stage: true}\n"
                    "routing: {kind: dimension-order, dateline: shared}\n"
                    "traffic: {all: {pattern: uniform, length: 4 flits, load: 1.0}}\n"
                    "measure: {warmup: 0 cycles, limit: {time: 1000000 cycles}}\n",
                    WEFT_DEADLOCK_FOUND, true);
}

/* One class of traffic stops around its rings, another on VCs of its own does not mind. */
static void it_is_found_while_others_go_on(void **state)
{
    (void)state;
    stage it;
    assert_int_equal(play(&it,
                          "topology: {kind: torus, dims: [8]}\n"
                          "router: {kind: input-queued, vcs: 3, buffer: 4 flits}\n"
                          "routing: {kind: dimension-order, dateline: none}\n"
                          "traffic:\n"
                          "  bad: {pattern: uniform, length: 4 flits, load: 0.8, vcs: [0]}\n"
                          "  good: {pattern: uniform, length: 4 flits, load: 0.1, vcs: [1, 2],\n"
                          "         routing: {kind: dimension-order}}\n"
                          "measure: {warmup: 0 cycles, limit: {time: 1000000 cycles}}\n",
                          1, NULL),
                     WEFT_BROKEN);
    assert_non_null(strstr(it.err.text, "none of them will ever move, while others do: router "));
    assert_null(strstr(it.err.text, "waits for output 0 VC 1"));
    stage_close(&it);
}

static void saturation_is_no_deadlock(void **state)
{
    (void)state;
    const char *const sound[] = {"dimension-order, dateline: per-hop", "dimension-order",
                                 "minimal-adaptive"};
    for (size_t i = 0; i < 3; i++) {
        char text[512];
        stage it;
        (void)snprintf(text, sizeof text,
                       "topology: {kind: torus, dims: [6, 5]}\n"
                       "router: {kind: input-queued, vcs: 3, buffer: 4 flits}\n"
                       "routing: {kind: %s}\n"
                       "traffic: {all: {pattern: uniform, length: 4 flits, load: 1.0}}\n"
                       "measure: {warmup: 0 cycles, limit: {time: 20000 cycles}}\n",
                       sound[i]);
        assert_int_equal(play(&it, text, 1, NULL), WEFT_OK);
        stage_close(&it);
    }
}

static void wait(weft_waits *waits, uint32_t queue, const char *others)
{
    weft_waits_begin(waits, (weft_input_queue){queue, 0, 0});
    weft_waits_since(waits, 100 + queue);
    for (; *others; others++)
        weft_waits_for(waits, (weft_wait_for){{(uint32_t)(*others - '0'), 0, 0}, 1, 0});
}

/* 1 → 2 → 3 → 1 is one; 4 waits for it; 5 could go to 6, which moves; so 7, which waits for 1
 * and 5, may. */
static void a_knot_is_closed_over_all_alternatives(void **state)
{
    (void)state;
    weft_waits waits = {.starving = 106};
    weft_knot knot;
    wait(&waits, 4, "1");
    wait(&waits, 2, "3");
    wait(&waits, 7, "15");
    wait(&waits, 1, "2");
    wait(&waits, 5, "126");
    wait(&waits, 3, "12");
    assert_int_equal(waits.queues, 6);
    assert_int_equal(waits.starved, 1);
    weft_knot_find(&waits, &knot);
    assert_int_equal(knot.queues, 4);
    assert_int_equal(knot.length, 3);
    weft_waits_clear(&waits);
    wait(&waits, 1, "2");
    wait(&waits, 2, "13");
    weft_knot_find(&waits, &knot);
    assert_int_equal(knot.queues, 0);
    weft_waits_drop(&waits);
    wait(&waits, 2, "1");
    weft_knot_find(&waits, &knot);
    assert_int_equal(knot.queues, 2);
    weft_waits_done(&waits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadlock_is_found_soon_and_explained),
        cmocka_unit_test(packets_that_own_a_vc_without_room_deadlock),
        cmocka_unit_test(it_is_found_while_others_go_on),
        cmocka_unit_test(saturation_is_no_deadlock),
        cmocka_unit_test(a_knot_is_closed_over_all_alternatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
