/* SPDX-License-Identifier: Apache-2.0 */
/* Links unlike their peers: cables between the same two levels of a fabric should be alike, and so
 * should the links of hosts. */
#include "base/memory.h"
#include "net/naming.h"
#include "study/check/judge.h"

#include <stdlib.h>

#define LEVELS 8u /* higher ones are taken together */

typedef struct peer_rates {
    const weft_parts *parts;
    uint32_t *level;                         /* [router] */
    uint32_t *count;                         /* [pair of levels × WEFT_SUBNET_RATES] */
    weft_subnet_rate usual[LEVELS * LEVELS]; /* [pair of levels] */
} peer_rates;

static uint32_t pair_of(const peer_rates *it, uint32_t cable)
{
    const weft_end *end = it->parts->net->cables[cable].end;
    uint32_t a = it->level[end[0].router], b = it->level[end[1].router];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return (low < LEVELS ? low : LEVELS - 1) * LEVELS + (high < LEVELS ? high : LEVELS - 1);
}

static void find_usual(peer_rates *it, const weft_parts *parts)
{
    const weft_weftnet *net = parts->net;
    *it =
        (peer_rates){.parts = parts,
                     .level = weft_alloc(sizeof *it->level * net->routers),
                     .count = weft_alloc(sizeof *it->count * LEVELS * LEVELS * WEFT_SUBNET_RATES)};
    (void)weft_weftnet_levels(net, it->level);
    for (uint32_t c = 0; c < net->n_cables; c++)
        it->count[pair_of(it, c) * WEFT_SUBNET_RATES +
                  weft_subnet_rate_number(net->subnet->rates[c])]++;
    for (uint32_t p = 0; p < LEVELS * LEVELS; p++)
        it->usual[p] = weft_subnet_usual_rate(it->count + p * WEFT_SUBNET_RATES);
}

static void add(weft_judge_case *it, weft_arena *arena, weft_subnet_rate rate,
                weft_subnet_rate usual, const char *link)
{
    it->unlike[it->n_unlike++] = weft_arena_format(arena, "%ux%s instead of %ux%s  %s", rate.width,
                                                   weft_subnet_speeds[rate.speed].name, usual.width,
                                                   weft_subnet_speeds[usual.speed].name, link);
}

static void add_cables(weft_judge_case *it, const peer_rates *peers, weft_arena *arena)
{
    const weft_parts *parts = peers->parts;
    for (uint32_t c = 0; c < parts->net->n_cables; c++) {
        weft_subnet_rate rate = parts->rates[c], usual = peers->usual[pair_of(peers, c)];
        weft_end end = parts->net->cables[c].end[0];
        char name[WEFT_LINK_NAME_BYTES];
        if (parts->no_cable[c] || weft_subnet_same_rate(rate, usual))
            continue;
        weft_naming_link(parts->topology, end.router, end.port, name);
        add(it, arena, rate, usual, name);
    }
}

static void add_hosts(weft_judge_case *it, const weft_parts *parts, weft_arena *arena)
{
    const weft_weftnet *net = parts->net;
    weft_subnet_rate usual = weft_subnet_common_rate(net->subnet, true, NULL);
    for (uint32_t home = 0, host = 0; home < net->homes; home++)
        for (uint32_t i = 0; i < net->hosts[home]; i++, host++) {
            const weft_subnet_host *at = &net->subnet->hosts[host];
            if (parts->no_host[host] || weft_subnet_same_rate(at->rate, usual))
                continue;
            add(it, arena, at->rate, usual,
                weft_arena_format(arena, "%s:p%u->%s", weft_weftnet_name(net, home),
                                  at->switch_port, weft_subnet_host_name(net->subnet, host)));
        }
}

void weft_judge_rates(weft_judge_case *it, const weft_parts *parts, weft_arena *arena)
{
    const weft_weftnet *net = parts->net;
    peer_rates peers;
    it->unlike = WEFT_TAKE(arena, const char *, (size_t)net->n_cables + net->subnet->n_hosts + 1);
    find_usual(&peers, parts);
    add_cables(it, &peers, arena);
    add_hosts(it, parts, arena);
    free(peers.level);
    free(peers.count);
}
