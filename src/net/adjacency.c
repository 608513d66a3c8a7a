/* SPDX-License-Identifier: Apache-2.0 */
/* Distances are found for 64 targets at a time: a word per router has a bit for each target that
 * has been reached from there, and a step takes the words of all neighbours together. */
#include "net/adjacency.h"

#include "base/memory.h"
#include "net/ways.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((uint64_t)1 << 31) /* of the distances */

void weft_adjacency_init(weft_adjacency *table, uint32_t routers, uint32_t ports)
{
    size_t ends = (size_t)routers * ports;
    assert(ports <= WEFT_ADJACENCY_PORTS_MAX);
    *table = (weft_adjacency){.routers = routers, .ports = ports};
    table->to = weft_alloc(ends * sizeof *table->to + 1);
    table->back = weft_alloc(ends * sizeof *table->back + 1);
    for (size_t i = 0; i < ends; i++)
        table->to[i] = WEFT_NOWHERE;
}

void weft_adjacency_done(weft_adjacency *table)
{
    free(table->to);
    free(table->back);
    free(table->hops);
    *table = (weft_adjacency){0};
}

void weft_adjacency_join(weft_adjacency *table, weft_end a, weft_end b)
{
    size_t at = (size_t)a.router * table->ports + a.port;
    size_t bt = (size_t)b.router * table->ports + b.port;
    assert(at != bt && a.port < table->ports && b.port < table->ports);
    table->to[at] = b.router;
    table->back[at] = (uint16_t)b.port;
    table->to[bt] = a.router;
    table->back[bt] = (uint16_t)a.port;
}

bool weft_adjacency_joined(const weft_adjacency *table, uint32_t a, uint32_t b)
{
    const uint32_t *to = table->to + (size_t)a * table->ports;
    for (uint32_t p = 0; p < table->ports; p++)
        if (to[p] == b)
            return true;
    return false;
}

/* The state of a search towards 64 targets. */
typedef struct search {
    uint64_t *seen, *front,
        *next;             /* a word per router; one piece of memory that starts with seen */
    uint32_t first, count; /* targets */
} search;

static search search_open(const weft_adjacency *table)
{
    search it;
    it.seen = weft_alloc(3 * (size_t)table->routers * sizeof *it.seen);
    it.front = it.seen + table->routers;
    it.next = it.front + table->routers;
    return it;
}

static void search_start(search *it, uint32_t routers, uint32_t first, uint32_t targets)
{
    it->first = first;
    it->count = targets - first < 64 ? targets - first : 64;
    memset(it->seen, 0, (size_t)routers * sizeof *it->seen);
    memset(it->front, 0, (size_t)routers * sizeof *it->front);
    for (uint32_t i = 0; i < it->count; i++)
        it->seen[first + i] = it->front[first + i] = (uint64_t)1 << i;
}

/* One hop further; false: nothing new was reached. */
static bool search_step(search *it, const weft_adjacency *table)
{
    uint64_t any = 0;
    for (uint32_t r = 0; r < table->routers; r++) {
        const uint32_t *to = table->to + (size_t)r * table->ports;
        uint64_t reached = 0;
        for (uint32_t p = 0; p < table->ports; p++)
            if (to[p] != WEFT_NOWHERE)
                reached |= it->front[to[p]];
        it->next[r] = reached & ~it->seen[r];
        any |= it->next[r];
    }
    for (uint32_t r = 0; r < table->routers; r++)
        it->seen[r] |= it->next[r];
    uint64_t *front = it->front;
    it->front = it->next;
    it->next = front;
    return any != 0;
}

bool weft_adjacency_connected(const weft_adjacency *table, uint32_t *cut)
{
    search it = search_open(table);
    search_start(&it, table->routers, 0, 1);
    while (search_step(&it, table))
        continue;
    *cut = 0;
    while (*cut < table->routers && it.seen[*cut])
        ++*cut;
    free(it.seen);
    return *cut == table->routers;
}

/* Notes who was reached by the last step. */
static void note(weft_adjacency *table, const search *it, uint8_t hops, uint64_t *sum)
{
    for (uint32_t r = 0; r < table->routers; r++)
        for (uint64_t left = it->front[r]; left; left &= left - 1) {
            uint32_t target = it->first + (uint32_t)__builtin_ctzll(left);
            table->hops[(size_t)target * table->routers + r] = hops;
            if (r < table->targets) {
                *sum += hops;
                table->diameter = hops > table->diameter ? hops : table->diameter;
            }
        }
}

static weft_status search_all(weft_adjacency *table, search *it, uint64_t *sum, weft_error *err)
{
    for (uint32_t first = 0; first < table->targets; first += 64) {
        uint32_t hops = 1;
        search_start(it, table->routers, first, table->targets);
        for (; search_step(it, table); hops++) {
            if (hops == WEFT_ADJACENCY_FAR)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "the network has routers more than %d hops apart, the most there "
                                 "can be: give them shorter ways",
                                 WEFT_ADJACENCY_FAR - 1);
            note(table, it, (uint8_t)hops, sum);
        }
    }
    return WEFT_OK;
}

weft_status weft_adjacency_fits(uint32_t routers, uint32_t targets, weft_error *err)
{
    uint64_t bytes = (uint64_t)routers * targets;
    if (bytes <= BYTES_MAX)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the distances from %u routers to %u take %.1f GiB, at most %.0f GiB are used "
                     "for them: use fewer routers, or a regular topology, which has none",
                     routers, targets, (double)bytes * 0x1p-30, (double)BYTES_MAX * 0x1p-30);
}

weft_status weft_adjacency_survey(weft_adjacency *table, uint32_t targets, weft_error *err)
{
    uint64_t sum = 0;
    uint32_t cut;
    assert(targets >= 1 && targets <= table->routers && !table->hops);
    WEFT_TRY(weft_adjacency_fits(table->routers, targets, err));
    if (!weft_adjacency_connected(table, &cut))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the network is in pieces: there is no way from router 0 to router %u",
                         cut);
    table->targets = targets;
    table->diameter = 0;
    table->hops = weft_alloc((size_t)table->routers * targets);
    search it = search_open(table);
    weft_status status = search_all(table, &it, &sum, err);
    table->mean = targets > 1 ? (double)sum / ((double)targets * (targets - 1)) : 0;
    free(it.seen);
    return status;
}

/* Ports at which there is a cable. */
static uint64_t count_links(const weft_adjacency *table)
{
    uint64_t links = 0;
    for (size_t i = 0; i < (size_t)table->routers * table->ports; i++)
        links += table->to[i] != WEFT_NOWHERE;
    return links;
}

/* Is the cable of port p plugged into the same port everywhere? */
static bool same_back(const weft_adjacency *table, uint32_t p, uint16_t *back)
{
    bool found = false;
    for (uint32_t r = 0; r < table->routers; r++) {
        size_t at = (size_t)r * table->ports + p;
        if (table->to[at] == WEFT_NOWHERE)
            continue;
        if (found && table->back[at] != *back)
            return false;
        *back = table->back[at];
        found = true;
    }
    return true;
}

void weft_adjacency_fill(weft_topology *topology)
{
    const weft_adjacency *table = topology->self;
    topology->routers = table->routers;
    topology->homes = table->targets;
    topology->ports = table->ports;
    topology->links = count_links(table);
    topology->bits = weft_ways_bits(table->targets);
    topology->classes = table->diameter > 1 ? table->diameter : 1;
    topology->uniform = true;
    for (uint32_t p = 0; p < table->ports; p++) {
        topology->port_class[p] = WEFT_LINK_LOCAL;
        topology->lanes[p] = (uint8_t)topology->classes;
        topology->uniform = topology->uniform && same_back(table, p, &topology->peer_port[p]);
    }
}

weft_end weft_adjacency_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_adjacency *table = topology->self;
    size_t at = (size_t)router * table->ports + port;
    return (weft_end){.router = table->to[at], .port = table->back[at]};
}

uint32_t weft_adjacency_distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_adjacency *table = topology->self;
    assert(to < table->targets || from < table->targets);
    return to < table->targets ? table->hops[(size_t)to * table->routers + from]
                               : table->hops[(size_t)from * table->routers + to];
}

double weft_adjacency_mean_distance(const weft_topology *topology)
{
    return ((const weft_adjacency *)topology->self)->mean;
}

uint32_t weft_adjacency_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    (void)topology, (void)tie; /* ways share the load instead */
    return from == to ? 0 : to + 1;
}

unsigned weft_adjacency_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                             unsigned most, weft_way *out)
{
    const weft_adjacency *table = topology->self;
    if (route == 0)
        return 0;
    uint32_t target = route - 1;
    const uint8_t *hops = table->hops + (size_t)target * table->routers;
    const uint32_t *to = table->to + (size_t)router * table->ports;
    uint16_t ports[WEFT_ADJACENCY_PORTS_MAX];
    unsigned found = 0, left = hops[router];
    for (uint32_t p = 0; p < table->ports; p++)
        if (to[p] != WEFT_NOWHERE && hops[to[p]] + 1u == left)
            ports[found++] = (uint16_t)p;
    assert(found > 0);
    return weft_ways_put(ports, found, (router + target) % found, left, route, most, out);
}

uint32_t weft_adjacency_lane(const weft_topology *topology, uint32_t router, const weft_way *way)
{
    return weft_ways_lane(topology, router, way);
}

bool weft_adjacency_sound(const weft_topology *topology, uint32_t router, uint32_t route)
{
    return weft_ways_sound(((const weft_adjacency *)topology->self)->targets, router, route);
}

uint32_t weft_adjacency_diameter(const weft_topology *topology)
{
    return ((const weft_adjacency *)topology->self)->diameter;
}
