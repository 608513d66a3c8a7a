/* SPDX-License-Identifier: Apache-2.0 */
/* Channel loads of uniform traffic by counting, by symmetry and by sums against the routes of all
 * pairs, one by one: every topology × every routing whose routes do not depend on the load.
 *
 *     test_uniform_loads [STEPS]     of a comparison at most, by pairs */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/bounds/uniform_load.h"
#include "contract/vcs.h"
#include "net/network.h"
#include "net/traffic/pattern.h"
#include "sanitized.h"

#define ROUTERS_MOST 400u
#define SMALL        40u
#define DETOURS_MOST 60u                            /* routers */
#define STEPS_MOST   (SANITIZED ? 250000 : 2500000) /* of a comparison, unless told */

/* Odd sizes, several links between two groups, tapers, many endpoints; up to 2,000. */
static const example larger[] = {
    {"torus", "dims=12,11 hosts=3"},
    {"torus", "dims=6,5 hosts=60"},
    {"mesh", "dims=4,3,3 hosts=50"},
    {"hypercube", "dimensions=5 hosts=60"},
    {"slim-fly", "q=4 hosts=60"},
    {"dragonfly", "groups=7 routers=4 hosts=70 global=3"},
    {"torus", "dims=10,4,6 hosts=8"},
    {"torus", "dims=14,6 hosts=20 tie=wrap"},
    {"mesh", "dims=9,8,5 hosts=5"},
    {"hypercube", "dimensions=8 hosts=7"},
    {"hyperx", "dims=7,9 hosts=20"},
    {"hyperx", "dims=3,8,5 hosts=16"},
    {"full", "routers=41 hosts=48 links=3"},
    {"dragonfly", "groups=11 routers=6 hosts=30 global=5"},
    {"dragonfly", "groups=17 routers=5 hosts=23 arrangement=palm-tree"},
    {"dragonfly", "groups=9 routers=8 hosts=27 global=3 arrangement=absolute"},
    {"dragonfly", "groups=33 routers=8 hosts=7"},
    {"megafly", "groups=9 leaves=4 spines=4 hosts=50 global=4"},
    {"megafly", "groups=6 leaves=5 spines=3 hosts=60 arrangement=absolute global=4"},
    {"megafly", "groups=5 leaves=3 spines=4 hosts=9 global=3 arrangement=palm-tree"},
    {"leaf-spine", "leaves=30 spines=11 hosts=60"},
    {"fat-tree", "form=xgft down=10,9,5 up=1,7,3"},
    {"fat-tree", "form=xgft down=40,50 up=1,11 global=true"},
    {"fat-tree", "form=xgft down=6,4,7,3 up=1,5,2,4"},
    {"fat-tree", "form=m-port arity=18 levels=2"},
    {"butterfly", "arity=6 stages=4"},
    {"slim-fly", "q=9 hosts=12"},
    {"random-regular", "routers=100 degree=7 hosts=20"},
    {"hierarchy", "outer=torus(dims=4,4) inner=full(routers=5 hosts=25)"},
    {"hierarchy", "outer=hyperx(dims=4,5) inner=full(routers=6 hosts=16)"},
    {"hierarchy", "outer=mesh(dims=4,4) inner=full(routers=4 hosts=30)"},
    /* a router is entered over links of two classes */
    {"hierarchy", "outer=torus(dims=3,3 global=1) inner=full(routers=2 hosts=3) attach=0,1,0,1"},
    {"hierarchy",
     "outer=hierarchy(outer=full(routers=4) inner=full(routers=3)) inner=full(routers=2 hosts=2)"},
};
#define LARGER (sizeof larger / sizeof *larger)

typedef struct fabric {
    vc_net net;
    weft_network network;
    void *settings, *self;
    uint64_t steps;
} fabric;

typedef struct choice {
    const char *routing, *selection;  /* settings of the routing, and its selection */
    const weft_pattern_kind *pattern; /* of the traffic … */
    const char *settings;             /* … and its settings */
} choice;

static void fabric_close(fabric *it, bool built)
{
    weft_pattern *pattern = &it->network.traffic_classes[0].traffic.pattern;
    if (built && pattern->kind->done)
        pattern->kind->done(pattern);
    vc_net_close(&it->net);
    free(it->settings);
    free(it->self);
}

static bool fabric_open(fabric *it, const example *of, const weft_component *kind,
                        const choice *wanted)
{
    const weft_routing_kind *routing = (const weft_routing_kind *)(const void *)kind;
    weft_error err;
    weft_status status = WEFT_BAD_INPUT;
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (p->type == WEFT_PARAM_FILE && !p->fallback)
            return false;
    if (routing->assign_vcs) {
        status = vc_net_try(&it->net, of, kind->name, wanted->routing, wanted->selection, 16, &err);
        if (status != WEFT_OK)
            vc_net_close(&it->net);
    }
    if (status != WEFT_OK)
        return false;
    weft_network *whole = &it->network;
    *whole = (weft_network){.topology = *it->net.routing.topology, .n_traffic_classes = 1};
    whole->endpoints = weft_topology_endpoints(&whole->topology);
    whole->timing.classes = WEFT_LINK_CLASSES;
    weft_traffic_class *traffic_class = &whole->traffic_classes[0];
    const weft_pattern_kind *pattern = wanted->pattern;
    it->settings = settings_make(&pattern->base, wanted->settings);
    it->self = calloc(1, pattern->base.instance_size + 1);
    traffic_class->traffic.pattern = (weft_pattern){
        .kind = pattern, .self = it->self, .topology = &whole->topology, .mean_weight = 1};
    if (pattern->build(&traffic_class->traffic.pattern, it->settings, &err) != WEFT_OK) {
        fabric_close(it, false);
        return false;
    }
    traffic_class->routing = it->net.routing;
    traffic_class->routing.topology = &whole->topology;
    traffic_class->senders = whole->endpoints;
    traffic_class->mean_flits = 5;
    traffic_class->per_tick = 0.01;
    traffic_class->mean_hops = 1;
    return true;
}

static void assert_same(const example *of, const weft_routing *routing, const char *what,
                        double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected) + 1e-15))
        fail_msg("%s on %s %s: %s is %.12g, by pairs %.12g", routing->kind->base.name, of->kind,
                 of->settings, what, found, expected);
}

static void assert_paths(const example *of, const weft_routing *routing, const weft_mean_path *a,
                         const weft_mean_path *b)
{
    for (int i = 0; a->known && b->known && i < WEFT_PATH_CLASSES; i++)
        for (int j = 0; j < WEFT_PATH_CLASSES; j++)
            assert_same(of, routing, "a link on the path", a->link[i][j], b->link[i][j]);
    assert_true(!a->known || b->known);
}

/* With several rates, so that links of every class are the busiest once. Returns whether there was
 * something to compare. */
static bool compare(fabric *it, const example *of)
{
    static const int64_t periods[][2] = {{2, 3}, {1, 40}, {40, 1}};
    weft_network *whole = &it->network;
    const weft_routing *routing = &whole->traffic_classes[0].routing;
    bool some = false;
    for (size_t i = 0; i < (whole->topology.routers <= SMALL ? 3 : 1); i++) {
        weft_channel_load found, pairs;
        weft_network plain = *whole;
        for (int c = 0; c < WEFT_LINK_CLASSES; c++)
            whole->timing.period[c] = periods[i][c == WEFT_LINK_GLOBAL];
        plain = *whole;
        plain.topology.proof.vertex_transitive = false; /* nothing is folded */
        plain.traffic_classes[0].routing.topology = &plain.topology;
        plain.traffic_classes[0].traffic.pattern.topology = &plain.topology;
        if (!weft_uniform_load_find(&found, whole, UINT64_MAX))
            return some;
        weft_channel_load_walk(&pairs, &plain, it->steps);
        if (!pairs.known)
            return some;
        assert_true(found.known && found.exact && found.whole && pairs.exact && pairs.whole);
        assert_int_equal(pairs.fold, WEFT_FOLD_NONE);
        assert_same(of, routing, "the greatest load", found.busiest, pairs.busiest);
        assert_same(of, routing, "what an endpoint sends", found.sends, pairs.sends);
        assert_same(of, routing, "what an endpoint receives", found.receives, pairs.receives);
        assert_paths(of, routing, &found.path[0], &pairs.path[0]);
        some = true;
    }
    return some;
}

typedef struct tally {
    uint64_t steps; /* of a comparison */
    unsigned compared, open;
} tally;

/* Only detours with ties that dimensions do not decide, and routes by the endpoint that sends or by
 * the input, have no way but that over all pairs. */
static void assert_has_way(const fabric *it, const example *of)
{
    const weft_routing *routing = &it->network.traffic_classes[0].routing;
    bool ties = weft_uniform_detours(routing) && weft_topology_has_ties(&it->network.topology);
    if (!ties && !routing->kind->header_from_host && !routing->kind->ports_by_input &&
        weft_uniform_method_of(&it->network) == WEFT_UNIFORM_NONE)
        fail_msg("%s on %s %s: loads are only known by pairs", routing->kind->base.name, of->kind,
                 of->settings);
}

static void compare_all(const example *examples, size_t count, tally *all)
{
    static const char *const selections[] = {"dimension-order", "random"};
    for (size_t i = 0; i < count; i++)
        for (const weft_component *const *kind = weft_routing_kinds; *kind; kind++)
            for (int s = 0; s < 2; s++) {
                fabric it;
                choice wanted = {"", selections[s], &weft_pattern_uniform,
                                 s ? "self=included" : ""};
                if (!fabric_open(&it, &examples[i], *kind, &wanted))
                    continue;
                const weft_routing *routing = &it.network.traffic_classes[0].routing;
                weft_walk_mode mode = weft_walk_mode_of(routing);
                bool oblivious = mode == WEFT_WALK_FIXED || mode == WEFT_WALK_EVEN;
                bool same = s && routing->selection && !routing->selection->rank;
                if (oblivious && !same && it.network.topology.routers <= ROUTERS_MOST) {
                    it.steps = all->steps;
                    bool done = compare(&it, &examples[i]);
                    assert_has_way(&it, &examples[i]);
                    all->compared += done;
                    all->open += !done;
                    if (!done)
                        print_message("not compared: %s on %s %s\n", (*kind)->name,
                                      examples[i].kind, examples[i].settings);
                }
                fabric_close(&it, true);
            }
}

static void loads_are_those_of_all_pairs(void **state)
{
    tally all = {.steps = *(const uint64_t *)*state};
    compare_all(network_examples, NETWORKS, &all);
    compare_all(larger, LARGER, &all);
    print_message("%u pairs of topology and routing compared, %u not\n", all.compared, all.open);
    assert_true(all.compared >= (SANITIZED ? 400 : 800));
}

/* Random detours make loads of any pattern known. */
static unsigned compare_detours(const example *of, const char *via, uint64_t steps)
{
    static const weft_pattern_kind *const patterns[] = {
        &weft_pattern_group_adversarial, &weft_pattern_random_permutation,
        &weft_pattern_tornado,           &weft_pattern_neighbour,
        &weft_pattern_hot_spot,          &weft_pattern_transpose, /* the diagonal is silent */
    };
    unsigned compared = 0;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        fabric it;
        choice wanted = {via, "dimension-order", patterns[p], ""};
        if (!fabric_open(&it, of, &weft_routing_valiant.base, &wanted))
            continue;
        it.steps = steps;
        if (it.network.topology.routers <= DETOURS_MOST)
            compared += compare(&it, of);
        fabric_close(&it, true);
    }
    return compared;
}

static void detours_are_those_of_all_pairs(void **state)
{
    uint64_t steps = *(const uint64_t *)*state;
    unsigned compared = 0;
    for (size_t i = 0; i < NETWORKS + LARGER; i++) {
        const example *of = i < NETWORKS ? &network_examples[i] : &larger[i - NETWORKS];
        compared += compare_detours(of, "", steps);
        compared += compare_detours(of, "via=router", steps);
    }
    print_message("%u triples with detours compared\n", compared);
    assert_true(compared >= (SANITIZED ? 100 : 200));
}

int main(int argc, char **argv)
{
    uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : STEPS_MOST;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(loads_are_those_of_all_pairs, &steps),
        cmocka_unit_test_prestate(detours_are_those_of_all_pairs, &steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
