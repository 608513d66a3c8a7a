/* SPDX-License-Identifier: Apache-2.0 */
/* Up*⁄down* (Schroeder et al. 1991), on any network with bidirectional links. Routers are ranked by
 * their distance from a root (or, where only some have endpoints, by their distance from edge
 * routers: a tree with many roots has all of them on top). A link leads up if it leads to a lower
 * rank, or to a lower number in the same rank. A route takes any number of links up, then links
 * down; as it never goes up again, all routes follow one order of the links, and one VC class is
 * enough.
 *
 * The tables hold the length of the shortest such route from every router to every edge router, for
 * packets that may still go up and for those that may not. Both satisfy a recurrence in rank order,
 * so two sweeps over the links compute them. A header is 2 (endpoint + 1), + 1 once the packet has
 * gone down. The endpoint chooses among several ports (net/topology/common/spreading.h), or with
 * `adaptive` the selection. Failed links are left out.
 *
 * Tables that would be too large are computed for some targets at a time, on demand. That suffices
 * for analysis; a simulation is refused. */
#include "base/memory.h"
#include "net/naming.h"
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/routing/common/minimal.h"
#include "net/selection.h"
#include "net/topology/common/spreading.h"
#include "net/topology/common/weftnet.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FAR       UINT8_MAX
#define CELLS     64
#define SOME      128                 /* targets that are tabulated at a time, if not all are */
#define BYTES_MAX ((uint64_t)1 << 31) /* of the tables */

enum { MAY_RISE, FALLS, STATES };

typedef struct settings {
    int64_t root;
    bool adaptive;
    weft_kind_ref selection;
} settings;

typedef struct tables {
    uint32_t *to; /* [router × ports + port]: the router behind it, or WEFT_NOWHERE */
    uint64_t *up; /* [router × words]: ports that lead up, a bit each */
    uint32_t words;
    uint32_t *rank;        /* [router]; UINT32_MAX: cut off */
    uint32_t *order;       /* routers from the root down */
    uint8_t *hops[STATES]; /* [router × width + target − first] */
    uint32_t first, width; /* targets that are there: all, or some */
    atomic_flag busy;      /* somebody asks for some */
    double stretch;        /* mean length of the routes ÷ that of minimal ones */
    weft_spreading spreading;
} tables;

static const weft_param params[] = {
    {.name = "root",
     .brief =
         "the router ranks are counted from; none: routers far from all endpoints are on top where "
         "only some have endpoints, else the middle of a longest route is; or the ranks of an "
         "imported fabric that has them",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, root),
     .fallback = "none",
     .min = 0,
     .max = UINT32_MAX - 1.0},
    {.name = "adaptive",
     .brief =
         "a packet takes any shortest allowed way that is free, the selection's favourite first; "
         "else the one that its endpoint names",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, adaptive),
     .fallback = "false"},
    {.name = "selection",
     .brief = "how the ports are ranked if it is adaptive; none: random",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, selection),
     .fallback = "none",
     .family = "selection"},
    {.name = NULL},
};

static weft_kind_ref selection(const void *given)
{
    const settings *set = given;
    const weft_selection_kind *usual =
        set->adaptive ? &weft_selection_random : &weft_selection_dimension_order;
    return set->adaptive && set->selection.kind ? set->selection
                                                : (weft_kind_ref){.kind = &usual->base};
}

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const settings *set = routing->settings;
    if (set->selection.kind && !set->adaptive)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.selection chooses between ports: it goes with adaptive: true, "
                         "without it the endpoint decides");
    if (!weft_topology_bidirectional(topology))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing up-down needs links that lead both ways, those of a %s lead one "
                         "way: use routing dimension-order",
                         topology->kind->base.name);
    if (set->root != WEFT_NONE_INT && set->root >= topology->routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.root must be a router, 0 … %u here, found %lld",
                         topology->routers - 1, (long long)set->root);
    return WEFT_OK;
}

static weft_status build_tables(const weft_routing *routing, bool dry, weft_error *err)
{
    (void)dry; /* what can be tabulated is */
    const weft_topology *topology = routing->topology;
    uint64_t bytes = STATES * (uint64_t)topology->routers * topology->edge_routers;
    if (bytes <= BYTES_MAX)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "routing up-down has tables from %u routers to %u, which take %.1f GiB in a "
                     "run; at most %.0f GiB are used for them: use fewer routers, or a routing "
                     "without tables; weft check can do without",
                     topology->routers, topology->edge_routers, (double)bytes * 0x1p-30,
                     (double)BYTES_MAX * 0x1p-30);
}

static void look_around(const weft_topology *topology, tables *it)
{
    size_t ends = (size_t)topology->routers * topology->ports;
    it->to = weft_alloc(ends * sizeof *it->to + 1);
    for (size_t i = 0; i < ends; i++) {
        uint32_t router = (uint32_t)(i / topology->ports), port = (uint32_t)(i % topology->ports);
        it->to[i] = weft_topology_alive(topology, router, port)
                        ? topology->kind->peer(topology, router, port).router
                        : WEFT_NOWHERE;
    }
}

/* Ranks all routers by their distance from a root and puts them in the order of their ranks;
 * returns how many it reaches. */
static uint32_t rank_from(const weft_topology *topology, tables *it, uint32_t root)
{
    uint32_t found = 1;
    memset(it->rank, 0xFF, sizeof *it->rank * topology->routers);
    it->rank[root] = 0;
    it->order[0] = root;
    for (uint32_t at = 0; at < found; at++) {
        const uint32_t *to = it->to + (size_t)it->order[at] * topology->ports;
        for (uint32_t p = 0; p < topology->ports; p++)
            if (to[p] != WEFT_NOWHERE && it->rank[to[p]] == UINT32_MAX) {
                it->rank[to[p]] = it->rank[it->order[at]] + 1;
                it->order[found++] = to[p];
            }
    }
    return found;
}

/* The middle of a way between two routers that are far apart. */
static uint32_t find_middle(const weft_topology *topology, tables *it)
{
    uint32_t end = it->order[rank_from(topology, it, 0) - 1];
    uint32_t at = it->order[rank_from(topology, it, end) - 1];
    for (uint32_t left = it->rank[at] / 2; left > 0; left--) {
        const uint32_t *to = it->to + (size_t)at * topology->ports;
        uint32_t p = 0;
        while (to[p] == WEFT_NOWHERE || it->rank[to[p]] + 1 != it->rank[at])
            p++;
        at = to[p];
    }
    return at;
}

/* Ranks routers by how far they are from all homes, the farthest first: in a tree with many
 * roots all of these are on top. */
static void rank_levels(const weft_topology *topology, tables *it)
{
    uint32_t found = topology->edge_routers;
    memset(it->rank, 0xFF, sizeof *it->rank * topology->routers);
    for (uint32_t h = 0; h < found; h++) {
        it->rank[h] = 0;
        it->order[h] = h;
    }
    for (uint32_t at = 0; at < found; at++) {
        const uint32_t *to = it->to + (size_t)it->order[at] * topology->ports;
        for (uint32_t p = 0; p < topology->ports; p++)
            if (to[p] != WEFT_NOWHERE && it->rank[to[p]] == UINT32_MAX) {
                it->rank[to[p]] = it->rank[it->order[at]] + 1;
                it->order[found++] = to[p];
            }
    }
    uint32_t most = it->rank[it->order[found - 1]];
    for (uint32_t i = 0; i < found; i++)
        it->rank[it->order[i]] = most - it->rank[it->order[i]];
}

static bool leads_up(const tables *it, uint32_t router, uint32_t port)
{
    return it->up[(size_t)router * it->words + port / 64] >> port % 64 & 1;
}

static bool above(const tables *it, uint32_t a, uint32_t b)
{
    return it->rank[a] < it->rank[b] || (it->rank[a] == it->rank[b] && a < b);
}

typedef struct place {
    uint32_t rank, router;
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->router < y->router ? -1 : x->router > y->router;
}

/* All routers from the root down, and which ports lead up. */
static void put_in_order(const weft_topology *topology, tables *it)
{
    place *places = weft_alloc(sizeof *places * topology->routers);
    for (uint32_t r = 0; r < topology->routers; r++) {
        const uint32_t *to = it->to + (size_t)r * topology->ports;
        places[r] = (place){it->rank[r], r};
        for (uint32_t p = 0; p < topology->ports; p++)
            if (to[p] != WEFT_NOWHERE && above(it, to[p], r))
                it->up[(size_t)r * it->words + p / 64] |= (uint64_t)1 << p % 64;
    }
    qsort(places, topology->routers, sizeof *places, by_place);
    for (uint32_t i = 0; i < topology->routers; i++)
        it->order[i] = places[i].router;
    free(places);
}

/* Routes by a neighbour are one hop longer than its own. */
static inline void relax(uint8_t *restrict row, const uint8_t *restrict other, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        uint8_t hops = (uint8_t)(other[t] + (other[t] < FAR));
        row[t] = hops < row[t] ? hops : row[t];
    }
}

/* Whole blocks become vector instructions. */
static __attribute__((noinline)) void relax_all(uint8_t *restrict row,
                                                const uint8_t *restrict other, size_t count)
{
    size_t whole = count / CELLS * CELLS;
    for (size_t t = 0; t < whole; t += CELLS)
        relax(row + t, other + t, CELLS);
    relax(row + whole, other + whole, count - whole);
}

static uint8_t *row_of(const tables *it, int state, uint32_t router)
{
    return it->hops[state] + (size_t)router * it->width;
}

/* Takes the routes of this state from all neighbours above (or below). */
static void gather(const weft_topology *topology, tables *it, int state, uint32_t router, bool up)
{
    const uint32_t *to = it->to + (size_t)router * topology->ports;
    for (uint32_t p = 0; p < topology->ports; p++)
        if (to[p] != WEFT_NOWHERE && leads_up(it, router, p) == up)
            for (uint32_t t = 0; t < it->width && t < SOME; t += CELLS)
                __builtin_prefetch(row_of(it, state, to[p]) + t);
    for (uint32_t p = 0; p < topology->ports; p++)
        if (to[p] != WEFT_NOWHERE && leads_up(it, router, p) == up)
            relax_all(row_of(it, state, router), row_of(it, state, to[p]), it->width);
}

/* Of routes to `width` targets from `first` on. */
static void find_lengths(const weft_topology *topology, tables *it, uint32_t first)
{
    uint32_t routers = topology->routers, homes = topology->edge_routers;
    size_t bytes = (size_t)routers * it->width;
    it->first = first;
    memset(it->hops[FALLS], FAR, bytes);
    for (uint32_t h = first; h < homes && h < first + it->width; h++)
        row_of(it, FALLS, h)[h - first] = 0;
    for (uint32_t i = routers; i-- > 0;)
        gather(topology, it, FALLS, it->order[i], false);
    memcpy(it->hops[MAY_RISE], it->hops[FALLS], bytes);
    for (uint32_t i = 0; i < routers; i++)
        gather(topology, it, MAY_RISE, it->order[i], true);
}

/* Adds cells up; *far: the greatest. */
static inline uint32_t add_cells(const uint8_t *row, uint32_t count, uint8_t *far)
{
    uint32_t sum = 0;
    for (uint32_t t = 0; t < count; t++) {
        sum += row[t];
        *far = row[t] > *far ? row[t] : *far;
    }
    return sum;
}

/* Adds up how long the routes to these targets are; all pairs must have one. */
static weft_status add_lengths(const weft_topology *topology, const tables *it, uint64_t *sum,
                               weft_error *err)
{
    uint32_t left = topology->edge_routers - it->first, count = left < it->width ? left : it->width;
    uint32_t whole = count / CELLS * CELLS;
    char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
    for (uint32_t from = 0; from < topology->edge_routers; from++) {
        const uint8_t *row = row_of(it, MAY_RISE, from);
        uint8_t far = 0;
        for (uint32_t t = 0; t < whole; t += CELLS)
            *sum += add_cells(row + t, CELLS, &far);
        *sum += add_cells(row + whole, count - whole, &far);
        for (uint32_t nth = 0; far == FAR && nth < count; nth++)
            if (row[nth] == FAR)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "routing up-down has no route from router %s to router %s: they "
                                 "are cut off from each other, or more than %d hops apart",
                                 weft_naming_name(topology, from, a),
                                 weft_naming_name(topology, it->first + nth, b), FAR - 1);
    }
    return WEFT_OK;
}

/* Once routers have ranks and an order. */
static weft_status judge(const weft_topology *topology, tables *it, weft_error *err)
{
    uint64_t sum = 0;
    double pairs = (double)topology->edge_routers * (topology->edge_routers - 1.0);
    for (uint32_t first = 0; first < topology->edge_routers; first += it->width) {
        find_lengths(topology, it, first);
        WEFT_TRY(add_lengths(topology, it, &sum, err));
    }
    double minimal = pairs > 0 ? topology->kind->mean_distance(topology) : 0;
    it->stretch = minimal > 0 ? (double)sum / pairs / minimal : 1;
    return WEFT_OK;
}

static void done(weft_routing *routing)
{
    tables *it = routing->self;
    free(it->to);
    free(it->up);
    free(it->rank);
    free(it->order);
    free(it->hops[MAY_RISE]);
    free(it->hops[FALLS]);
    weft_spreading_done(&it->spreading);
    *it = (tables){0};
}

/* Once routers have ranks. */
static weft_status find_routes(const weft_topology *topology, tables *it, weft_error *err)
{
    memset(it->up, 0, sizeof *it->up * it->words * topology->routers);
    put_in_order(topology, it);
    return judge(topology, it, err);
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const settings *set = routing->settings;
    const weft_weftnet *fabric = weft_weftnet_of(topology);
    tables *it = routing->self;
    routing->single = !set->adaptive;
    it->rank = weft_alloc(sizeof *it->rank * topology->routers);
    it->order = weft_alloc(sizeof *it->order * topology->routers);
    it->words = (topology->ports + 63) / 64;
    it->up = weft_alloc(sizeof *it->up * it->words * topology->routers + 1);
    it->width = topology->edge_routers;
    routing->slow = STATES * (uint64_t)topology->routers * topology->edge_routers > BYTES_MAX;
    if (routing->slow)
        it->width = SOME;
    for (int state = 0; state < STATES; state++)
        it->hops[state] = weft_alloc((size_t)topology->routers * it->width);
    atomic_flag_clear(&it->busy);
    look_around(topology, it);
    weft_spreading_init(&it->spreading, it->to, topology->routers, topology->ports,
                        topology->edge_routers);
    routing->by_host = true;
    if (set->root == WEFT_NONE_INT && !(fabric && fabric->rank) &&
        topology->edge_routers < topology->routers) {
        rank_levels(topology, it);
        if (find_routes(topology, it, err) == WEFT_OK)
            return WEFT_OK;
    }
    if (set->root == WEFT_NONE_INT && fabric && fabric->rank)
        memcpy(it->rank, fabric->rank, sizeof *it->rank * topology->routers);
    else
        (void)rank_from(topology, it,
                        set->root == WEFT_NONE_INT ? find_middle(topology, it)
                                                   : (uint32_t)set->root);
    weft_status status = find_routes(topology, it, err);
    if (status != WEFT_OK)
        done(routing);
    return status;
}

/* The router a packet with this word goes to. */
static uint32_t target_of(const weft_topology *topology, uint32_t route)
{
    return (route / 2 - 1) / topology->concentration;
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    (void)from, (void)random;
    return 2 * (to * routing->topology->concentration + 1);
}

static uint32_t header_for_host(const weft_routing *routing, uint32_t route, uint32_t host)
{
    const weft_topology *topology = routing->topology;
    return 2 * (target_of(topology, route) * topology->concentration + host + 1) + (route & 1);
}

/* The tables of a target, for as long as nobody else may ask. */
static void hold(const weft_routing *routing, uint32_t target)
{
    tables *it = routing->self;
    if (!routing->slow)
        return;
    while (atomic_flag_test_and_set_explicit(&it->busy, memory_order_acquire))
        continue;
    if (target < it->first || target - it->first >= it->width)
        find_lengths(routing->topology, it, target - target % it->width);
}

static void release(const weft_routing *routing)
{
    tables *it = routing->self;
    if (routing->slow)
        atomic_flag_clear_explicit(&it->busy, memory_order_release);
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    const weft_topology *topology = routing->topology;
    const tables *it = routing->self;
    if (route < 2)
        return route == 0;
    uint32_t target = target_of(topology, route);
    if (target >= topology->edge_routers || target == router)
        return false;
    hold(routing, target);
    bool known = row_of(it, (int)(route & 1), router)[target - it->first] < FAR;
    release(routing);
    return known;
}

/* The ports of all shortest allowed ways; *left: hops from here. */
static unsigned find_ports(const weft_routing *routing, const weft_route_context *here,
                           uint16_t *port, uint8_t *left)
{
    const weft_topology *topology = routing->topology;
    const tables *it = routing->self;
    uint32_t target = target_of(topology, here->header);
    bool falls = here->header & 1;
    const uint32_t *to = it->to + (size_t)here->router * topology->ports;
    unsigned found = 0;
    hold(routing, target);
    uint32_t nth = target - it->first;
    *left = row_of(it, falls, here->router)[nth];
    for (uint32_t p = 0; p < topology->ports; p++) {
        bool up = leads_up(it, here->router, p);
        if (to[p] != WEFT_NOWHERE && !(up && falls) &&
            row_of(it, up ? MAY_RISE : FALLS, to[p])[nth] + 1u == *left)
            port[found++] = (uint16_t)p;
    }
    release(routing);
    assert(found > 0);
    return found;
}

/* The ways by these ports, that of the endpoint first, `most` of them. */
static unsigned put_ways(const weft_routing *routing, const weft_route_context *here,
                         const uint16_t *port, unsigned found, uint8_t left, unsigned most,
                         weft_minimal_port *out)
{
    const weft_topology *topology = routing->topology;
    const tables *it = routing->self;
    const uint32_t *to = it->to + (size_t)here->router * topology->ports;
    uint32_t endpoint = here->header / 2 - 1, target = endpoint / topology->concentration;
    unsigned count = found < most ? found : most;
    unsigned at = weft_spreading_choose(&it->spreading, here->router, endpoint, to, port, found);
    for (unsigned i = 0; i < count; i++, at = at + 1 < found ? at + 1 : 0) {
        uint16_t p = port[at];
        uint32_t fallen = leads_up(it, here->router, p) ? 0 : 1;
        out[i] =
            (weft_minimal_port){.port = p,
                                .hops = left,
                                .next_header = to[p] == target ? 0 : 2 * (endpoint + 1) + fallen,
                                .dim = WEFT_NO_DIM};
    }
    return count;
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    bool adaptive = ((const settings *)routing->settings)->adaptive;
    uint16_t port[WEFT_PORTS_MAX];
    uint8_t left;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned found = find_ports(routing, here, port, &left);
    unsigned count =
        put_ways(routing, here, port, found, left, adaptive ? WEFT_MINIMAL_PORTS_MAX : 1, ways);
    weft_minimal_rank(routing, ways, count, count, random);
    for (unsigned i = 0; i < count; i++)
        weft_vcs_put(&ways[i], WEFT_VCS_OF(routing->plan.n_vcs), &out[i]);
    return count;
}

static double mean_hops(const weft_routing *routing, double minimal)
{
    return minimal * ((const tables *)routing->self)->stretch;
}

const weft_routing_kind weft_routing_up_down = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "up-down",
             .brief = "up towards a root, then down (up*/down*): free of deadlock on any network",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(tables)},
    .check = check,
    .build = build,
    .handles_faults = true,
    .done = done,
    .selection = selection,
    .initial_header = initial_header,
    .header_for_host = header_for_host,
    .proof.header_valid = header_valid,
    .assign_vcs = weft_assign_all_vcs,
    .build_tables = build_tables,
    .candidates = candidates,
    .proof.input_independent = true,
    .proof.globally_ordered = true,
    .proof.mean_hops = mean_hops,
};
