/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/ratewatch.h"

#include "base/memory.h"
#include "sim/pace.h"

#include <stdlib.h>
#include <string.h>

#define BINS_MAX ((size_t)4096)

void weft_ratewatch_init(weft_rate_bins *bins, const weft_network *network)
{
    *bins = (weft_rate_bins){.flows = network->n_rated};
    if (bins->flows == 0)
        return;
    bins->width = weft_timing_span(&network->timing, network->scenario->measure.series);
    bins->before = weft_alloc(sizeof *bins->before * bins->flows);
    bins->words = weft_alloc(sizeof *bins->words * 2 * bins->flows);
}

void weft_ratewatch_done(weft_rate_bins *bins)
{
    free(bins->start);
    free(bins->covered);
    free(bins->flits);
    free(bins->rate);
    free(bins->before);
    free(bins->words);
    *bins = (weft_rate_bins){0};
}

static void merge(weft_rate_bins *bins, size_t to, size_t from)
{
    for (uint32_t f = 0; f < bins->flows; f++) {
        bins->flits[to * bins->flows + f] += bins->flits[from * bins->flows + f];
        bins->rate[to * bins->flows + f] = bins->rate[from * bins->flows + f];
    }
    bins->covered[to] += bins->covered[from];
}

static void halve(weft_rate_bins *bins)
{
    size_t row = sizeof(int64_t) * bins->flows;
    for (size_t i = 0; i < bins->count / 2; i++) {
        bins->start[i] = bins->start[2 * i];
        bins->covered[i] = bins->covered[2 * i];
        memmove(bins->flits + i * bins->flows, bins->flits + 2 * i * bins->flows, row);
        merge(bins, i, 2 * i + 1);
    }
    bins->count /= 2;
    bins->width *= 2;
}

static void reserve(weft_rate_bins *bins)
{
    if (bins->count < bins->capacity)
        return;
    bins->capacity = bins->capacity ? 2 * bins->capacity : 64;
    size_t cells = bins->capacity * bins->flows;
    bins->start = weft_realloc(bins->start, bins->capacity, sizeof(int64_t));
    bins->covered = weft_realloc(bins->covered, bins->capacity, sizeof(int64_t));
    bins->flits = weft_realloc(bins->flits, cells, sizeof(int64_t));
    bins->rate = weft_realloc(bins->rate, cells, sizeof(int64_t));
}

/* The bin of an interval, opened if need be. */
static size_t bin_of(weft_rate_bins *bins, weft_time start)
{
    if (bins->count > 0 && start < bins->start[bins->count - 1] + bins->width)
        return bins->count - 1;
    if (bins->count == BINS_MAX)
        halve(bins);
    reserve(bins);
    size_t i = bins->count++;
    bins->start[i] = start / bins->width * bins->width;
    bins->covered[i] = 0;
    memset(bins->flits + i * bins->flows, 0, sizeof(int64_t) * bins->flows);
    return i;
}

/* What this process knows of its flows: flits sent so far, and their rates. */
static void look(weft_rate_bins *bins, const weft_instance *instance, weft_time now)
{
    const weft_network *network = instance->platform.network;
    const weft_topology *topology = &network->topology;
    memset(bins->words, 0, sizeof *bins->words * 2 * bins->flows);
    for (uint32_t f = 0; f < bins->flows; f++) {
        const weft_rated *flow = &network->rated[f];
        const weft_response *law = &network->traffic_classes[flow->traffic_class].pacing.law;
        weft_place home = weft_partition_place(&instance->partition,
                                               weft_topology_home(topology, flow->endpoint));
        for (uint32_t i = 0; i < instance->n_sites; i++) {
            const weft_site *site = &instance->sites[i];
            if (site->block != home.block)
                continue;
            uint32_t host =
                home.local * topology->concentration + weft_topology_host(topology, flow->endpoint);
            uint32_t source = host * network->n_traffic_classes + flow->traffic_class;
            bins->words[2 * f] = (int64_t)site->sent[source];
            if (law->kind)
                bins->words[2 * f + 1] =
                    (int64_t)(weft_pace_rate(site, source, now) / law->max * WEFT_RATE_UNIT + 0.5);
        }
    }
}

void weft_ratewatch_add(weft_rate_bins *bins, const weft_instance *instance, weft_comm *comm,
                        weft_time start, weft_time now)
{
    if (bins->flows == 0)
        return;
    look(bins, instance, now);
    if (comm)
        comm->kind->sum(comm, bins->words, 2 * (size_t)bins->flows);
    size_t bin = bin_of(bins, start);
    bins->covered[bin] += now - start;
    for (uint32_t f = 0; f < bins->flows; f++) {
        bins->flits[bin * bins->flows + f] += bins->words[2 * f] - bins->before[f];
        bins->rate[bin * bins->flows + f] = bins->words[2 * f + 1];
        bins->before[f] = bins->words[2 * f];
    }
}

void weft_ratewatch_save(const weft_rate_bins *bins, weft_pack *pack)
{
    if (bins->flows == 0)
        return;
    weft_pack_i64(pack, bins->width);
    weft_pack_u64(pack, bins->count);
    for (uint32_t f = 0; f < bins->flows; f++)
        weft_pack_i64(pack, bins->before[f]);
    for (size_t i = 0; i < bins->count; i++) {
        weft_pack_i64(pack, bins->start[i]);
        weft_pack_i64(pack, bins->covered[i]);
        for (uint32_t f = 0; f < bins->flows; f++) {
            weft_pack_i64(pack, bins->flits[i * bins->flows + f]);
            weft_pack_i64(pack, bins->rate[i * bins->flows + f]);
        }
    }
}

void weft_ratewatch_load(weft_rate_bins *bins, weft_unpack *from)
{
    if (bins->flows == 0)
        return;
    weft_time width = weft_unpack_count(from);
    uint64_t count = weft_unpack_u64(from);
    if (width <= 0 || count > BINS_MAX)
        weft_unpack_fail(from);
    bins->width = width;
    for (uint32_t f = 0; f < bins->flows; f++)
        bins->before[f] = weft_unpack_count(from);
    for (bins->count = 0; !from->failed && bins->count < count; bins->count++) {
        reserve(bins);
        bins->start[bins->count] = weft_unpack_count(from);
        bins->covered[bins->count] = weft_unpack_count(from);
        for (uint32_t f = 0; f < bins->flows; f++) {
            bins->flits[bins->count * bins->flows + f] = weft_unpack_count(from);
            bins->rate[bins->count * bins->flows + f] = weft_unpack_count(from);
        }
    }
}
