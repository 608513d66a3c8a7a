/* SPDX-License-Identifier: Apache-2.0 */
/* Rates. With E endpoints of p ports in a class' `from`, of which S send λ messages per tick
 * each, messages of ℓ ticks on a host link and m on a local one, over h hops on a network of M
 * router-to-router links (each counted by its rate relative to a local one):
 *     load = λ ℓ S / E p,      rho = λ m h S / M,      rate = λ per second. */
#include "net/offered_load.h"

#include "net/contract.h"
#include "net/traffic/common/pattern_endpoints.h"

/* Fine times hold gaps of 2^46 ticks: of exponential ones three in 10,000 are longer then. */
#define MEAN_GAP_MOST 0x1p43
#define START_MOST    ((weft_time)1 << 45) /* the first gap comes on top */
#define STOP_MOST     ((weft_time)1 << 47)

/* The class's own load, or its share of what the scenario offers. */
static double wanted(const weft_class_settings *set, double own, double offered)
{
    if (own >= 0)
        return own;
    return set->share >= 0 && offered >= 0 ? set->share * offered : -1;
}

static weft_status set_rate(const weft_network *network, const weft_class_settings *set,
                            weft_traffic_class *traffic_class, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    const weft_timing *timing = &network->timing;
    double senders = traffic_class->senders;
    double ticks = traffic_class->mean_flits * (double)timing->period[WEFT_LINK_HOST];
    double hop = traffic_class->mean_flits * (double)timing->period[WEFT_LINK_LOCAL];
    double load = wanted(set, set->load, scenario->offered_load);
    double bandwidth = set->load >= 0 ? traffic_class->bandwidth : network->bandwidth;
    double rho = wanted(set, set->rho, scenario->offered_rho);
    double rate = wanted(set, set->rate, scenario->offered_rate);
    double tick_s = timing->tick_ps * 1e-12;
    if (load >= 0) {
        traffic_class->per_tick = load * bandwidth / (senders * ticks);
    } else if (rho >= 0) {
        if (traffic_class->mean_hops <= 0)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "rho is the load of router-to-router links, and this traffic uses none; "
                "give load instead");
        traffic_class->per_tick =
            rho * network->capacity / (senders * hop * traffic_class->mean_hops);
    } else {
        if (tick_s <= 0)
            return weft_fail(err, WEFT_BAD_INPUT, "rate is in messages per second: give clock too");
        traffic_class->per_tick = rate * tick_s;
    }
    if (!(traffic_class->per_tick > 0 && traffic_class->per_tick <= 65536))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the class offers %g messages per tick and endpoint; "
                         "more than 0 and at most 65536 can be simulated",
                         traffic_class->per_tick);
    traffic_class->load = traffic_class->per_tick * ticks * senders / traffic_class->bandwidth;
    traffic_class->rho =
        network->topology.links
            ? traffic_class->per_tick * hop * traffic_class->mean_hops * senders / network->capacity
            : 0;
    traffic_class->rate = tick_s > 0 ? traffic_class->per_tick / tick_s
                                     : traffic_class->per_tick * (double)timing->cycle;
    return WEFT_OK;
}

/* How much more often than the mean sender the busiest one sends. */
static double busiest(const weft_network *network, const weft_traffic_class *traffic_class)
{
    const weft_pattern *pattern = &traffic_class->traffic.pattern;
    double most = 1;
    for (uint32_t e = 0; traffic_class->traffic.weighted && e < network->endpoints; e++) {
        if (!weft_pattern_endpoints_may_send(pattern, e))
            continue;
        double weight = weft_pattern_endpoints_weight(pattern, e);
        most = weight > most ? weight : most;
    }
    return most;
}

weft_status weft_offered_load_build(const weft_network *network, const weft_class_settings *set,
                                    weft_traffic_class *traffic_class, weft_error *err)
{
    WEFT_TRY(set_rate(network, set, traffic_class, err));
    const weft_timing *timing = &network->timing;
    const char *unit = weft_timing_unit(timing);
    const weft_arrival_kind *arrival = (const weft_arrival_kind *)(const void *)set->arrival.kind;
    double per_cycle =
        traffic_class->per_tick * (double)network->timing.cycle * busiest(network, traffic_class);
    if (arrival->most > 0 && per_cycle > arrival->most * (1 + 1e-9))
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "arrival %s can send %g per cycle and endpoint at most, the class offers %g",
            arrival->base.name, arrival->most, per_cycle);
    double mean = 1 / traffic_class->per_tick;
    if (traffic_class->per_tick > 0 && mean > MEAN_GAP_MOST)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a message every %g %s and endpoint: a mean gap can have 2^43 ticks, "
                         "here %g %s, at most",
                         weft_timing_value(timing, mean), unit,
                         weft_timing_value(timing, MEAN_GAP_MOST), unit);
    traffic_class->traffic.arrival = (weft_arrival){.kind = arrival,
                                                    .settings = set->arrival.settings,
                                                    .mean = mean,
                                                    .cycle_ticks = (double)network->timing.cycle};
    traffic_class->traffic.plain =
        !traffic_class->traffic.weighted && !arrival->interval_with_memory;
    if (arrival->base.foreign)
        WEFT_TRY(weft_contract_arrival(&traffic_class->traffic.arrival, err));
    traffic_class->traffic.start = weft_timing_ticks(&network->timing, set->start);
    traffic_class->traffic.stop =
        set->stop.unit == WEFT_NO_TIME ? INT64_MAX : weft_timing_ticks(&network->timing, set->stop);
    weft_time stop = traffic_class->traffic.stop;
    if (stop <= traffic_class->traffic.start)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a class stops after it has started: stop is %g %s, and start %g %s",
                         weft_timing_value(timing, (double)stop), unit,
                         weft_timing_value(timing, (double)traffic_class->traffic.start), unit);
    if (traffic_class->traffic.start > START_MOST || (stop < INT64_MAX && stop > STOP_MOST))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a class can start 2^45 ticks, here %g %s, after 0 at most, and stop "
                         "after 2^47",
                         weft_timing_value(timing, (double)START_MOST), unit);
    return WEFT_OK;
}
