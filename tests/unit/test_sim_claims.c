/* SPDX-License-Identifier: Apache-2.0 */
/* A topology of a plug-in may have coordinates without saying that its ports have the same numbers
 * everywhere: routers ask it then, and nothing else changes. */
#include "contract/ring.h"
#include "base/pack.h"
#include "sim/simulation.h"
#include "study/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static weft_status build_lattice(weft_topology *topology, const void *settings, weft_error *err)
{
    topology->lattice = (weft_lattice){
        .dims = 1, .size = {RING_SIZE}, .wraps = {true}, .port_step = {[0] = 1, [1] = -1}};
    return ring_build(topology, settings, err);
}

static weft_status build_uniform(weft_topology *topology, const void *settings, weft_error *err)
{
    topology->uniform = true;
    topology->peer_port[0] = 1;
    topology->peer_port[1] = 0;
    return build_lattice(topology, settings, err);
}

static weft_pack run(weft_status (*build)(weft_topology *, const void *, weft_error *),
                     uint32_t blocks)
{
    static const char text[] =
        "interweft: 1\n"
        "topology: ring\n"
        "links: {latency: 2 cycles}\n"
        "router: {kind: input-queued, vcs: 2, buffer: 8 flits}\n"
        "traffic: {all: {length: 3 flits, load: 0.2}}\n"
        "measure: {by: hops, half-width: 0.001%, limit: {time: 6400 cycles}}\n";
    weft_topology_kind kind = ring_kind;
    weft_registry registry;
    weft_arena arena;
    weft_plan *plan;
    weft_scenario scenario;
    weft_network network;
    weft_error err;
    weft_simulation *simulation;
    weft_ending ending;
    weft_pack measured = {0};
    kind.build = build;
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    assert_int_equal(weft_registry_add(&registry, "topology", &kind.base, &err), WEFT_OK);
    assert_int_equal(
        weft_plan_read_text("t.yaml", text, strlen(text), NULL, &registry, &arena, &plan, &err), 0);
    assert_int_equal(weft_plan_point(plan, 0, &arena, &scenario, &err), WEFT_OK);
    assert_int_equal(weft_network_build(&network, &scenario, &arena, &err), WEFT_OK);
    weft_simulation_options options = {.blocks = blocks};
    assert_int_equal(weft_simulation_create(&network, &options, &simulation, &err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &err), WEFT_OK);
    assert_true(weft_series_total(weft_simulation_series(simulation), WEFT_COL_DELIVERED) > 1000);
    weft_series_save(weft_simulation_series(simulation), &measured);
    weft_simulation_destroy(simulation);
    weft_network_done(&network);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
    return measured;
}

static void what_is_not_claimed_changes_nothing(void **state)
{
    (void)state;
    weft_pack uniform = run(build_uniform, 1);
    for (uint32_t blocks = 1; blocks <= 3; blocks += 2) {
        weft_pack plain = run(build_lattice, blocks);
        assert_int_equal(plain.count, uniform.count);
        assert_memory_equal(plain.data, uniform.data, uniform.count);
        weft_pack_done(&plain);
    }
    weft_pack_done(&uniform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_claimed_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
