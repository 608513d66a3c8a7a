/* SPDX-License-Identifier: Apache-2.0 */
/* Width and speed of InfiniBand links for the rates of a scenario. */
#ifndef WEFT_INTEROP_INFINIBAND_RATES_H
#define WEFT_INTEROP_INFINIBAND_RATES_H

#include "base/text.h"
#include "config/scenario.h"
#include "interweft/topology.h"
#include "net/topology/common/subnet.h"

typedef struct weft_ib_rates {
    weft_subnet_rate at[WEFT_LINK_CLASSES];
    bool given; /* the scenario says how fast links are */
} weft_ib_rates;

/* The slowest width × speed that carries this: of 1x, 2x and 4x (4x of several), wider if that is
 * not enough, and faster than ibsim knows if nothing else is. */
weft_subnet_rate weft_ib_rate_for(double bits_per_second);
/* Of links by class. Flits per cycle are a rate where the scenario has a clock; without one
 * links are 4xEDR. */
weft_ib_rates weft_ib_rates_of(const weft_scenario *scenario);
/* A comment that says where they come from. */
void weft_ib_rates_explain(const weft_ib_rates *rates, weft_text *text);

#endif
