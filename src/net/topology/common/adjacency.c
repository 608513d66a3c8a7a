/* SPDX-License-Identifier: Apache-2.0 */
/* Distances are found for 512 targets at a time: a row of words per router has a bit for each
 * target reached from there, and a step merges the rows of all neighbours. */
#include "net/topology/common/adjacency.h"

#include "base/memory.h"
#include "net/topology/common/distance_cache.h"
#include "net/topology/common/ways.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX   ((uint64_t)1 << 31) /* of the distances */
#define BYTES_USUAL ((uint64_t)1 << 29) /* that are tabulated at once */
#define WORDS       8u
#define AT_ONCE     (64 * WORDS)

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
    weft_distance_cache_destroy(table->distance_cache);
    weft_spreading_done(&table->spreading);
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

/* The state of a search towards some targets. */
typedef struct search {
    uint64_t *seen, *front,
        *next;             /* WORDS of them per router; one piece of memory that starts with seen */
    uint8_t *fresh;        /* per router: is anything in its front? */
    uint32_t first, count; /* targets */
    uint64_t all[WORDS];   /* what a router has seen in the end */
} search;

static search search_open(const weft_adjacency *table)
{
    size_t words = (size_t)table->routers * WORDS;
    search it = {.seen = weft_alloc(3 * words * sizeof *it.seen),
                 .fresh = weft_alloc(table->routers)};
    it.front = it.seen + words;
    it.next = it.front + words;
    return it;
}

static void search_close(search *it)
{
    free(it->seen);
    free(it->fresh);
}

static void search_start(search *it, uint32_t routers, uint32_t first, uint32_t targets)
{
    size_t bytes = (size_t)routers * WORDS * sizeof *it->seen;
    it->first = first;
    it->count = targets - first < AT_ONCE ? targets - first : AT_ONCE;
    memset(it->seen, 0, bytes);
    memset(it->front, 0, bytes);
    memset(it->fresh, 0, routers);
    memset(it->all, 0, sizeof it->all);
    for (uint32_t i = 0; i < it->count; i++) {
        it->fresh[first + i] = 1;
        size_t at = (size_t)(first + i) * WORDS + i / 64;
        it->seen[at] = it->front[at] = (uint64_t)1 << i % 64;
        it->all[i / 64] |= (uint64_t)1 << i % 64;
    }
}

/* What a router reaches by one hop more; returns whether that is anything new. */
static bool gather(search *it, const weft_adjacency *table, uint32_t router)
{
    const uint32_t *to = table->to + (size_t)router * table->ports;
    const uint64_t *seen = it->seen + (size_t)router * WORDS;
    uint64_t reached[WORDS] = {0}, any = 0;
    for (uint32_t p = 0; p < table->ports; p++)
        if (to[p] != WEFT_NOWHERE)
            __builtin_prefetch(it->front + (size_t)to[p] * WORDS);
    if (memcmp(seen, it->all, sizeof it->all) != 0)
        for (uint32_t p = 0; p < table->ports; p++)
            if (to[p] != WEFT_NOWHERE && it->fresh[to[p]])
                for (uint32_t w = 0; w < WORDS; w++)
                    reached[w] |= it->front[(size_t)to[p] * WORDS + w];
    for (uint32_t w = 0; w < WORDS; w++) {
        reached[w] &= ~seen[w];
        any |= reached[w];
    }
    memcpy(it->next + (size_t)router * WORDS, reached, sizeof reached);
    return any != 0;
}

/* One hop further; false: nothing new was reached. */
static bool search_step(search *it, const weft_adjacency *table)
{
    bool any = false;
    for (uint32_t r = 0; r < table->routers; r++)
        any |= gather(it, table, r);
    for (size_t r = 0; r < table->routers; r++) {
        uint64_t *seen = it->seen + r * WORDS, fresh = 0;
        const uint64_t *next = it->next + r * WORDS;
        for (uint32_t w = 0; w < WORDS; w++) {
            seen[w] |= next[w];
            fresh |= next[w];
        }
        it->fresh[r] = fresh != 0;
    }
    uint64_t *front = it->front;
    it->front = it->next;
    it->next = front;
    return any;
}

bool weft_adjacency_connected(const weft_adjacency *table, uint32_t *cut)
{
    search it = search_open(table);
    search_start(&it, table->routers, 0, 1);
    while (search_step(&it, table))
        continue;
    *cut = 0;
    while (*cut < table->routers && it.seen[(size_t)*cut * WORDS])
        ++*cut;
    search_close(&it);
    return *cut == table->routers;
}

/* Tabulates who was reached by the last step. */
static void note(const weft_adjacency *table, const search *it, uint8_t hops, uint8_t *out)
{
    for (size_t r = 0; r < table->routers; r++)
        for (uint32_t w = 0; w < WORDS; w++)
            for (uint64_t left = it->front[r * WORDS + w]; left; left &= left - 1) {
                size_t target = it->first + 64 * w + (uint32_t)__builtin_ctzll(left);
                out[target * table->routers + r] = hops;
            }
}

/* How many targets were. */
static uint64_t count_reached(const weft_adjacency *table, const search *it)
{
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)table->targets * WORDS; i++)
        count += (uint64_t)__builtin_popcountll(it->front[i]);
    return count;
}

typedef struct distances { /* between targets */
    uint32_t farthest;
    uint64_t sum;
} distances;

/* hops: to be tabulated; NULL: only looked at. */
static weft_status search_all(const weft_adjacency *table, uint8_t *out, distances *found,
                              weft_error *err)
{
    weft_status status = WEFT_OK;
    search it = search_open(table);
    *found = (distances){0};
    for (uint32_t first = 0; first < table->targets && status == WEFT_OK; first += AT_ONCE) {
        search_start(&it, table->routers, first, table->targets);
        for (uint32_t hops = 1; search_step(&it, table) && status == WEFT_OK; hops++) {
            uint64_t reached = count_reached(table, &it);
            found->sum += reached * hops;
            found->farthest = reached && hops > found->farthest ? hops : found->farthest;
            if (hops == WEFT_ADJACENCY_FAR)
                status = weft_fail(
                    err, WEFT_BAD_INPUT,
                    "the network has routers more than %d hops apart, the most there can be: give "
                    "them shorter ways",
                    WEFT_ADJACENCY_FAR - 1);
            else if (out)
                note(table, &it, (uint8_t)hops, out);
        }
    }
    search_close(&it);
    return status;
}

weft_status weft_adjacency_survey(weft_adjacency *table, uint32_t targets, weft_error *err)
{
    uint32_t cut;
    distances found;
    assert(targets >= 1 && targets <= table->routers && !table->hops);
    if (!weft_adjacency_connected(table, &cut))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the network is in pieces: there is no way from router 0 to router %u",
                         cut);
    size_t cells = (size_t)table->routers * targets;
    table->targets = targets;
    if (cells <= BYTES_USUAL)
        table->hops = weft_alloc(cells);
    else
        table->distance_cache = weft_distance_cache_create(table);
    WEFT_TRY(search_all(table, table->hops, &found, err));
    table->diameter = found.farthest;
    table->mean = targets > 1 ? (double)found.sum / ((double)targets * (targets - 1)) : 0;
    return WEFT_OK;
}

weft_status weft_adjacency_ready(const weft_topology *topology, bool dry, weft_error *err)
{
    weft_adjacency *table = topology->self;
    uint64_t cells = (uint64_t)table->routers * table->targets;
    distances found;
    if (table->hops)
        return WEFT_OK;
    if (cells > BYTES_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the distances from %u routers to %u take %.1f GiB in a run, at most %.0f "
                         "GiB are used for them: use fewer routers, or a regular topology, which "
                         "has none; weft check can do without, but for a level of a hierarchy",
                         table->routers, table->targets, (double)cells * 0x1p-30,
                         (double)BYTES_MAX * 0x1p-30);
    if (dry)
        return WEFT_OK;
    table->hops = weft_alloc(cells);
    return search_all(table, table->hops, &found, err); /* which it has survived before */
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

void weft_adjacency_fill(weft_topology *topology, uint32_t hosts)
{
    weft_adjacency *table = topology->self;
    weft_spreading_init(&table->spreading, table->to, table->routers, table->ports, table->targets);
    topology->routers = table->routers;
    topology->edge_routers = table->targets;
    topology->concentration = hosts;
    topology->ports = table->ports;
    topology->links = count_links(table);
    topology->header_bits = weft_ways_bits(table->targets * hosts);
    topology->max_vc_classes = table->diameter > 1 ? table->diameter : 1;
    topology->proof.hop_indexed_vcs = true;
    topology->slow = !table->hops;
    topology->uniform = true;
    for (uint32_t p = 0; p < table->ports; p++) {
        topology->port_class[p] = WEFT_LINK_LOCAL;
        topology->vc_classes[p] = (uint8_t)topology->max_vc_classes;
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
    if (!table->hops)
        return weft_distance_cache_distance(table->distance_cache, table, from, to);
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
    (void)tie; /* endpoints share the load instead */
    return from == to ? 0 : to * topology->concentration + 1;
}

uint32_t weft_adjacency_mark(const weft_topology *topology, uint32_t route, uint32_t host)
{
    return route ? (route - 1) / topology->concentration * topology->concentration + host + 1 : 0;
}

/* The ports behind which a target is nearer; *left: hops from here. */
static unsigned find_ports(const weft_adjacency *table, uint32_t router, uint32_t target,
                           unsigned *left, uint16_t *ports)
{
    const uint8_t *hops = table->hops + (size_t)target * table->routers;
    const uint32_t *to = table->to + (size_t)router * table->ports;
    unsigned found = 0;
    *left = hops[router];
    for (uint32_t p = 0; p < table->ports; p++)
        if (to[p] != WEFT_NOWHERE && hops[to[p]] + 1u == *left)
            ports[found++] = (uint16_t)p;
    return found;
}

/* The same where nothing is tabulated. */
static unsigned ask_ports(const weft_adjacency *table, uint32_t router, uint32_t target,
                          unsigned *left, uint16_t *ports)
{
    uint8_t here, hops[WEFT_ADJACENCY_PORTS_MAX];
    unsigned found = 0;
    weft_distance_cache_ask(table->distance_cache, table, target, &router, 1, &here);
    weft_distance_cache_ask(table->distance_cache, table, target,
                            table->to + (size_t)router * table->ports, table->ports, hops);
    *left = here;
    for (uint32_t p = 0; p < table->ports; p++)
        if (hops[p] + 1u == *left)
            ports[found++] = (uint16_t)p;
    return found;
}

unsigned weft_adjacency_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                             unsigned most, weft_minimal_port *out)
{
    const weft_adjacency *table = topology->self;
    if (route == 0)
        return 0;
    uint32_t endpoint = route - 1, target = endpoint / topology->concentration;
    uint16_t ports[WEFT_ADJACENCY_PORTS_MAX];
    ports[0] = 0; /* found anew: there is always one */
    unsigned left, found = table->hops ? find_ports(table, router, target, &left, ports)
                                       : ask_ports(table, router, target, &left, ports);
    assert(found > 0);
    unsigned first = weft_spreading_choose(&table->spreading, router, endpoint,
                                           table->to + (size_t)router * table->ports, ports, found);
    return weft_ways_put(ports, found, first, left, route, most, out);
}

uint32_t weft_adjacency_vc(const weft_topology *topology, uint32_t router,
                           const weft_minimal_port *way)
{
    return weft_ways_vc(topology, router, way);
}

bool weft_adjacency_sound(const weft_topology *topology, uint32_t router, uint32_t route)
{
    return route == 0 || (route <= topology->edge_routers * topology->concentration &&
                          (route - 1) / topology->concentration != router);
}

uint32_t weft_adjacency_diameter(const weft_topology *topology)
{
    return ((const weft_adjacency *)topology->self)->diameter;
}
