/* SPDX-License-Identifier: Apache-2.0 */
/* The stopping rule: warm-up, wanted precision, limits, saturation. Every decision is taken from a
 * weft_series at the end of a sampling interval, so it does not depend on the partition of a
 * run. */
#ifndef WEFT_STATS_CONTROL_H
#define WEFT_STATS_CONTROL_H

#include "stats/series.h"

typedef enum weft_stop_reason {
    WEFT_GO_ON,
    WEFT_CONVERGED,   /* the wanted half-width is reached */
    WEFT_SATURATED,   /* the population grows without bound */
    WEFT_AT_LIMIT,    /* the limit on intervals or packets is reached */
    WEFT_OUT_OF_REACH /* the half-width will not be reached within the limit on packets */
} weft_stop_reason;

/* The condition that a converged run met last: the half-width, or a floor below which no run
 * ends. */
typedef enum weft_floor {
    WEFT_FLOOR_NONE,    /* the half-width */
    WEFT_FLOOR_LENGTH,  /* the minimum length: the first checks already met all conditions */
    WEFT_FLOOR_WARMUP,  /* the end of warm-up */
    WEFT_FLOOR_BATCHES, /* enough independent batches */
    WEFT_FLOORS
} weft_floor;

/* The proof of a run about its load. */
typedef enum weft_stability {
    WEFT_STABILITY_UNKNOWN, /* the run was too short to tell */
    WEFT_STABLE,            /* all arrivals have left, and nothing grows */
    WEFT_UNSTABLE           /* the population grows without bound */
} weft_stability;

typedef struct weft_goal {
    weft_ratio watched;       /* the estimate that must reach half_width */
    double confidence;        /* 0.95 */
    double half_width;        /* relative to the value */
    uint32_t arrived, left;   /* columns: packets that entered the system, that left it */
    int64_t limit_intervals;  /* 0: none */
    int64_t limit_packets;    /* left the system; 0: none */
    int64_t warmup_intervals; /* fixed warm-up; −1: detect */
    int64_t growth_intervals; /* in a shorter run filling looks like overflowing */
    /* Intervals before all traffic has begun: nothing is decided in them. */
    int64_t begin_intervals;
    /* Saturation beyond doubt ends a run at once, and so does a half-width that the limit on
     * packets does not allow. */
    bool early;
} weft_goal;

typedef struct weft_control {
    weft_goal goal;
    uint64_t next_check;   /* interval at which the next decision is due */
    uint32_t growth_seen;  /* consecutive checks that looked saturated */
    uint32_t reached_seen; /* consecutive checks that reached the half-width */
    weft_floor floor;      /* missing condition of the last failed check */
    /* as of the last check */
    uint32_t from; /* first cell kept */
    bool settled;
    bool growing; /* the population's growth is significant: saturated if the run ends */
    bool deep;    /* it was beyond doubt: ends the run once enough has left */
    weft_estimate watched;
} weft_control;

void weft_control_init(weft_control *control, const weft_goal *goal);
/* Must be called after every weft_series_add; cheap between checks. When the verdict is not
 * WEFT_GO_ON, from, settled, growing and watched are up to date. */
weft_stop_reason weft_control_step(weft_control *control, const weft_series *series);
/* Brings from, settled, growing and watched up to date for a run that ends for another reason. */
void weft_control_finish(weft_control *control, const weft_series *series);

/* The proof of the run so far; its from, settled, growing and watched must be up to date. A run
 * that has not settled, or with fewer departures than arrivals, proves nothing. */
weft_stability weft_control_stability(const weft_control *control, const weft_series *series);

/* Saves everything but the goal as bytes; restores it. */
void weft_control_save(const weft_control *control, weft_pack *pack);
void weft_control_load(weft_control *control, weft_unpack *from);

#endif
