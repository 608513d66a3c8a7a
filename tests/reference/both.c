/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "reference/both.h"

#include "net/naming.h"
#include "reference/flit_route.h"

/* The dimension a port moves along: the coordinate in which the routers at its ends differ. */
static uint32_t port_dimension(const both *on, uint32_t port)
{
    const flit_config *set = &on->draw.config;
    for (uint32_t r = 0; r < set->routers; r++) {
        uint32_t to = on->peer[r * set->ports + port].router;
        for (uint32_t d = 0; d < set->dims && to != FLIT_NONE; d++)
            if (flit_coordinate(set, r, d) != flit_coordinate(set, to, d))
                return d;
    }
    return FLIT_NONE;
}

static int64_t period_ticks(const both *on, int class)
{
    int64_t times = on->stage.network.timing.cycle * on->draw.period[class][0];
    if (on->draw.n_wheres == 0) /* else no link may have this rate any more */
        assert_int_equal(times % on->draw.period[class][1], 0);
    return times / on->draw.period[class][1];
}

static bool where_names(const both *on, const draw_where *where, uint32_t router, uint32_t i)
{
    const flit_config *set = &on->draw.config;
    if (i >= set->ports)
        return where->host == router * set->hosts + i - set->ports;
    uint32_t to = on->peer[router * set->ports + i].router;
    bool ends = (router == where->a && (where->b == FLIT_NONE || to == where->b)) ||
                (to == where->a && (where->b == FLIT_NONE || router == where->b));
    return where->host == FLIT_NONE && to != FLIT_NONE && ends;
}

/* links.where, one after the other. */
static void set_single(both *on)
{
    flit_config *set = &on->draw.config;
    int64_t cycle = on->stage.network.timing.cycle;
    uint32_t sides = set->ports + set->hosts;
    on->single = calloc((size_t)set->routers * sides, sizeof *on->single);
    assert_non_null(on->single);
    for (uint32_t l = 0; l < set->routers * sides; l++) {
        uint32_t router = l / sides, i = l % sides;
        flit_link *link = &on->single[l];
        *link = i < set->ports ? (flit_link){set->period[i], set->latency[i]}
                               : (flit_link){set->host_period, set->host_latency};
        for (int w = 0; w < on->draw.n_wheres; w++) {
            const draw_where *where = &on->draw.where[w];
            if (!where_names(on, where, router, i))
                continue;
            link->period = cycle * where->period[0] / where->period[1];
            link->latency = where->latency >= 0 ? where->latency * cycle : link->latency;
        }
    }
    set->single = on->single;
}

/* ---- fabrics: the library numbers switches and ports and knows the routes ---- */

static const weft_routing *fabric_routing;

/* A packet carries the header of the library's routing as its offset. */
static unsigned route_by_library(const flit_config *config, const flit_here *here,
                                 const flit_packet *packet, flit_way *out)
{
    weft_route_context at = {.router = here->router,
                             .header = (uint32_t)packet->offset[0],
                             .port = here->port == FLIT_NONE ? WEFT_FROM_ENDPOINT
                                                             : (uint16_t)here->port,
                             .vc = (uint16_t)here->vc};
    weft_candidate found[WEFT_MINIMAL_PORTS_MAX];
    assert_int_equal(weft_routing_candidates(fabric_routing, &at, NULL, found), 1);
    *out = (flit_way){.port = found[0].port,
                      .vcs = config->leveled ? 1u << config->vl[packet->class] : found[0].vcs,
                      .step = packet->offset[0] - (int)found[0].next_header};
    return 1;
}

static uint32_t switch_of(const both *on, uint32_t router)
{
    char name[WEFT_NAME_BYTES];
    return (uint32_t)strtoul(weft_naming_name(&on->stage.network.topology, router, name) + 1, NULL,
                             10);
}

/* The nth cable between two routers by their ports is the nth of the edge list. */
static const draw_cable *cable_at(const both *on, uint32_t router, uint32_t port)
{
    const flit_config *set = &on->draw.config;
    const draw_fabric *fabric = &on->draw.fabric;
    uint32_t to = on->peer[router * set->ports + port].router, nth = 0;
    uint32_t a = switch_of(on, router), b = switch_of(on, to);
    for (uint32_t p = 0; p < port; p++)
        nth += on->peer[router * set->ports + p].router == to;
    for (uint32_t c = 0; c < fabric->n_cables; c++) {
        const draw_cable *cable = &fabric->cables[c];
        bool joins = (cable->a == a && cable->b == b) || (cable->a == b && cable->b == a);
        if (joins && nth-- == 0)
            return cable;
    }
    fail_msg("there is no such cable");
    return NULL;
}

static void set_fabric(both *on)
{
    flit_config *set = &on->draw.config;
    const draw_fabric *fabric = &on->draw.fabric;
    int64_t cycle = on->stage.network.timing.cycle;
    uint32_t sides = set->ports + set->hosts;
    on->single = calloc((size_t)set->routers * sides, sizeof *on->single);
    assert_non_null(on->single);
    for (uint32_t l = 0; l < set->routers * sides; l++) {
        uint32_t router = l / sides, i = l % sides;
        const int *host = fabric->host_period[switch_of(on, router)];
        on->single[l] = (flit_link){set->speedup * cycle, cycle}; /* where nothing is */
        if (i >= set->ports && fabric->hosts[switch_of(on, router)] > i - set->ports)
            on->single[l].period = cycle * host[0] / host[1];
        if (i < set->ports && on->peer[router * set->ports + i].router != FLIT_NONE) {
            const draw_cable *cable = cable_at(on, router, i);
            on->single[l] =
                (flit_link){cycle * cable->period[0] / cable->period[1], cable->latency * cycle};
        }
    }
    set->single = on->single;
}

void both_set_config(both *on)
{
    flit_config *set = &on->draw.config;
    const weft_topology *topology = &on->stage.network.topology;
    int64_t cycle = on->stage.network.timing.cycle;
    set->routers = topology->routers;
    set->ports = topology->ports;
    set->ready *= cycle;
    set->refront *= cycle;
    set->crossbar *= cycle;
    set->send *= cycle;
    set->credit *= set->credit >= 0 ? cycle : 1;
    set->host_period = period_ticks(on, WEFT_LINK_HOST);
    set->host_latency = on->draw.latency[WEFT_LINK_HOST] * cycle;
    on->peer = calloc((size_t)set->routers * set->ports + 1, sizeof *on->peer);
    on->own_ports = calloc(set->routers, sizeof *on->own_ports);
    assert_true(on->peer && on->own_ports);
    for (uint32_t r = 0; r < set->routers; r++) {
        on->own_ports[r] = weft_topology_tier(topology, r).ports;
        for (uint32_t p = 0; p < set->ports; p++) {
            weft_end end = topology->kind->peer(topology, r, p);
            on->peer[r * set->ports + p] = (flit_end){.router = end.router, .port = end.port};
        }
    }
    set->peer = on->peer;
    set->own_ports = on->own_ports;
    set->route = on->draw.grouped || on->draw.fabric.switches ? route_by_library : flit_route;
    fabric_routing = &on->stage.network.traffic_classes[0].routing;
    if (on->draw.fabric.switches) {
        set_fabric(on);
        return;
    }
    for (uint32_t p = 0; p < set->ports; p++) {
        bool global = on->draw.grouped ? topology->port_class[p] == WEFT_LINK_GLOBAL
                                       : port_dimension(on, p) == on->draw.global_dim;
        int class = global ? WEFT_LINK_GLOBAL : WEFT_LINK_LOCAL;
        set->period[p] = period_ticks(on, class);
        set->latency[p] = on->draw.latency[class] * cycle;
    }
    if (on->draw.n_wheres > 0)
        set_single(on);
}
