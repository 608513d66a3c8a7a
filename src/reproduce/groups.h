/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a figure's results, with the seeds of each put together. */
#ifndef WEFT_REPRODUCE_GROUPS_H
#define WEFT_REPRODUCE_GROUPS_H

#include "reproduce/reproduce.h"
#include "stats/compare.h"

typedef struct weft_tallies { /* of places 0 … count − 1 */
    size_t count;
    double *at, sum;
} weft_tallies;

typedef struct weft_group { /* the runs of one point */
    const char *where;      /* "adaptive diagonal rho=0.3" */
    const char *value[WEFT_KEYS_OF_A_FIGURE];
    double rank[WEFT_KEYS_OF_A_FIGURE]; /* the number of a label, or the value as a number */
    size_t runs, saturated;
    weft_sample *samples;  /* one per claim … */
    weft_sample *others;   /* … and of the metric by which theirs is adjusted */
    weft_tallies *tallies; /* … and of a distribution, all runs together */
} weft_group;

typedef struct weft_groups {
    size_t count;
    weft_group *at;    /* in the order of the keys */
    const char **unit; /* of each claim's metric */
} weft_groups;

/* Reads all points of a result; every point must have as many runs as there are seeds. */
WEFT_MUST_USE weft_status weft_groups_read(const weft_figure_plan *figure, int64_t seeds,
                                           weft_result *result, weft_arena *arena,
                                           weft_groups *groups, weft_error *err);

#endif
