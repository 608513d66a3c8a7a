/* SPDX-License-Identifier: Apache-2.0 */
/* A probe: one run of a point with its whole traffic scaled to an offered load, and what it
 * proves. */
#ifndef WEFT_STUDY_PROBE_H
#define WEFT_STUDY_PROBE_H

#include "study/internal.h"

typedef struct weft_probe_plan {
    weft_study *study;
    size_t point;
    double load;                  /* offered, of all traffic together */
    double stable, unstable;      /* the bracket so far, for progress */
    struct weft_sharing *sharing; /* beside others; NULL: alone */
    weft_time span; /* ticks to warm up, and half as many to measure; 0: as the scenario says */
} weft_probe_plan;

/* Properties of a point that are known before it is probed. */
typedef struct weft_probe_outlook {
    double bound;    /* no load above it can be carried whole, for certain; 0: none is known */
    double rho;      /* of an offered load of 1.0 */
    double crossing; /* ticks a packet takes through the empty network */
    double turnover; /* ticks in which endpoints could fill all finite buffers */
    bool finite;     /* buffers are finite */
    bool open;       /* no time limit is given */
    int64_t packets; /* of a run, as the scenario limits them */
} weft_probe_outlook;

typedef struct weft_probe {
    weft_stability stability;
    weft_estimate accepted; /* fraction of injection bandwidth */
    int64_t packets;        /* delivered */
    int64_t lost;           /* dropped, by the rule of a router */
    weft_ending ending;
} weft_probe;

/* Multiplies every load of a scenario; what changes is the arena's. */
void weft_probe_scale(weft_scenario *scenario, double factor, weft_arena *arena);

WEFT_MUST_USE weft_status weft_probe_look(const weft_probe_plan *plan, weft_probe_outlook *outlook,
                                          weft_error *err);

/* Filled on rank 0, and on all that took part. */
WEFT_MUST_USE weft_status weft_probe_run(const weft_probe_plan *plan, weft_probe *found,
                                         weft_error *err);

#endif
