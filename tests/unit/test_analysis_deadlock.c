/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on deadlock: rings and meshes whose answer is known, certificates and circles that
 * are checked hop by hop. */
#include "test_deadlock.h"

static void prepare(vc_net *it, const char *place, const char *settings, const char *kind,
                    const char *rule, uint32_t vcs)
{
    weft_error err = {0};
    example where = {place, settings};
    if (vc_net_try(it, &where, kind, rule, "dimension-order", vcs, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

static weft_deadlock_verdict verdict_of(const char *place, const char *settings, const char *kind,
                                        const char *rule, uint32_t vcs, bool committed)
{
    vc_net it;
    weft_deadlock found;
    prepare(&it, place, settings, kind, rule, vcs);
    weft_deadlock_question question = question_of(&it.routing, vcs);
    question.committed = committed;
    weft_deadlock_init(&found, &question);
    weft_deadlock_verdict verdict = found.verdict;
    weft_deadlock_done(&found);
    vc_net_close(&it);
    return verdict;
}

static bool same(weft_channel a, weft_channel b)
{
    return a.router == b.router && a.port == b.port && a.vc == b.vc;
}

static void a_ring_without_classes_is_a_circle(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "torus", "dims=6 tie=positive", "dimension-order", "dateline=none", 1);
    weft_deadlock_question question = question_of(&it.routing, 1);
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FOUND);
    assert_int_equal(found.length, 6);
    assert_int_equal(found.packets, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(same(found.circle[i].next, found.circle[(i + 1) % 6].at));
        assert_true(weft_deadlock_waits(&found, found.circle[i].at, found.circle[i].next));
        assert_true(comes_through(&it.routing, &found.circle[i]));
    }
    weft_deadlock_done(&found);
    vc_net_close(&it);
}

/* All VCs a packet could take have to be full. */
static void every_vc_of_a_circle_is_filled(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "torus", "dims=4,4", "dimension-order", "dateline=none", 3);
    weft_deadlock_question question = question_of(&it.routing, 3);
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FOUND);
    assert_int_equal(found.length, 4);
    assert_int_equal(found.packets, 12);
    weft_deadlock_done(&found);
    vc_net_close(&it);
}

static void datelines_are_needed_where_rings_close(void **state)
{
    (void)state;
    assert_int_equal(verdict_of("torus", "dims=3", "dimension-order", "dateline=none", 1, false),
                     WEFT_DEADLOCK_FREE); /* no way has two hops */
    assert_int_equal(verdict_of("torus", "dims=4", "dimension-order", "dateline=none", 2, false),
                     WEFT_DEADLOCK_FOUND);
    assert_int_equal(verdict_of("torus", "dims=5,4", "dimension-order", "", 2, true),
                     WEFT_DEADLOCK_FREE);
    assert_int_equal(
        verdict_of("torus", "dims=5,4", "dimension-order", "dateline=per-hop", 2, true),
        WEFT_DEADLOCK_FREE);
    assert_int_equal(verdict_of("mesh", "dims=4,5", "dimension-order", "dateline=none", 1, true),
                     WEFT_DEADLOCK_FREE);
}

/* Both classes have a VC of their own beside the one they share, so only who must take what it
 * is given gets stuck. */
static void a_shared_vc_stops_packets_that_are_committed_to_it(void **state)
{
    (void)state;
    const char *rule = "dateline=shared";
    assert_int_equal(verdict_of("torus", "dims=6,5", "dimension-order", rule, 3, true),
                     WEFT_DEADLOCK_FOUND);
    assert_int_equal(verdict_of("torus", "dims=6,5", "dimension-order", rule, 3, false),
                     WEFT_DEADLOCK_FREE);
    assert_int_equal(verdict_of("torus", "dims=6,5", "dimension-order", rule, 4, true),
                     WEFT_DEADLOCK_FREE);
}

/* The last way that is left instead of the first. */
static unsigned last_first(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = routing->topology->kind->minimal_ports(
        routing->topology, here->router, here->header, WEFT_MINIMAL_PORTS_MAX, ways);
    const weft_minimal_port *way = &ways[count - 1];
    *out = (weft_candidate){.port = (uint8_t)way->port, .vcs = 1, .next_header = way->next_header};
    return 1;
}

static void classes_of_traffic_that_share_vcs_are_seen_together(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "mesh", "dims=3,3", "dimension-order", "", 1);
    weft_routing_kind other_kind = *it.routing.kind;
    weft_routing other = it.routing;
    other_kind.candidates = last_first;
    other.kind = &other_kind;
    for (uint32_t vc = 0; vc < 2; vc++) {
        weft_deadlock_question question = {.topology = it.routing.topology,
                                           .traffic_classes = 2,
                                           .routing = {&it.routing, &other},
                                           .vc = {0, vc},
                                           .vcs = 2};
        weft_deadlock_init(&found, &question);
        assert_int_equal(found.verdict, vc ? WEFT_DEADLOCK_FREE : WEFT_DEADLOCK_FOUND);
        if (vc == 0) {
            assert_int_equal(found.length, 4);
            assert_true(found.circle[0].traffic_class + found.circle[1].traffic_class +
                            found.circle[2].traffic_class + found.circle[3].traffic_class >
                        0);
        }
        weft_deadlock_done(&found);
    }
    vc_net_close(&it);
}

/* All minimal ways on all VCs, and no escape path. */
static unsigned anywhere(const weft_routing *routing, const weft_route_context *here,
                         weft_random *random, weft_candidate *out)
{
    (void)random;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = routing->topology->kind->minimal_ports(
        routing->topology, here->router, here->header, WEFT_MINIMAL_PORTS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        out[i] = (weft_candidate){
            .port = (uint8_t)ways[i].port, .vcs = 3, .next_header = ways[i].next_header};
    return count;
}

static void adaptive_routing_without_escape_is_not_proven(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "torus", "dims=4,4", "minimal-adaptive", "", 3);
    weft_routing_kind loose = *it.routing.kind;
    loose.candidates = anywhere;
    weft_deadlock_question question = question_of(&it.routing, 3);
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FREE);
    assert_true(found.escape && found.several);
    weft_deadlock_done(&found);
    it.routing.kind = &loose;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_UNPROVEN);
    assert_true(found.length >= 2);
    weft_deadlock_done(&found);
    vc_net_close(&it);
}

/* Any way on one VC, the first one on another. */
static unsigned with_escape(const weft_routing *routing, const weft_route_context *here,
                            weft_random *random, weft_candidate *out)
{
    unsigned count = anywhere(routing, here, random, out);
    weft_candidate first = out[0];
    for (unsigned i = 0; i < count; i++)
        out[i].vcs = 2;
    first.vcs = 1;
    out[count] = first;
    return count + 1;
}

static void an_escape_path_need_not_be_marked(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "mesh", "dims=4,4", "minimal-adaptive", "", 2);
    weft_routing_kind unmarked = *it.routing.kind;
    unmarked.candidates = with_escape;
    it.routing.kind = &unmarked;
    weft_deadlock_question question = question_of(&it.routing, 2);
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FREE);
    assert_true(found.several && !found.escape);
    weft_deadlock_done(&found);
    vc_net_close(&it);
}

/* To the next number, whatever the links. */
static unsigned to_the_next(const weft_routing *routing, const weft_route_context *here,
                            weft_random *random, weft_candidate *out)
{
    (void)random;
    const weft_topology *topology = routing->topology;
    uint32_t next = (here->router + 1) % topology->routers, port = 0;
    while (topology->kind->peer(topology, here->router, port).router != next)
        port++;
    *out = (weft_candidate){.port = (uint16_t)port,
                            .vcs = 3,
                            .next_header = next == here->header - 1 ? 0 : here->header};
    return 1;
}

/* A packet that waits for a router is told from those that wait for 69 others. */
static void a_circle_may_be_longer_than_a_word_of_ports(void **state)
{
    (void)state;
    network net;
    const weft_routing_kind kind = {
        .candidates = to_the_next, .initial_header = address, .proof.input_independent = true};
    const weft_routing routing = {.kind = &kind,
                                  .topology =
                                      network_open(&net, "full", "routers=70 order=absolute"),
                                  .plan.n_vcs = 2};
    weft_deadlock_question question = question_of(&routing, 2);
    weft_deadlock found;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FOUND);
    assert_int_equal(found.length, 70);
    assert_int_equal(found.packets, 140);
    weft_deadlock_done(&found);
    network_close(&net);
}

/* A million routers with 96 channels each, and a routing that promises nothing. */
static void what_has_no_room_is_not_examined(void **state)
{
    (void)state;
    network net;
    const weft_routing_kind kind = {.candidates = to_the_next, .initial_header = address};
    const weft_routing routing = {.kind = &kind,
                                  .topology = network_open(&net, "torus", "dims=100,100,100"),
                                  .plan.n_vcs = 16};
    weft_deadlock_question question = question_of(&routing, 16);
    weft_deadlock found;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_UNKNOWN);
    assert_int_equal(found.examined, 0);
    assert_int_equal(found.destinations, 1000000);
    assert_null(found.graph);
    weft_deadlock_done(&found);
    network_close(&net);
}

/* Line by line there is a circle of escape paths. All ways together are far more packets than the
 * budget has: none of those examined deadlock, so the circle stands. */
static void a_circle_of_escape_paths_stands_where_all_ways_are_too_many(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "torus", "dims=46,47", "minimal-adaptive", "", 3);
    uint16_t *of_class = it.routing.plan.by_class[0][2]; /* before the dateline, and past it */
    of_class[0] = of_class[1] = of_class[0] | of_class[1];
    weft_deadlock_question question = question_of(&it.routing, 3);
    question.budget = 15000;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_UNPROVEN);
    assert_true(found.by_lines && found.escape && found.several);
    assert_int_equal(found.examined, 46 + 47);
    assert_int_equal(found.length, 46);
    weft_deadlock_done(&found);
    vc_net_close(&it);
}

/* Phase by phase only if no other class uses a VC of a phase. */
static void classes_with_phases_are_apart_or_seen_together(void **state)
{
    (void)state;
    vc_net it;
    prepare(&it, "torus", "dims=5,4", "valiant", "", 4);
    for (uint32_t vc = 1; vc <= 4; vc += 3) {
        weft_deadlock_question question = {.topology = it.routing.topology,
                                           .traffic_classes = 2,
                                           .routing = {&it.routing, &it.routing},
                                           .vc = {0, vc},
                                           .vcs = 4 + vc,
                                           .parts = true};
        weft_deadlock found;
        weft_deadlock_init(&found, &question);
        assert_int_equal(found.verdict, WEFT_DEADLOCK_FREE);
        assert_int_equal(found.by_legs, vc == 4);
        weft_deadlock_done(&found);
    }
    vc_net_close(&it);
}

static void a_sample_is_never_called_free(void **state)
{
    (void)state;
    vc_net it;
    weft_deadlock found;
    prepare(&it, "mesh", "dims=6,6", "dimension-order", "", 1);
    weft_deadlock_question question = question_of(&it.routing, 1);
    question.budget = 200;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_UNKNOWN);
    assert_true(found.examined > 0 && found.examined < found.destinations);
    assert_int_equal(found.destinations, 36);
    weft_deadlock_done(&found);
    vc_net_close(&it);
    prepare(&it, "torus", "dims=6,6", "dimension-order", "dateline=none", 1);
    question = question_of(&it.routing, 1);
    question.budget = 1000;
    weft_deadlock_init(&found, &question);
    assert_int_equal(found.verdict, WEFT_DEADLOCK_FOUND);
    assert_true(found.examined < found.destinations);
    weft_deadlock_done(&found);
    vc_net_close(&it);
}

typedef enum method { LINES = 1, PLANES = 2, SYMMETRY = 4, LEGS = 8, CONSTRUCTION = 16 } method;

static unsigned method_of(const weft_deadlock *found)
{
    return (found->by_lines ? LINES : 0u) | (found->by_planes ? PLANES : 0u) |
           (found->by_symmetry ? SYMMETRY : 0u) | (found->by_legs ? LEGS : 0u) |
           (found->reason ? CONSTRUCTION : 0u);
}

/* With the fewest VCs it takes. */
static void prepare_any(vc_net *it, const char *place, const char *settings, const char *kind,
                        const char *rule)
{
    weft_error err = {0};
    example where = {place, settings};
    for (uint32_t vcs = 1;
         vc_net_try(it, &where, kind, rule, "dimension-order", vcs, &err) != WEFT_OK; vcs++) {
        vc_net_close(it);
        if (vcs == 16)
            fail_msg("%s", err.text);
    }
}

#define TORI      "outer=torus(dims=6,5,6,4) inner=full(routers=4)"
#define DRAGONFLY "groups=129 routers=16"

/* Found by a part of the packets, it holds for packets anywhere. */
static void certificates_of_a_part_hold_everywhere(void **state)
{
    (void)state;
    const struct {
        const char *place, *settings, *kind;
        unsigned method;
    } large[] = {{"torus", "dims=48,45", "dimension-order", LINES},
                 {"torus", "dims=14,12,13", "dimension-order", LINES},
                 {"torus", "dims=46,47", "minimal-adaptive", LINES},
                 {"hypercube", "dimensions=12", "minimal-adaptive", LINES},
                 {"mesh", "dims=13,13,13", "minimal-adaptive", LINES},
                 {"flattened-butterfly", "dims=13,14,15", "minimal-adaptive", LINES},
                 {"torus", "dims=14,12,13", "zone", LINES},
                 {"torus", "dims=12,12,12", "o1turn", LINES | LEGS},
                 {"mesh", "dims=47,46", "o1turn", LINES | LEGS},
                 {"torus", "dims=7,8,6", "valiant", LINES | LEGS},
                 {"flattened-butterfly", "dims=8,8,8", "valiant", LINES | LEGS},
                 {"dragonfly", DRAGONFLY, "dimension-order", SYMMETRY},
                 {"dragonfly", DRAGONFLY, "minimal-adaptive", SYMMETRY},
                 {"dragonfly", DRAGONFLY, "valiant", SYMMETRY | LEGS},
                 {"dragonfly", DRAGONFLY " arrangement=palm-tree", "valiant", SYMMETRY | LEGS},
                 {"hierarchy", TORI, "dimension-order", PLANES},
                 {"hierarchy", TORI, "minimal-adaptive", PLANES},
                 {"hierarchy", TORI, "zone", PLANES},
                 {"hierarchy", TORI, "valiant", PLANES | LEGS},
                 {"slim-fly", "q=17", "valiant", LEGS | CONSTRUCTION},
                 {"random-regular", "routers=2100 degree=8", "minimal-adaptive", CONSTRUCTION},
                 {"random-regular", "routers=2100 degree=8", "up-down", CONSTRUCTION}};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        vc_net it;
        weft_deadlock found;
        prepare_any(&it, large[i].place, large[i].settings, large[i].kind, "");
        weft_deadlock_question question = question_of(&it.routing, it.routing.plan.n_vcs);
        weft_deadlock_init(&found, &question);
        if (found.verdict != WEFT_DEADLOCK_FREE || method_of(&found) != large[i].method)
            fail_msg("%s on %s %s: verdict %d by %u", large[i].kind, large[i].place,
                     large[i].settings, (int)found.verdict, method_of(&found));
        if (!found.reason)
            check_pairs(&it.routing, &found, i);
        weft_deadlock_done(&found);
        vc_net_close(&it);
    }
}

/* Is there a packet that comes through `at` and then waits for `next`? */
typedef struct witness {
    const weft_routing *routing;
    const weft_deadlock_packet *packet;
    bool seen;
} witness;

static void follow_word(void *user, uint32_t word)
{
    witness *w = user;
    weft_route_context here = vc_net_start(w->packet->from, word);
    bool held = false;
    while (here.header && !w->seen) {
        weft_candidate hop;
        assert_int_equal(w->routing->kind->candidates(w->routing, &here, NULL, &hop), 1);
        w->seen = held && here.router == w->packet->next.router &&
                  hop.port == w->packet->next.port && (hop.vcs >> w->packet->next.vc & 1);
        held = here.router == w->packet->at.router && hop.port == w->packet->at.port &&
               (hop.vcs >> w->packet->at.vc & 1);
        here = vc_net_follow(w->routing->topology, &here, &hop,
                             held ? w->packet->at.vc : (uint32_t)__builtin_ctz(hop.vcs));
    }
}

static void circles_of_a_part_are_there(void **state)
{
    (void)state;
    const struct {
        const char *place, *settings, *rule;
        unsigned method;
    } large[] = {{"dragonfly", DRAGONFLY, "dateline=none", SYMMETRY},
                 {"hierarchy", TORI " inner-vcs=1", "", PLANES},
                 {"torus", "dims=46,45", "dateline=none", LINES}};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        vc_net it;
        weft_deadlock found;
        prepare_any(&it, large[i].place, large[i].settings, "dimension-order", large[i].rule);
        weft_deadlock_question question = question_of(&it.routing, it.routing.plan.n_vcs);
        weft_deadlock_init(&found, &question);
        assert_int_equal(found.verdict, WEFT_DEADLOCK_FOUND);
        assert_int_equal(method_of(&found), large[i].method);
        for (uint32_t p = 0; p < found.length; p++) {
            const weft_deadlock_packet *packet = &found.circle[p];
            witness w = {.routing = &it.routing, .packet = packet};
            assert_true(same(packet->next, found.circle[(p + 1) % found.length].at));
            (void)weft_routing_starts(&it.routing, packet->from, packet->to, follow_word, &w);
            assert_true(w.seen);
        }
        weft_deadlock_done(&found);
        vc_net_close(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_without_classes_is_a_circle),
        cmocka_unit_test(every_vc_of_a_circle_is_filled),
        cmocka_unit_test(datelines_are_needed_where_rings_close),
        cmocka_unit_test(a_shared_vc_stops_packets_that_are_committed_to_it),
        cmocka_unit_test(classes_of_traffic_that_share_vcs_are_seen_together),
        cmocka_unit_test(adaptive_routing_without_escape_is_not_proven),
        cmocka_unit_test(an_escape_path_need_not_be_marked),
        cmocka_unit_test(a_circle_may_be_longer_than_a_word_of_ports),
        cmocka_unit_test(what_has_no_room_is_not_examined),
        cmocka_unit_test(a_circle_of_escape_paths_stands_where_all_ways_are_too_many),
        cmocka_unit_test(classes_with_phases_are_apart_or_seen_together),
        cmocka_unit_test(a_sample_is_never_called_free),
        cmocka_unit_test(certificates_of_a_part_hold_everywhere),
        cmocka_unit_test(circles_of_a_part_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
