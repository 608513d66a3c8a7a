/* SPDX-License-Identifier: Apache-2.0 */
/* The values of each kind of pattern by hand, and what each refuses. */
#include "contract/pattern.h"
#include "contract/ring.h"

/* Draws from one source: chi-square over the destinations at `distance` (0: all but the source). */
static void check_even(const weft_pattern *pattern, uint32_t source, uint32_t distance)
{
    const weft_topology *topology = pattern->topology;
    uint32_t endpoints = weft_endpoints(topology), places = 0, draws;
    uint32_t *count = calloc(endpoints, sizeof *count);
    for (uint32_t e = 0; e < endpoints; e++)
        places += e != source && (!distance || hops_between(topology, source, e) == distance);
    draws = 400 * places;
    for (uint32_t i = 0; i < draws; i++)
        count[send(pattern, source, i)]++;
    double chi = 0, free_cells = places - 1.0, expected = 400;
    for (uint32_t e = 0; e < endpoints; e++) {
        bool wanted = e != source && (!distance || hops_between(topology, source, e) == distance);
        if (wanted)
            chi += (count[e] - expected) * (count[e] - expected) / expected;
        else
            assert_int_equal(count[e], 0);
    }
    assert_true(chi <= free_cells + 4 * sqrt(2 * free_cells));
    free(count);
}

static void uniform_is_uniform(void **state)
{
    (void)state;
    traffic it;
    const weft_pattern *pattern = traffic_open(&it, "mesh", "dims=3,5 hosts=2", "uniform", "");
    check_even(pattern, 0, 0);
    check_even(pattern, 13, 0);
    check_even(pattern, 29, 0);
    traffic_close(&it);
}

static void hop_uniform_is_uniform_at_its_distance(void **state)
{
    (void)state;
    const struct {
        const char *dims, *hops;
        uint32_t distance;
    } cases[] = {{"dims=5,4 hosts=2", "hops=3", 3}, {"dims=5,4", "hops=4", 4},
                 {"dims=16,16", "hops=12", 12},     {"dims=16,16", "hops=16", 16},
                 {"dims=2,3,4,2", "hops=2", 2},     {"dims=2,2,2,2,2", "hops=5", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        traffic it;
        const weft_pattern *pattern =
            traffic_open(&it, "torus", cases[i].dims, "hop-uniform", cases[i].hops);
        check_even(pattern, 0, cases[i].distance);
        check_even(pattern, weft_endpoints(pattern->topology) - 1, cases[i].distance);
        assert_true(pattern->kind->mean_hops(pattern) == cases[i].distance);
        traffic_close(&it);
    }
}

static void hot_spot_gets_its_share(void **state)
{
    (void)state;
    traffic it;
    const weft_pattern *pattern =
        traffic_open(&it, "torus", "dims=4,4", "hot-spot", "node=6 share=20%");
    const uint32_t draws = 20000;
    uint32_t hot = 0, from_hot[16] = {0};
    for (uint32_t i = 0; i < draws; i++) {
        hot += send(pattern, 1, i) == 6;
        from_hot[send(pattern, 6, i)]++;
    }
    double p = 0.2 + 0.8 / 15; /* uniform messages go there too */
    assert_true(fabs(hot - p * draws) < 4 * sqrt(draws * p * (1 - p)));
    for (uint32_t e = 0; e < 16; e++) {
        double q = e == 6 ? 0 : 1.0 / 15;
        assert_true(fabs(from_hot[e] - q * draws) <= 4 * sqrt(draws * q * (1 - q)));
    }
    traffic_close(&it);
}

/* source → destination on a 16×16 torus; router (x, y) is 16 x + y. */
static void permutations_are_as_computed_by_hand(void **state)
{
    (void)state;
    const struct {
        const char *pattern;
        uint32_t from, to, senders;
        double mean_hops;
    } cases[] = {
        /* (3, 10) → (rev 10, rev 3); 16 palindromes stay silent */
        {"bit-reversal", 0x3a, 0x5c, 240, 2048 / 240.0},
        {"bit-reversal", 0x18, WEFT_NOWHERE, 240, 2048 / 240.0},
        {"transpose", 0x3a, 0xa3, 240, 2048 / 240.0},
        {"transpose", 0x77, WEFT_NOWHERE, 240, 2048 / 240.0},
        /* 1, 3, 5, 7, 7, 5, 3, 1 hops from coordinates 0 … 7, the same from 15 … 8 */
        {"complement", 0x3a, 0xc5, 256, 8},
        {"complement", 0x00, 0xff, 256, 8},
        {"tornado", 0x3a, 0xa1, 256, 14},
        {"tornado", 0x00, 0x77, 256, 14},
        {"neighbour", 0x3f, 0x40, 256, 2},
        {"neighbour", 0xff, 0x00, 256, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        traffic it;
        const weft_pattern *pattern =
            traffic_open(&it, "torus", "dims=16,16", cases[i].pattern, "");
        assert_int_equal(send(pattern, cases[i].from, 0), cases[i].to);
        assert_int_equal(pattern->kind->senders(pattern), cases[i].senders);
        assert_true(fabs(pattern->kind->mean_hops(pattern) - cases[i].mean_hops) < 1e-12);
        traffic_close(&it);
    }
}

static void shuffle_rotates_the_whole_number(void **state)
{
    (void)state;
    traffic it;
    const weft_pattern *pattern = traffic_open(&it, "hypercube", "dimensions=8", "shuffle", "");
    assert_int_equal(send(pattern, 0x3a, 0), 0x74);
    assert_int_equal(send(pattern, 0x9a, 0), 0x35);
    assert_int_equal(send(pattern, 0x00, 0), WEFT_NOWHERE);
    assert_int_equal(send(pattern, 0xff, 0), WEFT_NOWHERE);
    assert_int_equal(pattern->kind->senders(pattern), 254);
    /* a bit differs from its neighbour in half of the 256 numbers: 8 × 128 hops */
    assert_true(fabs(pattern->kind->mean_hops(pattern) - 1024 / 254.0) < 1e-12);
    traffic_close(&it);
}

static void shifts_follow_sizes_and_keep_the_host(void **state)
{
    (void)state;
    traffic it;
    const weft_pattern *pattern = traffic_open(&it, "torus", "dims=2,7 hosts=3", "tornado", "");
    /* router 3 = (0, 3), host 1 → (0 + 0, 3 + 3) = router 6 */
    assert_int_equal(send(pattern, 3 * 3 + 1, 0), 6 * 3 + 1);
    assert_true(pattern->kind->mean_hops(pattern) == 3);
    traffic_close(&it);
    pattern = traffic_open(&it, "torus", "dims=2", "tornado", "");
    assert_int_equal(pattern->kind->senders(pattern), 0);
    traffic_close(&it);
    /* the last of a line has the whole way back: 1, 1, 1, 3 hops */
    pattern = traffic_open(&it, "mesh", "dims=4", "neighbour", "");
    assert_int_equal(send(pattern, 3, 0), 0);
    assert_true(pattern->kind->mean_hops(pattern) == 1.5);
    traffic_close(&it);
}

/* A 4×4 torus whose rows are groups, one row a router of a ring: router 5 = (1, 1). */
typedef struct rows {
    network net, outer;
    weft_topology topology;
    traffic it;
} rows;

static const weft_pattern *rows_open(rows *r, bool outer, const char *pattern, const char *settings)
{
    weft_error err = {0};
    r->topology = *network_open(&r->net, "torus", "dims=4,4 hosts=2");
    r->topology.group = 4;
    r->topology.proof.vertex_transitive = false;
    r->topology.outer = outer ? network_open(&r->outer, "torus", "dims=4") : NULL;
    const example which = {pattern, settings};
    assert_int_equal(pattern_build(&r->it, &r->topology, &which, &err), WEFT_OK);
    check_pattern(&r->it.pattern);
    check_odds(&r->it.pattern);
    return &r->it.pattern;
}

static void rows_close(rows *r)
{
    pattern_free(&r->it, true);
    if (r->topology.outer)
        network_close(&r->outer);
    network_close(&r->net);
}

static void groups_send_to_groups(void **state)
{
    (void)state;
    rows r;
    const weft_pattern *pattern = rows_open(&r, false, "group-adversarial", "shift=3");
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(send(pattern, 10, i) / 8, 0);         /* row 1 to row 0 */
    assert_true(pattern->kind->mean_hops(pattern) == 1 + 1.0); /* a row up; 0, 1, 1, 2 along it */
    rows_close(&r);
}

static void scopes_are_seen_from_the_source(void **state)
{
    (void)state;
    rows r;
    /* by rows: all of the own row but itself, the two beside it, the one beyond */
    const weft_pattern *pattern =
        rows_open(&r, true, "locality", "within:inner:50% hops:1:30% beyond:1:20%");
    /* own row: 1 at the own router, 6 others at 1, 1, 2 hops twice each; others a row or two
     * away and 1 on average */
    double wanted = 0.5 * (2 * (1 + 1 + 2) / 7.0) + 0.3 * 2 + 0.2 * 3;
    assert_true(fabs(pattern->kind->mean_hops(pattern) - wanted) < 1e-12);
    rows_close(&r);
    /* by routers: at distance 1 there are 4 routers, at 2 six, beyond 5 and the source's own is
     * at 0 */
    pattern = rows_open(&r, false, "locality", "hops:0:10% hops:1,2:60% beyond:2:30%");
    wanted = 0.6 * (4 + 12) / 10 + 0.3 * (4 * 3 + 4) / 5;
    assert_true(fabs(pattern->kind->mean_hops(pattern) - wanted) < 1e-12);
    rows_close(&r);
}

/* Scopes that are small in a large network are listed. */
static void small_scopes_are_uniform_too(void **state)
{
    (void)state;
    traffic it;
    const weft_pattern *pattern =
        traffic_open(&it, "torus", "dims=16,16 hosts=2", "locality", "hops:1,2:100%");
    share odds = {512, calloc(512, sizeof *odds.of)};
    pattern->kind->odds(pattern, 77, add_share, &odds);
    check_draws(pattern, 77, &odds);
    assert_true(fabs(pattern->kind->mean_hops(pattern) - (4 + 8 * 2) / 12.0) < 1e-12);
    free(odds.of);
    traffic_close(&it);
}

static void coordinates_are_mirrored_and_swapped(void **state)
{
    (void)state;
    traffic it;
    const weft_pattern *pattern =
        traffic_open(&it, "mesh", "dims=3,3 hosts=2", "transpose", "by=coordinates");
    assert_int_equal(send(pattern, 2 * 5 + 1, 0), 2 * 7 + 1); /* (1, 2) to (2, 1) */
    assert_int_equal(send(pattern, 2 * 4, 0), WEFT_NOWHERE);
    traffic_close(&it);
    pattern = traffic_open(&it, "torus", "dims=2,3", "complement", "by=coordinates");
    assert_int_equal(send(pattern, 1, 0), 4); /* (0, 1) to (1, 1) */
    traffic_close(&it);
}

/* One circle through all endpoints; another seed, another circle. */
static void random_permutations_are_one_circle(void **state)
{
    (void)state;
    traffic it;
    uint32_t first[2];
    for (uint32_t seed = 0; seed < 2; seed++) {
        const weft_pattern *pattern = traffic_open(
            &it, "torus", "dims=5,7 hosts=3", "random-permutation", seed ? "seed=8" : "seed=7");
        uint32_t at = 0, steps = 0;
        do {
            at = send(pattern, at, 0);
            steps++;
        } while (at != 0 && steps < 200);
        assert_int_equal(steps, 105);
        first[seed] = send(pattern, 0, 0);
        traffic_close(&it);
    }
    assert_int_not_equal(first[0], first[1]);
}

/* Adds one unit to every link of the dimension-order path from → to. */
static void load_path(const weft_topology *topology, uint32_t from, uint32_t to, double unit,
                      double *load)
{
    uint32_t route = topology->kind->make_header(topology, from, to, NULL);
    weft_minimal_port way;
    while (topology->kind->minimal_ports(topology, from, route, 1, &way)) {
        load[from * topology->ports + way.port] += unit;
        from = topology->kind->peer(topology, from, way.port).router;
        route = way.next_header;
    }
}

/* Rexford & Shin's bit reversal: saturates at a mean utilisation of 2.0 / 7.5 = 26.7 %. Ties are
 * split by averaging over both directions, which is exact because dimensions add up. */
static void bit_reversal_loads_channels_unevenly(void **state)
{
    (void)state;
    const char *const ties[] = {"dims=16,16 tie=positive", "dims=16,16 tie=negative"};
    double load[1024] = {0}, most = 0, sum = 0;
    uint32_t used = 0;
    for (int t = 0; t < 2; t++) {
        traffic it;
        const weft_pattern *pattern = traffic_open(&it, "torus", ties[t], "bit-reversal", "");
        for (uint32_t e = 0; e < 256; e++)
            if (send(pattern, e, 0) != WEFT_NOWHERE)
                load_path(pattern->topology, e, send(pattern, e, 0), 0.5, load);
        traffic_close(&it);
    }
    for (int i = 0; i < 1024; i++) {
        most = fmax(most, load[i]);
        sum += load[i];
        used += load[i] > 0;
    }
    assert_true(most == 7.5);
    assert_true(sum / 1024 == 2.0);
    assert_int_equal(used, 512);
}

static void refuse(const weft_topology *topology, const char *pattern, const char *settings,
                   const char *text)
{
    traffic it;
    weft_error err = {0};
    const example which = {pattern, settings};
    assert_int_equal(pattern_build(&it, topology, &which, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, text);
    pattern_free(&it, false);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=4,2");
    refuse(topology, "transpose", "",
           "pattern transpose needs a power of four endpoints, this network has 8");
    refuse(topology, "hop-uniform", "hops=4",
           "pattern hop-uniform: no router is 4 hops away in this network");
    refuse(topology, "hot-spot", "node=8",
           "pattern hot-spot: node must be one of the endpoints 0 … 7, found 8");
    network_close(&net);
    topology = network_open(&net, "mesh", "dims=3,2");
    refuse(topology, "bit-reversal", "",
           "pattern bit-reversal needs a power of two endpoints, this network has 6");
    refuse(topology, "hop-uniform", "hops=1",
           "pattern hop-uniform needs rings in every dimension; mesh has none");
    refuse(topology, "transpose", "by=coordinates",
           "pattern transpose by coordinates needs dimensions of the same sizes in reverse, this "
           "network has 3 along the first and 2 along the last");
    refuse(topology, "locality", "within:group:100%",
           "pattern locality: mesh has no groups; give within: router, or hops");
    refuse(topology, "locality", "within:router:100%",
           "pattern locality: the router of router 0 has no other endpoint");
    refuse(topology, "locality", "beyond:2:90%",
           "pattern locality: the shares must sum to 1, found 0.9");
    refuse(topology, "locality", "beyond:2:100%",
           "pattern locality: no other endpoint is beyond 2 hops of routers from router 2");
    refuse(topology, "locality", "hops:3,2:100%",
           "pattern locality: hops must be a least and a greatest distance such as [1, 3], found 2 "
           "numbers from 3 to 2");
    refuse(topology, "group-adversarial", "",
           "pattern group-adversarial needs a topology with groups; mesh has none");
    refuse(topology, "matrix", "of=groups file=none",
           "pattern matrix: of must be endpoints or routers, for mesh is not made of equal groups");
    refuse(topology, "flows", "file=missing.csv",
           "missing.csv cannot be read: No such file or directory");
    network_close(&net);
    weft_topology ring = {.kind = &ring_kind};
    assert_int_equal(ring_kind.build(&ring, NULL, NULL), WEFT_OK);
    refuse(&ring, "tornado", "",
           "pattern tornado needs a topology with coordinates; ring has none");
    refuse(&ring, "hop-uniform", "hops=1",
           "pattern hop-uniform needs a topology with coordinates; ring has none");
}

static char folder[64];

static int open_folder(void **state)
{
    (void)state;
    pattern_folder_open(folder);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    pattern_folder_close(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_is_uniform),
        cmocka_unit_test(hop_uniform_is_uniform_at_its_distance),
        cmocka_unit_test(hot_spot_gets_its_share),
        cmocka_unit_test(permutations_are_as_computed_by_hand),
        cmocka_unit_test(shuffle_rotates_the_whole_number),
        cmocka_unit_test(shifts_follow_sizes_and_keep_the_host),
        cmocka_unit_test(groups_send_to_groups),
        cmocka_unit_test(scopes_are_seen_from_the_source),
        cmocka_unit_test(small_scopes_are_uniform_too),
        cmocka_unit_test(coordinates_are_mirrored_and_swapped),
        cmocka_unit_test(random_permutations_are_one_circle),
        cmocka_unit_test(bit_reversal_loads_channels_unevenly),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
