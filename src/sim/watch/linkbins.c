/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/linkbins.h"

#include "base/memory.h"
#include "sim/router.h"
#include "sim/watch/linkwatch.h"

#include <stdlib.h>

#define LINKS_MOST 4096 /* as many as results list */

static bool are_wanted(const weft_network *network)
{
    const weft_measure *measure = &network->scenario->measure;
    return measure->link_series && measure->series.unit != WEFT_NO_TIME &&
           measure->links != WEFT_LINKS_OFF && network->topology.links <= LINKS_MOST;
}

double weft_linkbins_estimate(const weft_network *network)
{
    double slots = (double)network->topology.routers * network->topology.ports;
    return are_wanted(network) ? slots * (WEFT_LINKBINS + 2) * sizeof(int64_t) : 0;
}

void weft_linkbins_open(weft_link_bins *bins, const weft_network *network)
{
    const weft_measure *measure = &network->scenario->measure;
    *bins = (weft_link_bins){0};
    if (!are_wanted(network))
        return;
    bins->width = weft_timing_span(&network->timing, measure->series);
    bins->slots = (size_t)network->topology.routers * network->topology.ports;
    bins->last = weft_alloc(sizeof *bins->last * bins->slots);
    bins->busy = weft_alloc(sizeof *bins->busy * bins->slots * WEFT_LINKBINS);
}

void weft_linkbins_done(weft_link_bins *bins)
{
    free(bins->last);
    free(bins->busy);
    *bins = (weft_link_bins){0};
}

static void halve(weft_link_bins *bins)
{
    size_t slots = bins->slots;
    for (size_t b = 0; b < WEFT_LINKBINS; b++)
        for (size_t i = 0; i < slots; i++) {
            int64_t sum = 0;
            if (b < WEFT_LINKBINS / 2)
                sum = bins->busy[2 * b * slots + i] + bins->busy[(2 * b + 1) * slots + i];
            bins->busy[b * slots + i] = sum;
        }
    bins->width *= 2;
    bins->count = (bins->count + 1) / 2;
}

/* Busy ticks of all links since the start. */
static int64_t *count_links(const weft_link_bins *bins, const weft_instance *instance,
                            weft_comm *comm, weft_time now)
{
    uint32_t ports = instance->platform.network->topology.ports;
    int64_t *busy = weft_alloc(sizeof *busy * bins->slots);
    for (uint32_t s = 0; s < instance->n_sites; s++) {
        const weft_site *site = &instance->sites[s];
        for (uint32_t r = 0; r < site->routers; r++) {
            uint32_t router = weft_partition_router(&instance->partition, site->block, r);
            for (uint32_t p = 0; p < ports; p++)
                busy[(size_t)router * ports + p] =
                    instance->platform.router->counting.link_busy(site, r, p, now);
        }
    }
    if (comm)
        comm->kind->sum(comm, busy, bins->slots);
    return busy;
}

/* A look counts for the bin in which the last one was: bins end at the first sampling time that is
 * not before their end, whatever their width has become. */
void weft_linkbins_look(weft_link_bins *bins, const weft_instance *instance, weft_comm *comm,
                        weft_time now, bool last)
{
    if (bins->slots == 0 || now == bins->seen ||
        (!last && now < (bins->seen / bins->width + 1) * bins->width))
        return;
    while ((size_t)(bins->seen / bins->width) >= WEFT_LINKBINS)
        halve(bins);
    size_t bin = (size_t)(bins->seen / bins->width);
    int64_t *busy = count_links(bins, instance, comm, now);
    for (size_t i = 0; i < bins->slots; i++) { /* the next bin has what this one does not take */
        int64_t carried = weft_linkwatch_carried(busy[i] - bins->last[i], now - bins->seen);
        bins->busy[bin * bins->slots + i] += carried;
        bins->last[i] += carried;
    }
    free(busy);
    bins->count = bin + 1;
    bins->seen = now;
}

void weft_linkbins_save(const weft_link_bins *bins, weft_pack *pack)
{
    if (bins->slots == 0)
        return;
    weft_pack_i64(pack, bins->width);
    weft_pack_i64(pack, bins->seen);
    weft_pack_u64(pack, bins->count);
    for (size_t i = 0; i < bins->slots; i++)
        weft_pack_i64(pack, bins->last[i]);
    for (size_t i = 0; i < bins->slots * bins->count; i++)
        weft_pack_i64(pack, bins->busy[i]);
}

void weft_linkbins_load(weft_link_bins *bins, weft_unpack *from)
{
    if (bins->slots == 0)
        return;
    bins->width = weft_unpack_count(from);
    bins->seen = weft_unpack_count(from);
    bins->count = weft_unpack_u64(from);
    if (bins->width <= 0 || bins->seen < 0 || bins->count > WEFT_LINKBINS)
        weft_unpack_fail(from);
    for (size_t i = 0; i < bins->slots; i++)
        bins->last[i] = weft_unpack_count(from);
    for (size_t i = 0; !from->failed && i < bins->slots * bins->count; i++)
        bins->busy[i] = weft_unpack_count(from);
}
