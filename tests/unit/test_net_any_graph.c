/* SPDX-License-Identifier: Apache-2.0 */
/* Routings that work on any graph: up-down, forwarding tables and source routes. */
#include "base/file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "contract/vcs.h"

#define SMALL "path=" WEFT_TEST_DATA "/fabrics/small.weftnet"
#define FAR   UINT32_MAX

static const example small = {"file", SMALL}, ring = {"torus", "dims=5"};

/* A text as a file of this process. */
static const char *file_of(const char *text)
{
    static char path[64];
    weft_error err;
    (void)snprintf(path, sizeof path, "/tmp/test_net_any_graph.%d", (int)getpid());
    assert_int_equal(weft_bytes_write(path, text, strlen(text), &err), WEFT_OK);
    return path;
}

static void refused(const example *place, const char *kind, const char *settings,
                    const char *message)
{
    vc_net it;
    weft_error err = {0};
    assert_int_equal(vc_net_try(&it, place, kind, settings, "dimension-order", 1, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, message);
    vc_net_close(&it);
}

/* The same with a file, whose name stands before the message as "@". */
static void refused_file(const example *place, const char *kind, const char *text,
                         const char *message)
{
    char settings[128], whole[512];
    const char *path = file_of(text);
    (void)snprintf(settings, sizeof settings, "file=%s", path);
    (void)snprintf(whole, sizeof whole, "%s%s", *message == '@' ? path : "",
                   message + (*message == '@'));
    refused(place, kind, settings, whole);
    (void)unlink(path);
}

static void opened(vc_net *it, const example *place, const char *kind, const char *settings)
{
    weft_error err = {0};
    weft_status status = vc_net_try(it, place, kind, settings, "dimension-order", 1, &err);
    if (status != WEFT_OK)
        print_error("%s %s: %s\n", place->kind, place->settings, err.text);
    assert_int_equal(status, WEFT_OK);
}

/* ---- up-down ---- */

/* Ranks by their definition: distances from a root, in rounds. */
static void ranks_from(const weft_topology *topology, uint32_t root, uint32_t *rank)
{
    for (uint32_t r = 0; r < topology->routers; r++)
        rank[r] = r == root ? 0 : FAR;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t r = 0; r < topology->routers; r++)
            for (uint32_t p = 0; p < topology->ports && rank[r] != FAR; p++) {
                uint32_t to = topology->kind->peer(topology, r, p).router;
                if (to != WEFT_NOWHERE && (rank[to] == FAR || rank[to] > rank[r] + 1)) {
                    rank[to] = rank[r] + 1;
                    more = true;
                }
            }
    }
}

static bool is_up(const uint32_t *rank, uint32_t from, uint32_t to)
{
    return rank[to] < rank[from] || (rank[to] == rank[from] && to < from);
}

/* Lengths of the shortest allowed routes to one router, found in rounds: [router × 2 + has gone
 * down]. */
static void lengths_to(const weft_topology *topology, const uint32_t *rank, uint32_t target,
                       uint32_t *length)
{
    for (uint32_t i = 0; i < 2 * topology->routers; i++)
        length[i] = i / 2 == target ? 0 : FAR;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < 2 * topology->routers; i++)
            for (uint32_t p = 0; p < topology->ports; p++) {
                uint32_t to = topology->kind->peer(topology, i / 2, p).router;
                if (to == WEFT_NOWHERE || (is_up(rank, i / 2, to) && i % 2))
                    continue;
                uint32_t next = length[2 * to + !is_up(rank, i / 2, to)];
                if (next != FAR && next + 1 < length[i]) {
                    length[i] = next + 1;
                    more = true;
                }
            }
    }
}

/* Follows every candidate of every packet: allowed ones, all shortest. */
static uint32_t follow(const weft_routing *routing, const uint32_t *rank, uint32_t *length,
                       weft_route_context here, uint32_t target)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    uint32_t most = 0;
    if (here.header == 0) {
        assert_int_equal(here.router, target);
        return 0;
    }
    assert_true(routing->kind->proof.header_valid(routing, here.router, here.header));
    unsigned count = routing->kind->candidates(routing, &here, NULL, hops);
    assert_true(count >= 1);
    for (unsigned i = 0; i < count; i++) {
        uint32_t to =
            routing->topology->kind->peer(routing->topology, here.router, hops[i].port).router;
        bool up = is_up(rank, here.router, to);
        assert_false(up && here.header % 2);
        assert_int_equal(length[2 * here.router + here.header % 2], length[2 * to + !up] + 1);
        assert_true(hops[i].next_header == 0 || hops[i].next_header % 2 == !up);
        weft_route_context next = {.router = to, .header = hops[i].next_header};
        uint32_t rest = follow(routing, rank, length, next, target);
        most = rest > most ? rest : most;
    }
    return most + 1;
}

static void check_up_down(const example *place, const char *settings, uint32_t root)
{
    vc_net it;
    opened(&it, place, "up-down", settings);
    const weft_topology *topology = it.routing.topology;
    uint32_t *rank = calloc(3 * (size_t)topology->routers, sizeof *rank);
    uint64_t sum = 0;
    assert_non_null(rank);
    ranks_from(topology, root, rank);
    for (uint32_t to = 0; to < topology->edge_routers; to++) {
        uint32_t *length = rank + topology->routers;
        lengths_to(topology, rank, to, length);
        for (uint32_t from = 0; from < topology->edge_routers; from++) {
            if (from == to)
                continue;
            weft_route_context here = {
                .router = from, .header = weft_routing_initial_header(&it.routing, from, to, NULL)};
            uint32_t hops = follow(&it.routing, rank, length, here, to);
            assert_int_equal(hops, length[2 * from]);
            sum += hops;
        }
    }
    double pairs = (double)topology->edge_routers * (topology->edge_routers - 1.0);
    double minimal = topology->kind->mean_distance(topology);
    if (topology->edge_routers > 1)
        assert_true(fabs(it.routing.kind->proof.mean_hops(&it.routing, minimal) -
                         (double)sum / pairs) < 1e-9);
    free(rank);
    vc_net_close(&it);
}

static void up_down_takes_the_shortest_allowed_routes(void **state)
{
    (void)state;
    const example places[] = {small,
                              ring,
                              {"torus", "dims=3,4"},
                              {"mesh", "dims=3,3 hosts=2"},
                              {"fat-tree", "arity=2 levels=3"},
                              {"random-regular", "routers=16 degree=3 seed=5"},
                              {"dragonfly", "groups=5 routers=4 arrangement=absolute"},
                              {"flattened-butterfly", "dims=3,3"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        check_up_down(&places[i], "root=0", 0);
        check_up_down(&places[i], "root=3 adaptive=true", 3);
    }
}

static void up_down_says_what_it_needs(void **state)
{
    (void)state;
    refused(&ring, "up-down", "root=5", "routing.root must be a router, 0 … 4 here, found 5");
    refused(&(example){"butterfly", "arity=2 stages=2"}, "up-down", "",
            "routing up-down needs links that lead both ways, those of a butterfly lead one way: "
            "use routing dimension-order");
}

/* Hops of a packet that takes the first candidate everywhere. */
static uint32_t hops_from(const vc_net *it, uint32_t from, uint32_t to)
{
    const weft_topology *topology = &it->net.topology;
    uint32_t hops = 0;
    weft_route_context here = {.router = from,
                               .header = weft_routing_initial_header(&it->routing, from, to, NULL)};
    for (; here.header; hops++) {
        weft_candidate hop;
        assert_true(it->routing.kind->proof.header_valid(&it->routing, here.router, here.header));
        (void)it->routing.kind->candidates(&it->routing, &here, NULL, &hop);
        here = vc_net_follow(topology, &here, &hop, 0);
    }
    assert_int_equal(here.router, to);
    assert_true(hops >= topology->kind->distance(topology, from, to));
    return hops;
}

/* An allowed route is allowed backwards, too: the shortest ones are as long in both directions,
 * whichever targets the tables hold. */
static void both_ways_alike(const vc_net *it, uint32_t a, uint32_t b)
{
    assert_int_equal(hops_from(it, a, b), hops_from(it, b, a));
}

/* Looked at it can be, with tables of some targets at a time. */
static void up_down_is_refused_when_it_runs_with_too_large_tables(void **state)
{
    (void)state;
    const example places[] = {{"torus", "dims=35,33,31"}, {"torus", "dims=9,8,7"}};
    double longer[2];
    for (int i = 0; i < 2; i++) {
        vc_net it;
        weft_error err = {0};
        opened(&it, &places[i], "up-down", "root=0");
        assert_int_equal(it.routing.slow, i == 0);
        assert_int_equal(it.routing.kind->build_tables(&it.routing, true, &err),
                         i ? WEFT_OK : WEFT_BAD_INPUT);
        if (i == 0)
            assert_string_equal(
                err.text, "routing up-down has tables from 35805 routers to 35805, which take 2.4 "
                          "GiB in a run; at most 2 GiB are used for them: use fewer routers, or a "
                          "routing without tables; weft check can do without");
        uint32_t routers = it.net.topology.edge_routers;
        for (uint32_t to = 1; to < routers; to += routers / 3)
            both_ways_alike(&it, routers - 1 - to / 2, to);
        for (uint32_t to = 0; to + 1 < routers; to += 128 * (1 + routers / 256)) {
            both_ways_alike(&it, (to + 127) % routers, to); /* tables are of 128 targets */
            both_ways_alike(&it, (to + 129) % routers, to);
        }
        both_ways_alike(&it, routers / 3, routers - 1);
        longer[i] = it.routing.kind->proof.mean_hops(&it.routing, 1);
        vc_net_close(&it);
    }
    assert_true(longer[0] >= 1 && longer[1] >= 1 && longer[0] < 2);
}

static void up_down_goes_around_links_that_are_down(void **state)
{
    (void)state;
    vc_net it;
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    opened(&it, &ring, "up-down", "root=0");
    uint32_t port = 0;
    while (it.net.topology.kind->peer(&it.net.topology, 1, port).router != 0)
        port++;
    vc_net_close(&it);
    weft_error err = {0};
    const weft_fault cut[] = {{0, (uint16_t)(1 - port)}, {1, (uint16_t)port}};
    const weft_faults faults = {.count = 2, .at = cut};
    opened(&it, &ring, "up-down", "root=0");
    it.routing.kind->done(&it.routing);
    it.net.topology.faults = &faults;
    assert_int_equal(it.routing.kind->build(&it.routing, &err), WEFT_OK);
    weft_route_context here = {.router = 1,
                               .header = weft_routing_initial_header(&it.routing, 1, 0, NULL)};
    uint32_t way = 0;
    for (; here.header; way++) {
        assert_int_equal(it.routing.kind->candidates(&it.routing, &here, NULL, hops), 1);
        here.router = it.net.topology.kind->peer(&it.net.topology, here.router, hops->port).router;
        here.header = hops->next_header;
    }
    assert_int_equal(way, 4); /* the long way round */
    vc_net_close(&it);
}

/* ---- tables and source routes ---- */

/* Routers on the way of a packet, as letters. */
static void way_of(const weft_routing *routing, uint32_t from, uint32_t word, char *letters)
{
    const weft_topology *topology = routing->topology;
    weft_route_context here = {.router = from, .header = word};
    for (*letters++ = (char)('a' + from); here.header; *letters++ = (char)('a' + here.router)) {
        weft_candidate hop;
        assert_true(routing->kind->proof.header_valid(routing, here.router, here.header));
        assert_int_equal(routing->kind->candidates(routing, &here, NULL, &hop), 1);
        assert_int_equal(hop.vcs, 1);
        here.router = topology->kind->peer(topology, here.router, hop.port).router;
        here.header = hop.next_header;
    }
    *letters = '\0';
}

static const char around[] =
    "0 1 0\n0 2 0\n0 3 0 # the long way\n0 4 1\n1 0 1\n1 2 0\n1 3 0\n1 4 0\n"
    "2 0 1\n2 1 1\n2 3 0\n2 4 0\n3 0 0\n3 1 1\n3 2 1\n3 4 0\n"
    "4 0 0\n4 1 0\n4 2 1\n4 3 1\n";

static void tables_are_followed(void **state)
{
    (void)state;
    vc_net it;
    char settings[128], letters[16];
    const char *path = file_of(around);
    (void)snprintf(settings, sizeof settings, "file=%s", path);
    opened(&it, &ring, "tables", settings);
    way_of(&it.routing, 0, weft_routing_initial_header(&it.routing, 0, 3, NULL), letters);
    assert_string_equal(letters, "abcd");
    way_of(&it.routing, 4, weft_routing_initial_header(&it.routing, 4, 1, NULL), letters);
    assert_string_equal(letters, "eab");
    assert_false(it.routing.kind->proof.header_valid(&it.routing, 2, 3)); /* is there already */
    assert_false(it.routing.kind->proof.header_valid(&it.routing, 2, 6));
    assert_true(fabs(it.routing.kind->proof.mean_hops(&it.routing, 1.5) - 32.0 / 20) < 1e-12);
    vc_net_close(&it);
    (void)unlink(path);
}

static void tables_of_a_fabric_are_used(void **state)
{
    (void)state;
    refused(&small, "tables", "file=/nowhere/to/be/found",
            "/nowhere/to/be/found cannot be read: No such file or directory");
    vc_net it;
    weft_error err = {0};
    assert_int_equal(vc_net_try(&it, &small, "tables", "", "dimension-order", 1, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "routing.file must name the forwarding tables: this fabric has "
                                  "none of its own");
    vc_net_close(&it);
}

static void wrong_tables_are_told(void **state)
{
    (void)state;
    refused_file(&ring, "tables", "0 1 0\n0 7 0\n",
                 "@:2: the destination must be a router, 0 … 4 here, found '7'");
    refused_file(&ring, "tables", "0 1 2\n",
                 "@:1: the third word must be a port, 0 … 1 here, found '2'");
    refused_file(&ring, "tables", "0 1 1 1\n",
                 "@:1: three words are `router destination port`, found '1' after them");
    refused_file(&ring, "tables", "0 1 0\n0 1 1\n",
                 "@:2: the table said port 0 for this destination before, port 1 now");
    refused_file(
        &ring, "tables", "0 1 0\n1 0 0\n",
        "the forwarding tables do not lead from router 1 to router 0 (19 ordered pairs of "
        "endpoints have no path in all): an entry is missing, they lead in a circle, or to a "
        "router that is left out");
    refused_file(&small, "tables", "a b 1\na x 0\n",
                 "@:2: the destination must be the name of a router of this fabric, found 'x'");
    refused_file(&small, "tables", "a s1 0\n",
                 "@:1: the destination must have endpoints, router s1 has none");
    refused_file(&small, "tables", "s1 a 7\n", "@:1: nothing is attached to port 7 of this router");
    refused_file(&small, "tables", "s1\n", "@:1: the destination is missing; it is a router");
}

static const char routes[] =
    "a b via\na b 0 1 # by s1\na c via s1\na d 4 7\nb a via s2\nb c via a s1\n"
    "b d via s1\nc a via s1\nc b via s1\nc d 1\nd a via s2\nd b via s1\nd c 1\n";

static void count_word(void *words, uint32_t word)
{
    assert_true(word > 0);
    ++*(unsigned *)words;
}

static void source_routes_are_followed(void **state)
{
    (void)state;
    vc_net it;
    char settings[128], letters[16];
    const char *path = file_of(routes);
    (void)snprintf(settings, sizeof settings, "file=%s", path);
    opened(&it, &small, "source", settings);
    way_of(&it.routing, 0, weft_routing_initial_header(&it.routing, 0, 1, NULL), letters);
    assert_string_equal(letters, "ab");
    way_of(&it.routing, 1, weft_routing_initial_header(&it.routing, 1, 2, NULL), letters);
    assert_string_equal(letters, "baec");
    way_of(&it.routing, 0, weft_routing_initial_header(&it.routing, 0, 3, NULL), letters);
    assert_string_equal(letters, "afd");
    unsigned words = 0;
    assert_int_equal(it.routing.kind->proof.initial_headers(&it.routing, 0, 1, count_word, &words),
                     2);
    assert_int_equal(it.routing.kind->proof.initial_headers(&it.routing, 0, 2, count_word, &words),
                     1);
    assert_int_equal(words, 3);
    uint32_t longer = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        weft_random random = weft_random_stream(3, i, 0, WEFT_FOR_ESTIMATE);
        way_of(&it.routing, 0, weft_routing_initial_header(&it.routing, 0, 1, &random), letters);
        longer += strlen(letters) == 3;
    }
    assert_true(longer > 430 && longer < 570); /* half of them, ± 4 sigma */
    assert_false(it.routing.kind->proof.header_valid(&it.routing, 3, 1));
    assert_false(it.routing.kind->proof.header_valid(&it.routing, 0, 1000));
    vc_net_close(&it);
    (void)unlink(path);
}

static void wrong_routes_are_told(void **state)
{
    (void)state;
    refused_file(&small, "source", routes + sizeof "a b via\na b 0 1 # by s1",
                 "routing.file has no route from router a to router b; every pair of routers with "
                 "endpoints needs one");
    refused_file(&small, "source", "a b 0\n", "@:1: this route ends at router s1, not at router b");
    refused_file(&small, "source", "a b 9\n",
                 "@:1: a route is made of ports, 0 … 7 here (or of `via` and routers), found '9'");
    refused_file(&small, "source", "a b 2\n",
                 "@:1: nothing is attached to port 2 of router a, or its link is down");
    refused_file(&small, "source", "a b via c\n",
                 "@:1: no link that is up leads from router a to router c");
    refused_file(&small, "source", "a a 0\n",
                 "@:1: a route joins two different routers with endpoints");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(up_down_takes_the_shortest_allowed_routes),
        cmocka_unit_test(up_down_says_what_it_needs),
        cmocka_unit_test(up_down_is_refused_when_it_runs_with_too_large_tables),
        cmocka_unit_test(up_down_goes_around_links_that_are_down),
        cmocka_unit_test(tables_are_followed),
        cmocka_unit_test(tables_of_a_fabric_are_used),
        cmocka_unit_test(wrong_tables_are_told),
        cmocka_unit_test(source_routes_are_followed),
        cmocka_unit_test(wrong_routes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
