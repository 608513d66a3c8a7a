/* SPDX-License-Identifier: Apache-2.0 */
/* A set of endpoints as ascending ranges: the senders or receivers of a traffic class. The
 * endpoints of a set are numbered by their ranks, 0 … count − 1, in ascending order. */
#ifndef INTERWEFT_HOSTS_H
#define INTERWEFT_HOSTS_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stdint.h>

WEFT_DECLARATIONS

typedef struct weft_host_range {
    uint32_t first, count; /* endpoints; count ≥ 1 */
    uint32_t rank;         /* of the first */
} weft_host_range;

typedef struct weft_host_set {
    uint32_t count; /* endpoints */
    uint32_t n_ranges;
    const weft_host_range *ranges; /* disjoint, and no two of them are adjacent */
} weft_host_set;

/* Number of endpoints of the set below this one: its rank, if it belongs to the set. */
static inline uint32_t weft_host_set_below(const weft_host_set *set, uint32_t endpoint)
{
    uint32_t low = 0, high = set->n_ranges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->ranges[middle].first <= endpoint)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const weft_host_range *range = &set->ranges[low - 1];
    uint32_t inside = endpoint - range->first;
    return range->rank + (inside < range->count ? inside : range->count);
}

/* The range of a rank, which is below count. */
static inline uint32_t weft_host_set_range(const weft_host_set *set, uint32_t rank)
{
    uint32_t low = 0, high = set->n_ranges;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (set->ranges[middle].rank <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The endpoint of a rank, which is below count. */
static inline uint32_t weft_host_set_at(const weft_host_set *set, uint32_t rank)
{
    const weft_host_range *range = &set->ranges[weft_host_set_range(set, rank)];
    return range->first + (rank - range->rank);
}

static inline bool weft_host_set_has(const weft_host_set *set, uint32_t endpoint)
{
    uint32_t rank = weft_host_set_below(set, endpoint);
    return rank < set->count && weft_host_set_at(set, rank) == endpoint;
}

WEFT_DECLARATIONS_END

#endif
