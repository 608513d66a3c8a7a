/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/flows/flows.h"

#include "base/memory.h"
#include "base/numeric.h"
#include "interweft/random.h"
#include "net/traffic/common/pattern_endpoints.h"

#include <stdlib.h>
#include <string.h>

/* The router that an endpoint is at. */
static uint32_t home_of(const weft_flows *job, uint32_t endpoint)
{
    return endpoint / job->tables.each;
}

/* The place of the link by which a router sends towards an endpoint. */
static size_t link_to(const weft_flows *job, uint32_t router, uint32_t endpoint)
{
    return (size_t)router * job->topology->ports +
           job->tables.port[(size_t)router * job->tables.width + endpoint];
}

static void find_links(weft_flows *job)
{
    const weft_topology *topology = job->topology;
    job->n_links = (size_t)topology->routers * topology->ports;
    job->next = weft_alloc(sizeof *job->next * job->n_links);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            job->next[(size_t)r * topology->ports + p] =
                topology->kind->peer(topology, r, p).router;
}

typedef struct named_host {
    const char *name;
    uint32_t endpoint;
} named_host;

/* Names with numbers in them in the order of the numbers: node2 before node10. */
static int compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        size_t digits = strspn(a, "0123456789"), others = strspn(b, "0123456789");
        if (digits > 0 && others > 0) {
            unsigned long long x = strtoull(a, NULL, 10), y = strtoull(b, NULL, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a += digits;
            b += others;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int by_name(const void *a, const void *b)
{
    const named_host *x = a, *y = b;
    int order = compare_names(x->name, y->name);
    return order ? order : x->endpoint < y->endpoint ? -1 : 1;
}

/* In the order of their names, as jobs are spread over them. */
static void find_hosts(weft_flows *job, const weft_pattern *pattern)
{
    const weft_weftnet *net = weft_weftnet_of(job->topology);
    uint32_t each = job->tables.each, host = 0;
    named_host *named = weft_alloc(sizeof *named * job->tables.width);
    for (uint32_t h = 0; h < net->homes; h++)
        for (uint32_t i = 0; i < net->hosts[h]; i++, host++) {
            uint32_t endpoint = h * each + i;
            if (i < each && weft_pattern_endpoints_may_send(pattern, endpoint))
                named[job->n_hosts++] =
                    (named_host){weft_subnet_host_name(net->subnet, host), endpoint};
        }
    qsort(named, job->n_hosts, sizeof *named, by_name);
    job->hosts = weft_alloc(sizeof *job->hosts * job->tables.width);
    for (uint32_t i = 0; i < job->n_hosts; i++)
        job->hosts[i] = named[i].endpoint;
    free(named);
}

weft_status weft_flows_open(weft_flows *job, const weft_topology *topology,
                            const weft_pattern *pattern, weft_error *err)
{
    *job = (weft_flows){.topology = topology};
    WEFT_TRY(weft_forwarding_take_lft(&job->tables, topology, err));
    weft_status status = weft_forwarding_judge(&job->tables, topology, err);
    find_links(job);
    find_hosts(job, pattern);
    if (status != WEFT_OK)
        weft_flows_close(job);
    return status;
}

void weft_flows_close(weft_flows *job)
{
    weft_forwarding_done(&job->tables);
    free(job->next);
    free(job->hosts);
}

weft_flows_pairs weft_flows_all_pairs(const weft_flows *job)
{
    weft_flows_pairs pairs = {.flows = weft_alloc(sizeof *pairs.flows * job->n_links)};
    for (uint32_t i = 0; i < job->n_hosts; i++)
        for (uint32_t j = 0; j < job->n_hosts; j++) {
            uint32_t to = job->hosts[j], hops = 0;
            if (i == j)
                continue;
            for (uint32_t at = home_of(job, job->hosts[i]); at != home_of(job, to); hops++) {
                size_t link = link_to(job, at, to);
                pairs.flows[link]++;
                at = job->next[link];
            }
            pairs.lengths[hops < WEFT_FLOWS_HOPS ? hops : WEFT_FLOWS_HOPS]++;
        }
    return pairs;
}

/* Adds a flow to the links of its path; returns the most that any of them has then. */
static uint32_t add_flow(const weft_flows *job, uint32_t from, uint32_t to, uint32_t *flows)
{
    uint32_t most = 0;
    for (uint32_t at = home_of(job, from); at != home_of(job, to);) {
        size_t link = link_to(job, at, to);
        uint32_t now = ++flows[link];
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
        uint32_t worst = 0;
        memset(flows, 0, sizeof *flows * job->n_links);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t here = add_flow(job, job->hosts[i], job->hosts[(i + shift) % n], flows);
            worst = here > worst ? here : worst;
        }
        shifts.looked_at++;
        shifts.free += worst <= 1;
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

/* The flows on the worst link of a path. */
static uint32_t worst_of(const weft_flows *job, uint32_t from, uint32_t to, const uint32_t *flows)
{
    uint32_t most = 1;
    for (uint32_t at = home_of(job, from); at != home_of(job, to);) {
        size_t link = link_to(job, at, to);
        most = flows[link] > most ? flows[link] : most;
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
        (void)add_flow(job, order[i], order[half + i], flows);
    for (uint32_t i = 0; i < half; i++)
        sum += 1.0 / worst_of(job, order[i], order[half + i], flows);
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
