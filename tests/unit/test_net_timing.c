/* SPDX-License-Identifier: Apache-2.0 */
/* Durations → ticks, by values computed by hand. */
#include "net/timing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A router with two delays, and something that is faster than a link. */
typedef struct delays {
    weft_duration first, second;
    int64_t speedup;
} delays;

static const weft_param delay_params[] = {
    {.name = "first", .type = WEFT_PARAM_DURATION, .offset = offsetof(delays, first)},
    {.name = "second", .type = WEFT_PARAM_DURATION, .offset = offsetof(delays, second)},
    {.name = "speedup", .type = WEFT_PARAM_FACTOR, .offset = offsetof(delays, speedup)},
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
    const weft_link_settings link = {.latency = latency};
    return (weft_scenario){.clock = WEFT_NONE_REAL,
                           .router = {&router, router_delays},
                           .links = {.local = link,
                                     .global = link,
                                     .host = link,
                                     .regional = link,
                                     .flit = {flit, WEFT_BYTES}}};
}

static weft_rate bits(double per_second)
{
    return (weft_rate){per_second, WEFT_BITS_PER_SECOND};
}

static weft_rate flits(double per_cycle)
{
    return (weft_rate){per_cycle, WEFT_FLITS_PER_CYCLE};
}

static void set_rate(weft_scenario *scenario, double rate)
{
    scenario->links.local.rate = scenario->links.global.rate = scenario->links.host.rate =
        scenario->links.regional.rate = bits(rate);
}

static weft_timing build(const weft_scenario *scenario)
{
    weft_timing timing;
    weft_error err;
    assert_int_equal(weft_timing_build(&timing, scenario, NULL, &err), WEFT_OK);
    return timing;
}

static void a_scenario_in_cycles_has_ticks_of_one_cycle(void **state)
{
    (void)state;
    delays set = {cycles(2), cycles(0), 1};
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
    delays set = {cycles(1), cycles(1), 1};
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
    delays set = {ps(2560), ps(0), 1};
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
    delays set = {ps(2560), ps(2700), 1};
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
    delays set = {cycles(1), cycles(2.5), 1};
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
    delays set = {cycles(1), cycles(0), 1};
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
    delays set = {ps(0), ps(0), 1};
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
    assert_int_equal(weft_timing_build(&timing, scenario, NULL, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, text);
}

/* At 900 GB/s a byte takes 1.11 ps, 64 B take 71.1 ps. Four parts of a flit of 10 ps are 3 ps
 * each. */
static void a_rate_that_rounding_changes_is_refused(void **state)
{
    (void)state;
    delays set = {.speedup = 1};
    weft_scenario scenario = scenario_of(&set, cycles(0), 1);
    set_rate(&scenario, 7.2e12);
    refuse(&scenario, "links.local.rate: a flit of 1 B takes 1.111 ps, and would take 1 when "
                      "rounded; use longer flits, such as links.flit: 64 B");
    scenario.links.flit.value = 64;
    assert_int_equal(build(&scenario).flit, 1);
    scenario.links.flit.value = 1;
    set_rate(&scenario, 800e9);
    assert_true(build(&scenario).tick_ps == 10);
    set.speedup = 4;
    refuse(&scenario, "links.local.rate: a flit of 1 B takes 10 ps, and would take 12 when "
                      "rounded; use longer flits, such as links.flit: 32 B");
    set.speedup = 1;
    scenario.endpoint.bus_rate = bits(3.2e12); /* 2.5 ps */
    refuse(&scenario, "endpoint.bus-rate: a flit of 1 B takes 2.5 ps, and would take 3 when "
                      "rounded; use longer flits, such as links.flit: 32 B");
    scenario = scenario_of(&set, ps(1000), 1); /* a flit in every cycle, of 3.333 ps */
    scenario.clock = 300e9;
    refuse(&scenario, "links.local.rate: a flit takes 3.333 ps, and would take 3 when rounded; use "
                      "a slower clock");
    scenario.clock = 250e9;
    assert_true(build(&scenario).tick_ps == 4);
}

static void what_has_no_ticks_is_refused(void **state)
{
    (void)state;
    delays set = {.first = ps(2000)};
    weft_scenario scenario = scenario_of(&set, cycles(0), 1);
    refuse(&scenario, "delays are given in seconds, but neither clock nor links.rate says how long "
                      "a flit takes");
    set_rate(&scenario, 100e9);
    scenario.in_cycles = "router.second";
    refuse(&scenario, "router.second is in cycles, and the file of the topology gives times or "
                      "rates of links in seconds; give the section 'clock', such as clock: 1 GHz");
    scenario.in_cycles = NULL;
    set_rate(&scenario, 100e12); /* 0.08 ps */
    refuse(&scenario,
           "a flit takes less than 1 ps; use longer flits (links.flit) or a slower rate");
    set.first = cycles(2);
    set.speedup = 4;
    set_rate(&scenario, 8e12); /* 1 ps, in four parts */
    refuse(&scenario,
           "a flit takes less than 4 ps; use longer flits (links.flit) or a slower rate");
    set_rate(&scenario, 1);
    scenario.links.local.rate = scenario.links.global.rate = scenario.links.regional.rate =
        flits(1);
    scenario.links.host.rate = flits(0.7123);
    refuse(&scenario, "links.host.rate: no tick divides a cycle, 1.4039 cycles for a flit and the "
                      "other times; give simpler rates, such as 0.5 or 0.75 flits/cycle");
}

/* 16 B take 640 ps at 200 Gb/s, 1,280 at 100 and 320 at 400; wires of 5,000, 500,000 and 2,000
 * ps: all multiples of 40. */
static void classes_of_links_have_their_own_times(void **state)
{
    (void)state;
    delays set = {.speedup = 1};
    weft_scenario scenario = scenario_of(&set, ps(5000), 16);
    scenario.links.local.rate = bits(200e9);
    scenario.links.global = (weft_link_settings){bits(400e9), ps(500000)};
    scenario.links.host = (weft_link_settings){bits(100e9), ps(2000)};
    scenario.links.regional = scenario.links.global;
    weft_timing timing = build(&scenario);
    assert_true(!timing.in_cycles && timing.tick_ps == 40);
    assert_int_equal(timing.period[WEFT_LINK_LOCAL], 16);
    assert_int_equal(timing.period[WEFT_LINK_GLOBAL], 8);
    assert_int_equal(timing.period[WEFT_LINK_HOST], 32);
    assert_int_equal(timing.wire[WEFT_LINK_LOCAL], 125);
    assert_int_equal(timing.wire[WEFT_LINK_GLOBAL], 12500);
    assert_int_equal(timing.wire[WEFT_LINK_HOST], 50);
    assert_int_equal(timing.cycle, 16); /* without a clock: a flit on a local link */
    assert_int_equal(timing.flit, 16);
    assert_int_equal(timing.bus_period, 0);
}

/* A flit of 1,280 ps in four parts; in three it is 1,281 ps. */
static void a_factor_divides_every_flit_time(void **state)
{
    (void)state;
    delays set = {.speedup = 4};
    weft_scenario scenario = scenario_of(&set, ps(0), 16);
    set_rate(&scenario, 100e9);
    weft_timing timing = build(&scenario);
    assert_true(timing.tick_ps == 320);
    assert_int_equal(timing.period[WEFT_LINK_HOST], 4);
    assert_int_equal(timing.period[WEFT_LINK_LOCAL], 4);
    set.speedup = 3;
    scenario.clock = 1e12 / 427; /* so that the cycle is no obstacle */
    timing = build(&scenario);
    assert_true(timing.tick_ps == 427);
    assert_int_equal(timing.period[WEFT_LINK_LOCAL], 3);
    assert_int_equal(timing.cycle, 1);
}

/* In cycles: two thirds of a flit per cycle take 3/2 cycles, a quarter takes 4; with a speed-up
 * of 3 a cycle is 6 ticks. */
static void cycles_are_cut_as_rates_and_factors_need(void **state)
{
    (void)state;
    delays set = {cycles(2), cycles(0), 3};
    weft_scenario scenario = scenario_of(&set, cycles(5), 1);
    scenario.links.global.rate = scenario.links.regional.rate = flits(0.25);
    scenario.links.host.rate = flits(2.0 / 3);
    scenario.endpoint.bus_rate = flits(0.5);
    weft_timing timing = build(&scenario);
    assert_true(timing.in_cycles && timing.tick_ps == 0);
    assert_int_equal(timing.cycle, 6);
    assert_int_equal(timing.period[WEFT_LINK_LOCAL], 6);
    assert_int_equal(timing.period[WEFT_LINK_GLOBAL], 24);
    assert_int_equal(timing.period[WEFT_LINK_HOST], 9);
    assert_int_equal(timing.bus_period, 12);
    assert_int_equal(timing.wire[WEFT_LINK_HOST], 30);
    assert_int_equal(weft_timing_ticks(&timing, set.first), 12);
    assert_true(weft_timing_value(&timing, 9) == 1.5);
    scenario.clock = 1e9;
    timing = build(&scenario);
    assert_true(timing.in_cycles && timing.tick_ps == 1000.0 / 6);
}

/* 2.4 and 0.5 cycles are 24 and 5 tenths. A 3,000th part is too fine, and rounding would lose it;
 * of 70.0003 cycles it loses next to nothing. */
static void cycles_are_cut_as_durations_need(void **state)
{
    (void)state;
    delays set = {cycles(0.5), cycles(3), 1};
    weft_scenario scenario = scenario_of(&set, cycles(2.4), 1);
    weft_timing timing = build(&scenario);
    assert_true(timing.in_cycles);
    assert_int_equal(timing.cycle, 10);
    assert_int_equal(timing.flit, 10);
    assert_int_equal(timing.latency, 24);
    assert_int_equal(weft_timing_ticks(&timing, set.first), 5);
    scenario.links.host.rate = flits(2.0 / 3);
    set.speedup = 4;
    timing = build(&scenario);
    assert_int_equal(timing.cycle, 40);
    assert_int_equal(timing.latency, 96);
    assert_int_equal(timing.period[WEFT_LINK_HOST], 60);
    set = (delays){cycles(70.0003), cycles(1e17), 1};
    scenario = scenario_of(&set, cycles(2), 1);
    assert_int_equal(build(&scenario).cycle, 1);
    set.second = cycles(1.0 / 3000);
    refuse(&scenario, "no tick divides a cycle and a time of 0.000333333 cycles: give simpler "
                      "times, such as 0.5 or 0.75 cycles, or the section 'clock' and times in "
                      "seconds");
    const weft_job_settings job = {.name = "a"};
    set.second = cycles(1);
    scenario.host.overhead_per_byte = cycles(0.4);
    assert_int_equal(build(&scenario).cycle, 1);
    scenario.jobs = &job;
    scenario.n_jobs = 1;
    timing = build(&scenario);
    assert_int_equal(weft_timing_ticks(&timing, scenario.host.overhead_per_byte), 2);
}

/* Flits of 8 B, cycles of 1,000 ps: half a flit per cycle takes 2,000 ps; the bus 640 ps a flit.
 * The endpoint's delays count too. */
static void endpoints_have_a_part_in_the_tick(void **state)
{
    (void)state;
    delays set = {cycles(1), cycles(0), 1};
    weft_scenario scenario = scenario_of(&set, cycles(2), 8);
    scenario.clock = 1e9;
    scenario.links.host.rate = flits(0.5);
    scenario.endpoint.bus_rate = bits(100e9);
    weft_timing timing = build(&scenario);
    assert_true(timing.tick_ps == 40); /* gcd(1000, 2000, 640) */
    assert_int_equal(timing.bus_period, 16);
    assert_int_equal(timing.period[WEFT_LINK_HOST], 50);
    scenario.endpoint.dma = ps(1010);
    timing = build(&scenario);
    assert_true(timing.tick_ps == 10);
    scenario.endpoint.delay = ps(1);
    timing = build(&scenario);
    assert_true(timing.tick_ps == 1);
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
        cmocka_unit_test(a_rate_that_rounding_changes_is_refused),
        cmocka_unit_test(what_has_no_ticks_is_refused),
        cmocka_unit_test(classes_of_links_have_their_own_times),
        cmocka_unit_test(a_factor_divides_every_flit_time),
        cmocka_unit_test(cycles_are_cut_as_rates_and_factors_need),
        cmocka_unit_test(cycles_are_cut_as_durations_need),
        cmocka_unit_test(endpoints_have_a_part_in_the_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
