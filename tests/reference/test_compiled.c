/* SPDX-License-Identifier: Apache-2.0 */
/* Routers that are compiled for constant features (layout.h) measure what the general code does,
 * which a trace makes a network run and which the flit reference checks. So does the general code
 * with the events of a tick in any order, and that of routers with more than 64 ports. */
#include "base/pack.h"
#include "sim/simulation.h"
#include "sim/site.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "contract/scenario.h"

static void count(void *user, weft_trace_kind kind, const weft_event *event, uint32_t place,
                  uint32_t output, uint32_t vc, weft_time at)
{
    (void)kind, (void)event, (void)place, (void)output, (void)vc, (void)at;
    ++*(uint64_t *)user;
}

static weft_pack run(const stage *on, const weft_trace *trace, uint32_t blocks)
{
    weft_simulation_options options = {.blocks = blocks, .threads = 1, .trace = trace};
    weft_simulation *simulation = NULL;
    weft_ending ending;
    weft_error err;
    weft_pack measured = {0};
    assert_int_equal(weft_simulation_create(&on->network, &options, &simulation, &err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &err), WEFT_OK);
    weft_series_save(weft_simulation_series(simulation), &measured);
    weft_simulation_destroy(simulation);
    return measured;
}

static void assert_same(weft_pack found, const weft_pack *expected)
{
    assert_int_equal(found.count, expected->count);
    assert_memory_equal(found.data, expected->data, expected->count);
    weft_pack_done(&found);
}

static void open_scene(stage *on, const char *topology, const char *router, const char *load,
                       uint32_t flits)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "topology: {%s}\n"
                   "router: {kind: input-queued, vcs: 2, buffer: %u flits%s}\n"
                   "routing: {kind: %s}\n"
                   "traffic: {all: {pattern: uniform, length: %u flits, load: %s}}\n"
                   "measure: {half-width: 0.0001%%, limit: {time: 3000 cycles}}\n",
                   topology, 3 * flits, router,
                   strstr(topology, "fat-tree") ? "d-mod-k" : "dimension-order", flits, load);
    stage_open(on, text);
}

static void agree(const char *topology, const char *router, const char *load, uint32_t flits)
{
    stage on;
    uint64_t noted = 0;
    weft_trace trace = {.note = count, .user = &noted};
    open_scene(&on, topology, router, load, flits);
    weft_pack general = run(&on, &trace, 1);
    for (uint32_t blocks = 1; blocks <= 3; blocks += 2)
        assert_same(run(&on, NULL, blocks), &general);
    assert_true(noted > 1000);
    weft_pack_done(&general);
    stage_close(&on);
}

static void compiled_is_general(void **unused)
{
    (void)unused;
    static const char *const topologies[] = {
        "kind: fat-tree, arity: 4, levels: 2", "kind: fat-tree, form: m-port, arity: 4, levels: 3",
        "kind: fat-tree, form: xgft, down: [5, 3], up: [1, 2]"};
    static const char *const loads[] = {"0.1", "0.6", "1.0"};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t l = 0; l < 3; l++) {
            agree(topologies[i], "", loads[l], 1);
            agree(topologies[i], "", loads[l], 5);
        }
    agree("kind: torus, dims: [4, 4]", "", "0.6", 5);
    agree("kind: torus, dims: [4, 4]", ", queues: voq", "0.6", 5);
}

/* Lines to an output that are granted in the same tick: the later one may find no room. */
#define FAST ", output-buffer: 16 flits, output-speedup: 2, input-speedup: 2, scheduler: separable"

static void order_and_width_do_not_matter(void **unused)
{
    (void)unused;
    static const char *const routers[] = {"", ", queues: voq", FAST, FAST ", queues: voq"};
    for (size_t i = 0; i < sizeof routers / sizeof *routers; i++) {
        stage on;
        uint64_t noted = 0;
        weft_trace plain = {.note = count, .user = &noted}, shuffled = plain, wide = plain;
        shuffled.shuffle = 7;
        wide.wide = true;
        open_scene(&on, "kind: torus, dims: [4, 4], hosts: 2", routers[i], "0.7", 5);
        weft_pack expected = run(&on, &plain, 1);
        assert_same(run(&on, &shuffled, 1), &expected);
        assert_same(run(&on, &wide, 1), &expected);
        weft_pack_done(&expected);
        stage_close(&on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_is_general),
                                       cmocka_unit_test(order_and_width_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
