/* SPDX-License-Identifier: Apache-2.0 */
/* What every routing promises to routers with VCs, on every network it does not refuse:
 * candidates have VCs, lead to the destination whichever is taken, are minimal if it says so,
 * and depend on nothing but what was asked; and which VCs those of dimension order are. That
 * they cannot deadlock is test_deadlock's. */
#include "net/routing/common/vc_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/candidate.h"
#include "contract/vcs.h"
#include "contract/ring.h"

static const uint32_t vc_counts[] = {1, 2, 3, 4, 5, 8, 16};
#define COUNTS (sizeof vc_counts / sizeof *vc_counts)

static const struct rule {
    const char *kind, *settings;
} rules[] = {
    {"minimal", ""},
    {"dimension-order", ""},
    {"dimension-order", "dateline=per-hop"},
    {"minimal-oblivious", ""},
    {"minimal-adaptive", ""},
    {"minimal-adaptive", "escape=2"},
    {"minimal-adaptive", "escape=4"},
    {"d-mod-k", ""},
    {"valiant", ""},
    {"ugal", ""},
    {"par", ""},
    {"o1turn", ""},
    {"hamiltonian", ""},
    {"hamiltonian", "detour=1.5"},
    {"zone", ""},
    {"up-down", ""},
    {"up-down", "adaptive=true"},
    {"infiniband", ""},
};
#define RULES (sizeof rules / sizeof *rules)

/* Every selection × network × number of VCs that a rule allows; returns how many. */
static size_t each_of_rule(const struct rule *rule, void (*visit)(const weft_routing *routing))
{
    const weft_component *base = kind_named(weft_routing_kinds, rule->kind);
    size_t found = 0;
    for (const weft_component *const *s = weft_selection_kinds; *s; s++)
        for (size_t i = 0; i < NETWORKS; i++)
            for (size_t c = 0; c < COUNTS; c++) {
                vc_net it;
                weft_error err;
                if (s != weft_selection_kinds && !settings_find(base, "selection"))
                    return found; /* one is as good as another */
                if (vc_net_try(&it, &network_examples[i], rule->kind, rule->settings, (*s)->name,
                               vc_counts[c], &err) == WEFT_OK) {
                    visit(&it.routing);
                    found++;
                }
                vc_net_close(&it);
            }
    return found;
}

static void each_allowed(void (*visit)(const weft_routing *routing))
{
    for (size_t r = 0; r < RULES; r++)
        if (each_of_rule(&rules[r], visit) == 0)
            fail_msg("routing %s {%s} goes with no network", rules[r].kind, rules[r].settings);
}

/* Kinds that read a file have tests of their own. */
static void every_kind_is_tested(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_routing_kinds; *kind; kind++) {
        const weft_routing_kind *routing = (const weft_routing_kind *)(const void *)*kind;
        bool found = !routing->assign_vcs || settings_find(*kind, "file");
        assert_int_equal(!routing->assign_vcs, !routing->candidates);
        assert_int_equal(routing->reroute && !routing->proof.reroute_outcomes, 0);
        for (size_t r = 0; r < RULES; r++)
            found |= strcmp(rules[r].kind, (*kind)->name) == 0;
        if (!found)
            fail_msg("routing %s has no line in rules", (*kind)->name);
    }
}

/* Are its candidates the topology's ways, and its VCs of the classes that links have? */
static bool plain(const weft_routing *routing)
{
    return routing->kind->always_minimal && routing->kind->ports_wanted &&
           !routing->kind->initial_header;
}

static void vcs_are_shared_out(const weft_routing *routing)
{
    const weft_vc_plan *plan = &routing->plan;
    uint32_t all = (1u << plan->n_vcs) - 1;
    for (unsigned phase = 0; phase < WEFT_PHASES_MAX; phase++)
        for (unsigned classes = 1; classes <= 16; classes++)
            for (unsigned c = 0; c < classes; c++)
                assert_int_equal(plan->by_class[phase][classes][c] & ~all, 0);
    if (!plain(routing) || plan->open == all)
        return;
    assert_true(plan->dateline[0] && plan->dateline[1]);
    assert_int_equal(plan->open | plan->dateline[0] | plan->dateline[1], all);
    assert_int_equal(plan->open & (plan->dateline[0] | plan->dateline[1]), 0);
    if (routing->topology->max_vc_classes > 1) {
        assert_int_equal(plan->dateline[0] & plan->dateline[1], 0);
        int more = __builtin_popcount(plan->dateline[1]) - __builtin_popcount(plan->dateline[0]);
        assert_in_range(more, 0, 1);
    } else {
        assert_int_equal(plan->dateline[0], plan->dateline[1]);
    }
}

static void every_vc_has_one_use(void **state)
{
    (void)state;
    each_allowed(vcs_are_shared_out);
}

/* One candidate: a link, with VCs the router has; a minimal way, if the routing says so. */
static void check_hop(const weft_routing *routing, const weft_route_context *here,
                      const weft_candidate *hop)
{
    const weft_topology *topology = routing->topology;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    assert_true(hop->vcs != 0 && hop->vcs < 1u << routing->plan.n_vcs);
    assert_in_range(hop->escape, 0, 1);
    assert_int_not_equal(topology->kind->peer(topology, here->router, hop->port).router,
                         WEFT_NOWHERE);
    if (!plain(routing))
        return;
    unsigned count = topology->kind->minimal_ports(topology, here->router, here->header,
                                                   WEFT_MINIMAL_PORTS_MAX, ways);
    unsigned found = 0;
    for (unsigned w = 0; w < count; w++)
        found += ways[w].port == hop->port && ways[w].next_header == hop->next_header;
    assert_true(found >= 1);
}

/* The candidates here; the same again if asked again. */
static unsigned check_hops(const weft_routing *routing, const weft_route_context *here,
                           weft_candidate *hops)
{
    weft_candidate again[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = vc_net_ask(routing, here, 0, hops);
    assert_in_range(count, 1, WEFT_MINIMAL_PORTS_MAX);
    for (unsigned i = 0; i < count; i++)
        check_hop(routing, here, &hops[i]);
    (void)vc_net_ask(routing, here, 1, again);
    assert_int_equal(vc_net_ask(routing, here, 0, again), count);
    for (unsigned i = 0; i < count; i++)
        assert_true(same_candidate(&hops[i], &again[i]));
    return count;
}

static uint32_t some_vc(uint16_t vcs, weft_random *random)
{
    uint32_t vc;
    do
        vc = weft_random_below(random, 16);
    while (!(vcs >> vc & 1));
    return vc;
}

static uint32_t busy(const void *user, uint32_t port, uint16_t vcs)
{
    assert_int_not_equal(vcs, 0);
    return ((const uint32_t *)user)[port % 4];
}

static void count_word(void *user, uint32_t word)
{
    uint32_t *wanted = user;
    wanted[1] += word == wanted[0];
}

/* The word a packet goes on with, whatever the router sees; one of those that are said to be
 * possible. */
static uint32_t settle(const weft_routing *routing, const weft_route_context *here,
                       weft_random *random)
{
    uint32_t seen[4];
    for (unsigned i = 0; i < 4; i++)
        seen[i] = weft_random_below(random, 50);
    weft_congestion_view view = {.user = seen, .waiting = busy};
    if (!routing->kind->reroute || !here->header)
        return here->header;
    uint32_t wanted[2] = {routing->kind->reroute(routing, here, &view, random), 0};
    (void)routing->kind->proof.reroute_outcomes(routing, here, count_word, wanted);
    assert_true(wanted[1] >= 1);
    return wanted[0];
}

/* Takes any candidate and any VC of it at every hop. */
static void check_walk(const weft_routing *routing, uint32_t from, uint32_t to, weft_random *random)
{
    const weft_topology *topology = routing->topology;
    uint32_t hops = 0,
             word = from == to ? 0 : weft_routing_initial_header(routing, from, to, random);
    weft_route_context here = vc_net_start(from, word);
    for (; here.header; hops++) {
        weft_candidate found[WEFT_MINIMAL_PORTS_MAX];
        assert_true(hops <= 8 * topology->routers);
        assert_true(weft_routing_header_valid(routing, here.router, here.header));
        here.header = settle(routing, &here, random);
        assert_true(weft_routing_header_valid(routing, here.router, here.header));
        weft_candidate hop = found[weft_random_below(random, check_hops(routing, &here, found))];
        here = vc_net_follow(topology, &here, &hop, some_vc(hop.vcs, random));
    }
    assert_int_equal(here.router, to);
    if (plain(routing) && topology->lattice.dims)
        assert_int_equal(hops, topology->kind->distance(topology, from, to));
}

static void check_walks(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    weft_random random =
        weft_random_stream(12, topology->routers, routing->plan.n_vcs, WEFT_FOR_ESTIMATE);
    for (uint32_t n = 0; n < 100; n++)
        check_walk(routing, weft_random_below(&random, topology->edge_routers),
                   topology->egress_offset + weft_random_below(&random, topology->edge_routers),
                   &random);
}

static void any_candidate_leads_to_the_destination(void **state)
{
    (void)state;
    each_allowed(check_walks);
}

/* Minimal ways on open VCs in the selection's order, then the escape path if there is one:
 * dimension order. */
static void check_escape(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    uint16_t all_vcs = (uint16_t)((1u << routing->plan.n_vcs) - 1);
    for (uint32_t home = 1; home < topology->edge_routers; home++) {
        uint32_t to = home + topology->egress_offset;
        weft_random tie = weft_random_stream(13, to, 0, WEFT_FOR_ESTIMATE);
        weft_route_context here =
            vc_net_start(0, topology->kind->make_header(topology, 0, to, &tie));
        weft_minimal_port all[WEFT_MINIMAL_PORTS_MAX];
        weft_candidate hops[WEFT_MINIMAL_PORTS_MAX], ranked[WEFT_MINIMAL_PORTS_MAX];
        weft_routing plain = *routing; /* as in routers without VCs */
        plain.plan = (weft_vc_plan){.n_vcs = 0};
        unsigned count =
            topology->kind->minimal_ports(topology, 0, here.header, WEFT_MINIMAL_PORTS_MAX, all);
        weft_random random = weft_random_stream(11, 0, here.header, WEFT_FOR_ESTIMATE);
        assert_int_equal(routing->kind->candidates(&plain, &here, &random, ranked), count);
        unsigned escapes = routing->plan.open != all_vcs;
        assert_true(escapes || topology->proof.acyclic);
        assert_int_equal(vc_net_ask(routing, &here, 0, hops), count + escapes);
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(hops[i].port, ranked[i].port);
            assert_int_equal(hops[i].vcs, routing->plan.open);
            assert_int_equal(hops[i].escape, 0);
        }
        if (!escapes)
            continue;
        assert_int_equal(hops[count].port, all[0].port);
        assert_int_equal(hops[count].vcs, weft_phase_vcs(routing, 0, 0, &all[0]));
        assert_int_equal(hops[count].escape, 1);
    }
}

static void adaptive_candidates_end_with_the_escape_path(void **state)
{
    (void)state;
    for (size_t r = 0; r < RULES; r++)
        if (strcmp(rules[r].kind, "minimal-adaptive") == 0)
            assert_true(each_of_rule(&rules[r], check_escape) > 0);
}

/* Walks in dimension order; the class of a hop by definition: does what remains of the way along
 * the dimension, from where it was entered (kept) or from here, pass the end of the coordinates? */
static void check_classes(const weft_routing *routing, uint32_t from, uint32_t to, bool kept,
                          weft_random *random)
{
    const weft_topology *topology = routing->topology;
    const weft_lattice *lattice = &topology->lattice;
    weft_route_context here =
        vc_net_start(from, topology->kind->make_header(topology, from, to, random));
    uint32_t dim = UINT32_MAX;
    for (bool crosses = false; here.header;) {
        weft_minimal_port way;
        weft_candidate hop;
        assert_int_equal(topology->kind->minimal_ports(topology, here.router, here.header, 1, &way),
                         1);
        if (!kept || lattice->port_dim[way.port] != dim)
            crosses = topology->kind->vc_class &&
                      topology->kind->vc_class(topology, here.router, &way) == 0;
        dim = lattice->port_dim[way.port];
        assert_int_equal(vc_net_ask(routing, &here, 0, &hop), 1);
        assert_int_equal(hop.port, way.port);
        assert_int_equal(hop.vcs, routing->plan.dateline[crosses ? 0 : 1]);
        here = vc_net_follow(topology, &here, &hop, some_vc(hop.vcs, random));
    }
}

static void check_class_rule(const char *kind, const char *settings, bool kept)
{
    for (size_t i = 0; i < NETWORKS; i++)
        for (size_t c = 1; c < COUNTS; c++) {
            vc_net it;
            weft_error err;
            weft_status status = vc_net_try(&it, &network_examples[i], kind, settings,
                                            "dimension-order", vc_counts[c], &err);
            const weft_topology *topology = it.routing.topology;
            weft_random random = weft_random_stream(14, i, vc_counts[c], WEFT_FOR_ESTIMATE);
            assert_true(status == WEFT_OK || topology->lattice.dims == 0);
            for (uint32_t n = 0; topology->lattice.dims && n < 400; n++)
                check_classes(&it.routing, weft_random_below(&random, topology->routers),
                              weft_random_below(&random, topology->routers), kept, &random);
            vc_net_close(&it);
        }
}

static void classes_are_kept_or_found_anew(void **state)
{
    (void)state;
    check_class_rule("dimension-order", "", true);
    check_class_rule("dimension-order", "dateline=per-hop", false);
    check_class_rule("minimal-oblivious", "", true);
}

/* A ring of six with three VCs, by hand: ports 0 (+) and 1 (−). */
static void a_ring_by_hand(void **state)
{
    (void)state;
    const example ring = {"torus", "dims=6 tie=positive"};
    const struct {
        uint32_t from, to;
        uint16_t port, vc; /* it came in by */
        uint16_t vcs[2];   /* on entry, per hop */
    } cases[] = {
        {4, 1, WEFT_FROM_ENDPOINT, 0, {1, 1}}, /* 4, 5, 0, 1: crosses */
        {0, 1, 1, 0, {1, 6}},                  /* the end of that way */
        {1, 4, WEFT_FROM_ENDPOINT, 0, {6, 6}}, /* 1, 2, 3, 4 */
        {2, 4, 1, 2, {6, 6}},
        {1, 5, WEFT_FROM_ENDPOINT, 0, {1, 1}}, /* 1, 0, 5: crosses downwards */
        {0, 5, 0, 0, {1, 1}},
        {5, 3, WEFT_FROM_ENDPOINT, 0, {6, 6}},
    };
    for (int per_hop = 0; per_hop < 2; per_hop++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            vc_net it;
            weft_candidate hop;
            assert_int_equal(vc_net_try(&it, &ring, "dimension-order",
                                        per_hop ? "dateline=per-hop" : "", "random", 3, NULL),
                             WEFT_OK);
            const weft_topology *topology = it.routing.topology;
            weft_route_context here = {
                .router = cases[i].from,
                .header = topology->kind->make_header(topology, cases[i].from, cases[i].to, NULL),
                .port = cases[i].port,
                .vc = cases[i].vc};
            assert_int_equal(vc_net_ask(&it.routing, &here, 0, &hop), 1);
            assert_int_equal(hop.vcs, cases[i].vcs[per_hop]);
            vc_net_close(&it);
        }
}

static void assert_refused(const char *topology, const char *dims, const char *kind,
                           const char *settings, const char *selection, uint32_t vcs,
                           const char *message)
{
    vc_net it;
    weft_error err = {0};
    const example place = {topology, dims};
    assert_int_equal(vc_net_try(&it, &place, kind, settings, selection, vcs, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, message);
    vc_net_close(&it);
}

static void what_could_deadlock_is_refused(void **state)
{
    (void)state;
    assert_refused("torus", "dims=4,2", "dimension-order", "", "random", 1,
                   "router.vcs must be at least 2 for routing dimension-order on a torus (packets "
                   "that will pass the dateline of a ring and those that will not use different "
                   "ones), found 1");
    assert_refused("mesh", "dims=4,4", "minimal-oblivious", "", "diagonal", 4,
                   "routing.selection diagonal can deadlock in routers with finite buffers: use "
                   "dimension-order, or routing minimal-adaptive, whose escape path makes every "
                   "selection safe");
    assert_refused("torus", "dims=4,4", "minimal-adaptive", "", "random", 2,
                   "router.vcs must be at least 3 for routing minimal-adaptive here (2 for the "
                   "escape path and one that is open to all), found 2");
    assert_refused("mesh", "dims=4,4", "minimal-adaptive", "escape=3", "random", 3,
                   "router.vcs must be at least 4 for routing minimal-adaptive here (3 for the "
                   "escape path and one that is open to all), found 3");
    assert_refused(
        "torus", "dims=4,4", "minimal-adaptive", "escape=3", "random", 8,
        "routing.escape must be a multiple of 2 on a torus (so many classes of packets use "
        "different ones there), found 3");
    assert_refused("mesh", "dims=4,4", "minimal-adaptive", "escape=0", "random", 8,
                   "routing.escape must be at least 1 on a mesh (without an escape path adaptive "
                   "packets can wait for each other in a circle), found 0");
}

static uint32_t ring_vc(const weft_topology *topology, uint32_t router,
                        const weft_minimal_port *way)
{
    bool crosses = way->port == 0 ? router + way->hops >= topology->routers : router < way->hops;
    return crosses ? 0 : 1;
}

/* A kind with a ring but no coordinates: its classes cannot be kept, but found at every hop. */
static void rings_without_coordinates_are_asked_at_every_hop(void **state)
{
    (void)state;
    weft_topology_kind kind = ring_kind;
    weft_topology topology = {.kind = &kind};
    kind.vc_class = ring_vc;
    topology.max_vc_classes = 2;
    assert_int_equal(weft_topology_build(&topology, NULL, NULL), WEFT_OK);
    const weft_component *base = kind_named(weft_routing_kinds, "dimension-order");
    weft_routing routing = {.kind = (const weft_routing_kind *)(const void *)base,
                            .topology = &topology};
    weft_error err;
    void *kept = settings_make(base, ""), *anew = settings_make(base, "dateline=per-hop");
    routing.settings = kept;
    weft_random random = weft_random_stream(15, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t n = 0; n < 200;
         n++) { /* without coordinates there is no dimension to keep a class along */
        routing.settings = n < 100 ? kept : anew;
        assert_int_equal(routing.kind->assign_vcs(&routing, 4, &err), WEFT_OK);
        check_walk(&routing, n % RING_SIZE, n / RING_SIZE % RING_SIZE, &random);
        check_classes(&routing, n % RING_SIZE, n / RING_SIZE % RING_SIZE, false, &random);
    }
    free(kept);
    free(anew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_tested),
        cmocka_unit_test(every_vc_has_one_use),
        cmocka_unit_test(any_candidate_leads_to_the_destination),
        cmocka_unit_test(adaptive_candidates_end_with_the_escape_path),
        cmocka_unit_test(classes_are_kept_or_found_anew),
        cmocka_unit_test(a_ring_by_hand),
        cmocka_unit_test(what_could_deadlock_is_refused),
        cmocka_unit_test(rings_without_coordinates_are_asked_at_every_hop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
