/* SPDX-License-Identifier: Apache-2.0 */
#include "net/timing.h"

#include <assert.h>

#define PS_MAX 1e15 /* a quarter of an hour; longer delays are mistakes */

typedef struct collector {
    double cycle_ps; /* 0: not known yet */
    uint64_t divisor;
    bool seconds; /* something was given in seconds or bits per second */
} collector;

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t whole_ps(double ps)
{
    if (ps <= 0)
        return 0;
    return ps < PS_MAX ? (uint64_t)(ps + 0.5) : (uint64_t)PS_MAX;
}

static double flit_ps(const weft_scenario *scenario)
{
    double rate = scenario->links.local.rate;
    return rate > 0 ? scenario->links.flit.value * 8e12 / rate : 0;
}

static double in_ps(const collector *found, weft_duration duration)
{
    return duration.unit == WEFT_CYCLES ? duration.value * found->cycle_ps : duration.value;
}

static void collect(collector *found, weft_duration duration)
{
    if (duration.unit != WEFT_NO_TIME)
        found->divisor = gcd(found->divisor, whole_ps(in_ps(found, duration)));
}

/* Calls visit for every duration among a kind's settings. */
static void each_duration(weft_kind_ref ref, collector *found,
                          void (*visit)(collector *, weft_duration))
{
    if (!ref.kind || !ref.kind->params)
        return;
    for (const weft_param *p = ref.kind->params; p->name; p++)
        if (p->type == WEFT_PARAM_DURATION)
            visit(found,
                  *(const weft_duration *)(const void *)((const char *)ref.settings + p->offset));
}

static void note_seconds(collector *found, weft_duration duration)
{
    if (duration.unit == WEFT_PICOSECONDS && duration.value > 0)
        found->seconds = true;
}

weft_status weft_timing_build(weft_timing *timing, const weft_scenario *scenario, weft_error *err)
{
    collector found = {0};
    *timing = (weft_timing){.in_cycles = true, .cycle = 1, .flit = 1};
    if (scenario->links.host.rate != scenario->links.local.rate)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "links.host.rate must be the rate of links.local: routers of kind "
                         "output-queued join links of one rate");
    double flit = flit_ps(scenario);
    found.cycle_ps = scenario->clock > 0 ? 1e12 / scenario->clock : flit;
    note_seconds(&found, scenario->links.local.latency);
    note_seconds(&found, scenario->links.host.latency);
    each_duration(scenario->router, &found, note_seconds);
    if (!found.seconds && flit <= 0) { /* all in cycles */
        timing->tick_ps = scenario->clock > 0 ? 1e12 / scenario->clock : 0;
    } else {
        if (found.cycle_ps <= 0)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "delays are given in seconds, but neither clock nor links.rate says "
                             "how long a flit takes");
        if (flit <= 0)
            flit = found.cycle_ps;
        if (whole_ps(flit) == 0 || whole_ps(found.cycle_ps) == 0)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "a flit takes less than 1 ps; use longer flits "
                             "(links.flit) or a slower rate");
        found.divisor = gcd(whole_ps(flit), whole_ps(found.cycle_ps));
        collect(&found, scenario->links.local.latency);
        collect(&found, scenario->links.host.latency);
        each_duration(scenario->router, &found, collect);
        assert(found.divisor > 0);
        timing->in_cycles = false;
        timing->tick_ps = (double)found.divisor;
        timing->cycle = (weft_time)(whole_ps(found.cycle_ps) / found.divisor);
        timing->flit = (weft_time)(whole_ps(flit) / found.divisor);
    }
    timing->latency = weft_timing_ticks(timing, scenario->links.local.latency);
    timing->host_latency = weft_timing_ticks(timing, scenario->links.host.latency);
    assert(timing->cycle >= 1 && timing->flit >= 1);
    return WEFT_OK;
}

weft_time weft_timing_ticks(const weft_timing *timing, weft_duration duration)
{
    if (duration.unit == WEFT_NO_TIME)
        return 0;
    double ticks = duration.unit == WEFT_CYCLES ? duration.value * (double)timing->cycle
                   : timing->tick_ps > 0        ? duration.value / timing->tick_ps
                                                : duration.value;
    return ticks < 4e18 ? (weft_time)(ticks + 0.5) : (weft_time)4e18;
}

const char *weft_timing_unit(const weft_timing *timing)
{
    return timing->in_cycles ? "cycles" : "ns";
}

double weft_timing_value(const weft_timing *timing, double ticks)
{
    return timing->in_cycles ? ticks / (double)timing->cycle : ticks * timing->tick_ps / 1000;
}
