/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a figure's results; the runs of all seeds of a point form a group. */
#ifndef WEFT_REPRODUCE_GROUPS_H
#define WEFT_REPRODUCE_GROUPS_H

#include "reproduce/reproduce.h"
#include "stats/compare.h"

/* Tallies of places 0 … count − 1. */
typedef struct weft_tallies {
    size_t count;
    double *at, sum;
} weft_tallies;

/* The runs of one point. */
typedef struct weft_group {
    const char *where; /* "adaptive diagonal rho=0.3" */
    const char *value[WEFT_KEYS_OF_A_FIGURE];
    double rank[WEFT_KEYS_OF_A_FIGURE]; /* the number of a label, or the value as a number */
    size_t runs, saturated;
    weft_sample *samples;  /* one per claim */
    weft_sample *others;   /* one per claim, of the metric that adjusts theirs */
    weft_tallies *tallies; /* one per claim, of a distribution, summed over all runs */
    double **terms;        /* one per claim: of a contrast, terms of run 0, terms of run 1, … */
} weft_group;

typedef struct weft_groups {
    size_t count;
    weft_group *at;    /* in the order of the keys */
    const char **unit; /* of each claim's metric */
} weft_groups;

/* Reads all points of a result; every point must have one run per seed. */
WEFT_MUST_USE weft_status weft_groups_read(const weft_figure_plan *figure, int64_t seeds,
                                           weft_result *result, weft_arena *arena,
                                           weft_groups *groups, weft_error *err);

#endif
