/* SPDX-License-Identifier: Apache-2.0 */
/* How long a job's messages took, by their size. */
#include "sim/jobs/ideal.h"
#include "sim/jobs/processes.h"
#include "study/outcome_rows.h"

#include <math.h>

static const char *const size_names[WEFT_SIZE_CLASSES] = {"below 10 kB", "10 to 100 kB",
                                                          "0.1 to 1 MB", "1 MB and more"};

/* Without an index it is the mean, else the percentile in 1/1000 %. */
static void add_time(weft_rows *rows, const weft_job *job, uint32_t size, int64_t index,
                     double ticks, int64_t n)
{
    const weft_timing *timing = &rows->network->timing;
    weft_rows_add(rows, (weft_metric){.name = "flow time",
                                      .of = job->name,
                                      .by = size_names[size],
                                      .index = index,
                                      .value = weft_timing_value(timing, ticks),
                                      .lo = NAN,
                                      .hi = NAN,
                                      .n = n,
                                      .unit = weft_timing_unit(timing),
                                      .method = "count"});
}

void weft_rows_flows(weft_rows *rows, uint32_t number)
{
    const weft_job *job = &rows->network->jobs->jobs[number];
    const weft_process_times *flows =
        weft_simulation_flows(rows->simulation) + (size_t)number * WEFT_SIZE_CLASSES;
    double ideal[WEFT_SIZE_CLASSES];
    weft_ideal_messages(rows->network, number, ideal);
    for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++) {
        int64_t n = flows[c].count;
        if (n == 0)
            continue;
        double mean = (double)flows[c].sum / (double)n;
        add_time(rows, job, c, 0, mean, n);
        add_time(rows, job, c, 50000, weft_histogram_quantile(&flows[c].bins, 0.5), n);
        add_time(rows, job, c, 99000, weft_histogram_quantile(&flows[c].bins, 0.99), n);
        if (ideal[c] > 0)
            weft_rows_add(rows, (weft_metric){.name = "flow slowdown",
                                              .of = job->name,
                                              .by = size_names[c],
                                              .value = mean / ideal[c],
                                              .lo = NAN,
                                              .hi = NAN,
                                              .n = n,
                                              .unit = "times",
                                              .method = "exact: mean by mean alone"});
    }
}
