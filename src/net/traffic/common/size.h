/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of sizes in a scenario to flits. */
#ifndef WEFT_NET_TRAFFIC_COMMON_SIZE_H
#define WEFT_NET_TRAFFIC_COMMON_SIZE_H

#include "interweft/traffic.h"

/* Longest message; packets are shorter (sim/packet.h). 1 MiB in flits of a byte. */
#define WEFT_FLITS_MAX 1048576u

static inline double weft_size_flits(weft_size size, double flit_bytes)
{
    return size.unit == WEFT_BYTES ? size.value / flit_bytes : size.value;
}

/* The size in flits, rounded up (a fixed size in bytes fills its last flit). */
static inline uint32_t weft_size_whole(weft_size size, double flit_bytes)
{
    double flits = weft_size_flits(size, flit_bytes);
    uint32_t whole = flits < WEFT_FLITS_MAX ? (uint32_t)flits : WEFT_FLITS_MAX;
    if (whole < flits && whole < WEFT_FLITS_MAX)
        whole++;
    return whole ? whole : 1;
}

/* The size in flits, rounded down, but at least one. */
static inline uint32_t weft_size_within(weft_size size, double flit_bytes)
{
    double flits = weft_size_flits(size, flit_bytes);
    uint32_t whole = flits < WEFT_FLITS_MAX ? (uint32_t)flits : WEFT_FLITS_MAX;
    return whole ? whole : 1;
}

#endif
