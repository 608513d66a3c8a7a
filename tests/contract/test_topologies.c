/* SPDX-License-Identifier: Apache-2.0 */
/* What every topology promises: links lead there and back, distances are those of a search,
 * route headers lead to the router they are made for by ways as long as that, and all it says of
 * itself is true. Packets go from homes to exits; ways are followed from any router that a
 * packet can come to. */
#include "net/topology.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"
#include "contract/ring.h"

#define DRAWS 200
#define SMALL 160 /* routers of networks in which everything is looked at */

static void each_example(void (*check)(const weft_topology *topology))
{
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        check(network_example(&net, i));
        network_close(&net);
    }
}

static void every_kind_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_topology_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < NETWORKS; i++)
            found += strcmp(network_examples[i].kind, (*kind)->name) == 0;
        if (!found)
            fail_msg("topology %s has no line in networks.h", (*kind)->name);
        assert_int_equal((*kind)->abi, WEFT_ABI);
        assert_int_equal((*kind)->size, sizeof(weft_topology_kind));
    }
}

/* From every output, and back from every input that something leads to. */
static void check_links(const weft_topology *topology)
{
    uint64_t links = 0, inputs = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            weft_end end = topology->kind->peer(topology, r, p);
            inputs += weft_topology_upstream(topology, r, p).router != WEFT_NOWHERE;
            if (end.router == WEFT_NOWHERE)
                continue;
            links++;
            assert_true(end.router < topology->routers && end.port < topology->ports);
            assert_int_not_equal(end.router, r);
            weft_end back = weft_topology_upstream(topology, end.router, end.port);
            assert_int_equal(back.router, r);
            assert_int_equal(back.port, p);
            assert_int_equal(topology->port_class[p], topology->port_class[end.port]);
            if (topology->uniform)
                assert_int_equal(end.port, topology->peer_port[p]);
        }
    assert_int_equal(links, topology->links);
    assert_int_equal(inputs, topology->links);
}

static void links_lead_there_and_back(void **state)
{
    (void)state;
    each_example(check_links);
}

static void check_numbers(const weft_topology *topology)
{
    uint32_t most = 1;
    assert_in_range(topology->edge_routers, 1, topology->routers);
    assert_in_range(topology->concentration, 1, 256);
    assert_in_range(topology->egress_offset, 0, topology->routers - topology->edge_routers);
    assert_true(topology->egress_offset == 0 || topology->kind->upstream);
    assert_in_range(topology->header_bits, 1, 32);
    assert_true(topology->group == 0 || topology->edge_routers % topology->group == 0);
    for (uint32_t p = 0; p < topology->ports; p++) {
        assert_in_range(topology->port_class[p], WEFT_LINK_LOCAL, WEFT_LINK_CLASSES - 1);
        assert_int_not_equal(topology->port_class[p], WEFT_LINK_HOST);
        assert_in_range(topology->vc_classes[p], 1, 16);
        most = topology->vc_classes[p] > most ? topology->vc_classes[p] : most;
    }
    assert_int_equal(most, topology->max_vc_classes);
    assert_true(most == 1 || topology->kind->vc_class);
    assert_true(!topology->proof.acyclic || most == 1);
}

static void numbers_agree(void **state)
{
    (void)state;
    each_example(check_numbers);
}

/* Hops from one router to every other, by breadth-first search over peer(). */
static void search(const weft_topology *topology, uint32_t from, uint32_t *hops, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        hops[r] = WEFT_NOWHERE;
    hops[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t r = queue[head++];
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to != WEFT_NOWHERE && hops[to] == WEFT_NOWHERE) {
                hops[to] = hops[r] + 1;
                queue[tail++] = to;
            }
        }
    }
    assert_true(tail == topology->routers || topology->kind->upstream);
}

typedef struct totals { /* over pairs of different homes */
    uint64_t sum;
    uint32_t most;
} totals;

static void check_from(const weft_topology *topology, uint32_t from, const uint32_t *hops,
                       totals *all)
{
    for (uint32_t home = 0; home < topology->edge_routers; home++) {
        uint32_t to = home + topology->egress_offset;
        uint32_t distance = topology->kind->distance(topology, from, to);
        assert_true(topology->proof.hierarchical_minimal ? distance >= hops[to]
                                                         : distance == hops[to]);
        if (from >= topology->edge_routers || from == home)
            continue;
        assert_int_not_equal(distance, WEFT_NOWHERE);
        if (!topology->kind->upstream)
            assert_int_equal(topology->kind->distance(topology, to, from), distance);
        all->sum += distance;
        all->most = distance > all->most ? distance : all->most;
    }
}

static void check_distances(const weft_topology *topology)
{
    uint32_t n = topology->routers;
    double homes = topology->edge_routers;
    uint32_t *hops = calloc(2 * (size_t)n, sizeof *hops);
    totals all = {0};
    for (uint32_t from = 0; from < n; from++) {
        search(topology, from, hops, hops + n);
        check_from(topology, from, hops, &all);
    }
    double mean = (double)all.sum / (homes * (homes - 1));
    assert_true(fabs(topology->kind->mean_distance(topology) - mean) < 1e-12 * (1 + mean));
    if (topology->kind->closed_form.diameter)
        assert_int_equal(topology->kind->closed_form.diameter(topology), all.most);
    free(hops);
}

static void distances_are_those_of_a_search(void **state)
{
    (void)state;
    each_example(check_distances);
}

/* All routers see as many others at every distance. */
static void check_transitive(const weft_topology *topology)
{
    uint32_t n = topology->routers, *seen = calloc(2 * (size_t)n, sizeof *seen);
    for (uint32_t from = 0; topology->proof.vertex_transitive && from < n; from++) {
        uint32_t *count = from ? seen + n : seen;
        memset(count, 0, n * sizeof *count);
        for (uint32_t to = 0; to < n; to++)
            count[topology->kind->distance(topology, from, to)]++;
        assert_memory_equal(count, seen, n * sizeof *count);
    }
    assert_true(!topology->proof.vertex_transitive || topology->edge_routers == n);
    free(seen);
}

static void transitive_networks_look_alike(void **state)
{
    (void)state;
    each_example(check_transitive);
}

static void check_way(const weft_topology *topology, uint32_t at, uint32_t to,
                      const weft_minimal_port *way)
{
    weft_end end = topology->kind->peer(topology, at, way->port);
    assert_int_not_equal(end.router, WEFT_NOWHERE);
    assert_int_equal(way->next_header == 0, end.router == to);
    assert_true(way->next_header >> (topology->header_bits - 1) <= 1);
    assert_true(way->hops > 0);
    if (topology->kind->vc_class)
        assert_true(topology->kind->vc_class(topology, at, way) < topology->vc_classes[way->port]);
    if (!topology->proof.hierarchical_minimal)
        assert_int_equal(topology->kind->distance(topology, end.router, to) + 1,
                         topology->kind->distance(topology, at, to));
}

/* The ways of a route header at router `at` on the way to `to`; returns how many. */
static unsigned check_ways(const weft_topology *topology, uint32_t at, uint32_t to, uint32_t route,
                           weft_minimal_port *ways)
{
    uint32_t hops = 0;
    unsigned count =
        topology->kind->minimal_ports(topology, at, route, WEFT_MINIMAL_PORTS_MAX, ways);
    assert_int_equal(count == 0, at == to);
    assert_int_equal(route == 0, at == to);
    assert_true(!topology->kind->header_valid || topology->kind->header_valid(topology, at, route));
    for (unsigned i = 0; i < count; i++) {
        check_way(topology, at, to, &ways[i]);
        for (unsigned j = 0; j < i; j++)
            assert_true(ways[i].port != ways[j].port ||
                        (topology->proof.hierarchical_minimal && ways[i].dim != ways[j].dim));
        if (i > 0 && topology->lattice.dims) /* links of one trunk are in one dimension */
            assert_true(topology->lattice.port_dim[ways[i - 1].port] <
                        topology->lattice.port_dim[ways[i].port] + topology->lattice.full);
        if (i == 0 || !topology->lattice.full || ways[i].dim != ways[i - 1].dim)
            hops += ways[i].hops;
    }
    if (topology->lattice.dims)
        assert_int_equal(hops, topology->kind->distance(topology, at, to));
    return count;
}

/* Asking for fewer ways gives the first ones of the full list. */
static void check_most(const weft_topology *topology, uint32_t at, uint32_t route,
                       const weft_minimal_port *ways, unsigned count)
{
    for (unsigned most = 1; most <= count + 1; most++) {
        weft_minimal_port some[WEFT_MINIMAL_PORTS_MAX + 1];
        memset(some, 0xa5, sizeof some);
        unsigned got = topology->kind->minimal_ports(topology, at, route, most, some);
        assert_int_equal(got, most < count ? most : count);
        for (unsigned i = 0; i < got; i++) {
            assert_int_equal(some[i].port, ways[i].port);
            assert_int_equal(some[i].hops, ways[i].hops);
            assert_int_equal(some[i].next_header, ways[i].next_header);
            assert_int_equal(some[i].dim, ways[i].dim);
        }
        assert_int_equal(some[got].port, 0xa5a5); /* nothing is written past them */
    }
}

/* Follows random ways; returns the hops they took. */
static uint32_t walk(const weft_topology *topology, uint32_t from, uint32_t to)
{
    weft_random random = weft_random_stream(1, to, from, WEFT_FOR_ESTIMATE);
    uint32_t route = topology->kind->make_header(topology, from, to, &random), hops = 0;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    for (uint32_t at = from;; hops++) {
        unsigned count = check_ways(topology, at, to, route, ways);
        assert_true(hops <= topology->routers);
        if (count == 0)
            return hops;
        check_most(topology, at, route, ways, count);
        weft_minimal_port way = ways[weft_random_below(&random, count)];
        at = topology->kind->peer(topology, at, way.port).router;
        route = way.next_header;
    }
}

/* Follows first ways; returns the hops they took. */
static uint32_t walk_first(const weft_topology *topology, uint32_t from, uint32_t to)
{
    uint32_t route = topology->kind->make_header(topology, from, to, NULL), hops = 0;
    for (uint32_t at = from; route; hops++) {
        weft_minimal_port way;
        assert_int_equal(topology->kind->minimal_ports(topology, at, route, 1, &way), 1);
        at = topology->kind->peer(topology, at, way.port).router;
        route = way.next_header;
    }
    return hops;
}

static void check_walks(const weft_topology *topology)
{
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t home = 0; home < topology->edge_routers; home++) {
            uint32_t to = home + topology->egress_offset, hops = walk(topology, from, to);
            uint32_t distance = topology->kind->distance(topology, from, to);
            assert_true(topology->proof.hierarchical_minimal || hops == distance);
            assert_int_equal(walk_first(topology, from, to), distance);
        }
}

static void random_ways_arrive(void **state)
{
    (void)state;
    each_example(check_walks);
}

/* Returns the hops of the shortest; none has more than `left`. */
static uint32_t follow_all(const weft_topology *topology, uint32_t at, uint32_t to, uint32_t route,
                           uint32_t left)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = check_ways(topology, at, to, route, ways);
    uint32_t least = WEFT_NOWHERE;
    if (count > 0 && left == 0)
        fail_msg("%s of %u routers: ways to router %u lead in a circle through %u",
                 topology->kind->base.name, topology->routers, to, at);
    for (unsigned i = 0; i < count; i++) {
        uint32_t next = topology->kind->peer(topology, at, ways[i].port).router;
        uint32_t hops = 1 + follow_all(topology, next, to, ways[i].next_header, left - 1);
        least = hops < least ? hops : least;
    }
    return count ? least : 0;
}

/* The words there are for a pair. */
static unsigned list_words(const weft_topology *topology, uint32_t from, uint32_t to, uint32_t *out)
{
    out[0] = topology->kind->make_header(topology, from, to, NULL);
    return topology->kind->all_headers ? topology->kind->all_headers(topology, from, to, out) : 1;
}

static void check_all_ways(const weft_topology *topology)
{
    static uint32_t words[WEFT_HEADERS_MAX];
    uint32_t from = topology->edge_routers > 1;
    for (uint32_t home = 0; topology->routers <= SMALL && home < topology->edge_routers; home++) {
        uint32_t to = home + topology->egress_offset, least = WEFT_NOWHERE;
        unsigned count = list_words(topology, from, to, words);
        for (unsigned i = 0; i < count && i < 8; i++) {
            uint32_t hops = follow_all(topology, from, to, words[i], topology->routers);
            least = hops < least ? hops : least;
        }
        uint32_t distance = topology->kind->distance(topology, from, to);
        assert_true(count > 8 ||
                    (topology->proof.hierarchical_minimal ? least <= distance : least == distance));
    }
}

static void all_ways_arrive(void **state)
{
    (void)state;
    each_example(check_all_ways);
}

/* What aim draws, over many draws, is what aims lists: all of it if that is little, and nothing
 * else. */
static void check_pair(const weft_topology *topology, uint32_t from, uint32_t to)
{
    static uint32_t words[WEFT_HEADERS_MAX];
    unsigned count = list_words(topology, from, to, words), found[8] = {0};
    assert_in_range(count, 1, WEFT_HEADERS_MAX);
    for (uint32_t draw = 0; draw <= DRAWS; draw++) {
        weft_random tie = weft_random_stream(draw, to, from, WEFT_FOR_ESTIMATE);
        uint32_t word = topology->kind->make_header(topology, from, to, draw ? &tie : NULL);
        unsigned i = 0;
        while (i < count && words[i] != word)
            i++;
        assert_true(i < count);
        found[i < 8 ? i : 7] += draw > 0;
    }
    for (unsigned i = 0; i < count && count <= 8; i++) /* 7 standard deviations */
        assert_true(fabs(found[i] - (double)DRAWS / count) <= 7 * sqrt((double)DRAWS / count));
}

static void check_words(const weft_topology *topology)
{
    weft_random random = weft_random_stream(5, topology->routers, 0, WEFT_FOR_ESTIMATE);
    for (int n = 0; n < 100; n++) {
        uint32_t from = weft_random_below(&random, topology->edge_routers);
        check_pair(topology, from,
                   topology->egress_offset + weft_random_below(&random, topology->edge_routers));
    }
}

static void aims_lists_what_aim_draws(void **state)
{
    (void)state;
    each_example(check_words);
}

/* A marked word leads to the same router whatever it was before, differs from those of other
 * endpoints, and is one of those that are drawn, if any are. */
static void check_marks(const weft_topology *topology)
{
    uint32_t words[256], drawn[256], to = topology->edge_routers - 1,
                                     hosts = topology->concentration;
    if (!topology->kind->header_for_host)
        return;
    assert_int_equal(topology->kind->header_for_host(topology, 0, 0), 0);
    uint32_t any = topology->kind->make_header(topology, 0, to + topology->egress_offset, NULL);
    for (uint32_t host = 0; host < hosts; host++)
        words[host] = topology->kind->header_for_host(topology, any, host);
    for (uint32_t host = 0; host < hosts; host++)
        for (uint32_t other = 0; other < hosts; other++) {
            assert_int_equal(topology->kind->header_for_host(topology, words[other], host),
                             words[host]);
            assert_true(host == other || words[host] != words[other]);
        }
    if (!topology->kind->all_headers)
        return;
    assert_int_equal(topology->kind->all_headers(topology, 0, to, drawn), hosts);
    assert_memory_equal(drawn, words, sizeof *words * hosts);
}

static void marks_tell_the_endpoint(void **state)
{
    (void)state;
    each_example(check_marks);
}

/* Any word that is called sound leads somewhere, whichever ways are taken. */
static void follow_word(const weft_topology *topology, uint32_t at, uint32_t route,
                        weft_random *random)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    for (unsigned hops = 0; route; hops++) {
        unsigned count =
            topology->kind->minimal_ports(topology, at, route, WEFT_MINIMAL_PORTS_MAX, ways);
        assert_true(count > 0 && hops < 4096);
        weft_minimal_port way = ways[weft_random_below(random, count)];
        assert_true(way.port < topology->ports);
        at = topology->kind->peer(topology, at, way.port).router;
        assert_int_not_equal(at, WEFT_NOWHERE);
        route = way.next_header;
        assert_true(topology->kind->header_valid(topology, at, route));
    }
    assert_true(at - topology->egress_offset < topology->edge_routers);
}

static void check_sound(const weft_topology *topology)
{
    weft_random random = weft_random_stream(3, topology->routers, 0, WEFT_FOR_ESTIMATE);
    for (int n = 0; topology->kind->header_valid && n < 20000; n++) {
        uint32_t at = weft_random_below(&random, topology->routers);
        uint32_t route = weft_random_word(&random) >> weft_random_below(&random, 32);
        if (route && topology->kind->header_valid(topology, at, route))
            follow_word(topology, at, route, &random);
    }
}

static void sound_words_lead_somewhere(void **state)
{
    (void)state;
    each_example(check_sound);
}

/* No halving of the homes, with the other routers wherever that is best, has fewer links. */
static void check_bisection(const weft_topology *topology)
{
    uint64_t least = UINT64_MAX;
    uint32_t n = topology->routers;
    for (uint32_t half = 0; topology->kind->closed_form.bisection && n <= 12 && half < 1u << n;
         half++) {
        int own = __builtin_popcount(half & ((1u << topology->edge_routers) - 1));
        uint64_t links = 0;
        if (abs(2 * own - (int)topology->edge_routers) > 1)
            continue;
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t p = 0; p < topology->ports; p++) {
                uint32_t to = topology->kind->peer(topology, r, p).router;
                links += to != WEFT_NOWHERE && (half >> r & 1) != (half >> to & 1);
            }
        least = links < least ? links : least;
    }
    if (topology->kind->closed_form.bisection && least < UINT64_MAX)
        assert_true(topology->kind->closed_form.bisection(topology) >= least);
}

static void bisections_are_possible(void **state)
{
    (void)state;
    each_example(check_bisection);
}

static void check_names(const weft_topology *topology)
{
    for (uint32_t r = 0; topology->kind->name && r < topology->routers; r++) {
        char text[64], next[64];
        topology->kind->name(topology, r, text, sizeof text);
        topology->kind->name(topology, (r + 1) % topology->routers, next, sizeof next);
        assert_in_range(strlen(text), 1, sizeof text - 2);
        assert_string_not_equal(text, next);
    }
}

static void routers_have_names(void **state)
{
    (void)state;
    each_example(check_names);
}

/* The ring that the tests without coordinates use keeps the promises too. */
static void a_kind_without_coordinates_is_fine(void **state)
{
    (void)state;
    weft_topology topology = {.kind = &ring_kind};
    assert_int_equal(weft_topology_build(&topology, NULL, NULL), WEFT_OK);
    check_links(&topology);
    check_numbers(&topology);
    check_distances(&topology);
    check_walks(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_examples),
        cmocka_unit_test(links_lead_there_and_back),
        cmocka_unit_test(numbers_agree),
        cmocka_unit_test(distances_are_those_of_a_search),
        cmocka_unit_test(transitive_networks_look_alike),
        cmocka_unit_test(random_ways_arrive),
        cmocka_unit_test(all_ways_arrive),
        cmocka_unit_test(aims_lists_what_aim_draws),
        cmocka_unit_test(marks_tell_the_endpoint),
        cmocka_unit_test(sound_words_lead_somewhere),
        cmocka_unit_test(bisections_are_possible),
        cmocka_unit_test(routers_have_names),
        cmocka_unit_test(a_kind_without_coordinates_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
