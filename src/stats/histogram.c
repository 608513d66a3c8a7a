/* SPDX-License-Identifier: Apache-2.0 */
/* Edges, merging and quantiles of the fixed log-linear bins. */
#include "stats/histogram.h"

#include <assert.h>

int64_t weft_histogram_edge(uint32_t bin)
{
    assert(bin <= WEFT_HISTOGRAM_BINS);
    uint32_t per_octave = 1u << WEFT_HISTOGRAM_SUB;
    if (bin < 2 * per_octave)
        return bin;
    uint32_t shift = (bin >> WEFT_HISTOGRAM_SUB) - 1;
    return (int64_t)((bin & (per_octave - 1)) + per_octave) << shift;
}

void weft_histogram_merge(weft_histogram *into, const weft_histogram *from)
{
    for (uint32_t bin = 0; bin < WEFT_HISTOGRAM_BINS; bin++)
        into->count[bin] += from->count[bin];
}

uint64_t weft_histogram_total(const weft_histogram *histogram)
{
    uint64_t total = 0;
    for (uint32_t bin = 0; bin < WEFT_HISTOGRAM_BINS; bin++)
        total += histogram->count[bin];
    return total;
}

double weft_histogram_quantile(const weft_histogram *histogram, double p)
{
    assert(p >= 0 && p <= 1);
    uint64_t total = weft_histogram_total(histogram), before = 0;
    if (total == 0)
        return __builtin_nan("");
    double rank = p * (double)total;
    uint32_t bin = 0;
    /* the first bin that reaches the rank; the last one in use at the latest */
    while (histogram->count[bin] == 0 || (before + histogram->count[bin] < total &&
                                          (double)(before + histogram->count[bin]) < rank))
        before += histogram->count[bin++];
    /* the bin's integers taken as equally frequent: its k-th of n observations is
     * edge + k/n × width − 1, and edge at least */
    double edge = (double)weft_histogram_edge(bin);
    double width = (double)weft_histogram_edge(bin + 1) - edge;
    double share = (rank - (double)before) / (double)histogram->count[bin];
    double value = edge - 1 + width * (share > 1 ? 1 : share);
    return value < edge ? edge : value;
}
