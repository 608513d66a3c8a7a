/* SPDX-License-Identifier: Apache-2.0 */
/* The slowest messages of a run: the same ones in the same order, whatever the order in which they
 * are told. */
#include "sim/watch/slowest.h"

#include "sim/packet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { WANTED = 5, TOLD = 8, FROM = 100 };

typedef struct message {
    uint32_t source, traffic_class, index;
    uint64_t latency;
    weft_time delivered;
} message;

/* In the order that is right; the last three have no place. */
static const message messages[TOLD] = {
    {9, 1, 7, 50, 140}, {3, 0, 8, 40, 120}, {3, 0, 9, 40, 120}, {3, 1, 2, 40, 120},
    {4, 0, 1, 40, 120}, {1, 0, 1, 40, 121}, {1, 0, 1, 30, 100}, {1, 0, 3, 90, FROM - 1}};

static void tell(weft_slowest *slowest, const message *it)
{
    weft_event packet = {0};
    weft_packet_name(&packet, it->source, it->index, it->delivered - (weft_time)it->latency);
    weft_packet_make(WEFT_KEY_NARROW, &packet, it->traffic_class, 0, 1, false);
    weft_slowest_add(slowest, &packet, it->latency, it->delivered);
}

static void names_decide_between_equals(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < TOLD; first++)
        for (uint32_t step = 1; step < TOLD; step += 2) {
            weft_slow_packet room[WANTED];
            weft_slowest slowest = {.from = FROM, .wanted = WANTED, .at = room};
            for (uint32_t n = 0; n < TOLD; n++)
                tell(&slowest, &messages[(first + n * step) % TOLD]);
            assert_int_equal(slowest.count, WANTED);
            for (uint32_t i = 0; i < WANTED; i++) {
                assert_int_equal(room[i].source, messages[i].source);
                assert_int_equal(room[i].traffic_class, messages[i].traffic_class);
                assert_int_equal(room[i].index, messages[i].index);
                assert_int_equal(room[i].latency, messages[i].latency);
                assert_int_equal(room[i].delivered, messages[i].delivered);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_decide_between_equals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
