/* SPDX-License-Identifier: Apache-2.0 */
#include "study/outcome.h"

#include "sim/fabric.h"
#include "study/linkrows.h"
#include "study/theory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct collector { /* of one point, as they grow */
    weft_arena *arena;
    const weft_network *network;
    const weft_simulation *simulation;
    const weft_series *series;
    uint32_t from; /* first cell after the warm-up */
    bool saturated;
    bool settled;        /* the warm-up is over */
    const char *counted; /* "packets", or "messages" where these are cut into several */
    weft_metric *metric; /* capacity is known beforehand */
    size_t count;
} collector;

static const char *const endings[] = {"converged",  "saturated", "limit time", "limit packets",
                                      "limit wall", "memory",    "interrupted"};
static const int64_t percentiles[] = {50000, 90000, 99000, 99900, 99990, 99999};
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles, FIXED_ROWS = 32 };

bool weft_outcome_saturated(const weft_network *network, const weft_simulation *simulation,
                            weft_ending ending)
{
    if (ending == WEFT_END_CONVERGED)
        return false;
    if (ending == WEFT_END_SATURATED || ending == WEFT_END_MEMORY)
        return true;
    /* no network carries more than its links can; traffic that stops is no steady load */
    bool lasting = true;
    for (uint32_t f = 0; f < network->flows; f++)
        lasting = lasting && network->flow[f].traffic.stop == INT64_MAX;
    if (network->rho >= 1 && lasting)
        return true;
    return weft_simulation_control(simulation)->growing;
}

static void add(collector *rows, weft_metric metric)
{
    rows->metric[rows->count++] = metric;
}

static void add_value(collector *rows, const char *name, const char *of, double value,
                      const char *unit, const char *method)
{
    add(rows, (weft_metric){.name = name,
                            .of = of,
                            .by = "",
                            .value = value,
                            .lo = NAN,
                            .hi = NAN,
                            .unit = unit,
                            .method = method});
}

/* An estimate, scaled. What grows without bound has no interval once saturated. */
static void add_estimate(collector *rows, weft_metric metric, weft_estimate estimate, double scale,
                         bool grows)
{
    metric.value = estimate.value * scale;
    metric.lo = estimate.lo * scale;
    metric.hi = estimate.hi * scale;
    if (grows && rows->saturated) {
        metric.lo = metric.hi = NAN;
        metric.method = "saturated: grows with the length of the run";
    } else if (!rows->settled && !rows->saturated) {
        metric.lo = metric.hi = NAN;
        metric.method = "run too short: still warming up";
    } else if (isnan(metric.lo)) {
        metric.method = "run too short for an interval";
    }
    if (!isnan(metric.value))
        add(rows, metric);
}

static weft_estimate ratio(const collector *rows, uint32_t num, uint32_t den)
{
    double confidence = rows->network->scenario->measure.confidence;
    return weft_series_ratio(rows->series, rows->from, (weft_ratio){.num = num, .den = den},
                             confidence);
}

static int64_t sum(const collector *rows, uint32_t column)
{
    return (int64_t)weft_series_sum(rows->series, rows->from, column);
}

/* The latency of a group's messages by percentiles. */
static void add_percentiles(collector *rows, uint32_t group, const char *of, const char *name,
                            int64_t n)
{
    const weft_timing *timing = &rows->network->timing;
    double confidence = rows->network->scenario->measure.confidence;
    for (size_t p = 0; p < PERCENTILES; p++)
        add_estimate(rows,
                     (weft_metric){.name = name,
                                   .of = of,
                                   .by = "percentile",
                                   .index = percentiles[p],
                                   .n = n,
                                   .unit = weft_timing_unit(timing),
                                   .method = "batch percentiles"},
                     weft_series_quantile(rows->series, rows->from, group,
                                          (double)percentiles[p] / 100000, confidence),
                     weft_timing_value(timing, 1), true);
}

static void add_latency(collector *rows, uint32_t group, uint32_t start, const char *of)
{
    const weft_timing *timing = &rows->network->timing;
    double tick = weft_timing_value(timing, 1);
    int64_t n = sum(rows, start + WEFT_COL_DELIVERED);
    weft_estimate mean = ratio(rows, start + WEFT_COL_LATENCY, start + WEFT_COL_DELIVERED);
    weft_metric metric = {
        .of = of, .by = "", .n = n, .unit = weft_timing_unit(timing), .method = "batch means"};
    static const char *const names[] = {"latency", "message latency"}; /* one and the same */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        metric.name = names[i];
        add_estimate(rows, metric, mean, tick, true);
        add_percentiles(rows, group, of, names[i], n);
    }
    if (n > 1) {
        double count = (double)n, total = (double)sum(rows, start + WEFT_COL_LATENCY);
        double square = (double)weft_series_sum(rows->series, rows->from, start + WEFT_COL_SQUARE);
        double variance = (square - total * total / count) / (count - 1);
        metric.name = "latency deviation";
        metric.value = weft_sqrt(variance > 0 ? variance : 0) * tick;
        metric.lo = metric.hi = NAN;
        metric.method = "exact sums";
        add(rows, metric);
    }
}

static void add_flow_rates(collector *rows, uint32_t start, const char *of)
{
    const weft_network *network = rows->network;
    double interval = (double)weft_simulation_interval(rows->simulation);
    double flit = (double)network->timing.flit;
    double host_flit = (double)network->timing.period[WEFT_LINK_HOST];
    int64_t n = sum(rows, start + WEFT_COL_PACKETS);
    weft_metric metric = {.name = "accepted",
                          .of = of,
                          .by = "",
                          .n = n,
                          .unit = "fraction",
                          .method = "batch means"};
    add_estimate(rows, metric, ratio(rows, start + WEFT_COL_FLITS, WEFT_PER_INTERVAL),
                 host_flit / (interval * network->bandwidth), false);
    metric.name = "utilisation";
    if (network->topology.links)
        add_estimate(rows, metric, ratio(rows, start + WEFT_COL_FLIT_HOPS, WEFT_PER_INTERVAL),
                     flit / (interval * network->capacity), false);
    metric.name = "cut-through";
    add_estimate(rows, metric, ratio(rows, start + WEFT_COL_CUTS, start + WEFT_COL_CHANCES), 1,
                 false);
    metric.name = "hops";
    metric.unit = "hops";
    add_estimate(rows, metric, ratio(rows, start + WEFT_COL_HOPS, start + WEFT_COL_PACKETS), 1,
                 false);
    metric.name = "population";
    metric.unit = rows->counted;
    metric.n = sum(rows, start + WEFT_COL_DELIVERED);
    add_estimate(rows, metric, ratio(rows, start + WEFT_COL_POPULATION, WEFT_PER_INTERVAL),
                 1 / interval, true);
}

static void add_by_hops(collector *rows, uint32_t start, const char *of)
{
    const weft_tally *tally = weft_simulation_tally(rows->simulation);
    const weft_timing *timing = &rows->network->timing;
    for (uint32_t h = 0; tally->by_hops && h <= tally->hops_max; h++) {
        uint32_t column = weft_tally_hop_column(start, h);
        int64_t n = sum(rows, column + WEFT_HOP_PACKETS);
        int64_t messages = sum(rows, column + WEFT_HOP_MESSAGES);
        if (n == 0)
            continue;
        weft_metric metric = {.name = "packets",
                              .of = of,
                              .by = "hops",
                              .index = h,
                              .value = (double)n,
                              .lo = NAN,
                              .hi = NAN,
                              .n = n,
                              .unit = "packets",
                              .method = "count"};
        add(rows, metric);
        metric.name = "latency";
        metric.n = messages;
        metric.unit = weft_timing_unit(timing);
        metric.method = "batch means";
        if (messages > 0)
            add_estimate(rows, metric,
                         ratio(rows, column + WEFT_HOP_LATENCY, column + WEFT_HOP_MESSAGES),
                         weft_timing_value(timing, 1), true);
        metric.name = "cut-through";
        metric.n = n;
        metric.unit = "fraction";
        if (h > 1)
            add_estimate(rows, metric,
                         ratio(rows, column + WEFT_HOP_CUTS, column + WEFT_HOP_CHANCES), 1, false);
    }
}

static void add_group(collector *rows, uint32_t group)
{
    const weft_network *network = rows->network;
    const weft_flow *flow = group ? &network->flow[group - 1] : NULL;
    const char *of = flow ? flow->name : "";
    uint32_t start = group * weft_tally_width(weft_simulation_tally(rows->simulation));
    add_value(rows, "offered load", of, flow ? flow->load : network->load, "fraction", "setting");
    add_value(rows, "offered rho", of, flow ? flow->rho : network->rho, "fraction", "setting");
    add_value(rows, "offered rate", of, flow ? flow->rate : network->rate, network->rate_unit,
              "setting");
    add_latency(rows, group, start, of);
    add_flow_rates(rows, start, of);
    add_by_hops(rows, start, of);
}

static void add_run(collector *rows)
{
    const weft_simulation *simulation = rows->simulation;
    const weft_timing *timing = &rows->network->timing;
    weft_census census = weft_simulation_census(simulation);
    weft_time cell =
        weft_simulation_interval(simulation) * (weft_time)weft_series_width(rows->series);
    const char *unit = weft_timing_unit(timing);
    bool fixed = rows->network->scenario->measure.warmup.unit != WEFT_NO_TIME;
    add_value(rows, "generated", "", (double)census.generated, rows->counted, "count");
    add_value(rows, "delivered", "", (double)census.delivered, rows->counted, "count");
    add_value(rows, "in flight", "", (double)census.in_flight, rows->counted, "count");
    add_value(rows, "waiting", "", (double)census.waiting, rows->counted, "count");
    add_value(rows, "warm-up", "", weft_timing_value(timing, (double)(cell * rows->from)), unit,
              fixed ? "setting" : "MSER");
    add_value(rows, "time", "", weft_timing_value(timing, (double)weft_simulation_now(simulation)),
              unit, "count");
    if (timing->tick_ps > 0)
        add_value(rows, "tick", "", timing->tick_ps, "ps", "setting");
}

/* The counts of one group's latencies, empty bins left out. */
static weft_array histogram_rows(const collector *rows, uint32_t group, const char *unit)
{
    weft_histogram *bins = WEFT_TAKE(rows->arena, weft_histogram, 1);
    weft_series_histogram(rows->series, rows->from, group, bins);
    int64_t *x = WEFT_TAKE(rows->arena, int64_t, WEFT_HISTOGRAM_BINS);
    int64_t *y = WEFT_TAKE(rows->arena, int64_t, WEFT_HISTOGRAM_BINS);
    size_t count = 0;
    for (uint32_t b = 0; b < WEFT_HISTOGRAM_BINS; b++)
        if (bins->count[b]) {
            x[count] = weft_histogram_edge(b);
            y[count++] = (int64_t)bins->count[b];
        }
    return (weft_array){.table = "histogram",
                        .name = "latency",
                        .of = group ? rows->network->flow[group - 1].name : "",
                        .unit = unit,
                        .count = count,
                        .x = x,
                        .y = y};
}

static const char *tick_unit(const collector *rows)
{
    const weft_timing *timing = &rows->network->timing;
    if (timing->in_cycles && timing->cycle == 1)
        return "cycles";
    if (timing->in_cycles)
        return weft_arena_format(rows->arena, "ticks of 1/%lld cycle", (long long)timing->cycle);
    return weft_arena_format(rows->arena, "ticks of %.17g ps", timing->tick_ps);
}

static void add_arrays(const collector *rows, weft_point *point)
{
    uint32_t groups = weft_tally_groups(weft_simulation_tally(rows->simulation));
    const weft_bins *bins = weft_simulation_bins(rows->simulation);
    const char *unit = tick_unit(rows);
    weft_array *arrays = WEFT_TAKE(rows->arena, weft_array, groups + 4);
    size_t count = 0;
    for (uint32_t g = 0; g < groups; g++)
        arrays[count++] = histogram_rows(rows, g, unit);
    const struct {
        const char *name;
        const int64_t *y;
    } series[] = {{"generated", bins->generated},
                  {"delivered", bins->delivered},
                  {"latency sum", bins->latency},
                  {"population", bins->population}};
    for (size_t i = 0; bins->count && i < 4; i++)
        arrays[count++] = (weft_array){.table = "series",
                                       .name = series[i].name,
                                       .of = "",
                                       .unit = unit,
                                       .count = bins->count,
                                       .x = bins->start,
                                       .y = series[i].y};
    point->arrays = arrays;
    point->array_count = count;
}

static void add_links(collector *rows, weft_point *point)
{
    weft_link_summary links;
    if (!weft_link_rows(rows->network, rows->simulation, rows->arena, &links))
        return;
    add(rows, (weft_metric){.name = "link utilisation",
                            .of = "",
                            .by = "mean",
                            .value = links.mean,
                            .lo = NAN,
                            .hi = NAN,
                            .n = links.span,
                            .unit = "fraction",
                            .method = "busy ticks"});
    add(rows, (weft_metric){.name = "link utilisation",
                            .of = "",
                            .by = "max",
                            .value = links.max,
                            .lo = NAN,
                            .hi = NAN,
                            .n = links.span,
                            .unit = "fraction",
                            .method = "busy ticks"});
    point->links = links.rows;
    point->link_count = links.count;
}

/* Least and greatest of what single sources sent, and Jain's index (Σx)² / n Σx². */
static void add_fairness(collector *rows, uint32_t group)
{
    const weft_network *network = rows->network;
    const weft_fairness *fairness = weft_simulation_fairness(rows->simulation);
    const weft_fair_share *share = &fairness->share[group];
    const weft_flow *flow = group ? &network->flow[group - 1] : NULL;
    if (fairness->span <= 0 || share->sum <= 0)
        return;
    assert(network);
    double flits = flow ? flow->mean_flits : 1.0 / 16,
           ports = network->bandwidth / network->endpoints;
    double scale =
        flits * (double)network->timing.period[WEFT_LINK_HOST] / ((double)fairness->span * ports);
    weft_metric metric = {.name = "accepted per source",
                          .of = flow ? flow->name : "",
                          .by = "least",
                          .value = (double)share->least * scale,
                          .lo = NAN,
                          .hi = NAN,
                          .n = share->sources,
                          .unit = "fraction",
                          .method = "messages sent"};
    add(rows, metric);
    metric.by = "greatest";
    metric.value = (double)share->greatest * scale;
    add(rows, metric);
    double squares = (double)share->squares[0] + (double)share->squares[1] * 0x1p64;
    metric.name = "fairness";
    metric.by = "";
    metric.value = (double)share->sum * (double)share->sum / ((double)share->sources * squares);
    metric.method = "Jain's index of messages sent";
    add(rows, metric);
}

typedef struct device_quantity {
    const char *matrix, *unit;   /* what is counted */
    const char *metric, *single; /* what it means per tick; NULL: nothing */
} device_quantity;

/* In the order of weft_gauge. */
static const device_quantity device_quantities[] = {
    {"port busy", "ticks", "port load", "fraction"},
    {"port occupancy", "flits × ticks", "buffer occupancy", "flits"},
    {"port flits", "flits", NULL, NULL},
    {"port stalls", "ticks", "credit stalls", "fraction"},
};
enum { DEVICE_QUANTITIES = sizeof device_quantities / sizeof *device_quantities };

/* Ports to other routers that are joined and those to endpoints; times virtual channels where these are counted. */
static double devices_of(const weft_network *network, const weft_device_loads *devices)
{
    const weft_topology *topology = &network->topology;
    uint64_t each = (uint64_t)(network->bandwidth / network->endpoints);
    uint64_t ins = topology->ports + topology->hosts * each;
    uint64_t counted = devices->columns / ins;
    return (double)((topology->links + network->endpoints * each) * counted);
}

/* Mean and greatest of a quantity over all of them. */
static void add_device_metric(collector *rows, const device_quantity *quantity,
                              const weft_device_loads *devices, const int64_t *load)
{
    size_t count = rows->network->topology.routers * devices->columns;
    double span = (double)devices->span;
    int64_t sum = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        sum += load[i];
        most = load[i] > most ? load[i] : most;
    }
    weft_metric metric = {.name = quantity->metric,
                          .of = "",
                          .by = "mean",
                          .value = (double)sum / (span * devices_of(rows->network, devices)),
                          .lo = NAN,
                          .hi = NAN,
                          .n = devices->span,
                          .unit = quantity->single,
                          .method = "exact sums"};
    add(rows, metric);
    metric.by = "max";
    metric.value = (double)most / span;
    add(rows, metric);
}

/* A line for every router, a column for every port (or virtual channel of it). */
static void add_devices(collector *rows, weft_point *point)
{
    const weft_device_loads *devices = weft_simulation_devices(rows->simulation);
    if (devices->span <= 0 || !devices->load[0])
        return;
    weft_array *arrays = WEFT_TAKE(rows->arena, weft_array, point->array_count + DEVICE_QUANTITIES);
    memcpy(arrays, point->arrays, sizeof *arrays * point->array_count);
    for (size_t k = 0; k < DEVICE_QUANTITIES; k++) {
        const device_quantity *quantity = &device_quantities[k];
        arrays[point->array_count++] =
            (weft_array){.table = "matrix",
                         .name = quantity->matrix,
                         .of = "",
                         .unit = weft_arena_format(rows->arena, "%s in %lld ticks", quantity->unit,
                                                   (long long)devices->span),
                         .count = rows->network->topology.routers * devices->columns,
                         .y = devices->load[k],
                         .columns = devices->columns};
        if (quantity->metric)
            add_device_metric(rows, quantity, devices, devices->load[k]);
    }
    point->arrays = arrays;
}

static bool cuts(const weft_network *network)
{
    weft_fabric fabric;
    weft_fabric_init(&fabric, network);
    return weft_fabric_cuts_any(&fabric);
}

void weft_outcome_build(weft_point *point, const weft_network *network,
                        const weft_simulation *simulation, weft_ending ending, weft_arena *arena)
{
    const weft_tally *tally = weft_simulation_tally(simulation);
    uint32_t groups = weft_tally_groups(tally);
    size_t per_group =
        FIXED_ROWS + 2 * PERCENTILES + (tally->by_hops ? 3 * (tally->hops_max + 1) : 0);
    collector rows = {.arena = arena,
                      .network = network,
                      .simulation = simulation,
                      .series = weft_simulation_series(simulation),
                      .from = weft_simulation_control(simulation)->from,
                      .saturated = weft_outcome_saturated(network, simulation, ending),
                      .settled = weft_simulation_control(simulation)->settled,
                      .counted = cuts(network) ? "messages" : "packets"};
    rows.metric = WEFT_TAKE(arena, weft_metric, groups * per_group + FIXED_ROWS + WEFT_THEORY_ROWS);
    const char *verdict = rows.saturated ? "saturated" : endings[ending];
    if (!rows.saturated && !rows.settled)
        verdict = weft_arena_format(arena, "%s: still warming up", endings[ending]);
    if (ending == WEFT_END_MEMORY)
        verdict = weft_arena_format(arena, "saturated: memory limit at %.1f MiB",
                                    (double)weft_simulation_bytes(simulation) / (1 << 20));
    *point = (weft_point){.key = network->scenario->key,
                          .settings = network->scenario->text,
                          .verdict = verdict,
                          .saturated = rows.saturated};
    for (uint32_t g = 0; g < groups; g++)
        add_group(&rows, g);
    for (uint32_t g = 0; g < groups; g++)
        add_fairness(&rows, g);
    add_run(&rows);
    rows.count += weft_theory_rows(network, rows.metric + rows.count);
    add_arrays(&rows, point);
    add_links(&rows, point);
    add_devices(&rows, point);
    point->metrics = rows.metric;
    point->metric_count = rows.count;
}
