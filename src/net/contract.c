/* SPDX-License-Identifier: Apache-2.0 */
#include "net/contract.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define PAIRS      4096u               /* of routers that are tried */
#define WHOLE      256u                /* edge routers up to which all pairs are */
#define LINKS_MOST ((uint64_t)1 << 22) /* ports up to which all are looked at */
#define HOPS_MOST  4096u               /* of a packet */

typedef struct journey { /* of one packet */
    uint32_t from, to, router, header, hops;
} journey;

#define FAIL(...) weft_fail(err, WEFT_BROKEN, __VA_ARGS__)

/* Pair number i of those that are tried; false: its ends are one router. */
static bool pair_of(const weft_topology *topology, uint64_t i, journey *trip)
{
    uint64_t n = topology->edge_routers;
    assert(n > 0);
    uint64_t number = n <= WHOLE ? i : i * 0x9e3779b97f4a7c15u;
    *trip = (journey){.from = (uint32_t)(number / n % n),
                      .to = (uint32_t)(number % n) + topology->egress_offset};
    trip->router = trip->from;
    return trip->from != trip->to;
}

static uint64_t pairs_of(const weft_topology *topology)
{
    uint64_t n = topology->edge_routers;
    return n <= WHOLE ? n * n : PAIRS;
}

static weft_random stream(uint64_t index, uint32_t entity)
{
    return weft_random_stream(1, index, entity, WEFT_FOR_ESTIMATE);
}

/* ---- topologies ---- */

/* Every row of an order of its own has its routers, each once. */
static weft_status check_order(const weft_topology *t, weft_error *err)
{
    const weft_topology_cut *cut = &t->cut;
    uint32_t *order = weft_alloc(sizeof *order * t->routers), s = 0, wrong = WEFT_NOWHERE;
    bool *seen = weft_alloc(sizeof *seen * t->routers);
    t->kind->cut_order(t, order);
    for (uint32_t i = 0; i < t->routers && wrong == WEFT_NOWHERE; i++) {
        uint32_t router = order[i];
        s += s + 1 < cut->n_rows && i >= cut->row[s + 1];
        uint32_t end = s + 1 < cut->n_rows ? cut->row[s + 1] : t->routers;
        if (router < cut->row[s] || router >= end || seen[router])
            wrong = i;
        else
            seen[router] = true;
    }
    uint32_t found = wrong == WEFT_NOWHERE ? 0 : order[wrong];
    free(order);
    free(seen);
    if (wrong == WEFT_NOWHERE)
        return WEFT_OK;
    return FAIL(
        "topology %s: cut_order puts router %u at place %u, which is there twice or belongs "
        "to another row",
        t->kind->base.name, found, wrong);
}

/* Rows follow each other, and routers with endpoints are in the first one, unless all have some. */
static weft_status check_cut(const weft_topology *t, weft_error *err)
{
    const weft_topology_cut *cut = &t->cut;
    const char *name = t->kind->base.name;
    if (cut->n_rows > WEFT_DIMS_MAX || cut->n_units > WEFT_DIMS_MAX)
        return FAIL("topology %s: cut has %u rows and %u units; at most %d", name, cut->n_rows,
                    cut->n_units, WEFT_DIMS_MAX);
    for (uint32_t i = 0; i < cut->n_rows; i++)
        if (cut->row[i] >= t->routers || (i ? cut->row[i] <= cut->row[i - 1] : cut->row[i] > 0))
            return FAIL("topology %s: cut.row has to begin with 0 and ascend, found %u at %u", name,
                        cut->row[i], i);
    for (uint32_t i = 0; i < cut->n_units; i++)
        if (cut->unit[i] == 0)
            return FAIL("topology %s: cut.unit %u has no routers", name, i);
    if (cut->n_rows > 1 && t->edge_routers < t->routers && cut->row[1] < t->edge_routers)
        return FAIL("topology %s: the first row of cut ends at router %u, but %u have endpoints",
                    name, cut->row[1], t->edge_routers);
    return t->kind->cut_order ? check_order(t, err) : WEFT_OK;
}

static weft_status check_numbers(const weft_topology *t, weft_error *err)
{
    const char *name = t->kind->base.name;
    if (t->routers == 0 || t->concentration == 0)
        return FAIL("topology %s has %u routers of %u endpoints: build has to set both", name,
                    t->routers, t->concentration);
    if (t->ports > WEFT_PORTS_MAX)
        return FAIL("topology %s has %u ports; at most %d", name, t->ports, WEFT_PORTS_MAX);
    if ((uint64_t)t->edge_routers + t->egress_offset > t->routers)
        return FAIL("topology %s has %u edge routers from router %u on, of %u routers", name,
                    t->edge_routers, t->egress_offset, t->routers);
    for (uint32_t p = 0; p < t->ports; p++)
        if (t->vc_classes[p] > t->max_vc_classes || t->port_class[p] >= WEFT_LINK_CLASSES)
            return FAIL("topology %s: vc_classes or port_class of port %u is out of range", name,
                        p);
    return check_cut(t, err);
}

static weft_status check_link(const weft_topology *t, uint32_t router, uint32_t port,
                              uint64_t *links, weft_error *err)
{
    const char *name = t->kind->base.name;
    weft_end to = t->kind->peer(t, router, port);
    if (to.router == WEFT_NOWHERE)
        return WEFT_OK;
    ++*links;
    if (to.router >= t->routers || to.port >= t->ports)
        return FAIL("topology %s: port %u of router %u leads to port %u of router %u, which is not "
                    "there",
                    name, port, router, to.port, to.router);
    weft_end back = weft_topology_upstream(t, to.router, to.port);
    if (back.router != router || back.port != port)
        return FAIL(
            "topology %s: port %u of router %u leads to port %u of router %u, but %s of that "
            "is port %u of router %u",
            name, port, router, to.port, to.router,
            t->kind->upstream ? "upstream" : "the other end", back.port, back.router);
    if (t->uniform && to.port != t->peer_port[port])
        return FAIL("topology %s is not uniform: port %u of router %u leads to port %u, not %u",
                    name, port, router, to.port, t->peer_port[port]);
    return WEFT_OK;
}

static weft_status check_links(const weft_topology *t, weft_error *err)
{
    uint64_t links = 0;
    if ((uint64_t)t->routers * t->ports > LINKS_MOST)
        return WEFT_OK;
    for (uint32_t r = 0; r < t->routers; r++)
        for (uint32_t p = 0; p < weft_topology_tier(t, r).ports; p++)
            WEFT_TRY(check_link(t, r, p, &links, err));
    if (links != t->links)
        return FAIL("topology %s has %llu links, but says %llu", t->kind->base.name,
                    (unsigned long long)links, (unsigned long long)t->links);
    return WEFT_OK;
}

/* One hop by the first minimal port. */
static weft_status check_hop(const weft_topology *t, journey *trip, weft_error *err)
{
    const char *name = t->kind->base.name;
    weft_minimal_port port;
    uint32_t here = trip->router;
    unsigned count = t->kind->minimal_ports(t, here, trip->header, 1, &port);
    if (count != 1 || port.port >= weft_topology_tier(t, here).ports)
        return FAIL("topology %s has no minimal port at router %u for header %u, on the way from "
                    "router %u to %u",
                    name, here, trip->header, trip->from, trip->to);
    if (t->kind->vc_class && t->kind->vc_class(t, here, &port) >= t->vc_classes[port.port])
        return FAIL("topology %s: vc_class at router %u, port %u is not below its %u classes", name,
                    here, port.port, t->vc_classes[port.port]);
    weft_end next = t->kind->peer(t, here, port.port);
    if (next.router >= t->routers)
        return FAIL("topology %s: minimal port %u of router %u has no link", name, port.port, here);
    trip->router = next.router;
    trip->header = port.next_header;
    trip->hops++;
    return WEFT_OK;
}

static weft_status check_trip(const weft_topology *t, journey *trip, weft_error *err)
{
    const char *name = t->kind->base.name;
    uint32_t distance = t->kind->distance(t, trip->from, trip->to);
    trip->header = t->kind->make_header(t, trip->from, trip->to, NULL);
    while (trip->header != 0 && trip->hops < distance)
        WEFT_TRY(check_hop(t, trip, err));
    if (trip->router != trip->to || trip->header != 0 || trip->hops != distance)
        return FAIL("topology %s: distance from router %u to %u is %u, but minimal ports lead to "
                    "router %u in %u hops, with header %u",
                    name, trip->from, trip->to, distance, trip->router, trip->hops, trip->header);
    return WEFT_OK;
}

weft_status weft_contract_topology(const weft_topology *t, weft_error *err)
{
    double sum = 0, count = 0;
    WEFT_TRY(check_numbers(t, err));
    WEFT_TRY(check_links(t, err));
    for (uint64_t i = 0; i < pairs_of(t); i++) {
        journey trip;
        if (!pair_of(t, i, &trip))
            continue;
        WEFT_TRY(check_trip(t, &trip, err));
        sum += trip.hops;
        count++;
    }
    double mean = t->kind->mean_distance(t);
    bool all = t->edge_routers <= WHOLE && count > 0;
    double off = all ? mean - sum / count : 0;
    if (!(off <= 1e-9 * mean && off >= -1e-9 * mean))
        return FAIL("topology %s: mean_distance is %.9g, but the mean over all pairs is %.9g",
                    t->kind->base.name, mean, sum / count);
    return WEFT_OK;
}

/* ---- routings ---- */

/* Queues as they might be. */
static uint32_t some_queue(const void *user, uint32_t port, uint16_t vcs)
{
    uint32_t mixed = *(const uint32_t *)user * 2654435761u ^ (port + 1) * 2246822519u ^ vcs;
    mixed = (mixed ^ mixed >> 15) * 2654435761u;
    return mixed >> 26;
}

static weft_status check_candidate(const weft_routing *r, const journey *trip,
                                   const weft_candidate *candidate, weft_error *err)
{
    const weft_topology *t = r->topology;
    const char *name = r->kind->base.name;
    uint32_t ports = weft_topology_tier(t, trip->router).ports;
    if (candidate->port >= ports ||
        t->kind->peer(t, trip->router, candidate->port).router == WEFT_NOWHERE)
        return FAIL("routing %s gives port %u at router %u for header %u: there is no link", name,
                    candidate->port, trip->router, trip->header);
    uint32_t vcs = r->plan.n_vcs;
    if (vcs > 0 && (candidate->vcs == 0 || candidate->vcs >> vcs))
        return FAIL("routing %s gives VCs 0x%x at router %u for header %u: one bit for each VC, of "
                    "%u",
                    name, candidate->vcs, trip->router, trip->header, vcs);
    return WEFT_OK;
}

/* Routers without VCs do not know a packet's input: its ports must not depend on it. */
static weft_status check_input(const weft_routing *r, const weft_route_context *at,
                               weft_random random, const weft_candidate *out, unsigned count,
                               weft_error *err)
{
    weft_candidate blind[WEFT_MINIMAL_PORTS_MAX];
    weft_route_context entered = {
        .router = at->router, .header = at->header, .port = WEFT_FROM_ENDPOINT};
    bool same = r->kind->candidates(r, &entered, &random, blind) == count;
    for (unsigned i = 0; same && i < count; i++)
        same = blind[i].port == out[i].port;
    if (same)
        return WEFT_OK;
    return FAIL("routing %s gives a packet that came in by port %u of router %u other ports than "
                "one from an endpoint, but says it does not: set ports_by_input, and use routers "
                "with virtual channels",
                r->kind->base.name, at->port, at->router);
}

typedef struct search { /* of a header in a list */
    uint32_t header;
    bool found;
} search;

static void compare_header(void *user, uint32_t header)
{
    search *it = user;
    it->found = it->found || it->header == header;
}

/* The deadlock proof goes by the lists: a header that is not on them would be overlooked. */
static weft_status check_outcome(const weft_routing *r, const weft_route_context *at,
                                 uint32_t header, weft_error *err)
{
    search it = {.header = header};
    if (!r->kind->proof.reroute_outcomes)
        return WEFT_OK;
    (void)r->kind->proof.reroute_outcomes(r, at, compare_header, &it);
    if (it.found)
        return WEFT_OK;
    return FAIL("routing %s: reroute returns header %u at router %u for header %u, which "
                "reroute_outcomes does not list",
                r->kind->base.name, header, at->router, at->header);
}

static weft_status check_initial(const weft_routing *r, const journey *trip, uint32_t header,
                                 weft_error *err)
{
    search it = {.header = header};
    if (!r->kind->initial_header || !r->kind->proof.initial_headers)
        return WEFT_OK;
    (void)r->kind->proof.initial_headers(r, trip->from, trip->to, compare_header, &it);
    if (it.found)
        return WEFT_OK;
    return FAIL("routing %s: initial_header returns header %u from router %u to %u, which "
                "initial_headers does not list",
                r->kind->base.name, header, trip->from, trip->to);
}

/* One hop by a candidate, a different one at every hop. */
static weft_status route_hop(const weft_routing *r, journey *trip, weft_route_context *at,
                             uint32_t salt, weft_error *err)
{
    const weft_topology *t = r->topology;
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    weft_random random = stream(salt, trip->hops);
    weft_congestion_view view = {.user = &salt, .waiting = some_queue};
    if (r->kind->reroute) {
        uint32_t header = r->kind->reroute(r, at, &view, &random);
        WEFT_TRY(check_outcome(r, at, header, err));
        at->header = trip->header = header;
    }
    weft_random again = random;
    unsigned count = r->kind->candidates(r, at, &random, out);
    if (count == 0 || count > WEFT_MINIMAL_PORTS_MAX)
        return FAIL("routing %s gives %u candidates at router %u for header %u; at least one, at "
                    "most %d",
                    r->kind->base.name, count, trip->router, trip->header, WEFT_MINIMAL_PORTS_MAX);
    for (unsigned i = 0; i < count; i++)
        WEFT_TRY(check_candidate(r, trip, &out[i], err));
    if (r->plan.n_vcs == 0)
        WEFT_TRY(check_input(r, at, again, out, count, err));
    const weft_candidate *taken = &out[(salt + trip->hops) % count];
    weft_end next = t->kind->peer(t, trip->router, taken->port);
    trip->router = next.router;
    trip->header = taken->next_header;
    trip->hops++;
    *at = (weft_route_context){.router = next.router,
                               .header = taken->next_header,
                               .port = (uint16_t)next.port,
                               .vc = taken->vcs ? (uint16_t)__builtin_ctz(taken->vcs) : 0};
    return WEFT_OK;
}

static weft_status route(const weft_routing *r, journey *trip, uint32_t salt, weft_error *err)
{
    weft_random random = stream(salt, HOPS_MOST);
    uint32_t most = r->kind->proof.max_hops ? r->kind->proof.max_hops(r) : HOPS_MOST;
    uint32_t header = weft_routing_initial_header(r, trip->from, trip->to, &random);
    WEFT_TRY(check_initial(r, trip, header, err));
    trip->header = weft_routing_header_for_host(r, header, 0);
    weft_route_context at = {
        .router = trip->from, .header = trip->header, .port = WEFT_FROM_ENDPOINT};
    while (trip->header != 0 && trip->hops < most)
        WEFT_TRY(route_hop(r, trip, &at, salt, err));
    if (trip->header != 0)
        return FAIL("routing %s: a packet from router %u to %u has not arrived after %u hops",
                    r->kind->base.name, trip->from, trip->to, trip->hops);
    if (trip->router != trip->to)
        return FAIL("routing %s: a packet from router %u to %u has header 0, and would leave the "
                    "network, at router %u",
                    r->kind->base.name, trip->from, trip->to, trip->router);
    return WEFT_OK;
}

weft_status weft_contract_routing(const weft_routing *routing, weft_error *err)
{
    for (uint64_t i = 0; i < pairs_of(routing->topology); i++) {
        journey trip;
        if (pair_of(routing->topology, i, &trip))
            WEFT_TRY(route(routing, &trip, (uint32_t)i, err));
    }
    return WEFT_OK;
}
