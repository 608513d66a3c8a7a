/* SPDX-License-Identifier: Apache-2.0 */
/* What topologies with coordinates promise beyond what all do: ports move along dimensions,
 * datelines lie where coordinates end, VCs are of two classes on rings alone, ties go where the
 * setting says. */
#include "net/topology.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"

/* The coordinate behind a port, from the definition; WEFT_NOWHERE: the line ends. */
static uint32_t coordinate_behind(const weft_lattice *lattice, uint32_t at, uint32_t port)
{
    uint32_t dim = lattice->port_dim[port], size = lattice->size[dim];
    int to = (int)at + lattice->port_step[port];
    if (to >= 0 && to < (int)size)
        return (uint32_t)to;
    bool closed = lattice->wraps[dim] || lattice->full || size == 2;
    return closed ? ((uint32_t)to + size) % size : WEFT_NOWHERE;
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

/* The coordinate that port +1 of a dimension leads to from the last one. */
static uint32_t behind_the_last(const weft_topology *topology, uint32_t dim)
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t last = 0, port = 0;
    while (network_coordinate(lattice, last, dim) + 1 < lattice->size[dim])
        last++;
    while (lattice->port_dim[port] != dim || lattice->port_step[port] != 1)
        port++;
    uint32_t to = topology->kind->peer(topology, last, port).router;
    return to == WEFT_NOWHERE ? to : network_coordinate(lattice, to, dim);
}

/* Rings are told by their links; of two routers, where these say nothing, by the kind. */
static void check_wraps(const weft_topology *topology)
{
    const weft_lattice *lattice = &topology->lattice;
    bool mesh = strcmp(topology->kind->base.name, "mesh") == 0;
    for (uint32_t d = 0; d < lattice->dims; d++)
        if (mesh || lattice->full)
            assert_false(lattice->wraps[d]);
        else if (lattice->size[d] > 2)
            assert_int_equal(lattice->wraps[d], behind_the_last(topology, d) == 0);
        else
            assert_true(lattice->wraps[d]);
}

static void dimensions_wrap_where_a_ring_closes(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        check_wraps(topology);
        network_close(&net);
    }
}

static void check_rings(const weft_topology *topology)
{
    bool rings = false;
    for (uint32_t d = 0; d < topology->lattice.dims; d++)
        rings |= topology->lattice.wraps[d] && topology->lattice.size[d] > 2;
    assert_int_equal(topology->max_vc_classes, rings ? 2 : 1);
    assert_true(!rings || topology->kind->vc_class);
    assert_true(topology->uniform && topology->proof.header_self_contained);
}

static void rings_have_two_classes_of_vcs(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        if (topology->lattice.dims)
            check_rings(topology);
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
static bool crosses(const weft_topology *topology, uint32_t router, weft_minimal_port way)
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
        weft_random tie = weft_random_stream(4, i, 0, WEFT_FOR_ESTIMATE);
        bool rings = topology->lattice.dims && topology->max_vc_classes > 1;
        for (uint32_t from = 0; rings && from < topology->routers; from++)
            for (uint32_t to = 0; to < topology->routers; to++) {
                weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
                uint32_t route = topology->kind->make_header(topology, from, to, &tie);
                unsigned count = topology->kind->minimal_ports(topology, from, route,
                                                               WEFT_MINIMAL_PORTS_MAX, ways);
                for (unsigned w = 0; w < count; w++)
                    assert_int_equal(topology->kind->vc_class(topology, from, &ways[w]),
                                     crosses(topology, from, ways[w]) ? 0 : 1);
            }
        network_close(&net);
    }
}

static void impossible_networks_are_refused(void **state)
{
    (void)state;
    assert_true(network_refuses("torus", "dims=4,4 global=2",
                                "topology.global must list dimensions 0 … 1, found 2"));
    assert_true(network_refuses("hypercube", "dimensions=3 global=1,0,1",
                                "topology.global names dimension 1 twice"));
    assert_true(network_refuses("torus", "dims=5000",
                                "the longest minimal path has 2500 hops, a packet can "
                                "count 2047"));
    assert_true(network_refuses(
        "flattened-butterfly", "dims=600,500",
        "topology.dims joins every router to 1098 others (size − 1 in each dimension), a "
        "router has at most 1024 ports: use smaller sizes"));
    assert_true(network_refuses(
        "flattened-butterfly", "dims=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3",
        "topology.dims needs a route of 34 bits, a packet has room for 32: use fewer or "
        "smaller dimensions"));
    assert_true(network_refuses("mesh", "dims=4,1",
                                "every size in topology.dims must be 2 … 65535, found 1"));
}

/* The direction a route takes along a dimension: +1, −1, or 0. */
static int direction(const weft_topology *topology, uint32_t route, uint32_t dim)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count =
        topology->kind->minimal_ports(topology, 0, route, WEFT_MINIMAL_PORTS_MAX, ways);
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
            uint32_t route =
                topology->kind->make_header(topology, from, to, NULL); /* draws nothing */
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
        weft_random tie = weft_random_stream(3, i, 0, WEFT_FOR_ESTIMATE);
        uint32_t route = topology->kind->make_header(topology, 0, to, &tie);
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

/* Numbers by hand: 4×3 routers, dimension 0 of stride 3; ports 0 … 2 lead to x + 1, x + 2, x +
 * 3, ports 3 and 4 to y + 1 and y + 2. */
static void small_flattened_butterfly_is_as_drawn(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "flattened-butterfly", "dims=4,3 hosts=2");
    assert_int_equal(topology->routers, 12);
    assert_int_equal(topology->ports, 5);
    assert_int_equal(topology->links, 60);
    assert_int_equal(topology->max_vc_classes, 1);
    assert_null(topology->kind->vc_class);
    const weft_end peers[5] = {{10, 2}, {1, 1}, {4, 0}, {8, 4}, {6, 3}}; /* of router 7 = (2, 1) */
    for (uint32_t p = 0; p < 5; p++) {
        weft_end end = topology->kind->peer(topology, 7, p);
        assert_int_equal(end.router, peers[p].router);
        assert_int_equal(end.port, peers[p].port);
    }
    assert_int_equal(topology->kind->distance(topology, 7, 9), 2);      /* (3, 0) */
    uint32_t route = topology->kind->make_header(topology, 7, 9, NULL); /* x + 1, y + 2 */
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    assert_int_equal(
        topology->kind->minimal_ports(topology, 7, route, WEFT_MINIMAL_PORTS_MAX, ways), 2);
    assert_int_equal(ways[0].port, 0);
    assert_int_equal(ways[1].port, 4);
    assert_true(!topology->kind->header_valid(topology, 0, 3 << 2)); /* y + 3 of three */
    assert_true(!topology->kind->header_valid(topology, 0, 1 << 4));
    network_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_agree_with_links),
        cmocka_unit_test(dimensions_wrap_where_a_ring_closes),
        cmocka_unit_test(rings_have_two_classes_of_vcs),
        cmocka_unit_test(global_dimensions_have_global_links),
        cmocka_unit_test(datelines_are_where_coordinates_end),
        cmocka_unit_test(impossible_networks_are_refused),
        cmocka_unit_test(ties_go_where_the_setting_says),
        cmocka_unit_test(random_ties_are_fair_and_independent),
        cmocka_unit_test(small_torus_is_as_drawn),
        cmocka_unit_test(small_flattened_butterfly_is_as_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
