/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/linkwatch.h"

#include "base/memory.h"

#include <stdlib.h>

#define WORST 10   /* links that a summary of a large network names */
#define SMALL 4096 /* links of a network whose summary names them all */

bool weft_linkwatch_lists_all(const weft_network *network)
{
    weft_link_report report = (weft_link_report)network->scenario->measure.links;
    return report == WEFT_LINKS_ALL ||
           (report == WEFT_LINKS_SUMMARY && network->topology.links <= SMALL);
}

uint32_t weft_linkwatch_words(const weft_platform *platform)
{
    return platform->count_links ? platform->network->topology.ports : 0;
}

void weft_linkwatch_note(const weft_site *site, uint32_t router, weft_time now, int64_t *busy)
{
    uint32_t words = weft_linkwatch_words(site->platform);
    for (uint32_t p = 0; p < words; p++)
        busy[p] = site->platform->router->counting.link_busy(site, router, p, now);
}

static int busiest_first(const void *a, const void *b)
{
    const weft_link_load *x = a, *y = b;
    if (x->busy != y->busy)
        return x->busy > y->busy ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int by_index(const void *a, const void *b)
{
    const weft_link_load *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Adds a link to a list: all of them, or the ten busiest in order. */
static void keep(weft_link_loads *links, bool all, weft_link_load load)
{
    if (all) {
        links->loads[links->n_loads++] = load;
        return;
    }
    if (links->n_loads == WORST && busiest_first(&load, &links->loads[WORST - 1]) > 0)
        return;
    if (links->n_loads < WORST)
        links->n_loads++;
    links->loads[links->n_loads - 1] = load;
    qsort(links->loads, links->n_loads, sizeof *links->loads, busiest_first);
}

static void look_at_site(const weft_snapshots *before, const weft_site *site, bool all,
                         weft_time now, weft_link_loads *links)
{
    const weft_instance *instance = before->instance;
    const weft_topology *topology = &instance->platform.network->topology;
    uint32_t ports = topology->ports;
    for (uint32_t r = 0; r < site->routers; r++) {
        uint32_t router = weft_partition_router(&instance->partition, site->block, r);
        const int64_t *noted = weft_snapshots_router(before, site, r);
        for (uint32_t p = 0; p < ports; p++) {
            if (topology->kind->peer(topology, router, p).router == WEFT_NOWHERE)
                continue;
            int64_t busy = weft_linkwatch_carried(
                instance->platform.router->counting.link_busy(site, r, p, now) - noted[p],
                links->span);
            links->total += busy;
            keep(links, all, (weft_link_load){.index = (int64_t)router * ports + p, .busy = busy});
        }
    }
}

/* Brings the lists of all members to rank 0. */
static void bring(weft_comm *comm, bool all, weft_link_loads *links)
{
    comm->kind->sum(comm, &links->total, 1);
    size_t *sizes = weft_alloc(sizeof *sizes * comm->size), bytes = 0;
    void *lists;
    comm->kind->gather(comm, links->loads, sizeof *links->loads * links->n_loads, &lists, sizes);
    free(links->loads);
    *links = (weft_link_loads){.span = links->span, .total = links->total};
    for (uint32_t r = 0; lists && r < comm->size; r++)
        bytes += sizes[r];
    size_t count = bytes / sizeof *links->loads;
    links->loads = weft_alloc(sizeof *links->loads * (count > WORST ? count : WORST));
    for (size_t i = 0; i < count; i++)
        keep(links, all, ((const weft_link_load *)lists)[i]);
    free(sizes);
    free(lists);
}

void weft_linkwatch_collect(const weft_snapshots *before, weft_comm *comm, bool all, weft_time now,
                            weft_link_loads *links)
{
    const weft_instance *instance = before->instance;
    bool counted = weft_linkwatch_words(&instance->platform) > 0;
    *links = (weft_link_loads){.span = counted ? now - weft_snapshots_since(before) : 0};
    if (!counted)
        return;
    size_t room = WORST;
    for (uint32_t i = 0; all && i < instance->n_sites; i++)
        room += (size_t)instance->sites[i].routers * instance->platform.network->topology.ports;
    links->loads = weft_alloc(sizeof *links->loads * room);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        look_at_site(before, &instance->sites[i], all, now, links);
    if (comm)
        bring(comm, all, links);
    qsort(links->loads, links->n_loads, sizeof *links->loads, all ? by_index : busiest_first);
}
