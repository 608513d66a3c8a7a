/* SPDX-License-Identifier: Apache-2.0 */
/* Credits of input-queued routers add up after every window, whatever the routers have; and the
 * audit does notice what is missing. */
#include "sim/router/input_queued/audit.h"
#include "sim/router/input_queued/credit_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

#define WINDOWS 1500

typedef struct world {
    stage stage;
    weft_tally tally;
    weft_instance instance;
} world;

static void world_open(world *it, const char *text, uint32_t blocks)
{
    const weft_network *network = stage_open(&it->stage, text);
    weft_tally_init(&it->tally, network->n_traffic_classes, 8, false);
    weft_instance_plan plan = {.blocks = blocks, .tallies = &it->tally};
    assert_int_equal(weft_instance_open(&it->instance, network, &plan, &it->stage.err), WEFT_OK);
    weft_instance_start(&it->instance);
}

static void world_close(world *it)
{
    weft_instance_close(&it->instance);
    weft_tally_done(&it->tally);
    stage_close(&it->stage);
}

static void run_window(world *it)
{
    weft_time window = it->instance.platform.router->lookahead(&it->instance.platform);
    weft_engine_run(it->instance.engine, weft_engine_now(it->instance.engine) + window);
}

#define TRAFFIC "traffic: {all: {pattern: uniform, length: 6 flits, load: 1.0}}\n"

static void credits_add_up_after_every_window(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "topology: {kind: torus, dims: [4, 3]}\n"
        "router: {kind: input-queued, vcs: 3, buffer: 6 flits}\n" TRAFFIC,
        "topology: {kind: torus, dims: [4, 3]}\nlinks: {latency: 3 cycles}\n"
        "router: {kind: input-queued, vcs: 4, buffer: 13 flits, queues: voq, scheduler: "
        "islip}\n" TRAFFIC,
        "topology: {kind: torus, dims: [5, 3]}\nrouting: {kind: minimal-adaptive}\n"
        "router: {kind: input-queued, vcs: 4, buffer: 2 packets, shared: 3 packets, credit: 40 "
        "cycles}\n" TRAFFIC,
        "topology: {kind: mesh, dims: [4, 4]}\nendpoint: {ports: 2, mtu: 4 flits}\n"
        "router: {kind: input-queued, vcs: 4, buffer: 9 flits, speedup: 2, input-speedup: 2, "
        "output-speedup: 2,\n"
        "         output-buffer: 16 flits}\n" TRAFFIC,
        "topology: {kind: flattened-butterfly, dims: [3, 3], hosts: 2}\n"
        "router: {kind: input-queued, vcs: 2, buffer: 6 flits, vc-stage: true, switching: "
        "store-and-forward}\n" TRAFFIC,
        "topology: {kind: fat-tree, arity: 3, levels: 3}\n"
        "routing: {kind: minimal-adaptive, selection: random}\n"
        "router: {kind: input-queued, vcs: 2, buffer: 6 flits}\n" TRAFFIC,
        "topology: {kind: butterfly, arity: 3, stages: 3}\nlinks: {latency: 2 cycles}\n"
        "router: {kind: input-queued, vcs: 1, buffer: 6 flits}\n" TRAFFIC,
        "topology: {kind: butterfly, arity: 2, stages: 4}\nrouting: {kind: d-mod-k}\n"
        "router: {kind: input-queued, vcs: 2, buffer: 2 packets, queues: voq, credit: 30 "
        "cycles}\n" TRAFFIC,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t blocks = 1; blocks <= 3; blocks += 2) {
            world it;
            world_open(&it, texts[i], blocks);
            for (int w = 0; w < WINDOWS; w++) {
                run_window(&it);
                assert_true(weft_iq_audit(&it.instance));
            }
            assert_true(it.tally.traffic_classes[0].delivered > 100);
            world_close(&it);
        }
}

static void a_missing_credit_is_noticed(void **state)
{
    (void)state;
    world it;
    world_open(&it,
               "topology: {kind: torus, dims: [4, 3]}\n"
               "router: {kind: input-queued, vcs: 3, buffer: 6 flits}\n" TRAFFIC,
               2);
    for (int w = 0; w < 100; w++)
        run_window(&it);
    assert_true(weft_iq_audit(&it.instance));
    weft_iq *iq = it.instance.sites[1].state;
    weft_iq_port_at(&iq->layout, weft_iq_record(iq, 2), 1)->credits[2]--;
    assert_false(weft_iq_audit(&it.instance));
    world_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credits_add_up_after_every_window),
        cmocka_unit_test(a_missing_credit_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
