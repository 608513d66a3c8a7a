/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/devicewatch.h"

#include "base/memory.h"
#include "base/numeric.h"
#include "sim/watch/linkwatch.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTER_WORDS = sizeof(weft_counter) / sizeof(int64_t), SIXTEENTHS = 16 };

static uint32_t counters_of(const weft_platform *platform)
{
    return platform->devices ? platform->router->counting.n_counters(platform) : 0;
}

static uint32_t sources_of(const weft_platform *platform)
{
    return platform->fair
               ? platform->network->topology.concentration * platform->network->n_traffic_classes
               : 0;
}

uint32_t weft_devicewatch_words(const weft_platform *platform)
{
    return counters_of(platform) * COUNTER_WORDS + sources_of(platform);
}

void weft_devicewatch_note(const weft_site *site, uint32_t router, weft_time now, int64_t *words)
{
    uint32_t counters = counters_of(site->platform), sources = sources_of(site->platform);
    uint32_t here = weft_site_sources(site, router);
    for (uint32_t g = 0; g < counters; g++, words += COUNTER_WORDS) {
        weft_counter counter;
        site->platform->router->counting.counter(site, router, g, now, &counter);
        memcpy(words, &counter, sizeof counter);
    }
    for (uint32_t s = 0; s < sources; s++)
        words[s] = s < here ? site->head[router * sources + s].index : 0;
}

/* One more source; x: what it has sent. */
static void count_source(weft_fair_share *share, int64_t x)
{
    weft_u128 square = (weft_u128)x * (weft_u128)x;
    uint64_t low = (uint64_t)square;
    share->least = share->sources == 0 || x < share->least ? x : share->least;
    share->greatest = x > share->greatest ? x : share->greatest;
    share->sources++;
    share->sum += x;
    share->squares[0] += low;
    share->squares[1] += (uint64_t)(square >> 64) + (share->squares[0] < low);
}

static void merge(weft_fair_share *into, const weft_fair_share *from)
{
    if (from->sources == 0)
        return;
    into->least = into->sources == 0 || from->least < into->least ? from->least : into->least;
    into->greatest = from->greatest > into->greatest ? from->greatest : into->greatest;
    into->sources += from->sources;
    into->sum += from->sum;
    into->squares[0] += from->squares[0];
    into->squares[1] += from->squares[1] + (into->squares[0] < from->squares[0]);
}

/* The sources of one router: each class by itself, and all of an endpoint together in sixteenths
 * of flits. */
static void count_sources(const weft_site *site, uint32_t router, const int64_t *now,
                          const int64_t *before, weft_fairness *fairness)
{
    const weft_network *network = site->platform->network;
    uint32_t traffic_classes = network->n_traffic_classes,
             hosts = weft_site_sources(site, router) / traffic_classes;
    for (uint32_t h = 0; h < hosts; h++) {
        uint64_t all = 0;
        bool sends = false;
        for (uint32_t f = 0; f < traffic_classes; f++) {
            uint32_t s = h * traffic_classes + f;
            const weft_cursor *cursor = &site->head[router * hosts * traffic_classes + s];
            if (!cursor->live && cursor->index == 0)
                continue; /* silent */
            sends = true;
            count_source(&fairness->share[f + 1], now[s] - before[s]);
            /* without sign: of a checkpoint that was made up there may be any number */
            all += (uint64_t)(now[s] - before[s]) *
                   (uint64_t)(network->traffic_classes[f].mean_flits * SIXTEENTHS + 0.5);
        }
        if (sends)
            count_source(&fairness->share[0], (int64_t)all);
    }
}

typedef struct list { /* of routers' counters: the number of each, then its words */
    int64_t *at;
    size_t count, each; /* words */
} list;

static void add_router(list *to, uint32_t router, const int64_t *now, const int64_t *before)
{
    int64_t *at = to->at + to->count * to->each;
    at[0] = router;
    for (size_t i = 1; i < to->each; i++) {
        int64_t more = now[i - 1] - before[i - 1];
        at[i] = more > 0 ? more
                         : 0; /* what was still running at the start may have come out otherwise */
    }
    to->count++;
}

/* Sorts what all members know by routers. */
static void lay_out(const weft_network *network, const int64_t *words, size_t count, size_t each,
                    weft_device_loads *devices)
{
    size_t columns = (each - 1) / COUNTER_WORDS, routers = network->topology.routers;
    devices->columns = columns;
    for (int k = 0; k < COUNTER_WORDS; k++)
        devices->load[k] = weft_alloc(sizeof(int64_t) * routers * columns);
    for (size_t i = 0; i < count; i++) {
        const int64_t *row = words + i * each;
        for (size_t c = 0; c < columns; c++)
            for (int k = 0; k < COUNTER_WORDS; k++)
                devices->load[k][(size_t)row[0] * columns + c] =
                    row[1 + c * COUNTER_WORDS + (size_t)k];
    }
}

/* Brings what all members found to rank 0. */
static void bring(const weft_instance *instance, weft_comm *comm, const list *mine,
                  weft_device_loads *devices, weft_fairness *fairness)
{
    size_t *sizes = weft_alloc(sizeof *sizes * comm->size), bytes = 0;
    void *all;
    comm->kind->gather(comm, fairness, sizeof *fairness, &all, sizes);
    for (uint32_t r = 1; all && r < comm->size; r++)
        for (uint32_t f = 0; f <= instance->platform.network->n_traffic_classes; f++)
            merge(&fairness->share[f], &((const weft_fairness *)all)[r].share[f]);
    free(all);
    comm->kind->gather(comm, mine->at, mine->count * mine->each * sizeof *mine->at, &all, sizes);
    for (uint32_t r = 0; all && r < comm->size; r++)
        bytes += sizes[r];
    if (all && mine->each > 1)
        lay_out(instance->platform.network, all, bytes / (mine->each * sizeof(int64_t)), mine->each,
                devices);
    free(all);
    free(sizes);
}

void weft_devicewatch_collect(const weft_snapshots *before, weft_comm *comm, weft_time now,
                              weft_device_loads *devices, weft_fairness *fairness)
{
    const weft_instance *instance = before->instance;
    const weft_platform *platform = &instance->platform;
    uint32_t counters = counters_of(platform), links = weft_linkwatch_words(platform);
    size_t words = weft_devicewatch_words(platform), routers = 0;
    weft_time span = now - weft_snapshots_since(before);
    list mine = {.each = (size_t)counters * COUNTER_WORDS + 1};
    *devices = (weft_device_loads){.span = counters ? span : 0};
    *fairness = (weft_fairness){.span = platform->fair ? span : 0};
    if (words == 0)
        return;
    for (uint32_t i = 0; i < instance->n_sites; i++)
        routers += instance->sites[i].routers;
    int64_t *said = weft_alloc(sizeof *said * words);
    mine.at = weft_alloc(sizeof *mine.at * ((counters ? routers * mine.each : 0) + 1));
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        const weft_site *site = &instance->sites[i];
        for (uint32_t r = 0; r < site->routers; r++) {
            const int64_t *noted = weft_snapshots_router(before, site, r) + links;
            weft_devicewatch_note(site, r, now, said);
            if (counters)
                add_router(&mine, weft_partition_router(&instance->partition, site->block, r), said,
                           noted);
            if (platform->fair)
                count_sources(site, r, said + (mine.each - 1), noted + (mine.each - 1), fairness);
        }
    }
    if (comm)
        bring(instance, comm, &mine, devices, fairness);
    else if (counters)
        lay_out(platform->network, mine.at, mine.count, mine.each, devices);
    free(mine.at);
    free(said);
}
