/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric from a .weftnet file: any graph, with tables of its cables and of the distances to
 * routers with hosts. Links of one port number have one class at all routers; the importer
 * guarantees that. */
#include "net/topology.h"
#include "net/topology/common/adjacency.h"
#include "net/topology/common/weftnet.h"
#include "net/topology/common/weftnet_without.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    weft_file path;
    int64_t hosts;
    const char *without;
    int lids;
} settings;

enum { FIRST_LID, LIDS_BY_SOURCE };
static const char *const lids[] = {"first", "by-source", NULL};

typedef struct fabric {
    weft_adjacency table; /* first: weft_table_… find it there */
    weft_weftnet net;
    weft_tier tiers[2]; /* routers with hosts, and those without */
    /* of the topology, where routers have different numbers of hosts; NULL: they have not */
    uint32_t *first, *home;
} fabric;

static const weft_param params[] = {
    {.name = "path",
     .brief = "the .weftnet file, made by weft import; relative to the scenario",
     .type = WEFT_PARAM_FILE,
     .offset = offsetof(settings, path)},
    {.name = "hosts",
     .brief = "endpoints of every router that has any; none: as the file says",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "none",
     .min = 1,
     .max = 65536},
    {.name = "without",
     .brief =
         "routers that are left out with their cables and endpoints, by name: 'leaf7, rack3-*'",
     .type = WEFT_PARAM_TEXT,
     .offset = offsetof(settings, without),
     .fallback = "none"},
    {.name = "lids",
     .brief = "of an InfiniBand fabric with LMC > 0: packets go to the first LID of a host, or to "
              "one that follows from their source (the numbers of both endpoints added, modulo "
              "2^LMC)",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, lids),
     .fallback = "first",
     .choices = lids},
    {.name = NULL},
};

/* The most hosts of a router; *uneven: not all that have any have as many. */
static weft_status find_hosts(const settings *set, const weft_weftnet *net, uint32_t *hosts,
                              bool *uneven, weft_error *err)
{
    *hosts = set->hosts == WEFT_NONE_INT ? net->hosts[0] : (uint32_t)set->hosts;
    *uneven = false;
    for (uint32_t h = 1; h < net->homes && set->hosts == WEFT_NONE_INT; h++) {
        *uneven = *uneven || net->hosts[h] != *hosts;
        *hosts = net->hosts[h] > *hosts ? net->hosts[h] : *hosts;
    }
    if ((uint64_t)*hosts * net->homes > (uint64_t)1 << 31)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%u routers have up to %u endpoints each, more than can be simulated: use "
                         "fewer (topology.hosts)",
                         net->homes, *hosts);
    return WEFT_OK;
}

/* Endpoints in the order of their routers. */
static void number_hosts(weft_topology *topology)
{
    fabric *self = topology->self;
    const weft_weftnet *net = &self->net;
    uint32_t endpoints = 0;
    self->first = weft_alloc(sizeof *self->first * (net->homes + 1u));
    for (uint32_t h = 0; h < net->homes; h++)
        self->first[h + 1] = endpoints += net->hosts[h];
    self->home = weft_alloc(sizeof *self->home * (endpoints + 1u));
    for (uint32_t h = 0; h < net->homes; h++)
        for (uint32_t e = self->first[h]; e < self->first[h + 1]; e++)
            self->home[e] = h;
    self->home[endpoints] = net->homes;
    topology->first = self->first;
    topology->home = self->home;
}

/* Switches with hosts and those without differ in radix: 24 hosts and 24 links, or 48 links. */
static void fill_tiers(weft_topology *topology)
{
    fabric *self = topology->self;
    const weft_weftnet *net = &self->net;
    if (net->homes == net->routers)
        return;
    self->tiers[0] = (weft_tier){.first = 0, .concentration = topology->concentration};
    self->tiers[1] = (weft_tier){.first = net->homes};
    for (uint32_t c = 0; c < net->n_cables; c++)
        for (int e = 0; e < 2; e++) {
            weft_end end = net->cables[c].end[e];
            weft_tier *tier = &self->tiers[end.router >= net->homes];
            tier->ports = end.port >= tier->ports ? end.port + 1 : tier->ports;
        }
    topology->tiers = self->tiers;
    topology->n_tiers = 2;
}

static weft_status fill(weft_topology *topology, const settings *set, weft_error *err)
{
    fabric *self = topology->self;
    const weft_weftnet *net = &self->net;
    uint32_t hosts;
    bool uneven;
    WEFT_TRY(find_hosts(set, net, &hosts, &uneven, err));
    weft_adjacency_init(&self->table, net->routers, net->ports);
    for (uint32_t c = 0; c < net->n_cables; c++)
        weft_adjacency_join(&self->table, net->cables[c].end[0], net->cables[c].end[1]);
    WEFT_TRY(weft_adjacency_survey(&self->table, net->homes, err));
    weft_adjacency_fill(topology, hosts);
    for (uint32_t c = 0; c < net->n_cables; c++)
        for (int e = 0; e < 2; e++)
            topology->port_class[net->cables[c].end[e].port] = (uint8_t)net->cables[c].class;
    fill_tiers(topology);
    if (uneven)
        number_hosts(topology);
    return WEFT_OK;
}

static void done(weft_topology *topology)
{
    fabric *self = topology->self;
    weft_adjacency_done(&self->table);
    weft_weftnet_done(&self->net);
    free(self->first);
    free(self->home);
    self->first = self->home = NULL;
}

/* LIDs of a host that packets use. */
static weft_status find_paths(const settings *set, weft_weftnet *net, weft_error *err)
{
    uint32_t most = 0;
    net->paths = 1;
    if (set->lids == FIRST_LID)
        return WEFT_OK;
    if (!net->subnet)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.lids is for InfiniBand fabrics; %.2000s has no LIDs",
                         set->path.path);
    for (uint32_t h = 0; h < net->subnet->n_hosts; h++)
        most = net->subnet->hosts[h].lmc > most ? net->subnet->hosts[h].lmc : most;
    net->paths = 1u << most;
    return WEFT_OK;
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    fabric *self = topology->self;
    WEFT_TRY(weft_weftnet_read(set->path.path, &self->net, err));
    weft_status status = find_paths(set, &self->net, err);
    if (status == WEFT_OK && set->without)
        status = weft_weftnet_without(&self->net, set->without, err);
    if (status == WEFT_OK)
        status = fill(topology, set, err);
    if (status != WEFT_OK)
        done(topology);
    return status;
}

static void name(const weft_topology *topology, uint32_t router, char *text, size_t size)
{
    const fabric *self = topology->self;
    (void)snprintf(text, size, "%s", weft_weftnet_name(&self->net, router));
}

const weft_weftnet *weft_weftnet_of(const weft_topology *topology)
{
    return topology->kind == &weft_topology_file ? &((const fabric *)topology->self)->net : NULL;
}

const weft_topology_kind weft_topology_file = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "file",
             .brief =
                 "a fabric from a .weftnet file, imported from an edge list, GraphML, anynet or "
                 "InfiniBand",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(fabric)},
    .build = build,
    .done = done,
    WEFT_ADJACENCY_ANSWERS,
    .name = name,
};
