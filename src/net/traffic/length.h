/* SPDX-License-Identifier: Apache-2.0 */
/* The length kinds that are built in: one line each in length/list.def. */
#ifndef WEFT_NET_TRAFFIC_LENGTH_H
#define WEFT_NET_TRAFFIC_LENGTH_H

#include "interweft/traffic.h"

#define LENGTH(name) extern const weft_length_kind weft_length_##name;
#include "net/traffic/length/list.def"
#undef LENGTH

/* Ends with NULL. */
extern const weft_component *const weft_length_kinds[];

#endif
