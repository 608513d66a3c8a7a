/* SPDX-License-Identifier: Apache-2.0 */
/* Timing a piece of work, and knowing whether anybody else used the machine meanwhile. */
#ifndef WEFT_BENCH_MEASURE_H
#define WEFT_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct weft_stretch { /* from weft_stretch_start to weft_stretch_stop */
    double cpu, wall;         /* seconds; cpu: of this process, in user mode */
    bool busy;                /* others used more than a tenth of a core */
    double busy_start;        /* of all cores, and of this process in either mode, at the start */
    double own_start;
} weft_stretch;

weft_stretch weft_stretch_start(void);
void weft_stretch_stop(weft_stretch *stretch);

/* The best of several runs of the same work. */
typedef struct weft_best {
    double rate; /* work per second of user time */
    double cpu;  /* seconds of that run */
    bool busy;
} weft_best;

void weft_best_take(weft_best *best, uint64_t work, const weft_stretch *stretch);

#endif
