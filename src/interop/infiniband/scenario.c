/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/infiniband/scenario.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- rates ---- */

#define RATES ((size_t)256 * WEFT_SUBNET_SPEEDS)

static size_t rate_number(weft_subnet_rate rate)
{
    return (size_t)rate.width * WEFT_SUBNET_SPEEDS + rate.speed;
}

static weft_subnet_rate rate_of(size_t number)
{
    return (weft_subnet_rate){.width = (uint8_t)(number / WEFT_SUBNET_SPEEDS),
                              .speed = (uint8_t)(number % WEFT_SUBNET_SPEEDS)};
}

/* How many links there are of each rate, between switches or to hosts. */
static uint32_t *count_rates(const weft_subnet *subnet, bool hosts)
{
    uint32_t *count = weft_alloc(sizeof *count * RATES);
    for (uint32_t c = 0; !hosts && c < subnet->n_cables; c++)
        count[rate_number(subnet->rates[c])]++;
    for (uint32_t h = 0; hosts && h < subnet->n_hosts; h++)
        count[rate_number(subnet->hosts[h].rate)]++;
    return count;
}

/* The rate that most links have, the fastest of several; kinds: the number of rates. */
static weft_subnet_rate common_rate(const weft_subnet *subnet, bool hosts, uint32_t *kinds)
{
    uint32_t *count = count_rates(subnet, hosts);
    size_t best = 0;
    *kinds = 0;
    for (size_t i = 0; i < RATES; i++) {
        *kinds += count[i] > 0;
        if (count[i] > count[best] ||
            (count[i] == count[best] && count[i] > 0 &&
             weft_subnet_mbps(rate_of(i)) > weft_subnet_mbps(rate_of(best))))
            best = i;
    }
    free(count);
    return rate_of(best);
}

static void add_mbps(weft_text *text, uint64_t mbps)
{
    if (mbps % 1000 == 0)
        weft_text_add(text, "%llu Gb/s", (unsigned long long)(mbps / 1000));
    else
        weft_text_add(text, "%llu Mb/s", (unsigned long long)mbps);
}

static void add_rates(const weft_subnet *subnet, bool hosts, weft_text *text)
{
    uint32_t *count = count_rates(subnet, hosts);
    for (size_t i = RATES; i-- > 0;) {
        weft_subnet_rate rate = rate_of(i);
        if (count[i] == 0)
            continue;
        weft_text_add(text, "%-22s %u %s", hosts ? "links of hosts" : "cables", count[i],
                      hosts ? "" : "between switches ");
        if (rate.width == 0) {
            weft_text_add(text, "of an unknown rate\n");
            continue;
        }
        weft_text_add(text, "of %ux%s, ", rate.width, weft_subnet_speeds[rate.speed].name);
        add_mbps(text, weft_subnet_mbps(rate));
        weft_text_append(text, "\n", 1);
    }
    free(count);
}

/* ---- the summary ---- */

static uint32_t most_hosts(const weft_weftnet *net, uint32_t *least)
{
    uint32_t most = 0;
    *least = UINT32_MAX;
    for (uint32_t h = 0; h < net->homes; h++) {
        most = net->hosts[h] > most ? net->hosts[h] : most;
        *least = net->hosts[h] < *least ? net->hosts[h] : *least;
    }
    return most;
}

static int by_ends(const void *a, const void *b)
{
    const weft_cable *x = a, *y = b;
    for (int e = 0; e < 2; e++)
        if (x->end[e].router != y->end[e].router)
            return x->end[e].router < y->end[e].router ? -1 : 1;
    return 0;
}

/* Pairs of switches with several cables. */
static uint32_t count_parallel(const weft_weftnet *net)
{
    weft_cable *cables = weft_alloc(sizeof *cables * net->n_cables + 1);
    uint32_t pairs = 0;
    for (uint32_t c = 0; c < net->n_cables; c++) {
        cables[c] = net->cables[c];
        if (cables[c].end[0].router > cables[c].end[1].router) {
            cables[c].end[0] = net->cables[c].end[1];
            cables[c].end[1] = net->cables[c].end[0];
        }
    }
    if (net->n_cables > 1)
        qsort(cables, net->n_cables, sizeof *cables, by_ends);
    for (uint32_t c = 1; c < net->n_cables; c++)
        pairs += by_ends(&cables[c - 1], &cables[c]) == 0 &&
                 (c == 1 || by_ends(&cables[c - 2], &cables[c]) != 0);
    free(cables);
    return pairs;
}

void weft_ib_summary_add(const weft_weftnet *net, weft_text *text)
{
    const weft_subnet *subnet = net->subnet;
    uint32_t least, most = most_hosts(net, &least), parallel = count_parallel(net);
    weft_text_add(text, "%-22s %u\n", "switches", net->routers);
    weft_text_add(text, "%-22s %u of %u adapters, ", "hosts", subnet->n_hosts, subnet->n_adapters);
    if (least < most)
        weft_text_add(text, "%u … ", least);
    weft_text_add(text, "%u at %s%u switches\n", most, least < most ? "" : "each of ", net->homes);
    add_rates(subnet, false, text);
    if (parallel > 0)
        weft_text_add(text, "%-22s %u pairs of switches have several cables\n", "", parallel);
    add_rates(subnet, true, text);
    if (subnet->n_lids > 0)
        weft_text_add(text, "%-22s %u, %u … %u\n", "LIDs", subnet->n_lids, subnet->lids[0],
                      subnet->lids[subnet->n_lids - 1]);
    else
        weft_text_add(text, "%-22s none\n", "LIDs");
}

/* ---- the scenario ---- */

static void add_quoted(weft_text *text, const char *path)
{
    weft_text_append(text, "\"", 1);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            weft_text_append(text, "\\", 1);
        weft_text_append(text, path, 1);
    }
    weft_text_append(text, "\"", 1);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_links(const weft_subnet *subnet, weft_text *out, weft_text *notes)
{
    uint32_t kinds, host_kinds;
    uint64_t between = weft_subnet_mbps(common_rate(subnet, false, &kinds));
    uint64_t hosts = weft_subnet_mbps(common_rate(subnet, true, &host_kinds));
    weft_text_add(out, "links: {flit: 64 B");
    if (between > 0) {
        weft_text_add(out, ", rate: ");
        add_mbps(out, between);
    }
    if (hosts > 0 && hosts != between) {
        weft_text_add(out, ", host: {rate: ");
        add_mbps(out, hosts);
        weft_text_append(out, "}", 1);
    }
    weft_text_add(out, "}\n");
    if (kinds > 1 || host_kinds > 1) {
        weft_text_add(notes, "a simulation gives all cables between switches one rate, that of "
                             "most, ");
        add_mbps(notes, between);
        weft_text_add(notes, ", and all links of hosts ");
        add_mbps(notes, hosts);
        weft_text_append(notes, "\n", 1);
    }
}

/* Are packets told apart by their SLs? */
static bool by_sl(const weft_subnet *subnet)
{
    return subnet->lft && subnet->map;
}

/* The virtual channels that SL2VL tables name. */
static uint32_t count_vls(const weft_subnet *subnet)
{
    uint32_t count = 1;
    for (uint32_t m = 0; by_sl(subnet) && m < subnet->n_maps; m++)
        for (uint32_t sl = 0; sl < 16; sl++) {
            uint32_t vl = weft_subnet_vl(subnet->maps[m], sl);
            count = vl < 15 && vl >= count ? vl + 1 : count;
        }
    return count;
}

static void add_notes(const weft_subnet *subnet, weft_text *notes)
{
    bool several = false;
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        several = several || subnet->hosts[h].lmc > 0;
    if (several)
        weft_text_add(notes, "ports have several LIDs: packets for a host go to its first\n");
    if (!subnet->lft)
        weft_text_add(notes,
                      "no forwarding tables are given (--lft): the scenario routes up-down\n");
    if (subnet->path_sl && !by_sl(subnet))
        weft_text_add(notes, "path SLs are used with forwarding tables and SL2VL tables alone "
                             "(--lft, --sl2vl): all packets share one virtual channel\n");
    if (subnet->map && !subnet->path_sl)
        weft_text_add(notes, "no SLs of paths are given (--path-sl): all packets have SL 0\n");
}

void weft_ib_scenario_add(const weft_weftnet *net, const char *file, const char *fabric,
                          weft_text *out, weft_text *notes)
{
    uint32_t least, most = most_hosts(net, &least);
    weft_text_add(out, "interweft: 1\nclock: 1 GHz\ntitle: ");
    add_quoted(out, base_name(file));
    weft_text_add(out, "\ntopology: {kind: file, path: ");
    add_quoted(out, base_name(fabric));
    if (least < most) {
        weft_text_add(out, ", hosts: %u", most);
        weft_text_add(notes,
                      "a simulation has %u endpoints at every switch with hosts; those that are no "
                      "host (from: '*', to: '*') neither send nor receive\n",
                      most);
    }
    weft_text_add(out, "}\nrouting: {kind: %s}\n",
                  by_sl(net->subnet) ? "infiniband"
                  : net->subnet->lft ? "tables"
                                     : "up-down");
    add_links(net->subnet, out, notes);
    weft_text_add(out,
                  "router: {kind: input-queued, vcs: %u, buffer: 128 flits}\n"
                  "traffic:\n  all: {pattern: uniform, length: 2048 B, load: 0.3",
                  count_vls(net->subnet));
    weft_text_add(out, "%s}\n", least < most ? ", from: '*', to: '*'" : "");
    add_notes(net->subnet, notes);
}
