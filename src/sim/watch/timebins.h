/* SPDX-License-Identifier: Apache-2.0 */
/* The time series of a run. At most 2^20 bins are kept; then neighbours are merged and the width
 * doubles. */
#ifndef WEFT_SIM_WATCH_TIMEBINS_H
#define WEFT_SIM_WATCH_TIMEBINS_H

#include "base/pack.h"
#include "sim/simulation.h"

void weft_timebins_done(weft_bins *bins);
/* Adds an interval that starts at `start`; population: messages in the system at its end. */
void weft_timebins_add(weft_bins *bins, weft_time start, const weft_i128 *row, int64_t population);

void weft_timebins_save(const weft_bins *bins, weft_pack *pack);
void weft_timebins_load(weft_bins *bins, weft_unpack *from);

#endif
