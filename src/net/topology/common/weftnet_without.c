/* SPDX-License-Identifier: Apache-2.0 */
/* Everything moves down to where what is left out was, in place: no number grows. */
#include "net/topology/common/weftnet_without.h"

#include "base/glob.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct cut {
    weft_weftnet *net;
    uint8_t *gone;                  /* [routers] */
    uint32_t *number;               /* [routers]: of those that stay */
    uint32_t routers, homes, hosts; /* that stay */
} cut;

/* ---- which ---- */

static uint32_t mark(const cut *it, const char *glob)
{
    uint32_t found = 0;
    for (uint32_t r = 0; r < it->net->routers; r++)
        if (weft_glob_matches(glob, weft_weftnet_name(it->net, r))) {
            it->gone[r] = 1;
            found++;
        }
    return found;
}

static weft_status mark_all(const cut *it, const char *names, weft_error *err)
{
    weft_status status = WEFT_OK;
    while (*names && status == WEFT_OK) {
        size_t length = strcspn(names, ","), from = strspn(names, " "), end = length;
        while (end > from && names[end - 1] == ' ')
            end--;
        char *glob = weft_alloc(length + 1);
        memcpy(glob, names + from, end > from ? end - from : 0);
        if (mark(it, glob) == 0)
            status = weft_fail(err, WEFT_BAD_INPUT,
                               "topology.without: there is no router '%.60s' in this fabric; the "
                               "first is '%.60s'",
                               glob, weft_weftnet_name(it->net, 0));
        free(glob);
        names += length + (names[length] == ',');
    }
    return status;
}

static void number(cut *it)
{
    for (uint32_t r = 0; r < it->net->routers; r++) {
        it->number[r] = it->routers;
        it->routers += !it->gone[r];
        it->homes += !it->gone[r] && r < it->net->homes;
        it->hosts += !it->gone[r] && r < it->net->homes ? it->net->hosts[r] : 0;
    }
}

/* ---- the subnet ---- */

/* Of what is kept for every pair of hosts, the pairs that stay. */
static void cut_path_sl(const cut *it)
{
    weft_subnet *subnet = it->net->subnet;
    size_t kept = 0;
    uint8_t *stays = weft_alloc(subnet->n_hosts + 1u);
    for (uint32_t home = 0, host = 0; home < it->net->homes; home++)
        for (uint32_t i = 0; i < it->net->hosts[home]; i++)
            stays[host++] = !it->gone[home];
    for (size_t from = 0; from < subnet->n_hosts; from++)
        for (size_t to = 0; to < subnet->n_hosts; to++)
            if (stays[from] && stays[to])
                subnet->path_sl[kept++] = subnet->path_sl[from * subnet->n_hosts + to];
    free(stays);
}

/* Needs the routers and hosts as they were. */
static void cut_subnet(const cut *it)
{
    weft_subnet *subnet = it->net->subnet;
    size_t map = 0, host = 0, kept = 0;
    if (subnet->path_sl)
        cut_path_sl(it);
    for (uint32_t r = 0; r < it->net->routers; r++) {
        size_t start = subnet->map ? subnet->map_start[r] : 0,
               cells = subnet->map ? subnet->map_start[r + 1] - start : 0;
        uint32_t hosts = r < it->net->homes ? it->net->hosts[r] : 0;
        if (!it->gone[r]) {
            memmove(subnet->hosts + kept, subnet->hosts + host, hosts * sizeof *subnet->hosts);
            kept += hosts;
            subnet->switches[it->number[r]] = subnet->switches[r];
            if (subnet->lft)
                memmove(subnet->lft + (size_t)it->number[r] * subnet->n_lids,
                        subnet->lft + (size_t)r * subnet->n_lids, subnet->n_lids);
            if (subnet->map)
                memmove(subnet->map + map, subnet->map + start, cells * sizeof *subnet->map);
            map += cells;
        }
        host += hosts;
    }
    subnet->n_switches = it->routers;
    subnet->n_hosts = it->hosts;
    if (subnet->map) {
        free(subnet->map_start);
        (void)weft_subnet_start_maps(subnet);
    }
}

/* ---- the fabric ---- */

static bool stays(const cut *it, const weft_cable *cable)
{
    return !it->gone[cable->end[0].router] && !it->gone[cable->end[1].router];
}

/* With what is known of each, by its number. */
static void cut_cables(const cut *it)
{
    weft_weftnet *net = it->net;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < net->n_cables; c++) {
        if (!stays(it, &net->cables[c]))
            continue;
        net->cables[kept] = net->cables[c];
        for (int e = 0; e < 2; e++)
            net->cables[kept].end[e].router = it->number[net->cables[c].end[e].router];
        if (net->timing)
            net->timing[kept] = net->timing[c];
        if (net->subnet)
            net->subnet->rates[kept] = net->subnet->rates[c];
        kept++;
    }
    for (uint32_t h = 0; net->timing && h < net->homes; h++)
        if (!it->gone[h])
            net->timing[kept + it->number[h]] = net->timing[net->n_cables + h];
    net->n_cables = kept;
    if (net->subnet)
        net->subnet->n_cables = kept;
}

static void cut_routers(const cut *it)
{
    weft_weftnet *net = it->net;
    size_t cell = 0;
    for (uint32_t r = 0; r < net->routers; r++) {
        for (uint32_t h = 0; net->table && !it->gone[r] && h < net->homes; h++)
            if (!it->gone[h])
                net->table[cell++] = net->table[(size_t)r * net->homes + h];
        if (it->gone[r])
            continue;
        net->name[it->number[r]] = net->name[r];
        if (net->rank)
            net->rank[it->number[r]] = net->rank[r];
        if (r < net->homes)
            net->hosts[it->number[r]] = net->hosts[r];
    }
    net->routers = it->routers;
    net->homes = it->homes;
}

weft_status weft_weftnet_without(weft_weftnet *net, const char *names, weft_error *err)
{
    cut it = {.net = net,
              .gone = weft_alloc(net->routers + 1u),
              .number = weft_alloc(sizeof *it.number * net->routers)};
    weft_status status = mark_all(&it, names, err);
    number(&it);
    if (status == WEFT_OK && it.homes == 0)
        status = weft_fail(err, WEFT_BAD_INPUT, "topology.without leaves no router with hosts");
    if (status == WEFT_OK) {
        if (net->subnet)
            cut_subnet(&it);
        cut_cables(&it);
        cut_routers(&it);
    }
    free(it.gone);
    free(it.number);
    return status;
}
