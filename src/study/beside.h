/* SPDX-License-Identifier: Apache-2.0 */
/* Side by side: the points of a study, several at a time in one process, or spread over the
 * members of a communicator. No result depends on how many there are: a point that wants more
 * than its part of the memory is put aside, and run again when it has all of it. */
#ifndef WEFT_STUDY_BESIDE_H
#define WEFT_STUDY_BESIDE_H

#include "study/internal.h"

/* How a point in hand shares its process. */
typedef struct weft_sharing {
    weft_farm *farm;
    uint32_t beside; /* points that share this process, this one included */
    int64_t memory;  /* bytes it may hold */
    bool whole;      /* that is all there is */
    bool later;      /* out: it wants more than its part */
} weft_sharing;

typedef struct weft_beside {
    weft_study *study;
    size_t n_items;
    const weft_farm_item *items;
    /* As weft_farm_job says; what ends with sharing->later has no row, whatever its status. */
    weft_status (*run)(void *user, weft_sharing *sharing, size_t i, weft_comm *team, void **row,
                       size_t *bytes, weft_error *err);
    weft_status (*take)(void *user, size_t i, const void *row, size_t bytes, weft_error *err);
    void *user;
} weft_beside;

WEFT_MUST_USE weft_status weft_beside_run(const weft_beside *job, weft_error *err);

/* Tells the caller of the study what is about to be run: `missing` points, `again` of them not for
 * the first time, beside those that are there. */
void weft_beside_announce(const weft_study *study, size_t there, size_t missing, size_t again);

/* How many of so many points may run at a time here: as many as there are cores for, or as were
 * asked for. */
uint32_t weft_beside_most(const weft_study *study, size_t points);
/* Estimates all points (weft_study_estimate), at_once of them at a time, which is lowered to as
 * many as have room in memory. *threads: the most that one of them uses. */
WEFT_MUST_USE weft_status weft_beside_estimate(weft_study *study, uint32_t members,
                                               weft_schedule_item *items, uint32_t *threads,
                                               weft_error *err);
/* As many of study->at_once as have room in memory where the largest needs so many bytes. */
uint32_t weft_beside_fitting(const weft_study *study, int64_t bytes);

#endif
