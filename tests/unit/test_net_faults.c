/* SPDX-License-Identifier: Apache-2.0 */
/* What is down is known at both ends, a routing that cannot do without it is refused with the
 * pair that is cut off, and one that can never uses it. */
#include "net/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "net/routing.h"

#define ROUTER "router: {kind: input-queued, vcs: 4, buffer: 8 flits}\n"
#define REST   "traffic: {all: {pattern: uniform, length: 4 flits, load: 0.1}}\n"
#define TREE   "topology: {kind: fat-tree, arity: 4, levels: 3}\n"
#define TORUS  "topology: {kind: torus, dims: [4, 4]}\n"

static void refuse(const char *text, const char *message)
{
    stage it;
    assert_int_equal(stage_try(&it, text), WEFT_BAD_INPUT);
    if (!strstr(it.err.text, message))
        fail_msg("'%s' is not in '%s'", message, it.err.text);
    stage_close(&it);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    refuse(TORUS REST "faults: {links: [3]}\n",
           "faults.links must list pairs of routers, found 1 numbers");
    refuse(TORUS REST "faults: {links: [0, 99]}\n",
           "faults.links names router 99, but routers are 0 … 15");
    refuse(TORUS REST "faults: {links: [0, 5]}\n",
           "faults.links names the pair 0, 5, but no link joins these routers");
    refuse(TORUS REST "faults: {routers: [16]}\n",
           "faults.routers names router 16, but routers are 0 … 15");
    refuse(TORUS REST "faults: {routers: [3]}\n",
           "faults names router 3, which has endpoints: only routers without any can be "
           "down, 0 of 16 here");
}

static void who_is_cut_off_is_named(void **state)
{
    (void)state;
    refuse(TORUS REST "faults: {links: [0, 1]}\n", "faults cut off router 0 from router 1");
    refuse(TORUS ROUTER REST "faults: {links: [0, 1], at: 500 cycles}\n",
           "faults cut off router 0 from router 1: routing minimal-oblivious has no way past them");
    refuse(TORUS ROUTER REST "routing: {kind: minimal-adaptive}\nfaults: {links: [5, 6]}\n",
           "faults cut off router 5 from router 6: routing minimal-adaptive has no way past them");
    refuse(TREE ROUTER REST "routing: {kind: d-mod-k}\nfaults: {links: [0, 16]}\n",
           "faults cut off router 0 from");
    static const char *const detours[] = {"valiant", "ugal", "par"};
    for (size_t i = 0; i < 3; i++) { /* a router without links */
        char text[512], message[128];
        (void)snprintf(text, sizeof text,
                       "topology: {kind: torus, dims: [3, 3]}\n"
                       "router: {kind: input-queued, vcs: 6}\n" REST
                       "routing: {kind: %s}\nfaults: {links: [4, 1, 4, 7, 4, 3, 4, 5]}\n",
                       detours[i]);
        (void)snprintf(message, sizeof message,
                       "routing %s has no path from router 0 to router 4 that is up", detours[i]);
        refuse(text, message);
    }
}

/* All ports a packet from one home to another may come to, whatever it takes. */
typedef struct walk {
    const weft_routing *routing;
    uint32_t from;
} walk;

static void come(const walk *it, weft_route_context here, unsigned depth);

/* With a word that it goes on with. */
static void leave(const walk *it, const weft_route_context *here, unsigned depth)
{
    const weft_topology *topology = it->routing->topology;
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    assert_true(depth < 32);
    unsigned count = weft_routing_candidates(it->routing, here, NULL, hops);
    assert_true(count > 0);
    for (unsigned i = 0; i < count; i++) {
        assert_true(weft_topology_alive(topology, here->router, hops[i].port));
        weft_end end = topology->kind->peer(topology, here->router, hops[i].port);
        come(it,
             (weft_route_context){
                 .router = end.router, .header = hops[i].next_header, .port = (uint16_t)end.port},
             depth + 1);
    }
}

typedef struct turning {
    const walk *it;
    weft_route_context here;
    unsigned depth;
} turning;

static void turn(void *user, uint32_t word)
{
    const turning *at = user;
    weft_route_context here = at->here;
    here.header = word;
    leave(at->it, &here, at->depth);
}

/* To a router, where the word may still change. */
static void come(const walk *it, weft_route_context here, unsigned depth)
{
    turning at = {.it = it, .here = here, .depth = depth};
    if (here.header == 0)
        return;
    if (it->routing->kind->proof.reroute_outcomes)
        (void)it->routing->kind->proof.reroute_outcomes(it->routing, &here, turn, &at);
    else
        leave(it, &here, depth);
}

static void start(void *user, uint32_t word)
{
    const walk *it = user;
    come(it, (weft_route_context){.router = it->from, .header = word, .port = WEFT_FROM_ENDPOINT},
         0);
}

static void follow_all(const char *text, uint32_t ports_down)
{
    stage it;
    const weft_network *network = stage_open(&it, text);
    const weft_topology *topology = &network->topology;
    assert_int_equal(topology->faults->count, ports_down);
    for (uint32_t i = 0; i < ports_down; i++) { /* both ends */
        weft_fault fault = topology->faults->at[i];
        weft_end end = topology->kind->peer(topology, fault.router, fault.port);
        assert_false(weft_topology_alive(topology, end.router, end.port));
    }
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t to = 0; to < topology->edge_routers; to++) {
            walk by = {.routing = &network->traffic_classes[0].routing, .from = from};
            if (from != to)
                weft_routing_starts(by.routing, from, to, start, &by);
        }
    stage_close(&it);
}

static void routes_avoid_what_is_down(void **state)
{
    (void)state;
    /* a root of the tree has four children; a leaf switch four parents */
    follow_all(TREE ROUTER REST "routing: {kind: up-down}\nfaults: {routers: [47]}\n", 8);
    follow_all(TREE ROUTER REST "routing: {kind: up-down}\nfaults: {links: [0, 16, 5, 20]}\n", 4);
    follow_all(TORUS ROUTER REST "routing: {kind: up-down}\nfaults: {links: [0, 1, 5, 9]}\n", 4);
    follow_all("topology: {kind: full, routers: 5, links: 2}\n" ROUTER REST
               "routing: {kind: minimal-adaptive}\nfaults: {random: 1}\n",
               2);
    static const char *const detours[] = {"valiant", "ugal", "par"};
    static const char *const places[] = {"{kind: hyperx, dims: [3, 3]}", "{kind: full, routers: 5}",
                                         "{kind: torus, dims: [4, 3]}",
                                         "{kind: dragonfly, groups: 4, routers: 3}"};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++) {
            char text[512];
            (void)snprintf(text, sizeof text,
                           "topology: %s\nrouter: {kind: input-queued, vcs: 8}\n" REST
                           "routing: {kind: %s}\nfaults: {random: 2, seed: 5}\n",
                           places[k], detours[i]);
            follow_all(text, 4);
        }
}

/* Two routers that two cables join: endpoints share them, so each cable has some that need it. */
static void every_endpoint_is_looked_at(void **state)
{
    (void)state;
    static const char *const routers[] = {"{kind: input-queued, vcs: 1}", "{kind: output-queued}"};
    for (int hosts = 2; hosts <= 4; hosts++)
        for (int cable = 0; cable < 2; cable++)
            for (int r = 0; r < 2; r++) {
                char text[512];
                (void)snprintf(text, sizeof text,
                               "topology: {kind: file, hosts: %d, path: " WEFT_TEST_DATA
                               "/fabrics/parallel.weftnet}\n"
                               "routing: {kind: minimal}\nrouter: %s\n" REST
                               "faults: {named: \"A:p%d->B\"}\n",
                               hosts, routers[r], cable);
                refuse(text, "faults cut off router A from router B: routing minimal has no way");
            }
    follow_all("topology: {kind: file, path: " WEFT_TEST_DATA "/fabrics/parallel.weftnet}\n"
               "routing: {kind: minimal-adaptive}\n" ROUTER REST "faults: {named: \"A:p1->B\"}\n",
               2);
}

/* As many as asked, where few ports have a cable too: of 1,001,000 ports here 2,000. */
static void random_faults_are_as_many_as_asked(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, "topology: {kind: leaf-spine, leaves: 1000, spines: 1}\n" ROUTER REST);
    for (int64_t seed = 0; seed < 100; seed++) {
        weft_fault_settings set = {.random = 1 + seed % 3, .seed = seed};
        const weft_faults *faults = NULL;
        weft_status status =
            weft_faults_find(&network->topology, &set, &it.arena, &faults, &it.err);
        assert_int_equal(status, WEFT_OK);
        assert_non_null(faults);
        assert_int_equal(faults->count, 2 * set.random);
    }
    stage_close(&it);
    /* all, and one more */
    follow_all("topology: {kind: full, routers: 2, links: 3}\n" ROUTER REST
               "routing: {kind: minimal-adaptive}\nfaults: {random: 2}\n",
               4);
    refuse(TORUS REST "faults: {random: 32}\n", "faults cut off router 0 from router 1");
    refuse(TORUS REST "faults: {random: 33}\n",
           "faults.random must be at most 32, the cables between routers that are still up, found "
           "33");
    refuse(TORUS REST "faults: {links: [0, 1], random: 32}\n", "faults.random must be at most 31");
    refuse("topology: {kind: full, routers: 1, hosts: 4}\n" REST "faults: {random: 1}\n",
           "faults.random must be at most 0");
    refuse("topology: {kind: butterfly, arity: 2, stages: 3}\n" REST "faults: {random: 17}\n",
           "faults.random must be at most 16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(who_is_cut_off_is_named),
        cmocka_unit_test(routes_avoid_what_is_down),
        cmocka_unit_test(every_endpoint_is_looked_at),
        cmocka_unit_test(random_faults_are_as_many_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
