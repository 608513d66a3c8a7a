/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/channel_load.h"

#include "base/memory.h"
#include "analysis/bounds/demand.h"
#include "net/routing.h"
#include "analysis/bounds/uniform_load.h"
#include "analysis/bounds/walk.h"

#include <stdlib.h>
#include <string.h>

#define CLOSE      1e-12               /* of two that are as busy the first is told */
#define LINKS_MOST ((uint64_t)1 << 25) /* that are told apart */
#define ASKING     24 /* a walk that may take more than this part of its budget is too long */

typedef struct survey {
    const weft_network *network;
    weft_channel_load *load;
    weft_walk_mode mode[WEFT_CLASSES_MAX];
    double *busy;   /* flits' ticks per tick of each link, port or slab */
    size_t count;   /* of them */
    uint32_t width; /* of a port's slabs */
    weft_demand demand;
    uint64_t budget, spent;
    /* Homes whose packets stand for all, where routes depend on the load and the mean path alone is
     * wanted; 0: all do. */
    uint32_t some;
    bool counts;          /* the flow in hand counts for links */
    weft_mean_path *path; /* its own */
} survey;

static size_t slot(const survey *s, uint32_t router, uint32_t port)
{
    const weft_topology *topology = &s->network->topology;
    const weft_lattice *lattice = &topology->lattice;
    if (s->load->fold == WEFT_FOLD_NONE)
        return (size_t)router * topology->ports + port;
    if (s->load->fold == WEFT_FOLD_PORTS)
        return port;
    uint32_t dim = lattice->port_dim[port];
    for (uint32_t d = lattice->dims; --d > dim;)
        router /= lattice->size[d];
    return (size_t)port * s->width + router % lattice->size[dim];
}

static void pass(void *user, uint32_t router, uint32_t port, uint32_t came, double share)
{
    const survey *s = user;
    uint32_t class = weft_topology_link_class(&s->network->topology, router, port);
    if (came < WEFT_PATH_CLASSES && class < WEFT_PATH_CLASSES)
        s->path->link[came][class] += share;
    if (s->counts)
        s->busy[slot(s, router, port)] += share * (double)s->network->timing.period[class];
}

static void arrive(void *user, uint32_t came, double share)
{
    const survey *s = user;
    if (came < WEFT_PATH_CLASSES)
        s->path->link[came][WEFT_LINK_HOST] += share;
}

/* Are candidates the ways of words that the topology makes, as they are? */
static bool is_plain(const weft_routing *routing)
{
    return !routing->kind->initial_header && !routing->kind->reroute &&
           routing->kind->ports_wanted > 0;
}

bool weft_channel_alike(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    return topology->lattice.dims && topology->proof.vertex_transitive &&
           topology->proof.header_self_contained && !topology->faults && !topology->link_class &&
           is_plain(routing) && weft_headers_alike(topology);
}

static weft_fold choose_fold(const survey *s)
{
    const weft_network *network = s->network;
    const weft_topology *topology = &network->topology;
    bool alike = true, adapts = false;
    if (!topology->lattice.dims || !topology->proof.header_self_contained || topology->faults ||
        topology->link_class)
        return WEFT_FOLD_NONE;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[f];
        if (traffic_class->routing.kind->reroute || !traffic_class->routing.kind->always_minimal)
            return WEFT_FOLD_NONE;
        alike = alike && weft_demand_invariant(traffic_class) &&
                weft_channel_alike(&traffic_class->routing);
        adapts = adapts || s->mode[f] == WEFT_WALK_EMPTY;
    }
    if (alike)
        return WEFT_FOLD_PORTS;
    return adapts ? WEFT_FOLD_SLABS : WEFT_FOLD_NONE;
}

static void choose_slots(survey *s)
{
    const weft_topology *topology = &s->network->topology;
    const weft_lattice *lattice = &topology->lattice;
    s->load->fold = choose_fold(s);
    s->width = 0;
    for (uint32_t d = 0; d < lattice->dims; d++)
        s->width = lattice->size[d] > s->width ? lattice->size[d] : s->width;
    s->count = s->load->fold == WEFT_FOLD_NONE    ? (size_t)topology->routers * topology->ports
               : s->load->fold == WEFT_FOLD_PORTS ? topology->ports
                                                  : (size_t)topology->ports * s->width;
}

/* Do all links between routers take the same time? */
static bool are_one_kind(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    const weft_timing *timing = &network->timing;
    if (topology->link_class)
        return false;
    for (uint32_t p = 1; p < topology->ports; p++) {
        weft_link_class a = topology->port_class[0], b = topology->port_class[p];
        if (timing->period[a] != timing->period[b] || timing->wire[a] != timing->wire[b])
            return false;
    }
    return true;
}

/* What a home sends in one flow, all the way. False: it was too much, or the routing is not what it
 * was taken for. */
static bool follow_traffic_class(survey *s, uint32_t home, uint32_t f)
{
    const weft_network *network = s->network;
    const weft_topology *topology = &network->topology;
    weft_walk walk;
    weft_walk_init(&walk, &network->traffic_classes[f].routing, s->mode[f], s->budget - s->spent);
    walk.random = weft_random_stream(1, home, f, WEFT_FOR_ESTIMATE);
    walk.pass = pass;
    walk.arrive = arrive;
    walk.user = s;
    s->path = &s->load->path[f];
    s->counts = s->mode[f] != WEFT_WALK_EMPTY || s->load->fold != WEFT_FOLD_NONE;
    bool going = true;
    for (uint32_t i = 0; going && i < s->demand.count; i++) {
        uint32_t place = s->demand.places[i];
        uint32_t exit = s->demand.apart ? weft_topology_home(topology, place) : place;
        uint32_t host = s->demand.apart ? weft_topology_host(topology, place) : 0;
        going =
            weft_walk_pair(&walk, home, exit + topology->egress_offset, host, s->demand.to[place]);
    }
    if (!going && walk.chose && walk.steps <= walk.most)
        s->mode[f] = WEFT_WALK_EMPTY; /* it adapts */
    bool as_long =
        walk.routing->kind->always_minimal && are_one_kind(network); /* whatever was drawn */
    s->path->exact = s->path->exact && (!walk.drew || as_long);
    s->load->exact =
        s->load->exact && (!walk.drew || !s->counts || s->load->fold != WEFT_FOLD_NONE);
    s->spent += walk.steps;
    weft_walk_done(&walk);
    return going;
}

static bool follow_home(survey *s, uint32_t home)
{
    const weft_network *network = s->network;
    uint32_t hosts = weft_topology_hosts(&network->topology, home);
    double *sends = weft_alloc(sizeof *sends * hosts);
    bool going = true;
    for (uint32_t f = 0; going && f < network->n_traffic_classes; f++) {
        weft_demand_clear(&s->demand, network);
        s->spent += weft_demand_add(&s->demand, network, &network->traffic_classes[f], home);
        for (uint32_t h = 0; h < hosts; h++)
            sends[h] += s->demand.from[h];
        going = s->spent <= s->budget && follow_traffic_class(s, home, f);
    }
    for (uint32_t h = 0; h < hosts; h++) {
        double rate = sends[h] * weft_demand_slowness(
                                     network, weft_topology_first(&network->topology, home) + h);
        s->load->sends = rate > s->load->sends ? rate : s->load->sends;
    }
    free(sends);
    return going;
}

static void find_busiest(const survey *s)
{
    const weft_topology *topology = &s->network->topology;
    const weft_lattice *lattice = &topology->lattice;
    weft_channel_load *load = s->load;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t port = (uint32_t)(load->fold == WEFT_FOLD_NONE    ? i % topology->ports
                                   : load->fold == WEFT_FOLD_PORTS ? i
                                                                   : i / s->width);
        double links = load->fold == WEFT_FOLD_SLABS
                           ? topology->routers / lattice->size[lattice->port_dim[port]]
                           : 1;
        if (s->busy[i] / links <= load->busiest * (1 + CLOSE))
            continue;
        load->busiest = s->busy[i] / links;
        load->port = port;
        load->router = load->fold == WEFT_FOLD_NONE ? (uint32_t)(i / topology->ports) : 0;
        if (load->fold == WEFT_FOLD_SLABS) {
            load->router = (uint32_t)(i % s->width);
            for (uint32_t d = lattice->dims; --d > lattice->port_dim[port];)
                load->router *= lattice->size[d];
        }
    }
}

static void conclude(survey *s)
{
    weft_channel_load *load = s->load;
    for (uint32_t f = 0; f < s->network->n_traffic_classes; f++) {
        weft_mean_path_average(s->network, &load->path[f]);
        load->whole = load->whole && (s->mode[f] != WEFT_WALK_EMPTY);
    }
    find_busiest(s);
    load->known = true;
    if (load->fold == WEFT_FOLD_PORTS || s->some) {
        load->receives = load->sends; /* all endpoints are alike */
        return;
    }
    load->receives = weft_demand_busiest(&s->demand, s->network, &load->receiver);
}

static bool tells_hosts_apart(const weft_network *network)
{
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (weft_routing_hosts(&network->traffic_classes[f].routing) > 1)
            return true;
    return false;
}

/* Once, as the modes have it; false if one of them was wrong. */
static bool look(survey *s)
{
    const weft_network *network = s->network;
    weft_walk_mode before[WEFT_CLASSES_MAX];
    memcpy(before, s->mode, sizeof before);
    *s->load = (weft_channel_load){.exact = true, .ends_exact = true, .whole = true};
    choose_slots(s);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        bool known = weft_demand_known(&network->traffic_classes[f]);
        s->load->exact = s->load->exact && known;
        s->load->ends_exact = s->load->ends_exact && known;
        s->load->path[f].exact = known;
    }
    uint32_t homes = network->topology.edge_routers, from = s->load->fold == WEFT_FOLD_PORTS ? 1
                                                            : s->some ? s->some
                                                                      : homes;
    s->load->pairs = (uint64_t)homes * from;
    s->spent = 0;
    s->busy = weft_alloc(sizeof *s->busy * (s->count + 1));
    bool all = s->load->fold != WEFT_FOLD_PORTS && !s->some;
    weft_demand_init(&s->demand, network, tells_hosts_apart(network), all);
    uint32_t home = 0;
    while (home < from && follow_home(s, home))
        home++;
    if (home == from)
        conclude(s);
    weft_demand_done(&s->demand);
    free(s->busy);
    return memcmp(before, s->mode, sizeof before) == 0;
}

static void skip_word(void *user, uint32_t word)
{
    (void)user, (void)word;
}

/* Routes of a pair that all have to be looked at, as the first two homes have it. */
static uint32_t words_of(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    if (topology->edge_routers < 2 || (routing->kind->initial_header && routing->kind->reroute))
        return 1;
    return weft_routing_starts(routing, 0, 1 + topology->egress_offset, skip_word, NULL);
}

/* Does every new pair of routers take long to look at? */
static bool is_slow(const weft_network *network)
{
    bool slow = network->topology.slow;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        slow = slow || network->traffic_classes[f].routing.slow;
    return slow;
}

/* Would it be far too much? As the first home that sends has it, if all are like it. */
static bool is_hopeless(survey *s)
{
    const weft_network *network = s->network;
    uint32_t all = s->load->fold == WEFT_FOLD_PORTS ? 1
                   : s->some                        ? s->some
                                                    : network->topology.edge_routers;
    double steps = 0;
    weft_demand_init(&s->demand, network, tells_hosts_apart(network), false);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_host_set *from = network->traffic_classes[f].traffic.pattern.from;
        uint32_t first = from ? weft_topology_home(&network->topology, from->ranges[0].first) : 0;
        double homes = from && from->count < all ? from->count : all;
        weft_demand_clear(&s->demand, network);
        (void)weft_demand_add(&s->demand, network, &network->traffic_classes[f], first);
        steps += homes * s->demand.count * (network->traffic_classes[f].mean_hops + 1) *
                 words_of(&network->traffic_classes[f].routing);
    }
    weft_demand_done(&s->demand);
    return steps > 2 * (double)s->budget;
}

static survey survey_of(weft_channel_load *load, const weft_network *network, uint64_t budget)
{
    survey s = {.network = network, .load = load, .budget = budget};
    const weft_topology *topology = &network->topology;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        s.mode[f] = weft_walk_mode_of(&network->traffic_classes[f].routing);
    *load = (weft_channel_load){0};
    choose_slots(&s);
    load->pairs = (uint64_t)topology->edge_routers * topology->edge_routers;
    return s;
}

/* Is it not worth while to begin? */
static bool is_too_much(survey *s)
{
    const weft_topology *topology = &s->network->topology;
    return (s->load->fold == WEFT_FOLD_NONE && topology->links > LINKS_MOST) ||
           is_slow(s->network) || is_hopeless(s);
}

/* Homes that stand for all where no link is looked at, only the path in an empty network. */
static uint32_t count_some(const survey *s)
{
    const weft_network *network = s->network;
    uint32_t core;
    bool empty = s->load->fold == WEFT_FOLD_NONE && !network->topology.host_class;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        empty = empty && s->mode[f] == WEFT_WALK_EMPTY;
    return empty && weft_uniform_traffic(network) ? weft_uniform_period(network, &core) : 0;
}

static void find_by_walk(survey *s)
{
    if (is_too_much(s))
        return;
    while (!look(s))
        ;
}

void weft_channel_load_walk(weft_channel_load *load, const weft_network *network, uint64_t budget)
{
    survey s = survey_of(load, network, budget);
    find_by_walk(&s);
}

void weft_channel_load_find(weft_channel_load *load, const weft_network *network, uint64_t budget)
{
    survey s = survey_of(load, network, budget / ASKING);
    bool large = is_too_much(&s);
    if (large && weft_uniform_load_find(load, network, budget))
        return;
    s = survey_of(load, network, budget);
    s.some = large ? count_some(&s) : 0;
    find_by_walk(&s);
}
