/* SPDX-License-Identifier: Apache-2.0 */
/* Results side by side: the settings and results that differ, and the significance of differences.
 *
 * The first side is the baseline. Points are matched by the settings that vary on any side. A
 * setting with one value on every side is not matched, so it may differ between sides. Means are
 * compared by Welch's t. */
#ifndef INTERWEFT_COMPARE_H
#define INTERWEFT_COMPARE_H

#include "interweft/result.h"

WEFT_DECLARATIONS

#define WEFT_COMPARE_SIDES 26       /* at most */
#define WEFT_COMPARE_NONE  SIZE_MAX /* no such point */

typedef struct weft_compare_options {
    double confidence; /* of the verdicts, 0 … 1 */
    /* Names as in results, or p99 for a percentile of the latency; NULL-terminated. None: mean and
     * 99 % latency and accepted load. */
    const char *const *metrics;
    bool all; /* every metric that has an interval or is exact */
} weft_compare_options;

/* A setting that differs. */
typedef struct weft_compare_setting {
    const char *path;
    const char *const *values; /* of every side; "": not set, "…": several values */
} weft_compare_setting;

typedef struct weft_compare_point {
    const char *const *values; /* of every axis */
    const size_t *at;          /* on every side: its number in the results, or WEFT_COMPARE_NONE */
} weft_compare_point;

typedef enum weft_compare_verdict {
    WEFT_COMPARE_WITHIN, /* no significant difference */
    WEFT_COMPARE_HIGHER,
    WEFT_COMPARE_LOWER,
    WEFT_COMPARE_NO_INTERVAL, /* a side has no interval */
    WEFT_COMPARE_OURS_SATURATED,
    WEFT_COMPARE_THEIRS_SATURATED,
    WEFT_COMPARE_BOTH_SATURATED,
    WEFT_COMPARE_VERDICTS
} weft_compare_verdict;

typedef struct weft_compare_row {
    size_t metric, point, side;
    weft_metric ours, theirs; /* of the baseline and of the side */
    /* theirs − ours, and the half-width of its interval; NaN where a side has none */
    double difference, half_width;
    double freedom; /* degrees of freedom of Welch and Satterthwaite; NaN: both are exact */
    double p;       /* p-value: probability of as large a difference by chance; NaN: unknown */
    weft_compare_verdict verdict;
} weft_compare_row;

typedef struct weft_compare_sheet {
    double confidence;
    size_t n_sides;
    weft_result *const *sides;
    size_t n_axes;
    const char *const *axes; /* paths of the settings that points are matched by */
    size_t n_settings;
    const weft_compare_setting *settings; /* with different values at matched points */
    size_t n_points;
    const weft_compare_point *points;
    size_t n_metrics;
    const char *const *metrics; /* "latency", "p99", "accepted" … */
    size_t n_rows;
    const weft_compare_row *rows; /* by metric, point and side; only metrics of both sides */
    const char *apart;            /* what matches but cannot be compared; "": nothing */
} weft_compare_sheet;

/* Restricts open results to the points of a selection, "selection=diagonal@rho=0.3": varied
 * settings, named by the end of their path. */
WEFT_API WEFT_MUST_USE weft_status weft_compare_select(weft_result *result, const char *selection,
                                                       weft_error *err);
/* Compares results, which stay the caller's and must outlive the sheet. */
WEFT_API WEFT_MUST_USE weft_status weft_compare_make(weft_result *const *sides, size_t n_sides,
                                                     const weft_compare_options *options,
                                                     weft_compare_sheet **sheet, weft_error *err);
WEFT_API void weft_compare_destroy(weft_compare_sheet *sheet);
/* True if some row differs significantly over all rows (Bonferroni), or a point has no
 * counterpart. */
WEFT_API bool weft_compare_differs(const weft_compare_sheet *sheet);

WEFT_DECLARATIONS_END

#endif
