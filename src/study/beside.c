/* SPDX-License-Identifier: Apache-2.0 */
/* Two rounds: all points, each with its part of the memory; then those that were put aside. */
#include "study/beside.h"

#include "base/memory.h"
#include "kernel/kernel.h"
#include "study/portion/portion.h"

#include <stdlib.h>
#include <string.h>

typedef struct round_job {
    const weft_beside *job;
    const size_t *item; /* those of this round */
    uint32_t at_once;
    bool *later; /* of all items */
} round_job;

static weft_status run_turn(void *user, weft_farm *farm, size_t k, weft_comm *team, void **row,
                            size_t *bytes, weft_error *err)
{
    const round_job *r = user;
    const weft_beside *job = r->job;
    size_t i = r->item[k];
    weft_sharing sharing = {.farm = farm,
                            .beside = weft_farm_beside(farm),
                            .memory = job->study->memory / r->at_once,
                            .whole = r->at_once == 1};
    weft_status status = job->run(job->user, &sharing, i, team, row, bytes, err);
    r->later[i] = sharing.later;
    return sharing.later ? WEFT_OK : status;
}

static weft_status take_row(void *user, size_t k, const void *row, size_t bytes, weft_error *err)
{
    const round_job *r = user;
    size_t i = r->item[k];
    return r->later[i] ? WEFT_OK : r->job->take(r->job->user, i, row, bytes, err);
}

static weft_status run_round(const round_job *round, size_t count, const weft_farm_item *items,
                             weft_error *err)
{
    weft_farm_job job = {.at_once = round->at_once,
                         .n_items = count,
                         .items = items,
                         .run = run_turn,
                         .take = take_row,
                         .user = (void *)round};
    return weft_farm_run(round->job->study->comm, &job, err);
}

weft_status weft_beside_run(const weft_beside *job, weft_error *err)
{
    size_t count = job->n_items, *item = weft_alloc(count * sizeof *item), aside = 0;
    round_job round = {.job = job,
                       .item = item,
                       .at_once = job->study->at_once,
                       .later = weft_alloc(count * sizeof *round.later)};
    for (size_t i = 0; i < count; i++)
        item[i] = i;
    weft_status status = run_round(&round, count, job->items, err);
    for (size_t i = 0; i < count; i++)
        if (round.later[i])
            item[aside++] = i;
    if (status == WEFT_OK && aside > 0) {
        round.at_once = 1;
        status = run_round(&round, aside, NULL, err);
    }
    free(round.later);
    free(item);
    return status;
}

void weft_beside_announce(const weft_study *study, size_t there, size_t missing, size_t again)
{
    bool joint = study->plan && weft_plan_is_joint(study->plan); /* models have none */
    if (study->options.begins)
        study->options.begins(study->options.user,
                              &(weft_outline){.there = there,
                                              .missing = missing,
                                              .again = joint ? 0 : again,
                                              .changed = joint ? again : 0,
                                              .at_once = study->at_once,
                                              .members = weft_comm_size(study->comm)});
}

uint32_t weft_beside_most(const weft_study *study, size_t points)
{
    const weft_study_options *options = &study->options;
    uint32_t cores = weft_team_default(1), threads = (uint32_t)options->threads;
    if (weft_comm_size(study->comm) > 1)
        return 1; /* each member has one */
    if (threads && options->blocks)
        cores = cores / threads; /* by hand: every point has so many */
    else if (threads && threads < cores)
        cores = threads;
    uint32_t most = options->jobs ? (uint32_t)options->jobs : cores;
    most = most < points ? most : (uint32_t)points;
    return most ? most : 1;
}

uint32_t weft_beside_fitting(const weft_study *study, int64_t bytes)
{
    if (study->memory == 0 || bytes <= 0)
        return study->at_once;
    int64_t fit = study->memory / bytes;
    return fit >= study->at_once ? study->at_once : fit > 1 ? (uint32_t)fit : 1;
}

/* Fewer points at a time have more threads each, and these need memory too: so again. */
weft_status weft_beside_estimate(weft_study *study, uint32_t members, weft_schedule_item *items,
                                 uint32_t *threads, weft_error *err)
{
    for (;;) {
        int64_t bytes = 0;
        *threads = 1;
        for (size_t i = 0; i < weft_plan_points(study->plan); i++) {
            weft_cost cost;
            if (weft_portion_leaves_out(study, i))
                continue;
            WEFT_TRY(weft_study_estimate(study, i, members, &items[i], &cost, err));
            *threads = cost.threads > *threads ? cost.threads : *threads;
            bytes = items[i].bytes > bytes ? items[i].bytes : bytes;
        }
        uint32_t fit = weft_beside_fitting(study, bytes);
        if (fit == study->at_once)
            return WEFT_OK;
        study->at_once = fit;
    }
}
