/* SPDX-License-Identifier: Apache-2.0 */
/* The sampling interval. It depends on the scenario alone, so that no decision depends on blocks,
 * threads or ranks. */
#ifndef WEFT_SIM_INTERVAL_H
#define WEFT_SIM_INTERVAL_H

#include "net/network.h"

weft_time weft_interval_choose(const weft_network *network);
/* Messages of the whole network per tick, on average. */
double weft_interval_messages(const weft_network *network);

#endif
