/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/forwarding.h"

#include "base/memory.h"
#include "net/naming.h"

#include <stdlib.h>
#include <string.h>

#define NONE      WEFT_WEFTNET_NO_PORT
#define BYTES_MAX ((uint64_t)1 << 31) /* of the tables */

weft_status weft_forwarding_check_size(const weft_topology *topology, uint32_t width,
                                       const char *of, weft_error *err)
{
    uint64_t bytes = (uint64_t)topology->routers * width;
    if (bytes <= BYTES_MAX)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "forwarding tables from %u routers to %u%s take %.1f GiB; at most %.0f GiB "
                     "are used for them: use fewer",
                     topology->routers, width, of, (double)bytes * 0x1p-30,
                     (double)BYTES_MAX * 0x1p-30);
}

bool weft_forwarding_has_lft(const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    return net && net->subnet && net->subnet->lft;
}

weft_status weft_forwarding_take_lft(weft_forwarding *it, const weft_topology *topology,
                                     bool by_source, weft_error *err)
{
    it->paths = by_source ? weft_weftnet_of(topology)->paths : 1;
    it->each = topology->concentration * it->paths;
    it->width = topology->edge_routers * it->each;
    WEFT_TRY(weft_forwarding_check_size(topology, it->width, it->paths > 1 ? " LIDs" : " endpoints",
                                        err));
    it->port = it->own = weft_alloc((size_t)topology->routers * it->width);
    weft_weftnet_lft(weft_weftnet_of(topology), topology->concentration, it->paths, it->own);
    return WEFT_OK;
}

void weft_forwarding_done(weft_forwarding *it)
{
    free(it->own);
    it->port = it->own = NULL;
}

void weft_forwarding_columns(const weft_forwarding *it, const weft_topology *topology, uint32_t to,
                             uint32_t count, uint8_t *out)
{
    for (size_t r = 0; r < topology->routers; r++)
        memcpy(out + r * WEFT_TABLE_COLUMNS, it->port + r * it->width + to, count);
}

static uint32_t behind(const weft_topology *topology, uint32_t router, uint32_t port)
{
    return weft_topology_alive(topology, router, port)
               ? topology->kind->peer(topology, router, port).router
               : WEFT_NOWHERE;
}

/* Routes to some destinations, from everywhere. */
typedef struct routes {
    const weft_topology *topology;
    uint32_t to, count;
    uint32_t each;    /* destinations of a router */
    uint32_t *behind; /* [router × ports + port] */
    uint8_t *port;    /* [router × WEFT_TABLE_COLUMNS + nth destination] */
    uint16_t *length; /* the same: hops from there … */
    uint32_t *stack;  /* room for every router */
} routes;

#define UNKNOWN (UINT16_MAX - 1)
#define LOST    UINT16_MAX /* … or it does not arrive, or later than can be counted */

static void routes_open(routes *it, const weft_topology *topology, uint32_t each)
{
    size_t links = (size_t)topology->routers * topology->ports;
    size_t cells = (size_t)topology->routers * WEFT_TABLE_COLUMNS;
    *it = (routes){.topology = topology,
                   .each = each,
                   .behind = weft_alloc(sizeof *it->behind * (links + 1)),
                   .port = weft_alloc(cells),
                   .length = weft_alloc(sizeof *it->length * cells),
                   .stack = weft_alloc(sizeof *it->stack * topology->routers)};
    for (size_t i = 0; i < links; i++)
        it->behind[i] =
            behind(topology, (uint32_t)(i / topology->ports), (uint32_t)(i % topology->ports));
}

static void routes_close(routes *it)
{
    free(it->behind);
    free(it->port);
    free(it->length);
    free(it->stack);
}

/* Follows one of them until it comes to what is known. */
static void follow(routes *it, uint32_t router, uint32_t nth)
{
    uint32_t depth = 0, at = router, ports = it->topology->ports;
    uint16_t *length = it->length + nth;
    const uint8_t *port = it->port + nth;
    while (length[(size_t)at * WEFT_TABLE_COLUMNS] == UNKNOWN) {
        uint8_t by = port[(size_t)at * WEFT_TABLE_COLUMNS];
        uint32_t next = by == NONE ? WEFT_NOWHERE : it->behind[(size_t)at * ports + by];
        length[(size_t)at * WEFT_TABLE_COLUMNS] = LOST; /* so a circle ends where it began */
        it->stack[depth++] = at;
        if (next == WEFT_NOWHERE)
            break;
        at = next;
    }
    uint16_t hops = length[(size_t)at * WEFT_TABLE_COLUMNS];
    while (depth > 0) {
        hops = hops >= UNKNOWN - 1 ? LOST : (uint16_t)(hops + 1);
        length[(size_t)it->stack[--depth] * WEFT_TABLE_COLUMNS] = hops;
    }
}

static void routes_find(routes *it, const weft_forwarding *tables, uint32_t to, uint32_t count)
{
    uint32_t routers = it->topology->routers;
    it->to = to;
    it->count = count;
    weft_forwarding_columns(tables, it->topology, to, count, it->port);
    for (size_t i = 0; i < (size_t)routers * WEFT_TABLE_COLUMNS; i++)
        it->length[i] = UNKNOWN;
    for (uint32_t nth = 0; nth < count; nth++)
        it->length[(size_t)((to + nth) / it->each) * WEFT_TABLE_COLUMNS + nth] = 0;
    for (uint32_t r = 0; r < routers; r++)
        for (uint32_t nth = 0; nth < count; nth++)
            if (it->length[(size_t)r * WEFT_TABLE_COLUMNS + nth] == UNKNOWN)
                follow(it, r, nth);
}

typedef struct judgement {
    uint64_t sum;      /* of the lengths of all routes */
    uint64_t lost;     /* ordered pairs of endpoints whose routes lead nowhere: */
    uint32_t from, to; /* routers and destination of the first of them, by destination */
} judgement;

/* The name of the host that a destination is; NULL: it has none. */
static const char *host_of(const weft_topology *topology, const weft_forwarding *it, uint32_t to)
{
    uint32_t home = to / it->each, nth = to % it->each / it->paths;
    if (it->each == 1 || nth >= weft_topology_hosts(topology, home))
        return NULL;
    return weft_naming_host(topology, weft_topology_first(topology, home) + nth);
}

static weft_status miss(const weft_topology *topology, const weft_forwarding *it,
                        const judgement *sum, weft_error *err)
{
    char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
    const char *host = host_of(topology, it, sum->to);
    const char *why =
        topology->faults
            ? "links on their way are down, and only the subnet manager, or whoever "
              "made the tables, can compute new ones (routing up-down finds a way)"
            : "an entry is missing, they lead in a circle, or to a router that is left out";
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the forwarding tables do not lead from router %s to router %s%s%s (%llu "
                     "ordered %s no path in all): %s",
                     weft_naming_name(topology, sum->from, a),
                     weft_naming_name(topology, sum->to / it->each, b), host ? ", host " : "",
                     host ? host : "", (unsigned long long)sum->lost,
                     sum->lost == 1 ? "pair of endpoints has" : "pairs of endpoints have", why);
}

/* Forgets an entry; the fabric keeps its own. */
static void forget(const weft_topology *topology, weft_forwarding *it, size_t cell)
{
    size_t bytes = (size_t)topology->routers * it->width;
    if (it->port[cell] == NONE)
        return;
    if (!it->own) {
        it->own = weft_alloc(bytes);
        memcpy(it->own, it->port, bytes);
        it->port = it->own;
    }
    it->own[cell] = NONE;
}

/* Endpoints of a destination, which is one where tables tell them apart. */
static uint32_t endpoints_of(const weft_topology *topology, const weft_forwarding *it, uint32_t to)
{
    uint32_t hosts = weft_topology_hosts(topology, to / it->each);
    return it->each == 1 ? hosts : to % it->each / it->paths < hosts;
}

/* Endpoints of a router that send by this destination. */
static uint32_t sources_of(const weft_topology *topology, const weft_forwarding *it,
                           uint32_t router, uint32_t to)
{
    uint32_t hosts = weft_topology_hosts(topology, router), first = router * (it->each / it->paths);
    uint32_t sources = 0;
    if (it->paths == 1)
        return hosts;
    for (uint32_t h = 0; h < hosts; h++)
        sources += weft_forwarding_column(it, first + h, to / it->paths) == to;
    return sources;
}

/* Of one router: forgets entries that lead nowhere, adds up the lengths of what it sends. */
static void judge_router(const routes *found, weft_forwarding *it, uint32_t router, judgement *sum)
{
    const weft_topology *topology = found->topology;
    const uint16_t *length = found->length + (size_t)router * WEFT_TABLE_COLUMNS;
    for (uint32_t nth = 0; nth < found->count; nth++) {
        uint32_t to = found->to + nth;
        if (length[nth] == LOST || length[nth] == 0)
            forget(topology, it, (size_t)router * it->width + to);
        if (router >= topology->edge_routers)
            continue;
        if (length[nth] != LOST) {
            sum->sum += length[nth];
            continue;
        }
        if (sum->lost == 0 || to < sum->to) {
            sum->from = router;
            sum->to = to;
        }
        sum->lost +=
            (uint64_t)sources_of(topology, it, router, to) * endpoints_of(topology, it, to);
    }
}

weft_status weft_forwarding_judge(weft_forwarding *it, const weft_topology *topology,
                                  weft_error *err)
{
    judgement sum = {0};
    routes found;
    routes_open(&found, topology, it->each);
    for (uint32_t to = 0; to < it->width; to += WEFT_TABLE_COLUMNS) {
        uint32_t left = it->width - to;
        routes_find(&found, it, to, left < WEFT_TABLE_COLUMNS ? left : WEFT_TABLE_COLUMNS);
        for (uint32_t r = 0; r < topology->routers; r++)
            judge_router(&found, it, r, &sum);
    }
    routes_close(&found);
    if (sum.lost > 0)
        return miss(topology, it, &sum, err);
    double pairs = (double)it->width * (topology->edge_routers - 1.0);
    double minimal = pairs > 0 ? topology->kind->mean_distance(topology) : 0;
    it->stretch = minimal > 0 ? (double)sum.sum / pairs / minimal : 1;
    return WEFT_OK;
}
