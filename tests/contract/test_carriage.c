/* SPDX-License-Identifier: Apache-2.0 */
/* Every router kind × every routing kind × a few topologies, with and without a fault: either the
 * pair is refused with a sentence at the place of what has to change, or it runs and every packet
 * arrives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "net/routing.h"
#include "sim/platform.h"
#include "sim/simulation.h"

/* Lines of a scenario. */
enum { TOPOLOGY = 2, ROUTER, ROUTING, TRAFFIC, MEASURE, FAULTS };

static const char nested[] =
    "{kind: hierarchy, outer: {kind: hierarchy, outer: {kind: torus, dims: [4]}, "
    "inner: {kind: full, routers: 3}}, inner: {kind: full, routers: 2}}";

static const char *const topologies[] = {
    "{kind: torus, dims: [4, 4]}",
    "{kind: torus, dims: [3, 3]}",
    "{kind: mesh, dims: [3, 3]}",
    "{kind: hypercube, dimensions: 3}",
    "{kind: hyperx, dims: [3, 3]}",
    "{kind: full, routers: 4, links: 2}",
    "{kind: full, routers: 1, hosts: 4}",
    "{kind: fat-tree, arity: 2, levels: 3}",
    "{kind: butterfly, arity: 2, stages: 2}",
    "{kind: dragonfly, groups: 4, routers: 3}",
    "{kind: hierarchy, outer: {kind: torus, dims: [4, 3]}, inner: {kind: full, routers: 2}}",
    nested,
    "{kind: random-regular, routers: 8, degree: 3}",
    "{kind: file, path: " WEFT_TEST_DATA "/infiniband/torus-2QoS.weftnet}",
};
#define TOPOLOGIES (sizeof topologies / sizeof *topologies)

typedef struct extra { /* settings that a kind needs, or that make it do more */
    const char *kind, *settings;
} extra;

static const extra routers[] = {
    {"input-queued", ", vcs: 16"},
    {"queue", ", service: 2 cycles"},
    {"shared-queue", ", extraction: chosen"},
    {"shared-queue", ""},
};
static const extra routings[] = {
    {"minimal-adaptive", ", selection: random"},
    {"minimal-adaptive", ""},
    {"minimal-oblivious", ", selection: random"},
    {"minimal-oblivious", ""},
    {"zone", ", order: random, hints: true"},
    {"zone", ""},
    {"up-down", ", adaptive: true"},
    {"up-down", ""},
    {"source", ", file: " WEFT_TEST_DATA "/routes/mesh-3x3.source"},
    {"tables", ", file: " WEFT_TEST_DATA "/routes/mesh-3x3.tables"},
};

/* The nth settings of a kind; NULL: there are no more. Every kind has one. */
static const char *settings_of(const extra *list, size_t count, const char *kind, size_t nth)
{
    size_t met = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].kind, kind) == 0 && met++ == nth)
            return list[i].settings;
    return met == 0 && nth == 0 ? "" : NULL;
}
#define SETTINGS_OF(list, kind, nth) settings_of(list, sizeof(list) / sizeof *(list), kind, nth)

typedef struct combination {
    const char *topology, *router, *router_settings, *routing, *routing_settings;
    bool own;   /* the traffic class has the routing */
    bool fault; /* a cable is down */
    char text[2048];
} combination;

static void write_text(combination *it)
{
    char routing[512];
    (void)snprintf(routing, sizeof routing, "{kind: %s%s}", it->routing, it->routing_settings);
    (void)snprintf(it->text, sizeof it->text,
                   "topology: %s\nrouter: {kind: %s%s}\nrouting: %s\n"
                   "traffic: {all: {pattern: {kind: uniform, self: included}, length: 3 flits, "
                   "load: 0.3, stop: 200 cycles%s%s}}\n"
                   "measure: {warmup: 0 cycles, half-width: 0.0001%%, limit: {time: 6000 cycles}}\n"
                   "%sclock: 1 GHz\n",
                   it->topology, it->router, it->router_settings,
                   it->own ? "{kind: dimension-order}" : routing, it->own ? ", routing: " : "",
                   it->own ? routing : "", it->fault ? "faults: {random: 1, seed: 3}\n" : "");
}

/* Where a sentence that begins so belongs; 0: anywhere. */
static unsigned line_of(const combination *it, const char *sentence)
{
    static const struct {
        const char *start;
        unsigned line;
    } starts[] = {{"routing", ROUTING},
                  {"router", ROUTER},
                  {"traffic", TRAFFIC},
                  {"endpoint", TOPOLOGY},
                  {"faults", FAULTS}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(sentence, starts[i].start, strlen(starts[i].start)) == 0)
            return starts[i].line == ROUTING && it->own ? TRAFFIC : starts[i].line;
    return 0;
}

/* A place, what is wrong and what would be right. */
static void check_sentence(const combination *it, const char *text)
{
    static const char *const remedies[] = {"use ",      "must ",     "needs ",
                                           "leave out", "finds one", "give "};
    unsigned line, column;
    int used = 0;
    bool helps = false;
    if (sscanf(text, "test.yaml:%u:%u: %n", &line, &column, &used) < 2 || used == 0)
        fail_msg("no place: %s\n%s", text, it->text);
    const char *sentence = text + used;
    unsigned expected = line_of(it, sentence);
    if (expected && strncmp(sentence, "router ", 7) == 0 && strstr(sentence, "knows no faults"))
        expected = FAULTS;
    if (expected && line != expected)
        fail_msg("at line %u, not %u: %s\n%s", line, expected, text, it->text);
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        helps = helps || strstr(sentence, remedies[i]);
    if (expected && !helps) /* others are about the content of a file */
        fail_msg("no remedy: %s", text);
}

static void check_arrivals(const combination *it, const weft_network *network)
{
    weft_simulation *simulation;
    weft_error err = {""};
    weft_ending ending;
    weft_status status =
        weft_simulation_create(network, &(weft_simulation_options){0}, &simulation, &err);
    if (status == WEFT_OK)
        status = weft_simulation_run(simulation, &ending, &err);
    if (status != WEFT_OK)
        fail_msg("%s\n%s", err.text, it->text);
    weft_census census = weft_simulation_census(simulation);
    if (census.generated == 0 || census.delivered != census.generated)
        fail_msg("%lld of %lld messages arrived:\n%s", (long long)census.delivered,
                 (long long)census.generated, it->text);
    weft_simulation_destroy(simulation);
}

/* True: it ran. */
static bool try_combination(combination *it)
{
    stage at;
    weft_platform platform;
    write_text(it);
    weft_status status = stage_try(&at, it->text);
    if (status == WEFT_OK) {
        weft_platform_init(&platform, &at.network);
        status = weft_platform_check(&platform, &at.err);
    }
    if (status == WEFT_OK)
        check_arrivals(it, &at.network);
    else
        check_sentence(it, at.err.text);
    stage_close(&at);
    return status == WEFT_OK;
}

/* All settings of a router with all of a routing; how many ran. */
static uint32_t try_settings(combination *it)
{
    uint32_t ran = 0;
    for (size_t i = 0; (it->router_settings = SETTINGS_OF(routers, it->router, i)); i++)
        for (size_t j = 0; (it->routing_settings = SETTINGS_OF(routings, it->routing, j)); j++)
            ran += try_combination(it);
    return ran;
}

static uint32_t try_topologies(const char *router, const char *routing, bool own, bool fault)
{
    uint32_t ran = 0;
    for (size_t t = 0; t < TOPOLOGIES; t++) {
        combination it = {.topology = topologies[t],
                          .router = router,
                          .routing = routing,
                          .own = own,
                          .fault = fault};
        ran += try_settings(&it);
    }
    return ran;
}

static void every_pair_runs_or_is_refused(void **state)
{
    (void)state;
    uint32_t all = 0;
    for (const weft_component *const *router = weft_router_kinds; *router; router++) {
        uint32_t ran = 0;
        for (const weft_component *const *routing = weft_routing_kinds; *routing; routing++) {
            uint32_t pair = try_topologies((*router)->name, (*routing)->name, false, false);
            if (strcmp((*router)->name, "input-queued") == 0)
                assert_true(pair > 0); /* it can carry all there are, somewhere */
            ran += pair;
        }
        assert_true(ran > 0);
        all += ran;
    }
    assert_true(all > 150);
}

static void a_fault_is_avoided_or_refused(void **state)
{
    (void)state;
    uint32_t all = 0, detours = 0;
    for (const weft_component *const *router = weft_router_kinds; *router; router++)
        for (const weft_component *const *routing = weft_routing_kinds; *routing; routing++) {
            uint32_t ran = try_topologies((*router)->name, (*routing)->name, false, true);
            all += ran;
            if (strcmp((*routing)->name, "ugal") == 0 || strcmp((*routing)->name, "par") == 0)
                detours += ran;
        }
    assert_true(all > 30 && detours >= 8);
}

/* A class may have a routing of its own: it is asked for the same, and what is wrong is told at its
 * place. */
static void a_class_is_asked_for_the_same(void **state)
{
    (void)state;
    uint32_t all = 0;
    for (const weft_component *const *router = weft_router_kinds; *router; router++)
        for (const weft_component *const *routing = weft_routing_kinds; *routing; routing++)
            all += try_topologies((*router)->name, (*routing)->name, true, false);
    assert_true(all > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_runs_or_is_refused),
        cmocka_unit_test(a_fault_is_avoided_or_refused),
        cmocka_unit_test(a_class_is_asked_for_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
