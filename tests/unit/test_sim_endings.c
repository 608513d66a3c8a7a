/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of runs that come from outside of their traffic: memory, names and ages of messages, more
 * processes than can see each other. */
#include "sim/platform.h"
#include "sim/simulation.h"
#include "sim/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

#define PORTS                                        \
    "topology: {kind: torus, dims: [4]}\n"           \
    "endpoint: {injection: one-port}\n"              \
    "traffic: {all: {length: 8 flits, load: 0.1}}\n" \
    "measure: {half-width: 0.001%, limit: {time: 6400 cycles}}\n"

static void memory_ends_a_run(void **state)
{
    stage set;
    weft_simulation *simulation;
    weft_ending ending;
    (void)state;
    const weft_network *network = stage_open(&set, PORTS);
    for (int64_t memory = 0; memory <= 1; memory++) {
        weft_simulation_options options = {.blocks = 1, .memory = memory};
        assert_int_equal(weft_simulation_create(network, &options, &simulation, &set.err), 0);
        assert_int_equal(weft_simulation_run(simulation, &ending, &set.err), WEFT_OK);
        assert_int_equal(ending, memory ? WEFT_END_MEMORY : WEFT_END_LIMIT_TIME);
        if (memory)
            assert_int_equal(weft_series_intervals(weft_simulation_series(simulation)), 1);
        weft_simulation_destroy(simulation);
    }
    stage_close(&set);
}

/* Is a source at its end at tick `now` whose next message has this number, and is due since tick
 * 1? */
static bool is_exhausted(uint32_t index, weft_time now)
{
    stage set;
    weft_tally tally;
    weft_instance instance;
    const weft_network *network = stage_open(&set, PORTS);
    weft_tally_init(&tally, 1, 8, WEFT_BY_NOTHING);
    weft_instance_plan plan = {.blocks = 1, .tallies = &tally};
    assert_int_equal(weft_instance_open(&instance, network, &plan, &set.err), WEFT_OK);
    weft_site *site = &instance.sites[0];
    assert_int_equal(site->sources, 4);
    for (uint32_t s = 0; s < site->sources; s++)
        site->head[s].live = site->counted[s].live = 0;
    site->head[0] = (weft_cursor){.at = weft_fine_time_at(1), .index = index, .live = 1};
    site->counted[0].index = index;
    site->last_sync = now - 1;
    weft_sources_rest(site, now);
    bool exhausted = site->exhausted;
    weft_instance_close(&instance);
    weft_tally_done(&tally);
    stage_close(&set);
    return exhausted;
}

static void names_and_ages_of_messages_end(void **state)
{
    (void)state;
    uint32_t last = WEFT_NAME_MASK - (1u << 27); /* while the other sources are looked at */
    assert_false(is_exhausted(last, 100));
    assert_true(is_exhausted(last + 1, 100));
    assert_false(is_exhausted(5, WEFT_AGE_MAX + 1));
    assert_true(is_exhausted(5, WEFT_AGE_MAX + 2));
}

static void processes_that_do_not_see_each_other_are_refused(void **state)
{
    stage set;
    weft_instance instance;
    weft_comm comm = {.size = 2};
    (void)state;
    const weft_network *network =
        stage_open(&set, "topology: {kind: dragonfly, groups: 5, routers: 2}\n"
                         "router: {kind: input-queued, vcs: 8, buffer: 16 flits}\n"
                         "routing: {kind: ugal, information: global}\n"
                         "traffic: {all: {length: 8 flits, load: 0.1}}\n");
    weft_instance_plan plan = {.comm = &comm};
    assert_int_equal(weft_instance_open(&instance, network, &plan, &set.err), WEFT_BAD_INPUT);
    assert_string_equal(
        set.err.text,
        "test.yaml:4:36: routing.information global looks at the queues of all routers, which one "
        "process has to run: found 2; run this point in one process, or use local");
    stage_close(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_ends_a_run),
        cmocka_unit_test(names_and_ages_of_messages_end),
        cmocka_unit_test(processes_that_do_not_see_each_other_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
