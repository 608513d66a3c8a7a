/* SPDX-License-Identifier: Apache-2.0 */
/* Routings that may go over an intermediate router: every packet arrives, phases follow each
 * other on VCs of their own, words are those that are named, and nothing can wait in a circle. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/candidate.h"
#include "contract/routed.h"
#include "net/routing/common/detour.h"
#include "sanitized.h"

typedef struct rule {
    const char *kind, *settings;
} rule;

static const rule rules[] = {
    {"valiant", ""},
    {"ugal", ""},
    {"par", ""},
    {"valiant", "via=router"},
    {"ugal", "via=router sense=vcs"},
    {"par", "via=router threshold=3"},
    {"ugal", "sense=port threshold=20"},
    {"par", "sense=port"},
    {"ugal", "candidates=3"},
    {"ugal", "information=global"},
    {"par", "candidates=4 sense=vcs"},
};
#define RULES (sizeof rules / sizeof *rules)

/* Can packets go on from where others leave? */
static bool fits(const example *place)
{
    network net;
    const weft_topology *topology = network_open(&net, place->kind, place->settings);
    bool both_ways = topology->egress_offset == 0 && topology->edge_routers > 2;
    network_close(&net);
    return both_ways;
}

static void each_network(void (*visit)(const weft_routing *routing))
{
    for (size_t r = 0; r < RULES; r++)
        for (size_t i = 0; i < NETWORKS; i++) {
            routed it;
            if (!fits(&network_examples[i]))
                continue;
            visit(routed_open(&it, &network_examples[i], rules[r].kind, rules[r].settings));
            routed_close(&it);
        }
}

/* 0: a hop that may be regretted, 1: out, 2: home. Which VCs those are. */
static unsigned stage_of(const weft_routing *routing, uint32_t word)
{
    weft_detour detour = weft_detour_read(routing, word);
    if (detour.mark == WEFT_TRIED)
        return 0;
    return detour.mid == WEFT_NOWHERE ? 2 : 1;
}

static void check_vcs(const weft_routing *routing, unsigned stage, uint16_t vcs)
{
    const unsigned phase[] = {WEFT_PHASE_TRIED, WEFT_PHASE_OUT, WEFT_PHASE_HOME};
    for (unsigned s = 0; s < 3; s++)
        assert_int_equal((routing->plan.by_class[phase[s]][1][0] & vcs) == vcs, s == stage);
}

/* Hops until `to` is reached; a packet is settled wherever it comes to. */
static uint32_t walk(const weft_routing *routing, weft_route_context here, uint32_t to,
                     uint64_t draw)
{
    const weft_topology *topology = routing->topology;
    unsigned last = 0;
    uint32_t steps = 0, tries = 0;
    for (; here.header; steps++) {
        weft_candidate hop, again;
        assert_true(weft_routing_header_valid(routing, here.router, here.header));
        here.header = routed_settle(routing, &here, draw + steps);
        assert_true(weft_routing_header_valid(routing, here.router, here.header));
        assert_int_equal(routed_ask(routing, &here, 0, &hop), 1);
        assert_int_equal(routed_ask(routing, &here, 1, &again), 1);
        assert_true(same_candidate(&hop, &again));
        unsigned stage = stage_of(routing, here.header);
        check_vcs(routing, stage, hop.vcs);
        tries += stage == 0;
        assert_true(stage >= last && tries <= 1);
        last = stage;
        here = routed_follow(topology, &here, &hop);
        assert_true(steps < 2 * topology->routers);
    }
    assert_int_equal(here.router, to);
    return steps;
}

static void check_walks(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    weft_random random = weft_random_stream(24, topology->routers, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t n = 0; n < 300; n++) {
        uint32_t from = weft_random_below(&random, topology->edge_routers);
        uint32_t to = weft_random_below(&random, topology->edge_routers);
        if (from == to)
            continue;
        weft_route_context here = routed_start(routing, from, to, &random);
        uint32_t length = 0;
        if (!routing->kind->reroute)
            length = weft_detour_length(routing, from, here.header);
        uint32_t hops = walk(routing, here, to, n * 64);
        bool odd = strcmp(topology->kind->base.name, "hierarchy") == 0; /* ties differ in length */
        if (length && !odd)
            assert_int_equal(hops, length);
    }
}

static void every_packet_arrives(void **state)
{
    (void)state;
    each_network(check_walks);
}

/* Words that nobody vouches for: those that pass lead somewhere. */
static void check_words(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    weft_random random = weft_random_stream(25, topology->routers, 0, WEFT_FOR_ESTIMATE);
    uint32_t good = 0;
    for (uint32_t n = 0; n < (SANITIZED ? 4000 : 20000); n++) {
        unsigned bits = weft_random_below(&random, 33);
        uint32_t word = weft_random_word(&random) >> (bits < 32 ? bits : 31);
        uint32_t router = weft_random_below(&random, topology->routers);
        if (word == 0 || !weft_routing_header_valid(routing, router, word))
            continue;
        weft_route_context here = {.router = router, .header = word, .port = 0};
        uint32_t to = weft_detour_read(routing, word).to;
        (void)walk(routing, here, to, n);
        good++;
    }
    assert_true(good > 0);
}

static void sound_words_are_safe(void **state)
{
    (void)state;
    each_network(check_words);
}

static const example small[] = {
    {"torus", "dims=4,3"},
    {"mesh", "dims=3,3"},
    {"hypercube", "dimensions=3"},
    {"flattened-butterfly", "dims=3,4"},
    {"flattened-butterfly", "dims=6"},
    {"fat-tree", "arity=2 levels=3"},
    {"dragonfly", "groups=5 routers=2 hosts=1 global=2"},
    {"dragonfly", "groups=4 routers=3 hosts=2 global=2"},
    {"hierarchy", "outer=torus(dims=3,4) inner=full(routers=2) attach=0,0,1,1"},
};
#define SMALL (sizeof small / sizeof *small)

static void each_small(void (*visit)(const weft_routing *routing))
{
    for (size_t r = 0; r < RULES; r++)
        for (size_t i = 0; i < SMALL; i++) {
            routed it;
            if (!fits(&small[i]))
                continue;
            visit(routed_open(&it, &small[i], rules[r].kind, rules[r].settings));
            routed_close(&it);
        }
}

static void check_starts(const weft_routing *routing)
{
    uint32_t homes = routing->topology->edge_routers;
    for (uint32_t to = 1; to < homes; to += 2)
        if (!routed_starts_evenly(routing, 0, to) ||
            !routed_starts_evenly(routing, homes - 1, to - 1))
            fail_msg("%s on %s draws other words to %u than it names", routing->kind->base.name,
                     routing->topology->kind->base.name, to);
}

static void starts_are_what_start_draws(void **state)
{
    (void)state;
    each_small(check_starts);
}

/* What settle returns is among turns; and all of turns is returned. */
static void check_turn(const weft_routing *routing, const weft_route_context *here)
{
    words named = {0}, found = {0};
    uint32_t count = routing->kind->proof.reroute_outcomes(routing, here, words_add, &named);
    assert_int_equal(count, named.count);
    for (uint64_t draw = 0; draw < 400 + 60 * (uint64_t)count; draw++) {
        uint32_t word = routed_settle(routing, here, draw);
        assert_true(words_have(&named, word));
        words_add(&found, word);
        weft_route_context after = *here;
        after.header = word;
        assert_int_equal(routed_settle(routing, &after, draw + 1),
                         word); /* asked again: no change */
    }
    weft_detour now = weft_detour_read(routing, here->header);
    for (uint32_t i = 0; i < count; i++) {
        weft_detour detour = weft_detour_read(routing, named.at[i]);
        bool other = now.mark == WEFT_TRIED && detour.tie != now.tie;
        /* by the port of the minimal way: never better */
        bool same = detour.mid != WEFT_NOWHERE || other;
        assert_true(same || words_have(&found, named.at[i]));
    }
    words_done(&named);
    words_done(&found);
}

static void check_turns(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    if (!routing->kind->reroute)
        return;
    for (uint32_t to = 1; to < topology->edge_routers; to += 3) {
        weft_route_context here = routed_start(routing, 0, to, NULL);
        check_turn(routing, &here);
        weft_detour tried = weft_detour_read(routing, here.header);
        tried.mark = WEFT_TRIED;
        weft_route_context next = {.router = (to + 1) % topology->edge_routers,
                                   .header = weft_detour_word(routing, &tried)};
        if (weft_routing_header_valid(routing, next.router, next.header))
            check_turn(routing, &next);
    }
}

static void settle_returns_turns(void **state)
{
    (void)state;
    each_small(check_turns);
}

/* Mean over all pairs and words, against what the kind says. */
static void check_mean(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    double hops = 0, packets = 0, minimal = topology->kind->mean_distance(topology);
    if (!routing->kind->proof.mean_hops)
        return;
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t to = 0; to < topology->edge_routers; to++) {
            words all = {0};
            uint32_t count = from == to ? 0
                                        : routing->kind->proof.initial_headers(routing, from, to,
                                                                               words_add, &all);
            for (uint32_t i = 0; i < count; i++, packets++)
                hops +=
                    walk(routing, (weft_route_context){.router = from, .header = all.at[i]}, to, 0);
            words_done(&all);
        }
    double endpoints = topology->edge_routers * topology->concentration;
    double leaving = (endpoints - topology->concentration) / (endpoints - 1);
    double mean = leaving * hops / packets,
           found = routing->kind->proof.mean_hops(routing, minimal);
    bool sampled = weft_detour_by_group(routing);
    assert_true(fabs(found - mean) < (sampled ? 0.01 * mean : 1e-9));
}

static void mean_hops_are_those_of_all_words(void **state)
{
    (void)state;
    each_small(check_mean);
}

/* Adds what a packet for each router `step` further loads, all words of it together 1, to links by
 * router and port. */
static void add_loads(const weft_routing *routing, uint32_t step, double *load)
{
    const weft_topology *topology = routing->topology;
    for (uint32_t from = 0; from < topology->edge_routers; from++) {
        words all = {0};
        uint32_t to = (from + step) % topology->edge_routers;
        uint32_t count = routing->kind->proof.initial_headers(routing, from, to, words_add, &all);
        for (uint32_t i = 0; i < count; i++) {
            weft_route_context here = {
                .router = from, .header = all.at[i], .port = WEFT_FROM_ENDPOINT};
            while (here.header) {
                weft_candidate hop;
                (void)routed_ask(routing, &here, 0, &hop);
                load[here.router * topology->ports + hop.port] += 1.0 / count;
                here = routed_follow(topology, &here, &hop);
            }
        }
        words_done(&all);
    }
}

static uint32_t first_port(const weft_lattice *lattice, uint32_t dim)
{
    uint32_t port = 0;
    while (lattice->port_dim[port] != dim)
        port++;
    return port;
}

/* Over both directions of every ring: whoever sends where, all links of a dimension carry the
 * same. */
static void check_directions(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    const weft_lattice *lattice = &topology->lattice;
    uint32_t links = topology->routers * topology->ports, half = topology->edge_routers / 2;
    double *load = calloc(links, sizeof *load);
    assert_non_null(load);
    for (uint32_t step = half - 1; step <= half + 1; step++)
        add_loads(routing, step, load);
    for (uint32_t d = 0; d < lattice->dims; d++)
        for (uint32_t i = 0; i < links; i++)
            if (lattice->port_dim[i % topology->ports] == d) {
                double first = load[first_port(lattice, d)];
                assert_true(fabs(load[i] - first) < 1e-9 * first);
            }
    free(load);
}

static void half_a_ring_away_both_directions_share(void **state)
{
    (void)state;
    uint32_t looked = 0;
    for (size_t i = 0; i < NETWORKS; i++) {
        routed it;
        if (!fits(&network_examples[i]))
            continue;
        const weft_routing *routing = routed_open(&it, &network_examples[i], "valiant", "");
        const weft_topology *topology = routing->topology;
        if (topology->lattice.dims && !topology->lattice.full && weft_topology_has_ties(topology)) {
            check_directions(routing);
            looked++;
        }
        routed_close(&it);
    }
    assert_true(looked >= 5);
}

typedef struct queues { /* flits waiting behind one port; behind all others `rest` */
    uint32_t port, flits, rest;
} queues;

static uint32_t seen(const void *user, uint32_t port, uint16_t vcs)
{
    assert_true(vcs != 0);
    const queues *set = user;
    return port == set->port ? set->flits : set->rest;
}

/* Does a packet leave the minimal way of a neighbour, one hop against at least two? */
static bool leaves(const weft_routing *routing, uint32_t flits, uint32_t rest, uint64_t draw)
{
    weft_route_context here = routed_start(routing, 0, 1, NULL);
    weft_ahead ahead;
    weft_minimal_port way = weft_detour_way(routing, 0, weft_detour_direct(routing, 1, 0), &ahead);
    queues set = {.port = way.port, .flits = flits, .rest = rest};
    weft_congestion_view view = {.user = &set, .waiting = seen};
    weft_random random = weft_random_stream(26, draw, 0, WEFT_FOR_ESTIMATE);
    uint32_t word = routing->kind->reroute(routing, &here, &view, &random);
    return weft_detour_read(routing, word).mid != WEFT_NOWHERE;
}

/* On a complete graph any other way has two hops, over another port. */
static void the_shorter_queue_times_hops_wins(void **state)
{
    (void)state;
    routed it;
    const example place = {"flattened-butterfly", "dims=16"};
    const char *const kinds[] = {"ugal", "par"};
    for (size_t k = 0; k < 2; k++) {
        const weft_routing *routing = routed_open(&it, &place, kinds[k], "threshold=5");
        uint32_t left = 0;
        for (uint64_t draw = 0; draw < 2000; draw++) {
            assert_false(leaves(routing, 25, 10, draw)); /* 25 × 1 ≤ 10 × 2 + 5 */
            left += leaves(routing, 26, 10, draw);
        }
        assert_in_range(left, 1700, 1800); /* 14 of 16 draws are neither end */
        routed_close(&it);
    }
}

/* As many flits wait behind a port as its number, counted from 1. */
static uint32_t seen_number(const void *user, uint32_t port, uint16_t vcs)
{
    (void)user;
    assert_true(vcs != 0);
    return port + 1;
}

/* On a complete graph of 16 the minimal way from router 0 to 15 has q h = 15; over router m, behind
 * port m − 1, it is 2 m. So a packet leaves if one of n draws out of 16 is among 1 … 7, and goes by
 * the least of them: P(least > m) = ((16 − m) / 16)^n. */
static void the_best_of_several_detours_is_taken(void **state)
{
    (void)state;
    const example place = {"flattened-butterfly", "dims=16"};
    const struct {
        const char *settings;
        double leave, mean; /* share that leaves, and mean number of the port by which */
    } expected[] = {{"", 0.4375, 4}, {"candidates=1", 0.4375, 4}, {"candidates=16", 0.9999, 1.52}};
    for (size_t s = 0; s < sizeof expected / sizeof *expected; s++) {
        routed it;
        const weft_routing *routing = routed_open(&it, &place, "ugal", expected[s].settings);
        weft_route_context here = routed_start(routing, 0, 15, NULL);
        weft_congestion_view view = {.waiting = seen_number};
        double sum = 0, left = 0;
        for (uint64_t draw = 0; draw < 2000; draw++) {
            weft_random random = weft_random_stream(27, draw, 0, WEFT_FOR_ESTIMATE);
            uint32_t word = routing->kind->reroute(routing, &here, &view, &random);
            weft_detour detour = weft_detour_read(routing, word);
            if (detour.mid == WEFT_NOWHERE)
                continue;
            assert_in_range(detour.mid, 1, 7);
            sum += detour.mid;
            left++;
        }
        assert_true(fabs(left / 2000 - expected[s].leave) < 0.04); /* 3.6 standard errors */
        assert_true(fabs(sum / left - expected[s].mean) < 0.25);
        routed_close(&it);
    }
}

static void check_free(const weft_routing *routing)
{
    weft_deadlock_verdict verdict = routed_verdict(routing);
    if (verdict != WEFT_DEADLOCK_FREE)
        fail_msg("%s on %s, %u vcs: verdict %d", routing->kind->base.name,
                 routing->topology->kind->base.name, routing->plan.n_vcs, (int)verdict);
}

static void nothing_waits_in_a_circle(void **state)
{
    (void)state;
    each_small(check_free);
}

/* The same VCs for both phases are not enough. */
static void without_phases_there_are_circles(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        routed it;
        (void)routed_open(&it, &small[i], "valiant", "");
        weft_vc_plan *plan = &it.routing.plan;
        memcpy(plan->by_class[WEFT_PHASE_OUT], plan->by_class[WEFT_PHASE_HOME],
               sizeof plan->by_class[0]);
        assert_int_equal(routed_verdict(&it.routing), WEFT_DEADLOCK_FOUND);
        routed_close(&it);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const example large = {"torus", "dims=256,256"}, torus = {"torus", "dims=4,4"};
    const example plane = {"flattened-butterfly", "dims=4,4"},
                  one_way = {"butterfly", "arity=2 stages=2"};
    routed_refused(&large, "valiant", "", 16, "takes 35 bits with 65536 routers");
    routed_refused(&torus, "ugal", "via=group", 16, "routing.via must be router on a torus");
    routed_refused(&torus, "valiant", "", 3, "router.vcs must be at least 4");
    routed_refused(&torus, "par", "", 4, "router.vcs must be at least 5");
    routed_refused(&plane, "par", "", 2, "router.vcs must be at least 3");
    routed_refused(&one_way, "valiant", "", 16, "lead one way");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_arrives),
        cmocka_unit_test(sound_words_are_safe),
        cmocka_unit_test(starts_are_what_start_draws),
        cmocka_unit_test(settle_returns_turns),
        cmocka_unit_test(mean_hops_are_those_of_all_words),
        cmocka_unit_test(half_a_ring_away_both_directions_share),
        cmocka_unit_test(the_shorter_queue_times_hops_wins),
        cmocka_unit_test(the_best_of_several_detours_is_taken),
        cmocka_unit_test(nothing_waits_in_a_circle),
        cmocka_unit_test(without_phases_there_are_circles),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
