/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/flows/flows.h"

#include "base/memory.h"
#include "base/numeric.h"
#include "base/text.h"
#include "interweft/random.h"
#include "net/traffic/common/pattern_endpoints.h"

#include <stdlib.h>
#include <string.h>

/* The router that an endpoint is at. */
static uint32_t home_of(const weft_flows *job, uint32_t endpoint)
{
    return endpoint / job->each;
}

/* The place of the link by which a router sends what goes from one endpoint to another. */
static size_t link_to(const weft_flows *job, uint32_t router, uint32_t from, uint32_t to)
{
    return (size_t)router * job->topology->ports + weft_flows_port(job, router, from, to);
}

static void find_links(weft_flows *job)
{
    const weft_topology *topology = job->topology;
    job->n_links = (size_t)topology->routers * topology->ports;
    job->next = weft_alloc(sizeof *job->next * job->n_links);
    job->weight = weft_alloc(sizeof *job->weight * job->n_links);
    for (size_t l = 0; l < job->n_links; l++) {
        job->next[l] = WEFT_NOWHERE;
        job->weight[l] = 1;
    }
}

/* Where a rate is not known the cable is as fast as a host. */
static void find_cables(weft_flows *job)
{
    const weft_weftnet *net = job->parts->net;
    uint64_t host = weft_subnet_mbps(weft_subnet_common_rate(net->subnet, true, NULL));
    for (uint32_t c = 0; c < net->n_cables; c++) {
        uint64_t own = weft_subnet_mbps(job->parts->rates[c]);
        for (int e = 0; e < 2 && !job->parts->no_cable[c]; e++) {
            weft_end end = net->cables[c].end[e];
            size_t link = (size_t)end.router * job->topology->ports + end.port;
            job->next[link] = net->cables[c].end[1 - e].router;
            if (own > 0 && host > 0)
                job->weight[link] = (double)host / (double)own;
        }
        job->cut = job->cut || job->parts->no_cable[c];
    }
}

typedef struct named_host {
    const char *name;
    uint32_t endpoint;
} named_host;

static int by_name(const void *a, const void *b)
{
    const named_host *x = a, *y = b;
    int order = weft_text_order(x->name, y->name);
    return order ? order : x->endpoint < y->endpoint ? -1 : 1;
}

/* In the order of their names, as jobs are spread over them. */
static void find_hosts(weft_flows *job, const weft_pattern *pattern)
{
    const weft_weftnet *net = weft_weftnet_of(job->topology);
    uint32_t each = job->each, host = 0;
    named_host *named = weft_alloc(sizeof *named * net->homes * each);
    for (uint32_t h = 0; h < net->homes; h++)
        for (uint32_t i = 0; i < net->hosts[h]; i++, host++) {
            /* endpoint: of the tables, which have as many of every router. */
            uint32_t endpoint = h * each + i;
            uint32_t source = weft_topology_first(job->topology, h) + i;
            if (i < weft_topology_hosts(job->topology, h) && !job->parts->no_host[host] &&
                weft_pattern_endpoints_may_send(pattern, source))
                named[job->n_hosts++] =
                    (named_host){weft_subnet_host_name(net->subnet, host), endpoint};
        }
    qsort(named, job->n_hosts, sizeof *named, by_name);
    job->hosts = weft_alloc(sizeof *job->hosts * net->homes * each);
    job->names = weft_alloc(sizeof *job->names * net->homes * each);
    for (uint32_t i = 0; i < job->n_hosts; i++) {
        job->hosts[i] = named[i].endpoint;
        job->names[i] = named[i].name;
    }
    free(named);
}

weft_status weft_flows_open(weft_flows *job, const weft_parts *parts, const weft_pattern *pattern,
                            weft_error *err)
{
    const weft_topology *topology = parts->topology;
    *job = (weft_flows){.topology = topology, .parts = parts};
    WEFT_TRY(weft_forwarding_take_lft(&job->tables, topology, true, err));
    job->each = job->tables.each / job->tables.paths;
    weft_status status = weft_forwarding_judge(&job->tables, topology, err);
    find_links(job);
    find_cables(job);
    find_hosts(job, pattern);
    if (status != WEFT_OK)
        weft_flows_close(job);
    return status;
}

void weft_flows_close(weft_flows *job)
{
    weft_forwarding_done(&job->tables);
    free(job->next);
    free(job->weight);
    free(job->hosts);
    free((void *)job->names);
}

bool weft_flows_arrives(const weft_flows *job, uint32_t from, uint32_t to)
{
    uint32_t at = home_of(job, from);
    while (at != WEFT_NOWHERE && at != home_of(job, to))
        at = job->next[link_to(job, at, from, to)];
    return at != WEFT_NOWHERE;
}

static bool is_lost(const weft_flows *job, uint32_t from, uint32_t to)
{
    return job->cut && !weft_flows_arrives(job, from, to);
}

weft_flows_pairs weft_flows_all_pairs(const weft_flows *job)
{
    weft_flows_pairs pairs = {.flows = weft_alloc(sizeof *pairs.flows * job->n_links)};
    for (uint32_t i = 0; i < job->n_hosts; i++)
        for (uint32_t j = 0; j < job->n_hosts; j++) {
            uint32_t from = job->hosts[i], to = job->hosts[j], hops = 0;
            if (i == j)
                continue;
            if (is_lost(job, from, to)) {
                pairs.lost++;
                continue;
            }
            for (uint32_t at = home_of(job, from); at != home_of(job, to); hops++) {
                size_t link = link_to(job, at, from, to);
                pairs.flows[link]++;
                at = job->next[link];
            }
            pairs.lengths[hops < WEFT_FLOWS_HOPS ? hops : WEFT_FLOWS_HOPS]++;
        }
    return pairs;
}

/* Adds a flow to the links of its path; returns the greatest load of any of them then. */
static double add_flow(const weft_flows *job, uint32_t from, uint32_t to, uint32_t *flows)
{
    double most = 0;
    for (uint32_t at = home_of(job, from); at != home_of(job, to);) {
        size_t link = link_to(job, at, from, to);
        double now = weft_flows_load(job, link, ++flows[link]);
        most = now > most ? now : most;
        at = job->next[link];
    }
    return most;
}

weft_flows_shifts weft_flows_all_shifts(const weft_flows *job, uint32_t most)
{
    uint32_t n = job->n_hosts, all = n > 1 ? n - 1 : 0, step = (all + most - 1) / most;
    uint32_t *flows = weft_alloc(sizeof *flows * job->n_links);
    weft_flows_shifts shifts = {0};
    for (uint32_t shift = 1; shift <= all; shift += step) {
        double worst = 0;
        bool lost = false;
        memset(flows, 0, sizeof *flows * job->n_links);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t from = job->hosts[i], to = job->hosts[(i + shift) % n];
            bool gone = is_lost(job, from, to);
            double here = gone ? 0 : add_flow(job, from, to, flows);
            worst = here > worst ? here : worst;
            lost = lost || gone;
        }
        shifts.looked_at++;
        shifts.free += worst <= 1 && !lost;
        shifts.mean += worst;
        if (worst > shifts.most) {
            shifts.most = worst;
            shifts.worst = shift;
        }
    }
    shifts.mean /= shifts.looked_at ? shifts.looked_at : 1;
    free(flows);
    return shifts;
}

/* The load of the worst link of a path, or 1 if that is more. */
static double worst_of(const weft_flows *job, uint32_t from, uint32_t to, const uint32_t *flows)
{
    double most = 1;
    for (uint32_t at = home_of(job, from); at != home_of(job, to);) {
        size_t link = link_to(job, at, from, to);
        double load = weft_flows_load(job, link, flows[link]);
        most = load > most ? load : most;
        at = job->next[link];
    }
    return most;
}

static void shuffle(weft_random *random, uint32_t *at, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t other = weft_random_below(random, i), was = at[i - 1];
        at[i - 1] = at[other];
        at[other] = was;
    }
}

/* The mean share of a flow's rate in one pairing. */
static double pair_up(const weft_flows *job, const uint32_t *order, uint32_t *flows)
{
    uint32_t half = job->n_hosts / 2;
    double sum = 0;
    memset(flows, 0, sizeof *flows * job->n_links);
    for (uint32_t i = 0; i < half; i++)
        if (!is_lost(job, order[i], order[half + i]))
            (void)add_flow(job, order[i], order[half + i], flows);
    for (uint32_t i = 0; i < half; i++)
        if (!is_lost(job, order[i], order[half + i]))
            sum += 1 / worst_of(job, order[i], order[half + i], flows);
    return sum / half;
}

weft_flows_bisection weft_flows_bisect(const weft_flows *job, uint64_t seed, uint32_t pairings)
{
    weft_flows_bisection bisection = {.pairings = job->n_hosts > 1 ? pairings : 0};
    uint32_t *flows = weft_alloc(sizeof *flows * job->n_links);
    uint32_t *order = weft_alloc(sizeof *order * (job->n_hosts + 1u));
    weft_random random = weft_random_stream(seed, 0, 0, WEFT_FOR_ESTIMATE);
    double squares = 0;
    memcpy(order, job->hosts, sizeof *order * job->n_hosts);
    for (uint32_t k = 1; k <= bisection.pairings; k++) {
        shuffle(&random, order, job->n_hosts);
        double share = pair_up(job, order, flows), off = share - bisection.mean;
        bisection.mean += off / k;
        squares += off * (share - bisection.mean);
    }
    if (bisection.pairings > 1)
        bisection.error = weft_sqrt(squares / (bisection.pairings - 1.0) / bisection.pairings);
    free(flows);
    free(order);
    return bisection;
}
