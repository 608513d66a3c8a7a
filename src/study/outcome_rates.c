/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of flows over time, a series for each: what was sent, and the rate that the response
 * allows. */
#include "study/outcome_rows.h"

/* Of a bin, in millionths of what the endpoint's link carries. */
static int64_t sent(const weft_network *network, const weft_rate_bins *bins, size_t bin,
                    uint32_t flow)
{
    uint32_t link = weft_topology_host_class(&network->topology, network->rated[flow].endpoint);
    double busy = (double)bins->flits[bin * bins->flows + flow] *
                  (double)network->timing.period[link] / network->ports;
    return (int64_t)(busy / (double)bins->covered[bin] * WEFT_RATE_UNIT + 0.5);
}

static weft_array series(const weft_rows *rows, const char *what, uint32_t flow, const char *unit,
                         const int64_t *y)
{
    const weft_network *network = rows->network;
    const weft_rate_bins *bins = weft_simulation_rates(rows->simulation);
    const weft_rated *rated = &network->rated[flow];
    return (weft_array){.table = "series",
                        .name = weft_arena_format(rows->arena, "%s %u", what, rated->endpoint),
                        .of = network->traffic_classes[rated->traffic_class].name,
                        .unit = unit,
                        .count = bins->count,
                        .x = bins->start,
                        .y = y};
}

size_t weft_rows_rates(const weft_rows *rows, const char *unit, weft_array *arrays)
{
    const weft_network *network = rows->network;
    const weft_rate_bins *bins = weft_simulation_rates(rows->simulation);
    size_t count = 0;
    for (uint32_t f = 0; bins->count > 0 && f < bins->flows; f++) {
        int64_t *flits = WEFT_TAKE(rows->arena, int64_t, bins->count),
                *rate = WEFT_TAKE(rows->arena, int64_t, bins->count);
        for (size_t b = 0; b < bins->count; b++) {
            flits[b] = sent(network, bins, b, f);
            rate[b] = bins->rate[b * bins->flows + f];
        }
        arrays[count++] = series(rows, "sent by", f, unit, flits);
        if (network->traffic_classes[network->rated[f].traffic_class].pacing.law.kind)
            arrays[count++] = series(rows, "rate of", f, unit, rate);
    }
    return count;
}
