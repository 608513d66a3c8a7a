/* SPDX-License-Identifier: Apache-2.0 */
/* Routings with VCs cannot deadlock: brute force. A channel is a VC of a link. Every packet that
 * can exist, from every router to every other and in both directions where both are equally
 * long, is followed along all its candidates and VCs. Whoever holds channel a can wait for
 * channel b: an edge. The graph has no cycle (Dally and Seitz).
 *
 * With candidates that are only an escape (Duato), the graph is of escape channels alone; a
 * packet that holds a may first go on over open VCs, any number of hops, and then wait for b.
 *
 * A control shows that the test can fail: the same VCs without classes do have a cycle on rings.
 * The verdict of analysis/deadlock has to agree. */
#include "analysis/deadlock/deadlock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/vcs.h"

#define WORDS_MAX 4096u /* route headers of the networks here are smaller */

typedef struct search {
    const weft_routing *routing;
    uint32_t vcs, channels;
    uint32_t words;   /* route headers are below */
    uint8_t *met;     /* channel × word: held with it … */
    uint32_t *passed; /* … and passed on open VCs in the walk of this number */
    uint32_t walk;    /* number of the walk */
    uint64_t *edges;  /* channels × row words */
    uint32_t row;     /* 64-bit words of a row */
} search;

static uint32_t channel_of(const search *s, const weft_route_context *at, uint32_t port,
                           uint32_t vc)
{
    return (at->router * s->routing->topology->ports + port) * s->vcs + vc;
}

static void add_edge(search *s, uint32_t from, uint32_t to)
{
    s->edges[(size_t)from * s->row + to / 64] |= (uint64_t)1 << to % 64;
}

/* Is a candidate part of what cannot stop? All are, if none is marked. */
static bool is_escape(const weft_candidate *hops, unsigned count, unsigned i)
{
    bool marked = false;
    for (unsigned j = 0; j < count; j++)
        marked |= hops[j].escape;
    return hops[i].escape || !marked;
}

/* What a packet that holds `held` can come to wait for, here or after hops on open VCs. */
static void wait_from(search *s, uint32_t held, const weft_route_context *here)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = here->header ? vc_net_ask(s->routing, here, 0, hops) : 0;
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vc = 0; vc < s->vcs; vc++) {
            if (!(hops[i].vcs >> vc & 1))
                continue;
            uint32_t channel = channel_of(s, here, hops[i].port, vc);
            if (is_escape(hops, count, i)) {
                add_edge(s, held, channel);
                continue;
            }
            uint32_t *passed = &s->passed[channel * s->words + hops[i].next_header];
            weft_route_context next = vc_net_follow(s->routing->topology, here, &hops[i], vc);
            if (*passed != s->walk) {
                *passed = s->walk;
                wait_from(s, held, &next);
            }
        }
}

/* Follows a packet everywhere it can go; every escape channel it can hold is where a wait
 * starts. */
static void follow(search *s, const weft_route_context *here)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = here->header ? vc_net_ask(s->routing, here, 0, hops) : 0;
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vc = 0; vc < s->vcs; vc++) {
            if (!(hops[i].vcs >> vc & 1))
                continue;
            uint32_t channel = channel_of(s, here, hops[i].port, vc);
            uint8_t *met = &s->met[channel * s->words + hops[i].next_header];
            if (*met)
                continue;
            *met = 1;
            weft_route_context next = vc_net_follow(s->routing->topology, here, &hops[i], vc);
            if (is_escape(hops, count, i)) {
                s->walk++;
                wait_from(s, channel, &next);
            }
            follow(s, &next);
        }
}

/* Dimensions in which both directions are equally long. */
static unsigned ties(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_lattice *lattice = &topology->lattice;
    unsigned count = 0;
    for (uint32_t d = 0; d < lattice->dims; d++) {
        uint32_t size = lattice->size[d];
        uint32_t a = network_coordinate(lattice, from, d), b = network_coordinate(lattice, to, d);
        count += lattice->wraps[d] && size > 2 && 2 * (a > b ? a - b : b - a) == size;
    }
    return count;
}

/* All routes of a pair: draws until each direction of every tie has come. */
static void follow_pair(search *s, uint32_t from, uint32_t to)
{
    const weft_topology *topology = s->routing->topology;
    uint32_t routes[64];
    unsigned found = 0, all = 1u << ties(topology, from, to);
    assert_true(all <= 64);
    for (uint64_t draw = 0; found < all; draw++) {
        weft_random tie = weft_random_stream(16, draw, from, WEFT_FOR_ESTIMATE);
        uint32_t route = topology->kind->make_header(topology, from, to, &tie);
        unsigned known = 0;
        while (known < found && routes[known] != route)
            known++;
        if (known < found)
            continue;
        assert_true(route < s->words);
        routes[found++] = route;
        weft_route_context here = vc_net_start(from, route);
        follow(s, &here);
    }
}

static void search_open(search *s, const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    *s = (search){.routing = routing, .vcs = routing->plan.n_vcs, .words = 1};
    s->channels = topology->routers * topology->ports * s->vcs;
    weft_random tie = weft_random_stream(17, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t to = 0; to < topology->routers; to++)
        while (s->words <= topology->kind->make_header(topology, 0, to, &tie))
            s->words *= 2;
    s->words *= 2; /* for the sign of the last dimension */
    assert_true(s->words <= WORDS_MAX);
    s->row = (s->channels + 63) / 64;
    assert(s->channels > 0);
    s->met = calloc((size_t)s->channels * s->words, sizeof *s->met);
    s->passed = calloc((size_t)s->channels * s->words, sizeof *s->passed);
    s->edges = calloc((size_t)s->channels * s->row, sizeof *s->edges);
    assert_true(s->met && s->passed && s->edges);
    for (uint32_t from = 0; from < topology->routers; from++)
        for (uint32_t to = 0; to < topology->routers; to++)
            follow_pair(s, from, to);
}

static void search_close(search *s)
{
    free(s->met);
    free(s->passed);
    free(s->edges);
}

/* Takes away channels that nobody left waits for (Kahn); a cycle is what remains. */
static bool has_cycle(const search *s)
{
    uint32_t *waiters = calloc(s->channels, sizeof *waiters);
    uint32_t *ready = calloc(s->channels, sizeof *ready), taken = 0, count = 0;
    for (uint32_t from = 0; from < s->channels; from++)
        for (uint32_t to = 0; to < s->channels; to++)
            waiters[to] += (uint32_t)(s->edges[(size_t)from * s->row + to / 64] >> to % 64) & 1;
    for (uint32_t c = 0; c < s->channels; c++)
        if (waiters[c] == 0)
            ready[count++] = c;
    for (; taken < count; taken++)
        for (uint32_t w = 0; w < s->row; w++)
            for (uint64_t left = s->edges[(size_t)ready[taken] * s->row + w]; left;
                 left &= left - 1) {
                uint32_t to = w * 64 + (uint32_t)__builtin_ctzll(left);
                if (--waiters[to] == 0)
                    ready[count++] = to;
            }
    free(waiters);
    free(ready);
    return count < s->channels;
}

static weft_deadlock_verdict verdict_on(const weft_routing *routing)
{
    weft_deadlock_question question = {.topology = routing->topology,
                                       .traffic_classes = 1,
                                       .routing = {routing},
                                       .vcs = routing->plan.n_vcs};
    weft_deadlock found;
    weft_deadlock_init(&found, &question);
    weft_deadlock_verdict verdict = found.verdict;
    weft_deadlock_done(&found);
    return verdict;
}

/* What has no cycle even in this graph, which is that of packets longer than buffers, has no
 * knot. */
static bool can_deadlock(const weft_routing *routing)
{
    search s;
    search_open(&s, routing);
    bool cycle = has_cycle(&s);
    search_close(&s);
    assert_true(cycle || verdict_on(routing) == WEFT_DEADLOCK_FREE);
    return cycle;
}

static const example small[] = {
    {"torus", "dims=2"},
    {"torus", "dims=3"},
    {"torus", "dims=4"},
    {"torus", "dims=5"},
    {"torus", "dims=6"},
    {"torus", "dims=2,2"},
    {"torus", "dims=3,3"},
    {"torus", "dims=4,3"},
    {"torus", "dims=2,5"},
    {"torus", "dims=4,4"},
    {"torus", "dims=6,5"},
    {"torus", "dims=6,6"},
    {"torus", "dims=3,3,3"},
    {"torus", "dims=4,2,3"},
    {"torus", "dims=2,6,2"},
    {"torus", "dims=4,4,4"},
    {"torus", "dims=5,6,4"},
    {"mesh", "dims=6"},
    {"mesh", "dims=4,4"},
    {"mesh", "dims=2,5"},
    {"mesh", "dims=3,2,4"},
    {"mesh", "dims=2,3,2,2"},
    {"hypercube", "dimensions=1"},
    {"hypercube", "dimensions=3"},
    {"hypercube", "dimensions=5"},
    {"flattened-butterfly", "dims=6"},
    {"flattened-butterfly", "dims=4,4"},
    {"flattened-butterfly", "dims=2,5"},
    {"flattened-butterfly", "dims=3,4,2"},
    {"flattened-butterfly", "dims=2,2,2,2"},
};
#define SMALL (sizeof small / sizeof *small)

/* On all networks with so many VCs, or the fewest there can be. */
static void assert_safe(const char *kind, const char *settings, const char *selection, uint32_t vcs)
{
    for (size_t i = 0; i < SMALL; i++) {
        vc_net it;
        weft_error err;
        uint32_t tried = vcs;
        while (vc_net_try(&it, &small[i], kind, settings, selection, tried, &err) != WEFT_OK) {
            vc_net_close(&it);
            assert_true(++tried <= 16);
        }
        if (can_deadlock(&it.routing))
            fail_msg("%s {%s}, %u VCs, on %s %s can deadlock", kind, settings, tried, small[i].kind,
                     small[i].settings);
        vc_net_close(&it);
    }
}

static void dimension_order_is_safe(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 2, 3, 4, 5, 8, 16};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        assert_safe("dimension-order", "", "random", counts[c]);
        assert_safe("dimension-order", "dateline=per-hop", "random", counts[c]);
    }
    assert_safe("minimal-oblivious", "", "dimension-order", 2);
}

static void adaptive_with_escape_vcs_is_safe(void **state)
{
    (void)state;
    assert_safe("minimal-adaptive", "", "random", 1);
    assert_safe("minimal-adaptive", "escape=2", "diagonal", 4);
    assert_safe("minimal-adaptive", "escape=4", "dimension-order", 1);
}

/* Can packets deadlock if those that will not cross a dateline use all VCs of the classes, and,
 * with `all`, the others too? */
static bool unsafe_mixed(const example *place, const char *kind, const char *settings, uint32_t vcs,
                         bool all)
{
    vc_net it;
    weft_error err;
    assert_int_equal(vc_net_try(&it, place, kind, settings, "dimension-order", vcs, &err), WEFT_OK);
    weft_vc_plan *plan = &it.routing.plan;
    plan->dateline[1] |= plan->dateline[0];
    plan->by_class[0][2][1] |= plan->by_class[0][2][0];
    if (all) {
        plan->dateline[0] = plan->dateline[1];
        plan->by_class[0][2][0] = plan->by_class[0][2][1];
    }
    bool unsafe = can_deadlock(&it.routing);
    if (all)
        assert_int_equal(unsafe, verdict_on(&it.routing) != WEFT_DEADLOCK_FREE);
    vc_net_close(&it);
    return unsafe;
}

/* A ring of 3 needs no dateline, because no minimal way on it has two hops; neither does a mesh. */
static void without_classes_rings_are_not_safe(void **state)
{
    (void)state;
    const example rings[] = {{"torus", "dims=4"}, {"torus", "dims=5"}, {"torus", "dims=6,3"}};
    for (size_t i = 0; i < 3; i++) {
        assert_true(unsafe_mixed(&rings[i], "dimension-order", "", 2, true));
        assert_true(unsafe_mixed(&rings[i], "dimension-order", "dateline=per-hop", 4, true));
        assert_true(unsafe_mixed(&rings[i], "dimension-order", "dateline=per-hop", 2, false));
        assert_true(unsafe_mixed(&rings[i], "minimal-oblivious", "", 3, true));
        assert_true(unsafe_mixed(&rings[i], "minimal-adaptive", "", 3, true));
    }
    const example lines[] = {{"torus", "dims=3"}, {"mesh", "dims=4,4"}};
    for (size_t i = 0; i < 2; i++)
        assert_false(unsafe_mixed(&lines[i], "dimension-order", "", 2, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimension_order_is_safe),
        cmocka_unit_test(adaptive_with_escape_vcs_is_safe),
        cmocka_unit_test(without_classes_rings_are_not_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
