/* SPDX-License-Identifier: Apache-2.0 */
/* Surveys of congestion by cases in which it is plain who waits for whom. */
#include "sim/simulation.h"
#include "sim/watch/waitwatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

typedef struct survey_of {
    stage stage;
    weft_waitwatch survey;
} survey_of;

enum { SAMPLES = 200, FROM = 1000, UNTIL = 9000 };

static void survey_run(survey_of *it, const char *text)
{
    const weft_network *network = stage_open(&it->stage, text);
    const weft_waitwatch_plan plan = {.from = FROM, .until = UNTIL, .samples = SAMPLES};
    weft_simulation *simulation;
    weft_ending ending;
    weft_waitwatch_init(&it->survey, network, &plan);
    weft_trace trace = {.note = weft_waitwatch_note, .user = &it->survey};
    weft_simulation_options options = {
        .blocks = 1, .look = weft_waitwatch_look, .looker = &it->survey, .trace = &trace};
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &it->stage.err), 0);
    assert_int_equal(weft_simulation_run(simulation, &ending, &it->stage.err), 0);
    assert_int_equal(it->survey.samples, SAMPLES);
    weft_simulation_destroy(simulation);
    weft_waitwatch_finish(&it->survey);
}

static void survey_done(survey_of *it)
{
    weft_waitwatch_done(&it->survey);
    stage_close(&it->stage);
}

#define LIMIT                                              \
    "measure: {half-width: 0.0001%, warmup: 9500 cycles, " \
    "limit: {time: 10000 cycles, packets: 100000000}}\n"

/* Packets of an endpoint that were seen to wait for an output, in all samples. */
static double waiting_of(const survey_of *it, uint32_t output, uint32_t endpoint)
{
    const weft_waitwatch *survey = &it->survey;
    for (size_t r = 0; r < survey->n_roots; r++)
        if (survey->roots[r] == output)
            return survey->flows[r * it->stage.network.endpoints + endpoint].waiting;
    fail_msg("output %u is no root", output);
    return 0;
}

/* Endpoint 0 has a queue of packets for one output, which three send to, and now and then one for
 * another, which waits behind long packets of endpoint 3: its input waits for the former, but while
 * it feeds the latter. */
static void check_voqs(uint32_t hot, uint32_t rare)
{
    char text[1024];
    survey_of it;
    (void)snprintf(text, sizeof text,
                   "topology: {kind: full, routers: 1, hosts: 6}\n"
                   "router: {kind: input-queued, vcs: 1, buffer: 64 flits, queues: voq}\n"
                   "traffic:\n"
                   "  hot: {from: 0-2, to: %u, length: 4 flits, load: 0.9}\n"
                   "  rare: {from: 0, to: %u, length: 4 flits, load: 0.15}\n"
                   "  long: {from: 3, to: %u, length: 60 flits, load: 0.75}\n%s",
                   hot, rare, rare, LIMIT);
    survey_run(&it, text);
    double one = waiting_of(&it, hot, 0), other = waiting_of(&it, rare, 0);
    assert_true(one > 3 * SAMPLES && other < one / 10);
    survey_done(&it);
}

static void the_longest_of_several_queues_decides(void **state)
{
    (void)state;
    check_voqs(5, 4);
    check_voqs(4, 5);
}

/* In a network that is too full everywhere more waits are met than there is room for at first. */
static void waits_lead_to_the_router_behind(void **state)
{
    (void)state;
    survey_of it;
    survey_run(&it, "topology: {kind: torus, dims: [8, 8]}\n"
                    "router: {kind: input-queued, vcs: 4, buffer: 8 flits}\n"
                    "routing: {kind: minimal-adaptive, escape: 2}\n"
                    "traffic: {all: {length: 4 flits, load: 0.9}}\n" LIMIT);
    const weft_waitwatch *survey = &it.survey;
    const weft_topology *topology = &it.stage.network.topology;
    uint32_t outs = survey->outs;
    assert_true(survey->n_edges > 512);
    for (size_t i = 0; i < survey->n_edges; i++) {
        const weft_waitwatch_edge *edge = &survey->edges[i];
        weft_end to = topology->kind->peer(topology, edge->from / outs, edge->from % outs);
        assert_int_equal(edge->to / outs, to.router);
        assert_true(edge->packets > 0);
        if (i == 0)
            continue;
        const weft_waitwatch_edge *before = edge - 1;
        assert_true(before->packets >= edge->packets);
        assert_true(before->from != edge->from || before->to != edge->to);
    }
    survey_done(&it);
}

/* Routers have from none to five endpoints. */
static void sources_are_counted_where_they_are(void **state)
{
    (void)state;
    char text[1024];
    survey_of it;
    (void)snprintf(
        text, sizeof text,
        "topology: {kind: file, path: %s/tests/data/fabrics/uneven.weftnet}\n"
        "router: {kind: input-queued, vcs: 4, buffer: 8 flits}\n"
        "traffic: {all: {from: 7, to: 3, arrival: periodic, length: 2 flits, load: 0.02}}\n%s",
        WEFT_SOURCE, LIMIT);
    survey_run(&it, text);
    const weft_waitwatch *survey = &it.survey;
    for (uint32_t e = 0; e < it.stage.network.endpoints; e++) {
        bool sends = e == 7;
        assert_int_equal(survey->arrived[e] > 0, sends);
        assert_int_equal(survey->taken[e] > 0, sends);
    }
    double messages =
        (double)(survey->last - survey->first) * it.stage.network.traffic_classes[0].per_tick;
    assert_true(messages > 20);
    assert_in_range(survey->arrived[7], messages - 1, messages + 1);
    survey_done(&it);
}

/* One source alone: its packets wait for nobody, and its link carries them, whether lines of an
 * input share it or a buffer lies before it. */
static void who_is_alone_does_not_wait(void **state)
{
    (void)state;
    static const char *const routers[] = {"", ", output-buffer: 16 flits", ", input-speedup: 2",
                                          ", output-buffer: 16 flits, speedup: 2"};
    for (size_t i = 0; i < sizeof routers / sizeof *routers; i++) {
        char text[1024];
        survey_of it;
        (void)snprintf(text, sizeof text,
                       "topology: {kind: mesh, dims: [3]}\n"
                       "links: {latency: 2 cycles}\n"
                       "router: {kind: input-queued, vcs: 2, buffer: 32 flits%s}\n"
                       "traffic: {all: {from: 0, to: 2, arrival: periodic, length: 8 flits, load: "
                       "0.4}}\n%s",
                       routers[i], LIMIT);
        survey_run(&it, text);
        const weft_waitwatch_output *link = &it.survey.outputs[0];
        assert_true(it.survey.waiting == 0);
        assert_in_range(link->busy, SAMPLES * 35 / 100, SAMPLES * 45 / 100);
        survey_done(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_of_several_queues_decides),
        cmocka_unit_test(who_is_alone_does_not_wait),
        cmocka_unit_test(waits_lead_to_the_router_behind),
        cmocka_unit_test(sources_are_counted_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
