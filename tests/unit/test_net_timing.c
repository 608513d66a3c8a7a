/* SPDX-License-Identifier: Apache-2.0 */
/* Durations → ticks, by values computed by hand. */
#include "net/timing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A router with two delays. */
typedef struct delays {
    weft_duration first, second;
} delays;

static const weft_param delay_params[] = {
    {.name = "first", .type = WEFT_PARAM_DURATION, .offset = offsetof(delays, first)},
    {.name = "second", .type = WEFT_PARAM_DURATION, .offset = offsetof(delays, second)},
    {.name = NULL},
};
static const weft_component router = {
    .abi = WEFT_ABI, .name = "two-delays", .params = delay_params, .settings_size = sizeof(delays)};

static weft_duration cycles(double value)
{
    return (weft_duration){value, WEFT_CYCLES};
}

static weft_duration ps(double value)
{
    return (weft_duration){value, WEFT_PICOSECONDS};
}

/* Links without a rate, flits of `flit` bytes, every wire of one latency. */
static weft_scenario scenario_of(const delays *router_delays, weft_duration latency, double flit)
{
    const weft_link_settings link = {.rate = WEFT_NONE_REAL, .latency = latency};
    return (weft_scenario){
        .clock = WEFT_NONE_REAL,
        .router = {&router, router_delays},
        .links = {.local = link, .global = link, .host = link, .flit = {flit, WEFT_BYTES}}};
}

static void set_rate(weft_scenario *scenario, double rate)
{
    scenario->links.local.rate = scenario->links.global.rate = scenario->links.host.rate = rate;
}

static weft_timing build(const weft_scenario *scenario)
{
    weft_timing timing;
    weft_error err;
    assert_int_equal(weft_timing_build(&timing, scenario, &err), WEFT_OK);
    return timing;
}

static void a_scenario_in_cycles_has_ticks_of_one_cycle(void **state)
{
    (void)state;
    delays set = {cycles(2), cycles(0)};
    weft_scenario scenario = scenario_of(&set, cycles(3), 1);
    scenario.links.host.latency = cycles(5);
    weft_timing timing = build(&scenario);
    assert_true(timing.in_cycles && timing.tick_ps == 0);
    assert_int_equal(timing.cycle, 1);
    assert_int_equal(timing.flit, 1);
    assert_int_equal(timing.latency, 3);
    assert_int_equal(timing.host_latency, 5);
    assert_int_equal(weft_timing_ticks(&timing, set.first), 2);
    assert_string_equal(weft_timing_unit(&timing), "cycles");
    assert_true(weft_timing_value(&timing, 12.5) == 12.5);
}

static void a_clock_alone_keeps_cycles(void **state)
{
    (void)state;
    delays set = {cycles(1), cycles(1)};
    weft_scenario scenario = scenario_of(&set, cycles(0), 1);
    scenario.clock = 2e9;
    weft_timing timing = build(&scenario);
    assert_true(timing.in_cycles && timing.tick_ps == 500);
    assert_int_equal(timing.cycle, 1);
    assert_int_equal(weft_timing_ticks(&timing, ps(1e6)), 2000); /* 1 µs */
    assert_string_equal(weft_timing_unit(&timing), "cycles");
}

/* 16 B at 100 Gb/s take 1,280 ps; gcd(1280, 5000, 2560) = 40 ps. */
static void a_scenario_in_seconds_has_ticks_of_the_common_divisor(void **state)
{
    (void)state;
    delays set = {ps(2560), ps(0)};
    weft_scenario scenario = scenario_of(&set, ps(5000), 16);
    set_rate(&scenario, 100e9);
    weft_timing timing = build(&scenario);
    assert_true(!timing.in_cycles && timing.tick_ps == 40);
    assert_int_equal(timing.flit, 32);
    assert_int_equal(timing.cycle, 32);
    assert_int_equal(timing.latency, 125);
    assert_int_equal(timing.host_latency, 125);
    assert_int_equal(weft_timing_ticks(&timing, set.first), 64);
    assert_string_equal(weft_timing_unit(&timing), "ns");
    assert_true(fabs(weft_timing_value(&timing, 32) - 1.28) < 1e-12);
}

/* Every delay of the router counts: 2,560 and 2,700 ps with flits of 1,280 ps → 20 ps. */
static void all_delays_of_the_router_count(void **state)
{
    (void)state;
    delays set = {ps(2560), ps(2700)};
    weft_scenario scenario = scenario_of(&set, ps(0), 16);
    set_rate(&scenario, 100e9);
    weft_timing timing = build(&scenario);
    assert_true(timing.tick_ps == 20);
    assert_int_equal(weft_timing_ticks(&timing, set.second), 135);
}

/* 64 B at 200 Gb/s = 2,560 ps, cycles of 1,000 ps, wires of 5,000 ps → 40 ps. */
static void cycles_and_seconds_meet_at_the_clock(void **state)
{
    (void)state;
    delays set = {cycles(1), cycles(2.5)};
    weft_scenario scenario = scenario_of(&set, ps(5000), 64);
    scenario.clock = 1e9;
    set_rate(&scenario, 200e9);
    weft_timing timing = build(&scenario);
    assert_true(!timing.in_cycles);
    assert_true(timing.tick_ps == 20); /* 2.5 cycles are 2,500 ps */
    assert_int_equal(timing.cycle, 50);
    assert_int_equal(timing.flit, 128);
    assert_int_equal(timing.latency, 250);
    assert_int_equal(weft_timing_ticks(&timing, set.first), 50);
    assert_int_equal(weft_timing_ticks(&timing, set.second), 125);
}

/* Wires in seconds and no rate: a flit takes a cycle. */
static void without_a_rate_a_flit_takes_a_cycle(void **state)
{
    (void)state;
    delays set = {cycles(1), cycles(0)};
    weft_scenario scenario = scenario_of(&set, ps(1500), 8);
    scenario.clock = 1e9;
    weft_timing timing = build(&scenario);
    assert_true(timing.tick_ps == 500);
    assert_int_equal(timing.flit, 2);
    assert_int_equal(timing.cycle, 2);
    assert_int_equal(timing.latency, 3);
}

/* 1 B at 3 Gb/s = 2,666.7 ps. */
static void flit_times_are_rounded_to_picoseconds(void **state)
{
    (void)state;
    delays set = {ps(0), ps(0)};
    weft_scenario scenario = scenario_of(&set, ps(0), 1);
    set_rate(&scenario, 3e9);
    weft_timing timing = build(&scenario);
    assert_true(timing.tick_ps == 2667);
    assert_int_equal(timing.flit, 1);
}

static void durations_are_rounded_to_the_nearest_tick(void **state)
{
    (void)state;
    const weft_timing timing = {.tick_ps = 40, .cycle = 25, .flit = 64};
    assert_int_equal(weft_timing_ticks(&timing, ps(59)), 1);
    assert_int_equal(weft_timing_ticks(&timing, ps(60)), 2);
    assert_int_equal(weft_timing_ticks(&timing, ps(19)), 0);
    assert_int_equal(weft_timing_ticks(&timing, cycles(0.5)), 13);
    assert_int_equal(weft_timing_ticks(&timing, cycles(1.01)), 25);
    assert_int_equal(weft_timing_ticks(&timing, (weft_duration){7, WEFT_NO_TIME}), 0);
    assert_int_equal(weft_timing_ticks(&timing, cycles(9e18)), 4000000000000000000);
}

static void refuse(const weft_scenario *scenario, const char *text)
{
    weft_timing timing;
    weft_error err;
    assert_int_equal(weft_timing_build(&timing, scenario, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, text);
}

static void what_has_no_ticks_is_refused(void **state)
{
    (void)state;
    delays set = {ps(2000), cycles(0)};
    weft_scenario scenario = scenario_of(&set, cycles(0), 1);
    refuse(&scenario, "delays are given in seconds, but neither clock nor links.rate says how long "
                      "a flit takes");
    set_rate(&scenario, 100e9);
    scenario.links.host.rate = 50e9;
    refuse(&scenario, "links.host.rate must be the rate of links.local: routers of kind "
                      "output-queued join links of one rate");
    set_rate(&scenario, 100e12); /* 0.08 ps */
    refuse(&scenario,
           "a flit takes less than 1 ps; use longer flits (links.flit) or a slower rate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_in_cycles_has_ticks_of_one_cycle),
        cmocka_unit_test(a_clock_alone_keeps_cycles),
        cmocka_unit_test(a_scenario_in_seconds_has_ticks_of_the_common_divisor),
        cmocka_unit_test(all_delays_of_the_router_count),
        cmocka_unit_test(cycles_and_seconds_meet_at_the_clock),
        cmocka_unit_test(without_a_rate_a_flit_takes_a_cycle),
        cmocka_unit_test(flit_times_are_rounded_to_picoseconds),
        cmocka_unit_test(durations_are_rounded_to_the_nearest_tick),
        cmocka_unit_test(what_has_no_ticks_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
