/* SPDX-License-Identifier: Apache-2.0 */
/* What a quantity owes to each setting: its elasticity, the relative change of the quantity per
 * relative change of the setting, d ln y / d ln x, by a difference between a lower and a higher
 * value for every seed, and Student's t over the seeds. */
#ifndef WEFT_REPORT_EVALUATION_ELASTICITY_H
#define WEFT_REPORT_EVALUATION_ELASTICITY_H

#include "base/arena.h"
#include "interweft/result.h"
#include "interweft/sensitivity.h"

#include <stdio.h>

typedef struct weft_elasticity {
    const weft_varied_setting *setting;
    weft_side from, to;       /* the values compared: both sides, or the base and one of them */
    double at[WEFT_SIDES];    /* the quantity there, mean over seeds; NaN: none */
    double value, half_width; /* NaN: not known */
    double independent;       /* half-width if every run had random numbers of its own */
    size_t runs;              /* seeds behind it */
    const char *note;         /* what became of a side; "": nothing to say */
} weft_elasticity;

typedef struct weft_elasticities {
    const char *title, *unit, *metric, *first;
    double base, half_width; /* the quantity as the scenario is */
    size_t seeds;
    size_t n_rows;
    weft_elasticity
        *rows; /* those that matter first, by size; then those whose sign is not known */
} weft_elasticities;

/* Refuses a quantity that there is not. */
WEFT_MUST_USE weft_status weft_elasticity_check(const char *of, weft_error *err);
/* From results in memory or in a file; of: a name of measurands.h, NULL: the mean latency, or the
 * completion time where jobs run. */
WEFT_MUST_USE weft_status weft_elasticity_find(const weft_sensitivity *sensitivity,
                                               weft_result *result, const char *of,
                                               weft_arena *arena, weft_elasticities *found,
                                               weft_error *err);
/* True if zero is outside of the interval. */
bool weft_elasticity_matters(const weft_elasticity *row);

void weft_elasticity_print(const weft_elasticities *found, weft_arena *arena, FILE *out,
                           size_t width);
void weft_elasticity_csv(const weft_elasticities *found, FILE *out);
void weft_elasticity_json(const weft_elasticities *found, FILE *out);

#endif
