/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that might lift what makes a point slow, tried one at a time. A point's seed does not
 * depend on settings that are not varied, so all see the same messages. */
#include "base/memory.h"
#include "base/numeric.h"
#include "config/units.h"
#include "net/topology/common/weftnet.h"
#include "sim/buffering.h"
#include "study/outcome.h"
#include "study/probe.h"
#include "study/why/rerun.h"
#include "study/why/why.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_PORTS 16   /* of endpoint.ports */
#define CARRIED    0.97 /* of what is offered: less accepted is the trouble, not latency */

typedef struct trial {
    weft_result *result;
    size_t point;
    const weft_catalog *catalog;
    weft_rerun_caller who;
    double ticks, cycle; /* of a run, of the point as it is */
    double bandwidth;    /* of its endpoints, flits per tick of theirs */
    weft_why_trial *found;
} trial;

static void fill(weft_why_change *change, const weft_point *point)
{
    const weft_metric *accepted = weft_point_metric(point, "accepted", "", "", 0),
                      *latency = weft_point_metric(point, "latency", "", "", 0),
                      *p99 = weft_point_metric(point, "latency", "", "percentile", 99000);
    change->saturated = point->saturated;
    change->accepted = accepted ? accepted->value : NAN;
    change->accepted_lo = accepted ? accepted->lo : NAN;
    change->accepted_hi = accepted ? accepted->hi : NAN;
    change->latency = latency ? latency->value : NAN;
    change->p99 = p99 ? p99->value : NAN;
    change->p99_lo = p99 ? p99->lo : NAN;
    change->p99_hi = p99 ? p99->hi : NAN;
}

/* Runs the point with a change, for as many cycles as the others. */
static weft_status run_change(trial *t, const char *const *overrides, weft_why_change *change,
                              weft_error *err)
{
    weft_rerun rerun;
    WEFT_TRY(
        weft_rerun_open(&rerun, t->result, t->point, t->catalog, t->who.options, overrides, err));
    const weft_timing *timing = &rerun.point.network.timing;
    double ticks = t->ticks * weft_timing_value(timing, 1) > 0
                       ? t->ticks * t->cycle / weft_timing_value(timing, 1)
                       : t->ticks;
    weft_simulation *simulation = NULL;
    weft_ending ending;
    /* endpoints of another bandwidth offer the same traffic */
    double wider = t->bandwidth > 0 ? rerun.point.network.bandwidth / t->bandwidth : 1;
    if (wider != 1)
        weft_probe_scale(&rerun.point.scenario, 1 / wider, &rerun.point.arena);
    weft_status status = weft_why_limit(&rerun.point, ticks, err);
    weft_simulation_options options = {.half_width = 1e-6,
                                       .request = weft_rerun_request,
                                       .progress = weft_rerun_progress,
                                       .user = &t->who};
    if (status == WEFT_OK)
        status = weft_simulation_create(&rerun.point.network, &options, &simulation, err);
    if (status == WEFT_OK)
        status = weft_simulation_run(simulation, &ending, err);
    if (status == WEFT_OK && ending == WEFT_END_INTERRUPTED)
        status = weft_fail(err, WEFT_STOPPED, "stopped");
    if (status == WEFT_OK) {
        weft_point point;
        weft_outcome_build(&point, &rerun.point.network, simulation, ending, NULL,
                           &rerun.point.arena);
        fill(change, &point);
        change->accepted *= wider;
        change->accepted_lo *= wider;
        change->accepted_hi *= wider;
    }
    weft_simulation_destroy(simulation);
    weft_rerun_close(&rerun);
    return status;
}

/* Relative half-width of a value. */
static double spread(double value, double lo, double hi)
{
    return value > 0 && hi >= lo ? (hi - lo) / 2 / value : 0;
}

static void weigh(const weft_why_trial *found, weft_why_change *change)
{
    const weft_why_change *base = &found->base;
    double ratio, wide;
    if (found->by_load) {
        ratio = change->accepted / base->accepted;
        double a = spread(base->accepted, base->accepted_lo, base->accepted_hi),
               b = spread(change->accepted, change->accepted_lo, change->accepted_hi);
        wide = ratio * weft_sqrt(a * a + b * b);
        change->gain = ratio - 1;
    } else {
        ratio = change->p99 / base->p99;
        double a = spread(base->p99, base->p99_lo, base->p99_hi),
               b = spread(change->p99, change->p99_lo, change->p99_hi);
        wide = ratio * weft_sqrt(a * a + b * b);
        change->gain = 1 - ratio;
    }
    change->lo = change->gain - wide;
    change->hi = change->gain + wide;
}

/* Tries one change: settings with a space between them, values have none. */
static weft_status try_one(trial *t, const char *what, const char *settings, weft_error *err)
{
    weft_why_trial *found = t->found;
    char text[200], *rest = text;
    const char *overrides[5] = {0};
    size_t n = 0;
    if (found->n_changes == WEFT_WHY_CHANGES)
        return WEFT_OK;
    weft_why_change *change = &found->changes[found->n_changes++];
    (void)snprintf(change->change, sizeof change->change, "%s", settings);
    (void)snprintf(text, sizeof text, "%s", settings);
    change->what = what;
    while (n < 4 && rest && *rest) {
        char *end = strstr(rest, " and ");
        overrides[n++] = rest;
        if (end)
            *end = 0;
        rest = end ? end + 5 : NULL;
    }
    weft_error refused = {0};
    t->who.what = change->change;
    weft_status status = run_change(t, overrides, change, &refused);
    if (status == WEFT_STOPPED)
        return weft_fail(err, status, "%s", refused.text);
    if (status != WEFT_OK)
        (void)snprintf(change->refused, sizeof change->refused, "%.250s", refused.text);
    else
        weigh(found, change);
    return WEFT_OK;
}

/* Says that one cannot be tried. */
static void refuse(trial *t, const char *what, const char *settings, const char *why)
{
    weft_why_trial *found = t->found;
    assert(found->n_changes < WEFT_WHY_CHANGES); /* only windows of classes are many, and last */
    weft_why_change *change = &found->changes[found->n_changes++];
    change->what = what;
    (void)snprintf(change->change, sizeof change->change, "%s", settings);
    (void)snprintf(change->refused, sizeof change->refused, "%s", why);
}

#define TRY(what, ...)                                          \
    do {                                                        \
        char settings[256];                                     \
        (void)snprintf(settings, sizeof settings, __VA_ARGS__); \
        WEFT_TRY(try_one(t, what, settings, err));              \
    } while (0)

static weft_status try_router(trial *t, const weft_study_point *point, weft_error *err)
{
    weft_platform platform;
    weft_buffering b;
    weft_platform_init(&platform, &point->network);
    weft_buffering_look(&b, &platform);
    TRY("buffers four times as deep", "router.buffer=%lld %s", 4 * (long long)b.capacity,
        b.by_packet ? "packets" : "flits");
    if (b.vcs < 16)
        TRY("twice as many VCs", "router.vcs=%u", 2 * b.vcs < 16 ? 2 * b.vcs : 16);
    if (!b.voq)
        TRY("a queue for every output", "router.queues=voq");
    if (b.vcs > 1 && b.lines == 1)
        TRY("a line into the crossbar for every VC", "router.input-speedup=%u", b.vcs);
    if (b.speedup <= 1)
        TRY("a crossbar twice as fast as links",
            "router.speedup=2 and router.output-buffer=%lld flits", 4 * (long long)b.longest);
    if (b.committed)
        TRY("no VC stage", "router.vc-stage=false");
    TRY("round robin at inputs and outputs",
        "router.scheduler={kind: separable, input: round-robin, output: round-robin}");
    TRY("iSLIP with three iterations", "router.scheduler={kind: islip, iterations: 3}");
    TRY("the oldest packet first", "router.scheduler={kind: separable, input: age, output: age}");
    return WEFT_OK;
}

static weft_status try_routing(trial *t, const weft_study_point *point, weft_error *err)
{
    static const char *const kinds[] = {"minimal-adaptive", "valiant", "ugal", "up-down"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(point->network.traffic_classes[0].routing.kind->base.name, kinds[i]) != 0)
            TRY("another routing", "routing=%s", kinds[i]);
    if (point->network.topology.faults)
        TRY("all links mended", "faults=[]");
    if (point->network.topology.link_class)
        TRY("no links of their own rate", "links.where={}");
    return WEFT_OK;
}

/* Twice the rate of a class of links, as a setting. */
static void write_twice(const char *before, const char *class, weft_rate rate, char text[80])
{
    char twice[WEFT_QUANTITY_CHARS];
    weft_quantity quantity = {2 * rate.value, (int)rate.unit};
    if (rate.unit == WEFT_NO_RATE)
        quantity = (weft_quantity){2, WEFT_FLITS_PER_CYCLE};
    (void)snprintf(text, 80, "%slinks.%s.rate=%s", before, class,
                   weft_quantity_write(WEFT_PARAM_RATE, quantity, twice));
}

/* Has a link between routers a rate that only the file of the topology says? */
static bool has_rates_of_file(const weft_study_point *point)
{
    const weft_weftnet *net = weft_weftnet_of(&point->network.topology);
    for (uint32_t c = 0; net && c < net->n_cables; c++)
        if (weft_weftnet_timing(net, c).rate.unit != WEFT_NO_RATE &&
            !point->scenario.links.given[net->cables[c].class].rate)
            return true;
    return false;
}

/* Links between routers, but those of links.where. */
static weft_status try_links(trial *t, const weft_study_point *point, weft_error *err)
{
    static const char what[] = "links between routers twice as fast";
    const weft_links *links = &point->scenario.links;
    char local[80], global[80], regional[80] = "";
    if (has_rates_of_file(point)) {
        refuse(t, what, "links.local.rate", "the file of the topology has the rates of its links");
        return WEFT_OK;
    }
    write_twice("", "local", links->local.rate, local);
    write_twice(" and ", "global", links->global.rate, global);
    if (links->given[WEFT_LINK_REGIONAL].rate)
        write_twice(" and ", "regional", links->regional.rate, regional);
    TRY(what, "%s%s%s", local, global, regional);
    return WEFT_OK;
}

static weft_status try_endpoints(trial *t, const weft_study_point *point, weft_error *err)
{
    const weft_scenario *scenario = &point->scenario;
    const weft_timing *timing = &point->network.timing;
    long long ports = point->network.ports;
    if (ports < MOST_PORTS)
        TRY("more links of every endpoint", "endpoint.ports=%lld",
            2 * ports < MOST_PORTS ? 2 * ports : MOST_PORTS);
    WEFT_TRY(try_links(t, point, err));
    if (timing->period[WEFT_LINK_HOST] > 0 && scenario->endpoint.dma.value > 0)
        TRY("a DMA engine without set-up", "endpoint.dma=0 cycles");
    for (size_t f = 0; f < scenario->n_traffic; f++) {
        if (scenario->traffic[f].window > 0)
            TRY("a window eight times as wide", "traffic.%s.window=%lld", scenario->traffic[f].name,
                8 * (long long)scenario->traffic[f].window);
    }
    return WEFT_OK;
}

static int greatest_first(const void *a, const void *b)
{
    const weft_why_change *x = a, *y = b;
    if (!*x->refused != !*y->refused)
        return *x->refused ? 1 : -1;
    if (*x->refused)
        return strcmp(x->change, y->change);
    return x->gain != y->gain ? (x->gain > y->gain ? -1 : 1) : strcmp(x->change, y->change);
}

static weft_status try_all(trial *t, weft_error *err)
{
    weft_rerun rerun;
    weft_why_trial *found = t->found;
    WEFT_TRY(weft_rerun_open(&rerun, t->result, t->point, t->catalog, t->who.options, NULL, err));
    const weft_network *network = &rerun.point.network;
    weft_bounds bounds = weft_why_bounds(network);
    t->ticks = (double)weft_why_plan(network, &bounds).until;
    t->cycle = weft_timing_value(&network->timing, 1);
    t->bandwidth = network->bandwidth;
    found->unit = weft_timing_unit(&network->timing);
    (void)snprintf(found->base.change, sizeof found->base.change, "as it is");
    t->who.what = "as it is";
    weft_status status = run_change(t, NULL, &found->base, err);
    found->by_load = found->base.saturated || found->base.accepted_hi < CARRIED * network->load;
    if (status == WEFT_OK)
        status = try_router(t, &rerun.point, err);
    if (status == WEFT_OK)
        status = try_routing(t, &rerun.point, err);
    if (status == WEFT_OK)
        status = try_endpoints(t, &rerun.point, err);
    weft_rerun_close(&rerun);
    qsort(found->changes, found->n_changes, sizeof *found->changes, greatest_first);
    return status;
}

weft_status weft_why_try(weft_result *result, size_t i, const weft_catalog *catalog,
                         const weft_why_options *options, weft_why_trial **found, weft_error *err)
{
    trial t = {.result = result,
               .point = i,
               .catalog = catalog,
               .who = {.options = options},
               .found = weft_alloc(sizeof *t.found)};
    weft_status status = try_all(&t, err);
    if (status != WEFT_OK) {
        free(t.found);
        t.found = NULL;
    }
    *found = t.found;
    return status;
}

void weft_why_trial_destroy(weft_why_trial *found)
{
    free(found);
}
