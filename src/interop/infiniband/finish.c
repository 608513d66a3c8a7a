/* SPDX-License-Identifier: Apache-2.0 */
/* From a checked description to a .weftnet fabric with its subnet. Switches are sorted by GUID
 * before the importer orders them, cables and hosts by the ports of switches: two descriptions of
 * one fabric give the same bytes. */
#include "interop/infiniband/fabric.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct work {
    weft_ib_fabric *fabric;
    weft_import_graph graph;
    uint32_t *order; /* nodes that are switches, as they are added to the graph */
    uint32_t n_switches;
    uint32_t *place;   /* of a node that is a switch in order; NONE: it is none */
    uint32_t *first;   /* [node]: its first plug; as many follow as it has */
    uint32_t *adapter; /* of a node that is one: its number, by that of its first host; or NONE */
    weft_weftnet *net;
} work;

static int by_guid(const void *a, const void *b, void *user)
{
    const weft_ib_node *nodes = user;
    uint64_t x = nodes[*(const uint32_t *)a].guid, y = nodes[*(const uint32_t *)b].guid;
    return x < y ? -1 : x > y;
}

static void sort_switches(work *w, bool keep_order)
{
    uint32_t nodes = w->fabric->ids.n_routers;
    w->order = weft_alloc(sizeof *w->order * nodes + 1);
    w->place = weft_alloc(sizeof *w->place * nodes + 1);
    w->first = weft_alloc(sizeof *w->first * (nodes + 1u));
    for (uint32_t n = 0; n < nodes; n++) {
        w->place[n] = NONE;
        if (w->fabric->nodes[n].kind == WEFT_IB_SWITCH)
            w->order[w->n_switches++] = n;
    }
    if (!keep_order && w->n_switches > 1)
        qsort_r(w->order, w->n_switches, sizeof *w->order, by_guid, w->fabric->nodes);
    for (uint32_t s = 0; s < w->n_switches; s++)
        w->place[w->order[s]] = s;
    for (uint32_t p = 0; p < w->fabric->n_plugs; p++)
        w->first[w->fabric->plugs[p].node + 1] = p + 1;
    for (uint32_t n = 0; n < nodes; n++)
        w->first[n + 1] = w->first[n + 1] ? w->first[n + 1] : w->first[n];
}

/* Switches of one name get their GUIDs behind it. */
static weft_status add_switches(work *w, weft_error *err)
{
    weft_lines place = {.name = w->fabric->file};
    for (uint32_t s = 0; s < w->n_switches; s++) {
        const weft_ib_node *node = &w->fabric->nodes[w->order[s]];
        const char *name = weft_ib_fabric_name(w->fabric, w->order[s]);
        char longer[WEFT_WEFTNET_NAME_MAX + 32];
        uint32_t router;
        place.line = node->line;
        WEFT_TRY(weft_import_graph_router_of(
            &w->graph, &place, (weft_word){.at = name, .length = strlen(name)}, &router, err));
        if (router == s)
            continue;
        int length =
            snprintf(longer, sizeof longer, "%.220s 0x%llx", name, (unsigned long long)node->guid);
        WEFT_TRY(weft_import_graph_router_of(
            &w->graph, &place, (weft_word){.at = longer, .length = (size_t)length}, &router, err));
        if (router != s)
            return weft_lines_fail(&place, err, "two switches are called '%s'", longer);
    }
    return WEFT_OK;
}

/* Cables by the switch that comes first and its port; hosts are counted. */
static weft_status add_cables(work *w, weft_error *err)
{
    weft_lines place = {.name = w->fabric->file};
    for (uint32_t s = 0; s < w->n_switches; s++)
        for (uint32_t p = w->first[w->order[s]]; p < w->first[w->order[s] + 1]; p++) {
            const weft_ib_plug *plug = &w->fabric->plugs[p];
            uint32_t to = w->place[plug->to];
            place.line = plug->line;
            if (to == NONE)
                WEFT_TRY(weft_import_graph_hosts(&w->graph, &place, s, 1, err));
            if (to == NONE || to < s)
                continue;
            weft_import_graph_cable cable = {.end = {{s, plug->port}, {to, plug->to_port}},
                                             .class = WEFT_LINK_LOCAL};
            WEFT_TRY(weft_import_graph_join(&w->graph, &place, cable, err));
        }
    return WEFT_OK;
}

/* ---- the subnet ---- */

/* The lower rate of the two sides of a cable. */
static weft_subnet_rate rate_of(const work *w, const weft_ib_plug *plug)
{
    uint32_t p = w->first[plug->to];
    while (w->fabric->plugs[p].port != plug->to_port)
        p++;
    weft_subnet_rate there = w->fabric->plugs[p].rate;
    return weft_subnet_mbps(there) < weft_subnet_mbps(plug->rate) ? there : plug->rate;
}

static weft_subnet_switch switch_of(const weft_ib_node *node)
{
    return (weft_subnet_switch){.guid = node->guid,
                                .system = node->system,
                                .port_guid = node->port_guid,
                                .vendor = node->vendor,
                                .device = node->device,
                                .lid = (uint16_t)node->lid,
                                .lmc = (uint8_t)node->lmc,
                                .ports = (uint8_t)node->ports,
                                .enhanced = node->enhanced};
}

/* The number of an adapter; it gets one with its first host. */
static uint32_t number_adapter(work *w, weft_subnet *subnet, weft_text *names, uint32_t n)
{
    const weft_ib_node *node = &w->fabric->nodes[n];
    const char *name = weft_ib_fabric_name(w->fabric, n);
    if (w->adapter[n] != NONE)
        return w->adapter[n];
    subnet->adapters[subnet->n_adapters] = (weft_subnet_adapter){.guid = node->guid,
                                                                 .system = node->system,
                                                                 .vendor = node->vendor,
                                                                 .device = node->device,
                                                                 .name = (uint32_t)names->length,
                                                                 .ports = (uint8_t)node->ports};
    weft_text_append(names, name, strlen(name) + 1);
    return w->adapter[n] = subnet->n_adapters++;
}

static void add_host(work *w, weft_subnet *subnet, weft_text *names, const weft_ib_plug *at)
{
    uint32_t p = w->first[at->to];
    while (w->fabric->plugs[p].port != at->to_port)
        p++;
    const weft_ib_plug *plug = &w->fabric->plugs[p];
    subnet->hosts[subnet->n_hosts++] =
        (weft_subnet_host){.guid = plug->guid,
                           .adapter = number_adapter(w, subnet, names, plug->node),
                           .lid = (uint16_t)plug->lid,
                           .lmc = (uint8_t)plug->lmc,
                           .port = (uint8_t)plug->port,
                           .switch_port = (uint8_t)plug->to_port,
                           .rate = rate_of(w, plug)};
}

/* Nodes by the numbers that the importer gave to routers. */
static void fill_nodes(work *w, weft_subnet *subnet, weft_text *names)
{
    weft_lines nowhere = {.name = w->fabric->file};
    for (uint32_t r = 0; r < w->net->routers; r++) {
        const char *name = weft_weftnet_name(w->net, r);
        uint32_t s = 0;
        weft_error err;
        weft_status found = weft_import_graph_router_of(
            &w->graph, &nowhere, (weft_word){.at = name, .length = strlen(name)}, &s, &err);
        uint32_t node = found == WEFT_OK ? w->order[s] : 0;
        subnet->switches[r] = switch_of(&w->fabric->nodes[node]);
        for (uint32_t p = w->first[node]; p < w->first[node + 1]; p++)
            if (w->place[w->fabric->plugs[p].to] == NONE)
                add_host(w, subnet, names, &w->fabric->plugs[p]);
    }
}

static void fill_rates(const work *w, weft_subnet *subnet)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < w->n_switches; s++)
        for (uint32_t p = w->first[w->order[s]]; p < w->first[w->order[s] + 1]; p++) {
            uint32_t to = w->place[w->fabric->plugs[p].to];
            if (to != NONE && to > s)
                subnet->rates[count++] = rate_of(w, &w->fabric->plugs[p]);
        }
}

static void fill_subnet(work *w)
{
    weft_subnet *subnet = w->net->subnet = weft_alloc(sizeof *subnet);
    uint32_t nodes = w->fabric->ids.n_routers;
    weft_text names;
    weft_text_init(&names);
    *subnet = (weft_subnet){.n_switches = w->net->routers, .n_cables = w->net->n_cables};
    subnet->switches = weft_alloc(sizeof *subnet->switches * subnet->n_switches + 1);
    subnet->rates = weft_alloc(sizeof *subnet->rates * subnet->n_cables + 1);
    subnet->hosts = weft_alloc(sizeof *subnet->hosts * w->fabric->n_plugs + 1);
    subnet->adapters = weft_alloc(sizeof *subnet->adapters * nodes + 1);
    w->adapter = weft_alloc(sizeof *w->adapter * nodes + 1);
    for (uint32_t n = 0; n < nodes; n++)
        w->adapter[n] = NONE;
    fill_nodes(w, subnet, &names);
    fill_rates(w, subnet);
    subnet->names_bytes = names.length;
    subnet->names = weft_text_take(&names);
}

static weft_status finish(work *w, bool keep_order, weft_error *err)
{
    weft_import_graph_options options = {.keep_order = keep_order};
    weft_text notes;
    sort_switches(w, keep_order);
    if (w->n_switches == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%.1024s has no switches", w->fabric->file);
    WEFT_TRY(add_switches(w, err));
    WEFT_TRY(add_cables(w, err));
    if (!w->graph.hosts_given)
        return weft_fail(err, WEFT_BAD_INPUT, "%.1024s has no adapters at its switches",
                         w->fabric->file);
    weft_text_init(&notes); /* on hosts and latencies, which the scenario settles */
    weft_status status = weft_import_graph_finish(&w->graph, &options, w->net, &notes, err);
    weft_text_done(&notes);
    WEFT_TRY(status);
    fill_subnet(w);
    return WEFT_OK;
}

weft_status weft_ib_fabric_finish(weft_ib_fabric *fabric, bool keep_order, weft_weftnet *net,
                                  weft_error *err)
{
    work w = {.fabric = fabric, .net = net};
    *net = (weft_weftnet){0};
    weft_import_graph_init(&w.graph, fabric->file);
    weft_status status = finish(&w, keep_order, err);
    weft_import_graph_done(&w.graph);
    free(w.order);
    free(w.place);
    free(w.first);
    free(w.adapter);
    return status;
}
