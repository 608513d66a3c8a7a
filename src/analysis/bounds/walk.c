/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/walk.h"

#include "net/routing.h"
#include "net/selection.h"

#define ASKING    3 /* steps: what it takes to ask a routing for a hop rather than the topology */
#define HOPS_MOST 4096 /* of a route; one that is longer does not arrive */

weft_walk_mode weft_walk_mode_of(const weft_routing *routing)
{
    const weft_routing_kind *kind = routing->kind;
    if (kind->reroute || kind->ports_wanted > 1)
        return WEFT_WALK_EMPTY;
    if (!routing->draws)
        return WEFT_WALK_FIXED;
    bool even = kind->ports_wanted == 1 && routing->selection == &weft_selection_random;
    return even ? WEFT_WALK_EVEN : WEFT_WALK_DRAWN;
}

void weft_walk_init(weft_walk *walk, const weft_routing *routing, weft_walk_mode mode,
                    uint64_t most)
{
    *walk = (weft_walk){.routing = routing,
                        .mode = mode,
                        .most = most,
                        .random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE)};
}

void weft_walk_done(weft_walk *walk)
{
    weft_frontier_done(&walk->front);
    weft_frontier_done(&walk->next);
}

static uint32_t nothing_waits(const void *user, uint32_t port, uint16_t vcs)
{
    (void)user, (void)port, (void)vcs;
    return 0;
}

/* The one candidate of a packet, or the first of several that is no escape; false: there are
 * several, and that ends the walk. */
static bool take_hop(weft_walk *walk, const weft_route_context *here, weft_candidate *out)
{
    const weft_routing *routing = walk->routing;
    weft_random *random = routing->draws ? &walk->random : NULL;
    const weft_topology *topology = routing->topology;
    unsigned count = topology->faults ? 0 : routing->straight;
    walk->drew = walk->drew || random;
    if (count > 0) { /* the topology's ways as they come */
        weft_minimal_port way;
        (void)topology->kind->minimal_ports(topology, here->router, here->header, 1, &way);
        *out = (weft_candidate){.port = way.port, .vcs = 1, .next_header = way.next_header};
    } else {
        weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
        count = weft_routing_candidates(routing, here, random, hops);
        *out = hops[0];
    }
    walk->chose = walk->chose || count > 1;
    return count == 1 || (count > 0 && walk->mode == WEFT_WALK_EMPTY);
}

/* What a routing that looks decides where nothing waits. */
static void settle(weft_walk *walk, weft_route_context *here)
{
    const weft_routing *routing = walk->routing;
    static const weft_congestion_view empty = {.waiting = nothing_waits};
    if (!routing->kind->reroute || !here->header)
        return;
    walk->drew = walk->drew || routing->draws;
    here->header = routing->kind->reroute(routing, here, &empty, &walk->random);
}

static bool follow(weft_walk *walk, uint32_t from, uint32_t word, double share)
{
    const weft_topology *topology = walk->routing->topology;
    weft_route_context here = {.router = from, .header = word, .port = WEFT_FROM_ENDPOINT};
    uint32_t came = WEFT_LINK_HOST;
    settle(walk, &here);
    for (int hops = 0; here.header; hops++) {
        weft_candidate hop;
        walk->steps += walk->routing->straight ? 1 : ASKING;
        if (hops == HOPS_MOST || walk->steps > walk->most || !take_hop(walk, &here, &hop))
            return false;
        walk->pass(walk->user, here.router, hop.port, came, share);
        weft_end end = topology->kind->peer(topology, here.router, hop.port);
        came = weft_topology_link_class(topology, here.router, hop.port);
        here = (weft_route_context){.router = end.router,
                                    .header = hop.next_header,
                                    .port = (uint16_t)end.port,
                                    .vc = hop.vcs ? (uint16_t)__builtin_ctz(hop.vcs) : 0};
        settle(walk, &here);
    }
    if (walk->arrive)
        walk->arrive(walk->user, came, share);
    return true;
}

/* All ways of a spot, each with its part of the share. */
static void split(weft_walk *walk, const weft_spot *spot)
{
    const weft_topology *topology = walk->routing->topology;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = topology->kind->minimal_ports(topology, spot->router, spot->route,
                                                   WEFT_MINIMAL_PORTS_MAX, ways);
    for (unsigned i = 0; i < count; i++) {
        double part = spot->share / count;
        walk->pass(walk->user, spot->router, ways[i].port, spot->came, part);
        weft_frontier_add(
            &walk->next,
            (weft_spot){.router = topology->kind->peer(topology, spot->router, ways[i].port).router,
                        .route = ways[i].next_header,
                        .came = weft_topology_link_class(topology, spot->router, ways[i].port),
                        .share = part});
    }
    walk->steps += count;
}

static bool follow_evenly(weft_walk *walk, uint32_t from, uint32_t word, double share)
{
    weft_frontier_clear(&walk->front);
    weft_frontier_add(&walk->front, (weft_spot){from, word, WEFT_LINK_HOST, share});
    while (walk->front.n_spots) {
        weft_frontier_clear(&walk->next);
        for (size_t i = 0; i < walk->front.n_spots; i++) {
            const weft_spot *spot = &walk->front.spots[i];
            if (spot->route)
                split(walk, spot);
            else if (walk->arrive)
                walk->arrive(walk->user, spot->came, spot->share);
        }
        weft_frontier swap = walk->front;
        walk->front = walk->next;
        walk->next = swap;
        if (walk->steps > walk->most)
            return false;
    }
    return true;
}

typedef struct words { /* of a pair, while they are listed */
    weft_walk *walk;
    uint32_t from, host;
    double share; /* of each */
    bool going;
} words;

static void take_word(void *user, uint32_t word)
{
    words *w = user;
    weft_walk *walk = w->walk;
    if (!w->going)
        return;
    uint32_t marked = word ? weft_routing_header_for_host(walk->routing, word, w->host) : 0;
    w->going = walk->mode == WEFT_WALK_EVEN ? follow_evenly(walk, w->from, marked, w->share)
                                            : follow(walk, w->from, marked, w->share);
}

static void skip_word(void *user, uint32_t word)
{
    (void)user, (void)word;
}

bool weft_walk_pair(weft_walk *walk, uint32_t from, uint32_t to, uint32_t host, double share)
{
    const weft_routing *routing = walk->routing;
    words w = {.walk = walk, .from = from, .host = host, .share = share, .going = true};
    if (from == to) {
        take_word(&w, 0);
    } else if (routing->kind->initial_header &&
               routing->kind->reroute) { /* one of many that change anyway */
        walk->drew = true;
        take_word(&w, routing->kind->initial_header(routing, from, to, &walk->random));
    } else {
        w.share = share / weft_routing_starts(routing, from, to, skip_word, NULL);
        (void)weft_routing_starts(routing, from, to, take_word, &w);
    }
    return w.going;
}
