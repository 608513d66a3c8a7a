/* SPDX-License-Identifier: Apache-2.0 */
/* An InfiniBand subnet as its manager configured it: forwarding tables by LID, the SL of every
 * path, and at every switch the VL of an SL by input and output port. A VL is a virtual channel.
 * A header is the endpoint a packet comes from × endpoints + its destination + 1, of which the SL
 * follows. */
#include "base/memory.h"
#include "net/naming.h"
#include "net/routing.h"
#include "net/routing/common/forwarding.h"
#include "net/routing/common/vc_plan.h"

#include <stdlib.h>
#include <string.h>

#define NONE WEFT_WEFTNET_NO_PORT

typedef struct subnet_routes {
    weft_forwarding tables;
    uint32_t each, width; /* endpoints of a router, as headers number them, and of all */
    const weft_subnet *subnet;
    uint32_t *first; /* [edge router]: its first host; behind them their number */
    bool *mixed;     /* [edge router]: its hosts use different SLs, or maps */
    uint32_t n_vls;  /* the greatest VL of any map, + 1 */
    bool has_sl;     /* all packets have this SL, not that of their path */
    uint8_t sl;
} subnet_routes;

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    uint64_t endpoints = (uint64_t)topology->edge_routers * topology->concentration;
    if (!weft_forwarding_has_lft(topology) || !net->subnet->map)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing infiniband needs a fabric with forwarding tables and SL2VL "
                         "tables: weft import infiniband FILE --lft FILE --sl2vl FILE");
    if (endpoints > UINT16_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing infiniband knows at most %u endpoints, this network has %llu: "
                         "use fewer, or routing tables",
                         UINT16_MAX, (unsigned long long)endpoints);
    return WEFT_OK;
}

/* ---- SLs ---- */

/* Are two hosts of a switch treated alike, as far as this SL or that map goes? */
static bool same_treatment(const weft_subnet *subnet, uint32_t router, uint32_t a, uint32_t b)
{
    for (uint32_t to = 0; subnet->path_sl && to < subnet->n_hosts; to++)
        if (to != a && to != b &&
            weft_subnet_path_sl(subnet, a, to) != weft_subnet_path_sl(subnet, b, to))
            return false;
    for (uint32_t out = 1; out <= subnet->switches[router].ports; out++)
        if (subnet->map[weft_subnet_map_at(subnet, router, subnet->hosts[a].switch_port, out)] !=
            subnet->map[weft_subnet_map_at(subnet, router, subnet->hosts[b].switch_port, out)])
            return false;
    return true;
}

/* Hosts of every switch, and whether they differ. */
static void survey_hosts(const weft_weftnet *net, uint32_t each, subnet_routes *it)
{
    it->first = weft_alloc(sizeof *it->first * (net->homes + 1u));
    it->mixed = weft_alloc(sizeof *it->mixed * net->homes);
    for (uint32_t h = 0; h < net->homes; h++) {
        uint32_t first = it->first[h], hosts = net->hosts[h] < each ? net->hosts[h] : each;
        it->first[h + 1] = first + net->hosts[h];
        for (uint32_t i = 1; i < hosts && !it->mixed[h]; i++)
            it->mixed[h] = !same_treatment(it->subnet, h, first, first + i);
    }
}

/* The host of an endpoint; the first of its switch, if it is none. */
static uint32_t host_of(const subnet_routes *it, uint32_t endpoint)
{
    uint32_t home = endpoint / it->each, nth = endpoint % it->each;
    return it->first[home] + (nth < it->first[home + 1] - it->first[home] ? nth : 0);
}

/* ---- the kind ---- */

static void done(weft_routing *routing)
{
    subnet_routes *it = routing->self;
    weft_forwarding_done(&it->tables);
    free(it->first);
    free(it->mixed);
    it->first = NULL;
    it->mixed = NULL;
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    subnet_routes *it = routing->self;
    it->subnet = weft_weftnet_of(topology)->subnet;
    it->has_sl = routing->has_sl;
    it->sl = routing->sl;
    routing->by_host = true;
    WEFT_TRY(weft_forwarding_take_lft(&it->tables, topology, true, err));
    it->each = it->tables.each / it->tables.paths;
    it->width = it->tables.width / it->tables.paths;
    weft_status status = weft_forwarding_judge(&it->tables, topology, err);
    survey_hosts(weft_weftnet_of(topology), it->each, it);
    it->n_vls = weft_subnet_count_vls(it->subnet);
    if (status != WEFT_OK)
        done(routing);
    return status;
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    const subnet_routes *it = routing->self;
    if (vcs < it->n_vls)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u, the VLs that the SL2VL tables of this "
                         "fabric name, found %u",
                         it->n_vls, vcs);
    return weft_assign_all_vcs(routing, vcs, err);
}

/* Endpoints of a router whose packets are treated in ways of their own. */
static uint32_t n_sources(const subnet_routes *it, uint32_t from)
{
    uint32_t hosts = it->first[from + 1] - it->first[from];
    bool alike = !it->mixed[from] && it->tables.paths == 1;
    return alike ? 1 : hosts < it->each ? hosts : it->each;
}

static uint32_t header_from(const subnet_routes *it, uint32_t from, uint32_t nth, uint32_t to)
{
    return (from * it->each + nth) * it->width + to * it->each + 1;
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    (void)random;
    return header_from(routing->self, from, 0, to);
}

static uint32_t initial_headers(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t header), void *user)
{
    const subnet_routes *it = routing->self;
    uint32_t sources = n_sources(it, from);
    for (uint32_t nth = 0; nth < sources; nth++)
        each(user, header_from(it, from, nth, to));
    return sources;
}

static uint32_t header_for_host(const weft_routing *routing, uint32_t header, uint32_t host)
{
    uint32_t each = ((const subnet_routes *)routing->self)->each;
    return (header - 1) / each * each + host + 1;
}

static uint32_t header_from_host(const weft_routing *routing, uint32_t header, uint32_t host)
{
    return header + host * ((const subnet_routes *)routing->self)->width;
}

/* The output port of a router for a packet with this header. */
static uint8_t port_of(const subnet_routes *it, uint32_t router, uint32_t header)
{
    uint32_t from = (header - 1) / it->width, to = (header - 1) % it->width;
    return it->tables
        .port[(size_t)router * it->tables.width + weft_forwarding_column(&it->tables, from, to)];
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t header)
{
    const subnet_routes *it = routing->self;
    return header == 0 ||
           ((header - 1) / it->width < it->width && port_of(it, router, header) != NONE);
}

static uint32_t vl_of(const subnet_routes *it, const weft_route_context *here, uint8_t out)
{
    const weft_subnet *subnet = it->subnet;
    uint32_t from = host_of(it, (here->header - 1) / it->width);
    uint32_t to = host_of(it, (here->header - 1) % it->width);
    uint32_t in = here->port == WEFT_FROM_ENDPOINT ? subnet->hosts[from].switch_port : here->port;
    uint32_t sl = it->has_sl ? it->sl : weft_subnet_path_sl(subnet, from, to);
    return weft_subnet_hop_vl(subnet, here->router, in, out, sl);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    const subnet_routes *it = routing->self;
    uint32_t to = (here->header - 1) % it->width;
    uint8_t port = port_of(it, here->router, here->header);
    uint32_t next = topology->kind->peer(topology, here->router, port).router;
    (void)random;
    *out = (weft_candidate){.port = port,
                            .vcs = (uint16_t)(1u << vl_of(it, here, port)),
                            .next_header = next == to / it->each ? 0 : here->header};
    return 1;
}

static double mean_hops(const weft_routing *routing, double minimal)
{
    return minimal * ((const subnet_routes *)routing->self)->tables.stretch;
}

const weft_routing_kind weft_routing_infiniband = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "infiniband",
             .brief = "forwarding tables, SLs of paths and SL2VL tables of an imported InfiniBand "
                      "fabric",
             .instance_size = sizeof(subnet_routes)},
    .check = check,
    .build = build,
    .handles_faults = true,
    .maps_sl = true,
    .done = done,
    .initial_header = initial_header,
    .header_for_host = header_for_host,
    .header_from_host = header_from_host,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .proof.header_valid = header_valid,
    .proof.initial_headers = initial_headers,
    .proof.mean_hops = mean_hops,
};
