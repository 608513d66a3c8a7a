/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/infiniband/scenario.h"

#include "base/file.h"
#include "base/memory.h"
#include "config/describe/print.h"

#include <stdlib.h>

/* ---- rates ---- */

static void add_mbps(weft_text *text, uint64_t mbps)
{
    if (mbps % 1000 == 0)
        weft_text_add(text, "%llu Gb/s", (unsigned long long)(mbps / 1000));
    else
        weft_text_add(text, "%llu Mb/s", (unsigned long long)mbps);
}

static void add_rates(const weft_subnet *subnet, bool hosts, weft_text *text)
{
    uint32_t *count = weft_subnet_count_rates(subnet, hosts);
    for (size_t i = WEFT_SUBNET_RATES; i-- > 0;) {
        weft_subnet_rate rate = weft_subnet_nth_rate(i);
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

/* Every link has the rate of the fabric; what it does not know is that of most. */
static void add_links(const weft_subnet *subnet, weft_text *out)
{
    uint32_t kinds;
    uint64_t between = weft_subnet_mbps(weft_subnet_common_rate(subnet, false, &kinds));
    weft_text_add(out, "links: {flit: 64 B");
    if (between > 0) {
        weft_text_add(out, ", rate: ");
        add_mbps(out, between);
    }
    weft_text_add(out, "}\n");
}

/* Are packets told apart by their SLs? */
static bool by_sl(const weft_subnet *subnet)
{
    return subnet->lft && subnet->map;
}

static void add_notes(const weft_subnet *subnet, weft_text *notes)
{
    bool several = false;
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        several = several || subnet->hosts[h].lmc > 0;
    if (several)
        weft_text_add(notes,
                      "ports have several LIDs: packets for a host go to its first, or with "
                      "topology.lids: by-source to one by their source%s\n",
                      by_sl(subnet) ? "" : ", which needs routing infiniband (--lft, --sl2vl)");
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
    weft_text_add(out, "interweft: 1\nclock: 1 GHz\ntitle: ");
    weft_print_text(out, weft_bytes_name(file));
    weft_text_add(out, "\ntopology: {kind: file, path: ");
    weft_print_text(out, weft_bytes_name(fabric));
    weft_text_add(out, "}\nrouting: {kind: %s}\n",
                  by_sl(net->subnet) ? "infiniband"
                  : net->subnet->lft ? "tables"
                                     : "up-down");
    add_links(net->subnet, out);
    weft_text_add(out,
                  "router: {kind: input-queued, vcs: %u, buffer: 128 flits}\n"
                  "traffic:\n  all: {pattern: uniform, length: 2048 B, load: 0.3}\n",
                  by_sl(net->subnet) ? weft_subnet_count_vls(net->subnet) : 1);
    add_notes(net->subnet, notes);
}
