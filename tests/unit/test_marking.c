/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of marking: when a buffer is congested, the curve of RED, and what every kind promises. */
#include "contract/settings.h"
#include "net/marking.h"
#include "sim/router/input_queued/congestion/marking_impl.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static weft_marking make(const char *name, const char *settings)
{
    const weft_component *kind = kind_named(weft_marking_kinds, name);
    return (weft_marking){.kind = (const weft_marking_kind *)(const void *)kind,
                          .settings = settings_make(kind, settings)};
}

static bool is_congested(const weft_marking *marking, uint32_t used, uint32_t packet)
{
    weft_marking_buffer buffer = {.used = used, .capacity = 8, .packet = packet};
    return marking->kind->congested(marking, &buffer);
}

static void full_buffer_has_no_room_for_a_packet(void **state)
{
    (void)state;
    weft_marking full = make("full", "");
    assert_false(is_congested(&full, 7, 1));
    assert_true(is_congested(&full, 8, 1));
    assert_false(is_congested(&full, 5, 3));
    assert_true(is_congested(&full, 6, 3));
    free((void *)full.settings);
}

static void threshold_is_a_part_of_the_buffer(void **state)
{
    (void)state;
    weft_marking threshold = make("threshold", "level=50%");
    assert_false(is_congested(&threshold, 3, 1));
    assert_true(is_congested(&threshold, 4, 1));
    free((void *)threshold.settings);
}

static void red_grows_between_its_limits(void **state)
{
    (void)state;
    weft_marking red = make("red", "min=10 max=30 most=0.5");
    const struct {
        uint32_t waiting;
        double probability;
    } curve[] = {{0, 0}, {10, 0}, {11, 0.025}, {20, 0.25}, {30, 0.5}, {31, 1}, {1000, 1}};
    for (size_t i = 0; i < sizeof curve / sizeof *curve; i++) {
        weft_marking_output output = {.packets = curve[i].waiting};
        double found = red.kind->probability(&red, &output);
        assert_true(found > curve[i].probability - 1e-15 && found < curve[i].probability + 1e-15);
    }
    free((void *)red.settings);
}

/* Marks of routers on queues of drawn lengths: as many as the curve says, by the z rule for each
 * length; none and all where it is 0 and 1. Exactly the curve: a straight line between its ends. */
static void drawn_marks_follow_the_curve(void **state)
{
    (void)state;
    enum { LENGTHS = 40, PACKETS = 400000, MIN = 10, MAX = 30 };
    static weft_network network = {.seed = 7};
    weft_platform platform = {.network = &network};
    weft_iq_layout layout = {
        .platform = &platform, .marking = make("red", "min=10 max=30 most=0.5"), .ports = 1};
    weft_iq_marker marker = {0};
    weft_random random = weft_random_stream(1, 2, 3, WEFT_FOR_ESTIMATE);
    uint32_t tried[LENGTHS] = {0}, marked[LENGTHS] = {0};
    for (uint32_t i = 0; i < PACKETS; i++) {
        weft_iq_packet packet = {0};
        weft_iq_marking starts = {.packet = &packet};
        weft_packet_name(&packet.event, i % 64, i / 64, 0);
        marker.waiting = weft_random_below(&random, LENGTHS);
        tried[marker.waiting]++;
        marked[marker.waiting] += weft_iq_mark_drawn(&layout, (char *)&marker, &starts, 0);
    }
    for (uint32_t w = 0; w < LENGTHS; w++) {
        weft_marking_output output = {.packets = w};
        double p = layout.marking.kind->probability(&layout.marking, &output);
        double curve = w <= MIN ? 0 : w > MAX ? 1 : 0.5 * (w - MIN) / (MAX - MIN);
        assert_true(p == curve);
        double error = sqrt(tried[w] * p * (1 - p)), off = marked[w] - tried[w] * p;
        assert_true(error > 0 ? fabs(off) <= 4 * error : off == 0);
    }
    free((void *)layout.marking.settings);
}

/* Threshold 12 of 16 on a buffer of 32 units: more than 8 of a VL must wait. Short packets, and
 * victims that are not masked, are not marked. */
static void fecn_marks_at_the_root(void **state)
{
    (void)state;
    weft_marking fecn = make("fecn", "threshold=12 packet-size=2 marking-rate=3"),
                 never = make("fecn", "threshold=0"), all = make("fecn", "victim-mask=all");
    weft_marking_output root = {.queued = 9, .capacity = 32, .bytes = 128, .credits = true};
    weft_marking_output few = root, small = root, victim = root, host = root;
    few.queued = 8;
    small.bytes = 127;
    victim.credits = host.credits = false;
    host.endpoint = true;
    assert_true(fecn.kind->probability(&fecn, &root) == 0.25);
    assert_true(fecn.kind->probability(&fecn, &few) == 0);
    assert_true(fecn.kind->probability(&fecn, &small) == 0);
    assert_true(fecn.kind->probability(&fecn, &victim) == 0);
    assert_true(fecn.kind->probability(&fecn, &host) == 0.25);
    assert_true(never.kind->probability(&never, &root) == 0);
    assert_true(all.kind->probability(&all, &victim) == 1);
    free((void *)fecn.settings);
    free((void *)never.settings);
    free((void *)all.settings);
}

/* It says when by one way at least; fuller buffers and longer queues are no less congested. */
static void every_kind_keeps_its_promises(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_marking_kinds; *kind; kind++) {
        weft_marking marking = make((*kind)->name, "");
        assert_true(marking.kind->congested || marking.kind->probability);
        if (marking.kind->check)
            assert_int_equal(marking.kind->check(&marking, NULL), WEFT_OK);
        for (uint32_t used = 1; marking.kind->congested && used <= 8; used++)
            assert_true(is_congested(&marking, used, 1) >= is_congested(&marking, used - 1, 1));
        double before = 0;
        for (uint32_t waiting = 0; marking.kind->probability && waiting < 1000; waiting++) {
            weft_marking_output output = {.packets = waiting,
                                          .queued = waiting,
                                          .capacity = 100,
                                          .bytes = 256,
                                          .credits = true};
            double now = marking.kind->probability(&marking, &output);
            assert_true(now >= before && now <= 1);
            before = now;
        }
        free((void *)marking.settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(full_buffer_has_no_room_for_a_packet),
                                       cmocka_unit_test(threshold_is_a_part_of_the_buffer),
                                       cmocka_unit_test(red_grows_between_its_limits),
                                       cmocka_unit_test(drawn_marks_follow_the_curve),
                                       cmocka_unit_test(fecn_marks_at_the_root),
                                       cmocka_unit_test(every_kind_keeps_its_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
