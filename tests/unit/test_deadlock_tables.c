/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on deadlock of packets that follow forwarding tables: the same as that of packets one
 * by one. */
#include "test_deadlock.h"

/* As forwarding tables would have it: the first minimal way, whatever the word says of the
 * others. */
static unsigned by_address(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    const weft_topology *topology = routing->topology;
    uint32_t to = here->header - 1;
    weft_minimal_port way;
    (void)topology->kind->minimal_ports(
        topology, here->router, topology->kind->make_header(topology, here->router, to, NULL), 1,
        &way);
    bool there = topology->kind->peer(topology, here->router, way.port).router == to;
    *out = (weft_candidate){
        .port = (uint8_t)way.port, .vcs = 3, .next_header = there ? 0 : here->header};
    return 1;
}

/* The same as a table. */
static void all_addresses(const weft_routing *routing, uint32_t to, uint32_t count, uint8_t *out)
{
    for (uint32_t r = 0; r < routing->topology->routers; r++)
        for (uint32_t nth = 0; nth < count; nth++) {
            weft_route_context here = vc_net_start(r, to + nth + 1);
            weft_candidate hop = {.port = UINT8_MAX};
            if (r != to + nth)
                (void)by_address(routing, &here, NULL, &hop);
            out[r * WEFT_TABLE_COLUMNS + nth] = (uint8_t)hop.port;
        }
}

static void blocks_of_destinations_tell_the_same(void **state)
{
    (void)state;
    const example places[] = {{"mesh", "dims=9,8"},
                              {"torus", "dims=12,6"},
                              {"fat-tree", "arity=4 levels=3"},
                              {"torus", "dims=70"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        network net;
        weft_routing_kind kind = {.candidates = by_address,
                                  .initial_header = address,
                                  .proof.input_independent = true,
                                  .proof.table_columns = all_addresses};
        weft_routing routing = {.kind = &kind,
                                .topology = network_open(&net, places[i].kind, places[i].settings),
                                .plan.n_vcs = 2};
        weft_deadlock_question question = question_of(&routing, 2);
        question.whole = true;
        weft_deadlock found[2];
        weft_deadlock_init(&found[0], &question);
        kind.proof.input_independent = false;
        kind.proof.table_columns = NULL;
        weft_deadlock_init(&found[1], &question);
        assert_int_equal(found[0].verdict, i % 2 ? WEFT_DEADLOCK_FOUND : WEFT_DEADLOCK_FREE);
        assert_int_equal(found[0].verdict, found[1].verdict);
        assert_int_equal(found[0].channels, found[1].channels);
        assert_int_equal(found[0].levels, found[1].levels);
        assert_int_equal(found[0].length, found[1].length);
        assert_int_equal(found[0].packets, found[1].packets);
        for (uint32_t p = 0; p < found[0].length; p++) {
            const weft_deadlock_packet *packet = &found[0].circle[p];
            assert_true(comes_through(&routing, packet));
            assert_true(weft_deadlock_waits(&found[0], packet->at, packet->next));
        }
        weft_deadlock_done(&found[0]);
        weft_deadlock_done(&found[1]);
        network_close(&net);
    }
}

/* Two classes follow tables, each on two VCs of its own: VCs are told apart. */
static void classes_with_tables_have_vcs_of_their_own(void **state)
{
    (void)state;
    const example places[] = {{"mesh", "dims=5,4"}, {"torus", "dims=6,5"}};
    for (size_t i = 0; i < 2; i++) {
        network net;
        weft_routing_kind kind = {.candidates = by_address,
                                  .initial_header = address,
                                  .proof.input_independent = true,
                                  .proof.table_columns = all_addresses};
        weft_routing routing = {.kind = &kind,
                                .topology = network_open(&net, places[i].kind, places[i].settings),
                                .plan.n_vcs = 2};
        weft_deadlock_question question = {.topology = routing.topology,
                                           .traffic_classes = 2,
                                           .routing = {&routing, &routing},
                                           .vc = {0, 2},
                                           .vcs = 4,
                                           .whole = true};
        weft_deadlock found[2];
        weft_deadlock_init(&found[0], &question);
        kind.proof.table_columns = NULL;
        weft_deadlock_init(&found[1], &question);
        assert_int_equal(found[0].verdict, i ? WEFT_DEADLOCK_FOUND : WEFT_DEADLOCK_FREE);
        assert_int_equal(found[0].verdict, found[1].verdict);
        assert_int_equal(found[0].channels, found[1].channels);
        assert_int_equal(found[0].levels, found[1].levels);
        assert_int_equal(found[0].length, found[1].length);
        assert_int_equal(found[0].packets, found[1].packets);
        for (uint32_t p = 0; p < found[0].length; p++)
            assert_int_equal(found[0].circle[p].traffic_class, found[0].circle[p].at.vc / 2);
        weft_deadlock_done(&found[0]);
        weft_deadlock_done(&found[1]);
        network_close(&net);
    }
}

/* A ring of four routers without endpoints, with an edge router at each of them. */
enum { HOMES = 4, DOWN = 0, ROUND = 1, BACK = 2 };

static weft_end crown_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    (void)topology;
    uint32_t place = router % HOMES, next = (place + (port == ROUND ? 1 : HOMES - 1)) % HOMES;
    if (port == DOWN)
        return (weft_end){.router = (router + HOMES) % (2 * HOMES), .port = DOWN};
    if (router < HOMES)
        return (weft_end){.router = WEFT_NOWHERE};
    return (weft_end){.router = HOMES + next, .port = port == ROUND ? BACK : ROUND};
}

/* Up, round the ring in one direction, and down. */
static unsigned go_round(const weft_routing *routing, const weft_route_context *here,
                         weft_random *random, weft_candidate *out)
{
    (void)routing, (void)random;
    uint32_t to = here->header - 1;
    bool there = here->router == to + HOMES;
    *out = (weft_candidate){.port = here->router < HOMES || there ? DOWN : ROUND,
                            .vcs = 1,
                            .next_header = there ? 0 : here->header};
    return 1;
}

static void all_round(const weft_routing *routing, uint32_t to, uint32_t count, uint8_t *out)
{
    for (uint32_t r = 0; r < routing->topology->routers; r++)
        for (uint32_t nth = 0; nth < count; nth++) {
            weft_route_context here = vc_net_start(r, to + nth + 1);
            weft_candidate hop;
            (void)go_round(routing, &here, NULL, &hop);
            out[r * WEFT_TABLE_COLUMNS + nth] = r == to + nth ? UINT8_MAX : (uint8_t)hop.port;
        }
}

/* No packet of the circle starts where it is held: one that comes through is named. */
static void a_circle_of_tables_may_lie_in_the_core(void **state)
{
    (void)state;
    const weft_topology_kind crown = {.peer = crown_peer};
    const weft_topology topology = {
        .kind = &crown, .routers = 2 * HOMES, .edge_routers = HOMES, .ports = 3};
    const weft_routing_kind kind = {.candidates = go_round,
                                    .initial_header = address,
                                    .proof.input_independent = true,
                                    .proof.table_columns = all_round};
    const weft_routing routing = {.kind = &kind, .topology = &topology, .plan.n_vcs = 1};
    weft_deadlock_question question = question_of(&routing, 1);
    weft_deadlock found;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FOUND);
    assert_int_equal(found.length, HOMES);
    for (uint32_t p = 0; p < found.length; p++) {
        const weft_deadlock_packet *packet = &found.circle[p];
        assert_true(packet->at.router >= HOMES && packet->from < HOMES && packet->to < HOMES);
        assert_true(packet->from != packet->to);
        assert_true(comes_through(&routing, packet));
    }
    weft_deadlock_done(&found);
}

/* One VC of the graph stands for both. */
static void tables_have_a_certificate(void **state)
{
    (void)state;
    network net;
    const weft_routing_kind kind = {.candidates = by_address,
                                    .initial_header = address,
                                    .proof.input_independent = true,
                                    .proof.table_columns = all_addresses};
    const weft_routing routing = {
        .kind = &kind, .topology = network_open(&net, "mesh", "dims=9,8"), .plan.n_vcs = 2};
    weft_deadlock_question question = question_of(&routing, 2);
    weft_deadlock found;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FREE);
    assert_int_equal(found.merged, 2);
    check_pairs(&routing, &found, 7);
    weft_deadlock_done(&found);
    network_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_destinations_tell_the_same),
        cmocka_unit_test(classes_with_tables_have_vcs_of_their_own),
        cmocka_unit_test(a_circle_of_tables_may_lie_in_the_core),
        cmocka_unit_test(tables_have_a_certificate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
