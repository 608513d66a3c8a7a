/* SPDX-License-Identifier: Apache-2.0 */
/* The agenda of ranks beside the binary heap, with random times that come together or lie far
 * apart; the inbox beside qsort. */
#include "program/agenda.h"
#include "program/march/inbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* 0 … 2^16 − 1, small ones often. */
static uint64_t some_delay(uint32_t *state)
{
    return draw(state) >> (8 + draw(state) % 16);
}

static void add(weft_agenda *agenda, weft_heap *heap, uint64_t time, uint32_t *state, uint32_t n)
{
    weft_heap_entry entry = {
        .time = time, .order = (uint64_t)(draw(state) % 64) << 32 | n, .what = n};
    weft_agenda_push(agenda, entry);
    weft_heap_push(heap, entry);
}

static void agenda_is_a_heap(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        weft_agenda agenda = {0};
        weft_heap heap = {0};
        uint32_t state = seed, n = 0, taken = 0;
        uint64_t now = seed % 2 ? 0 : (uint64_t)1 << 40;
        assert_null(weft_agenda_due(&agenda, now));
        while (taken < 5000) {
            uint64_t at = now + (draw(&state) % 4 ? 100 : some_delay(&state));
            for (uint32_t i = draw(&state) % 40; n < 5000 && i > 0; i--)
                add(&agenda, &heap, at, &state, n++);
            now = heap.count && draw(&state) % 8 ? heap.entries[0].time : now;
            while (heap.count && heap.entries[0].time <= now) {
                assert_true(weft_agenda_next(&agenda) == heap.entries[0].time);
                assert_int_equal(weft_agenda_due(&agenda, now)->what, heap.entries[0].what);
                assert_int_equal(weft_agenda_pop(&agenda).what, weft_heap_pop(&heap).what);
                taken++;
                if (n < 5000 && draw(&state) % 8 == 0) /* in the tick in hand */
                    add(&agenda, &heap, now, &state, n++);
            }
            assert_null(weft_agenda_due(&agenda, now));
            assert_int_equal(agenda.count, heap.count);
        }
        assert_true(weft_agenda_next(&agenda) == UINT64_MAX);
        weft_agenda_done(&agenda);
        weft_heap_done(&heap);
    }
}

static void agenda_copies_all(void **unused)
{
    (void)unused;
    weft_agenda agenda = {0};
    weft_heap_entry all[100];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 100; i++)
        weft_agenda_push(&agenda, (weft_heap_entry){.time = i * i % 37, .order = i, .what = i});
    (void)weft_agenda_due(&agenda, 5);
    weft_agenda_copy(&agenda, all);
    for (uint32_t i = 0; i < 100; i++)
        sum += all[i].what;
    assert_int_equal(sum, 4950);
    weft_agenda_done(&agenda);
}

static int by_rank(const void *a, const void *b)
{
    const weft_march_arrival *x = a, *y = b;
    if (x->local != y->local)
        return x->local < y->local ? -1 : 1;
    if (x->message.source != y->message.source)
        return x->message.source < y->message.source ? -1 : 1;
    return x->message.number < y->message.number ? -1 : x->message.number > y->message.number;
}

static void inbox_is_sorted(void **unused)
{
    (void)unused;
    static const uint32_t ranks[] = {1, 3, 200, 256, 257, 70000, 1u << 24};
    uint32_t state = 7;
    weft_march_inbox inbox = {0};
    for (uint32_t trial = 0; trial < 300; trial++) {
        uint32_t most = ranks[trial % 7], count = draw(&state) % (trial % 3 ? 30 : 400);
        weft_march_arrival expected[400];
        inbox.count = 0;
        for (uint32_t i = 0; i < count; i++) {
            expected[i] = (weft_march_arrival){.local = draw(&state) % most,
                                               .message = {draw(&state) % 4, i},
                                               .age = draw(&state)};
            weft_march_inbox_add(&inbox, expected[i]);
        }
        qsort(expected, count, sizeof *expected, by_rank);
        weft_march_inbox_sort(&inbox);
        assert_int_equal(inbox.count, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(by_rank(&inbox.at[i], &expected[i]), 0);
            assert_true(inbox.at[i].age == expected[i].age);
        }
    }
    weft_march_inbox_done(&inbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agenda_is_a_heap),
        cmocka_unit_test(agenda_copies_all),
        cmocka_unit_test(inbox_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
