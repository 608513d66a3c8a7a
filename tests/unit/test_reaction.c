/* SPDX-License-Identifier: Apache-2.0 */
/* Laws by reaction: sequences of notifications, timers and packets computed by hand, and what every
 * one of them promises. */
#include "contract/settings.h"
#include "net/traffic/response.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define TICK_PS 1000 /* ticks of a nanosecond, flits of 64 bytes, 64 of them in a packet … */
#define MAX     1e6  /* … and a million packets per second: 32.768 Gb/s */
#define MIN     (MAX / 1000)

static const weft_timing timing = {.tick_ps = TICK_PS, .cycle = 1}, in_cycles = {.cycle = 1};

/* The constants stay in `room`. */
static weft_response make_above(double least, weft_response_constants *room, const char *name,
                                const char *settings)
{
    const weft_component *kind = kind_named(weft_response_kinds, name);
    weft_response law = {.kind = (const weft_response_kind *)(const void *)kind,
                         .settings = settings_make(kind, settings),
                         .min = least,
                         .max = MAX,
                         .constants = room};
    weft_response_units units = {.timing = &timing, .ticks = 1e9, .flits = 64, .flit_bytes = 64};
    weft_error err = {0};
    *room = (weft_response_constants){.packet = 64};
    assert(law.kind->reaction);
    if (law.kind->reaction->prepare(&law, &units, room, &err) != WEFT_OK ||
        (law.kind->check && law.kind->check(&law, &err) != WEFT_OK))
        fail_msg("%s", err.text);
    return law;
}

static weft_response make(weft_response_constants *room, const char *name, const char *settings)
{
    return make_above(MIN, room, name, settings);
}

static void tell(const weft_response *law, weft_reaction_state *flow, weft_time now)
{
    law->kind->reaction->advance(law, flow, now);
    law->kind->reaction->notify(law, flow, now);
}

static void expect(double found, double wanted)
{
    if (!(found >= wanted * (1 - 1e-12) && found <= wanted * (1 + 1e-12)))
        fail_msg("%.17g, not %.17g", found, wanted);
}

static double rate_at(const weft_response *law, weft_reaction_state *flow, weft_time now)
{
    law->kind->reaction->advance(law, flow, now);
    return flow->rate;
}

/* Up by CCTI_Increase to CCTI_Limit, down by one at each expiry: the rate is max / (1 + index). */
static void index_goes_up_by_notifications_and_down_by_the_timer(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make(&room, "cca", "ccti-increase=4 ccti-limit=10 ccti-timer=1us");
    const weft_reaction *cca = law.kind->reaction;
    weft_reaction_state flow;
    cca->begin(&law, 0.5, &flow); /* expiries at 501, 1501, … */
    expect(flow.rate, MAX);
    assert_true(cca->next(&law, &flow) == INT64_MAX);
    tell(&law, &flow, 100);
    expect(flow.rate, MAX / 5);
    assert_int_equal(cca->next(&law, &flow), 501);
    expect(rate_at(&law, &flow, 500), MAX / 5);
    expect(rate_at(&law, &flow, 501), MAX / 4);
    tell(&law, &flow, 600);
    expect(flow.rate, MAX / 8);
    tell(&law, &flow, 700); /* 7 + 4 is beyond the limit */
    expect(flow.rate, MAX / 11);
    expect(rate_at(&law, &flow, 4501), MAX / 7); /* four expiries */
    expect(rate_at(&law, &flow, 100000), MAX);
    assert_true(cca->next(&law, &flow) == INT64_MAX);
    free((void *)law.settings);
}

/* 3 + 16384 × 1 is 3 / 2, 5 + 16384 × 3 is 5 / 8. CCTI_Min is the least index. */
static void entries_are_multipliers_with_a_shift(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law =
        make(&room, "cca", "entries=0,49157,16387,2,16383 ccti-limit=3 ccti-min=1 ccti-timer=1us");
    weft_reaction_state flow;
    law.kind->reaction->begin(&law, 0, &flow);
    expect(flow.rate, MAX / (1 + 5.0 / 8));
    tell(&law, &flow, 10);
    expect(flow.rate, MAX / 2.5);
    tell(&law, &flow, 20);
    expect(flow.rate, MAX / 3);
    tell(&law, &flow, 30);
    expect(flow.rate, MAX / 3);
    expect(rate_at(&law, &flow, 100000), MAX / (1 + 5.0 / 8));
    free((void *)law.settings);
}

/* With the limit 127 the last entry is 127 packet times: 1/128 of the rate; in the middle of the
 * exponential table, at 64, 128^(64/127) − 1 = 10.5319…, in eighths 84. */
static void tables_end_at_the_same_rate(void **state)
{
    (void)state;
    weft_response_constants room;
    static const char *const tables[] = {"table=linear", "table=exponential"};
    const double middle[] = {MAX / 65, MAX / (1 + 84.0 / 8)};
    for (int t = 0; t < 2; t++) {
        weft_response law = make(&room, "cca", tables[t]);
        weft_reaction_state flow;
        law.kind->reaction->begin(&law, 0.9, &flow);
        for (int i = 0; i < 64; i++)
            tell(&law, &flow, 1);
        expect(flow.rate, middle[t]);
        for (int i = 0; i < 100; i++)
            tell(&law, &flow, 1);
        expect(flow.rate, MAX / 128);
        free((void *)law.settings);
    }
}

/* g = 1/4 so that numbers are short. α starts at 1: the first notification halves the rate. */
static void notifications_lower_the_rate_by_alpha(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make(&room, "dcqcn", "g=0.25");
    weft_reaction_state flow;
    law.kind->reaction->begin(&law, 0, &flow);
    assert_int_equal(law.constants->apart, 50000);
    tell(&law, &flow, 1000); /* α 1 → 1 */
    expect(flow.rate, MAX / 2);
    tell(&law, &flow, 1000 + 50000);
    expect(flow.rate, MAX / 4);
    /* two expiries of α's timer before the next: 1 × (3/4)², the rate is raised twice, to
     * ((1/4 + 1/2) / 2 + 1/2) / 2 = 7/16 */
    tell(&law, &flow, 51000 + 2 * 55000);
    expect(flow.rate, MAX * 7 / 16 * (1 - 9.0 / 32));
    tell(&law, &flow, 51000 + 2 * 55000 + 1); /* α is (3/4) (9/16) + 1/4 = 43/64 */
    expect(flow.rate, MAX * 7 / 16 * (1 - 9.0 / 32) * (1 - 43.0 / 128));
    free((void *)law.settings);
}

/* Fast recovery five times, then 40 Mb/s (of 32.768 Gb/s) more each time. */
static void timer_raises_the_rate(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make(&room, "dcqcn", "");
    weft_reaction_state flow;
    double target = MAX, rate = MAX / 2, step = MAX * 40e6 / 32.768e9;
    law.kind->reaction->begin(&law, 0, &flow);
    tell(&law, &flow, 0);
    tell(&law, &flow, 0); /* the target is below the maximum now */
    target = rate;
    rate *= 1 - (1 - 1 / 256.0 + 1 / 256.0) / 2;
    expect(flow.rate, rate);
    for (int n = 1; n <= 20; n++) {
        expect(rate_at(&law, &flow, n * 55000 - 1), rate);
        target += n > 5 ? step : 0;
        rate = (rate + target) / 2;
        assert_int_equal(law.kind->reaction->next(&law, &flow), n * 55000);
        expect(rate_at(&law, &flow, n * 55000), rate);
    }
    free((void *)law.settings);
}

/* The counter of bytes counts like the timer; past F with both, steps are 1, 2, … × 400 Mb/s. */
static void bytes_raise_the_rate_and_both_raise_it_faster(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make(&room, "dcqcn", "bytes=64kB fast=1");
    weft_reaction_state flow;
    const weft_reaction *dcqcn = law.kind->reaction;
    double hyper = MAX * 400e6 / 32.768e9, additive = hyper / 10, target = MAX / 2, rate = MAX / 4;
    dcqcn->begin(&law, 0, &flow);
    assert_int_equal(law.constants->flits, 1000);
    tell(&law, &flow, 0);
    tell(&law, &flow, 0);
    dcqcn->send(&law, &flow, 999);
    expect(flow.rate, rate);
    dcqcn->send(&law, &flow, 1); /* bytes 1, timer 0: fast */
    rate = (rate + target) / 2;
    expect(flow.rate, rate);
    rate = (rate + target) / 2; /* 1, 1 */
    expect(rate_at(&law, &flow, 55000), rate);
    target += additive; /* 1, 2 */
    rate = (rate + target) / 2;
    expect(rate_at(&law, &flow, 110000), rate);
    dcqcn->send(&law, &flow, 1000); /* 2, 2 */
    target += hyper;
    rate = (rate + target) / 2;
    expect(flow.rate, rate);
    target += hyper; /* 2, 3 */
    rate = (rate + target) / 2;
    expect(rate_at(&law, &flow, 165000), rate);
    dcqcn->send(&law, &flow, 1000); /* 3, 3 */
    target += 2 * hyper;
    rate = (rate + target) / 2;
    expect(flow.rate, rate);
    tell(&law, &flow, 170000);
    assert_true(flow.count[0] == 0 && flow.count[1] == 0 && flow.flits == 0);
    free((void *)law.settings);
}

/* 14 bits of a multiplier: long delays have fewer bits behind the point. 8192^(i/8191) − 1 is
 * 3411.61… at 7395, of which two are left, and one of 8191 at the end. */
static void long_delays_are_less_exact(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make_above(MAX / 10000, &room, "cca",
                                   "table=exponential ccti-limit=8191 ccti-increase=255");
    weft_reaction_state flow;
    law.kind->reaction->begin(&law, 0.9, &flow);
    for (int i = 0; i < 29; i++)
        tell(&law, &flow, 1);
    assert_int_equal(flow.count[0], 7395);
    expect(flow.rate, MAX / (1 + 13646 / 4.0));
    for (int i = 0; i < 4; i++)
        tell(&law, &flow, 1);
    expect(flow.rate, MAX / 8192);
    free((void *)law.settings);
}

/* However many notifications come. */
static void no_rate_falls_below_the_least(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make(&room, "dcqcn", "g=1");
    weft_reaction_state flow;
    law.kind->reaction->begin(&law, 0, &flow);
    for (int n = 1; n <= 9; n++)
        tell(&law, &flow, 1);
    expect(flow.rate, MAX / 512);
    tell(&law, &flow, 1);
    expect(flow.rate, MIN);
    free((void *)law.settings);
}

/* The words of a scenario see to it that there is a clock; programs can set its values themselves.
 * What is shorter than a tick is one. */
static void times_and_rates_need_ticks(void **state)
{
    (void)state;
    weft_response_constants room;
    weft_response law = make(&room, "dcqcn", "timer=1ps");
    assert_int_equal(law.constants->period[0], 1);
    weft_response_units units = {.timing = &in_cycles, .ticks = 1, .flits = 64, .flit_bytes = 64};
    weft_error err;
    assert_int_equal(law.kind->reaction->prepare(&law, &units, &room, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "response.notification-interval is given in seconds, but neither clock nor "
                        "links.rate says how long a flit takes: add one, or give it in cycles");
    free((void *)law.settings);
    law = make(&room, "dcqcn", "timer=9cycles alpha-timer=9cycles notification-interval=9cycles");
    assert_int_equal(law.kind->reaction->prepare(&law, &units, &room, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "response.additive is given in bits per second, but neither clock nor "
                        "links.rate says how long a flit takes: add one, or give it in "
                        "flits/cycle");
    free((void *)law.settings);
}

/* Within the limits; a notification never raises the rate nor does time lower it; in the end a flow
 * is at the rate it began with. What passes in one step is what passes in many. */
static void every_law_keeps_its_promises(void **state)
{
    (void)state;
    weft_response_constants room;
    for (const weft_component *const *kind = weft_response_kinds; *kind; kind++) {
        if (!((const weft_response_kind *)(const void *)*kind)->reaction)
            continue;
        weft_response law = make(&room, (*kind)->name, "");
        const weft_reaction *reaction = law.kind->reaction;
        weft_reaction_state flow, steps;
        weft_time now = 0;
        reaction->begin(&law, 0.25, &flow);
        double first = flow.rate;
        for (int i = 0; i < 2000; i++) {
            double before = flow.rate;
            weft_time gap = 1 + (weft_time)i * 7919 % 300000;
            steps = flow;
            for (weft_time next; (next = reaction->next(&law, &steps)) <= now + gap;)
                reaction->advance(&law, &steps, next);
            now += gap;
            reaction->advance(&law, &flow, now);
            assert_true(flow.rate >= before && flow.rate <= law.max);
            assert_true(flow.rate == steps.rate);
            before = flow.rate;
            if (i % 3 == 0)
                reaction->notify(&law, &flow, now);
            assert_true(flow.rate <= before && flow.rate >= law.min);
            if (reaction->send)
                reaction->send(&law, &flow, 64);
            assert_true(flow.count[0] <= reaction->most(&law));
        }
        expect(rate_at(&law, &flow, now + (weft_time)1000000000000), first);
        free((void *)law.settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_goes_up_by_notifications_and_down_by_the_timer),
        cmocka_unit_test(entries_are_multipliers_with_a_shift),
        cmocka_unit_test(tables_end_at_the_same_rate),
        cmocka_unit_test(notifications_lower_the_rate_by_alpha),
        cmocka_unit_test(timer_raises_the_rate),
        cmocka_unit_test(bytes_raise_the_rate_and_both_raise_it_faster),
        cmocka_unit_test(long_delays_are_less_exact),
        cmocka_unit_test(no_rate_falls_below_the_least),
        cmocka_unit_test(times_and_rates_need_ticks),
        cmocka_unit_test(every_law_keeps_its_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
