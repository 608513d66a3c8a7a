/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule: the number of members for each point of a grid, and the resulting time of the grid,
 * from estimates only. Results never depend on it. */
#ifndef WEFT_FARM_SCHEDULE_H
#define WEFT_FARM_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft_schedule_options {
    uint32_t members;
    int64_t memory; /* bytes one member may take; 0: no limit */
} weft_schedule_options;

typedef struct weft_schedule_item {
    double seconds; /* on one member */
    /* Parallel work: with few events per window more members gain nothing. */
    double events_a_window;
    int64_t bytes;  /* memory of its simulation, over all its members */
    uint32_t width; /* out, unless it is given (> 0) */
} weft_schedule_item;

/* Fills in the widths: as many members as its memory needs (all of them, if even that is not
 * enough), and more where that should end the whole grid earlier. */
void weft_schedule_widths(const weft_schedule_options *options, size_t count,
                          weft_schedule_item *items);

/* The number of worthwhile threads, at most `most`, for a process with this number of events per
 * window and of routers. */
uint32_t weft_schedule_threads(uint32_t most, double events_a_window, double routers);

/* Estimated seconds of one item on `width` members. */
double weft_schedule_seconds(const weft_schedule_item *item, uint32_t width);
/* Estimated seconds from the first item's beginning to the last one's end, if they are dealt out
 * with the widths they have. */
double weft_schedule_makespan(uint32_t members, size_t count, const weft_schedule_item *items);

#endif
