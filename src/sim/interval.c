/* SPDX-License-Identifier: Apache-2.0 */
/* About 1,000 messages and at least 64 cycles; short enough that a limit holds 128 intervals (of
 * packets: that the longest wire holds 1,024), and dividing the time limit or the bins of a series
 * where that is possible. No run is shorter than 96 intervals, so those of a half-width above 2 %
 * have fewer messages, as the run needs fewer: down to a fifth, where intervals of a single queue
 * begin to cover less (docs/decisions/0013); as few with measure.early. */
#include "sim/interval.h"

#include <assert.h>

#define MESSAGES      1000.0
#define MESSAGES_MIN  200.0
#define MESSAGES_MOST 1e6 /* memory is looked at between intervals only */
#define CYCLES        64
#define CYCLES_MIN    16
#define COARSE        0.02 /* half-width above which intervals are shorter */
#define LEAST         128
#define ON_A_WIRE     1024.0 /* a limit of packets asks for no more before the first arrives */
#define TRIES         100000 /* a divisor is looked for among so many */

/* The largest interval ≤ `most` that divides `whole`, or else nearly does. */
static weft_time divisor(weft_time whole, weft_time most)
{
    weft_time parts = (whole + most - 1) / most;
    for (weft_time n = parts; n <= 2 * parts && n < parts + TRIES; n++)
        if (whole % n == 0)
            return whole / n;
    return whole / parts;
}

/* Messages of the whole network per tick. */
double weft_interval_messages(const weft_network *network)
{
    double per_tick = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        per_tick += network->traffic_classes[f].per_tick * network->traffic_classes[f].senders;
    return per_tick;
}

/* The messages that a half-width needs go with its inverse square. */
static double scaled(const weft_measure *measure, double fine, double min)
{
    double ratio = measure->half_width > COARSE ? COARSE / measure->half_width : 1;
    if (measure->early)
        return min;
    return fine * ratio * ratio > min ? fine * ratio * ratio : min;
}

/* Of a limit of packets. On long wires many are sent before any arrives. */
static double of_packets(const weft_network *network, double per_tick)
{
    double packets = (double)network->scenario->measure.limit_packets, wire = 0;
    for (uint32_t c = 0; c < network->timing.classes; c++)
        wire = (double)network->timing.wire[c] > wire ? (double)network->timing.wire[c] : wire;
    double whole = packets / LEAST / per_tick;
    return whole > wire / ON_A_WIRE ? whole : wire / ON_A_WIRE;
}

weft_time weft_interval_choose(const weft_network *network)
{
    const weft_measure *measure = &network->scenario->measure;
    double per_tick = weft_interval_messages(network), most = MESSAGES_MOST / per_tick;
    double wanted = scaled(measure, MESSAGES, MESSAGES_MIN) / per_tick;
    double least = scaled(measure, CYCLES, CYCLES_MIN) * (double)network->timing.cycle;
    if (wanted < least)
        wanted = least < most ? least : most;
    if (measure->limit_packets != WEFT_NONE_INT && wanted > of_packets(network, per_tick))
        wanted = of_packets(network, per_tick);
    /* whoever waits for another job learns of its end at a sampling time */
    if (network->jobs && weft_job_set_waits(network->jobs) &&
        wanted > network->jobs->longest / LEAST)
        wanted = network->jobs->longest / LEAST;
    weft_time interval = wanted < 1 ? 1 : wanted < 1e15 ? (weft_time)wanted : (weft_time)1e15;
    weft_time limit = weft_timing_span(&network->timing, measure->limit_time);
    if (measure->limit_time.unit != WEFT_NO_TIME && interval > limit / LEAST)
        interval = limit / LEAST ? limit / LEAST : 1;
    weft_time bin = weft_timing_span(&network->timing, measure->series);
    if (measure->series.unit != WEFT_NO_TIME && bin >= 1)
        interval = divisor(bin, interval);
    else if (measure->limit_time.unit != WEFT_NO_TIME && limit >= 1)
        interval = divisor(limit, interval);
    assert(interval >= 1);
    return interval;
}
