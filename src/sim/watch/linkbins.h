/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of links over time (measure.link-series): busy ticks of every link in bins of a width, at
 * most WEFT_LINKBINS of them; then neighbours are merged. The same on all processes. */
#ifndef WEFT_SIM_WATCH_LINKBINS_H
#define WEFT_SIM_WATCH_LINKBINS_H

#include "base/pack.h"
#include "sim/platform.h"
#include "sim/simulation.h"

/* Sets up bins if the scenario asks for them and the network is small enough. */
void weft_linkbins_open(weft_link_bins *bins, const weft_network *network);
/* Bytes of them on every process; 0: there are none. */
double weft_linkbins_estimate(const weft_network *network);
void weft_linkbins_done(weft_link_bins *bins);
/* Takes what links have carried since the last call, if a bin is full; all processes together. */
void weft_linkbins_look(weft_link_bins *bins, const weft_instance *instance, weft_comm *comm,
                        weft_time now, bool last);
void weft_linkbins_save(const weft_link_bins *bins, weft_pack *pack);
void weft_linkbins_load(weft_link_bins *bins, weft_unpack *from);

#endif
