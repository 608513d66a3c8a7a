/* SPDX-License-Identifier: Apache-2.0 */
/* Settings shared by several patterns. */
#ifndef WEFT_NET_TRAFFIC_PATTERN_H
#define WEFT_NET_TRAFFIC_PATTERN_H

#include "interweft/traffic.h"
#include "net/kinds.h"

/* The setting `self` of patterns in which an endpoint may send to itself, through its router and
 * back. −1: not given, excluded. */
enum { WEFT_SELF_EXCLUDED, WEFT_SELF_INCLUDED };
extern const char *const weft_self_choices[];

#endif
