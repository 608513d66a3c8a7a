/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of marking: when a buffer is congested, the curve of RED, and what every kind promises. */
#include "contract/settings.h"
#include "net/marking.h"

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
                                       cmocka_unit_test(every_kind_keeps_its_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
