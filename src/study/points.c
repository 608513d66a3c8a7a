/* SPDX-License-Identifier: Apache-2.0 */
/* The conductor: config → net → sim → stats → result, for every point that is not in the results
 * yet, spread over the processes of the context by the farm. Rank 0 is the only writer. */
#include "base/clock.h"
#include "base/memory.h"
#include "kernel/checkpoint.h"
#include "result/extend.h"
#include "result/packed_rows.h"
#include "study/jobs/alone.h"
#include "study/beside.h"
#include "study/ranks/enough.h"
#include "study/outcome.h"
#include "study/portion/portion.h"
#include "study/reuse.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct gather {
    weft_study *study;
    weft_result *result;   /* on rank 0 */
    size_t n_items, again; /* again: they are there, but not precise enough */
    size_t *point;         /* those that are missing */
    weft_farm_item *items;
} gather;

static bool writes(const weft_study *study)
{
    return weft_comm_rank(study->comm) == 0;
}

/* <results>.checkpoint/<hash of the point's key>, the key's own characters may not suit a file
 * name. NULL: results in memory have none. */
static char *checkpoint_folder(const weft_study *study, size_t i, weft_arena *arena)
{
    if (weft_study_in_memory(study))
        return NULL;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = weft_plan_key(study->plan, i); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return weft_arena_format(arena, "%s.checkpoint/%016llx", study->checkpoints,
                             (unsigned long long)hash);
}

/* The point as bytes, on rank 0 of its team. */
static void *pack_point(const weft_network *network, const weft_simulation *simulation,
                        weft_ending ending, const double *alone, double began, weft_comm *team,
                        weft_arena *arena, size_t *bytes)
{
    int64_t peak = weft_memory_peak();
    if (team)
        team->kind->sum(team, &peak, 1);
    if (team && team->rank > 0)
        return NULL;
    weft_point point;
    weft_outcome_build(&point, network, simulation, ending, alone, arena);
    point.wall_seconds = weft_clock() - began;
    point.peak_bytes = peak;
    return weft_packed_rows_write(&point, bytes);
}

static weft_status run_network(weft_study *study, const weft_study_job *job,
                               const weft_network *network, weft_arena *arena, void **row,
                               size_t *bytes, weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    const double *alone;
    double began = weft_clock();
    WEFT_TRY(weft_alone_run(study, job, network, arena, &alone, err));
    WEFT_TRY(weft_study_simulate(study, job, network, &simulation, &ending, err));
    *row = pack_point(network, simulation, ending, alone, began, job->team, arena, bytes);
    weft_simulation_destroy(simulation);
    return WEFT_OK;
}

static weft_status run_point(const gather *h, weft_sharing *sharing, size_t item, weft_comm *team,
                             void **row, size_t *bytes, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open_part(h->study, h->point[item], team, &point, err));
    weft_study_job job = {.point = h->point[item],
                          .team = weft_comm_size(team) > 1 ? team : NULL,
                          .sharing = sharing,
                          .folder = checkpoint_folder(h->study, h->point[item], &point.arena)};
    weft_status status = run_network(h->study, &job, &point.network, &point.arena, row, bytes, err);
    weft_study_point_close(&point);
    return status;
}

/* A point that failed, as a row without measurements. */
static weft_status keep_failure(const weft_study *study, size_t i, const weft_comm *team,
                                void **row, size_t *bytes, weft_error *err)
{
    weft_arena arena;
    weft_scenario scenario;
    weft_arena_init(&arena);
    const char *verdict = weft_arena_format(&arena, WEFT_REUSE_FAILED "%.900s", err->text);
    weft_status status = weft_plan_point(study->plan, i, &arena, &scenario, err);
    if (status == WEFT_OK && weft_comm_rank(team) == 0)
        *row = weft_packed_rows_write(&(weft_point){.key = scenario.key,
                                                    .settings = scenario.text,
                                                    .verdict = verdict,
                                                    .peak_bytes = weft_memory_peak()},
                                      bytes);
    weft_arena_done(&arena);
    return status;
}

static weft_status run_item(void *user, weft_sharing *sharing, size_t item, weft_comm *team,
                            void **row, size_t *bytes, weft_error *err)
{
    const gather *h = user;
    weft_monitor *monitor = h->study->monitor;
    weft_monitor_begin(monitor, h->point[item], h->items[item].seconds);
    weft_status status = run_point(h, sharing, item, team, row, bytes, err);
    if ((status == WEFT_BAD_INPUT || status == WEFT_BROKEN) && h->study->options.keep_going)
        status = keep_failure(h->study, h->point[item], team, row, bytes, err);
    weft_monitor_end(monitor, h->point[item]);
    return status;
}

static weft_status take_row(void *user, size_t item, const void *row, size_t bytes, weft_error *err)
{
    const gather *h = user;
    weft_study *study = h->study;
    weft_arena arena;
    weft_point point;
    weft_arena_init(&arena);
    weft_status status = weft_packed_rows_read(row, bytes, &arena, &point, err);
    if (status == WEFT_OK && weft_result_replace(h->result, &point, err) != WEFT_OK)
        status =
            WEFT_STOPPED; /* a full disk, most often: the same command goes on once there is room */
    if (status == WEFT_OK) {
        weft_monitor_count(study->monitor, h->items[item].seconds);
        if (!weft_study_in_memory(study))
            weft_checkpoint_remove(checkpoint_folder(study, h->point[item], &arena));
        weft_monitor_hold(study->monitor);
        if (study->options.finished)
            study->options.finished(study->options.user, &point);
        weft_monitor_release(study->monitor);
    }
    weft_arena_done(&arena);
    return status;
}

/* Every point must be sound before the first is run: nobody wants to learn of a mistake at
 * night. */
static weft_status estimate_points(weft_study *study, weft_schedule_item *items, weft_error *err)
{
    uint32_t threads;
    study->at_once = weft_beside_most(study, weft_portion_points(study));
    return weft_beside_estimate(study, weft_comm_size(study->comm), items, &threads, err);
}

/* Members that can work at the same time: where a machine has more of them than cores, only so
 * many; all of them if the caller has said how many a point gets. */
static uint32_t workers(const weft_study *study)
{
    const weft_comm *comm = study->comm;
    uint32_t cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (!comm)
        return 1;
    bool crowded = comm->here > cores && !study->options.ranks;
    uint64_t all = crowded ? (uint64_t)comm->size * cores / comm->here : comm->size;
    return all ? (uint32_t)all : 1;
}

/* What takes long begins first, so that all end at about the same time. */
static int longest_first(const void *a, const void *b, void *items)
{
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    double x = ((const weft_schedule_item *)items)[i].seconds;
    double y = ((const weft_schedule_item *)items)[j].seconds;
    return x != y ? (x > y ? -1 : 1) : i < j ? -1 : 1;
}

/* The list of missing points, the same on all members, with the processes each gets. */
static void list_missing(gather *h, const bool *stale, const weft_schedule_item *all)
{
    weft_study *study = h->study;
    size_t points = weft_plan_points(study->plan);
    char *missing = weft_alloc(points);
    for (size_t i = 0; h->result && i < points; i++) {
        if (weft_portion_leaves_out(study, i))
            continue;
        h->again += stale[i];
        missing[i] = stale[i] || !weft_result_has(h->result, weft_plan_key(study->plan, i));
    }
    if (study->comm)
        study->comm->kind->broadcast(study->comm, missing, points);
    weft_schedule_item *items = weft_alloc(sizeof *items * points);
    h->point = weft_alloc(sizeof *h->point * points);
    h->items = weft_alloc(sizeof *h->items * points);
    for (size_t i = 0; i < points; i++)
        if (missing[i])
            h->point[h->n_items++] = i;
    qsort_r(h->point, h->n_items, sizeof *h->point, longest_first, (void *)all);
    for (size_t k = 0; k < h->n_items; k++)
        items[k] = all[h->point[k]];
    weft_schedule_widths(
        &(weft_schedule_options){.members = workers(study), .memory = study->memory}, h->n_items,
        items);
    for (size_t i = 0; i < h->n_items; i++) {
        h->items[i] = (weft_farm_item){.seconds = items[i].seconds, .width = items[i].width};
        study->monitor->work += items[i].seconds;
    }
    study->monitor->done = weft_portion_points(study) - h->n_items;
    free(items);
    free(missing);
}

/* Checkpoints that are of no use: what an earlier scenario left behind, when a study starts
 * anew; and at its end those of its points, after whose commit it was killed. Others may be gone on
 * with: of points that are left out now, or of another grid. Those beside a part are also of others
 * that run. */
static void forget_checkpoints(const weft_study *study, bool all)
{
    if (weft_study_in_memory(study) || study->options.part)
        return;
    weft_arena arena;
    weft_arena_init(&arena);
    const char *above = weft_arena_format(&arena, "%s.checkpoint", study->checkpoints);
    if (all)
        weft_checkpoint_remove_all(above);
    size_t points = access(above, F_OK) == 0 ? weft_plan_points(study->plan) : 0;
    for (size_t i = 0; i < points; i++)
        if (!weft_portion_leaves_out(study, i))
            weft_checkpoint_remove(checkpoint_folder(study, i, &arena));
    (void)rmdir(above); /* says no if it is not empty */
    weft_arena_done(&arena);
}

static weft_status run_farm(weft_study *study, weft_result *result, const bool *stale,
                            const weft_schedule_item *items, weft_error *err)
{
    gather h = {.study = study, .result = result};
    list_missing(&h, stale, items);
    if (h.n_items < study->at_once)
        study->at_once = h.n_items ? (uint32_t)h.n_items : 1;
    weft_beside job = {.study = study,
                       .n_items = h.n_items,
                       .items = h.items,
                       .run = run_item,
                       .take = take_row,
                       .user = &h};
    if (result)
        weft_beside_announce(study, study->monitor->done, h.n_items, h.again);
    weft_status status = weft_beside_run(&job, err);
    free(h.point);
    free(h.items);
    return status;
}

weft_status weft_study_run(weft_study *study, weft_error *err)
{
    weft_result *result = NULL;
    size_t points = weft_plan_points(study->plan);
    weft_schedule_item *items = weft_alloc(sizeof *items * points);
    bool *stale = weft_alloc(sizeof *stale * points);
    weft_status status = weft_enough_ranks(study, err);
    if (status == WEFT_OK)
        status = estimate_points(study, items, err);
    status = weft_comm_agree(study->comm, status, err);
    if (status == WEFT_OK) {
        if (writes(study))
            status = weft_reuse_open(study, stale, &result, err);
        status = weft_comm_agree(study->comm, status, err);
    }
    if (status == WEFT_OK) {
        if (result && study->options.fresh)
            forget_checkpoints(study, true);
        status = run_farm(study, result, stale, items, err);
        if (result && status == WEFT_OK)
            forget_checkpoints(study, false);
    }
    if (result && result != study->kept)
        weft_result_close(result);
    free(stale);
    free(items);
    return status;
}
