/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/worst_pattern.h"

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/link_uses.h"
#include "analysis/bounds/matching.h"
#include "analysis/bounds/walk.h"
#include "base/memory.h"
#include "base/numeric.h"

#include <stdlib.h>
#include <string.h>

#define SWAPS_EACH  64 /* tried of an end, on average, from each start */
#define SWAPS_LEAST 4096
#define CLOSE       1e-6 /* two loads are the same */
#define STEPS       3e8  /* of matching, for an effort of 1 */

typedef struct search {
    const weft_network *network;
    weft_walk walk;
    uint32_t ends;  /* senders and receivers */
    uint32_t hosts; /* of a router; 1: its endpoints are one */
    /* links: what a unit of flow from an end means for each, as a multiple of an endpoint's load */
    double *weight;
    double *load; /* links: … of the permutation in hand */
    double bad;   /* Σ load⁴: grows with the greatest, and before it does */
    double sign;  /* of what is being walked */
    uint32_t *to; /* the permutation in hand */
    weft_random random;
    weft_worst *worst;
} search;

static double fourth(double x)
{
    return x * x * x * x;
}

static void pass(void *user, uint32_t router, uint32_t port, uint32_t came, double share)
{
    search *s = user;
    size_t link = (size_t)router * s->network->topology.ports + port;
    (void)came;
    double before = s->load[link], after = before + s->sign * share * s->weight[link];
    s->load[link] = after;
    s->bad += fourth(after) - fourth(before);
}

static void add(search *s, uint32_t from, uint32_t to, double sign)
{
    uint32_t exit = to / s->hosts + s->network->topology.egress_offset;
    s->sign = sign;
    if (from != to)
        (void)weft_walk_pair(&s->walk, from / s->hosts, exit, to % s->hosts, 1);
}

static void swap(search *s, uint32_t a, uint32_t b)
{
    uint32_t to_a = s->to[a], to_b = s->to[b];
    add(s, a, to_a, -1);
    add(s, b, to_b, -1);
    add(s, a, to_b, 1);
    add(s, b, to_a, 1);
    s->to[a] = to_b;
    s->to[b] = to_a;
}

static size_t links_of(const search *s)
{
    return (size_t)s->network->topology.routers * s->network->topology.ports;
}

/* Keeps the permutation in hand if it is the worst so far. */
static void keep(search *s)
{
    for (size_t i = 0; i < links_of(s); i++)
        if (s->load[i] > s->worst->gamma * (1 + 1e-9)) {
            s->worst->gamma = s->load[i];
            s->worst->router = (uint32_t)(i / s->network->topology.ports);
            s->worst->port = (uint32_t)(i % s->network->topology.ports);
            memcpy(s->worst->to, s->to, sizeof *s->to * s->ends);
        }
}

/* The loads of the permutation in hand, from the start. */
static void weigh(search *s)
{
    memset(s->load, 0, sizeof *s->load * links_of(s));
    s->bad = 0;
    for (uint32_t e = 0; e < s->ends; e++)
        add(s, e, s->to[e], 1);
}

static void shuffle(search *s)
{
    for (uint32_t e = 0; e < s->ends; e++)
        s->to[e] = e;
    for (uint32_t e = s->ends; e > 1; e--) {
        uint32_t other = weft_random_below(&s->random, e), to = s->to[e - 1];
        s->to[e - 1] = s->to[other];
        s->to[other] = to;
    }
}

#define DESIGNED 3 /* starts that are no draws: the next group, the mirror image, half way round */

static void begin(search *s, uint32_t start)
{
    uint32_t group = s->network->topology.group, step = (group ? group : 1) * s->hosts;
    shuffle(s);
    for (uint32_t e = 0; e < s->ends && start < DESIGNED; e++)
        s->to[e] = start == 0   ? (e + step) % s->ends
                   : start == 1 ? s->ends - 1 - e
                                : (e + s->ends / 2) % s->ends;
    weigh(s);
}

/* Climbs, and at first takes steps down too. */
static void climb(search *s)
{
    uint64_t swaps = (uint64_t)SWAPS_EACH * s->ends;
    swaps = swaps > SWAPS_LEAST ? swaps : SWAPS_LEAST;
    for (uint64_t i = 0; i < swaps; i++) {
        uint32_t a = weft_random_below(&s->random, s->ends),
                 b = weft_random_below(&s->random, s->ends);
        double before = s->bad, heat = 0.02 * (1 - 2 * (double)i / (double)swaps);
        if (a == b)
            continue;
        swap(s, a, b);
        bool down = s->bad < before * (1 - 1e-12);
        if (down &&
            (heat <= 0 || weft_random_open(&s->random) >= weft_exp((s->bad / before - 1) / heat)))
            swap(s, a, b);
    }
    keep(s);
}

/* By matchings, link by link, the most promising first. */
static void match(search *s, const weft_link_uses *uses, double steps)
{
    weft_worst *worst = s->worst;
    uint32_t n = s->ends;
    double *weight = weft_alloc(sizeof *weight * n * n), each = (double)n * n * n;
    bool alike = weft_channel_alike(s->walk.routing); /* then one router's links say all */
    worst->exact = true;
    for (uint32_t i = 0; i < uses->links; i++) {
        const weft_link_use *use = &uses->use[i];
        if (alike && use->link >= s->network->topology.ports)
            continue;
        if (use->rank <= worst->gamma * (1 + CLOSE)) { /* nor are any of those that follow worse */
            worst->matched = uses->links;
            break;
        }
        if (steps < each) {
            worst->exact = false;
            break;
        }
        steps -= each;
        weft_link_uses_matrix(uses, use, weight);
        double sum = weft_matching_find(weight, n, s->to) * s->weight[use->link];
        worst->matched++;
        if (sum > worst->gamma * (1 + CLOSE)) {
            worst->gamma = sum;
            worst->router = use->link / s->network->topology.ports;
            worst->port = use->link % s->network->topology.ports;
            memcpy(worst->to, s->to, sizeof *s->to * n);
        }
    }
    free(weight);
}

static void set_weights(search *s)
{
    const weft_network *network = s->network;
    const weft_topology *topology = &network->topology;
    const weft_time *period = network->timing.period;
    int64_t ports = network->scenario->endpoint.ports;
    uint32_t each = topology->concentration / s->hosts; /* endpoints of an end */
    double sends = each * (double)(ports > 0 ? ports : 1) / (double)period[WEFT_LINK_HOST];
    for (size_t i = 0; i < links_of(s); i++)
        s->weight[i] =
            sends *
            (double)period[weft_topology_link_class(topology, (uint32_t)(i / topology->ports),
                                                    (uint32_t)(i % topology->ports))];
}

static weft_status check(const weft_network *network, uint32_t traffic_class, weft_error *err)
{
    const weft_routing *routing = &network->traffic_classes[traffic_class].routing;
    weft_walk_mode mode = weft_walk_mode_of(routing);
    if (mode == WEFT_WALK_EMPTY || mode == WEFT_WALK_DRAWN)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing %s %s: there is no worst pattern for it before it runs; look for "
                         "that of a routing with fixed routes, such as dimension-order",
                         routing->kind->base.name,
                         mode == WEFT_WALK_EMPTY ? "looks at the load" : "draws its ways");
    if (network->topology.first)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routers have different numbers of endpoints: the worst pattern is looked "
                         "for where all have as many (topology.hosts)");
    if (network->topology.edge_routers < 2)
        return weft_fail(err, WEFT_BAD_INPUT, "one router sends nothing to another");
    return WEFT_OK;
}

/* Those that send to nobody send to each other, in a circle: it adds to links, or does nothing
 * to them. */
static void wake_silent(search *s)
{
    uint32_t first = s->ends, last = 0;
    for (uint32_t e = 0; e < s->ends; e++) {
        if (s->to[e] != e)
            continue;
        if (first == s->ends)
            first = e;
        else
            s->to[last] = e;
        last = e;
    }
    if (first < last)
        s->to[last] = first;
}

/* After something bad has been found: it tells which links need no look. */
static void finish(search *s, const weft_worst_plan *plan)
{
    weft_link_uses uses;
    if (!weft_link_uses_find(&uses, &s->walk))
        return;
    for (uint32_t i = 0; i < uses.links; i++)
        uses.use[i].rank = uses.use[i].most * s->weight[uses.use[i].link];
    weft_link_uses_sort(&uses);
    s->worst->links = uses.links;
    match(s, &uses, plan->effort * STEPS);
    weft_link_uses_done(&uses);
    memcpy(s->to, s->worst->to, sizeof *s->to * s->ends); /* once more, without roundings */
    wake_silent(s);
    weigh(s);
    s->worst->gamma = 0;
    keep(s);
}

/* What is bad by design, then matchings, and if there were too many of them local searches.
 * False: routes are not fixed. */
static bool seek(search *s, const weft_worst_plan *plan)
{
    for (uint32_t start = 0; start < DESIGNED; start++) {
        begin(s, start);
        keep(s);
    }
    if (s->walk.chose || s->walk.drew)
        return false;
    finish(s, plan);
    for (uint32_t start = 0; start < plan->effort + DESIGNED && !s->worst->exact; start++) {
        begin(s, start);
        climb(s);
    }
    return true;
}

weft_status weft_worst_find(weft_worst *worst, const weft_network *network, uint32_t traffic_class,
                            const weft_worst_plan *plan, weft_error *err)
{
    const weft_routing *routing = &network->traffic_classes[traffic_class].routing;
    uint32_t hosts = weft_routing_hosts(routing);
    *worst = (weft_worst){.ends = network->topology.edge_routers * hosts, .hosts = hosts};
    WEFT_TRY(check(network, traffic_class, err));
    search s = {.network = network,
                .ends = worst->ends,
                .hosts = hosts,
                .worst = worst,
                .random = weft_random_stream(plan->seed, 0, 0, WEFT_FOR_ESTIMATE)};
    weft_walk_init(&s.walk, routing, weft_walk_mode_of(routing), UINT64_MAX);
    s.walk.pass = pass;
    s.walk.user = &s;
    s.weight = weft_alloc(sizeof *s.weight * links_of(&s));
    s.load = weft_alloc(sizeof *s.load * links_of(&s));
    s.to = weft_alloc(sizeof *s.to * s.ends);
    worst->to = weft_alloc(sizeof *worst->to * s.ends);
    set_weights(&s);
    bool known = seek(&s, plan);
    worst->throughput = worst->gamma > 1 ? 1 / worst->gamma : 1;
    weft_walk_done(&s.walk);
    free(s.weight);
    free(s.load);
    free(s.to);
    return known ? WEFT_OK
                 : weft_fail(err, WEFT_BAD_INPUT,
                             "routing %s chooses or draws its ways: its routes are not fixed",
                             routing->kind->base.name);
}

void weft_worst_done(weft_worst *worst)
{
    free(worst->to);
    worst->to = NULL;
}
