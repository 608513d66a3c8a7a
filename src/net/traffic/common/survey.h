/* SPDX-License-Identifier: Apache-2.0 */
/* Means over all pairs of routers, where no formula is known: from every router, or, in networks
 * in which that would take seconds, from some that lie evenly spread. */
#ifndef WEFT_NET_TRAFFIC_COMMON_SURVEY_H
#define WEFT_NET_TRAFFIC_COMMON_SURVEY_H

#include "interweft/topology.h"

#define WEFT_SURVEY_PAIRS ((uint64_t)1 << 24)
#define WEFT_SURVEY_LEAST 256u /* routers looked at, if not all */

typedef struct weft_survey {
    uint32_t routers; /* looked at: 0, step, 2 step … */
    uint32_t step;
} weft_survey;

/* Of pairs from every home to so many others each; alike: what is asked for is the same from all
 * of them. */
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
