/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/layout_groups.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t id_of(const weft_iq *iq, uint32_t router)
{
    return weft_partition_router(iq->site->platform->partition, iq->site->block, router);
}

/* Adds a group of no routers yet that begins with this router of the site. */
static weft_iq_layout_group *add_group(weft_iq *iq, uint32_t first, weft_tier tier)
{
    weft_iq_layout_group *group = &iq->groups[iq->n_groups++];
    group->first = first;
    group->start = iq->bytes;
    weft_iq_layout_build_tier(&group->layout, iq->site->platform, tier);
    return group;
}

/* However a network is cut, routers of a site are in the order of their numbers. */
static void find_groups(weft_iq *iq)
{
    const weft_topology *topology = &iq->site->platform->network->topology;
    weft_iq_layout_group *group = NULL;
    for (uint32_t r = 0, last = 0, count; r < iq->site->routers; r += count) {
        weft_tier tier = weft_topology_tier(topology, topology->n_tiers ? id_of(iq, r) : 0);
        if (!group || tier.first != last)
            group = add_group(iq, r, tier);
        last = tier.first;
        count = topology->n_tiers ? 1 : iq->site->routers;
        group->routers += count;
        iq->bytes += (size_t)count * group->layout.bytes;
    }
}

static void name_router(weft_iq *iq, uint32_t router)
{
    weft_iq_head *head = weft_iq_head_of(weft_iq_record(iq, router));
    head->id = id_of(iq, router);
    head->group = (uint32_t)((const char *)weft_iq_group_of(iq, router) - (const char *)iq->groups);
}

void weft_iq_groups_open(weft_iq *iq)
{
    const weft_site *site = iq->site;
    iq->groups = weft_alloc(sizeof *iq->groups * (site->platform->network->topology.n_tiers + 1));
    find_groups(iq);
    for (uint32_t p = 0; iq->n_groups > 1 && p < iq->n_groups; p++)
        iq->groups[p].layout.features |= WEFT_IQ_UNLIKE;
    iq->layout = iq->groups[0].layout;
    iq->records = weft_region_create(iq->bytes);
    for (uint32_t r = 0; r < site->routers; r++)
        name_router(iq, r);
}

void weft_iq_groups_close(weft_iq *iq)
{
    weft_region_destroy(iq->records, iq->bytes);
    free(iq->groups);
}

int64_t weft_iq_mean_bytes(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    int64_t sum = 0;
    uint32_t end;
    assert(topology->routers > 0);
    for (uint32_t r = 0; r < topology->routers; r = end) {
        weft_iq_layout layout;
        weft_iq_layout_build_tier(&layout, platform, weft_topology_tier(topology, r));
        end = weft_topology_tier_end(topology, r);
        sum += (int64_t)(end - r) * layout.bytes;
    }
    return (sum + topology->routers - 1) / topology->routers;
}
