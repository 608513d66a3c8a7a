/* SPDX-License-Identifier: Apache-2.0 */
/* What several patterns share. */
#ifndef WEFT_NET_TRAFFIC_PATTERN_H
#define WEFT_NET_TRAFFIC_PATTERN_H

#include "interweft/traffic.h"
#include "net/kinds.h"

/* The setting `self` of patterns that can send to the sender: through its router and back. −1:
 * not given, excluded. */
enum { WEFT_SELF_EXCLUDED, WEFT_SELF_INCLUDED };
extern const char *const weft_self_choices[];

#endif
