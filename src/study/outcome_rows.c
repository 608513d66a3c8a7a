/* SPDX-License-Identifier: Apache-2.0 */
#include "study/outcome_rows.h"

#include <math.h>

void weft_rows_add(weft_rows *rows, weft_metric metric)
{
    rows->metrics[rows->n_metrics++] = metric;
}

void weft_rows_value(weft_rows *rows, const char *name, const char *of, double value,
                     const char *unit, const char *method)
{
    weft_rows_add(rows, (weft_metric){.name = name,
                                      .of = of,
                                      .by = "",
                                      .value = value,
                                      .lo = NAN,
                                      .hi = NAN,
                                      .unit = unit,
                                      .method = method});
}

/* An estimate, scaled. What grows without bound has no interval once saturated. */
void weft_rows_estimate(weft_rows *rows, weft_metric metric, weft_estimate estimate, double scale,
                        bool grows)
{
    metric.value = estimate.value * scale;
    metric.lo = estimate.lo * scale;
    metric.hi = estimate.hi * scale;
    if (grows && rows->saturated) {
        metric.lo = metric.hi = NAN;
        metric.method = "saturated: grows with the length of the run";
    } else if (!rows->settled && !rows->saturated) {
        metric.lo = metric.hi = NAN;
        metric.method = "run too short: still warming up";
    } else if (isnan(metric.lo)) {
        metric.method = "run too short for an interval";
    }
    if (!isnan(metric.value))
        weft_rows_add(rows, metric);
}

weft_estimate weft_rows_ratio(const weft_rows *rows, uint32_t num, uint32_t den)
{
    double confidence = rows->network->scenario->measure.confidence;
    return weft_series_ratio(rows->series, rows->from, (weft_ratio){.num = num, .den = den},
                             confidence);
}

weft_estimate weft_rows_statistic(const weft_rows *rows, const uint32_t *columns,
                                  uint32_t n_columns, weft_statistic statistic, const void *user)
{
    double confidence = rows->network->scenario->measure.confidence;
    return weft_series_statistic(rows->series, rows->from, columns, n_columns, statistic, user,
                                 confidence);
}

int64_t weft_rows_sum(const weft_rows *rows, uint32_t column)
{
    return (int64_t)weft_series_sum(rows->series, rows->from, column);
}
