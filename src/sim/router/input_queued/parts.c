/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/parts.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t id_of(const weft_iq *iq, uint32_t router)
{
    return weft_partition_router(iq->site->platform->partition, iq->site->block, router);
}

/* One more part, of no routers yet, that begins with this router of the site. */
static weft_iq_part *add_part(weft_iq *iq, uint32_t first, weft_tier span)
{
    weft_iq_part *part = &iq->parts[iq->n_parts++];
    part->first = first;
    part->start = iq->bytes;
    weft_iq_layout_build_span(&part->layout, iq->site->platform, span);
    return part;
}

/* However a network is cut, routers of a site are in the order of their numbers. */
static void find_parts(weft_iq *iq)
{
    const weft_topology *topology = &iq->site->platform->network->topology;
    weft_iq_part *part = NULL;
    for (uint32_t r = 0, last = 0, count; r < iq->site->routers; r += count) {
        weft_tier span = weft_topology_tier(topology, topology->n_tiers ? id_of(iq, r) : 0);
        if (!part || span.first != last)
            part = add_part(iq, r, span);
        last = span.first;
        count = topology->n_tiers ? 1 : iq->site->routers;
        part->routers += count;
        iq->bytes += (size_t)count * part->layout.bytes;
    }
}

static void name_router(weft_iq *iq, uint32_t router)
{
    weft_iq_head *head = weft_iq_head_of(weft_iq_record(iq, router));
    head->id = id_of(iq, router);
    head->part = (uint32_t)((const char *)weft_iq_part_of(iq, router) - (const char *)iq->parts);
}

void weft_iq_parts_open(weft_iq *iq)
{
    const weft_site *site = iq->site;
    iq->parts = weft_alloc(sizeof *iq->parts * (site->platform->network->topology.n_tiers + 1));
    find_parts(iq);
    for (uint32_t p = 0; iq->n_parts > 1 && p < iq->n_parts; p++)
        iq->parts[p].layout.mode |= WEFT_IQ_UNLIKE;
    iq->layout = iq->parts[0].layout;
    iq->records = weft_region_create(iq->bytes);
    for (uint32_t r = 0; r < site->routers; r++)
        name_router(iq, r);
}

void weft_iq_parts_close(weft_iq *iq)
{
    weft_region_destroy(iq->records, iq->bytes);
    free(iq->parts);
}

int64_t weft_iq_mean_bytes(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    int64_t sum = 0;
    uint32_t end;
    assert(topology->routers > 0);
    for (uint32_t r = 0; r < topology->routers; r = end) {
        weft_iq_layout layout;
        weft_iq_layout_build_span(&layout, platform, weft_topology_tier(topology, r));
        end = weft_topology_tier_end(topology, r);
        sum += (int64_t)(end - r) * layout.bytes;
    }
    return (sum + topology->routers - 1) / topology->routers;
}
