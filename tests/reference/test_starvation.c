/* SPDX-License-Identifier: Apache-2.0 */
/* Why packets of a saturated network may wait without end although nothing is stuck, shown flit
 * by flit: a packet asks only where its whole length fits, so short ones pass it; and at every
 * router the packets that come by a link share the output evenly with those that are put in
 * there, so the farther a packet comes from, the less is left for it
 * (docs/theory/input-queued.md, "Waiting without end"). */
#include "reference/flit.h"
#include "reference/flit_route.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#define PACKETS 6000
#define PORTS   2 /* of a line: +1 is port 0, −1 is port 1 */

typedef struct line {
    flit_config config;
    flit_end *peer;
    flit_packet *packet;
    flit_history *history;
    size_t count;
} line;

/* Routers in a line, so many endpoints each; one VC, a flit a tick everywhere. */
static void line_open(line *on, uint32_t routers, uint32_t hosts, uint32_t buffer)
{
    on->peer = calloc((size_t)routers * PORTS, sizeof *on->peer);
    on->packet = calloc(PACKETS, sizeof *on->packet);
    on->history = calloc(PACKETS, sizeof *on->history);
    on->count = 0;
    assert_true(on->peer && on->packet && on->history);
    for (uint32_t r = 0; r < routers; r++) {
        on->peer[PORTS * r] = (flit_end){.router = r + 1 < routers ? r + 1 : FLIT_NONE, .port = 1};
        on->peer[PORTS * r + 1] = (flit_end){.router = r > 0 ? r - 1 : FLIT_NONE, .port = 0};
    }
    on->config = (flit_config){.routers = routers,
                               .ports = PORTS,
                               .hosts = hosts,
                               .links = 1,
                               .classes = 1,
                               .vcs = 1,
                               .peer = on->peer,
                               .period = {1, 1},
                               .latency = {1, 1},
                               .host_period = 1,
                               .host_latency = 1,
                               .ready = 1,
                               .crossbar = 1,
                               .credit = 2,
                               .buffer = buffer,
                               .input_speedup = 1,
                               .output_speedup = 1,
                               .speedup = 1,
                               .iterations = 1,
                               .route = flit_route,
                               .dims = 1,
                               .size = {routers}};
}

static void line_close(line *on)
{
    free(on->peer);
    free(on->packet);
    free(on->history);
}

/* So many packets of one endpoint, all there at the start. */
static void line_add(line *on, uint32_t source, uint32_t destination, uint32_t flits,
                     uint32_t packets)
{
    uint32_t hosts = on->config.hosts;
    for (uint32_t i = 0; i < packets; i++) {
        assert_true(on->count < PACKETS);
        on->packet[on->count++] =
            (flit_packet){.source = source,
                          .destination = destination,
                          .flits = flits,
                          .message = i,
                          .offset = {(int)(destination / hosts) - (int)(source / hosts)}};
    }
}

/* At tick 60 endpoint 1 has one packet to send, while those of endpoint 0 pass by in its router:
 * how many of these leave only after it. */
static uint32_t left_behind(uint32_t flits, uint32_t passing, uint32_t count, uint32_t buffer,
                            bool in_packets)
{
    line on;
    line_open(&on, 3, 1, buffer);
    on.config.in_packets = in_packets;
    line_add(&on, 0, 2, passing, count);
    line_add(&on, 1, 2, flits, 1);
    on.packet[count].birth = 60;
    assert_true(flit_run(&on.config, on.packet, on.count, 100000, on.history) >= 0);
    uint32_t behind = 0;
    for (uint32_t i = 0; i < count; i++)
        behind += on.history[i].hops[1].tick > on.history[count].hops[0].tick;
    line_close(&on);
    return behind;
}

/* It never finds 8 places free as long as shorter ones keep taking 3. */
static void short_packets_pass_a_long_one_as_long_as_they_come(void **state)
{
    (void)state;
    for (uint32_t count = 50; count <= 800; count *= 4)
        assert_int_equal(left_behind(8, 3, count, 8, false), 0);
}

/* Of one length, where a place is a packet's whatever its length, or with room for both it goes
 * next: at most 60 ticks of others went before, and two more. */
static void packets_of_one_size_take_turns(void **state)
{
    (void)state;
    assert_in_range(left_behind(8, 8, 200, 8, false), 200 - 60 / 8 - 2, 200);
    assert_in_range(left_behind(3, 3, 200, 8, false), 200 - 60 / 3 - 2, 200);
    assert_in_range(left_behind(8, 3, 200, 2, true), 200 - 60 / 3 - 2, 200);
    assert_in_range(left_behind(8, 3, 200, 64, false), 200 - 60 / 3 - 2, 200);
}

/* All endpoints of a line of routers send to the last router as much as they can; packets of
 * router r that have come after so many ticks. */
static void crowd(uint32_t routers, uint32_t hosts, int64_t ticks, uint32_t *came)
{
    line on;
    uint32_t each = PACKETS / ((routers - 1) * hosts);
    line_open(&on, routers, hosts, 16);
    for (uint32_t e = 0; e < (routers - 1) * hosts; e++)
        line_add(&on, e, (routers - 1) * hosts, 4, each);
    assert_int_equal(flit_run(&on.config, on.packet, on.count, ticks, on.history), -1);
    for (uint32_t r = 0; r < routers; r++)
        came[r] = 0;
    for (size_t i = 0; i < on.count; i++)
        came[on.packet[i].source / hosts] += on.history[i].delivered >= 0;
    for (uint32_t e = 0; e < (routers - 1) * hosts; e++) /* all have something left to send */
        assert_true(on.history[(size_t)e * each + each - 1].delivered < 0);
    line_close(&on);
}

/* One endpoint each: the last router's has half, the one before a quarter, … */
static void every_merge_halves_what_comes_from_afar(void **state)
{
    (void)state;
    uint32_t came[6];
    crowd(6, 1, 4000, came);
    double all = 4000 / 4.0; /* packets that the last link carries */
    double share[] = {1 / 16.0, 1 / 16.0, 1 / 8.0, 1 / 4.0, 1 / 2.0};
    for (int r = 0; r < 5; r++)
        assert_in_range(came[r], (uint32_t)(share[r] * all * 0.9) - 3,
                        (uint32_t)(share[r] * all * 1.1) + 3);
}

/* Four endpoints each: a fifth for what comes by the link, then a fifth of that. */
static void many_endpoints_leave_next_to_nothing(void **state)
{
    (void)state;
    uint32_t came[5];
    crowd(5, 4, 4000, came);
    double all = 4000 / 4.0;
    double share[] = {1 / 125.0, 4 / 125.0, 4 / 25.0, 4 / 5.0};
    for (int r = 0; r < 4; r++)
        assert_in_range(came[r], (uint32_t)(share[r] * all * 0.7),
                        (uint32_t)(share[r] * all * 1.3) + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_packets_pass_a_long_one_as_long_as_they_come),
        cmocka_unit_test(packets_of_one_size_take_turns),
        cmocka_unit_test(every_merge_halves_what_comes_from_afar),
        cmocka_unit_test(many_endpoints_leave_next_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
