/* SPDX-License-Identifier: Apache-2.0 */
/* The ideal time of a job is told where it is known, and 0 where it is not: where the links of
 * hosts are not alike, and where a message has more ways than can be followed. */
#include "net/jobs/jobs.h"
#include "sim/jobs/ideal.h"
#include "sim/jobs/message_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

/* Between the ends of a network; the way is the same for both. */
static void check(const char *text, bool known, bool one)
{
    stage set;
    double ticks[WEFT_SIZE_CLASSES], most = 0;
    const weft_network *network = stage_open(&set, text);
    const uint32_t *at = network->jobs->jobs[0].endpoint;
    assert_int_equal(weft_ideal_find(network, 0).ticks > 0, known);
    assert_int_equal(weft_ideal_form(network, 0) > 0, known);
    weft_ideal_messages(network, 0, ticks);
    for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
        most = ticks[c] > most ? ticks[c] : most;
    assert_int_equal(most > 0, known);
    assert_int_equal(weft_message_time(network, at[0], at[1], 64) > 0, one);
    stage_close(&set);
}

#define SMALL(links)                            \
    "topology: {kind: mesh, dims: [4, 2]}\n"    \
    "links: {flit: 64 B, where: {" links "}}\n" \
    "router: {kind: input-queued, vcs: 1, buffer: 16 flits}\n" JOB("0, 7")
#define JOB(ends)                                                                                 \
    "jobs: {pair: {collective: broadcast/binomial, ranks: 2, size: 64 B, placement: listed, on: " \
    "[" ends "]}}\n"

static void links_of_hosts_must_be_alike(void **state)
{
    (void)state;
    check(SMALL("'0 - 1': {latency: 5 cycles}"), true, true);
    check(SMALL("'host 3': {latency: 5 cycles}"), false, true);
}

/* From one corner of a hypercube of a million routers to the opposite one there are as many
 * routers that a packet may pass. */
static void ways_must_end(void **state)
{
    (void)state;
    check("topology: {kind: hypercube, dimensions: 20}\n"
          "links: {flit: 64 B}\n"
          "routing: {kind: minimal-oblivious, selection: random}\n" JOB("0, 1048575"),
          false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_of_hosts_must_be_alike),
        cmocka_unit_test(ways_must_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
