/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of a simulation, written. The state that all processes have in common (series,
 * control, sums) is the head, which rank 0 writes. Routers and the packets on their way to them are
 * the chunks, by global number: a chunk belongs to a box of a partition that depends on the size of
 * the network alone, so any number of processes can read it. Wake-ups, timers, outboxes and
 * mailboxes are derived and not written.
 *
 * A chunk: u32 routers, a record of each (u32 bytes, u32 router, state), u64 events, the events
 * (u32 router, i64 tick, u32 key, 5 × u32 data): packets on their way and credits. A block that
 * lies in several boxes writes a chunk for each. */
#include "base/memory.h"
#include "kernel/checkpoint.h"
#include "sim/assembly.h"
#include "sim/jobs/processes.h"
#include "sim/jobs/run_jobs.h"
#include "sim/pace.h"
#include "sim/run.h"
#include "sim/source.h"
#include "sim/watch/linkbins.h"

#include <stdlib.h>

#define BOX_ROUTERS 4096u

uint32_t weft_simulation_boxes(const weft_topology *topology)
{
    uint32_t boxes = topology->routers / BOX_ROUTERS;
    return boxes ? boxes : 1;
}

typedef struct fragment { /* of a block that lies in one box */
    uint32_t box, routers;
    uint64_t events;
    weft_pack state, flight;
} fragment;

typedef struct writing { /* of one block */
    const weft_instance *instance;
    const weft_site *site;
    uint32_t *fragment_of; /* per router */
    fragment *fragments;
    uint32_t n_fragments;
} writing;

static uint32_t find_fragment(writing *w, uint32_t box)
{
    for (uint32_t i = w->n_fragments; i-- > 0;) /* the last one is most likely it */
        if (w->fragments[i].box == box)
            return i;
    w->fragments = weft_realloc(w->fragments, w->n_fragments + 1, sizeof *w->fragments);
    w->fragments[w->n_fragments] = (fragment){.box = box};
    return w->n_fragments++;
}

static void write_router(writing *w, const weft_partition *boxes, uint32_t local)
{
    const weft_instance *instance = w->instance;
    uint32_t router = weft_partition_router(&instance->partition, w->site->block, local);
    w->fragment_of[local] = find_fragment(w, weft_partition_place(boxes, router).block);
    fragment *piece = &w->fragments[w->fragment_of[local]];
    weft_pack *state = &piece->state;
    size_t start = state->count;
    piece->routers++;
    weft_pack_u32(state, 0); /* its bytes, once they are known */
    weft_pack_u32(state, router);
    weft_sources_save(w->site, local, state);
    weft_assembly_save(w->site, local, state);
    weft_pace_save(w->site, local, state);
    weft_processes_save(w->site, local, state);
    instance->platform.router->checkpoint.save(w->site, local, state);
    size_t words = instance->platform.snapshot_words;
    for (uint32_t s = 0; s < 2; s++)
        for (size_t n = 0; n < words; n++)
            weft_pack_i64(state, w->site->snapshots[s][local * words + n]);
    weft_put_u32(state->data + start, (uint32_t)(state->count - start));
}

static void write_event(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    writing *w = user;
    (void)block;
    if (weft_event_kind(event) == WEFT_WAKE)
        return;
    fragment *piece = &w->fragments[w->fragment_of[event->to]];
    piece->events++;
    weft_pack_u32(&piece->flight,
                  weft_partition_router(&w->instance->partition, w->site->block, event->to));
    weft_pack_i64(&piece->flight, at);
    weft_pack_u32(&piece->flight, event->key);
    for (int i = 0; i < 5; i++)
        weft_pack_u32(&piece->flight, event->data[i]);
}

static weft_status write_fragment(const writing *w, fragment *piece, int64_t events,
                                  weft_checkpoint_part *file, weft_error *err)
{
    weft_pack chunk = {0};
    double share = (double)piece->routers / (double)w->site->routers;
    weft_pack_u32(&chunk, piece->routers);
    weft_pack_bytes(&chunk, piece->state.data, piece->state.count);
    weft_pack_u64(&chunk, piece->events);
    weft_pack_bytes(&chunk, piece->flight.data, piece->flight.count);
    weft_status status = weft_checkpoint_part_add(
        file, piece->box, (int64_t)(share * (double)events), chunk.data, chunk.count, err);
    weft_pack_done(&chunk);
    return status;
}

static weft_status write_site(const weft_instance *instance, uint32_t i,
                              const weft_partition *boxes, weft_checkpoint_part *file,
                              weft_error *err)
{
    writing w = {.instance = instance, .site = &instance->sites[i]};
    weft_status status = WEFT_OK;
    w.fragment_of = weft_alloc(sizeof *w.fragment_of * w.site->routers);
    for (uint32_t local = 0; local < w.site->routers; local++)
        write_router(&w, boxes, local);
    weft_engine_visit_block(instance->engine, i, write_event, &w);
    int64_t events = (int64_t)weft_block_events(weft_engine_block(instance->engine, i));
    for (uint32_t p = 0; p < w.n_fragments; p++) {
        if (status == WEFT_OK)
            status = write_fragment(&w, &w.fragments[p], events, file, err);
        weft_pack_done(&w.fragments[p].state);
        weft_pack_done(&w.fragments[p].flight);
    }
    free(w.fragments);
    free(w.fragment_of);
    return status;
}

/* All routers of this process and the packets on their way to them. */
static weft_status write_routers(const weft_instance *instance, weft_checkpoint_part *file,
                                 weft_error *err)
{
    const weft_topology *topology = &instance->platform.network->topology;
    weft_partition boxes;
    weft_partition_init(&boxes, topology, weft_simulation_boxes(topology));
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < instance->n_sites && status == WEFT_OK; i++)
        status = write_site(instance, i, &boxes, file, err);
    weft_partition_done(&boxes);
    return status;
}

static void save_head(const weft_simulation *simulation, weft_pack *pack)
{
    weft_pack_u32(pack, WEFT_SIMULATION_FORMAT);
    weft_pack_text(pack, simulation->network->scenario->identity);
    weft_pack_u64(pack, simulation->network->seed);
    weft_pack_i64(pack, weft_engine_now(simulation->instance.engine));
    weft_pack_i64(pack, simulation->interval);
    weft_pack_double(pack, simulation->spent);
    weft_pack_i64(pack, simulation->generated);
    weft_pack_i64(pack, simulation->delivered);
    weft_pack_i64(pack, simulation->made);
    weft_pack_i64(pack, simulation->received);
    weft_pack_i64(pack, simulation->hops);
    weft_pack_i64(pack, simulation->lost);
    weft_pack_i64(pack, simulation->waiting);
    weft_pack_i64(pack, simulation->snapshots.since[0]);
    weft_pack_i64(pack, simulation->snapshots.since[1]);
    weft_pack_u32(pack, simulation->snapshots.younger);
    for (uint32_t f = 0; f < simulation->network->n_traffic_classes; f++)
        weft_pack_i64(pack, simulation->population[f]);
    for (uint32_t j = 0; simulation->began && j < simulation->network->jobs->n_jobs; j++)
        weft_pack_i64(pack, simulation->began[j]);
    for (size_t i = 0; i < simulation->n_steps; i++)
        weft_pack_i64(pack, simulation->steps[i]);
    weft_run_jobs_save(simulation, pack);
    weft_series_save(simulation->series, pack);
    weft_control_save(&simulation->control, pack);
    weft_timebins_save(&simulation->timebins, pack);
    weft_ratewatch_save(&simulation->rates, pack);
    weft_linkbins_save(&simulation->linkbins, pack);
    for (uint32_t g = 0; simulation->hurst && g < weft_tally_groups(simulation->tally); g++)
        weft_hurst_save(&simulation->hurst[g], pack);
}

/* The part of this process. */
static weft_status write_part(weft_simulation *simulation, uint64_t generation, weft_error *err)
{
    weft_checkpoint_part *part;
    uint32_t rank = weft_comm_rank(simulation->comm);
    WEFT_TRY(weft_checkpoint_part_open(simulation->options.folder, generation, rank, &part, err));
    weft_status status = write_routers(&simulation->instance, part, err);
    weft_error second;
    weft_status closed = weft_checkpoint_part_close(part, status == WEFT_OK ? err : &second);
    return status == WEFT_OK ? closed : status;
}

/* Newer checkpoints that were damaged must not count among those that are kept. */
static void discard_passed_over(weft_simulation *simulation)
{
    const char *folder = simulation->options.folder;
    uint64_t newest;
    while (simulation->passed_over &&
           (newest = weft_checkpoint_newest(folder, UINT64_MAX)) > simulation->resumed)
        weft_checkpoint_discard(folder, newest);
    simulation->passed_over = false;
}

weft_status weft_simulation_save(weft_simulation *simulation, weft_error *err)
{
    const char *folder = simulation->options.folder;
    uint64_t generation = 0;
    weft_status status = WEFT_OK;
    weft_run_jobs_steps(simulation);
    weft_run_jobs_flows(simulation);
    if (weft_simulation_leads(simulation))
        status = weft_checkpoint_begin(folder, &generation, err);
    WEFT_TRY(weft_comm_agree(simulation->comm, status, err));
    generation = weft_simulation_broadcast(simulation, generation);
    status = weft_comm_agree(simulation->comm, write_part(simulation, generation, err), err);
    if (weft_simulation_leads(simulation) && status != WEFT_OK)
        weft_checkpoint_abandon(folder, generation);
    WEFT_TRY(status);
    if (weft_simulation_leads(simulation)) {
        weft_pack head = {0};
        save_head(simulation, &head);
        discard_passed_over(simulation);
        status = weft_checkpoint_commit(folder, generation, weft_comm_size(simulation->comm),
                                        head.data, head.count, err);
        weft_pack_done(&head);
    }
    return weft_comm_agree(simulation->comm, status, err);
}
