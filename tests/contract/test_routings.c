/* SPDX-License-Identifier: Apache-2.0 */
/* What every routing × selection promises on every topology: candidates are minimal ways, each
 * once, in the order the selection names, and depend on the route word and the stream alone. */
#include "net/network.h"
#include "net/pattern.h"
#include "net/routing.h"
#include "net/selection.h"
#include "net/arrival.h"
#include "net/length.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"

/* A network assembled by weft_network_build, as engines get it. */
typedef struct setup {
    weft_arena arena;
    weft_scenario scenario;
    weft_traffic_class traffic;
    void *topology, *routing, *selection, *length;
    weft_network network;
} setup;

static weft_kind_ref refer(const weft_component *kind, void *settings)
{
    return (weft_kind_ref){.kind = kind, .settings = settings};
}

static const weft_routing *setup_open(setup *it, const example *topology, const char *routing,
                                      const char *selection)
{
    const weft_component *place = kind_named(weft_topology_kinds, topology->kind);
    const weft_component *rule = kind_named(weft_routing_kinds, routing);
    const weft_component *order = kind_named(weft_selection_kinds, selection);
    const weft_component *fixed = kind_named(weft_length_kinds, "fixed");
    *it = (setup){.topology = settings_make(place, topology->settings),
                  .routing = settings_make(rule, ""),
                  .selection = settings_make(order, ""),
                  .length = settings_make(fixed, "size=64")};
    weft_arena_init(&it->arena);
    if (settings_find(rule, "selection"))
        settings_put_kind(rule, it->routing, "selection", refer(order, it->selection));
    const weft_link_settings plain = {.rate = {.unit = WEFT_NO_RATE}};
    it->traffic =
        (weft_traffic_class){.name = "all",
                             .pattern = refer(kind_named(weft_pattern_kinds, "uniform"), NULL),
                             .arrival = refer(kind_named(weft_arrival_kinds, "poisson"), NULL),
                             .length = refer(fixed, it->length),
                             .load = 0.1,
                             .rho = WEFT_NONE_REAL,
                             .rate = WEFT_NONE_REAL,
                             .share = WEFT_NONE_REAL};
    it->scenario = (weft_scenario){.clock = WEFT_NONE_REAL,
                                   .topology = refer(place, it->topology),
                                   .routing = refer(rule, it->routing),
                                   .links = {.local = plain, .global = plain, .host = plain},
                                   .traffic = &it->traffic,
                                   .traffic_count = 1};
    weft_error err;
    assert_int_equal(weft_network_build(&it->network, &it->scenario, &it->arena, &err), WEFT_OK);
    return &it->network.routing;
}

static void setup_close(setup *it)
{
    weft_network_done(&it->network);
    weft_arena_done(&it->arena);
    free(it->topology);
    free(it->routing);
    free(it->selection);
    free(it->length);
}

static bool same_way(weft_way a, weft_way b)
{
    return a.port == b.port && a.hops == b.hops && a.after == b.after;
}

static void assert_same_ways(const weft_way *a, const weft_way *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_true(same_way(a[i], b[i]));
}

static unsigned ask(const weft_routing *routing, uint32_t route, uint64_t draw, weft_way *out)
{
    weft_random random = weft_random_stream(7, draw, route, WEFT_FOR_TEST);
    return routing->kind->candidates(routing, route, routing->draws ? &random : NULL, out);
}

/* Calls visit for the route of every pair of different routers (every 7th in large networks). */
static void each_route(const weft_routing *routing,
                       void (*visit)(const weft_routing *routing, uint32_t route))
{
    const weft_topology *topology = routing->topology;
    uint32_t step = topology->routers > 100 ? 7 : 1;
    for (uint32_t from = 0; from < topology->routers; from += step)
        for (uint32_t to = 0; to < topology->routers; to++) {
            weft_random tie = weft_random_stream(8, to, from, WEFT_FOR_TEST);
            if (from != to)
                visit(routing, topology->kind->aim(topology, from, to, &tie));
        }
}

/* Every routing × selection × topology. */
static void each_combination(void (*visit)(const weft_routing *routing, uint32_t route))
{
    for (const weft_component *const *r = weft_routing_kinds; *r; r++)
        for (const weft_component *const *s = weft_selection_kinds; *s; s++)
            for (size_t i = 0; i < NETWORKS; i++) {
                setup it;
                if (s != weft_selection_kinds && !settings_find(*r, "selection"))
                    break; /* one is as good as another */
                each_route(setup_open(&it, &network_examples[i], (*r)->name, (*s)->name), visit);
                setup_close(&it);
            }
}

/* A subset of the minimal ways, each once; as many as the kind says it wants. */
static void check_subset(const weft_routing *routing, uint32_t route)
{
    weft_way all[WEFT_WAYS_MAX], out[WEFT_WAYS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, all);
    unsigned got = ask(routing, route, 0, out);
    assert_true(got >= 1 && got <= count);
    for (unsigned i = 0; i < got; i++) {
        unsigned found = 0;
        for (unsigned j = 0; j < count; j++)
            found += same_way(out[i], all[j]);
        assert_int_equal(found, 1);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(out[i].port, out[j].port);
    }
    if (routing->kind->ways_wanted)
        assert_int_equal(got,
                         count < routing->kind->ways_wanted ? count : routing->kind->ways_wanted);
}

static void candidates_are_minimal_ways(void **state)
{
    (void)state;
    each_combination(check_subset);
}

/* The same word and an equal stream give the same answer, whatever was asked in between. */
static void check_pure(const weft_routing *routing, uint32_t route)
{
    weft_way first[WEFT_WAYS_MAX], other[WEFT_WAYS_MAX], again[WEFT_WAYS_MAX];
    unsigned count = ask(routing, route, 1, first);
    ask(routing, route, 2, other);
    assert_int_equal(ask(routing, route, 1, again), count);
    assert_same_ways(first, again, count);
}

static void candidates_depend_on_route_and_stream_alone(void **state)
{
    (void)state;
    each_combination(check_pure);
}

/* What engines do instead of asking for candidates. */
static void check_straight(const weft_routing *routing, uint32_t route)
{
    weft_way straight[WEFT_WAYS_MAX], asked[WEFT_WAYS_MAX];
    const weft_topology *topology = routing->topology;
    if (!routing->straight)
        return;
    unsigned count = topology->kind->ways(topology, route, routing->straight, straight);
    assert_int_equal(ask(routing, route, 0, asked), count);
    assert_same_ways(straight, asked, count);
}

static void the_straight_shortcut_equals_candidates(void **state)
{
    (void)state;
    each_combination(check_straight);
    setup it;
    const weft_routing *routing =
        setup_open(&it, &network_examples[0], "minimal-oblivious", "dimension-order");
    assert_int_equal(routing->straight, 1);
    setup_close(&it);
    routing = setup_open(&it, &network_examples[0], "dimension-order", "random");
    assert_int_equal(routing->straight, 1);
    setup_close(&it);
}

static void check_lowest_dimension(const weft_routing *routing, uint32_t route)
{
    weft_way all[WEFT_WAYS_MAX], out[WEFT_WAYS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, all);
    unsigned got = ask(routing, route, 0, out);
    assert_true(got == 1 || got == count);
    assert_same_ways(out, all, got);
}

static void check_most_hops_left(const weft_routing *routing, uint32_t route)
{
    weft_way all[WEFT_WAYS_MAX], out[WEFT_WAYS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, all), ranked = 0;
    unsigned got = ask(routing, route, 0, out);
    assert_true(got == 1 || got == count);
    for (uint32_t hops = topology->routers; hops > 0 && ranked < got; hops--)
        for (unsigned j = 0; j < count && ranked < got; j++)
            if (all[j].hops == hops)
                assert_true(same_way(out[ranked++], all[j]));
    assert_int_equal(ranked, got);
}

static void each_network(const char *selection,
                         void (*visit)(const weft_routing *routing, uint32_t route))
{
    const char *const routings[] = {"minimal-oblivious", "minimal-adaptive"};
    for (size_t r = 0; r < sizeof routings / sizeof *routings; r++)
        for (size_t i = 0; i < NETWORKS; i++) {
            setup it;
            each_route(setup_open(&it, &network_examples[i], routings[r], selection), visit);
            setup_close(&it);
        }
}

static void dimension_order_takes_the_lowest_dimension(void **state)
{
    (void)state;
    each_network("dimension-order", check_lowest_dimension);
    for (size_t i = 0; i < NETWORKS; i++) {
        setup it;
        each_route(setup_open(&it, &network_examples[i], "dimension-order", "random"),
                   check_lowest_dimension);
        setup_close(&it);
    }
}

static void diagonal_takes_the_most_hops_left(void **state)
{
    (void)state;
    each_network("diagonal", check_most_hops_left);
}

/* Chi-square of equal counts; mean = cells − 1, variance twice that. */
static void assert_even(const uint32_t *count, unsigned cells, uint32_t draws)
{
    double expected = (double)draws / cells, chi = 0, free = cells - 1;
    for (unsigned c = 0; c < cells; c++)
        chi += (count[c] - expected) * (count[c] - expected) / expected;
    assert_true(chi < free + 4 * sqrt(2 * free));
}

static void random_choice_is_uniform(void **state)
{
    (void)state;
    setup it;
    const uint32_t draws = 20000, corner = 31;
    const example cube = {"hypercube", "dimensions=5"};
    const weft_routing *routing = setup_open(&it, &cube, "minimal-oblivious", "random");
    uint32_t route = routing->topology->kind->aim(routing->topology, 0, corner, NULL);
    uint32_t count[5] = {0};
    for (uint32_t i = 0; i < draws; i++) {
        weft_way out[WEFT_WAYS_MAX];
        assert_int_equal(ask(routing, route, i, out), 1);
        count[out[0].port]++;
    }
    assert_even(count, 5, draws);
    setup_close(&it);
}

static void random_order_is_uniform(void **state)
{
    (void)state;
    setup it;
    const uint32_t draws = 24000, corner = 7;
    const example cube = {"hypercube", "dimensions=3"};
    const weft_routing *routing = setup_open(&it, &cube, "minimal-adaptive", "random");
    uint32_t route = routing->topology->kind->aim(routing->topology, 0, corner, NULL);
    uint32_t count[6] = {0};
    for (uint32_t i = 0; i < draws; i++) {
        weft_way out[WEFT_WAYS_MAX];
        assert_int_equal(ask(routing, route, i, out), 3);
        count[out[0].port * 2u + (out[1].port > out[2].port)]++;
    }
    assert_even(count, 6, draws);
    setup_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_minimal_ways),
        cmocka_unit_test(candidates_depend_on_route_and_stream_alone),
        cmocka_unit_test(the_straight_shortcut_equals_candidates),
        cmocka_unit_test(dimension_order_takes_the_lowest_dimension),
        cmocka_unit_test(diagonal_takes_the_most_hops_left),
        cmocka_unit_test(random_choice_is_uniform),
        cmocka_unit_test(random_order_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
