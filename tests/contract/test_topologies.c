/* SPDX-License-Identifier: Apache-2.0 */
/* What every topology promises: links lead there and back, distances are those of a search, and
 * route words lead home by minimal ways. */
#include "net/topology.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"
#include "contract/ring.h"

static void every_kind_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_topology_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < NETWORKS; i++)
            found += strcmp(network_examples[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
        assert_int_equal((*kind)->abi, WEFT_ABI);
        assert_int_equal((*kind)->size, sizeof(weft_topology_kind));
    }
}

static void check_links(const weft_topology *topology)
{
    uint64_t links = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            weft_end end = topology->kind->peer(topology, r, p);
            if (end.router == WEFT_NOWHERE)
                continue;
            links++;
            assert_true(end.router < topology->routers && end.port < topology->ports);
            assert_int_not_equal(end.router, r);
            weft_end back = topology->kind->peer(topology, end.router, end.port);
            assert_int_equal(back.router, r);
            assert_int_equal(back.port, p);
            if (topology->uniform)
                assert_int_equal(end.port, topology->peer_port[p]);
        }
    assert_int_equal(links, topology->links);
}

static void links_lead_there_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        check_links(network_example(&net, i));
        network_close(&net);
    }
}

/* Hops from one router to every other, by breadth-first search over peer(). */
static void search(const weft_topology *topology, uint32_t from, uint32_t *hops, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        hops[r] = UINT32_MAX;
    hops[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t r = queue[head++];
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to != WEFT_NOWHERE && hops[to] == UINT32_MAX) {
                hops[to] = hops[r] + 1;
                queue[tail++] = to;
            }
        }
    }
    assert_int_equal(tail, topology->routers);
}

static void check_distances(const weft_topology *topology)
{
    uint32_t n = topology->routers;
    uint32_t *hops = calloc(2 * n, sizeof *hops);
    uint64_t sum = 0;
    for (uint32_t from = 0; from < n; from++) {
        search(topology, from, hops, hops + n);
        for (uint32_t to = 0; to < n; to++) {
            assert_int_equal(topology->kind->distance(topology, from, to), hops[to]);
            assert_int_equal(topology->kind->distance(topology, to, from), hops[to]);
            sum += hops[to];
        }
    }
    double mean = (double)sum / ((double)n * (n - 1));
    assert_true(fabs(topology->kind->mean_distance(topology) - mean) < 1e-12 * (1 + mean));
    free(hops);
}

static void distances_are_those_of_a_search(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        check_distances(network_example(&net, i));
        network_close(&net);
    }
}

/* The ways of a route word at router `at` on the way to `to`; returns how many. */
static unsigned check_ways(const weft_topology *topology, uint32_t at, uint32_t to, uint32_t route,
                           weft_way *ways)
{
    uint32_t left = topology->kind->distance(topology, at, to), hops = 0;
    unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, ways);
    assert_int_equal(count == 0, left == 0);
    assert_int_equal(route == 0, left == 0);
    assert_true(!topology->kind->sound || topology->kind->sound(topology, at, route));
    for (unsigned i = 0; i < count; i++) {
        weft_end end = topology->kind->peer(topology, at, ways[i].port);
        assert_int_not_equal(end.router, WEFT_NOWHERE);
        assert_int_equal(topology->kind->distance(topology, end.router, to), left - 1);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(ways[i].port, ways[j].port);
        if (i > 0 && topology->lattice.dims)
            assert_true(topology->lattice.port_dim[ways[i - 1].port] <
                        topology->lattice.port_dim[ways[i].port]);
        hops += ways[i].hops;
    }
    if (topology->lattice.dims)
        assert_int_equal(hops, left);
    return count;
}

/* Asking for fewer ways gives the first ones of the full list. */
static void check_most(const weft_topology *topology, uint32_t route, const weft_way *ways,
                       unsigned count)
{
    for (unsigned most = 1; most <= count + 1; most++) {
        weft_way some[WEFT_WAYS_MAX + 1];
        memset(some, 0xa5, sizeof some);
        unsigned got = topology->kind->ways(topology, route, most, some);
        assert_int_equal(got, most < count ? most : count);
        for (unsigned i = 0; i < got; i++) {
            assert_int_equal(some[i].port, ways[i].port);
            assert_int_equal(some[i].hops, ways[i].hops);
            assert_int_equal(some[i].after, ways[i].after);
        }
        assert_int_equal(some[got].port, 0xa5a5); /* nothing is written past them */
    }
}

/* Follows random ways; check_ways and the word 0 see to it that it takes `distance` hops. */
static void walk(const weft_topology *topology, uint32_t from, uint32_t to)
{
    weft_random random = weft_random_stream(1, to, from, WEFT_FOR_TEST);
    uint32_t route = topology->kind->aim(topology, from, to, &random);
    weft_way ways[WEFT_WAYS_MAX];
    for (uint32_t at = from;;) {
        unsigned count = check_ways(topology, at, to, route, ways);
        if (count == 0)
            return;
        check_most(topology, route, ways, count);
        weft_way way = ways[weft_random_below(&random, count)];
        at = topology->kind->peer(topology, at, way.port).router;
        route = way.after;
    }
}

static void random_ways_arrive(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        for (uint32_t from = 0; from < topology->routers; from++)
            for (uint32_t to = 0; to < topology->routers; to++)
                walk(topology, from, to);
        network_close(&net);
    }
}

static void follow_all(const weft_topology *topology, uint32_t at, uint32_t to, uint32_t route)
{
    weft_way ways[WEFT_WAYS_MAX];
    unsigned count = check_ways(topology, at, to, route, ways);
    for (unsigned i = 0; i < count; i++)
        follow_all(topology, topology->kind->peer(topology, at, ways[i].port).router, to,
                   ways[i].after);
}

static void all_ways_arrive(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        weft_random tie = weft_random_stream(2, i, 0, WEFT_FOR_TEST);
        for (uint32_t to = 0; topology->routers <= 160 && to < topology->routers; to++)
            follow_all(topology, 1, to, topology->kind->aim(topology, 1, to, &tie));
        network_close(&net);
    }
}

/* Any word that is called sound leads somewhere, whichever ways are taken. */
static void follow_word(const weft_topology *topology, uint32_t at, uint32_t route,
                        weft_random *random)
{
    weft_way ways[WEFT_WAYS_MAX];
    for (unsigned hops = 0; route; hops++) {
        unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, ways);
        assert_true(count > 0 && hops < 4096);
        weft_way way = ways[weft_random_below(random, count)];
        assert_true(way.port < topology->ports);
        at = topology->kind->peer(topology, at, way.port).router;
        assert_int_not_equal(at, WEFT_NOWHERE);
        route = way.after;
    }
}

static void sound_words_lead_somewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        weft_random random = weft_random_stream(3, i, 0, WEFT_FOR_TEST);
        for (int n = 0; topology->kind->sound && n < 20000; n++) {
            uint32_t at = weft_random_below(&random, topology->routers);
            uint32_t route = weft_random_word(&random) >> weft_random_below(&random, 32);
            if (topology->kind->sound(topology, at, route))
                follow_word(topology, at, route, &random);
        }
        network_close(&net);
    }
}

/* The coordinate behind a port, from the definition; WEFT_NOWHERE: the line ends. */
static uint32_t coordinate_behind(const weft_lattice *lattice, uint32_t at, uint32_t port)
{
    uint32_t dim = lattice->port_dim[port], size = lattice->size[dim];
    int to = (int)at + lattice->port_step[port];
    if (to >= 0 && to < (int)size)
        return (uint32_t)to;
    return lattice->wraps[dim] || lattice->full ? ((uint32_t)to + size) % size : WEFT_NOWHERE;
}

static void check_coordinates(const weft_topology *topology)
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t routers = 1;
    for (uint32_t d = 0; d < lattice->dims; d++)
        routers *= lattice->size[d];
    assert_int_equal(routers, topology->routers);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t dim = lattice->port_dim[p];
            uint32_t to = topology->kind->peer(topology, r, p).router;
            uint32_t behind = coordinate_behind(lattice, network_coordinate(lattice, r, dim), p);
            assert_int_equal(to == WEFT_NOWHERE, behind == WEFT_NOWHERE);
            for (uint32_t d = 0; to != WEFT_NOWHERE && d < lattice->dims; d++)
                assert_int_equal(network_coordinate(lattice, to, d),
                                 d == dim ? behind : network_coordinate(lattice, r, d));
        }
}

static void coordinates_agree_with_links(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        if (topology->lattice.dims)
            check_coordinates(topology);
        network_close(&net);
    }
}

static void check_classes(const weft_topology *topology)
{
    bool rings = false;
    for (uint32_t d = 0; d < topology->lattice.dims; d++)
        rings |= topology->lattice.wraps[d] && topology->lattice.size[d] > 2;
    assert_int_equal(topology->classes, rings ? 2 : 1);
    assert_true(topology->uniform);
    assert_true(!rings || topology->kind->crosses);
    for (uint32_t p = 0; p < topology->ports; p++)
        assert_in_range(topology->port_class[p], WEFT_LINK_LOCAL, WEFT_LINK_GLOBAL);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            weft_end end = topology->kind->peer(topology, r, p);
            if (end.router != WEFT_NOWHERE) /* both ends of a cable are alike */
                assert_int_equal(topology->port_class[p], topology->port_class[end.port]);
        }
}

static void classes_are_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        check_classes(network_example(&net, i));
        network_close(&net);
    }
}

static void assert_port_classes(const char *kind, const char *settings, const char *classes)
{
    network net;
    const weft_topology *topology = network_open(&net, kind, settings);
    assert_int_equal(strlen(classes), topology->ports);
    for (uint32_t p = 0; p < topology->ports; p++)
        assert_int_equal(topology->port_class[p],
                         classes[p] == 'g' ? WEFT_LINK_GLOBAL : WEFT_LINK_LOCAL);
    network_close(&net);
}

static void global_dimensions_have_global_links(void **state)
{
    (void)state;
    assert_port_classes("torus", "dims=4,2,5", "lllll");
    assert_port_classes("torus", "dims=4,2,5 global=1", "llgll");
    assert_port_classes("torus", "dims=4,2,5 global=2,0", "gglgg");
    assert_port_classes("mesh", "dims=3,3 global=0", "ggll");
    assert_port_classes("hypercube", "dimensions=4 global=1,3", "lglg");
    assert_port_classes("flattened-butterfly", "dims=4,2,3 global=0,2", "ggglgg");
}

/* Follows a way to the end of its direction and looks for the step that leaves the coordinates. */
static bool crosses(const weft_topology *topology, uint32_t router, weft_way way)
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t dim = lattice->port_dim[way.port], at = network_coordinate(lattice, router, dim);
    bool crossed = false;
    for (uint32_t hop = 0; hop < way.hops; hop++) {
        int to = (int)at + lattice->port_step[way.port];
        crossed |= to < 0 || to >= (int)lattice->size[dim];
        at = coordinate_behind(lattice, at, way.port);
    }
    return crossed;
}

static void datelines_are_where_coordinates_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        weft_random tie = weft_random_stream(4, i, 0, WEFT_FOR_TEST);
        for (uint32_t from = 0; topology->kind->crosses && from < topology->routers; from++)
            for (uint32_t to = 0; to < topology->routers; to++) {
                weft_way ways[WEFT_WAYS_MAX];
                uint32_t route = topology->kind->aim(topology, from, to, &tie);
                unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, ways);
                for (unsigned w = 0; w < count; w++)
                    assert_int_equal(topology->kind->crosses(topology, from, &ways[w]),
                                     crosses(topology, from, ways[w]));
            }
        network_close(&net);
    }
}

static void assert_refused(const char *kind, const char *settings, const char *message)
{
    network net;
    weft_error err = {0};
    assert_int_equal(network_try(&net, kind, settings, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, message);
    network_close(&net);
}

static void impossible_networks_are_refused(void **state)
{
    (void)state;
    assert_refused("torus", "dims=4,4 global=2",
                   "topology.global must list dimensions 0 … 1, found 2");
    assert_refused("hypercube", "dimensions=3 global=1,0,1",
                   "topology.global names dimension 1 twice");
    assert_refused("torus", "dims=5000",
                   "the longest minimal path has 2500 hops, a packet can "
                   "count 2047");
    assert_refused("flattened-butterfly", "dims=33,34",
                   "topology.dims joins every router to 65 others (size − 1 in each dimension), a "
                   "router has at most 64 ports: use smaller sizes");
    assert_refused("flattened-butterfly", "dims=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3",
                   "topology.dims needs a route of 34 bits, a packet has room for 32: use fewer or "
                   "smaller dimensions");
    assert_refused("mesh", "dims=4,1", "every size in topology.dims must be 2 … 65535, found 1");
}

/* The direction a route takes along a dimension: +1, −1, or 0. */
static int direction(const weft_topology *topology, uint32_t route, uint32_t dim)
{
    weft_way ways[WEFT_WAYS_MAX];
    unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        if (topology->lattice.port_dim[ways[i].port] == dim)
            return topology->lattice.port_step[ways[i].port];
    return 0;
}

/* Checks every pair that is half a ring apart in some dimension. */
static void check_ties(const char *settings, int (*expected)(uint32_t from, uint32_t to))
{
    network net;
    const weft_topology *topology = network_open(&net, "torus", settings);
    const weft_lattice *lattice = &topology->lattice;
    for (uint32_t from = 0; from < topology->routers; from++)
        for (uint32_t to = 0; to < topology->routers; to++) {
            uint32_t route = topology->kind->aim(topology, from, to, NULL); /* draws nothing */
            for (uint32_t d = 0; d < lattice->dims; d++) {
                uint32_t a = network_coordinate(lattice, from, d);
                uint32_t b = network_coordinate(lattice, to, d);
                uint32_t size = lattice->size[d];
                if (size > 2 && (a + size / 2) % size == b && size % 2 == 0)
                    assert_int_equal(direction(topology, route, d), expected(a, b));
            }
        }
    network_close(&net);
}

static int upwards(uint32_t from, uint32_t to)
{
    (void)from, (void)to;
    return 1;
}

static int downwards(uint32_t from, uint32_t to)
{
    (void)from, (void)to;
    return -1;
}

/* From 0 to 2 of four: 0, 3, 2. */
static int around_the_end(uint32_t from, uint32_t to)
{
    return from < to ? -1 : 1;
}

static void ties_go_where_the_setting_says(void **state)
{
    (void)state;
    check_ties("dims=6,4,5,2 tie=positive", upwards);
    check_ties("dims=6,4,5,2 tie=negative", downwards);
    check_ties("dims=6,4,5,2 tie=wrap", around_the_end);
}

static void random_ties_are_fair_and_independent(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=6,4");
    const uint32_t draws = 10000, to = 3 * 4 + 2; /* half a ring away in both */
    uint32_t up[2] = {0}, same = 0;
    for (uint32_t i = 0; i < draws; i++) {
        weft_random tie = weft_random_stream(3, i, 0, WEFT_FOR_TEST);
        uint32_t route = topology->kind->aim(topology, 0, to, &tie);
        int a = direction(topology, route, 0), b = direction(topology, route, 1);
        up[0] += a > 0;
        up[1] += b > 0;
        same += a == b;
    }
    const double tolerance = 4 * sqrt(draws * 0.25);
    assert_true(fabs(up[0] - draws / 2.0) < tolerance);
    assert_true(fabs(up[1] - draws / 2.0) < tolerance);
    assert_true(fabs(same - draws / 2.0) < tolerance);
    network_close(&net);
}

/* Numbers by hand: a 4×3 torus has dimension 0 of stride 3, ports 0 … 3 = +x, −x, +y, −y. */
static void small_torus_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=4,3");
    assert_int_equal(topology->routers, 12);
    assert_int_equal(topology->ports, 4);
    assert_int_equal(topology->links, 48);
    const uint32_t peers[4] = {3, 9, 1, 2}; /* of router 0 */
    for (uint32_t p = 0; p < 4; p++)
        assert_int_equal(topology->kind->peer(topology, 0, p).router, peers[p]);
    assert_int_equal(topology->kind->distance(topology, 0, 7), 3); /* (2, 1) */
    network_close(&net);
}

/* Numbers by hand: 4×3 routers, dimension 0 of stride 3; ports 0 … 2 lead to x + 1, x + 2, x + 3, ports 3
 * and 4 to y + 1 and y + 2. */
static void small_flattened_butterfly_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "flattened-butterfly", "dims=4,3 hosts=2");
    assert_int_equal(topology->routers, 12);
    assert_int_equal(topology->ports, 5);
    assert_int_equal(topology->links, 60);
    assert_int_equal(topology->classes, 1);
    assert_null(topology->kind->crosses);
    const weft_end peers[5] = {{10, 2}, {1, 1}, {4, 0}, {8, 4}, {6, 3}}; /* of router 7 = (2, 1) */
    for (uint32_t p = 0; p < 5; p++) {
        weft_end end = topology->kind->peer(topology, 7, p);
        assert_int_equal(end.router, peers[p].router);
        assert_int_equal(end.port, peers[p].port);
    }
    assert_int_equal(topology->kind->distance(topology, 7, 9), 2); /* (3, 0) */
    uint32_t route = topology->kind->aim(topology, 7, 9, NULL);    /* x + 1, y + 2 */
    weft_way ways[WEFT_WAYS_MAX];
    assert_int_equal(topology->kind->ways(topology, route, WEFT_WAYS_MAX, ways), 2);
    assert_int_equal(ways[0].port, 0);
    assert_int_equal(ways[1].port, 4);
    assert_true(!topology->kind->sound(topology, 0, 3 << 2)); /* y + 3 of three */
    assert_true(!topology->kind->sound(topology, 0, 1 << 4));
    network_close(&net);
}

/* The ring that the tests without coordinates use keeps the promises too. */
static void a_kind_without_coordinates_is_fine(void **state)
{
    (void)state;
    weft_topology topology = {.kind = &ring_kind};
    assert_int_equal(ring_kind.build(&topology, NULL, NULL), WEFT_OK);
    check_links(&topology);
    check_distances(&topology);
    for (uint32_t from = 0; from < RING_SIZE; from++)
        for (uint32_t to = 0; to < RING_SIZE; to++)
            walk(&topology, from, to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_examples),
        cmocka_unit_test(links_lead_there_and_back),
        cmocka_unit_test(distances_are_those_of_a_search),
        cmocka_unit_test(random_ways_arrive),
        cmocka_unit_test(all_ways_arrive),
        cmocka_unit_test(sound_words_lead_somewhere),
        cmocka_unit_test(coordinates_agree_with_links),
        cmocka_unit_test(classes_are_said),
        cmocka_unit_test(global_dimensions_have_global_links),
        cmocka_unit_test(datelines_are_where_coordinates_end),
        cmocka_unit_test(impossible_networks_are_refused),
        cmocka_unit_test(ties_go_where_the_setting_says),
        cmocka_unit_test(random_ties_are_fair_and_independent),
        cmocka_unit_test(small_torus_is_as_drawn),
        cmocka_unit_test(small_flattened_butterfly_is_as_drawn),
        cmocka_unit_test(a_kind_without_coordinates_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
