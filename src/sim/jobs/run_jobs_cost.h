/* SPDX-License-Identifier: Apache-2.0 */
/* What jobs change in the estimate of a run's memory. */
#ifndef WEFT_SIM_RUN_JOBS_COST_H
#define WEFT_SIM_RUN_JOBS_COST_H

#include "sim/forecast.h"

/* Ranks that wait for each other have few messages under way, whatever they could send: no more
 * packets are in flight, and no more enter the network than these let. A forecast for estimates
 * alone. */
void weft_run_jobs_calm(weft_forecast *forecast);
/* Bytes that logs of ranks, and loads of links over time, take beyond what is there at rest. Of
 * all processes. */
double weft_run_jobs_beside(const weft_forecast *forecast);

#endif
