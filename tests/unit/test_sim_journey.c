/* SPDX-License-Identifier: Apache-2.0 */
/* Journeys of packets along a way that is known. */
#include "sim/simulation.h"
#include "sim/watch/journey.h"
#include "sim/watch/slowest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "test_folder.h"

static void run(const weft_network *network, const weft_simulation_options *options)
{
    weft_simulation *simulation;
    weft_ending ending;
    weft_error err;
    assert_int_equal(weft_simulation_create(network, options, &simulation, &err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &err), WEFT_OK);
    weft_simulation_destroy(simulation);
}

static void follow(const weft_network *network, const weft_packet_identity *names, size_t count,
                   weft_journeys *journeys)
{
    weft_journeys_init(journeys, network, names, count, INT64_MAX);
    run(network,
        &(weft_simulation_options){
            .blocks = 1, .look = weft_journeys_look, .looker = journeys, .trace = journeys->trace});
    assert_true(weft_journeys_over(journeys));
}

/* Eleven hops along a ring: a stop at every router, as far apart in time as they are alike. */
static void a_long_way_has_many_stops(void **state)
{
    enum { HOPS = 11 };
    const weft_packet_identity name = {.source = 0, .index = 3};
    stage set;
    weft_journeys journeys;
    (void)state;
    follow(stage_open(&set, "topology: {kind: torus, dims: [24]}\n"
                            "links: {latency: 2 cycles}\n"
                            "router: {kind: input-queued, vcs: 2, buffer: 8 flits}\n"
                            "traffic: {all: {from: 0, to: 11, arrival: periodic, length: 4 flits, "
                            "load: 0.01}}\n"
                            "measure: {half-width: 0.001%, warmup: 0 cycles, limit: {time: 6400 "
                            "cycles}}\n"),
           &name, 1, &journeys);
    const weft_journey *journey = journeys.at;
    assert_int_equal(journey->n_stops, 1 + HOPS + 1);
    assert_int_equal(journey->stops[0].router, WEFT_NOWHERE);
    for (uint32_t i = 1; i < journey->n_stops; i++) {
        const weft_journey_stop *stop = &journey->stops[i];
        assert_int_equal(stop->router, i - 1);
        assert_int_equal(stop->n_waits, 0);
        assert_int_equal(stop->left, stop->ready);
        if (i > 1)
            assert_int_equal(stop->left - stop[-1].left,
                             journey->stops[2].left - journey->stops[1].left);
    }
    assert_int_equal(journey->destination, HOPS);
    weft_journeys_done(&journeys);
    stage_close(&set);
}

enum { MESSAGES = 90 };

/* When a message of a job is handed to the network nobody knows before the run. Followed one by one
 * and all together: what it waited for at its source is as long as it was there. */
static void check_births(const char *endpoint, const char *job, size_t messages)
{
    char text[1024];
    stage set;
    weft_journeys journeys;
    weft_slow_packet slow[MESSAGES];
    weft_packet_identity names[MESSAGES];
    weft_slowest slowest = {.wanted = MESSAGES, .at = slow};
    (void)snprintf(text, sizeof text,
                   "topology: {kind: mesh, dims: [3, 3]}\n"
                   "links: {flit: 64 B}\n"
                   "router: {kind: input-queued, vcs: 1, buffer: 16 flits}\n"
                   "endpoint: {%s}\n"
                   "host: {overhead: 5 cycles}\n"
                   "jobs: {all: {%s}}\n",
                   endpoint, job);
    const weft_network *network = stage_open(&set, text);
    run(network, &(weft_simulation_options){.blocks = 1, .slowest = &slowest});
    assert_int_equal(slowest.count, messages);
    for (size_t i = 0; i < messages; i++)
        names[i] = (weft_packet_identity){slow[i].source, slow[i].traffic_class, slow[i].index,
                                          slow[i].number};
    for (size_t i = 0; i <= messages; i++) {
        size_t first = i < messages ? i : 0, count = i < messages ? 1 : messages;
        follow(network, names + first, count, &journeys);
        for (size_t k = 0; k < count; k++) {
            const weft_journey *journey = &journeys.at[k];
            const weft_slow_packet *it = &slow[first + k];
            const weft_journey_stop *source = &journey->stops[0];
            weft_time waited = 0;
            assert_int_equal(journey->birth, it->delivered - (weft_time)it->latency);
            assert_int_equal(source->ready, journey->birth);
            for (size_t w = 0; w < source->n_waits; w++)
                waited += source->waits[w].ticks;
            assert_int_equal(waited, source->left - source->ready);
        }
        weft_journeys_done(&journeys);
    }
    stage_close(&set);
}

#define ALL "collective: all-to-all/linear, ranks: 6, size: 6000 B, repeat: 3"

static void messages_of_jobs_wait_from_their_birth_on(void **state)
{
    (void)state;
    check_births("", ALL, 6 * 5 * 3);
    check_births("mtu: 256 B", ALL, 6 * 5 * 3);
    check_births("mtu: 256 B, ports: 2", ALL, 6 * 5 * 3);
}

/* The third message has a number far behind that of the second, and comes right after it. */
static void numbers_of_messages_may_be_far_apart(void **state)
{
    (void)state;
    FILE *out = fopen("far.goal", "w");
    assert_non_null(out);
    (void)fputs("num_ranks 2\nrank 0 {\n"
                "a: send 1024b to 1 tag 1\nb: send 1024b to 1 tag 2\n",
                out);
    for (int i = 0; i < 200; i++)
        (void)fprintf(out, "c%d: calc 1\n", i);
    (void)fputs("z: send 1024b to 1 tag 3\n", out);
    for (int i = 0; i < 200; i++)
        (void)fprintf(out, "c%d requires z\n", i);
    (void)fputs("}\nrank 1 {\n", out);
    for (int tag = 1; tag <= 3; tag++)
        (void)fprintf(out, "r%d: recv 1024b from 0 tag %d\n", tag, tag);
    (void)fputs("}\n", out);
    assert_int_equal(fclose(out), 0);
    check_births("", "file: far.goal", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_way_has_many_stops),
        cmocka_unit_test(messages_of_jobs_wait_from_their_birth_on),
        cmocka_unit_test(numbers_of_messages_may_be_far_apart),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
