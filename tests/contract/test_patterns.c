/* SPDX-License-Identifier: Apache-2.0 */
/* What every pattern promises on every network it accepts, and the values of each kind by hand. */
#include "net/pattern.h"
#include "net/spread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"
#include "contract/ring.h"

static const example pattern_examples[] = {
    {"uniform", ""},
    {"hop-uniform", "hops=1"},
    {"hop-uniform", "hops=2"},
    {"hop-uniform", "hops=4"},
    {"hot-spot", ""},
    {"hot-spot", "node=1 share=30%"},
    {"hot-spot", "node=1 share=1"},
    {"bit-reversal", ""},
    {"transpose", ""},
    {"complement", ""},
    {"shuffle", ""},
    {"tornado", ""},
    {"neighbour", ""},
};
#define PATTERNS (sizeof pattern_examples / sizeof *pattern_examples)

typedef struct traffic {
    network net;
    weft_pattern pattern;
    void *settings;
} traffic;

static weft_status pattern_build(traffic *it, const weft_topology *topology, const example *which,
                                 weft_error *err)
{
    const weft_component *base = kind_named(weft_pattern_kinds, which->kind);
    it->settings = settings_make(base, which->settings);
    it->pattern = (weft_pattern){.kind = (const weft_pattern_kind *)(const void *)base,
                                 .self = calloc(1, base->instance_size + 1),
                                 .topology = topology};
    return it->pattern.kind->build(&it->pattern, it->settings, err);
}

/* built: whether build succeeded; after a failure there is nothing to undo. */
static void pattern_free(traffic *it, bool built)
{
    if (built && it->pattern.kind->done)
        it->pattern.kind->done(&it->pattern);
    free(it->pattern.self);
    free(it->settings);
}

static const weft_pattern *traffic_open(traffic *it, const char *kind, const char *network_settings,
                                        const char *pattern, const char *settings)
{
    weft_error err = {0};
    const weft_topology *topology = network_open(&it->net, kind, network_settings);
    const example which = {pattern, settings};
    assert_int_equal(pattern_build(it, topology, &which, &err), WEFT_OK);
    return &it->pattern;
}

static void traffic_close(traffic *it)
{
    pattern_free(it, true);
    network_close(&it->net);
}

static uint32_t send(const weft_pattern *pattern, uint32_t source, uint64_t draw)
{
    weft_random random = weft_random_stream(9, draw, source, WEFT_FOR_TEST);
    return pattern->kind->destination(pattern, source, &random);
}

static uint32_t hops_between(const weft_topology *topology, uint32_t from, uint32_t to)
{
    return topology->kind->distance(topology, from / topology->hosts, to / topology->hosts);
}

static void every_kind_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_pattern_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < PATTERNS; i++)
            found += strcmp(pattern_examples[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
        assert_int_equal((*kind)->size, sizeof(weft_pattern_kind));
    }
}

/* Destinations exist, and senders and mean_hops are what the destinations say: exactly if every
 * source always sends to the same place, else within four standard errors. (Sources are drawn
 * equally often, which only narrows the spread of the mean.) */
static void check_pattern(const weft_pattern *pattern)
{
    const weft_topology *topology = pattern->topology;
    uint32_t endpoints = weft_endpoints(topology), senders = 0, rounds = 20000 / endpoints + 2;
    double n = 0, sum = 0, squares = 0;
    bool fixed = true;
    for (uint32_t source = 0; source < endpoints; source++) {
        uint32_t first = send(pattern, source, 0);
        senders += first != WEFT_NOWHERE;
        for (uint32_t i = 0; i < rounds; i++) {
            uint32_t to = send(pattern, source, i);
            assert_int_equal(to == WEFT_NOWHERE, first == WEFT_NOWHERE);
            if (to == WEFT_NOWHERE)
                continue;
            assert_true(to < endpoints && to != source);
            fixed = fixed && to == first;
            double hops = hops_between(topology, source, to);
            n++;
            sum += hops;
            squares += hops * hops;
        }
    }
    assert_int_equal(pattern->kind->senders(pattern), senders);
    if (senders == 0)
        return;
    double mean = sum / n, error = sqrt(fmax(squares / n - mean * mean, 0) / n);
    assert_true(fabs(pattern->kind->mean_hops(pattern) - mean) <=
                (fixed ? 0 : 4 * error) + 1e-12 * mean);
}

static void patterns_keep_their_promises(void **state)
{
    (void)state;
    for (size_t p = 0; p < PATTERNS; p++) {
        size_t accepted = 0;
        for (size_t i = 0; i < NETWORKS; i++) {
            traffic it;
            weft_error err = {0};
            const weft_topology *topology = network_example(&it.net, i);
            bool built = pattern_build(&it, topology, &pattern_examples[p], &err) == WEFT_OK;
            if (built)
                check_pattern(&it.pattern);
            else
                assert_true(strlen(err.text) > 0);
            accepted += built;
            pattern_free(&it, built);
            network_close(&it.net);
        }
        assert_true(accepted > 0);
    }
}

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

/* Adds one unit to every link of the dimension-order path from → to. */
static void load_path(const weft_topology *topology, uint32_t from, uint32_t to, double unit,
                      double *load)
{
    uint32_t route = topology->kind->aim(topology, from, to, NULL);
    weft_way way;
    while (topology->kind->ways(topology, route, 1, &way)) {
        load[from * topology->ports + way.port] += unit;
        from = topology->kind->peer(topology, from, way.port).router;
        route = way.after;
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
    network_close(&net);
    weft_topology ring = {.kind = &ring_kind};
    assert_int_equal(ring_kind.build(&ring, NULL, NULL), WEFT_OK);
    refuse(&ring, "tornado", "",
           "pattern tornado needs a topology with coordinates; ring has none");
    refuse(&ring, "hop-uniform", "hops=1",
           "pattern hop-uniform needs a topology with coordinates; ring has none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_examples),
        cmocka_unit_test(patterns_keep_their_promises),
        cmocka_unit_test(uniform_is_uniform),
        cmocka_unit_test(hop_uniform_is_uniform_at_its_distance),
        cmocka_unit_test(hot_spot_gets_its_share),
        cmocka_unit_test(permutations_are_as_computed_by_hand),
        cmocka_unit_test(shuffle_rotates_the_whole_number),
        cmocka_unit_test(shifts_follow_sizes_and_keep_the_host),
        cmocka_unit_test(bit_reversal_loads_channels_unevenly),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
