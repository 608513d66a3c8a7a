/* SPDX-License-Identifier: Apache-2.0 */
#include "study/check/judge.h"

#include "analysis/flows/loops.h"
#include "base/memory.h"
#include "net/naming.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PAIRINGS 1000
#define STEPS    ((uint64_t)1 << 26) /* flows that are followed in some seconds */
#define PATHS    ((uint64_t)1 << 27) /* that are traced for loops in as many */
#define NORMAL   1.96                /* 95 % of a thousand pairings */

static_assert(WEFT_JUDGE_HOPS == WEFT_FLOWS_HOPS, "the same histogram");

static const char *copy(weft_arena *arena, const char *text)
{
    return text ? weft_arena_copy(arena, text, strlen(text)) : NULL;
}

static const char *link_name(weft_arena *arena, const weft_topology *topology, size_t link)
{
    char name[WEFT_LINK_NAME_BYTES];
    weft_naming_link(topology, (uint32_t)(link / topology->ports),
                     (uint32_t)(link % topology->ports), name);
    return copy(arena, name);
}

/* ---- all pairs ---- */

typedef struct loaded {
    double load;
    size_t link;
} loaded;

static int most_first(const void *a, const void *b)
{
    const loaded *x = a, *y = b;
    if (x->load != y->load)
        return x->load > y->load ? -1 : 1;
    return x->link < y->link ? -1 : x->link > y->link;
}

static size_t count_alike(const loaded *links, size_t count, double load)
{
    size_t alike = 0;
    for (size_t l = 0; l < count; l++)
        alike += links[l].load == load;
    return alike;
}

/* The links that carry most of uniform traffic. A host sends 1, to all others alike. */
static void find_worst(weft_judge_case *it, const weft_flows *job, const double *load,
                       weft_arena *arena)
{
    loaded *sorted = weft_alloc(sizeof *sorted * job->n_links);
    size_t count = 0;
    for (size_t l = 0; l < job->n_links; l++)
        if (load[l] > 0)
            sorted[count++] = (loaded){load[l], l};
    qsort(sorted, count, sizeof *sorted, most_first);
    it->n_worst = count < WEFT_JUDGE_WORST ? count : WEFT_JUDGE_WORST;
    for (size_t i = 0; i < it->n_worst; i++)
        it->worst[i] =
            (weft_judge_link){sorted[i].load, link_name(arena, job->topology, sorted[i].link),
                              count_alike(sorted, count, sorted[i].load)};
    free(sorted);
}

static int most_lost_first(const void *a, const void *b)
{
    const weft_judge_loss *x = a, *y = b;
    if (x->from != y->from)
        return x->from > y->from ? -1 : 1;
    return weft_text_order(x->host, y->host);
}

/* Which hosts others do not reach. */
static void find_losses(weft_judge_case *it, const weft_flows *job, weft_arena *arena)
{
    it->losses = WEFT_TAKE(arena, weft_judge_loss, job->n_hosts + 1u);
    for (uint32_t to = 0; it->lost > 0 && to < job->n_hosts; to++) {
        uint32_t from = 0;
        for (uint32_t i = 0; i < job->n_hosts; i++)
            from += i != to && !weft_flows_arrives(job, job->hosts[i], job->hosts[to]);
        if (from > 0)
            it->losses[it->n_losses++] = (weft_judge_loss){copy(arena, job->names[to]), from};
    }
    if (it->n_losses > 1)
        qsort(it->losses, it->n_losses, sizeof *it->losses, most_lost_first);
}

/* Returns the loads of links under uniform traffic, malloc'ed. */
static double *follow_pairs(weft_judge_case *it, const weft_flows *job, weft_arena *arena)
{
    weft_flows_pairs pairs = weft_flows_all_pairs(job);
    double *load = weft_alloc(sizeof *load * job->n_links);
    for (size_t l = 0; l < job->n_links; l++)
        load[l] = weft_flows_load(job, l, (double)pairs.flows[l] / (job->n_hosts - 1.0));
    free(pairs.flows);
    it->followed = true;
    it->lost = pairs.lost;
    memcpy(it->lengths, pairs.lengths, sizeof it->lengths);
    find_worst(it, job, load, arena);
    find_losses(it, job, arena);
    return load;
}

/* ---- shifts, pairings, loops ---- */

static void find_shifts(weft_judge_case *it, const weft_flows *job, uint32_t most)
{
    weft_flows_shifts shifts = weft_flows_all_shifts(job, most);
    it->shifts = job->n_hosts - 1;
    it->shifts_seen = shifts.looked_at;
    it->shifts_free = shifts.free;
    it->shift_mean = shifts.mean;
    it->shift_most = shifts.most;
    it->shift_worst = shifts.worst;
}

static void find_bisection(weft_judge_case *it, const weft_flows *job, uint64_t seed)
{
    weft_flows_bisection bisection = weft_flows_bisect(job, seed, PAIRINGS);
    it->pairings = bisection.pairings;
    it->bisection = bisection.mean;
    it->bisection_half_width = NORMAL * bisection.error;
}

static void find_loop(weft_judge_case *it, const weft_flows *job, weft_arena *arena)
{
    uint32_t count;
    weft_flows_channel *loop = weft_flows_find_loop(job, &count);
    it->loop = WEFT_TAKE(arena, const char *, count + 1u);
    for (it->n_loop = 0; it->n_loop < count; it->n_loop++)
        it->loop[it->n_loop] = weft_arena_format(
            arena, "%s VL %u", link_name(arena, job->topology, loop[it->n_loop].link),
            loop[it->n_loop].vl);
    free(loop);
}

/* ---- the fabric ---- */

static void find_switches(weft_judge_case *it, const weft_parts *parts, weft_arena *arena)
{
    const weft_weftnet *net = parts->net;
    uint32_t *level = weft_alloc(sizeof *level * net->routers), host = 0;
    (void)weft_weftnet_levels(net, level);
    it->n_switches = net->routers;
    it->switches = WEFT_TAKE(arena, weft_judge_switch, net->routers);
    for (uint32_t r = 0; r < net->routers; r++) {
        weft_judge_switch *at = &it->switches[r];
        *at = (weft_judge_switch){.name = copy(arena, weft_weftnet_name(net, r)),
                                  .hosts = r < net->homes ? net->hosts[r] : 0,
                                  .level = level[r],
                                  .gone = parts->no_router[r]};
        for (uint32_t i = 0; i < at->hosts; i++, host++) {
            const char *name = weft_subnet_host_name(net->subnet, host);
            at->first = !at->first || weft_text_order(name, at->first) < 0 ? name : at->first;
            at->last = !at->last || weft_text_order(name, at->last) > 0 ? name : at->last;
        }
        at->first = copy(arena, at->first);
        at->last = copy(arena, at->last);
        it->there[0] += !at->gone;
    }
    free(level);
}

/* load: of links; NULL: not known. */
static void find_cables(weft_judge_case *it, const weft_parts *parts, const double *load,
                        weft_arena *arena)
{
    const weft_weftnet *net = parts->net;
    it->n_cables = net->n_cables;
    it->cables = WEFT_TAKE(arena, weft_judge_cable, net->n_cables + 1u);
    for (uint32_t c = 0; c < net->n_cables; c++) {
        it->cables[c].gone = parts->no_cable[c];
        it->there[1] += !parts->no_cable[c];
        for (int e = 0; e < 2; e++) {
            weft_end end = net->cables[c].end[e];
            it->cables[c].at[e] = end.router;
            it->cables[c].port[e] = end.port;
            if (load)
                it->cables[c].load[e] =
                    load[(size_t)end.router * parts->topology->ports + end.port];
        }
    }
}

weft_status weft_judge_tables(weft_judge_case *it, const weft_network *network,
                              const weft_parts *parts, bool thorough, weft_arena *arena,
                              weft_error *err)
{
    const weft_pattern *pattern = &network->traffic_classes[0].traffic.pattern;
    double *load = NULL;
    weft_flows job;
    WEFT_TRY(weft_flows_open(&job, parts, pattern, err));
    uint64_t square = (uint64_t)job.n_hosts * job.n_hosts;
    bool whole = thorough || square <= STEPS;
    it->hosts = job.n_hosts;
    if (job.n_hosts > 1 && whole)
        load = follow_pairs(it, &job, arena);
    if (job.n_hosts > 1) {
        find_shifts(it, &job, whole ? job.n_hosts : (uint32_t)(STEPS / job.n_hosts));
        find_bisection(it, &job, network->seed);
    }
    find_switches(it, parts, arena);
    find_cables(it, parts, load, arena);
    weft_judge_rates(it, parts, arena);
    free(load);
    weft_flows_close(&job);
    return WEFT_OK;
}

/* Paths differ by their hosts where SL2VL tables are, else by switches. */
static uint64_t count_paths(const weft_weftnet *net)
{
    return (uint64_t)net->subnet->n_hosts * (net->subnet->map ? net->subnet->n_hosts : net->homes);
}

weft_status weft_judge_loops(weft_judge_case *it, const weft_network *network,
                             const weft_parts *parts, bool thorough, weft_arena *arena,
                             weft_error *err)
{
    weft_flows job;
    if (!thorough && count_paths(parts->net) > PATHS)
        return WEFT_OK;
    WEFT_TRY(weft_flows_open(&job, parts, &network->traffic_classes[0].traffic.pattern, err));
    find_loop(it, &job, arena);
    it->traced = true;
    weft_flows_close(&job);
    return WEFT_OK;
}
