/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the report as JSON; report/README.md describes the layout. */
#ifndef WEFT_REPORT_PAGE_DATA_H
#define WEFT_REPORT_PAGE_DATA_H

#include "report/html.h"
#include "report/page/columns.h"

/* Pools shared by all results of a page. */
typedef struct weft_page_pools {
    weft_intern strings, columns, curves;
} weft_page_pools;

WEFT_MUST_USE weft_status weft_page_data(const weft_report_page *page, weft_out *out);

/* The metrics of one results file, gathered point by point (metrics.c). */
typedef struct weft_page_metrics weft_page_metrics;
weft_page_metrics *weft_page_metrics_create(weft_page_pools *pools);
void weft_page_metrics_destroy(weft_page_metrics *metrics);
void weft_page_metrics_add(weft_page_metrics *metrics, size_t i, const weft_point *point);
/* [[name, class, by, index, points, value, lo, hi, n, unit, method], …] */
void weft_page_metrics_write(weft_page_metrics *metrics, size_t point_count, weft_out *out);

/* The arrays and link loads of one results file, up to the limit of a page (arrays.c). */
typedef struct weft_page_arrays weft_page_arrays;
weft_page_arrays *weft_page_arrays_create(weft_page_pools *pools);
void weft_page_arrays_destroy(weft_page_arrays *arrays);
void weft_page_arrays_add(weft_page_arrays *arrays, size_t i, const weft_point *point);
/* "arrays": […], "links": {…}, "left": [arrays, link loads that did not fit] */
WEFT_MUST_USE weft_status weft_page_arrays_write(weft_page_arrays *arrays, weft_out *out);

/* "charts": [[title, axis, value, unit, [series, …], [[kind, series, name, [[x, y] or [x, y, lo,
 * hi], …]], …]], …], (charts.c) */
void weft_page_charts_write(const weft_chart *charts, size_t count, weft_out *out);

#endif
