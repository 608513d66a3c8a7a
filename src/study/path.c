/* SPDX-License-Identifier: Apache-2.0 */
/* The path of a packet between two endpoints, hop by hop, as the routing of a scenario's first
 * traffic class leads it through an idle network. Where a routing may choose, its first choice is
 * followed, and the number of choices is told. */
#include "config/scenario.h"
#include "interweft/interop.h"
#include "net/hosts.h"
#include "net/naming.h"
#include "net/network.h"
#include "net/routing.h"
#include "net/topology/common/weftnet.h"
#include "study/catalog.h"
#include "study/choice.h"

#include <stdio.h>
#include <string.h>

#define HOPS_MOST 4096u

typedef struct trip {
    weft_arena arena;
    weft_scenario scenario;
    weft_network network;
    const weft_routing *routing;
    const weft_subnet *subnet; /* of a fabric of InfiniBand; NULL: it is none */
    uint32_t from, to;         /* endpoints */
    weft_random random;
} trip;

/* ---- endpoints ---- */

static weft_status find_endpoint(trip *it, const char *name, const char *which, uint32_t *endpoint,
                                 weft_error *err)
{
    weft_file word = {.text = name};
    weft_hosts hosts = {.count = 1, .at = &word};
    const weft_host_set *set;
    WEFT_TRY(weft_hosts_read(&hosts, &it->network.topology, which, &it->arena, &set, err));
    uint32_t count = set ? set->count : it->network.endpoints;
    *endpoint = set ? set->ranges[0].first : 0;
    if (count > 1)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "%s: a path is of one endpoint, '%.64s' names %u: choose one by its number, "
            "such as %u or %u",
            which, name, count, *endpoint, set ? weft_host_set_at(set, 1) : 1);
    return WEFT_OK;
}

/* The host that an endpoint is, or NULL. */
static const weft_subnet_host *host_of(const trip *it, uint32_t endpoint)
{
    const weft_topology *topology = &it->network.topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    uint32_t home = weft_topology_home(topology, endpoint),
             nth = weft_topology_host(topology, endpoint);
    uint32_t first = 0;
    if (!it->subnet || nth >= net->hosts[home])
        return NULL;
    for (uint32_t h = 0; h < home; h++)
        first += net->hosts[h];
    return &it->subnet->hosts[first + nth];
}

static void add_endpoint(weft_text *text, const trip *it, const char *which, uint32_t endpoint)
{
    const weft_subnet_host *host = host_of(it, endpoint);
    weft_text_add(text, "%-22s ", which);
    if (host && host->lid)
        weft_text_add(text, "%s, LID %u\n",
                      weft_subnet_host_name(it->subnet, (uint32_t)(host - it->subnet->hosts)),
                      host->lid);
    else if (host)
        weft_text_add(text, "%s\n",
                      weft_subnet_host_name(it->subnet, (uint32_t)(host - it->subnet->hosts)));
    else
        weft_text_add(text, "endpoint %u\n", endpoint);
}

/* ---- hops ---- */

typedef struct hop {
    uint32_t router;
    uint32_t in, out; /* ports; WEFT_NOWHERE: an endpoint */
    uint32_t vcs;     /* behind the output; 0: routers have none, or it is an endpoint */
    uint32_t choices;
} hop;

static uint32_t nothing_waits(const void *user, uint32_t port, uint16_t vcs)
{
    (void)user, (void)port, (void)vcs;
    return 0;
}

/* The output that a packet takes here. */
static weft_status choose(trip *it, weft_route_context *here, weft_candidate *taken,
                          uint32_t *choices, weft_error *err)
{
    const weft_routing *routing = it->routing;
    weft_congestion_view idle = {.waiting = nothing_waits};
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    if (routing->kind->reroute)
        here->header = routing->kind->reroute(routing, here, &idle, &it->random);
    *choices = weft_routing_candidates(routing, here, routing->draws ? &it->random : NULL, out);
    *taken = out[0];
    if (*choices > 0)
        return WEFT_OK;
    char name[WEFT_NAME_BYTES];
    weft_naming_place(&it->network.topology, here->router, name);
    bool faults = it->network.topology.faults && it->network.topology.faults->count > 0;
    return weft_fail(err, WEFT_BAD_INPUT, "there is no way on from router %s%s", name,
                     faults ? ": its links are down" : "");
}

/* Follows a packet to the router where it leaves the network; hops: room for HOPS_MOST + 1. */
static weft_status follow(trip *it, uint32_t header, hop *hops, uint32_t *count, weft_error *err)
{
    const weft_topology *topology = &it->network.topology;
    weft_route_context here = {.router = weft_topology_home(topology, it->from),
                               .header = header,
                               .port = WEFT_FROM_ENDPOINT};
    uint32_t in = WEFT_NOWHERE;
    for (*count = 0; here.header != 0 && *count < HOPS_MOST; ++*count) {
        weft_candidate taken;
        uint32_t choices;
        WEFT_TRY(choose(it, &here, &taken, &choices, err));
        weft_end next = topology->kind->peer(topology, here.router, taken.port);
        hops[*count] = (hop){.router = here.router,
                             .in = in,
                             .out = taken.port,
                             .vcs = it->network.vcs ? taken.vcs : 0,
                             .choices = choices};
        in = next.port;
        here = (weft_route_context){.router = next.router,
                                    .header = taken.next_header,
                                    .port = it->network.vcs ? (uint16_t)in : WEFT_FROM_ENDPOINT,
                                    .vc = taken.vcs ? (uint16_t)__builtin_ctz(taken.vcs) : 0};
    }
    hops[*count] = (hop){.router = here.router, .in = in, .out = WEFT_NOWHERE, .choices = 1};
    return here.header == 0 ? WEFT_OK
                            : weft_fail(err, WEFT_BAD_INPUT,
                                        "a packet has not arrived after %u hops", HOPS_MOST);
}

/* ---- the text ---- */

/* A port, or the one that a host of InfiniBand is at; "-": an endpoint's. */
static void add_port(weft_text *text, const trip *it, uint32_t port, uint32_t endpoint)
{
    const weft_subnet_host *host = port == WEFT_NOWHERE ? host_of(it, endpoint) : NULL;
    if (host)
        weft_text_add(text, "%6u", host->switch_port);
    else if (port == WEFT_NOWHERE)
        weft_text_add(text, "%6s", "-");
    else
        weft_text_add(text, "%6u", port);
}

/* "0-3,6" */
static void add_vcs(weft_text *text, uint32_t vcs)
{
    char list[64] = "";
    size_t used = 0;
    for (uint32_t v = 0, last; v < 32 && used < sizeof list; v = last + 1) {
        for (last = v; last + 1 < 32 && vcs >> v & 1 && vcs >> (last + 1) & 1;)
            last++;
        if (vcs >> v & 1)
            used += (size_t)snprintf(list + used, sizeof list - used, last > v ? "%s%u-%u" : "%s%u",
                                     used ? "," : "", v, last);
    }
    weft_text_add(text, "%6s", used ? list : "-");
}

static void add_hops(weft_text *text, const trip *it, const hop *hops, uint32_t count)
{
    uint32_t most = 1;
    for (uint32_t h = 0; h < count; h++)
        most = hops[h].choices > most ? hops[h].choices : most;
    weft_text_add(text, "\n%4s%6s%6s%6s%s  %s\n", "hop", "in", "out", "VCs",
                  most > 1 ? "  choices" : "", "router");
    for (uint32_t h = 0; h <= count; h++) {
        char name[WEFT_NAME_BYTES];
        weft_text_add(text, "%4u", h);
        add_port(text, it, hops[h].in, it->from);
        add_port(text, it, hops[h].out, it->to);
        add_vcs(text, hops[h].vcs);
        if (most > 1)
            weft_text_add(text, "%9u", hops[h].choices);
        weft_naming_place(&it->network.topology, hops[h].router, name);
        weft_text_add(text, "  %s\n", name);
    }
}

/* The SL of a path of InfiniBand, where it is known. */
static void add_level(weft_text *text, const trip *it)
{
    const weft_subnet_host *from = host_of(it, it->from), *to = host_of(it, it->to);
    const weft_subnet *subnet = it->subnet;
    if (!from || !to || !subnet->path_sl)
        return;
    uint8_t sl = subnet->path_sl[(size_t)(from - subnet->hosts) * subnet->n_hosts +
                                 (size_t)(to - subnet->hosts)];
    if (sl != WEFT_SUBNET_NO_SL)
        weft_text_add(text, "%-22s %u\n", "service level", sl);
}

static void pass(void *user, uint32_t header)
{
    (void)user, (void)header;
}

static weft_status describe(trip *it, weft_text *text, weft_error *err)
{
    const weft_topology *topology = &it->network.topology;
    uint32_t from = weft_topology_home(topology, it->from), count = 0, header = 0, starts = 1;
    uint32_t to = weft_topology_egress(topology, it->to);
    hop *hops = WEFT_TAKE(&it->arena, hop, HOPS_MOST + 1);
    if (from != to) {
        header = weft_routing_initial_header(it->routing, from, to, &it->random);
        header = weft_routing_header_between(it->routing, header, it->from,
                                             weft_topology_host(topology, it->to));
        if (!it->routing->kind->header_from_host)
            starts = weft_routing_starts(it->routing, from, to, pass, NULL);
    }
    WEFT_TRY(follow(it, header, hops, &count, err));
    add_endpoint(text, it, "from", it->from);
    add_endpoint(text, it, "to", it->to);
    weft_text_add(text, "%-22s %s\n", "routing", it->routing->kind->base.name);
    add_level(text, it);
    weft_text_add(text, "%-22s %u", "hops", count);
    if (starts > 1)
        weft_text_add(text, ", drawn: one of %u equally likely paths", starts);
    weft_text_append(text, "\n", 1);
    add_hops(text, it, hops, count);
    return WEFT_OK;
}

static bool names_routing(const weft_topology_choice *choice)
{
    for (size_t i = 0; choice->overrides && choice->overrides[i]; i++)
        if (strncmp(choice->overrides[i], "routing", strlen("routing")) == 0)
            return true;
    return false;
}

static weft_status open_trip(trip *it, const weft_catalog *catalog,
                             const weft_topology_choice *choice, weft_error *err)
{
    weft_plan *plan;
    if (choice->file && weft_choice_is_fabric(choice->file) && !names_routing(choice))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s has no routing to follow: name a scenario of it, or a routing "
                         "such as routing.kind=tables",
                         choice->file);
    WEFT_TRY(weft_choice_plan(catalog, choice, &it->arena, &plan, err));
    WEFT_TRY(weft_plan_point(plan, 0, &it->arena, &it->scenario, err));
    return weft_network_build(&it->network, &it->scenario, &it->arena, err);
}

static weft_status describe_path(trip *it, const char *from, const char *to, weft_text *text,
                                 weft_error *err)
{
    const weft_weftnet *net = weft_weftnet_of(&it->network.topology);
    it->routing = &it->network.traffic_classes[0].routing;
    it->subnet = net ? net->subnet : NULL;
    it->random = weft_random_stream(it->network.seed, 0, 0, WEFT_FOR_ESTIMATE);
    WEFT_TRY(find_endpoint(it, from, "from", &it->from, err));
    WEFT_TRY(find_endpoint(it, to, "to", &it->to, err));
    return describe(it, text, err);
}

weft_status weft_topology_path(const weft_catalog *catalog, const weft_topology_choice *choice,
                               const char *from, const char *to, char **text, weft_error *err)
{
    trip it = {0};
    weft_text out;
    weft_arena_init(&it.arena);
    weft_text_init(&out);
    weft_status status = open_trip(&it, catalog, choice, err);
    if (status == WEFT_OK) {
        status = describe_path(&it, from, to, &out, err);
        weft_network_done(&it.network);
    }
    weft_arena_done(&it.arena);
    if (status == WEFT_OK)
        *text = weft_text_take(&out);
    else
        weft_text_done(&out);
    return status;
}
