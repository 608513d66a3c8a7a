/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules whose messages never come: who waits for whom; numbers of messages that no rank has;
 * times that become too long. */
#include "program/march/march.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MOST = 16 };

static void lose(void *user, uint32_t local, uint32_t number)
{
    (void)user, (void)local, (void)number;
}

typedef struct lost { /* a schedule of one phase, whose messages are lost */
    weft_phased_phase phase;
    weft_phased schedule;
    weft_march march;
    uint32_t waits[RANKS_MOST];
} lost;

static void run_lost(lost *l, uint32_t ranks, const char *operation, const char *algorithm,
                     uint64_t eager)
{
    static const uint32_t all[RANKS_MOST] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    *l = (lost){.phase = {.name = algorithm,
                          .collective = {.kind = weft_collective_find(operation, algorithm),
                                         .ranks = ranks,
                                         .bytes = 100 * ranks,
                                         .segments = 1}}};
    assert_non_null(l->phase.collective.kind);
    l->schedule = (weft_phased){.ranks = ranks, .n_phases = 1, .phases = &l->phase};
    assert_true(weft_phased_number_places(&l->schedule, 2, UINT32_MAX));
    l->march = (weft_march){.schedule = &l->schedule,
                            .costs = {.eager = eager},
                            .flit = 1,
                            .calc = 1,
                            .repeats = 2,
                            .hand = lose};
    weft_march_open(&l->march, all, ranks);
    for (uint64_t now = weft_march_next(&l->march); now != WEFT_RANKS_NEVER && !l->march.late;
         now = weft_march_next(&l->march)) {
        l->march.now = now;
        weft_march_run(&l->march, NULL, 0);
    }
    for (uint32_t r = 0; r < ranks; r++)
        l->waits[r] = weft_march_waits(&l->march, r);
}

static void stuck(const lost *l, const char *sentence)
{
    weft_error err = {.text = ""};
    assert_int_equal(weft_march_stuck(&l->schedule, l->waits, 77, "job all", &err), WEFT_BROKEN);
    assert_string_equal(err.text, sentence);
}

static void who_waits_for_whom_is_told(void **state)
{
    lost l;
    (void)state;
    run_lost(&l, 3, "allreduce", "ring", 1000);
    stuck(&l, "job all cannot end: 3 of 3 ranks wait, since tick 77\n"
              "  rank 0 waits at recv 100 B from rank 2 (step 1 of ring, repetition 1)\n"
              "  rank 2 waits at recv 100 B from rank 1 (step 1 of ring, repetition 1)\n"
              "  rank 1 waits at recv 100 B from rank 0 (step 1 of ring, repetition 1)\n"
              "  and so on in a circle from rank 0");
    l.waits[2] = 0;
    stuck(&l, "job all cannot end: 2 of 3 ranks wait, since tick 77\n"
              "  rank 0 waits at recv 100 B from rank 2 (step 1 of ring, repetition 1)\n"
              "  rank 2 has nothing left to do for it");
    weft_march_close(&l.march);
    /* a root whose request is not answered */
    run_lost(&l, 2, "broadcast", "binomial", 10);
    stuck(&l, "job all cannot end: 2 of 2 ranks wait, since tick 77\n"
              "  rank 0 waits at send 200 B to rank 1 (step 1 of binomial, repetition 1)\n"
              "  rank 1 waits at recv 200 B from rank 0 (step 1 of binomial, repetition 1)\n"
              "  and so on in a circle from rank 0");
    weft_march_close(&l.march);
    /* of two trees a rank has sent what it has to in one, and waits in the other */
    run_lost(&l, 2, "allreduce", "double-tree", 1000);
    assert_true(l.waits[0] && l.waits[1]);
    weft_march_close(&l.march);
    /* twelve of a longer way */
    run_lost(&l, 14, "allreduce", "ring", 1000);
    weft_error err = {.text = ""};
    unsigned lines = 0;
    assert_int_equal(weft_march_stuck(&l.schedule, l.waits, 0, "job all", &err), WEFT_BROKEN);
    for (const char *at = err.text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 13);
    assert_string_equal(strrchr(err.text, '\n'), "\n  and so on");
    weft_march_close(&l.march);
}

static void numbers_are_those_of_messages(void **state)
{
    lost l;
    (void)state;
    run_lost(&l, 3, "broadcast", "binomial", 1000);
    for (uint32_t rank = 0; rank < 5; rank++)
        for (uint32_t number = 0; number < 4 * 4 * l.schedule.places; number++) {
            weft_phased_name name = weft_phased_name_of(&l.schedule, number);
            bool sound = rank < 3 && name.repetition < 2 && number % 4 < 3 &&
                         name.step < weft_phased_steps(&l.schedule, 0, rank);
            if (sound) {
                weft_collective_step its = weft_phased_step(&l.schedule, 0, rank, name.step);
                sound = (name.part == WEFT_PHASED_ANSWER ? its.from : its.to) != WEFT_PROGRAM_NONE;
                assert_int_equal(weft_phased_number(&l.schedule, name), number);
            }
            if (weft_phased_has(&l.schedule, 2, rank, number) != sound)
                fail_msg("rank %u, number %u", rank, number);
        }
    weft_march_close(&l.march);
    /* more numbers than there may be */
    assert_false(weft_phased_number_places(&l.schedule, 1000, 100));
}

static void times_become_too_long(void **state)
{
    static const uint32_t rank[1] = {0};
    weft_phased_phase phase = {.name = "compute", .compute = (uint64_t)1 << 61};
    weft_phased schedule = {.ranks = 1, .n_phases = 1, .phases = &phase};
    weft_march march = {
        .schedule = &schedule, .flit = 1, .calc = 1, .repeats = 3, .hand = lose, .now = 0};
    uint32_t ticks = 0;
    (void)state;
    assert_true(weft_phased_number_places(&schedule, 3, UINT32_MAX));
    weft_march_open(&march, rank, 1);
    for (; !march.late && weft_march_next(&march) != WEFT_RANKS_NEVER; ticks++) {
        march.now = weft_march_next(&march);
        weft_march_run(&march, NULL, 0);
    }
    assert_true(march.late && march.n_left == 1);
    assert_int_equal(ticks, 3);
    weft_march_close(&march);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_whom_is_told),
        cmocka_unit_test(numbers_are_those_of_messages),
        cmocka_unit_test(times_become_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
