/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/layout_groups.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t id_of(const weft_iq *iq, uint32_t router)
{
    return weft_partition_router(iq->site->platform->partition, iq->site->block, router);
}

/* Have two routers the same number of ports and endpoints, and links of the same classes? */
static bool are_alike(const weft_topology *topology, uint32_t a, uint32_t b)
{
    weft_tier one = weft_topology_tier(topology, a), other = weft_topology_tier(topology, b);
    if (one.ports != other.ports || one.concentration != other.concentration)
        return false;
    for (uint32_t p = 0; topology->link_class && p < one.ports; p++)
        if (weft_topology_link_class(topology, a, p) != weft_topology_link_class(topology, b, p))
            return false;
    for (uint32_t h = 0; topology->host_class && h < one.concentration; h++)
        if (weft_topology_host_class(topology, weft_topology_first(topology, a) + h) !=
            weft_topology_host_class(topology, weft_topology_first(topology, b) + h))
            return false;
    return true;
}

static uint32_t find_group(weft_iq *iq, uint32_t *room, uint32_t id)
{
    const weft_platform *platform = iq->site->platform;
    for (uint32_t g = iq->n_groups; g-- > 0;)
        if (are_alike(&platform->network->topology, iq->groups[g].model, id))
            return g;
    if (iq->n_groups == *room) {
        *room = 2 * *room + 2;
        iq->groups = weft_realloc(iq->groups, *room, sizeof *iq->groups);
    }
    weft_iq_layout_group *group = &iq->groups[iq->n_groups];
    group->model = id;
    weft_iq_layout_build_router(&group->layout, platform, id);
    return iq->n_groups++;
}

/* Groups, and for every router its own and the place of its record. */
static void find_groups(weft_iq *iq, uint32_t *group)
{
    const weft_topology *topology = &iq->site->platform->network->topology;
    bool alike = topology->n_tiers == 0 && !topology->link_class && !topology->first;
    uint32_t room = 0;
    for (uint32_t r = 0; r < iq->site->routers; r++) {
        group[r] = alike && r > 0 ? 0 : find_group(iq, &room, id_of(iq, r));
        iq->start[r] = iq->bytes;
        iq->bytes += iq->groups[group[r]].layout.bytes;
    }
}

static void name_router(weft_iq *iq, uint32_t router, uint32_t group)
{
    weft_iq_head *head = weft_iq_head_of(weft_iq_record(iq, router));
    head->id = id_of(iq, router);
    head->group = (uint32_t)(group * sizeof *iq->groups);
    if (iq->layout.known & WEFT_IQ_ON_LATTICE)
        head->edges = weft_partition_edges(iq->site->box, router, iq->layout.ports);
}

void weft_iq_groups_open(weft_iq *iq)
{
    const weft_site *site = iq->site;
    uint32_t *group = weft_alloc(sizeof *group * site->routers + 1);
    iq->start = weft_alloc(sizeof *iq->start * site->routers + 1);
    find_groups(iq, group);
    for (uint32_t p = 0; iq->n_groups > 1 && p < iq->n_groups; p++)
        iq->groups[p].layout.features |= WEFT_IQ_UNLIKE;
    iq->layout = iq->groups[0].layout;
    iq->records = weft_region_create(iq->bytes);
    for (uint32_t r = 0; r < site->routers; r++)
        name_router(iq, r, group[r]);
    free(group);
    /* One layout: records are as far apart as they are long. Wide routers look all the same. */
    if (iq->n_groups == 1 && !weft_iq_has(&iq->layout, WEFT_IQ_WIDE)) {
        free(iq->start);
        iq->start = NULL;
    }
}

void weft_iq_groups_close(weft_iq *iq)
{
    weft_region_destroy(iq->records, iq->bytes);
    free(iq->groups);
    free(iq->start);
}

int64_t weft_iq_mean_bytes(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    int64_t sum = 0;
    uint32_t end;
    assert(topology->routers > 0);
    for (uint32_t r = 0; r < topology->routers; r = end) {
        weft_iq_layout layout;
        weft_iq_layout_build_router(&layout, platform, r);
        end = weft_topology_tier_end(topology, r);
        sum += (int64_t)(end - r) * (int64_t)layout.bytes;
    }
    return (sum + topology->routers - 1) / topology->routers;
}
