/* SPDX-License-Identifier: Apache-2.0 */
/* The farm: items handed out to the members of a communicator, their rows brought to rank 0, the
 * only writer.
 *
 * Rank 0 hands out and works too: it looks for messages between its own items and whenever
 * weft_farm_serve is called (the simulation does so at its sampling times). A wide item gets a
 * team of several members. Who gets what when is the work queue's to say; results never depend
 * on it. A communicator of one process runs the items in the order given, several at a time if
 * it may (farm/workers.h). */
#ifndef WEFT_FARM_FARM_H
#define WEFT_FARM_FARM_H

#include "kernel/comm.h"

typedef struct weft_farm_item {
    double seconds; /* estimated, on one member */
    uint32_t width; /* members it wants, 1 … size of the communicator */
} weft_farm_item;

typedef struct weft_farm weft_farm;

typedef struct weft_farm_job {
    size_t n_items;
    const weft_farm_item *items; /* only those of rank 0 are used */
    /* Runs item i with this team (the whole communicator, a part of it, or a communicator of one
     * process), on every member of the team; all of them end alike. On rank 0 of the team *row
     * is what is to be brought to the writer (to be freed by the farm); elsewhere it is left
     * NULL. A team is begun also while the farm is ending, so it agrees within itself, not by
     * weft_farm_serve alone, when to stop. */
    weft_status (*run)(void *user, weft_farm *farm, size_t i, weft_comm *team, void **row,
                       size_t *bytes, weft_error *err);
    /* On rank 0 of the communicator only, never two at once: takes the row of item i. */
    weft_status (*take)(void *user, size_t i, const void *row, size_t bytes, weft_error *err);
    void *user;
    uint32_t at_once; /* items that a communicator of one process runs side by side; 0: one */
} weft_farm_job;

/* Runs all items, called by all members; NULL is a communicator of one process, and run's team
 * is then NULL too. The first failure anywhere (WEFT_STOPPED included) ends the farm: items in
 * hand are finished or stop by themselves (see weft_farm_serve), no new ones are begun, rows
 * already made are taken (unless it is the taking that failed), and every member returns that
 * status with its message. The members return together and no message is left under way. */
WEFT_MUST_USE weft_status weft_farm_run(weft_comm *comm, const weft_farm_job *job, weft_error *err);

/* For run: to be called every few milliseconds, by the thread that called run. On rank 0 it
 * hands out items and takes rows; elsewhere it listens and keeps the messages moving. True: the
 * farm is ending because of a failure elsewhere; what is in hand should stop. */
bool weft_farm_serve(weft_farm *farm);
/* For run: how many items share this process from now on, this one included. */
uint32_t weft_farm_beside(const weft_farm *farm);

#endif
