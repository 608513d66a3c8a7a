/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of endpoints: what words mean on which topology, what is refused with which sentence, and
 * what sets do to loads and bounds, by values computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/glob.h"
#include "analysis/bounds/bounds.h"
#include "contract/scenario.h"
#include "net/hosts.h"

#define TORUS  "topology: {kind: torus, dims: [4, 4], hosts: 2}\n"
#define GROUPS "topology: {kind: dragonfly, groups: 5, routers: 4, hosts: 2}\n"
#define TREE   "topology: {kind: fat-tree, arity: 2, levels: 3}\n"
#define LINE   "traffic: {all: {length: 4 flits, load: 0.5, from: %s, to: %s}}\n"

static const weft_network *open_with(stage *it, const char *topology, const char *from,
                                     const char *to)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "%s" LINE, topology, from, to);
    return stage_open(it, text);
}

static void assert_close(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * fabs(expected)))
        fail_msg("found %.12g, expected %.12g", found, expected);
}

/* "0-3,8,10" of a set; "all". */
static const char *members(const weft_host_set *set, char *text, size_t size)
{
    size_t at = 0;
    (void)snprintf(text, size, "all");
    for (uint32_t i = 0; set && i < set->n_ranges && at < size; i++) {
        const weft_host_range *r = &set->ranges[i];
        at += (size_t)snprintf(text + at, size - at, "%s%u", i ? "," : "", r->first);
        if (r->count > 1 && at < size)
            at += (size_t)snprintf(text + at, size - at, "-%u", r->first + r->count - 1);
    }
    return text;
}

static void words_name_endpoints(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *words, *members;
    } cases[] = {
        {TORUS, "all", "all"},
        {TORUS, "3", "3"},
        {TORUS, "4-7", "4-7"},
        {TORUS, "0-9/4", "0,4,8"},
        {TORUS, "0-31", "all"},
        {TORUS, "[7, 2-5, 3-6, 0]", "0,2-7"},
        {TORUS, "router 3", "6-7"},
        {TORUS, "router 3-4", "6-9"},
        {TORUS, "router 0-15/5", "0-1,10-11,20-21,30-31"},
        {TORUS, "'router (1, *)'", "8-15"},
        {TORUS, "'router (*, 3)'", "6-7,14-15,22-23,30-31"},
        {TORUS, "'router (?, 0)'", "0-1,8-9,16-17,24-25"},
        {GROUPS, "group 1", "8-15"},
        {GROUPS, "group 0-4/2", "0-7,16-23,32-39"},
        {TREE, "router level 1 switch 2", "4-5"},
        {TREE, "router *switch 1", "2-3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stage it;
        char text[256];
        const weft_network *network = open_with(&it, cases[i].topology, cases[i].words, "all");
        assert_string_equal(
            members(network->traffic_classes[0].traffic.pattern.from, text, sizeof text),
            cases[i].members);
        stage_close(&it);
    }
}

static void ranks_and_endpoints_are_each_others(void **state)
{
    (void)state;
    stage it;
    const weft_network *network = open_with(&it, TORUS, "[1-3, 8-30/7, 20-21]", "all");
    const weft_host_set *set = network->traffic_classes[0].traffic.pattern.from;
    static const uint32_t all[] = {1, 2, 3, 8, 15, 20, 21, 22, 29};
    assert_int_equal(set->count, 9);
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(weft_host_set_at(set, i), all[i]);
    for (uint32_t e = 0, below = 0; e < 32; e++) {
        bool inside = below < 9 && all[below] == e;
        assert_int_equal(weft_host_set_below(set, e), below);
        assert_int_equal(weft_host_set_has(set, e), inside);
        below += inside;
    }
    stage_close(&it);
}

static void stars_take_any_text(void **state)
{
    (void)state;
    static const struct {
        const char *glob, *text;
        bool matches;
    } cases[] = {{"", "", true},         {"*", "", true},
                 {"a*", "abc", true},    {"*c", "abc", true},
                 {"a*c", "abcbc", true}, {"a?c", "abc", true},
                 {"a?c", "ac", false},   {"*b", "abc", false},
                 {"a", "ab", false},     {"?*?", "a", false},
                 {"?*?", "ab", true},    {"*a*b*", "xxaxxbxx", true},
                 {"*a*b*", "ba", false}, {"(3, *)", "(3, 12)", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(weft_glob_matches(cases[i].glob, cases[i].text), cases[i].matches);
}

static void assert_refused(const char *topology, const char *from, const char *to,
                           const char *pattern, const char *sentence)
{
    stage it;
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "%straffic: {all: {length: 4 flits, load: 0.5, from: %s, to: %s, pattern: "
                   "%s}}\n",
                   topology, from, to, pattern);
    assert_int_equal(stage_try(&it, text), WEFT_BAD_INPUT);
    if (!strstr(it.err.text, sentence))
        fail_msg("'%s' instead of '%s'", it.err.text, sentence);
    assert_non_null(strstr(it.err.text, "test.yaml:3:"));
    stage_close(&it);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const char *const cases[][5] = {
        {TORUS, "32", "all", "uniform",
         "traffic.all.from: the endpoints of this network are 0 … 31, found '32'"},
        {TORUS, "7-3", "all", "uniform", "a range ends with its greatest number, found '7-3'"},
        {TORUS, "0-9/0", "all", "uniform", "a step is 1 or more"},
        {TORUS, "all", "router 16", "uniform",
         "traffic.all.to: the routers of this network are 0 … 15"},
        {TORUS, "'router (9, *)'", "all", "uniform", "the last one is '(3, 3)'"},
        {TORUS, "group 1", "all", "uniform", "this topology has no groups"},
        {GROUPS, "group 5", "all", "uniform", "the groups of this network are 0 … 4"},
        {TORUS, "rack1", "all", "uniform",
         "endpoints are named by all, 0-15, 0-60/4, router NAME, group 2 or file NAME"},
        {TORUS, "file none.txt", "all", "uniform", "none.txt"},
        {TORUS, "0-7", "8-15", "transpose", "give to: from"},
        {TORUS, "0-7", "from", "tornado", "leave out to (from is possible), or choose one of"},
        {TORUS, "0-7", "from", "transpose", "needs a power of four endpoints, the set of those"},
        {TORUS, "0-7", "from", "{kind: complement, by: coordinates}", "give by: number"},
        {TORUS, "3", "3", "uniform", "no endpoint sends anything under pattern uniform"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i][0], cases[i][1], cases[i][2], cases[i][3], cases[i][4]);
}

/* 8 of 32 endpoints send half of what they can: rho and the whole network's load follow. On the
 * 4×4 torus with two hosts rows are 4 routers: from row (1, *) to itself each of 8 has 7 others:
 * 1 at no hop, 2 × 1, 2 × 2 and 2 × 1 hops away. */
static void loads_are_of_those_that_may_send(void **state)
{
    (void)state;
    stage it;
    const weft_network *network = open_with(&it, TORUS, "8-15", "from");
    const weft_traffic_class *traffic_class = &network->traffic_classes[0];
    assert_int_equal(traffic_class->senders, 8);
    assert_int_equal(network->sending, 8);
    assert_int_equal(network->receiving, 8);
    assert_close(traffic_class->load, 0.5);
    assert_close(network->load, 0.5);
    assert_close(traffic_class->mean_hops, 8 / 7.0);
    assert_close(traffic_class->rho, 0.5 * 8 * (8 / 7.0) / 64);
    assert_close(traffic_class->traffic.arrival.mean, 8);
    stage_close(&it);
}

/* Shares are of what all senders together can send; a class' own load of what its own can. */
static void classes_may_have_their_own(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, TORUS "traffic:\n"
                              "  a: {length: 4 flits, load: 0.8, from: 0-7, to: from}\n"
                              "  b: {length: 4 flits, load: 0.2, from: 8-31, to: from}\n");
    assert_close(network->traffic_classes[0].load, 0.8);
    assert_close(network->traffic_classes[1].load, 0.2);
    assert_close(network->load, (8 * 0.8 + 24 * 0.2) / 32);
    stage_close(&it);
    network = stage_open(&it, TORUS "offered: {load: 0.4}\ntraffic:\n"
                                    "  a: {length: 4 flits, share: 25%, from: 0-7}\n"
                                    "  b: {length: 4 flits, share: 75%, from: 4-15}\n");
    assert_int_equal(network->sending, 16);
    assert_int_equal(network->receiving, 32);
    assert_close(network->traffic_classes[0].load, 0.4 * 0.25 * 16 / 8);
    assert_close(network->traffic_classes[1].load, 0.4 * 0.75 * 16 / 12);
    assert_close(network->load, 0.4);
    stage_close(&it);
}

static weft_bounds bounds_of(const weft_network *network)
{
    weft_bounds bounds;
    weft_bounds_find(&bounds, network,
                     &(weft_bounds_plan){.sending = 1, .receiving = 1, .budget = WEFT_BOUNDS_LONG});
    return bounds;
}

/* Seven send to one: it is full at a seventh. */
static void bounds_heed_sets(void **state)
{
    (void)state;
    stage it;
    weft_bounds bounds = bounds_of(open_with(&it, TORUS, "0-6", "30"));
    assert_close(bounds.of[WEFT_BOUND_EJECTION], 1 / 7.0);
    assert_close(bounds.of[WEFT_BOUND_INJECTION], 1);
    assert_int_equal(bounds.load.receiver, 30);
    assert_true(bounds.of[WEFT_BOUND_BISECTION] == 0); /* is not uniform between the halves */
    stage_close(&it);
    /* one row of a full line of 4 routers with two hosts each: a router sends 2 × 6/7 to the
     * others by 3 links */
    bounds = bounds_of(open_with(
        &it, "topology: {kind: flattened-butterfly, dims: [4, 4], hosts: 2}\n", "8-15", "from"));
    assert_close(bounds.of[WEFT_BOUND_LINK], 1 / (2 * 2 / 7.0));
    stage_close(&it);
}

/* Weights of a list of flows have mean 1 over those that may send. */
static void weights_are_of_those_that_send(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-flows-XXXXXX", text[512];
    int file = mkstemp(path);
    const char traffic_classes[] = "0,1,6\n1,2,2\n2,3,1\n31,3,100\n";
    assert_true(file >= 0 && write(file, traffic_classes, sizeof traffic_classes - 1) ==
                                 (ssize_t)(sizeof traffic_classes - 1));
    (void)close(file);
    stage it;
    (void)snprintf(text, sizeof text,
                   TORUS "traffic: {all: {length: 4 flits, load: 0.5, from: 0-2, pattern: {kind: "
                         "flows, file: %s}}}\n",
                   path);
    const weft_network *network = stage_open(&it, text);
    const weft_traffic_class *traffic_class = &network->traffic_classes[0];
    assert_int_equal(traffic_class->senders, 3);
    weft_bounds bounds = bounds_of(network);
    assert_close(bounds.of[WEFT_BOUND_INJECTION], 0.5); /* endpoint 0 sends twice the mean */
    assert_close(bounds.of[WEFT_BOUND_EJECTION], 0.5);
    stage_close(&it);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_name_endpoints),
        cmocka_unit_test(ranks_and_endpoints_are_each_others),
        cmocka_unit_test(stars_take_any_text),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(loads_are_of_those_that_may_send),
        cmocka_unit_test(classes_may_have_their_own),
        cmocka_unit_test(bounds_heed_sets),
        cmocka_unit_test(weights_are_of_those_that_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
