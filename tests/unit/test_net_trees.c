/* SPDX-License-Identifier: Apache-2.0 */
/* Fat trees and butterflies against their definitions: how many switches, who is joined to whom,
 * which way d-mod-k takes, and what is refused. */
#include "net/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"

static void assert_counts(const char *kind, const char *settings, uint32_t routers, uint32_t homes,
                          uint32_t hosts, uint32_t ports, uint64_t links)
{
    network net;
    const weft_topology *topology = network_open(&net, kind, settings);
    assert_int_equal(topology->routers, routers);
    assert_int_equal(topology->edge_routers, homes);
    assert_int_equal(topology->concentration, hosts);
    assert_int_equal(topology->ports, ports);
    assert_int_equal(topology->links, links);
    network_close(&net);
}

/* Packets go to leaf switches alone: between others there is no distance. */
static void roots_are_no_destinations(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "fat-tree", "arity=2 levels=3");
    assert_int_equal(topology->kind->distance(topology, 11, 0), 2);
    assert_int_equal(topology->kind->distance(topology, 0, 11), 2);
    assert_int_equal(topology->kind->distance(topology, 11, 11), 0);
    assert_int_equal(topology->kind->distance(topology, 11, 4), WEFT_NOWHERE);
    network_close(&net);
}

/* k-ary n-tree: k^n endpoints, n k^(n−1) switches; m-port n-tree: 2 (m/2)^n and (2n − 1)
 * (m/2)^(n−1). */
static void trees_are_as_large_as_they_should_be(void **state)
{
    (void)state;
    assert_counts("fat-tree", "arity=2 levels=3", 12, 4, 2, 4, 32);
    assert_counts("fat-tree", "arity=4 levels=3", 48, 16, 4, 8, 256);
    assert_counts("fat-tree", "arity=16 levels=4", 16384, 4096, 16, 32, 393216);
    assert_counts("fat-tree", "arity=16 levels=4 global=true", 16384, 4096, 16, 48, 393216);
    assert_counts("fat-tree", "form=m-port arity=4 levels=3", 20, 8, 2, 4, 64);
    assert_counts("fat-tree", "form=m-port arity=36 levels=3", 1620, 648, 18, 36, 46656);
    assert_counts("fat-tree", "form=xgft down=24,18 up=1,4", 22, 18, 24, 18, 144);
    assert_counts("butterfly", "arity=2 stages=3", 12, 4, 2, 2, 16);
    assert_counts("butterfly", "arity=8 stages=4", 2048, 512, 8, 8, 12288);
}

static void assert_same(const char *settings, const char *others)
{
    network a, b;
    const weft_topology *one = network_open(&a, "fat-tree", settings);
    const weft_topology *other = network_open(&b, "fat-tree", others);
    assert_int_equal(one->routers, other->routers);
    assert_int_equal(one->ports, other->ports);
    assert_int_equal(one->edge_routers, other->edge_routers);
    for (uint32_t r = 0; r < one->routers; r++)
        for (uint32_t p = 0; p < one->ports; p++) {
            weft_end x = one->kind->peer(one, r, p), y = other->kind->peer(other, r, p);
            assert_int_equal(x.router, y.router);
            assert_int_equal(x.port, y.port);
        }
    network_close(&a);
    network_close(&b);
}

static void all_forms_are_generalized_trees(void **state)
{
    (void)state;
    assert_same("arity=3 levels=3", "form=xgft down=3,3,3 up=1,3,3");
    assert_same("form=m-port arity=6 levels=3", "form=xgft down=3,3,6 up=1,3,3");
}

/* A 2-ary 3-tree by hand: leaf switches 0 … 3, level 2: 4 … 7, level 3: 8 … 11. */
static void a_small_tree_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "fat-tree", "arity=2 levels=3");
    const struct {
        uint32_t router;
        weft_end ends[4];
    } drawn[] = {
        {0, {{4, 2}, {5, 2}, {WEFT_NOWHERE, 0}, {WEFT_NOWHERE, 0}}},
        {3, {{6, 3}, {7, 3}, {WEFT_NOWHERE, 0}, {WEFT_NOWHERE, 0}}},
        {4, {{8, 0}, {10, 0}, {0, 0}, {1, 0}}},
        {7, {{9, 1}, {11, 1}, {2, 1}, {3, 1}}},
        {8, {{4, 0}, {6, 0}, {WEFT_NOWHERE, 0}, {WEFT_NOWHERE, 0}}},
        {11, {{5, 1}, {7, 1}, {WEFT_NOWHERE, 0}, {WEFT_NOWHERE, 0}}},
    };
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        for (uint32_t p = 0; p < 4; p++) {
            weft_end end = topology->kind->peer(topology, drawn[i].router, p);
            assert_int_equal(end.router, drawn[i].ends[p].router);
            assert_int_equal(end.port, drawn[i].ends[p].port);
        }
    char name[32];
    topology->kind->name(topology, 7, name, sizeof name);
    assert_string_equal(name, "level 2 switch 3");
    assert_int_equal(topology->kind->closed_form.bisection(topology), 8);
    assert_int_equal(topology->kind->closed_form.diameter(topology), 4);
    network_close(&net);
}

static uint32_t digit(uint32_t endpoint, uint32_t place, uint32_t k)
{
    while (place-- > 0)
        endpoint /= k;
    return endpoint % k;
}

/* In a k-ary n-tree the first way up from level i is the destination's digit i − 1, and ends at
 * the root that its n − 1 lower digits name: no two endpoints of a subtree share a way down from
 * it. */
static void the_first_way_is_d_mod_k(void **state)
{
    (void)state;
    network net;
    const uint32_t k = 3, n = 3;
    const weft_topology *topology = network_open(&net, "fat-tree", "arity=3 levels=3");
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t e = 0; e < topology->edge_routers * topology->concentration; e++) {
            uint32_t at = from, to = e / k,
                     word = topology->kind->make_header(topology, from, to, NULL);
            uint32_t rise = topology->kind->distance(topology, from, to) / 2;
            word = topology->kind->header_for_host(topology, word, e % k);
            for (uint32_t level = 1; level <= rise; level++) {
                weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
                assert_int_equal(
                    topology->kind->minimal_ports(topology, at, word, WEFT_MINIMAL_PORTS_MAX, ways),
                    k);
                for (uint32_t w = 0; w < k; w++)
                    assert_int_equal(ways[w].port, (digit(e, level - 1, k) + w) % k);
                at = topology->kind->peer(topology, at, ways[0].port).router;
            }
            if (rise == n - 1)
                assert_int_equal(at, 2 * k * k + e % (k * k));
        }
    network_close(&net);
}

/* All endpoints send to the one so many numbers further: no link is used twice (Zahavi 2012). */
static void shifts_do_not_collide(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "fat-tree", "form=m-port arity=6 levels=3");
    uint32_t endpoints = topology->edge_routers * topology->concentration;
    uint8_t *used = calloc((size_t)topology->routers * topology->ports, 1);
    for (uint32_t shift = 1; shift < endpoints; shift++) {
        memset(used, 0, (size_t)topology->routers * topology->ports);
        for (uint32_t e = 0; e < endpoints; e++) {
            uint32_t at = e / topology->concentration, to = (e + shift) % endpoints;
            uint32_t word =
                topology->kind->make_header(topology, at, to / topology->concentration, NULL);
            word = topology->kind->header_for_host(topology, word, to % topology->concentration);
            while (word) {
                weft_minimal_port way;
                (void)topology->kind->minimal_ports(topology, at, word, 1, &way);
                assert_int_equal(used[at * topology->ports + way.port]++, 0);
                at = topology->kind->peer(topology, at, way.port).router;
                word = way.next_header;
            }
        }
    }
    free(used);
    network_close(&net);
}

/* The links to the highest level alone are global, on ports of their own. */
static void global_links_lead_to_the_roots(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology =
        network_open(&net, "fat-tree", "form=xgft down=2,3,2,3 up=1,1,4,2 global=true");
    uint32_t roots = topology->routers - 8;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            weft_end end = topology->kind->peer(topology, r, p);
            bool up = end.router != WEFT_NOWHERE && (r >= roots || end.router >= roots);
            if (end.router != WEFT_NOWHERE)
                assert_int_equal(topology->port_class[p], up ? WEFT_LINK_GLOBAL : WEFT_LINK_LOCAL);
        }
    network_close(&net);
}

/* Directed links: k^n of a k-ary n-tree; the narrowest level decides; of an odd number of
 * subtrees one is halved. */
static void bisections_by_hand(void **state)
{
    (void)state;
    const struct {
        const char *kind, *settings;
        uint64_t links;
    } cases[] = {
        {"fat-tree", "arity=16 levels=4", 65536},
        {"fat-tree", "form=xgft down=4,4 up=1,2", 8},
        {"fat-tree", "form=xgft down=4,4,4 up=1,1,4", 16}, /* one link from every leaf switch */
        {"fat-tree", "arity=3 levels=2", 6},
        {"fat-tree", "arity=3 levels=3", 24}, /* 9 links of one subtree, 3 of one of its leaves */
        {"butterfly", "arity=4 stages=3", 32},
        {"butterfly", "arity=3 stages=3", 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        network net;
        const weft_topology *topology = network_open(&net, cases[i].kind, cases[i].settings);
        assert_int_equal(topology->kind->closed_form.bisection(topology), cases[i].links);
        network_close(&net);
    }
}

/* A 3-ary 3-fly by hand: router 4 = (1, 1) of the first stage, then (p, 1), then (p, q). */
static void a_small_butterfly_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "butterfly", "arity=3 stages=3");
    assert_int_equal(topology->egress_offset, 18);
    const uint32_t next[3] = {9 + 1, 9 + 4, 9 + 7}, last[3] = {18 + 6, 18 + 7, 18 + 8};
    for (uint32_t p = 0; p < 3; p++) {
        weft_end end = topology->kind->peer(topology, 4, p);
        assert_int_equal(end.router, next[p]);
        assert_int_equal(end.port, 1);
        end = topology->kind->peer(topology, 9 + 7, p);
        assert_int_equal(end.router, last[p]);
        assert_int_equal(end.port, 1);
        assert_int_equal(topology->kind->peer(topology, 18 + p, p).router, WEFT_NOWHERE);
        assert_int_equal(topology->kind->upstream(topology, p, p).router, WEFT_NOWHERE);
    }
    assert_int_equal(topology->kind->distance(topology, 4, 18 + 4), 2);
    assert_int_equal(topology->kind->distance(topology, 9 + 7, 18 + 8), 1);
    assert_int_equal(topology->kind->distance(topology, 9 + 7, 18 + 4), WEFT_NOWHERE);
    network_close(&net);
}

static void impossible_trees_are_refused(void **state)
{
    (void)state;
    assert_true(network_refuses("fat-tree", "arity=4",
                                "form k-ary needs topology.arity and topology.levels"));
    assert_true(network_refuses("fat-tree", "form=m-port arity=5 levels=2",
                                "topology.arity must be even for form m-port (half of a switch's "
                                "ports lead up), found 5"));
    assert_true(network_refuses("fat-tree", "arity=4 levels=2 down=4,4",
                                "topology.down and topology.up do not go with form k-ary: give "
                                "form: xgft"));
    assert_true(network_refuses("fat-tree", "form=xgft down=4,4 up=1,2,2",
                                "topology.down and topology.up must list the same number of "
                                "levels, 2 to 24, found 2 and 3"));
    assert_true(network_refuses("fat-tree", "form=xgft down=4,4 up=1,2 levels=2",
                                "topology.arity and topology.levels do not go with form xgft: give "
                                "topology.down and topology.up"));
    assert_true(network_refuses("fat-tree", "arity=64 levels=6", "more than 2^32 endpoints"));
    assert_true(network_refuses("butterfly", "arity=16 stages=8",
                                "topology.arity and topology.stages make more than 268435456 "
                                "routers (2^28), the most there can be"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_as_large_as_they_should_be),
        cmocka_unit_test(roots_are_no_destinations),
        cmocka_unit_test(all_forms_are_generalized_trees),
        cmocka_unit_test(a_small_tree_is_as_drawn),
        cmocka_unit_test(the_first_way_is_d_mod_k),
        cmocka_unit_test(shifts_do_not_collide),
        cmocka_unit_test(global_links_lead_to_the_roots),
        cmocka_unit_test(bisections_by_hand),
        cmocka_unit_test(a_small_butterfly_is_as_drawn),
        cmocka_unit_test(impossible_trees_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
