/* SPDX-License-Identifier: Apache-2.0 */
/* Networks of networks, and the other kinds that come with them: a dragonfly is a complete graph
 * of complete graphs, tori of complete graphs and of meshes come from settings alone, and VCs
 * are divided so that first ways never wait in a circle. */
#include "net/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"

static void assert_same_ways(const weft_topology *a, const weft_topology *b, uint32_t from,
                             uint32_t to)
{
    weft_minimal_port one[WEFT_MINIMAL_PORTS_MAX], two[WEFT_MINIMAL_PORTS_MAX];
    uint32_t route = a->kind->make_header(a, from, to, NULL);
    assert_int_equal(route, b->kind->make_header(b, from, to, NULL));
    unsigned count = a->kind->minimal_ports(a, from, route, WEFT_MINIMAL_PORTS_MAX, one);
    assert_int_equal(count, b->kind->minimal_ports(b, from, route, WEFT_MINIMAL_PORTS_MAX, two));
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(one[i].port, two[i].port);
        assert_int_equal(one[i].hops, two[i].hops);
        assert_int_equal(one[i].next_header, two[i].next_header);
        assert_int_equal(one[i].dim, two[i].dim);
        assert_int_equal(a->kind->vc_class(a, from, &one[i]), b->kind->vc_class(b, from, &two[i]));
    }
}

/* The same network, node for node, and the same ways through it. */
static void assert_same(const char *kind, const char *settings, const char *kind2,
                        const char *settings2)
{
    network one, two;
    const weft_topology *a = network_open(&one, kind, settings);
    const weft_topology *b = network_open(&two, kind2, settings2);
    assert_int_equal(a->routers, b->routers);
    assert_int_equal(a->concentration, b->concentration);
    assert_int_equal(a->ports, b->ports);
    assert_int_equal(a->links, b->links);
    assert_int_equal(a->group, b->group);
    assert_int_equal(a->max_vc_classes, b->max_vc_classes);
    assert_memory_equal(a->port_class, b->port_class, a->ports);
    assert_memory_equal(a->vc_classes, b->vc_classes, a->ports);
    for (uint32_t r = 0; r < a->routers; r++) {
        for (uint32_t p = 0; p < a->ports; p++) {
            weft_end end = a->kind->peer(a, r, p), same = b->kind->peer(b, r, p);
            assert_int_equal(end.router, same.router);
            assert_int_equal(end.port, same.port);
        }
        for (uint32_t to = 0; to < a->routers; to++)
            assert_same_ways(a, b, r, to);
    }
    network_close(&one);
    network_close(&two);
}

static void a_dragonfly_is_a_complete_graph_of_complete_graphs(void **state)
{
    (void)state;
    assert_same("dragonfly", "groups=33 routers=8 hosts=4", "hierarchy",
                "outer=full(routers=33) inner=full(routers=8 hosts=4)");
    assert_same("dragonfly", "groups=9 routers=4 hosts=2 arrangement=absolute", "hierarchy",
                "outer=full(routers=9 order=absolute) inner=full(routers=4 hosts=2)");
    assert_same("dragonfly", "groups=9 routers=4 arrangement=palm-tree", "hierarchy",
                "outer=full(routers=9 order=palm-tree) inner=full(routers=4)");
    assert_same("dragonfly", "groups=4 routers=6 global=2 hosts=2", "hierarchy",
                "outer=full(routers=4 links=4) inner=full(routers=6 hosts=2)");
    assert_same("dragonfly", "groups=5 routers=3 global=2 arrangement=given attach=2,0,2,1",
                "hierarchy", "outer=full(routers=5) inner=full(routers=3) attach=2,0,2,1");
}

/* By the definitions of Camarero, Vallejo and Beivide (2014): router i of group g of N with h
 * global ports, port j. */
static void assert_dragonfly_peer(const char *settings, uint32_t (*group)(uint32_t g, uint32_t k))
{
    network net;
    const weft_topology *topology = network_open(&net, "dragonfly", settings);
    for (uint32_t g = 0; g < 9; g++)
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < 2; j++) {
                weft_end end = topology->kind->peer(topology, g * 4 + i, 3 + j);
                assert_int_equal(end.router / 4, group(g, 2 * i + j));
            }
    network_close(&net);
}

static uint32_t relative(uint32_t g, uint32_t k)
{
    return (g + k + 1) % 9;
}

static uint32_t palm_tree(uint32_t g, uint32_t k)
{
    return (g + 9 - k - 1) % 9;
}

static uint32_t absolute(uint32_t g, uint32_t k)
{
    return k < g ? k : k + 1;
}

/* Hastings et al. (2015): to the groups 1, −1, 2, −2 … away. */
static uint32_t circulant(uint32_t g, uint32_t k)
{
    static const uint32_t away[] = {1, 8, 2, 7, 3, 6, 4, 5};
    return (g + away[k]) % 9;
}

static void dragonflies_are_arranged_as_published(void **state)
{
    (void)state;
    assert_dragonfly_peer("groups=9 routers=4", relative);
    assert_dragonfly_peer("groups=9 routers=4 arrangement=palm-tree", palm_tree);
    assert_dragonfly_peer("groups=9 routers=4 arrangement=absolute", absolute);
    assert_dragonfly_peer("groups=9 routers=4 arrangement=circulant", circulant);
}

/* Numbers by hand: 5 groups of 4 leaves with 2 endpoints and 4 spines with a link to each other
 * group. Leaves 0 … 19 come first, spines 20 … 39 behind them. */
static void a_megafly_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology =
        network_open(&net, "megafly", "groups=5 leaves=4 hosts=2 global=4");
    assert_int_equal(topology->routers, 40);
    assert_int_equal(topology->edge_routers, 20);
    assert_int_equal(weft_topology_endpoints(topology), 40);
    assert_int_equal(topology->links, 5 * 2 * 4 * 4 + 5 * 4 * 4);
    assert_int_equal(weft_topology_tier(topology, 19).ports, 4);
    assert_int_equal(weft_topology_tier(topology, 20).ports, 8);
    assert_int_equal(weft_topology_tier(topology, 20).concentration, 0);
    for (uint32_t r = 0; r < 40; r++)
        assert_int_equal(weft_topology_group_of(topology, r), r % 20 / 4);
    /* Leaf 2 of group 1 has port 3 to its spine 3, number 27; that has link 3 to every group. */
    assert_int_equal(topology->kind->peer(topology, 6, 3).router, 27);
    assert_int_equal(topology->kind->peer(topology, 6, 4).router, WEFT_NOWHERE);
    assert_int_equal(topology->kind->peer(topology, 27, 2).router, 6);
    for (uint32_t p = 0; p < 4; p++) {
        assert_int_equal(topology->kind->peer(topology, 27, 4 + p).router,
                         20 + (1 + p + 1) % 5 * 4 + 3);
        assert_int_equal(topology->port_class[p], WEFT_LINK_LOCAL);
        assert_int_equal(topology->port_class[4 + p], WEFT_LINK_GLOBAL);
    }
    /* from leaf 2 of group 1 to leaf 1 of group 4, number 17: 3 groups away links are counted
     * from 3 on, so by link 3 + (2 + 1) mod 4 = 2, which hangs on spine 2 of both groups */
    uint32_t route = topology->kind->make_header(topology, 6, 17, NULL), at = 6;
    const uint32_t path[] = {26, 38, 17};
    for (unsigned hop = 0; hop < 3; hop++) {
        weft_minimal_port way;
        assert_int_equal(topology->kind->minimal_ports(topology, at, route, 1, &way), 1);
        assert_int_equal(topology->kind->distance(topology, at, 17), 3 - hop);
        at = topology->kind->peer(topology, at, way.port).router;
        assert_int_equal(at, path[hop]);
        route = way.next_header;
    }
    assert_int_equal(route, 0);
    assert_int_equal(topology->kind->distance(topology, 4, 7), 2);
    assert_int_equal(topology->kind->closed_form.diameter(topology), 3);
    /* 3 others of the group by 2 hops, 16 beyond it by 3 */
    assert_true(topology->kind->mean_distance(topology) == (3 * 2 + 16 * 3) / 19.0);
    char name[64];
    topology->kind->name(topology, 27, name, sizeof name);
    assert_string_equal(name, "group 1 spine 3");
    network_close(&net);
}

static void a_megafly_is_a_complete_graph_of_leaves_and_spines(void **state)
{
    (void)state;
    assert_same("megafly", "groups=4 leaves=3 spines=2 global=3 hosts=2", "hierarchy",
                "outer=full(routers=4 links=2) inner=leaf-spine(leaves=3 spines=2 hosts=2)");
}

/* Every way of a dragonfly is one hop nearer, local, global, local at most. */
static void ways_of_a_dragonfly_are_even(void **state)
{
    (void)state;
    const char *const settings[] = {"groups=9 routers=4", "groups=3 routers=6 global=2",
                                    "groups=4 routers=6 global=2 arrangement=absolute"};
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        network net;
        const weft_topology *topology = network_open(&net, "dragonfly", settings[s]);
        for (uint32_t from = 0; from < topology->routers; from++)
            for (uint32_t to = 0; to < topology->routers; to++) {
                weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
                uint32_t route = topology->kind->make_header(topology, from, to, NULL);
                uint32_t left = topology->kind->distance(topology, from, to);
                unsigned count = topology->kind->minimal_ports(topology, from, route,
                                                               WEFT_MINIMAL_PORTS_MAX, ways);
                assert_true(left <= 3);
                for (unsigned w = 0; w < count; w++) {
                    uint32_t next = topology->kind->peer(topology, from, ways[w].port).router;
                    assert_int_equal(topology->kind->distance(topology, next, to), left - 1);
                }
            }
        network_close(&net);
    }
}

/* Of several links between two groups, packets that start and end at any routers load all about
 * the same. */
static void parallel_links_share_the_load(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "dragonfly", "groups=3 routers=8 global=1");
    uint32_t load[24] = {0}; /* of the one global port of every router */
    for (uint32_t from = 0; from < 24; from++)
        for (uint32_t to = 0; to < 24; to++)
            for (uint32_t at = from, route = topology->kind->make_header(topology, from, to, NULL);
                 route;) {
                weft_minimal_port way;
                (void)topology->kind->minimal_ports(topology, at, route, 1, &way);
                load[at] += way.port == 7;
                at = topology->kind->peer(topology, at, way.port).router;
                route = way.next_header;
            }
    for (uint32_t r = 0; r < 24; r++) /* 64 pairs over 4 links to a group: 16 each */
        assert_in_range(load[r], 10, 22);
    network_close(&net);
}

/* Numbers by hand: 3×3×3×3 groups of four routers; router d of a group has the ports of
 * dimension d. */
static void the_torus_of_complete_graphs_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology =
        network_open(&net, "hierarchy",
                     "outer=torus(dims=3,3,3,3) inner=full(routers=4 hosts=2) "
                     "attach=0,0,1,1,2,2,3,3");
    assert_int_equal(topology->routers, 324);
    assert_int_equal(topology->concentration, 2);
    assert_int_equal(topology->ports, 5);
    assert_int_equal(topology->links, 324 * 5);
    assert_int_equal(topology->group, 4);
    assert_int_equal(topology->max_vc_classes, 2);
    const uint32_t stride[4] = {27, 9, 3, 1};
    for (uint32_t d = 0; d < 4; d++) {
        assert_int_equal(topology->kind->peer(topology, d, 3).router, 4 * stride[d] + d);
        assert_int_equal(topology->kind->peer(topology, d, 4).router, 8 * stride[d] + d);
    }
    for (uint32_t p = 0; p < 5; p++)
        assert_int_equal(topology->port_class[p], p < 3 ? WEFT_LINK_LOCAL : WEFT_LINK_GLOBAL);
    /* from router 2 of (0,0,0,0) to router 0 of (1,0,2,0): in to 0, +x, in to 2, −z, in to 0 */
    uint32_t to = 4 * (27 + 2 * 3);
    assert_int_equal(topology->kind->distance(topology, 2, to), 5);
    uint32_t route = topology->kind->make_header(topology, 2, to, NULL);
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    assert_int_equal(
        topology->kind->minimal_ports(topology, 2, route, WEFT_MINIMAL_PORTS_MAX, ways), 2);
    assert_int_equal(topology->kind->peer(topology, 2, ways[0].port).router, 0);
    assert_int_equal(ways[0].dim, 0);
    assert_int_equal(ways[1].port, 4); /* −z hangs here */
    assert_int_equal(ways[1].dim, 2);
    char name[64];
    topology->kind->name(topology, to + 3, name, sizeof name);
    assert_string_equal(name, "(1, 0, 2, 0) router 3");
    network_close(&net);
}

/* A Tofu-like network: a 3D torus of 2×3×2 meshes, each outer port on a router of its own, or
 * both ports of a dimension. */
static void the_torus_of_meshes_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology =
        network_open(&net, "hierarchy", "outer=torus(dims=3,3,3) inner=mesh(dims=2,3,2)");
    assert_int_equal(topology->routers, 27 * 12);
    assert_int_equal(topology->ports, 4 + 1); /* of a mesh: 1, 2 and 1 */
    assert_int_equal(topology->max_vc_classes, 3 * 2 + 1);
    weft_end end = topology->kind->peer(topology, 1, 4); /* −x hangs on router 1, +x on 0 */
    assert_int_equal(end.router, 2 * 9 * 12 + 0);
    assert_int_equal(topology->kind->peer(topology, 6, 4).router, WEFT_NOWHERE);
    network_close(&net);
    topology = network_open(&net, "hierarchy",
                            "outer=torus(dims=3,3,3) inner=mesh(dims=2,3,2) attach=0,0,1,1,2,2");
    assert_int_equal(topology->max_vc_classes, 3 + 1);
    assert_int_equal(topology->ports, 4 + 2);
    network_close(&net);
}

/* The channels of a network, (router, port, VC class), and which follow each other on
 * first ways. */
#define SUCCESSORS 1024 /* (port, class) */
typedef struct channels {
    const weft_topology *topology;
    uint64_t (*after)[SUCCESSORS / 64];
    uint8_t *state; /* 0: not seen, 1: being followed, 2: done */
} channels;

static uint32_t channel_of(const weft_topology *topology, uint32_t router,
                           const weft_minimal_port *way)
{
    uint32_t class = topology->kind->vc_class ? topology->kind->vc_class(topology, router, way) : 0;
    assert_true(class < topology->vc_classes[way->port] && class < 16 && topology->ports <= 64);
    return (router * topology->ports + way->port) * 16 + class;
}

static void follow_first(channels *all, uint32_t from, uint32_t route)
{
    const weft_topology *topology = all->topology;
    uint32_t last = WEFT_NOWHERE;
    for (uint32_t at = from; route;) {
        weft_minimal_port way;
        assert_int_equal(topology->kind->minimal_ports(topology, at, route, 1, &way), 1);
        uint32_t here = channel_of(topology, at, &way), local = here % (topology->ports * 16);
        if (last != WEFT_NOWHERE)
            all->after[last][local / 64] |= (uint64_t)1 << local % 64;
        last = here;
        at = topology->kind->peer(topology, at, way.port).router;
        route = way.next_header;
    }
}

static bool circle_from(channels *all, uint32_t channel)
{
    const weft_topology *topology = all->topology;
    uint32_t link = channel / 16;
    uint32_t next =
        topology->kind->peer(topology, link / topology->ports, link % topology->ports).router;
    all->state[channel] = 1;
    for (uint32_t i = 0; i < topology->ports * 16; i++) {
        if (!(all->after[channel][i / 64] >> i % 64 & 1))
            continue;
        uint32_t to = next * topology->ports * 16 + i;
        if (all->state[to] == 1 || (all->state[to] == 0 && circle_from(all, to)))
            return true;
    }
    all->state[channel] = 2;
    return false;
}

/* Can packets that take first ways wait for each other in a circle? */
static bool has_circle(const weft_topology *topology)
{
    size_t count = (size_t)topology->routers * topology->ports * 16;
    channels all = {
        .topology = topology, .after = calloc(count, sizeof *all.after), .state = calloc(count, 1)};
    uint32_t *words = calloc(WEFT_HEADERS_MAX, sizeof *words);
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t home = 0; home < topology->edge_routers; home++) {
            unsigned aims = 1;
            if (topology->kind->all_headers)
                aims = topology->kind->all_headers(topology, from, home + topology->egress_offset,
                                                   words);
            else
                words[0] = topology->kind->make_header(topology, from,
                                                       home + topology->egress_offset, NULL);
            for (unsigned i = 0; i < aims; i++)
                follow_first(&all, from, words[i]);
        }
    bool found = false;
    for (uint32_t c = 0; c < count && !found; c++)
        found = all.state[c] == 0 && circle_from(&all, c);
    free(words);
    free(all.after);
    free(all.state);
    return found;
}

static bool circle_in(const char *kind, const char *settings)
{
    network net;
    bool found = has_circle(network_open(&net, kind, settings));
    network_close(&net);
    return found;
}

static void first_ways_never_wait_in_a_circle(void **state)
{
    (void)state;
    static const char *const own[] = {"full", "dragonfly", "hierarchy", "slim-fly",
                                      "random-regular"};
    for (size_t i = 0; i < NETWORKS; i++)
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (strcmp(network_examples[i].kind, own[k]) == 0 &&
                circle_in(own[k], network_examples[i].settings))
                fail_msg("%s %s", own[k], network_examples[i].settings);
}

/* What needs the classes deadlocks with fewer. */
static void fewer_classes_are_not_enough(void **state)
{
    (void)state;
    assert_true(circle_in("hierarchy", "outer=torus(dims=3,3,3,3) inner=full(routers=4) "
                                       "attach=0,0,1,1,2,2,3,3 inner-vcs=1"));
    assert_true(circle_in("hierarchy", "outer=torus(dims=4,5) inner=mesh(dims=4) attach=3,3,2,0 "
                                       "inner-vcs=3"));
    assert_false(circle_in("hierarchy", "outer=torus(dims=4,5) inner=mesh(dims=4) attach=3,3,2,0"));
    assert_true(circle_in("hierarchy", "outer=torus(dims=5) inner=full(routers=2) inner-vcs=2"));
    assert_false(circle_in("hierarchy", "outer=torus(dims=5) inner=full(routers=2)"));
    assert_false(circle_in("hierarchy", "outer=torus(dims=4,5) inner=torus(dims=2,3,2)"));
    assert_false(circle_in("hierarchy", "outer=torus(dims=4,5) inner=full(routers=4)"));
    assert_false(circle_in("hierarchy", "outer=torus(dims=4,5) inner=full(routers=3)"));
    assert_false(circle_in("hierarchy", "outer=torus(dims=5,4,2) inner=mesh(dims=5)"));
    assert_true(circle_in("hierarchy", "outer=full(routers=9) inner=full(routers=4) inner-vcs=1"));
}

/* Diameter by search over peer(); every router has `degree` different neighbours. */
static uint32_t searched_diameter(const weft_topology *topology, uint32_t degree)
{
    uint32_t n = topology->routers, most = 0;
    uint32_t *hops = calloc(2 * (size_t)n, sizeof *hops), *queue = hops + n;
    for (uint32_t from = 0; from < n; from++) {
        uint32_t head = 0, tail = 0, near = 0;
        memset(hops, 0xff, n * sizeof *hops);
        hops[from] = 0;
        for (queue[tail++] = from; head < tail; head++)
            for (uint32_t p = 0; p < topology->ports; p++) {
                uint32_t to = topology->kind->peer(topology, queue[head], p).router;
                if (hops[to] != WEFT_NOWHERE)
                    continue;
                hops[to] = hops[queue[head]] + 1;
                near += hops[to] == 1;
                most = hops[to] > most ? hops[to] : most;
                queue[tail++] = to;
            }
        assert_int_equal(tail, n);
        assert_int_equal(near, degree);
    }
    free(hops);
    return most;
}

static void a_slim_fly_has_two_hops(void **state)
{
    (void)state;
    static const struct {
        uint32_t q, degree;
    } known[] = {{3, 5}, {4, 6}, {5, 7}, {7, 11}, {8, 12}, {9, 13}, {11, 17}, {13, 19}, {16, 24}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        network net;
        char settings[32];
        (void)snprintf(settings, sizeof settings, "q=%u", known[i].q);
        const weft_topology *topology = network_open(&net, "slim-fly", settings);
        assert_int_equal(topology->routers, 2 * known[i].q * known[i].q);
        assert_int_equal(topology->ports, known[i].degree);
        assert_int_equal(searched_diameter(topology, known[i].degree), 2);
        network_close(&net);
    }
}

static void a_random_network_is_simple_regular_and_connected(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 20; seed++)
        for (uint32_t degree = 3; degree < 20; degree += 4) {
            network net;
            char settings[64];
            (void)snprintf(settings, sizeof settings, "routers=20 degree=%u seed=%u", degree, seed);
            const weft_topology *topology = network_open(&net, "random-regular", settings);
            assert_int_equal(topology->links, 20 * degree);
            assert_int_equal(searched_diameter(topology, degree),
                             topology->kind->closed_form.diameter(topology));
            network_close(&net);
        }
}

/* How many ports lead to the same router in two networks. */
static uint32_t common_ports(const char *one, const char *two)
{
    network a, b;
    uint32_t same = 0;
    const weft_topology *first = network_open(&a, "random-regular", one);
    const weft_topology *second = network_open(&b, "random-regular", two);
    for (uint32_t r = 0; r < first->routers; r++)
        for (uint32_t p = 0; p < first->ports; p++)
            same +=
                first->kind->peer(first, r, p).router == second->kind->peer(second, r, p).router;
    network_close(&a);
    network_close(&b);
    return same;
}

static void a_seed_draws_one_network(void **state)
{
    (void)state;
    assert_int_equal(common_ports("routers=50 degree=6 seed=5", "routers=50 degree=6 seed=5"), 300);
    assert_true(common_ports("routers=50 degree=6 seed=5", "routers=50 degree=6 seed=6") < 60);
}

/* 32, the most that a routing can choose among. */
static void all_links_between_two_routers_are_ways(void **state)
{
    (void)state;
    network net;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    const weft_topology *topology = network_open(&net, "full", "routers=2 links=32");
    assert_int_equal(topology->kind->minimal_ports(topology, 0, 2, WEFT_MINIMAL_PORTS_MAX, ways),
                     32);
    network_close(&net);
    (void)network_open(&net, "dragonfly", "groups=2 routers=16 global=2");
    network_close(&net);
}

static void impossible_networks_are_refused(void **state)
{
    (void)state;
    assert_true(network_refuses("hierarchy", "outer=torus(dims=4,4 hosts=2) inner=full(routers=4)",
                                "topology.outer must have hosts: 1, found 2 (endpoints sit at the "
                                "routers of topology.inner: set its hosts)"));
    assert_true(network_refuses("hierarchy",
                                "outer=full(routers=3) inner=fat-tree(arity=2 levels=2)",
                                "topology.inner must be a network all of whose routers have "
                                "endpoints, or leaf-spine, found a fat-tree of 4 routers of "
                                "which 2 have some"));
    assert_true(network_refuses(
        "hierarchy",
        "outer=fat-tree(form=xgft down=1,3,2 up=1,2,1) inner=leaf-spine(leaves=2 spines=2)",
        "topology.outer must be a network all of whose routers have endpoints where those of "
        "topology.inner have not, found a fat-tree of 12 routers of which 6 have some"));
    assert_true(network_refuses("megafly", "groups=9 leaves=4 spines=2 global=3",
                                "topology.global must be at least 4, so that the ports of 2 spines "
                                "have 1 links to each of 8 other groups, found 3"));
    assert_true(network_refuses("megafly", "groups=2 leaves=8 global=5",
                                "topology.global gives every two groups 40 links, of which 32 can "
                                "be used: use topology.links: 32, or fewer"));
    assert_true(
        network_refuses("dragonfly", "groups=2 routers=11 global=3",
                        "topology.global 3 gives every two groups 33 links, of which 32 can "
                        "be used: use less, fewer topology.routers, or more "
                        "topology.groups"));
    assert_true(
        network_refuses("dragonfly", "groups=2 routers=33",
                        "topology.global 1 gives every two groups 33 links, of which 32 can "
                        "be used: use less, fewer topology.routers, or more "
                        "topology.groups"));
    assert_true(network_refuses("hierarchy",
                                "outer=torus(dims=4,4) inner=full(routers=4) attach=0,1",
                                "topology.attach must list the inner router of every outer port, 4 "
                                "numbers, found 2"));
    assert_true(network_refuses("hierarchy",
                                "outer=torus(dims=4,4) inner=full(routers=4) attach=0,1,2,4",
                                "topology.attach must list inner routers 0 … 3, found 4"));
    assert_true(network_refuses(
        "hierarchy", "outer=hypercube(dimensions=20) inner=torus(dims=60,60)",
        "topology.outer of 1048576 and topology.inner of 3600 routers with 1 endpoints each are "
        "too many: at most 2^28 routers and 2^32 endpoints"));
    assert_true(
        network_refuses("hierarchy", "outer=torus(dims=4,4,4,4,4,4,4) inner=torus(dims=90,90)",
                        "topology.outer needs 21 bits of a packet's route and topology.inner "
                        "17, a packet has room for 32: use smaller networks"));
    assert_true(
        network_refuses("hierarchy", "outer=torus(dims=4,4) inner=mesh(dims=3) inner-vcs=9",
                        "topology.inner-vcs must be 1 (none), 2 (before the last outer hop "
                        "and after it) or, to tell packets before it apart, 3 (by the VC class "
                        "of the next outer hop), 3 (by its dimension) or 5 (by "
                        "both), found 9"));
    assert_true(
        network_refuses("dragonfly", "groups=33 routers=8 global=3",
                        "topology.global must be at least 4, so that the ports of 8 routers "
                        "reach 32 other groups, found 3"));
    assert_true(network_refuses("full", "routers=600 links=2",
                                "topology.routers and topology.links give every router 1198 ports "
                                "((routers − 1) × links), it has at most 1024: use fewer"));
    assert_true(
        network_refuses("slim-fly", "q=6",
                        "topology.q must be a prime or a power of one (3, 4, 5, 7, 8, 9, 11, "
                        "13, 16 …), found 6"));
    assert_true(network_refuses("random-regular", "routers=9 degree=3",
                                "topology.routers × topology.degree must be even (a cable has two "
                                "ends), found 9 × 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dragonfly_is_a_complete_graph_of_complete_graphs),
        cmocka_unit_test(dragonflies_are_arranged_as_published),
        cmocka_unit_test(a_megafly_is_as_drawn),
        cmocka_unit_test(a_megafly_is_a_complete_graph_of_leaves_and_spines),
        cmocka_unit_test(ways_of_a_dragonfly_are_even),
        cmocka_unit_test(parallel_links_share_the_load),
        cmocka_unit_test(the_torus_of_complete_graphs_is_as_drawn),
        cmocka_unit_test(the_torus_of_meshes_is_as_drawn),
        cmocka_unit_test(first_ways_never_wait_in_a_circle),
        cmocka_unit_test(fewer_classes_are_not_enough),
        cmocka_unit_test(a_slim_fly_has_two_hops),
        cmocka_unit_test(a_random_network_is_simple_regular_and_connected),
        cmocka_unit_test(a_seed_draws_one_network),
        cmocka_unit_test(all_links_between_two_routers_are_ways),
        cmocka_unit_test(impossible_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
