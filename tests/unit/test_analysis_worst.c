/* SPDX-License-Identifier: Apache-2.0 */
/* The search for bad permutations: at least as bad as the ones people know, never worse than all
 * of them tried one by one, the same for the same seed; and the matching it rests on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/bounds/bounds.h"
#include "analysis/bounds/matching.h"
#include "analysis/bounds/walk.h"
#include "analysis/bounds/worst_pattern.h"
#include "contract/scenario.h"

#define UNIFORM "traffic: {all: {pattern: uniform, length: 8 flits, load: 0.1}}\n"
#define REST    "router: {kind: input-queued, vcs: 8, buffer: 64 flits}\n" UNIFORM
#define DOR     "routing: {kind: dimension-order, dateline: per-hop}\n"

static void assert_close(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("found %.12g, expected %.12g", found, expected);
}

static weft_worst search(stage *it, const char *text, uint64_t seed)
{
    weft_worst worst;
    const weft_network *network = stage_open(it, text);
    weft_status status = weft_worst_find(&worst, network, 0,
                                         &(weft_worst_plan){.seed = seed, .effort = 2}, &it->err);
    if (status != WEFT_OK)
        fail_msg("%s", it->err.text);
    return worst;
}

static void assert_permutation(const weft_worst *worst)
{
    char *seen = calloc(worst->ends, 1);
    for (uint32_t e = 0; e < worst->ends; e++) {
        assert_true(worst->to[e] < worst->ends && !seen[worst->to[e]]);
        seen[worst->to[e]] = 1;
    }
    free(seen);
}

/* γ of what was found, all links added up again. */
typedef struct adder {
    const weft_network *network;
    double *load;
} adder;

static void add(void *user, uint32_t router, uint32_t port, weft_link_class came, double share)
{
    adder *a = user;
    (void)came;
    a->load[(size_t)router * a->network->topology.ports + port] += share;
}

static double gamma_of(const weft_network *network, uint32_t hosts, uint32_t ends,
                       const uint32_t *to)
{
    const weft_topology *topology = &network->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    adder a = {.network = network, .load = calloc(links, sizeof(double))};
    weft_walk walk;
    weft_walk_init(&walk, &network->traffic_classes[0].routing,
                   weft_walk_mode_of(&network->traffic_classes[0].routing), UINT64_MAX);
    walk.pass = add;
    walk.user = &a;
    uint32_t each = topology->concentration / hosts;
    for (uint32_t e = 0; e < ends; e++)
        if (to[e] != e)
            assert_true(weft_walk_pair(&walk, e / hosts, to[e] / hosts + topology->egress_offset,
                                       to[e] % hosts, each));
    double most = 0;
    for (size_t i = 0; i < links; i++)
        most = a.load[i] > most ? a.load[i] : most;
    weft_walk_done(&walk);
    free(a.load);
    return most;
}

static void a_mesh_is_as_bad_as_transpose(void **state)
{
    (void)state;
    stage it;
    weft_worst worst = search(&it, "topology: {kind: mesh, dims: [8, 8]}\n" DOR REST, 1);
    assert_permutation(&worst);
    assert_true(worst.exact);
    assert_close(worst.gamma, 7); /* seven meet at the corner of the transpose, and nowhere more */
    assert_close(worst.throughput, 1 / 7.0);
    assert_close(gamma_of(&it.network, worst.hosts, worst.ends, worst.to), worst.gamma);
    weft_worst_done(&worst);
    stage_close(&it);
}

static void a_dragonfly_is_as_bad_as_the_next_group(void **state)
{
    (void)state;
    stage it;
    weft_worst worst = search(
        &it, "topology: {kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}\n" DOR REST,
        1);
    assert_permutation(&worst);
    assert_true(worst.exact);
    assert_true(worst.gamma >= 8 * (1 - 1e-9)); /* 4 × 2 endpoints on the one link to a group */
    assert_close(gamma_of(&it.network, worst.hosts, worst.ends, worst.to), worst.gamma);
    weft_worst_done(&worst);
    stage_close(&it);
}

/* Known: 2/7 of the capacity of an 8-ary 2-cube (Towles and Dally 2002), half of an 8×8 mesh's
 * for O1TURN. */
static void published_worst_cases_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double gamma;
    } cases[] = {
        {"topology: {kind: torus, dims: [8, 8]}\nrouting: {kind: dimension-order}\n" REST, 3.5},
        {"topology: {kind: mesh, dims: [8, 8]}\nrouting: {kind: o1turn}\n" REST, 4},
        {"topology: {kind: fat-tree, arity: 4, levels: 3}\nrouting: {kind: d-mod-k}\n" REST, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stage it;
        weft_worst worst = search(&it, cases[i].text, 3);
        assert_true(worst.exact);
        assert_close(worst.gamma, cases[i].gamma);
        assert_close(gamma_of(&it.network, worst.hosts, worst.ends, worst.to), worst.gamma);
        weft_worst_done(&worst);
        stage_close(&it);
    }
}

/* All permutations of n, one after the other (Heap 1963). */
static double worst_of_all(const weft_network *network, uint32_t *to, uint32_t n, uint32_t k)
{
    double most = 0;
    if (k <= 1)
        return gamma_of(network, 1, n, to);
    for (uint32_t i = 0; i < k; i++) {
        double found = worst_of_all(network, to, n, k - 1);
        most = found > most ? found : most;
        uint32_t other = k % 2 ? 0 : i, kept = to[other];
        to[other] = to[k - 1];
        to[k - 1] = kept;
    }
    return most;
}

static void nothing_is_worse_on_small_networks(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "topology: {kind: mesh, dims: [2, 3]}\n" DOR REST,
        "topology: {kind: torus, dims: [6], hosts: 2}\n" DOR REST,
        "topology: {kind: random-regular, routers: 6, degree: 3}\nrouting: {kind: up-down}\n" REST};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        stage it;
        weft_worst worst = search(&it, texts[i], 1);
        uint32_t to[] = {0, 1, 2, 3, 4, 5};
        assert_int_equal(worst.ends, 6);
        assert_true(worst.exact);
        assert_close(worst.gamma, worst_of_all(&it.network, to, 6, 6));
        weft_worst_done(&worst);
        stage_close(&it);
    }
}

static void the_same_seed_finds_the_same(void **state)
{
    (void)state;
    stage a, b;
    const char *text = "topology: {kind: mesh, dims: [5, 5], hosts: 2}\n" DOR REST;
    weft_worst one = search(&a, text, 7), two = search(&b, text, 7);
    assert_int_equal(one.router, two.router);
    assert_int_equal(one.port, two.port);
    assert_memory_equal(one.to, two.to, sizeof *one.to * one.ends);
    assert_true(one.gamma == two.gamma);
    weft_worst_done(&one);
    weft_worst_done(&two);
    stage_close(&a);
    stage_close(&b);
}

/* 4,225 pairs use the middle link of a line of 130 routers: half of all send over it at once. */
static void a_long_line_is_halved(void **state)
{
    (void)state;
    stage it;
    weft_worst worst = search(&it, "topology: {kind: mesh, dims: [130]}\n" DOR REST, 1);
    assert_permutation(&worst);
    assert_true(worst.exact);
    assert_int_equal(worst.links, 2 * 129);
    assert_close(worst.gamma, 65);
    weft_worst_done(&worst);
    stage_close(&it);
}

/* Each of 512 senders has 170 links to the receivers of the others: too many uses to list. */
static void a_line_of_long_routes_is_searched(void **state)
{
    (void)state;
    stage it;
    weft_worst worst;
    const weft_network *network = stage_open(&it, "topology: {kind: mesh, dims: [512]}\n" DOR REST);
    assert_int_equal(
        weft_worst_find(&worst, network, 0, &(weft_worst_plan){.seed = 1, .effort = 0}, &it.err),
        WEFT_OK);
    assert_permutation(&worst);
    assert_true(!worst.exact && worst.links == 0 && worst.matched == 0);
    assert_close(worst.gamma, 256); /* the mirror image; nothing is worse */
    weft_worst_done(&worst);
    stage_close(&it);
}

/* Matchings end when their steps are used up; the permutations that are bad by design stay. */
static void an_effort_that_is_used_up_proves_nothing(void **state)
{
    (void)state;
    stage it;
    weft_worst worst;
    const weft_network *network =
        stage_open(&it, "topology: {kind: mesh, dims: [8, 8]}\n" DOR REST);
    assert_int_equal(
        weft_worst_find(&worst, network, 0, &(weft_worst_plan){.seed = 1, .effort = 0}, &it.err),
        WEFT_OK);
    assert_permutation(&worst);
    assert_false(worst.exact);
    assert_true(worst.links > 0 && worst.matched == 0);
    assert_true(worst.gamma >= 4 * (1 - 1e-9)); /* the mirror image */
    weft_worst_done(&worst);
    stage_close(&it);
}

/* Too large for matchings: the local search alone. */
static void a_large_mesh_is_searched(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: mesh, dims: [48, 48]}\n" DOR REST);
    weft_worst worst;
    assert_int_equal(
        weft_worst_find(&worst, network, 0, &(weft_worst_plan){.seed = 1, .effort = 1}, &it.err),
        WEFT_OK);
    assert_permutation(&worst);
    assert_false(worst.exact);
    assert_true(worst.gamma >= 24); /* the mirror image */
    assert_close(gamma_of(&it.network, 1, worst.ends, worst.to), worst.gamma);
    weft_worst_done(&worst);
    stage_close(&it);
}

static void assert_refused(stage *it, const char *message)
{
    weft_worst worst;
    const weft_worst_plan plan = {.seed = 1, .effort = 1};
    assert_int_equal(weft_worst_find(&worst, &it->network, 0, &plan, &it->err), WEFT_BAD_INPUT);
    assert_string_equal(it->err.text, message);
    weft_worst_done(&worst);
}

static void what_has_no_worst_pattern_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"topology: {kind: mesh, dims: [4, 4]}\nrouting: {kind: minimal-adaptive}\n" REST,
         "routing minimal-adaptive looks at the load: there is no worst pattern for it before it "
         "runs; look for that of a routing with fixed routes, such as dimension-order"},
        {"topology: {kind: mesh, dims: [4, 4]}\n"
         "routing: {kind: minimal-oblivious, selection: round-robin}\n" UNIFORM,
         "routing minimal-oblivious draws its ways: there is no worst pattern for it before it "
         "runs; look for that of a routing with fixed routes, such as dimension-order"},
        {"topology: {kind: file, path: '" WEFT_TEST_DATA "/fabrics/uneven.weftnet'}\n"
         "routing: {kind: dimension-order}\n" REST,
         "routers have different numbers of endpoints: the worst pattern is looked for where all "
         "have as many (topology.hosts)"},
        {"topology: {kind: full, routers: 1, hosts: 2}\nrouting: {kind: dimension-order}\n" REST,
         "one router sends nothing to another"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stage it;
        (void)stage_open(&it, cases[i].text);
        assert_refused(&it, cases[i].message);
        stage_close(&it);
    }
}

/* Both ways at every hop, though the kind says that it names one. */
static unsigned two_ways(const weft_routing *routing, const weft_route_context *here,
                         weft_random *random, weft_candidate *out)
{
    weft_minimal_port ways[2];
    (void)random;
    unsigned count = routing->topology->kind->minimal_ports(routing->topology, here->router,
                                                            here->header, 2, ways);
    for (unsigned i = 0; i < count; i++)
        out[i] =
            (weft_candidate){.port = ways[i].port, .vcs = 1, .next_header = ways[i].next_header};
    return count;
}

static void a_routing_that_chooses_is_found_out(void **state)
{
    (void)state;
    stage it;
    (void)stage_open(&it, "topology: {kind: mesh, dims: [4, 4]}\n" DOR REST);
    weft_routing *routing = &it.network.traffic_classes[0].routing;
    weft_routing_kind kind = *routing->kind;
    kind.candidates = two_ways;
    routing->kind = &kind;
    routing->straight = 0;
    assert_refused(&it,
                   "routing dimension-order chooses or draws its ways: its routes are not fixed");
    stage_close(&it);
}

static double best_of_all(const double *weight, uint32_t *to, uint32_t n, uint32_t k)
{
    double most = -1;
    if (k == 0) {
        double sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += weight[i * n + to[i]];
        return sum;
    }
    for (uint32_t i = 0; i < k; i++) {
        uint32_t kept = to[i];
        to[i] = to[k - 1];
        to[k - 1] = kept;
        double found = best_of_all(weight, to, n, k - 1);
        most = found > most ? found : most;
        to[k - 1] = to[i];
        to[i] = kept;
    }
    return most;
}

static void matchings_are_the_best(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 6; n++)
        for (int draw = 0; draw < 20; draw++) {
            double weight[36];
            uint32_t to[6], all[] = {0, 1, 2, 3, 4, 5};
            weft_random random = weft_random_stream(n, (uint64_t)draw, 0, WEFT_FOR_ESTIMATE);
            for (uint32_t i = 0; i < n * n; i++)
                weight[i] = draw % 2 ? weft_random_open(&random) : weft_random_below(&random, 3);
            assert_close(weft_matching_find(weight, n, to) + 1, best_of_all(weight, all, n, n) + 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matchings_are_the_best),
        cmocka_unit_test(a_mesh_is_as_bad_as_transpose),
        cmocka_unit_test(a_dragonfly_is_as_bad_as_the_next_group),
        cmocka_unit_test(published_worst_cases_are_found),
        cmocka_unit_test(nothing_is_worse_on_small_networks),
        cmocka_unit_test(the_same_seed_finds_the_same),
        cmocka_unit_test(a_long_line_is_halved),
        cmocka_unit_test(a_line_of_long_routes_is_searched),
        cmocka_unit_test(an_effort_that_is_used_up_proves_nothing),
        cmocka_unit_test(a_large_mesh_is_searched),
        cmocka_unit_test(what_has_no_worst_pattern_is_refused),
        cmocka_unit_test(a_routing_that_chooses_is_found_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
