/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on deadlock: rings and meshes whose answer is known, certificates and circles that
 * are checked hop by hop. */
#include "analysis/deadlock/deadlock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/vcs.h"
#include "net/routing.h"

/* With so many VCs and one kind of packets. */
static weft_deadlock_question question_of(const weft_routing *routing, uint32_t vcs)
{
    return (weft_deadlock_question){
        .topology = routing->topology, .traffic_classes = 1, .routing = {routing}, .vcs = vcs};
}

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

/* Does a packet come through `at` and then wait for `next`? Of routings with one candidate and
 * no draws. */
static bool comes_through(const weft_routing *routing, const weft_deadlock_packet *packet)
{
    weft_route_context here = vc_net_start(
        packet->from, weft_routing_initial_header(routing, packet->from, packet->to, NULL));
    bool held = false;
    while (here.header) {
        weft_candidate hop;
        assert_int_equal(routing->kind->candidates(routing, &here, NULL, &hop), 1);
        if (held)
            return hop.port == packet->next.port && (hop.vcs >> packet->next.vc & 1) &&
                   here.router == packet->next.router;
        held = here.router == packet->at.router && hop.port == packet->at.port;
        here = vc_net_follow(routing->topology, &here, &hop,
                             held ? packet->at.vc : (uint32_t)__builtin_ctz(hop.vcs));
    }
    return false;
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

static uint32_t address(const weft_routing *routing, uint32_t from, uint32_t to,
                        weft_random *random)
{
    (void)routing, (void)from, (void)random;
    return to + 1;
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
        for (uint32_t p = 0; p < found[0].length; p++)
            assert_true(comes_through(&routing, &found[0].circle[p]));
        weft_deadlock_done(&found[0]);
        weft_deadlock_done(&found[1]);
        network_close(&net);
    }
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

/* A packet that goes from one router to another has at every hop an alternative that comes
 * before where it is. */
typedef struct proof {
    const weft_routing *routing;
    const weft_deadlock *found;
    uint32_t from;
    uint64_t hops;
} proof;

static void check_hop(proof *p, const weft_route_context *here, weft_channel at, bool held)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    if (here->header == 0)
        return;
    unsigned count = vc_net_ask(p->routing, here, 0, hops), before = 0;
    uint32_t level = held ? weft_deadlock_level(p->found, at) : UINT32_MAX;
    assert_true(level > 0);
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vcs = hops[i].vcs; vcs; vcs &= vcs - 1) {
            weft_channel next = {here->router, hops[i].port, (uint16_t)__builtin_ctz(vcs)};
            before += weft_deadlock_level(p->found, next) < level;
        }
    assert_true(before > 0);
    p->hops++;
    for (unsigned i = 0; i < count; i++) {
        weft_channel next = {here->router, hops[i].port, (uint16_t)__builtin_ctz(hops[i].vcs)};
        weft_route_context there = vc_net_follow(p->routing->topology, here, &hops[i], next.vc);
        check_hop(p, &there, next, true);
    }
}

static void check_word(void *user, uint32_t word)
{
    proof *p = user;
    weft_route_context here = vc_net_start(p->from, word);
    check_hop(p, &here, (weft_channel){0}, false);
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

/* Every packet between some pairs of routers. */
static void check_pairs(const weft_routing *routing, const weft_deadlock *found, uint64_t seed)
{
    const weft_topology *topology = routing->topology;
    proof p = {.routing = routing, .found = found};
    weft_random draw = weft_random_stream(3, seed, 0, WEFT_FOR_ESTIMATE);
    for (int pair = 0; pair < 4000 && p.hops < 100000; pair++) {
        p.from = (uint32_t)(weft_random_word(&draw) % topology->routers);
        uint32_t to = (uint32_t)(weft_random_word(&draw) % topology->routers);
        if (to != p.from && topology->kind->distance(topology, p.from, to) <= 12)
            (void)weft_routing_starts(routing, p.from, to, check_word, &p);
    }
    assert_true(p.hops > 1000);
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
        cmocka_unit_test(blocks_of_destinations_tell_the_same),
        cmocka_unit_test(a_sample_is_never_called_free),
        cmocka_unit_test(certificates_of_a_part_hold_everywhere),
        cmocka_unit_test(circles_of_a_part_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
