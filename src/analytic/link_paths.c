/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/link_paths.h"

#include "net/topology.h"

#include <string.h>

static weft_status build_topology(weft_link_paths *paths, weft_kind_ref ref, weft_error *err)
{
    weft_topology *topology = &paths->topology;
    topology->kind = (const weft_topology_kind *)(const void *)ref.kind;
    topology->self = weft_arena_take(&paths->arena, ref.kind->instance_size);
    return weft_topology_build(topology, ref.settings, err);
}

/* Routes that depend on what waits, or on the input, are none of a connection. */
static weft_status check_kind(const weft_routing_kind *kind, weft_error *err)
{
    if (!kind->reroute && !kind->ports_by_input)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "routing %s decides by what waits at routers, and connections have a path "
                     "before they send: use another one, such as minimal-oblivious",
                     kind->base.name);
}

static weft_status build_routing(weft_link_paths *paths, weft_kind_ref ref, weft_error *err)
{
    weft_routing *routing = &paths->routing;
    const weft_routing_kind *kind = (const weft_routing_kind *)(const void *)ref.kind;
    *routing = (weft_routing){.kind = kind, .settings = ref.settings, .topology = &paths->topology};
    WEFT_TRY(check_kind(kind, err));
    routing->draws = kind->draws;
    if (kind->selection) {
        weft_kind_ref selection = kind->selection(ref.settings);
        routing->selection = (const weft_selection_kind *)(const void *)selection.kind;
        routing->selection_settings = selection.settings;
        routing->draws = routing->selection->draws;
    }
    if (kind->check)
        WEFT_TRY(kind->check(routing, err));
    if (!kind->build)
        return WEFT_OK;
    routing->self = weft_arena_take(&paths->arena, kind->base.instance_size);
    weft_status status = kind->build(routing, err);
    if (status != WEFT_OK)
        routing->self = NULL;
    return status;
}

weft_status weft_link_paths_open(weft_link_paths *paths, weft_kind_ref topology,
                                 weft_kind_ref routing, bool hosts, weft_error *err)
{
    memset(paths, 0, sizeof *paths);
    weft_arena_init(&paths->arena);
    weft_status status = build_topology(paths, topology, err);
    if (status != WEFT_OK) {
        weft_arena_done(&paths->arena);
        return status;
    }
    paths->endpoints = weft_topology_endpoints(&paths->topology);
    uint64_t between = (uint64_t)paths->topology.routers * paths->topology.ports;
    uint64_t links = between + (hosts ? 2 * (uint64_t)paths->endpoints : 0);
    if (links > INT32_MAX)
        status = weft_fail(err, WEFT_BAD_INPUT, "topology: %llu links are too many",
                           (unsigned long long)links);
    paths->hosts = hosts;
    paths->host_links = (uint32_t)between;
    paths->links = (uint32_t)links;
    if (status == WEFT_OK)
        status = build_routing(paths, routing, err);
    if (status != WEFT_OK)
        weft_link_paths_close(paths);
    return status;
}

void weft_link_paths_close(weft_link_paths *paths)
{
    if (paths->routing.self && paths->routing.kind->done)
        paths->routing.kind->done(&paths->routing);
    if (paths->topology.kind->done)
        paths->topology.kind->done(&paths->topology);
    weft_arena_done(&paths->arena);
}

bool weft_link_paths_drawn(const weft_link_paths *paths)
{
    return paths->routing.draws || paths->routing.kind->initial_header ||
           !paths->topology.proof.untied;
}

static uint32_t follow(const weft_link_paths *paths, weft_route_context here, weft_random *random,
                       uint32_t *links)
{
    const weft_routing *routing = &paths->routing;
    const weft_topology *topology = &paths->topology;
    uint32_t count = 0;
    while (here.header) {
        weft_candidate ways[WEFT_MINIMAL_PORTS_MAX];
        if (count + 2 > WEFT_LINK_PATH_MAX ||
            weft_routing_candidates(routing, &here, routing->draws ? random : NULL, ways) == 0)
            return UINT32_MAX;
        links[count++] = here.router * topology->ports + ways[0].port;
        weft_end end = topology->kind->peer(topology, here.router, ways[0].port);
        here.router = end.router;
        here.header = ways[0].next_header;
    }
    return count;
}

uint32_t weft_link_paths_find(const weft_link_paths *paths, uint32_t from, uint32_t to,
                              weft_random *random, uint32_t *links)
{
    const weft_topology *topology = &paths->topology;
    uint32_t start = weft_topology_home(topology, from), end = weft_topology_egress(topology, to);
    weft_route_context here = {.router = start, .port = WEFT_FROM_ENDPOINT};
    uint32_t first = paths->hosts ? 1 : 0;
    if (start != end) {
        uint32_t header = weft_routing_initial_header(&paths->routing, start, end, random);
        here.header = weft_routing_header_between(&paths->routing, header, from,
                                                  weft_topology_host(topology, to));
    }
    uint32_t count = follow(paths, here, random, links + first);
    if (count == UINT32_MAX || !paths->hosts)
        return count;
    links[0] = paths->host_links + from;
    links[count + 1] = paths->host_links + paths->endpoints + to;
    return count + 2;
}
