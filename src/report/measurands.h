/* SPDX-License-Identifier: Apache-2.0 */
/* The quantities of a point that can be columns of tables and axes of plots, by their names in
 * flags (--columns, --metric). */
#ifndef WEFT_REPORT_MEASURANDS_H
#define WEFT_REPORT_MEASURANDS_H

#include "base/arena.h"
#include "interweft/result.h"

#define WEFT_MEASURANDS_MAX 64

typedef struct weft_measurand {
    const char *group, *name, *metric, *by;
    int64_t index;
    int importance;    /* as of a column of text_table.h, or WEFT_MEASURAND_ON_REQUEST */
    bool interval;     /* shown as mean ± half-width */
    const char *title; /* of an axis */
} weft_measurand;

#define WEFT_MEASURAND_ON_REQUEST (-1)

/* The verdict is a column among the others, but no quantity. */
extern const weft_measurand weft_measurands[];
extern const size_t weft_n_measurands;
bool weft_measurand_is_verdict(const weft_measurand *measure);

/* Columns in their order; `asked`: named by the user. */
typedef struct weft_measurand_list {
    size_t count;
    const weft_measurand *at[WEFT_MEASURANDS_MAX];
    bool asked;
} weft_measurand_list;

/* Parses "p99,hops" or "all"; NULL: the default columns, as far as there is room. */
WEFT_MUST_USE weft_status weft_measurands_parse(const char *columns, weft_measurand_list *list,
                                                weft_error *err);
/* The quantity of this name; error messages name the flag. */
WEFT_MUST_USE weft_status weft_measurands_find(const char *flag, const char *name, size_t length,
                                               const weft_measurand **measure, weft_error *err);
/* The same of "p99", or of "bulk.p99", whose class goes to *of, in the arena ("": all). Refuses the
 * verdict, which is no number. */
WEFT_MUST_USE weft_status weft_measurands_choose(const char *flag, const char *name,
                                                 weft_arena *arena, const weft_measurand **measure,
                                                 const char **of, weft_error *err);
/* The metric of a class ("": all) at a point; NULL: it has none, or a percentile beyond which
 * too few packets were counted. */
const weft_metric *weft_measurand_of(const weft_measurand *measure, const weft_point *point,
                                     const char *of);

#endif
