/* SPDX-License-Identifier: Apache-2.0 */
#include "net/timing.h"

#include <assert.h>

#define PS_MAX      1e15 /* a quarter of an hour; longer delays are mistakes */
#define PARTS_MAX   1000 /* of a cycle, looked through for one that divides a flit time */
#define PARTS_CLOSE 1e-9
#define CYCLE_MAX   1000000 /* ticks */
#define WHOLE_FROM  1e9     /* cycles, of whose fractions nothing is seen */
#define OFF_MAX     0.01    /* by which rounding may change a time, as a part of it */

enum { BUS = WEFT_LINK_CLASSES_MAX, RATES }; /* the classes of links, and the I/O bus */
static const char *const rate_paths[WEFT_LINK_CLASSES] = {"links.local.rate", "links.global.rate",
                                                          "links.host.rate", "links.regional.rate"};

typedef struct collector {
    weft_rate rate[RATES];
    weft_duration latency[WEFT_LINK_CLASSES_MAX];
    uint32_t classes;
    double flit_bytes;
    double cycle_ps; /* 0: not known */
    uint64_t divisor;
    uint64_t parts;    /* into which the flit time of a link must divide */
    uint64_t ticks;    /* of a cycle, as rates and durations need */
    weft_duration off; /* that ticks cannot tell; WEFT_NO_TIME: none */
    bool seconds;      /* something was given in seconds or bits per second */
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

static uint64_t lcm(uint64_t a, uint64_t b)
{
    return a / gcd(a, b) * b;
}

static uint64_t whole_ps(double ps)
{
    if (ps <= 0)
        return 0;
    return ps < PS_MAX ? (uint64_t)(ps + 0.5) : (uint64_t)PS_MAX;
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

static void note_seconds(collector *found, weft_duration duration)
{
    if (duration.unit == WEFT_PICOSECONDS && duration.value > 0)
        found->seconds = true;
}

/* Those of hosts and jobs. A unit of calc is a nanosecond unless all is in cycles. */
static void each_job_duration(const weft_scenario *scenario, collector *found,
                              void (*visit)(collector *, weft_duration))
{
    const weft_host_settings *host = &scenario->host;
    visit(found, host->overhead);
    visit(found, host->overhead_per_byte);
    visit(found, host->gap);
    visit(found, host->calc);
    if (host->calc.unit == WEFT_NO_TIME && found->seconds)
        visit(found, (weft_duration){.value = 1000, .unit = WEFT_PICOSECONDS});
    for (size_t i = 0; i < scenario->n_jobs; i++) {
        visit(found, scenario->jobs[i].start);
        for (size_t p = 0; p < scenario->jobs[i].n_phases; p++)
            visit(found, scenario->jobs[i].phases[p].compute);
    }
}

/* Calls visit for every duration that the tick must divide. */
static void each_duration(const weft_scenario *scenario, collector *found,
                          void (*visit)(collector *, weft_duration))
{
    const weft_endpoint_settings *endpoint = &scenario->endpoint;
    weft_kind_ref router = scenario->router;
    for (uint32_t c = 0; c < found->classes; c++)
        visit(found, found->latency[c]);
    visit(found, endpoint->delay);
    visit(found, endpoint->bus_latency);
    visit(found, endpoint->dma);
    visit(found, endpoint->ack_delay);
    visit(found, scenario->faults.at);
    if (scenario->n_jobs > 0)
        each_job_duration(scenario, found, visit);
    for (const weft_param *p = router.kind ? router.kind->params : NULL; p && p->name; p++)
        if (p->type == WEFT_PARAM_DURATION)
            visit(found, *(const weft_duration *)(const void *)((const char *)router.settings +
                                                                p->offset));
}

/* What must divide a flit time: the router's speed-ups. */
static uint64_t parts_of(weft_kind_ref router)
{
    uint64_t parts = 1;
    for (const weft_param *p = router.kind ? router.kind->params : NULL; p && p->name; p++)
        if (p->type == WEFT_PARAM_FACTOR) {
            int64_t factor =
                *(const int64_t *)(const void *)((const char *)router.settings + p->offset);
            if (factor > 1 && parts < CYCLE_MAX)
                parts = lcm(parts, (uint64_t)factor);
        }
    return parts;
}

static bool is_limited(const collector *found, int i)
{
    return i == BUS ? found->rate[BUS].unit != WEFT_NO_RATE : (uint32_t)i < found->classes;
}

static void add_class(collector *found, const weft_link_settings *set)
{
    found->rate[found->classes] = set->rate;
    found->latency[found->classes++] = set->latency;
}

static void look_at(collector *found, const weft_scenario *scenario,
                    const weft_single_links *single)
{
    const weft_links *links = &scenario->links;
    const weft_link_settings *classes[] = {&links->local, &links->global, &links->host,
                                           &links->regional};
    *found = (collector){.flit_bytes = links->flit.value, .parts = parts_of(scenario->router)};
    for (int c = 0; c < (int)WEFT_LINK_CLASSES; c++)
        add_class(found, single ? &single->named[c] : classes[c]);
    for (uint32_t c = 0; single && c < single->count; c++)
        add_class(found, &single->at[c]);
    found->rate[BUS] = scenario->endpoint.bus_rate;
    each_duration(scenario, found, note_seconds);
    for (int i = 0; i < RATES; i++)
        found->seconds =
            found->seconds || (is_limited(found, i) && found->rate[i].unit == WEFT_BITS_PER_SECOND);
    if (scenario->clock > 0)
        found->cycle_ps = 1e12 / scenario->clock;
    else if (found->rate[WEFT_LINK_LOCAL].unit == WEFT_BITS_PER_SECOND)
        found->cycle_ps = found->flit_bytes * 8e12 / found->rate[WEFT_LINK_LOCAL].value;
}

static const char *path_of(int i)
{
    return i == BUS                     ? "endpoint.bus-rate"
           : i < (int)WEFT_LINK_CLASSES ? rate_paths[i]
                                        : "links.where, or the file of the topology";
}

/* Cycles a flit takes at a rate that is not in bits per second. */
static double flit_cycles(weft_rate rate)
{
    assert(rate.unit != WEFT_BITS_PER_SECOND);
    return rate.unit == WEFT_FLITS_PER_CYCLE ? 1 / rate.value : 1;
}

/* The least number of parts of a cycle of which the flit time is a whole number; 0: too many. */
static uint64_t parts_for(double cycles)
{
    for (int parts = 1; parts <= PARTS_MAX; parts++) {
        double times = cycles * parts, whole = (double)(int64_t)(times + 0.5);
        double off = times - whole;
        if (whole >= 1 && (off < 0 ? -off : off) <= PARTS_CLOSE * times)
            return (uint64_t)parts;
    }
    return 0;
}

static void set_period(weft_timing *timing, int i, weft_time ticks)
{
    if (i == BUS)
        timing->bus_period = ticks;
    else
        timing->period[i] = ticks;
}

static bool is_off(double rounded, double exact)
{
    return rounded < exact * (1 - OFF_MAX) || rounded > exact * (1 + OFF_MAX);
}

static bool may_have_fraction(weft_duration duration)
{
    return duration.value > 0 && duration.value < WHOLE_FROM;
}

/* Cuts cycles so that a duration is a whole number of ticks, if not too many are needed. */
static void cut_cycles(collector *found, weft_duration duration)
{
    uint64_t parts = may_have_fraction(duration) ? parts_for(duration.value) : 1;
    if (parts && lcm(found->ticks, parts) * found->parts <= CYCLE_MAX)
        found->ticks = lcm(found->ticks, parts);
}

static void note_off(collector *found, weft_duration duration)
{
    double ticks = duration.value * (double)(found->ticks * found->parts);
    if (may_have_fraction(duration) && is_off((double)(uint64_t)(ticks + 0.5), ticks))
        found->off = duration;
}

/* Everything in cycles: a cycle is cut into as many ticks as flit times, durations and speed-ups
 * need. */
static weft_status count_cycles(weft_timing *timing, collector *found,
                                const weft_scenario *scenario, weft_error *err)
{
    found->ticks = 1;
    for (int i = 0; i < RATES; i++) {
        uint64_t parts = is_limited(found, i) ? parts_for(flit_cycles(found->rate[i])) : 1;
        found->ticks = parts ? lcm(found->ticks, parts) : CYCLE_MAX + 1;
        if (found->ticks * found->parts > CYCLE_MAX)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%s: no tick divides a cycle, %g cycles for a flit and the other "
                             "times; give simpler rates, such as 0.5 or 0.75 flits/cycle",
                             path_of(i), flit_cycles(found->rate[i]));
    }
    each_duration(scenario, found, cut_cycles);
    each_duration(scenario, found, note_off);
    timing->in_cycles = true;
    timing->cycle = (weft_time)(found->ticks * found->parts);
    if (found->off.unit != WEFT_NO_TIME)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "no tick divides a cycle and a time of %g cycles: give simpler times, such "
            "as 0.5 or 0.75 cycles, or the section 'clock' and times in seconds",
            found->off.value);
    timing->tick_ps = found->cycle_ps / (double)timing->cycle;
    for (int i = 0; i < RATES; i++)
        if (is_limited(found, i))
            set_period(timing, i,
                       (weft_time)(flit_cycles(found->rate[i]) * (double)timing->cycle + 0.5));
    return WEFT_OK;
}

static double exact_flit_ps(const collector *found, int i)
{
    weft_rate rate = found->rate[i];
    return rate.unit == WEFT_BITS_PER_SECOND ? found->flit_bytes * 8e12 / rate.value
                                             : flit_cycles(rate) * found->cycle_ps;
}

/* Picoseconds of a flit: whole, and on a link a multiple of the parts it is divided into. */
static uint64_t flit_ps(const collector *found, int i)
{
    uint64_t parts = i == BUS ? 1 : found->parts;
    return whole_ps(exact_flit_ps(found, i) / (double)parts) * parts;
}

/* A rate must not become another one by the rounding of its flit time. */
static weft_status check_flit(const collector *found, int i, weft_error *err)
{
    double exact = exact_flit_ps(found, i), rounded = (double)flit_ps(found, i);
    double longer = found->flit_bytes, parts = i == BUS ? 1 : (double)found->parts;
    if (!is_off(rounded, exact) || exact >= PS_MAX)
        return WEFT_OK;
    if (found->rate[i].unit != WEFT_BITS_PER_SECOND)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: a flit takes %.4g ps, and would take %.0f when rounded; use a slower "
                         "clock",
                         path_of(i), exact, rounded);
    while (longer / found->flit_bytes * exact * 2 * OFF_MAX < parts)
        longer *= 2;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s: a flit of %g B takes %.4g ps, and would take %.0f when rounded; use "
                     "longer flits, such as links.flit: %g B",
                     path_of(i), found->flit_bytes, exact, rounded, longer);
}

/* Cycles and seconds need a clock. Those of the scenario have been looked at: now its file's. */
static weft_status check_clock(const collector *found, const weft_scenario *scenario,
                               weft_error *err)
{
    if (scenario->clock != WEFT_NONE_REAL)
        return WEFT_OK;
    if (scenario->in_cycles)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s is in cycles, and the file of the topology gives times or rates of "
                         "links in seconds; give the section 'clock', such as clock: 1 GHz",
                         scenario->in_cycles);
    for (uint32_t c = 0; c < found->classes; c++)
        if (found->latency[c].unit == WEFT_CYCLES && found->latency[c].value > 0)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "the file of the topology gives latencies in cycles, and other times "
                             "or rates are in seconds; give the section 'clock', such as clock: 1 "
                             "GHz");
    return WEFT_OK;
}

static weft_status count_picoseconds(weft_timing *timing, collector *found,
                                     const weft_scenario *scenario, weft_error *err)
{
    uint64_t cycle = whole_ps(found->cycle_ps);
    if (found->cycle_ps <= 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "delays are given in seconds, but neither clock nor links.rate says "
                         "how long a flit takes");
    WEFT_TRY(check_clock(found, scenario, err));
    found->divisor = cycle;
    for (int i = 0; i < RATES; i++) {
        if (!is_limited(found, i))
            continue;
        uint64_t flit = flit_ps(found, i), parts = i == BUS ? 1 : found->parts;
        if (flit == 0 || cycle == 0)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "a flit takes less than %llu ps; use longer flits "
                             "(links.flit) or a slower rate",
                             (unsigned long long)parts);
        WEFT_TRY(check_flit(found, i, err));
        found->divisor = gcd(found->divisor, flit / parts);
    }
    each_duration(scenario, found, collect);
    assert(found->divisor > 0);
    timing->in_cycles = false;
    timing->tick_ps = (double)found->divisor;
    timing->cycle = (weft_time)(cycle / found->divisor);
    for (int i = 0; i < RATES; i++)
        if (is_limited(found, i))
            set_period(timing, i, (weft_time)(flit_ps(found, i) / found->divisor));
    return WEFT_OK;
}

weft_status weft_timing_build(weft_timing *timing, const weft_scenario *scenario,
                              const weft_single_links *single, weft_error *err)
{
    collector found;
    look_at(&found, scenario, single);
    *timing = (weft_timing){.classes = found.classes};
    if (found.seconds)
        WEFT_TRY(count_picoseconds(timing, &found, scenario, err));
    else
        WEFT_TRY(count_cycles(timing, &found, scenario, err));
    for (uint32_t c = 0; c < found.classes; c++)
        timing->wire[c] = weft_timing_ticks(timing, found.latency[c]);
    timing->flit = timing->period[WEFT_LINK_LOCAL];
    timing->latency = timing->wire[WEFT_LINK_LOCAL];
    timing->host_latency = timing->wire[WEFT_LINK_HOST];
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

weft_time weft_timing_span(const weft_timing *timing, weft_duration duration)
{
    weft_time ticks = weft_timing_ticks(timing, duration);
    return duration.unit != WEFT_NO_TIME && duration.value > 0 && ticks < 1 ? 1 : ticks;
}

const char *weft_timing_unit(const weft_timing *timing)
{
    return timing->in_cycles ? "cycles" : "ns";
}

double weft_timing_value(const weft_timing *timing, double ticks)
{
    return timing->in_cycles ? ticks / (double)timing->cycle : ticks * timing->tick_ps / 1000;
}
