/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of every kind of topology: the partitions that must be there, and the tightest cut
 * against all pairs of endpoints and all links, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/bounds/bounds.h"
#include "contract/scenario.h"
#include "net/traffic/pattern.h"

#include "contract/networks.h"

#define PERIOD(class) ((class) == WEFT_LINK_GLOBAL ? 3 : 2)

/* A network of one traffic class, as far as cuts look at it. */
typedef struct traffic {
    network net;
    weft_network network;
    void *settings, *self;
    bool built;
} traffic;

static bool traffic_open(traffic *it, const example *of, const weft_pattern_kind *kind)
{
    weft_error err;
    *it = (traffic){.built = false};
    it->network.topology = *network_open(&it->net, of->kind, of->settings);
    weft_topology *topology = &it->network.topology;
    it->network.endpoints = topology->edge_routers * topology->concentration;
    for (int c = 0; c < WEFT_LINK_CLASSES; c++)
        it->network.timing.period[c] = PERIOD(c);
    weft_traffic_class *traffic_class = &it->network.traffic_classes[0];
    it->settings = settings_make(&kind->base, "");
    it->self = calloc(1, kind->base.instance_size + 1);
    traffic_class->traffic.pattern =
        (weft_pattern){.kind = kind, .self = it->self, .topology = topology};
    it->built = kind->build(&traffic_class->traffic.pattern, it->settings, &err) == WEFT_OK;
    it->network.n_traffic_classes = 1;
    traffic_class->senders = it->network.endpoints;
    traffic_class->mean_flits = 5;
    traffic_class->per_tick = 0.01;
    traffic_class->traffic.pattern.mean_weight = 1;
    return it->built;
}

static void traffic_close(traffic *it)
{
    const weft_pattern *pattern = &it->network.traffic_classes[0].traffic.pattern;
    if (it->built && pattern->kind->done)
        pattern->kind->done(&it->network.traffic_classes[0].traffic.pattern);
    free(it->settings);
    free(it->self);
    network_close(&it->net);
}

typedef struct naive {
    const weft_network *network;
    double *to;   /* what a source sends to each endpoint */
    double worst; /* of all partitions */
    uint32_t kinds[WEFT_CUT_GIVEN + 1];
} naive;

static void note_odds(void *user, uint32_t first, uint32_t count, double probability)
{
    naive *it = user;
    for (uint32_t e = first; e < first + count; e++)
        it->to[e] += probability;
}

/* Flits per tick over room, out of a part or into it. */
static double busy(naive *it, const weft_router_partition *partition, uint32_t part, bool into)
{
    const weft_topology *t = &it->network->topology;
    const weft_pattern *pattern = &it->network->traffic_classes[0].traffic.pattern;
    double flits = 0, room = 0;
    for (uint32_t s = 0; s < it->network->endpoints; s++) {
        uint32_t from = partition->part[s / t->concentration];
        memset(it->to, 0, sizeof *it->to * it->network->endpoints);
        pattern->kind->odds(pattern, s, note_odds, it);
        for (uint32_t e = 0; e < it->network->endpoints; e++) {
            uint32_t to = partition->part[weft_topology_egress(t, e)];
            if (from != to && (into ? to : from) == part)
                flits += 0.05 * it->to[e];
        }
    }
    for (uint32_t r = 0; r < t->routers; r++)
        for (uint32_t p = 0; p < t->ports; p++) {
            uint32_t to = t->kind->peer(t, r, p).router;
            uint32_t a = partition->part[r], b = to == WEFT_NOWHERE ? a : partition->part[to];
            if (a != b && (into ? b : a) == part)
                room += 1.0 / PERIOD(t->port_class[p]);
        }
    return room > 0 ? flits / room : 0;
}

static void examine(void *user, const weft_router_partition *partition)
{
    naive *it = user;
    const weft_topology *t = &it->network->topology;
    it->kinds[partition->kind]++;
    assert_true(partition->n_parts >= 2);
    for (uint32_t h = 0; h < t->edge_routers; h++)
        assert_true(partition->part[h] < partition->n_parts);
    for (uint32_t p = 0; p < partition->n_parts; p++)
        for (int into = 0; into < 2; into++) {
            double found = busy(it, partition, p, into);
            it->worst = found > it->worst ? found : it->worst;
        }
}

/* Every topology has the cuts of its kind. */
static void assert_kinds(const naive *it, const example *of)
{
    const weft_topology *t = &it->network->topology;
    bool tree = t->edge_routers < t->routers && t->egress_offset == 0;
    assert_int_equal(it->kinds[WEFT_CUT_ROUTERS], t->routers > 1);
    assert_int_equal(it->kinds[WEFT_CUT_DIMENSION], t->lattice.dims);
    if (t->group > 1 && t->group < t->routers && !tree && it->kinds[WEFT_CUT_GROUPS] == 0)
        fail_msg("%s %s: no cut by groups", of->kind, of->settings);
    if (t->edge_routers > 1 && t->egress_offset == 0)
        assert_int_equal(it->kinds[WEFT_CUT_HALVES], 1);
    if (strcmp(of->kind, "fat-tree") == 0) {
        network two; /* levels of switches that are below the roots and above the leaves */
        uint32_t levels =
            t->kind->closed_form.diameter(network_open(&two, of->kind, of->settings)) / 2 + 1;
        assert_true(it->kinds[WEFT_CUT_SUBTREES] <= levels - 2);
        network_close(&two);
    }
}

static void tightest_cuts_are_those_of_all_pairs(void **state)
{
    (void)state;
    const weft_pattern_kind *const kinds[] = {
        &weft_pattern_uniform, &weft_pattern_group_adversarial, &weft_pattern_random_permutation};
    for (size_t i = 0; i < NETWORKS; i++)
        for (size_t k = 0; k < 3; k++) {
            traffic it;
            if (traffic_open(&it, &network_examples[i], kinds[k]) && it.network.endpoints <= 300) {
                naive all = {.network = &it.network,
                             .to = calloc(it.network.endpoints, sizeof *all.to)};
                weft_router_partitions_visit(&it.network.topology, examine, &all);
                weft_cut cut = weft_cuts_find(&it.network, NULL, WEFT_BOUNDS_LONG);
                if (!(cut.busy > all.worst * (1 - 1e-9) && cut.busy < all.worst * (1 + 1e-9)))
                    fail_msg("%s %s: %.9g, all pairs say %.9g", network_examples[i].kind,
                             network_examples[i].settings, cut.busy, all.worst);
                assert_true(cut.exact);
                assert_kinds(&all, &network_examples[i]);
                free(all.to);
            }
            traffic_close(&it);
        }
}

/* Large networks have the cut that one division gives. */
static void large_networks_have_their_cuts(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *traffic;
        double bound;
    } cases[] = {
        {"{kind: dragonfly, groups: 129, routers: 32, hosts: 16}", "uniform",
         128 / (512 * 65536.0 / 66047)},
        {"{kind: dragonfly, groups: 129, routers: 32, hosts: 16}", "group-adversarial", 0.25},
        /* half as many links at the top: 4096 endpoints a pod, 2048 links */
        {"{kind: fat-tree, form: xgft, down: [16, 16, 16, 16], up: [1, 16, 16, 8]}", "uniform",
         2048 / (4096 * 61440.0 / 65535)},
        /* the halves of a dimension */
        {"{kind: mesh, dims: [40, 40, 40]}", "uniform", 1600 / (32000 * 32000.0 / 63999)},
        {"{kind: flattened-butterfly, dims: [32, 32], hosts: 64}", "uniform",
         8192 / (32768 * 32768.0 / 65535)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        stage it;
        snprintf(text, sizeof text,
                 "topology: %s\nrouting: {kind: minimal-adaptive}\n"
                 "traffic: {all: {pattern: %s, length: 1 flit, load: 0.1}}\n",
                 cases[i].topology, cases[i].traffic);
        if (stage_try(&it, text) != WEFT_OK)
            fail_msg("%s", it.err.text);
        weft_bounds b;
        weft_bounds_find(&b, &it.network, &(weft_bounds_plan){.budget = WEFT_BOUNDS_QUICK});
        double found = b.throughput;
        if (!(found <= cases[i].bound * (1 + 1e-9)))
            fail_msg("%s: %.9g, not %.9g", cases[i].topology, found, cases[i].bound);
        stage_close(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tightest_cuts_are_those_of_all_pairs),
        cmocka_unit_test(large_networks_have_their_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
