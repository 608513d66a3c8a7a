/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern kinds that are built in: one line each in pattern/list.def. */
#ifndef WEFT_NET_TRAFFIC_PATTERN_H
#define WEFT_NET_TRAFFIC_PATTERN_H

#include "interweft/traffic.h"

#define PATTERN(name) extern const weft_pattern_kind weft_pattern_##name;
#include "net/traffic/pattern/list.def"
#undef PATTERN

/* The setting `self` of patterns that can send to the sender: through its router and back. −1: not given, excluded. */
enum { WEFT_SELF_EXCLUDED, WEFT_SELF_INCLUDED };
extern const char *const weft_self_choices[];

/* Ends with NULL. */
extern const weft_component *const weft_pattern_kinds[];

#endif
