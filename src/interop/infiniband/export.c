/* SPDX-License-Identifier: Apache-2.0 */
/* A network without a subnet gets one first, so that there is one writer. Adapters come before
 * switches: ibsim attaches its clients to the first node. Parts that are gone are left out. */
#include "interop/infiniband/export.h"

#include "base/memory.h"
#include "interop/cables.h"
#include "net/naming.h"
#include "net/parts.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ADAPTER 0x100000u
#define FIRST_SWITCH  0x200000u
#define PORTS_MAX     254u
#define NAME_MOST     63u /* bytes */

/* ---- a subnet for any network ---- */

static weft_status check_network(const weft_topology *topology, const weft_cables *cables,
                                 weft_error *err)
{
    uint64_t endpoints = topology->first
                             ? weft_topology_endpoints(topology)
                             : (uint64_t)topology->edge_routers * topology->concentration;
    unsigned long long nodes = endpoints + topology->routers;
    if (cables->one_way)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the links of a %s lead one way, which InfiniBand does not know: use dot",
                         topology->kind->base.name);
    if (topology->ports + topology->concentration > PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a switch of InfiniBand has at most %u ports, a router here %u and %u "
                         "endpoints",
                         PORTS_MAX, topology->ports, topology->concentration);
    if (nodes > WEFT_SUBNET_LID_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a subnet of InfiniBand has at most %u switches and hosts, this network "
                         "%llu",
                         WEFT_SUBNET_LID_MAX, nodes);
    return WEFT_OK;
}

/* Makes a name that InfiniBand has room for and ibsim reads: 63 bytes, without quotes. */
static bool fit_name(char name[WEFT_NAME_BYTES])
{
    size_t length = strlen(name), end = length < NAME_MOST ? length : NAME_MOST;
    bool fits = end == length;
    while (end < length && ((unsigned char)name[end] & 0xC0) == 0x80)
        end--; /* not within a character */
    name[end] = '\0';
    for (char *at = name; (at = strchr(at, '"')) != NULL; fits = false)
        *at = '\'';
    return fits;
}

/* Names and GUIDs of switches; ports of hosts are behind those of links. Returns how many names
 * are not those of the network. */
static uint32_t make_switches(const weft_topology *topology, weft_weftnet *net)
{
    weft_text text;
    uint32_t changed = 0;
    weft_text_init(&text);
    net->name = weft_alloc(sizeof *net->name * net->routers);
    net->subnet->switches = weft_alloc(sizeof *net->subnet->switches * net->routers);
    for (uint32_t r = 0; r < net->routers; r++) {
        char name[WEFT_NAME_BYTES];
        uint64_t guid = FIRST_SWITCH + r;
        uint32_t hosts = r < topology->edge_routers ? weft_topology_hosts(topology, r) : 0;
        weft_naming_place(topology, r, name);
        changed += !fit_name(name);
        net->name[r] = (uint32_t)text.length;
        weft_text_append(&text, name, strlen(name) + 1);
        net->subnet->switches[r] =
            (weft_subnet_switch){.guid = guid,
                                 .system = guid,
                                 .port_guid = guid,
                                 .ports = (uint8_t)(weft_topology_tier(topology, r).ports + hosts)};
    }
    net->text = weft_text_take(&text);
    return changed;
}

static void make_hosts(const weft_topology *topology, const weft_ib_rates *rates, weft_weftnet *net)
{
    weft_subnet *subnet = net->subnet;
    weft_text text;
    weft_text_init(&text);
    subnet->n_hosts = subnet->n_adapters = weft_topology_endpoints(topology);
    subnet->hosts = weft_alloc(sizeof *subnet->hosts * subnet->n_hosts + 1);
    subnet->adapters = weft_alloc(sizeof *subnet->adapters * subnet->n_hosts + 1);
    net->hosts = weft_alloc(sizeof *net->hosts * net->homes + 1);
    for (uint32_t h = 0; h < net->homes; h++)
        net->hosts[h] = weft_topology_hosts(topology, h);
    for (uint32_t e = 0; e < subnet->n_hosts; e++) {
        uint64_t guid = FIRST_ADAPTER + 2 * (uint64_t)e;
        uint32_t links = weft_topology_tier(topology, weft_topology_home(topology, e)).ports;
        subnet->adapters[e] = (weft_subnet_adapter){
            .guid = guid, .system = guid, .name = (uint32_t)text.length, .ports = 1};
        subnet->hosts[e] = (weft_subnet_host){
            .guid = guid + 1,
            .adapter = e,
            .port = 1,
            .switch_port = (uint8_t)(links + 1 + weft_topology_host(topology, e)),
            .rate = rates->at[WEFT_LINK_HOST]};
        weft_text_add(&text, "host %u", e);
        weft_text_append(&text, "", 1);
    }
    subnet->names = weft_text_take(&text);
}

/* Ports from 1. */
static uint32_t make_net(const weft_topology *topology, const weft_cables *cables,
                         const weft_ib_rates *rates, weft_weftnet *net)
{
    *net = (weft_weftnet){.routers = topology->routers,
                          .homes = topology->edge_routers,
                          .n_cables = (uint32_t)cables->count};
    net->subnet = weft_alloc(sizeof *net->subnet);
    net->subnet->n_switches = net->routers;
    net->subnet->n_cables = net->n_cables;
    net->subnet->rates = weft_alloc(sizeof *net->subnet->rates * net->n_cables + 1);
    net->cables = weft_alloc(sizeof *net->cables * net->n_cables + 1);
    for (uint32_t c = 0; c < net->n_cables; c++) {
        net->cables[c] = cables->at[c];
        net->cables[c].end[0].port++;
        net->cables[c].end[1].port++;
        net->subnet->rates[c] = rates->at[cables->at[c].class];
    }
    make_hosts(topology, rates, net);
    return make_switches(topology, net);
}

/* ---- the text ---- */

static void add_rate(weft_text *text, weft_subnet_rate rate)
{
    if (rate.width > 0)
        weft_text_add(text, " %ux%s", rate.width, weft_subnet_speeds[rate.speed].name);
    weft_text_append(text, "\n", 1);
}

static void add_ids(weft_text *text, uint32_t vendor, uint32_t device, uint64_t system)
{
    weft_text_add(text, "\nvendid=0x%x\ndevid=0x%x\nsysimgguid=0x%llx\n", vendor, device,
                  (unsigned long long)system);
}

/* The hosts of an adapter, in the order of its ports. */
static void add_adapter(weft_text *text, const weft_weftnet *net, const uint32_t *hosts,
                        const uint32_t *home, uint32_t count)
{
    const weft_subnet *subnet = net->subnet;
    const weft_subnet_adapter *adapter = &subnet->adapters[subnet->hosts[hosts[0]].adapter];
    add_ids(text, adapter->vendor, adapter->device, adapter->system);
    weft_text_add(text, "caguid=0x%llx\nCa\t%u \"H-%016llx\"\t\t# \"%s\"\n",
                  (unsigned long long)adapter->guid, adapter->ports,
                  (unsigned long long)adapter->guid, subnet->names + adapter->name);
    for (uint32_t i = 0; i < count; i++) {
        const weft_subnet_host *host = &subnet->hosts[hosts[i]];
        const weft_subnet_switch *at = &subnet->switches[home[hosts[i]]];
        weft_text_add(text, "[%u](%llx) \t\"S-%016llx\"[%u]\t\t# lid %u lmc %u \"%s\" lid %u",
                      host->port, (unsigned long long)host->guid, (unsigned long long)at->guid,
                      host->switch_port, host->lid, host->lmc,
                      weft_weftnet_name(net, home[hosts[i]]), at->lid);
        add_rate(text, host->rate);
    }
}

static int by_adapter(const void *a, const void *b, void *user)
{
    const weft_subnet_host *hosts = user, *x = &hosts[*(const uint32_t *)a],
                           *y = &hosts[*(const uint32_t *)b];
    if (x->adapter != y->adapter)
        return x->adapter < y->adapter ? -1 : 1;
    return x->port < y->port ? -1 : x->port > y->port;
}

static void add_adapters(weft_text *text, const weft_weftnet *net, const weft_parts *parts,
                         const uint32_t *home)
{
    const weft_subnet *subnet = net->subnet;
    uint32_t *order = weft_alloc(sizeof *order * subnet->n_hosts + 1), count, hosts = 0;
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        if (!parts->no_host[h])
            order[hosts++] = h;
    if (hosts > 1)
        qsort_r(order, hosts, sizeof *order, by_adapter, subnet->hosts);
    for (uint32_t h = 0; h < hosts; h += count) {
        for (count = 1; h + count < hosts &&
                        subnet->hosts[order[h]].adapter == subnet->hosts[order[h + count]].adapter;)
            count++;
        add_adapter(text, net, order + h, home, count);
    }
    free(order);
}

/* What is at a port of a switch: a host, or an end of a cable. */
typedef struct jack {
    uint32_t port;
    uint32_t host;  /* WEFT_NOWHERE: a cable */
    uint32_t cable; /* its number … */
    int end;        /* … and which of its ends is here */
} jack;

static int by_port(const void *a, const void *b)
{
    const jack *x = a, *y = b;
    return x->port < y->port ? -1 : x->port > y->port;
}

static void add_jack(weft_text *text, const weft_weftnet *net, const weft_parts *parts,
                     const jack *it)
{
    const weft_subnet *subnet = net->subnet;
    if (it->host != WEFT_NOWHERE) {
        const weft_subnet_host *host = &subnet->hosts[it->host];
        weft_text_add(text, "[%u]\t\"H-%016llx\"[%u](%llx) \t\t# \"%s\" lid %u", it->port,
                      (unsigned long long)subnet->adapters[host->adapter].guid, host->port,
                      (unsigned long long)host->guid, weft_subnet_host_name(subnet, it->host),
                      host->lid);
        add_rate(text, host->rate);
        return;
    }
    weft_end to = net->cables[it->cable].end[1 - it->end];
    weft_text_add(text, "[%u]\t\"S-%016llx\"[%u]\t\t# \"%s\" lid %u", it->port,
                  (unsigned long long)subnet->switches[to.router].guid, to.port,
                  weft_weftnet_name(net, to.router), subnet->switches[to.router].lid);
    add_rate(text, parts->rates[it->cable]);
}

static bool is_there(const weft_parts *parts, const jack *it)
{
    return !(it->host != WEFT_NOWHERE ? parts->no_host[it->host] : parts->no_cable[it->cable]);
}

static void add_switch(weft_text *text, const weft_weftnet *net, const weft_parts *parts,
                       uint32_t router, jack *jacks, uint32_t count)
{
    const weft_subnet_switch *it = &net->subnet->switches[router];
    add_ids(text, it->vendor, it->device, it->system);
    weft_text_add(
        text,
        "switchguid=0x%llx(%llx)\nSwitch\t%u \"S-%016llx\"\t\t# \"%s\" %s port 0 lid %u lmc %u\n",
        (unsigned long long)it->guid, (unsigned long long)it->port_guid, it->ports,
        (unsigned long long)it->guid, weft_weftnet_name(net, router),
        it->enhanced ? "enhanced" : "base", it->lid, it->lmc);
    if (count > 1)
        qsort(jacks, count, sizeof *jacks, by_port);
    for (uint32_t i = 0; i < count; i++)
        if (is_there(parts, &jacks[i]))
            add_jack(text, net, parts, &jacks[i]);
}

static void add_switches(weft_text *text, const weft_weftnet *net, const weft_parts *parts,
                         const uint32_t *home)
{
    uint32_t hosts = net->subnet->n_hosts;
    size_t *start = weft_alloc(sizeof *start * (net->routers + 2u));
    jack *jacks = weft_alloc(sizeof *jacks * (2 * (size_t)net->n_cables + hosts) + 1);
    for (uint32_t h = 0; h < hosts; h++)
        start[home[h] + 2]++;
    for (uint32_t c = 0; c < net->n_cables; c++)
        for (int e = 0; e < 2; e++)
            start[net->cables[c].end[e].router + 2]++;
    for (uint32_t r = 0; r < net->routers; r++)
        start[r + 2] += start[r + 1];
    for (uint32_t h = 0; h < hosts; h++)
        jacks[start[home[h] + 1]++] = (jack){.port = net->subnet->hosts[h].switch_port, .host = h};
    for (uint32_t c = 0; c < net->n_cables; c++)
        for (int e = 0; e < 2; e++)
            jacks[start[net->cables[c].end[e].router + 1]++] = (jack){
                .port = net->cables[c].end[e].port, .host = WEFT_NOWHERE, .cable = c, .end = e};
    for (uint32_t r = 0; r < net->routers; r++)
        if (!parts->no_router || !parts->no_router[r])
            add_switch(text, net, parts, r, jacks + start[r], (uint32_t)(start[r + 1] - start[r]));
    free(start);
    free(jacks);
}

static uint32_t count_there(const bool *gone, uint32_t count)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < count; i++)
        there += !gone || !gone[i];
    return there;
}

/* parts: what is left of it; no_router NULL: all routers. */
static void write_net(const weft_weftnet *net, const weft_parts *parts, weft_text *text)
{
    uint32_t *home = weft_alloc(sizeof *home * net->subnet->n_hosts + 1), host = 0;
    for (uint32_t h = 0; h < net->homes; h++)
        for (uint32_t i = 0; i < net->hosts[h]; i++)
            home[host++] = h;
    weft_text_add(text, "# %u switches, %u hosts, %u cables between switches\n",
                  count_there(parts->no_router, net->routers), count_there(parts->no_host, host),
                  count_there(parts->no_cable, net->n_cables));
    add_adapters(text, net, parts, home);
    add_switches(text, net, parts, home);
    free(home);
}

weft_status weft_ib_netdiscover_write(const weft_topology *topology, const weft_ib_rates *rates,
                                      weft_text *text, weft_error *err)
{
    const weft_weftnet *fabric = weft_weftnet_of(topology);
    weft_cables cables;
    weft_weftnet net;
    if (fabric && fabric->subnet)
        return weft_ib_netdiscover_write_less(topology, NULL, NULL, text, err);
    weft_cables_init(&cables, topology);
    weft_status status = check_network(topology, &cables, err);
    if (status == WEFT_OK) {
        uint32_t changed = make_net(topology, &cables, rates, &net);
        weft_ib_rates_explain(rates, text);
        if (changed > 0)
            weft_text_add(
                text,
                "# %u names are cut to %u bytes, or have ' for \": InfiniBand has no more "
                "room\n",
                changed, NAME_MOST);
        weft_parts parts = {.no_router = cables.gone,
                            .no_host = weft_alloc(net.subnet->n_hosts + 1u),
                            .no_cable = weft_alloc(net.n_cables + 1u),
                            .rates = net.subnet->rates};
        write_net(&net, &parts, text);
        free(parts.no_host);
        free(parts.no_cable);
        weft_weftnet_done(&net);
    }
    weft_cables_done(&cables);
    return status;
}

/* What is down. */
static void take_faults(weft_parts *parts, const weft_topology *topology)
{
    const weft_weftnet *net = parts->net;
    weft_cables cables;
    weft_cables_init(&cables, topology);
    for (uint32_t c = 0; c < net->n_cables; c++) {
        weft_end end = net->cables[c].end[0];
        parts->no_cable[c] = !weft_topology_alive(topology, end.router, end.port);
    }
    for (uint32_t r = 0; r < net->routers; r++)
        parts->no_router[r] = weft_cables_gone(&cables, r);
    weft_cables_done(&cables);
}

static weft_status change(weft_parts *parts, const char *const *without, const char *const *rates,
                          weft_error *err)
{
    for (; without && *without; without++)
        if (weft_parts_remove(parts, *without) == 0)
            return weft_parts_refuse(parts, *without, err);
    for (; rates && *rates; rates++) {
        uint32_t count;
        WEFT_TRY(weft_parts_change_rate(parts, *rates, &count, err));
        if (count == 0)
            return weft_parts_refuse(parts, *rates, err);
    }
    return WEFT_OK;
}

weft_status weft_ib_netdiscover_write_less(const weft_topology *topology,
                                           const char *const *without, const char *const *rates,
                                           weft_text *text, weft_error *err)
{
    const weft_weftnet *fabric = weft_weftnet_of(topology);
    weft_parts parts;
    if (!fabric || !fabric->subnet)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "--without and --rate name parts of a fabric that weft import infiniband "
                         "made, and this is none");
    weft_parts_init(&parts, topology);
    take_faults(&parts, topology);
    weft_status status = change(&parts, without, rates, err);
    if (status == WEFT_OK)
        write_net(fabric, &parts, text);
    weft_parts_done(&parts);
    return status;
}
