/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of flows over time (network->rated): what each has sent in a bin, and the rate that its law
 * allows at the end of it. At most 4,096 bins are kept; then neighbours are merged. */
#ifndef WEFT_SIM_WATCH_RATEWATCH_H
#define WEFT_SIM_WATCH_RATEWATCH_H

#include "base/pack.h"
#include "sim/platform.h"
#include "sim/simulation.h"

void weft_ratewatch_init(weft_rate_bins *bins, const weft_network *network);
void weft_ratewatch_done(weft_rate_bins *bins);
/* Adds the interval that has just ended, from `start` to `now`; by all ranks together (comm NULL:
 * alone), on which bins are the same. */
void weft_ratewatch_add(weft_rate_bins *bins, const weft_instance *instance, weft_comm *comm,
                        weft_time start, weft_time now);

void weft_ratewatch_save(const weft_rate_bins *bins, weft_pack *pack);
void weft_ratewatch_load(weft_rate_bins *bins, weft_unpack *from);

#endif
