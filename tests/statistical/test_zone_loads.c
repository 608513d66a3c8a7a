/* SPDX-License-Identifier: Apache-2.0 */
/* Zone routing and O1TURN load the links as their words say: all words that a packet may start
 * with, equally often, followed to the end. Under transpose traffic the zones of a mesh load
 * very different links. Packets come at random times and do not choose by what they see, so
 * every link counts a Poisson number of them. */
#include "statistical/support.h"

#include "net/routing.h"

enum { SIDE = 8, ROUTERS = SIDE * SIDE, FLITS = 4, TICKS = 200000 };
#define LOAD 0.05

static const char *const routings[] = {
    "zone, order: fixed, masks: A>B",
    "zone, order: fixed, masks: B>A",
    "zone, masks: A>B/B>A/A>B", /* two of three packets one way */
    "zone, order: fixed, masks: AB, hints: true",
    "o1turn",
};
enum { ROUTINGS = sizeof routings / sizeof *routings };

typedef struct follower {
    const weft_routing *routing;
    uint32_t from;
    double count[ROUTERS * 4];
} follower;

static void follow(void *user, uint32_t word)
{
    follower *f = user;
    const weft_topology *topology = f->routing->topology;
    for (uint32_t router = f->from; word;) {
        weft_candidate ways[WEFT_MINIMAL_PORTS_MAX];
        weft_route_context here = {.router = router, .header = word, .port = WEFT_FROM_ENDPOINT};
        assert_int_equal(f->routing->kind->candidates(f->routing, &here, NULL, ways), 1);
        f->count[router * topology->ports + ways[0].port]++;
        router = topology->kind->peer(topology, router, ways[0].port).router;
        word = ways[0].next_header;
    }
}

/* Packets that each link is expected to carry for one that every endpoint sends. */
static void enumerate(const weft_routing *routing, double *expected)
{
    for (uint32_t from = 0; from < ROUTERS; from++) {
        follower f = {.routing = routing, .from = from};
        uint32_t to = from % SIDE * SIDE + from / SIDE;
        uint32_t words = from == to ? 1 : weft_routing_starts(routing, from, to, follow, &f);
        for (uint32_t i = 0; i < ROUTERS * 4; i++)
            expected[i] += f.count[i] / words;
    }
}

static void loads_are_those_of_all_words(void **state)
{
    (void)state;
    for (int r = 0; r < ROUTINGS; r++) {
        trial run;
        double expected[ROUTERS * 4] = {0}, squares = 0, used = 0, worst = 0;
        trial_run(&run, 1 + r,
                  "interweft: 1\n"
                  "topology: {kind: mesh, dims: [%d, %d]}\n"
                  "routing: {kind: %s}\n"
                  "traffic: {all: {pattern: transpose, length: %d flits, load: %g}}\n"
                  "measure: {links: all, warmup: 1000 cycles, half-width: 0.0001%%, limit: {time: "
                  "%d cycles}}\n",
                  SIDE, SIDE, routings[r], FLITS, LOAD, TICKS);
        enumerate(&run.network.traffic_classes[0].routing, expected);
        const weft_link_loads *links = weft_simulation_links(run.simulation);
        double sent = run.network.traffic_classes[0].per_tick * (double)links->span;
        for (size_t i = 0; i < links->n_loads; i++) {
            double packets = (double)links->loads[i].busy / (double)FLITS;
            double wanted = sent * expected[links->loads[i].index];
            double score = wanted > 0 ? (packets - wanted) / sqrt(wanted) : packets;
            squares += score * score;
            used += wanted > 0;
            worst = fabs(score) > worst ? fabs(score) : worst;
        }
        print_message("%-44s %g links used, worst score %.2f, mean square %.2f\n", routings[r],
                      used, worst, squares / used);
        assert_true(used > 0 && worst < 5 && squares < 2 * used);
        trial_done(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_are_those_of_all_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
