/* SPDX-License-Identifier: Apache-2.0 */
/* What every routing × selection promises on every topology it does not refuse: any candidates
 * lead to the destination, are minimal ways, each once, in the order the selection names, if it
 * says so, and depend on where the packet is, its word and the stream alone. */
#include "config/source.h"
#include "config/tree.h"
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/network.h"
#include "net/routing.h"
#include "net/selection.h"
#include "net/traffic/pattern.h"
#include "sim/router.h"

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
    weft_class_settings traffic;
    network net; /* settings of the topology */
    void *router, *routing, *selection, *length, *pattern, *arrival;
    weft_network network;
    bool built;
} setup;

static weft_kind_ref refer(const weft_component *kind, void *settings)
{
    return (weft_kind_ref){.kind = kind, .settings = settings};
}

/* Where what is wrong would be. */
static const weft_source nowhere = {.name = "test", .unplaced = true};
static const weft_node empty = {.type = WEFT_NODE_MAP, .source = &nowhere};

/* The status of building it. */
static weft_status setup_try(setup *it, const example *topology, const char *routing,
                             const char *selection, weft_error *err)
{
    const weft_component *plain_router = kind_named(weft_router_kinds, "output-queued");
    const weft_component *place = kind_named(weft_topology_kinds, topology->kind);
    const weft_component *rule = kind_named(weft_routing_kinds, routing);
    const weft_component *order = kind_named(weft_selection_kinds, selection);
    const weft_component *fixed = kind_named(weft_length_kinds, "fixed");
    const weft_component *uniform = kind_named(weft_pattern_kinds, "uniform");
    const weft_component *poisson = kind_named(weft_arrival_kinds, "poisson");
    *it = (setup){.router = settings_make(plain_router, ""),
                  .routing = settings_make(rule, ""),
                  .selection = settings_make(order, ""),
                  .length = settings_make(fixed, "size=64"),
                  .pattern = settings_make(uniform, ""),
                  .arrival = settings_make(poisson, "")};
    it->net.settings = network_settings(&it->net, place, topology->settings);
    weft_arena_init(&it->arena);
    if (settings_selects(rule, ""))
        settings_put_kind(rule, it->routing, "selection", refer(order, it->selection));
    const weft_link_settings plain = {.rate = {.unit = WEFT_NO_RATE}};
    it->traffic = (weft_class_settings){.name = "all",
                                        .sl = WEFT_NONE_INT,
                                        .service = WEFT_SERVICE_NONE,
                                        .guarantee = WEFT_NONE_REAL,
                                        .pattern = refer(uniform, it->pattern),
                                        .arrival = refer(poisson, it->arrival),
                                        .length = refer(fixed, it->length),
                                        .load = 0.1,
                                        .rho = WEFT_NONE_REAL,
                                        .rate = WEFT_NONE_REAL,
                                        .share = WEFT_NONE_REAL};
    it->scenario = (weft_scenario){.tree = &empty,
                                   .clock = WEFT_NONE_REAL,
                                   .topology = refer(place, it->net.settings),
                                   .router = refer(plain_router, it->router),
                                   .routing = refer(rule, it->routing),
                                   .links = {.flit = {64, WEFT_BYTES}, /* for rates of a file */
                                             .local = plain,
                                             .global = plain,
                                             .host = plain,
                                             .regional = plain},
                                   .traffic = &it->traffic,
                                   .n_traffic = 1};
    weft_status status = weft_network_build(&it->network, &it->scenario, &it->arena, err);
    it->built = status == WEFT_OK;
    return status;
}

static const weft_routing *setup_open(setup *it, const example *topology, const char *routing,
                                      const char *selection)
{
    weft_error err;
    assert_int_equal(setup_try(it, topology, routing, selection, &err), WEFT_OK);
    return &it->network.routing;
}

static void setup_close(setup *it)
{
    if (it->built)
        weft_network_done(&it->network);
    weft_arena_done(&it->arena);
    network_forget(&it->net);
    free(it->router);
    free(it->routing);
    free(it->selection);
    free(it->length);
    free(it->pattern);
    free(it->arrival);
}

static bool same_way(weft_candidate a, weft_minimal_port b)
{
    return a.port == b.port && a.next_header == b.next_header;
}

static void assert_same_ways(const weft_candidate *a, const weft_minimal_port *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_true(same_way(a[i], b[i]));
}

static unsigned ask(const weft_routing *routing, const weft_route_context *here, uint64_t draw,
                    weft_candidate *out)
{
    weft_random random = weft_random_stream(7, draw, here->header, WEFT_FOR_ESTIMATE);
    return routing->kind->candidates(routing, here, routing->draws ? &random : NULL, out);
}

typedef void visitor(const weft_routing *routing, const weft_route_context *here);

/* Calls visit at every router of a packet's way by any of its candidates; it arrives. */
static void follow(const weft_routing *routing, uint32_t from, uint32_t to, visitor *visit)
{
    const weft_topology *topology = routing->topology;
    weft_random random = weft_random_stream(8, to, from, WEFT_FOR_ESTIMATE);
    uint32_t hops = 0;
    weft_route_context here = {.router = from,
                               .header = weft_routing_initial_header(routing, from, to, &random),
                               .port = WEFT_FROM_ENDPOINT};
    for (; here.header; hops++) {
        weft_candidate ways[WEFT_MINIMAL_PORTS_MAX];
        assert_true(hops < 8 * topology->routers);
        assert_true(weft_routing_header_valid(routing, here.router, here.header));
        visit(routing, &here);
        unsigned count = ask(routing, &here, hops, ways);
        weft_candidate way = ways[weft_random_below(&random, count)];
        weft_end end = topology->kind->peer(topology, here.router, way.port);
        assert_int_not_equal(end.router, WEFT_NOWHERE);
        here = (weft_route_context){
            .router = end.router, .header = way.next_header, .port = (uint16_t)end.port};
    }
    assert_int_equal(here.router, to);
    if (routing->kind->always_minimal && topology->lattice.dims)
        assert_int_equal(hops, topology->kind->distance(topology, from, to));
}

/* All pairs of small networks, some of others. */
static void each_pair(const weft_routing *routing, visitor *visit)
{
    const weft_topology *topology = routing->topology;
    uint32_t n = topology->edge_routers, pairs = n <= 20 ? n * n : 400;
    weft_random random = weft_random_stream(9, n, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t from = n <= 20 ? i / n : weft_random_below(&random, n);
        uint32_t to = topology->egress_offset + (n <= 20 ? i % n : weft_random_below(&random, n));
        if (from != to)
            follow(routing, from, to, visit);
    }
}

/* A kind of routing on all networks that it does not refuse; returns how many they are. */
static size_t each_network(const char *kind, const char *selection, visitor *visit)
{
    size_t found = 0;
    for (size_t i = 0; i < NETWORKS; i++) {
        setup it;
        weft_error err;
        if (setup_try(&it, &network_examples[i], kind, selection, &err) == WEFT_OK) {
            each_pair(&it.network.routing, visit);
            found++;
        }
        setup_close(&it);
    }
    return found;
}

/* Every routing × selection × topology. */
static void each_combination(visitor *visit)
{
    for (const weft_component *const *r = weft_routing_kinds; *r; r++)
        for (const weft_component *const *s = weft_selection_kinds; *s; s++) {
            const weft_routing_kind *kind = (const weft_routing_kind *)(const void *)*r;
            if (settings_find(*r, "file") ||
                (s != weft_selection_kinds && !settings_find(*r, "selection")))
                break; /* it has tests of its own, or one is as good as another */
            size_t found = each_network((*r)->name, (*s)->name, visit);
            bool looks = ((const weft_selection_kind *)(const void *)*s)->looks;
            bool vain = looks && kind->ports_wanted == 1; /* nothing to choose from */
            assert_true(!vain || !found);
            if (!found && !kind->reroute && !vain)
                fail_msg("routing %s goes with no network", (*r)->name);
        }
}

/* Are its candidates the topology's ways? */
static bool plain(const weft_routing *routing)
{
    return routing->kind->always_minimal && routing->kind->ports_wanted &&
           !routing->kind->initial_header;
}

/* A subset of the minimal ways, each once; as many as the kind says it wants. */
static void check_subset(const weft_routing *routing, const weft_route_context *here)
{
    weft_minimal_port all[WEFT_MINIMAL_PORTS_MAX];
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned got = ask(routing, here, 0, out), wanted = routing->kind->ports_wanted;
    assert_in_range(got, 1, WEFT_MINIMAL_PORTS_MAX);
    if (!plain(routing))
        return;
    unsigned count = topology->kind->minimal_ports(topology, here->router, here->header,
                                                   WEFT_MINIMAL_PORTS_MAX, all);
    for (unsigned i = 0; i < got; i++) {
        unsigned found = 0;
        for (unsigned j = 0; j < count; j++)
            found += same_way(out[i], all[j]);
        assert_int_equal(found, 1);
        for (unsigned j = 0; j < i; j++)
            assert_true(out[i].port != out[j].port || out[i].next_header != out[j].next_header);
    }
    assert_int_equal(got, count < wanted ? count : wanted);
}

static void candidates_lead_to_the_destination(void **state)
{
    (void)state;
    each_combination(check_subset);
}

/* The same word and an equal stream give the same answer, whatever was asked in between. */
static void check_pure(const weft_routing *routing, const weft_route_context *here)
{
    weft_candidate first[WEFT_MINIMAL_PORTS_MAX], other[WEFT_MINIMAL_PORTS_MAX],
        again[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = ask(routing, here, 1, first);
    ask(routing, here, 2, other);
    assert_int_equal(ask(routing, here, 1, again), count);
    for (unsigned i = 0; i < count; i++)
        assert_true(first[i].port == again[i].port && first[i].next_header == again[i].next_header);
}

static void candidates_depend_on_place_and_stream_alone(void **state)
{
    (void)state;
    each_combination(check_pure);
}

/* What engines do instead of asking for candidates. */
static void check_straight(const weft_routing *routing, const weft_route_context *here)
{
    weft_minimal_port straight[WEFT_MINIMAL_PORTS_MAX];
    weft_candidate asked[WEFT_MINIMAL_PORTS_MAX];
    const weft_topology *topology = routing->topology;
    if (!routing->straight)
        return;
    unsigned count = topology->kind->minimal_ports(topology, here->router, here->header,
                                                   routing->straight, straight);
    assert_int_equal(ask(routing, here, 0, asked), count);
    assert_same_ways(asked, straight, count);
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

static void check_first_way(const weft_routing *routing, const weft_route_context *here)
{
    weft_minimal_port all[WEFT_MINIMAL_PORTS_MAX];
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned count = topology->kind->minimal_ports(topology, here->router, here->header,
                                                   WEFT_MINIMAL_PORTS_MAX, all);
    unsigned got = ask(routing, here, 0, out);
    assert_true(got == 1 || got == count);
    assert_same_ways(out, all, got);
}

static void check_most_hops_left(const weft_routing *routing, const weft_route_context *here)
{
    weft_minimal_port all[WEFT_MINIMAL_PORTS_MAX];
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned count = topology->kind->minimal_ports(topology, here->router, here->header,
                                                   WEFT_MINIMAL_PORTS_MAX, all),
             ranked = 0;
    unsigned got = ask(routing, here, 0, out);
    assert_true(got == 1 || got == count);
    for (uint32_t hops = topology->routers; hops > 0 && ranked < got; hops--)
        for (unsigned j = 0; j < count && ranked < got; j++)
            if (all[j].hops == hops)
                assert_true(same_way(out[ranked++], all[j]));
    assert_int_equal(ranked, got);
}

static void dimension_order_takes_the_first_way(void **state)
{
    (void)state;
    assert_int_equal(each_network("minimal-oblivious", "dimension-order", check_first_way),
                     NETWORKS);
    assert_int_equal(each_network("minimal-adaptive", "dimension-order", check_first_way),
                     NETWORKS);
    assert_int_equal(each_network("dimension-order", "random", check_first_way), NETWORKS);
    assert_int_equal(each_network("minimal", "random", check_first_way), NETWORKS);
    assert_true(each_network("d-mod-k", "random", check_first_way) > 0);
}

static void diagonal_takes_the_most_hops_left(void **state)
{
    (void)state;
    each_network("minimal-oblivious", "diagonal", check_most_hops_left);
    each_network("minimal-adaptive", "diagonal", check_most_hops_left);
}

static void trees_alone_have_d_mod_k(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        setup it;
        weft_error err;
        weft_status status = setup_try(&it, &network_examples[i], "d-mod-k", "random", &err);
        assert_int_equal(status == WEFT_OK, it.network.topology.proof.acyclic);
        setup_close(&it);
    }
    const example torus = {"torus", "dims=4,4"};
    setup it;
    weft_error err;
    assert_int_equal(setup_try(&it, &torus, "d-mod-k", "random", &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text,
                           "routing d-mod-k is for trees (fat-tree), found topology torus: use "
                           "dimension-order, which takes the first minimal way on any topology"));
    setup_close(&it);
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
    weft_route_context here = {
        .header = routing->topology->kind->make_header(routing->topology, 0, corner, NULL)};
    uint32_t count[5] = {0};
    for (uint32_t i = 0; i < draws; i++) {
        weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
        assert_int_equal(ask(routing, &here, i, out), 1);
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
    weft_route_context here = {
        .header = routing->topology->kind->make_header(routing->topology, 0, corner, NULL)};
    uint32_t count[6] = {0};
    for (uint32_t i = 0; i < draws; i++) {
        weft_candidate out[WEFT_MINIMAL_PORTS_MAX] = {0};
        assert_int_equal(ask(routing, &here, i, out), 3);
        count[out[0].port * 2u + (out[1].port > out[2].port)]++;
    }
    assert_even(count, 6, draws);
    setup_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_lead_to_the_destination),
        cmocka_unit_test(candidates_depend_on_place_and_stream_alone),
        cmocka_unit_test(the_straight_shortcut_equals_candidates),
        cmocka_unit_test(dimension_order_takes_the_first_way),
        cmocka_unit_test(diagonal_takes_the_most_hops_left),
        cmocka_unit_test(trees_alone_have_d_mod_k),
        cmocka_unit_test(random_choice_is_uniform),
        cmocka_unit_test(random_order_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
