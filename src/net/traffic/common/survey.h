/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling for means over all pairs of routers, where no formula is known: sources are all routers,
 * or, in networks in which that would take seconds, an evenly spaced sample. */
#ifndef WEFT_NET_TRAFFIC_COMMON_SURVEY_H
#define WEFT_NET_TRAFFIC_COMMON_SURVEY_H

#include "interweft/topology.h"

#define WEFT_SURVEY_PAIRS ((uint64_t)1 << 24)
#define WEFT_SURVEY_LEAST 256u /* least size of a sample of routers */

typedef struct weft_survey {
    uint32_t routers; /* size of the sample: 0, step, 2 step … */
    uint32_t step;
} weft_survey;

/* The sample for pairs of every edge router with `each` others; alike: all edge routers have the
 * same mean. */
static inline weft_survey weft_survey_of(const weft_topology *topology, uint64_t each, bool alike)
{
    uint32_t homes = topology->edge_routers;
    if (alike)
        return (weft_survey){1, 1};
    if (homes * each <= WEFT_SURVEY_PAIRS || homes <= WEFT_SURVEY_LEAST)
        return (weft_survey){homes, 1};
    uint64_t most = WEFT_SURVEY_PAIRS / each;
    uint32_t wanted = most > WEFT_SURVEY_LEAST ? (uint32_t)most : WEFT_SURVEY_LEAST;
    uint32_t step = homes / wanted | 1; /* odd: no side of an even size is favoured */
    return (weft_survey){(homes - 1) / step + 1, step};
}

#endif
