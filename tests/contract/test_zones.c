/* SPDX-License-Identifier: Apache-2.0 */
/* Routings that choose in which order a packet takes its dimensions: o1turn and zone; a
 * selection by the hops left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/routed.h"
#include "net/routing/common/tag.h"
#include "net/selection.h"

static const example places[] = {
    {"torus", "dims=4,3"},
    {"torus", "dims=4,4"},
    {"torus", "dims=3,4,2"},
    {"mesh", "dims=3,4"},
    {"mesh", "dims=3,3,3"},
    {"hypercube", "dimensions=4"},
    {"torus", "dims=2,3,2,3"},
    {"flattened-butterfly", "dims=3,4"},
    {"flattened-butterfly", "dims=2,3,3"},
    {"hierarchy", "outer=torus(dims=3,3) inner=full(routers=2) attach=0,0,1,1"},
    {"hierarchy", "outer=torus(dims=4,3) inner=full(routers=4)"},
};
#define PLACES (sizeof places / sizeof *places)

static const char *const zone_settings[] = {
    "", "order=fixed", "order=longest-first hints=true", "zones=1 order=random", "zones=2 escape=6",
};
#define ZONES (sizeof zone_settings / sizeof *zone_settings)

static void each_place(const char *kind, const char *settings,
                       void (*visit)(const weft_routing *routing))
{
    for (size_t i = 0; i < PLACES; i++) {
        routed it;
        bool lattice = strcmp(places[i].kind, "hierarchy") != 0;
        if (!lattice && strcmp(kind, "zone") != 0)
            continue;
        visit(routed_open(&it, &places[i], kind, settings));
        routed_close(&it);
    }
}

static void each_zoning(void (*visit)(const weft_routing *routing))
{
    for (size_t z = 0; z < ZONES; z++)
        each_place("zone", zone_settings[z], visit);
}

/* Takes any candidate at every hop: all lead to the destination, by a minimal way. */
static void check_walks(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    weft_random random = weft_random_stream(31, topology->routers, 0, WEFT_FOR_ESTIMATE);
    bool told = topology->lattice.dims > 0; /* else ways differ in length */
    for (uint32_t n = 0; n < 500; n++) {
        uint32_t from = weft_random_below(&random, topology->routers);
        uint32_t to = weft_random_below(&random, topology->routers);
        if (from == to)
            continue;
        weft_route_context here = routed_start(routing, from, to, &random);
        uint32_t left = told ? topology->kind->distance(topology, from, to) : topology->routers;
        for (; here.header; left--) {
            weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
            assert_true(left > 0 && weft_routing_header_valid(routing, here.router, here.header));
            unsigned count = routed_ask(routing, &here, n, hops);
            here = routed_follow(topology, &here, &hops[weft_random_below(&random, count)]);
        }
        assert_int_equal(here.router, to);
        assert_true(!told || left == 0);
    }
}

static void check_starts(const weft_routing *routing)
{
    for (uint32_t to = 1; to < routing->topology->routers; to += 3)
        assert_true(routed_starts_evenly(routing, 0, to));
}

static void check_free(const weft_routing *routing)
{
    if (routed_verdict(routing) != WEFT_DEADLOCK_FREE)
        fail_msg("%s on %s with %u VCs is not free", routing->kind->base.name,
                 routing->topology->kind->base.name, routing->plan.n_vcs);
}

/* Words that nobody vouches for. */
static void check_words(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    weft_random random = weft_random_stream(32, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t n = 0; n < 5000; n++) {
        weft_route_context here = {.router = weft_random_below(&random, topology->routers),
                                   .header =
                                       weft_random_word(&random) >> weft_random_below(&random, 32)};
        if (!weft_routing_header_valid(routing, here.router, here.header))
            continue;
        for (uint32_t steps = 0; here.header; steps++) {
            weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
            unsigned count = routed_ask(routing, &here, n, hops);
            here = routed_follow(topology, &here, &hops[count - 1]);
            assert_true(steps < topology->routers);
        }
    }
}

static void every_packet_arrives(void **state)
{
    (void)state;
    each_place("o1turn", "", check_walks);
    each_zoning(check_walks);
}

static void starts_are_what_start_draws(void **state)
{
    (void)state;
    each_place("o1turn", "", check_starts);
    each_zoning(check_starts);
}

static void nothing_waits_in_a_circle(void **state)
{
    (void)state;
    each_place("o1turn", "", check_free);
    each_zoning(check_free);
}

static void sound_words_are_safe(void **state)
{
    (void)state;
    each_place("o1turn", "", check_words);
    each_zoning(check_words);
}

/* Half of the words go upwards through the dimensions, half downwards, each on VCs of its own. */
static void check_orders(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    words all = {0};
    uint32_t last = topology->routers - 1, count;
    count = routing->kind->proof.initial_headers(routing, 0, last, words_add, &all);
    uint32_t down = 0, vcs[2] = {0};
    for (uint32_t i = 0; i < count; i++) {
        weft_route_context here = {.router = 0, .header = all.at[i]};
        uint32_t tag = weft_tag_of(routing, all.at[i]);
        for (int dim = tag ? (int)WEFT_DIMS_MAX : -1; here.header;) {
            weft_candidate hop;
            assert_int_equal(routed_ask(routing, &here, 0, &hop), 1);
            int next = topology->lattice.port_dim[hop.port];
            assert_true(tag ? next <= dim : next >= dim);
            dim = next;
            vcs[tag] |= hop.vcs;
            here = routed_follow(topology, &here, &hop);
        }
        down += tag;
    }
    assert_int_equal(2 * down, count);
    assert_int_equal(vcs[0] & vcs[1], 0);
    words_done(&all);
}

static void o1turn_goes_up_or_down(void **state)
{
    (void)state;
    each_place("o1turn", "", check_orders);
}

/* Without the order's own VCs a mesh has circles. */
static void o1turn_needs_both_halves(void **state)
{
    (void)state;
    routed it;
    (void)routed_open(&it, &places[3], "o1turn", "");
    memcpy(it.routing.plan.by_class[1], it.routing.plan.by_class[0],
           sizeof it.routing.plan.by_class[0]);
    assert_int_equal(routed_verdict(&it.routing), WEFT_DEADLOCK_FOUND);
    routed_close(&it);
}

/* The dimensions of the candidates on open VCs, as letters. */
static const char *asked(const weft_routing *routing, uint32_t tag, uint32_t to)
{
    static char text[WEFT_MINIMAL_PORTS_MAX + 1];
    const weft_topology *topology = routing->topology;
    uint32_t route = topology->kind->make_header(topology, 0, to, NULL);
    weft_route_context here = {.header = tag << topology->header_bits | route,
                               .port = WEFT_FROM_ENDPOINT};
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = routed_ask(routing, &here, 0, hops), open = 0;
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(hops[i].escape, i + 1 == count);
        if (!hops[i].escape)
            text[open++] = (char)('A' + topology->lattice.port_dim[hops[i].port]);
    }
    weft_minimal_port first;
    assert_int_equal(topology->kind->minimal_ports(topology, 0, route, 1, &first), 1);
    assert_int_equal(hops[count - 1].port, first.port);
    text[open] = '\0';
    return text;
}

static const example cube = {"torus", "dims=5,7,9"};
#define AT(a, b, c) ((uint32_t)(((a)*7 + (b)) * 9 + (c)))

static void masks_say_which_dimensions_come_first(void **state)
{
    (void)state;
    routed it;
    const weft_routing *routing = routed_open(&it, &cube, "zone", "masks=ABC/AC>B/B>A>C");
    assert_string_equal(asked(routing, 0, AT(1, 2, 3)), "ABC");
    assert_string_equal(asked(routing, 1, AT(1, 2, 3)), "AC");
    assert_string_equal(asked(routing, 1, AT(0, 2, 0)), "B");
    assert_string_equal(asked(routing, 1, AT(0, 2, 3)), "C");
    assert_string_equal(asked(routing, 2, AT(1, 2, 3)), "B");
    assert_string_equal(asked(routing, 2, AT(1, 0, 3)), "A");
    assert_false(weft_routing_header_valid(routing, 0, 3u << routing->topology->header_bits | 1));
    routed_close(&it);
    routing = routed_open(&it, &cube, "zone", ""); /* one after the other, from its own on */
    assert_string_equal(asked(routing, 0, AT(1, 2, 3)), "A");
    assert_string_equal(asked(routing, 1, AT(1, 2, 3)), "B");
    assert_string_equal(asked(routing, 2, AT(1, 2, 3)), "C");
    assert_string_equal(asked(routing, 2, AT(1, 2, 0)), "A");
    routed_close(&it);
}

static void orders_rank_a_mask(void **state)
{
    (void)state;
    routed it;
    const weft_routing *routing = routed_open(&it, &cube, "zone", "masks=ABC order=longest-first");
    assert_string_equal(asked(routing, 0, AT(1, 2, 3)), "CBA");
    assert_string_equal(asked(routing, 0, AT(2, 2, 1)), "ABC");
    routed_close(&it);
    routing = routed_open(&it, &cube, "zone", "masks=ABC order=fixed");
    assert_string_equal(asked(routing, 0, AT(1, 2, 3)), "A");
    routed_close(&it);
    routing = routed_open(&it, &cube, "zone", "masks=ABC order=random");
    assert_int_equal(strlen(asked(routing, 0, AT(1, 2, 3))), 3);
    routed_close(&it);
    routing = routed_open(&it, &cube, "zone", "masks=ABC/C>AB hints=true"); /* tag: zone + 2 hint */
    assert_string_equal(asked(routing, 0 + 2 * 0, AT(1, 2, 3)), "ABC");
    assert_string_equal(asked(routing, 0 + 2 * 1, AT(1, 2, 3)), "BCA");
    assert_string_equal(asked(routing, 0 + 2 * 2, AT(1, 2, 3)), "CAB");
    assert_string_equal(asked(routing, 1 + 2 * 1, AT(1, 2, 0)), "BA");
    routed_close(&it);
}

/* A port as often as it has hops left; the rest of the order likewise. */
static void proportional_counts_hops_left(void **state)
{
    (void)state;
    const weft_selection_kind *kind =
        (const weft_selection_kind *)(const void *)kind_named(weft_selection_kinds, "proportional");
    const uint16_t hops[] = {1, 2, 5};
    uint32_t first[3] = {0}, second[3] = {0};
    const uint32_t draws = 40000;
    for (uint32_t i = 0; i < draws; i++) {
        weft_minimal_port ways[3];
        weft_random random = weft_random_stream(33, i, 0, WEFT_FOR_ESTIMATE);
        for (uint16_t w = 0; w < 3; w++)
            ways[w] = (weft_minimal_port){.port = w, .hops = hops[w]};
        kind->rank(NULL, ways, 3, 3, &random);
        first[ways[0].port]++;
        second[ways[1].port] += ways[0].port == 2;
    }
    for (int w = 0; w < 3; w++)
        assert_true(fabs(first[w] - draws * hops[w] / 8.0) < 4 * sqrt(draws / 4.0));
    assert_true(fabs(second[1] - first[2] * 2 / 3.0) < 4 * sqrt(first[2] / 4.0));
    assert_int_equal(second[0] + second[1], first[2]);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const example ring = {"torus", "dims=8"},
                  large = {"torus", "dims=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3"};
    const example tree = {"fat-tree", "arity=2 levels=3"};
    routed_refused(&ring, "o1turn", "", 16, "two dimensions or more");
    routed_refused(&cube, "o1turn", "", 3, "router.vcs must be at least 4");
    routed_refused(&large, "zone", "", 16, "needs 4 bits of a packet beside the 30");
    routed_refused(&tree, "zone", "", 16, "needs a topology with dimensions");
    routed_refused(&cube, "zone", "masks=AB", 16, "must name all dimensions, A to C here");
    routed_refused(&cube, "zone", "masks=ABD", 16, "found D");
    routed_refused(&cube, "zone", "masks=ABA", 16, "found A");
    routed_refused(&cube, "zone", "masks=A>>BC", 16, "found >BC");
    routed_refused(&cube, "zone", "masks=ABC/CAB zones=3", 16, "routing.masks has 2 zones");
    routed_refused(&cube, "zone", "escape=1", 16, "routing.escape must be at least 2");
    routed_refused(&cube, "zone", "", 2, "router.vcs must be at least 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_arrives),
        cmocka_unit_test(starts_are_what_start_draws),
        cmocka_unit_test(nothing_waits_in_a_circle),
        cmocka_unit_test(sound_words_are_safe),
        cmocka_unit_test(o1turn_goes_up_or_down),
        cmocka_unit_test(o1turn_needs_both_halves),
        cmocka_unit_test(masks_say_which_dimensions_come_first),
        cmocka_unit_test(orders_rank_a_mask),
        cmocka_unit_test(proportional_counts_hops_left),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
