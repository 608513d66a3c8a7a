/* SPDX-License-Identifier: Apache-2.0 */
/* The arrival kinds that are built in: one line each in arrival/list.def. */
#ifndef WEFT_NET_TRAFFIC_ARRIVAL_H
#define WEFT_NET_TRAFFIC_ARRIVAL_H

#include "interweft/traffic.h"

#define ARRIVAL(name) extern const weft_arrival_kind weft_arrival_##name;
#include "net/traffic/arrival/list.def"
#undef ARRIVAL

/* Ends with NULL. */
extern const weft_component *const weft_arrival_kinds[];

#endif
