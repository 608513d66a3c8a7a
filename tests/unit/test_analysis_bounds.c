/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput bounds: published ones, those of an enumeration written again here, and what is
 * said where nothing can be enumerated. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/bounds/bounds.h"
#include "analysis/bounds/uniform_load.h"
#include "contract/scenario.h"
#include "net/traffic/common/spread.h"

#define ROUTER  "router: {kind: input-queued, vcs: 12, buffer: 64 flits}\n"
#define UNIFORM "traffic: {all: {pattern: uniform, length: 8 flits, load: 0.1}}\n"
#define DOR     "routing: {kind: dimension-order, dateline: per-hop}\n"

static void assert_close(double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("found %.9g, expected %.9g", found, expected);
}

static weft_bounds bounds_of(const weft_network *network, uint64_t budget)
{
    weft_bounds bounds;
    double host = (double)network->timing.period[WEFT_LINK_HOST];
    weft_bounds_find(&bounds, network,
                     &(weft_bounds_plan){.sending = host, .receiving = host, .budget = budget});
    return bounds;
}

static weft_bounds bounds_of_text(const char *text)
{
    stage it;
    weft_bounds bounds = bounds_of(stage_open(&it, text), WEFT_BOUNDS_LONG);
    stage_close(&it);
    return bounds;
}

static void flattened_butterflies_have_their_published_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *dims;
        double channel, bound;
        weft_bound binding;
    } cases[] = {{"dims: [8, 8], hosts: 16", 0.4995, 0.4995, WEFT_BOUND_LINK},
                 {"dims: [16, 16], hosts: 4", 3.996, 1.0, WEFT_BOUND_INJECTION},
                 {"dims: [8, 8, 8], hosts: 2", 3.996, 1.0, WEFT_BOUND_INJECTION},
                 {"dims: [4, 4, 4, 4], hosts: 4", 0.999, 0.999, WEFT_BOUND_LINK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "topology: {kind: flattened-butterfly, %s}\n" DOR ROUTER UNIFORM, cases[i].dims);
        weft_bounds b = bounds_of_text(text);
        assert_close(b.of[WEFT_BOUND_LINK], cases[i].channel, 6e-4 * cases[i].channel);
        assert_close(b.throughput, cases[i].bound, 6e-4);
        assert_int_equal(b.binding, cases[i].binding);
        assert_true(b.exact);
    }
}

/* γ = k/8 with ties split, times n/(n − 1) because no endpoint sends to itself. */
static void tori_depend_on_their_ties(void **state)
{
    (void)state;
    double others = 4096.0 / 4095;
    static const char *const ties[] = {"random", "positive", "negative"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "topology: {kind: torus, dims: [8, 8, 8, 8], tie: %s}\n" DOR ROUTER UNIFORM,
                 ties[i]);
        weft_bounds b = bounds_of_text(text);
        assert_int_equal(b.load.fold, WEFT_FOLD_PORTS);
        assert_close(1 / b.throughput, (i ? 1.25 : 1) * others, 1e-9);
    }
    weft_bounds wrap =
        bounds_of_text("topology: {kind: torus, dims: [8, 8], tie: wrap}\n" DOR ROUTER UNIFORM);
    assert_int_equal(wrap.load.fold, WEFT_FOLD_NONE); /* not the same from everywhere */
    assert_close(1 / wrap.throughput, 1.25 * 64 / 63, 1e-9);
}

/* Whatever the pattern, twice the loads of uniform traffic: 2 k/8 on rings of k, if those half a
 * ring away go both ways. */
static void valiant_doubles_uniform_traffic(void **state)
{
    (void)state;
    static const struct {
        const char *torus, *pattern;
        double load;
    } cases[] = {{"dims: [8, 8]", "tornado", 2},
                 {"dims: [8, 8]", "neighbour", 2},
                 {"dims: [8]", "tornado", 2},
                 {"dims: [6, 6]", "tornado", 1.5},
                 {"dims: [4, 4, 4]", "tornado", 1},
                 {"dims: [8, 8], tie: positive", "tornado", 2.5},
                 {"dims: [8, 8], tie: negative", "neighbour", 2.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "topology: {kind: torus, %s}\nrouting: {kind: valiant}\n" ROUTER
                 "traffic: {all: {pattern: %s, length: 8 flits, load: 0.1}}\n",
                 cases[i].torus, cases[i].pattern);
        weft_bounds b = bounds_of_text(text);
        assert_true(b.exact && b.load.fold == WEFT_FOLD_NONE);
        assert_close(1 / b.of[WEFT_BOUND_LINK], cases[i].load, 1e-9);
    }
}

/* Only endpoint 0 of a ring of five sends. To every other router it sends (1 + 1/4)/5 of its flits,
 * those that turn there or home and those that would go there at once; of what the four turn, each
 * gets (1/4)/5 from every other. The link from 0 to 1 has 0 > 1, 0 > 2 and 4 > 1. */
static void one_sender_takes_detours(void **state)
{
    (void)state;
    stage it;
    weft_channel_load sums;
    const weft_network *network = stage_open(
        &it, "topology: {kind: torus, dims: [5]}\nrouting: {kind: valiant}\n" ROUTER
             "traffic: {all: {pattern: uniform, from: [0], length: 8 flits, load: 0.1}}\n");
    weft_bounds pairs = bounds_of(network, WEFT_BOUNDS_LONG);
    assert_true(pairs.load.known && pairs.exact);
    assert_close(1 / pairs.of[WEFT_BOUND_LINK], 2 / 4.0 + 1 / 20.0, 1e-12);
    assert_true(weft_uniform_load_find(&sums, network, WEFT_BOUNDS_LONG));
    assert_close(sums.busiest, pairs.load.busiest, 1e-15);
    stage_close(&it);
}

/* Where a detour takes more steps than are left nothing is known; with enough it is. */
static void detours_over_groups_have_a_budget(void **state)
{
    (void)state;
    static const char *const patterns[] = {"uniform", "group-adversarial"};
    static const uint64_t least[] = {2 * 2 * 18,
                                     2 * 18 * 18}; /* pairs of routers that are summed */
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char text[512];
        stage it;
        weft_channel_load load;
        snprintf(text, sizeof text,
                 "topology: {kind: hierarchy, outer: {kind: torus, dims: [9]}, "
                 "inner: {kind: full, routers: 2, hosts: 1}}\nrouting: {kind: valiant}\n" ROUTER
                 "traffic: {all: {pattern: %s, length: 8 flits, load: 0.1}}\n",
                 patterns[i]);
        (void)stage_open(&it, text);
        assert_false(weft_uniform_load_find(&load, &it.network, least[i]));
        assert_true(weft_uniform_load_find(&load, &it.network, 100 * least[i]));
        stage_close(&it);
    }
}

/* k⁴ superblocks of four routers; the link from the third to the fourth is the busiest. */
static void a_torus_of_superblocks_has_its_hot_links(void **state)
{
    (void)state;
    static const struct {
        int k;
        double inside, outside;
    } cases[] = {{3, 1.825, 0.875}, {4, 1.563, 0.990}};
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        int k = cases[i].k;
        snprintf(
            text, sizeof text,
            "topology: {kind: hierarchy, outer: {kind: torus, dims: [%d, %d, %d, %d]}, "
            "inner: {kind: full, routers: 4, hosts: 2}, attach: [0, 0, 1, 1, 2, 2, 3, 3]}\n" DOR
                ROUTER
            "traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: "
            "[{within: group, share: 70%%}, {hops: [1, 3], share: 20%%}, {beyond: 3, share: "
            "10%%}]}}}\n",
            k, k, k, k);
        weft_bounds b = bounds_of_text(text);
        const weft_mean_path *path = &b.load.path[0];
        double outside =
            0; /* hops between superblocks; a router has two endpoints and two such links */
        for (int a = 0; a < WEFT_LINK_CLASSES; a++)
            outside += path->link[a][WEFT_LINK_GLOBAL];
        assert_close(1 / b.throughput, cases[i].inside, 6e-4);
        assert_close(outside, cases[i].outside, 6e-4);
    }
}

/* The enumeration again, with nothing but the topology's own words and ways. */
static double busiest_by_hand(const weft_network *network)
{
    const weft_topology *t = &network->topology;
    double *load = calloc((size_t)t->routers * t->ports, sizeof *load), most = 0;
    double each = (double)t->concentration / (network->endpoints - 1.0) * t->concentration;
    for (uint32_t from = 0; from < t->edge_routers; from++)
        for (uint32_t to = 0; to < t->edge_routers; to++)
            for (uint32_t host = 0; from != to && host < t->concentration; host++) {
                uint32_t words[WEFT_HEADERS_MAX];
                unsigned count =
                    t->kind->all_headers ? t->kind->all_headers(t, from, to, words) : 1;
                if (!t->kind->all_headers)
                    words[0] = t->kind->make_header(t, from, to, NULL);
                for (unsigned i = 0; i < count; i++) {
                    uint32_t at = from, word = words[i];
                    word =
                        t->kind->header_for_host ? t->kind->header_for_host(t, word, host) : word;
                    while (word) {
                        weft_minimal_port way;
                        assert_int_equal(t->kind->minimal_ports(t, at, word, 1, &way), 1);
                        load[(size_t)at * t->ports + way.port] += each / count / t->concentration;
                        at = t->kind->peer(t, at, way.port).router;
                        word = way.next_header;
                    }
                    assert_int_equal(at, to);
                }
            }
    for (size_t i = 0; i < (size_t)t->routers * t->ports; i++)
        most = load[i] > most ? load[i] : most;
    free(load);
    return most;
}

static void first_ways_are_enumerated(void **state)
{
    (void)state;
    static const char *const topologies[] = {
        "{kind: torus, dims: [4, 6]}",
        "{kind: torus, dims: [5, 4, 2], hosts: 3}",
        "{kind: torus, dims: [6, 4], tie: wrap}",
        "{kind: mesh, dims: [4, 5], hosts: 2}",
        "{kind: hypercube, dimensions: 5}",
        "{kind: flattened-butterfly, dims: [3, 4], hosts: 2}",
        "{kind: full, routers: 7, hosts: 2}",
        "{kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}",
        "{kind: slim-fly, q: 5, hosts: 2}",
        "{kind: fat-tree, arity: 3, levels: 3}",
    };
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        char text[512];
        stage it;
        snprintf(text, sizeof text, "topology: %s\n" DOR ROUTER UNIFORM, topologies[i]);
        const weft_network *network = stage_open(&it, text);
        weft_bounds b = bounds_of(network, WEFT_BOUNDS_LONG);
        assert_true(b.load.known && b.load.exact && b.load.whole);
        assert_close(b.load.busiest / network->load, busiest_by_hand(network), 1e-9);
        /* no bound that holds for all routings is below one that holds for this */
        for (int k = WEFT_BOUND_CUT; k < WEFT_BOUNDS; k++)
            if (b.of[k] > 0 && b.of[k] < b.of[WEFT_BOUND_LINK] * (1 - 1e-9))
                fail_msg("%s: %s %g below channel load %g", topologies[i], weft_bound_names[k],
                         b.of[k], b.of[WEFT_BOUND_LINK]);
        stage_close(&it);
    }
}

/* All minimal ways, each as likely as another at every router, one by one. */
static void split_by_hand(const weft_topology *t, uint32_t at, uint32_t word, double share,
                          double *load)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = word ? t->kind->minimal_ports(t, at, word, WEFT_MINIMAL_PORTS_MAX, ways) : 0;
    for (unsigned i = 0; i < count; i++) {
        load[(size_t)at * t->ports + ways[i].port] += share / count;
        split_by_hand(t, t->kind->peer(t, at, ways[i].port).router, ways[i].next_header,
                      share / count, load);
    }
}

static void drawn_ways_are_split_evenly(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: mesh, dims: [3, 4]}\n"
                        "routing: {kind: minimal-oblivious, selection: random}\n" UNIFORM);
    const weft_topology *t = &network->topology;
    double *load = calloc((size_t)t->routers * t->ports, sizeof *load), most = 0;
    for (uint32_t from = 0; from < t->routers; from++)
        for (uint32_t to = 0; to < t->routers; to++)
            if (from != to)
                split_by_hand(t, from, t->kind->make_header(t, from, to, NULL), 1.0 / 11, load);
    for (size_t i = 0; i < (size_t)t->routers * t->ports; i++)
        most = load[i] > most ? load[i] : most;
    weft_bounds b = bounds_of(network, WEFT_BOUNDS_LONG);
    assert_true(b.exact && b.binding != WEFT_BOUND_CAPACITY);
    assert_close(b.load.busiest / network->load, most, 1e-12);
    free(load);
    stage_close(&it);
}

/* Half of the packets cross each dimension, and all its links alike; up to 70 routers are on the
 * ways of a pair at the same distance. */
static void ways_of_a_hypercube_are_split_evenly(void **state)
{
    (void)state;
    weft_bounds b =
        bounds_of_text("topology: {kind: hypercube, dimensions: 8}\n"
                       "routing: {kind: minimal-oblivious, selection: random}\n" UNIFORM);
    assert_true(b.load.known && b.load.exact);
    assert_close(b.of[WEFT_BOUND_LINK], 2 * 255 / 256.0, 1e-12);
}

/* A lattice whose kind lists no headers has one for every pair. */
static void lines_need_no_list_of_headers(void **state)
{
    (void)state;
    stage it;
    weft_channel_load listed, made;
    (void)stage_open(&it,
                     "topology: {kind: torus, dims: [6, 4], tie: positive}\n" DOR ROUTER UNIFORM);
    weft_topology_kind plain = *it.network.topology.kind;
    plain.all_headers = NULL;
    assert_true(weft_uniform_load_find(&listed, &it.network, WEFT_BOUNDS_LONG));
    it.network.topology.kind = &plain;
    assert_true(weft_uniform_load_find(&made, &it.network, WEFT_BOUNDS_LONG));
    assert_int_equal(made.fold, WEFT_FOLD_SLABS);
    assert_close(made.busiest / it.network.load, (1 + 2 + 3) / 6.0 * 24 / 23, 1e-12);
    assert_close(made.busiest, listed.busiest, 1e-15);
    stage_close(&it);
}

/* Whatever adapts has to cross the middle of a mesh, and leave a group of a dragonfly. */
static void adaptive_routings_have_bounds_that_hold_for_all(void **state)
{
    (void)state;
    weft_bounds mesh = bounds_of_text("topology: {kind: mesh, dims: [8, 8]}\n"
                                      "routing: {kind: minimal-adaptive}\n" ROUTER UNIFORM);
    assert_int_equal(mesh.binding, WEFT_BOUND_DIMENSION);
    assert_close(mesh.throughput, 63 / 128.0, 1e-9); /* 32 × 32/63 flits over 8 links */
    weft_bounds group = bounds_of_text(
        "topology: {kind: dragonfly, groups: 5, routers: 4, hosts: 4, global: 1}\n"
        "routing: {kind: ugal}\n" ROUTER
        "traffic: {all: {pattern: group-adversarial, length: 8 flits, load: 0.1}}\n");
    assert_int_equal(group.binding, WEFT_BOUND_CUT);
    assert_close(group.throughput, 0.25, 1e-9); /* 16 endpoints, 4 links to other groups */
    assert_false(group.load.whole);
}

/* All endpoints of a part send out of it: endpoints over links. */
static void parts_have_their_worst_permutation(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        double busy;
        weft_cut_kind kind;
    } cases[] = {
        {"{kind: dragonfly, groups: 5, routers: 4, hosts: 4, global: 1}", 32 / 6.0,
         WEFT_CUT_HALVES}, /* two groups, six links */
        {"{kind: megafly, groups: 5, leaves: 2, spines: 2, hosts: 6, global: 2}", 24 / 6.0,
         WEFT_CUT_HALVES},
        {"{kind: dragonfly, groups: 2, routers: 4, hosts: 4, global: 1}", 16 / 4.0,
         WEFT_CUT_GROUPS},
        {"{kind: fat-tree, form: xgft, down: [4, 4, 4], up: [1, 4, 1]}", 16 / 4.0,
         WEFT_CUT_SUBTREES},
        {"{kind: torus, dims: [8, 8]}", 32 / 16.0, WEFT_CUT_DIMENSION},
        {"{kind: hyperx, dims: [4, 4], hosts: 8}", 64 / 16.0, WEFT_CUT_DIMENSION},
        {"{kind: hyperx, dims: [3, 3], hosts: 8}", 24 / 6.0, WEFT_CUT_DIMENSION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        stage it;
        snprintf(text, sizeof text, "topology: %s\nrouting: {kind: minimal}\n" ROUTER UNIFORM,
                 cases[i].topology);
        weft_cut cut = weft_cuts_permutation(stage_open(&it, text));
        assert_close(cut.busy, cases[i].busy, 1e-9);
        assert_int_equal(cut.kind, cases[i].kind);
        stage_close(&it);
    }
}

static void a_hot_endpoint_is_the_bound(void **state)
{
    (void)state;
    weft_bounds b = bounds_of_text(
        "topology: {kind: torus, dims: [4, 4]}\n" DOR ROUTER
        "traffic: {all: {pattern: {kind: hot-spot, node: 5, share: 50%}, length: 8 flits, load: "
        "0.1}}\n");
    assert_int_equal(b.binding, WEFT_BOUND_EJECTION);
    assert_int_equal(b.load.receiver, 5);
    assert_close(b.throughput, 1 / (15 * (0.5 + 0.5 / 15)), 1e-9);
}

/* Links of half the rate count twice, and silent sources leave their share to the others. */
static void rates_and_silence_count(void **state)
{
    (void)state;
    weft_bounds slow =
        bounds_of_text("topology: {kind: torus, dims: [4, 4], global: [1]}\n" DOR ROUTER
                       "links: {rate: 1 flits/cycle, global: {rate: 0.25 flits/cycle}}\n" UNIFORM);
    assert_close(slow.throughput, 1 / (4 * 0.5 * 16 / 15), 1e-9);
    assert_int_equal(slow.load.port, 2); /* the first of the second dimension */
    weft_bounds silent =
        bounds_of_text("topology: {kind: mesh, dims: [8, 8]}\n" DOR ROUTER
                       "traffic: {all: {pattern: transpose, length: 8 flits, load: 0.1}}\n");
    assert_close(silent.throughput, 56 / 64.0 / 7, 1e-9); /* 56 of 64 send, 7 meet on a link */
    assert_close(silent.of[WEFT_BOUND_INJECTION], 56 / 64.0, 1e-9);
}

/* Two classes count with their shares of the load. */
static void classes_add_up(void **state)
{
    (void)state;
    weft_bounds b = bounds_of_text("topology: {kind: torus, dims: [8, 8]}\n" DOR ROUTER "traffic:\n"
                                   "  a: {pattern: uniform, length: 4 flits, load: 0.3}\n"
                                   "  b: {pattern: tornado, length: 16 flits, load: 0.1}\n");
    assert_close(1 / b.throughput, 0.75 * 64 / 63 + 0.25 * 3, 1e-9);
}

static void what_is_too_much_is_not_computed(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: mesh, dims: [8, 8]}\n"
                        "routing: {kind: minimal-oblivious, selection: random}\n" UNIFORM);
    weft_bounds b = bounds_of(network, 1000);
    assert_false(b.load.known);
    assert_int_equal(b.load.pairs, 64 * 64);
    assert_close(b.of[WEFT_BOUND_CAPACITY], 0.65625, 1e-9); /* 224 links, 64 × 16/3 hops */
    assert_int_equal(b.binding, WEFT_BOUND_CUT);            /* cuts are always known */
    assert_close(b.throughput, 63 / 128.0, 1e-9);
    assert_true(b.load.path[0].known && b.load.path[0].exact);
    b = bounds_of(network, 100); /* two ranges of destinations for each of 64 sources */
    assert_true(b.cut.busy == 0 && b.of[WEFT_BOUND_CUT] == 0);
    assert_int_equal(b.binding, WEFT_BOUND_CAPACITY);
    stage_close(&it);
}

/* Where loads are not known the mean link is as busy as the routing says that its routes are long,
 * which proves nothing. */
static void the_mean_link_counts_the_hops_of_the_routing(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: random-regular, routers: 64, degree: 3}\n"
                        "routing: {kind: up-down}\n" ROUTER UNIFORM);
    weft_bounds b = bounds_of(network, 1000);
    const weft_traffic_class *all = &network->traffic_classes[0];
    assert_false(b.load.known);
    assert_true(all->mean_hops > all->minimal_hops);
    assert_close(b.of[WEFT_BOUND_CAPACITY], 3 / all->mean_hops, 1e-12);
    assert_int_equal(b.binding, WEFT_BOUND_CAPACITY);
    assert_true(!b.exact && b.proven > b.throughput);
    stage_close(&it);
}

/* Two million links that are all alike: beside a run cuts are left out, which say no more. */
static void cuts_of_a_large_torus_wait_for_check(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: torus, dims: [72, 72, 72]}\n" DOR ROUTER UNIFORM);
    weft_bounds quick = bounds_of(network, WEFT_BOUNDS_QUICK),
                all = bounds_of(network, WEFT_BOUNDS_LONG);
    double n = 72.0 * 72 * 72;
    assert_true(quick.cut.busy == 0 && all.cut.busy > 0);
    assert_close(quick.throughput, 8 / 72.0 * (n - 1) / n, 1e-12);
    assert_close(all.throughput, quick.throughput, 1e-12);
    stage_close(&it);
}

static void without_odds_it_is_an_estimate(void **state)
{
    (void)state;
    stage it;
    (void)stage_open(&it, "topology: {kind: mesh, dims: [4, 4]}\n" DOR ROUTER UNIFORM);
    weft_pattern_kind kind = *it.network.traffic_classes[0].traffic.pattern.kind;
    kind.odds = NULL;
    weft_bounds known = bounds_of(&it.network, WEFT_BOUNDS_LONG);
    it.network.traffic_classes[0].traffic.pattern.kind = &kind;
    weft_bounds drawn = bounds_of(&it.network, WEFT_BOUNDS_LONG);
    assert_true(known.exact && !drawn.exact);
    assert_close(drawn.throughput, known.throughput, 0.2 * known.throughput);
    stage_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flattened_butterflies_have_their_published_bounds),
        cmocka_unit_test(tori_depend_on_their_ties),
        cmocka_unit_test(valiant_doubles_uniform_traffic),
        cmocka_unit_test(one_sender_takes_detours),
        cmocka_unit_test(detours_over_groups_have_a_budget),
        cmocka_unit_test(a_torus_of_superblocks_has_its_hot_links),
        cmocka_unit_test(first_ways_are_enumerated),
        cmocka_unit_test(drawn_ways_are_split_evenly),
        cmocka_unit_test(ways_of_a_hypercube_are_split_evenly),
        cmocka_unit_test(lines_need_no_list_of_headers),
        cmocka_unit_test(adaptive_routings_have_bounds_that_hold_for_all),
        cmocka_unit_test(parts_have_their_worst_permutation),
        cmocka_unit_test(a_hot_endpoint_is_the_bound),
        cmocka_unit_test(rates_and_silence_count),
        cmocka_unit_test(classes_add_up),
        cmocka_unit_test(what_is_too_much_is_not_computed),
        cmocka_unit_test(the_mean_link_counts_the_hops_of_the_routing),
        cmocka_unit_test(cuts_of_a_large_torus_wait_for_check),
        cmocka_unit_test(without_odds_it_is_an_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
