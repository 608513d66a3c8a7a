/* SPDX-License-Identifier: Apache-2.0 */
/* The private record of a series, for the files that fill, save and restore it. */
#ifndef WEFT_STATS_SERIES_INSIDE_H
#define WEFT_STATS_SERIES_INSIDE_H

#include "stats/series.h"

struct weft_series {
    uint32_t columns, histograms;
    uint32_t cells;       /* complete */
    uint64_t width;       /* intervals in a complete cell */
    uint64_t filled;      /* intervals in the cell being filled */
    weft_i128 *sum;       /* [cell][column] */
    weft_i128 *total;     /* [column], the cell being filled included */
    weft_histogram *bins; /* [cell][histogram] */
    uint32_t *reach;      /* [histogram] */
};

#endif
