/* SPDX-License-Identifier: Apache-2.0 */
/* An output that always has a packet to send carries one or is stalled, by credits or by pause. */
#include "sim/simulation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

/* Two endpoints send as much as they can to a third one, over a link that they share from the
 * router of the second on: the link of the first one is idle half of the time. */
static void check(const char *router)
{
    char text[1024];
    stage set;
    weft_simulation *simulation;
    weft_ending ending;
    weft_simulation_options options = {.blocks = 1};
    (void)snprintf(text, sizeof text,
                   "topology: {kind: mesh, dims: [3]}\n"
                   "links: {latency: 3 cycles}\n"
                   "router: {kind: input-queued, vcs: 1, buffer: 40 flits, %s}\n"
                   "traffic: {all: {from: [0, 1], to: 2, length: 5 flits, load: 1}}\n"
                   "measure: {devices: ports, warmup: 2000 cycles, half-width: 0.0001%%, limit: "
                   "{time: 22000 cycles}}\n",
                   router);
    const weft_network *network = stage_open(&set, text);
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &set.err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &set.err), WEFT_OK);
    const weft_device_loads *loads = weft_simulation_devices(simulation);
    int64_t busy = loads->load[0][0], stalled = loads->load[3][0];
    assert_int_equal(busy + stalled, loads->span);
    assert_in_range(2 * stalled, loads->span - 100, loads->span + 100);
    weft_simulation_destroy(simulation);
    stage_close(&set);
}

static void what_is_not_carried_is_stalled(void **state)
{
    (void)state;
    check("flow-control: credits");
    check("flow-control: pause");
    check("flow-control: pause, xoff: 20 flits, xon: 10 flits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_carried_is_stalled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
