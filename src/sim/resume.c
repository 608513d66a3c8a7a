/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation in a checkpoint. What all processes share (series, control, sums) is the head,
 * written by rank 0; the routers are the chunks (keep.c). A run goes on from the newest
 * checkpoint that every process finds whole; a damaged one is told of and the one before is
 * taken. */
#include "base/memory.h"
#include "sim/keep.h"
#include "sim/run.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT 5

static void save_head(const weft_simulation *simulation, weft_pack *pack)
{
    weft_pack_u32(pack, FORMAT);
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
    weft_pack_i64(pack, simulation->watch.since);
    for (uint32_t f = 0; f < simulation->network->n_traffic_classes; f++)
        weft_pack_i64(pack, simulation->population[f]);
    weft_series_save(simulation->series, pack);
    weft_control_save(&simulation->control, pack);
    weft_timebins_save(&simulation->timebins, pack);
}

/* The tick at which the run stood. */
static weft_status load_head(weft_simulation *simulation, const weft_checkpoint *checkpoint,
                             weft_time *now, weft_error *err)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_unpack from = weft_unpack_of(checkpoint->head, checkpoint->head_bytes);
    uint32_t format = weft_unpack_u32(&from);
    const weft_scenario *scenario = simulation->network->scenario;
    const char *held = weft_unpack_text(&from, &arena);
    bool same = strcmp(held, scenario->identity) == 0;
    bool files = !same && strncmp(held, scenario->text, strlen(scenario->text)) == 0;
    same = weft_unpack_u64(&from) == simulation->network->seed && same;
    weft_arena_done(&arena);
    if (format != FORMAT || !same)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: checkpoint %llu is of another %s",
                         checkpoint->folder, (unsigned long long)checkpoint->generation,
                         format != FORMAT ? "version of weft"
                         : files          ? "content of a file that the scenario names"
                                          : "scenario");
    *now = weft_unpack_i64(&from);
    bool fits = weft_unpack_i64(&from) == simulation->interval && *now > 0;
    simulation->spent = weft_unpack_double(&from);
    simulation->generated = weft_unpack_i64(&from);
    simulation->delivered = weft_unpack_i64(&from);
    simulation->made = weft_unpack_i64(&from);
    simulation->received = weft_unpack_i64(&from);
    simulation->hops = weft_unpack_i64(&from);
    simulation->lost = weft_unpack_i64(&from);
    simulation->waiting = weft_unpack_i64(&from);
    simulation->watch.since = weft_unpack_i64(&from);
    for (uint32_t f = 0; f < simulation->network->n_traffic_classes; f++)
        simulation->population[f] = weft_unpack_i64(&from);
    weft_series_load(simulation->series, &from);
    weft_control_load(&simulation->control, &from);
    weft_timebins_load(&simulation->timebins, &from);
    if (!fits || !weft_unpack_end(&from) ||
        *now != (weft_time)weft_series_intervals(simulation->series) * simulation->interval)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: the head of checkpoint %llu makes no sense",
                         checkpoint->folder, (unsigned long long)checkpoint->generation);
    return WEFT_OK;
}

static bool first(const weft_simulation *simulation)
{
    return weft_comm_rank(simulation->comm) == 0;
}

static uint64_t tell(const weft_simulation *simulation, uint64_t generation)
{
    if (simulation->comm)
        simulation->comm->kind->broadcast(simulation->comm, &generation, sizeof generation);
    return generation;
}

static weft_status write_part(weft_simulation *simulation, uint64_t generation, weft_error *err)
{
    weft_checkpoint_part *part;
    uint32_t rank = weft_comm_rank(simulation->comm);
    WEFT_TRY(weft_checkpoint_part_open(simulation->options.folder, generation, rank, &part, err));
    weft_status status = weft_keep_write(&simulation->instance, part, err);
    weft_error second;
    weft_status closed = weft_checkpoint_part_close(part, status == WEFT_OK ? err : &second);
    return status == WEFT_OK ? closed : status;
}

/* Newer checkpoints that were of no use must not count among those that are kept. */
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
    if (first(simulation))
        status = weft_checkpoint_begin(folder, &generation, err);
    WEFT_TRY(weft_comm_share(simulation->comm, status, err));
    generation = tell(simulation, generation);
    status = weft_comm_share(simulation->comm, write_part(simulation, generation, err), err);
    if (first(simulation) && status != WEFT_OK)
        weft_checkpoint_abandon(folder, generation);
    WEFT_TRY(status);
    if (first(simulation)) {
        weft_pack head = {0};
        save_head(simulation, &head);
        discard_passed_over(simulation);
        status = weft_checkpoint_commit(folder, generation, weft_comm_size(simulation->comm),
                                        head.data, head.count, err);
        weft_pack_done(&head);
    }
    return weft_comm_share(simulation->comm, status, err);
}

static weft_status open_instance(weft_simulation *simulation, weft_time start,
                                 const weft_costs *costs, weft_error *err)
{
    weft_instance_plan plan = {.blocks = simulation->options.blocks,
                               .trace = simulation->options.trace,
                               .interval = simulation->interval,
                               .threads = simulation->threads,
                               .comm = simulation->comm,
                               .costs = costs,
                               .start = start,
                               .tallies = simulation->tally,
                               .timed = simulation->options.timed,
                               .fixed = simulation->options.fixed};
    WEFT_TRY(weft_instance_open(&simulation->instance, simulation->network, &plan, err));
    simulation->watch.instance = &simulation->instance;
    simulation->watch.fixed = simulation->control.goal.warmup_intervals;
    return WEFT_OK;
}

/* Back to before anything was loaded. */
static void forget(weft_simulation *simulation)
{
    const weft_network *network = simulation->network;
    weft_goal goal = simulation->control.goal;
    uint32_t groups = weft_tally_groups(simulation->tally);
    uint32_t width = weft_tally_width(simulation->tally);
    weft_series_destroy(simulation->series);
    simulation->series = weft_series_create(groups * width, groups);
    weft_control_init(&simulation->control, &goal);
    weft_timebins_done(&simulation->timebins);
    if (network->scenario->measure.series.unit != WEFT_NO_TIME)
        simulation->timebins.width =
            weft_timing_ticks(&network->timing, network->scenario->measure.series);
    memset(simulation->population, 0, sizeof *simulation->population * network->n_traffic_classes);
    simulation->spent = 0;
    simulation->generated = simulation->delivered = simulation->waiting = 0;
    simulation->made = simulation->received = simulation->hops = simulation->lost = 0;
    simulation->watch = (weft_linkwatch){0};
    if (simulation->instance.engine)
        weft_instance_close(&simulation->instance);
    simulation->instance = (weft_instance){0};
}

/* Everything from one generation; all processes agree whether it worked. */
static weft_status resume(weft_simulation *simulation, uint64_t generation, weft_error *err)
{
    weft_checkpoint *checkpoint = NULL;
    weft_time now = 0;
    weft_status status =
        weft_checkpoint_open(simulation->options.folder, generation, &checkpoint, err);
    if (status == WEFT_OK)
        status = load_head(simulation, checkpoint, &now, err);
    status = weft_comm_share(simulation->comm, status, err);
    if (status == WEFT_OK) {
        weft_costs costs = {.boxes = weft_keep_boxes(&simulation->network->topology)};
        costs.cost = weft_alloc(sizeof *costs.cost * costs.boxes);
        weft_keep_costs(checkpoint, &costs);
        status = open_instance(simulation, now, &costs, err);
        free(costs.cost);
        if (status == WEFT_OK)
            status = weft_keep_read(&simulation->instance, checkpoint, err);
        status = weft_comm_share(simulation->comm, status, err);
    }
    weft_checkpoint_close(checkpoint);
    return status;
}

static void say(const weft_simulation *simulation, const char *text)
{
    if (simulation->options.notice && first(simulation))
        simulation->options.notice(simulation->options.user, text);
}

weft_status weft_simulation_instance(weft_simulation *simulation, weft_error *err)
{
    const char *folder = simulation->options.folder;
    uint64_t below = UINT64_MAX;
    while (folder) {
        uint64_t generation = first(simulation) ? weft_checkpoint_newest(folder, below) : 0;
        generation = tell(simulation, generation);
        if (generation == 0)
            break;
        weft_error why, text;
        if (resume(simulation, generation, &why) == WEFT_OK) {
            simulation->resumed = generation;
            weft_instance_start(&simulation->instance);
            return WEFT_OK;
        }
        forget(simulation);
        simulation->passed_over = true;
        (void)weft_fail(&text, WEFT_OK, "%.3900s; going on from before it", why.text);
        say(simulation, text.text);
        below = generation;
    }
    WEFT_TRY(weft_comm_share(simulation->comm, open_instance(simulation, 0, NULL, err), err));
    weft_instance_start(&simulation->instance);
    return WEFT_OK;
}
