/* SPDX-License-Identifier: Apache-2.0 */
/* A ring whose packets may use all lanes stands still sooner or later; the run says so, and who waits for whom. */
#include "sim/simulation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contract/scenario.h"

/* Dimension order as it should not be: no classes. */
static weft_status share_all(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    (void)err;
    uint16_t all = (uint16_t)((1u << lanes) - 1);
    routing->plan = (weft_lane_plan){.lanes = lanes, .open = all, .class = {all, all}};
    return WEFT_OK;
}

static unsigned hop_anywhere(const weft_routing *routing, const weft_here *here,
                             weft_random *random, weft_hop *out)
{
    (void)random;
    weft_way way;
    routing->topology->kind->ways(routing->topology, here->route, 1, &way);
    *out = (weft_hop){.port = (uint8_t)way.port, .lanes = routing->plan.open, .after = way.after};
    return 1;
}

static void a_deadlock_is_found_and_explained(void **state)
{
    (void)state;
    for (uint32_t blocks = 1; blocks <= 4; blocks += 3) {
        stage it;
        stage_open(&it, "topology: {kind: torus, dims: [8], tie: positive}\n"
                        "router: {kind: input-queued, vcs: 2, buffer: 4 flits}\n"
                        "traffic: {all: {pattern: tornado, length: 4 flits, load: 1.0}}\n"
                        "measure: {warmup: 0 cycles, limit: {time: 1000000 cycles}}\n");
        weft_routing_kind loose = *it.network.routing.kind;
        loose.share = share_all;
        loose.hops = hop_anywhere;
        it.network.routing.kind = &loose;
        weft_simulation *simulation = NULL;
        weft_simulation_options options = {.blocks = blocks};
        weft_ending ending;
        assert_int_equal(weft_simulation_create(&it.network, &options, &simulation, &it.err),
                         WEFT_OK);
        assert_int_equal(weft_simulation_run(simulation, &ending, &it.err), WEFT_BROKEN);
        assert_non_null(strstr(it.err.text, "deadlock at tick "));
        assert_non_null(
            strstr(it.err.text, " packets wait for each other and none will ever move: router "));
        assert_non_null(strstr(it.err.text, " waits for output "));
        weft_simulation_destroy(simulation);
        stage_close(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_deadlock_is_found_and_explained)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
