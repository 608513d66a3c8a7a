/* SPDX-License-Identifier: Apache-2.0 */
#include "study/outcome_rows.h"

#include "net/naming.h"
#include "sim/platform.h"
#include "study/theory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {"converged",  "saturated",   "limit time", "limit packets",
                                      "limit wall", "limit range", "memory",     "interrupted",
                                      "completed",  "out of reach"};
static const int64_t percentiles[] = {50000, 90000, 99000, 99900, 99990, 99999};
#define JITTER_TAIL 0.01 /* of messages, at either end */
#define OVERLOAD    1e-9 /* beyond the bound: more than rounding */
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles, FIXED_ROWS = 64 };

/* Traffic that stops is no steady load; routers that drop packets never hold more than they can. */
bool weft_outcome_overloaded(const weft_network *network)
{
    weft_platform platform;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (network->traffic_classes[f].traffic.stop != INT64_MAX)
            return false;
    if (network->rho >= 1)
        return true;
    weft_platform_init(&platform, network);
    double bound = weft_theory_bound(network);
    return bound > 0 && network->load > bound * (1 + OVERLOAD) && !platform.router->loses;
}

bool weft_outcome_saturated(const weft_network *network, const weft_simulation *simulation,
                            weft_ending ending)
{
    if (ending == WEFT_END_CONVERGED || network->jobs)
        return false;
    return ending == WEFT_END_SATURATED || weft_simulation_control(simulation)->growing ||
           weft_outcome_overloaded(network);
}

/* The latency of a group's messages by percentiles. */
static void add_percentiles(weft_rows *rows, uint32_t group, const char *of, const char *name,
                            int64_t n)
{
    const weft_timing *timing = &rows->network->timing;
    double confidence = rows->network->scenario->measure.confidence;
    for (size_t p = 0; p < PERCENTILES; p++)
        weft_rows_estimate(rows,
                           (weft_metric){.name = name,
                                         .of = of,
                                         .by = "percentile",
                                         .index = percentiles[p],
                                         .n = n,
                                         .unit = weft_timing_unit(timing),
                                         .method = "Woodruff on batch means"},
                           weft_series_quantile(rows->series, rows->from, group,
                                                (double)percentiles[p] / 100000, confidence),
                           weft_timing_value(timing, 1), true);
}

/* Standard deviation from count, sum and sum of squares. */
static double deviation(const double *sums, const void *user)
{
    (void)user;
    double variance = (sums[2] - sums[1] * sums[1] / sums[0]) / (sums[0] - 1);
    return weft_sqrt(variance > 0 ? variance : 0);
}

static void add_latency(weft_rows *rows, uint32_t group, uint32_t start, const char *of)
{
    const weft_timing *timing = &rows->network->timing;
    double tick = weft_timing_value(timing, 1);
    int64_t n = weft_rows_sum(rows, start + WEFT_COL_DELIVERED);
    weft_estimate mean =
        weft_rows_ratio(rows, start + WEFT_COL_LATENCY, start + WEFT_COL_DELIVERED);
    weft_metric metric = {
        .of = of, .by = "", .n = n, .unit = weft_timing_unit(timing), .method = "batch means"};
    static const char *const names[] = {"latency", "message latency"}; /* one and the same */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        metric.name = names[i];
        weft_rows_estimate(rows, metric, mean, tick, true);
        add_percentiles(rows, group, of, names[i], n);
    }
    const uint32_t columns[] = {start + WEFT_COL_DELIVERED, start + WEFT_COL_LATENCY,
                                start + WEFT_COL_SQUARE};
    metric.name = "latency deviation";
    metric.method = "jackknife of batches";
    if (n > 1)
        weft_rows_estimate(rows, metric, weft_rows_statistic(rows, columns, 3, deviation, NULL),
                           tick, true);
}

/* Flit hops per tick of all links: the mean utilisation of links, counted where packets arrive. */
static weft_estimate utilisation(const weft_rows *rows, uint32_t start, double *unit)
{
    const weft_network *network = rows->network;
    double interval = (double)weft_simulation_interval(rows->simulation);
    *unit = (double)network->timing.flit / (interval * network->capacity);
    return weft_rows_ratio(rows, start + WEFT_COL_FLIT_HOPS, WEFT_PER_INTERVAL);
}

static void add_traffic_class_rates(weft_rows *rows, uint32_t start,
                                    const weft_traffic_class *traffic_class, const char *of)
{
    const weft_network *network = rows->network;
    double bandwidth = traffic_class ? traffic_class->bandwidth : network->bandwidth;
    double interval = (double)weft_simulation_interval(rows->simulation);
    double host_flit = (double)network->timing.period[WEFT_LINK_HOST];
    int64_t n = weft_rows_sum(rows, start + WEFT_COL_PACKETS);
    weft_metric metric = {.name = "accepted",
                          .of = of,
                          .by = "",
                          .n = n,
                          .unit = "fraction",
                          .method = "batch means"};
    weft_rows_estimate(rows, metric,
                       weft_rows_ratio(rows, start + WEFT_COL_FLITS, WEFT_PER_INTERVAL),
                       host_flit / (interval * bandwidth), false);
    metric.name = "utilisation";
    double unit;
    weft_estimate busy = utilisation(rows, start, &unit);
    if (network->topology.links)
        weft_rows_estimate(rows, metric, busy, unit, false);
    metric.name = "cut-through";
    weft_rows_estimate(rows, metric,
                       weft_rows_ratio(rows, start + WEFT_COL_CUTS, start + WEFT_COL_CHANCES), 1,
                       false);
    metric.name = "hops";
    metric.unit = "hops";
    weft_rows_estimate(rows, metric,
                       weft_rows_ratio(rows, start + WEFT_COL_HOPS, start + WEFT_COL_PACKETS), 1,
                       false);
    metric.name = "population";
    metric.unit = rows->counted;
    metric.n = weft_rows_sum(rows, start + WEFT_COL_DELIVERED);
    weft_rows_estimate(rows, metric,
                       weft_rows_ratio(rows, start + WEFT_COL_POPULATION, WEFT_PER_INTERVAL),
                       1 / interval, true);
}

/* What only some routers do: lose packets, serve them. */
static void add_services(weft_rows *rows, uint32_t start, const char *of)
{
    weft_platform platform;
    weft_platform_init(&platform, rows->network);
    double interval = (double)weft_simulation_interval(rows->simulation);
    weft_metric metric = {.name = "loss",
                          .of = of,
                          .by = "",
                          .n = weft_rows_sum(rows, start + WEFT_COL_GENERATED),
                          .unit = "fraction",
                          .method = "batch means"};
    if (platform.router->loses || weft_network_managed(rows->network))
        weft_rows_estimate(rows, metric,
                           weft_rows_ratio(rows, start + WEFT_COL_LOST, start + WEFT_COL_GENERATED),
                           1, false);
    metric.name = "server utilisation";
    metric.n = weft_rows_sum(rows, start + WEFT_COL_DELIVERED);
    if (platform.router->counting.servers)
        weft_rows_estimate(rows, metric,
                           weft_rows_ratio(rows, start + WEFT_COL_BUSY, WEFT_PER_INTERVAL),
                           1 / (interval * platform.router->counting.servers(&platform)), false);
}

/* How the arrivals of a group vary with the time scale, and the least time scale of which that
 * holds. They have no warm-up, whatever the network does; traffic that stops is not stationary. */
static void add_hurst(weft_rows *rows, uint32_t group, const char *of)
{
    const weft_hurst *hurst = weft_simulation_hurst(rows->simulation);
    const weft_timing *timing = &rows->network->timing;
    for (uint32_t f = 0; f < rows->network->n_traffic_classes; f++)
        if (rows->network->traffic_classes[f].traffic.stop != INT64_MAX)
            return;
    if (!hurst)
        return;
    uint32_t octave;
    weft_estimate found =
        weft_hurst_estimate(&hurst[group], rows->network->scenario->measure.confidence, &octave);
    double scale = (double)weft_simulation_interval(rows->simulation) * (double)(1u << octave);
    if (isnan(found.value))
        return;
    weft_rows_add(rows,
                  (weft_metric){.name = "hurst",
                                .of = of,
                                .by = "",
                                .value = found.value,
                                .lo = found.lo,
                                .hi = found.hi,
                                .n = (int64_t)hurst[group].fed,
                                .unit = "exponent",
                                .method = isnan(found.lo) ? "no interval: no power law fits"
                                                          : "Haar wavelets, weighted regression"});
    weft_rows_value(rows, "hurst scale", of, weft_timing_value(timing, scale),
                    weft_timing_unit(timing), "chi-squared test of the fit");
}

/* Mean over messages of latency / hops: what a hop takes, as ts counts it. */
static void add_per_hop(weft_rows *rows, uint32_t start, const char *of)
{
    const weft_timing *timing = &rows->network->timing;
    weft_metric metric = {.name = "latency per hop",
                          .of = of,
                          .by = "",
                          .n = weft_rows_sum(rows, start + WEFT_COL_DELIVERED),
                          .unit = weft_timing_unit(timing),
                          .method = "batch means"};
    if (weft_simulation_tally(rows->simulation)->by_hops)
        weft_rows_estimate(
            rows, metric,
            weft_rows_ratio(rows, start + WEFT_COL_PER_HOP, start + WEFT_COL_DELIVERED),
            weft_timing_value(timing, 1) / 65536, true);
}

static void add_by_hops(weft_rows *rows, uint32_t start, const char *of)
{
    const weft_tally *tally = weft_simulation_tally(rows->simulation);
    const weft_timing *timing = &rows->network->timing;
    for (uint32_t h = 0; tally->by_hops && h <= tally->hops_max; h++) {
        uint32_t column = weft_tally_hop_column(start, h);
        int64_t n = weft_rows_sum(rows, column + WEFT_HOP_PACKETS);
        int64_t messages = weft_rows_sum(rows, column + WEFT_HOP_MESSAGES);
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
        weft_rows_add(rows, metric);
        metric.name = "latency";
        metric.n = messages;
        metric.unit = weft_timing_unit(timing);
        metric.method = "batch means";
        if (messages > 0)
            weft_rows_estimate(
                rows, metric,
                weft_rows_ratio(rows, column + WEFT_HOP_LATENCY, column + WEFT_HOP_MESSAGES),
                weft_timing_value(timing, 1), true);
        metric.name = "cut-through";
        metric.n = n;
        metric.unit = "fraction";
        if (h > 1)
            weft_rows_estimate(
                rows, metric,
                weft_rows_ratio(rows, column + WEFT_HOP_CUTS, column + WEFT_HOP_CHANCES), 1, false);
    }
}

/* The class of a group; NULL: the group is of several. */
static const weft_traffic_class *class_of(const weft_rows *rows, uint32_t group)
{
    const weft_network *network = rows->network;
    if (group > 0)
        return &network->traffic_classes[group - 1];
    return network->n_traffic_classes == 1 ? &network->traffic_classes[0] : NULL;
}

/* How far apart the slowest and the fastest of a group's messages are, but for one in a hundred
 * at either end. The interval holds if both percentiles are in theirs. */
static void add_jitter(weft_rows *rows, uint32_t group, weft_metric metric)
{
    const weft_timing *timing = &rows->network->timing;
    double confidence = (1 + rows->network->scenario->measure.confidence) / 2;
    weft_estimate late =
        weft_series_quantile(rows->series, rows->from, group, 1 - JITTER_TAIL, confidence);
    weft_estimate early =
        weft_series_quantile(rows->series, rows->from, group, JITTER_TAIL, confidence);
    weft_estimate apart = late;
    apart.value = late.value - early.value;
    apart.lo = late.lo - early.hi;
    apart.hi = late.hi - early.lo;
    metric.name = "jitter";
    metric.unit = weft_timing_unit(timing);
    metric.method = "Woodruff on batch means, both ends";
    weft_rows_estimate(rows, metric, apart, weft_timing_value(timing, 1), true);
}

/* A share's interval ends at 0 and 1. */
static weft_estimate share(weft_estimate of)
{
    of.lo = of.lo < 0 ? 0 : of.lo;
    of.hi = of.hi > 1 ? 1 : of.hi;
    return of;
}

/* Whether a class got what it was promised. */
static void add_promise(weft_rows *rows, uint32_t group, uint32_t start, const char *of)
{
    const weft_traffic_class *traffic_class = class_of(rows, group);
    if (!traffic_class || !traffic_class->promised)
        return;
    weft_metric metric = {.name = "in time",
                          .of = of,
                          .by = "",
                          .n = weft_rows_sum(rows, start + WEFT_COL_DELIVERED),
                          .unit = "fraction",
                          .method = "batch means"};
    if (traffic_class->promise.deadline > 0)
        weft_rows_estimate(
            rows, metric,
            share(weft_rows_ratio(rows, start + WEFT_COL_IN_TIME, start + WEFT_COL_DELIVERED)), 1,
            false);
    add_jitter(rows, group, metric);
    metric.name = "guarantee met";
    metric.n = (int64_t)(weft_series_cells(rows->series) - rows->from) *
               (int64_t)weft_series_width(rows->series);
    if (traffic_class->promise.flits > 0)
        weft_rows_estimate(rows, metric,
                           share(weft_rows_ratio(rows, start + WEFT_COL_KEPT, WEFT_PER_INTERVAL)),
                           1, false);
}

static void add_group(weft_rows *rows, uint32_t group)
{
    const weft_network *network = rows->network;
    const weft_traffic_class *traffic_class = group ? &network->traffic_classes[group - 1] : NULL;
    const char *of = traffic_class ? traffic_class->name : "";
    uint32_t start = group * weft_tally_width(weft_simulation_tally(rows->simulation));
    assert(network);
    weft_rows_value(rows, "offered load", of, traffic_class ? traffic_class->load : network->load,
                    "fraction", "setting");
    weft_rows_value(rows, "offered rho", of, traffic_class ? traffic_class->rho : network->rho,
                    "fraction", "setting");
    weft_rows_value(rows, "offered rate", of, traffic_class ? traffic_class->rate : network->rate,
                    network->rate_unit, "setting");
    add_latency(rows, group, start, of);
    add_traffic_class_rates(rows, start, traffic_class, of);
    add_services(rows, start, of);
    add_promise(rows, group, start, of);
    add_per_hop(rows, start, of);
    add_hurst(rows, group, of);
    add_by_hops(rows, start, of);
    weft_rows_history(rows, start, of);
}

/* How narrow the interval that ends a run is, relative to its mean, and what let the run end
 * there: the goal, or a floor below which no run ends. */
static void add_half_width(weft_rows *rows, weft_ending ending)
{
    static const char *const methods[WEFT_FLOORS] = {
        "goal", "floor: shortest run", "floor: warm-up", "floor: independent batches"};
    const weft_control *control = weft_simulation_control(rows->simulation);
    const weft_estimate *watched = &control->watched;
    if (rows->saturated || !rows->settled || isnan(watched->lo) || !(watched->value > 0))
        return;
    weft_rows_add(
        rows,
        (weft_metric){.name = "half-width",
                      .of = "",
                      .by = "",
                      .value = (watched->hi - watched->lo) / 2 / watched->value,
                      .lo = NAN,
                      .hi = NAN,
                      .n = watched->batches,
                      .unit = "fraction",
                      .method = ending == WEFT_END_CONVERGED ? methods[control->floor] : "limit"});
}

/* Ticks of the warm-up. */
static weft_time warmup(const weft_rows *rows)
{
    return weft_simulation_interval(rows->simulation) * (weft_time)weft_series_width(rows->series) *
           rows->from;
}

static void add_run(weft_rows *rows)
{
    const weft_simulation *simulation = rows->simulation;
    const weft_timing *timing = &rows->network->timing;
    weft_census census = weft_simulation_census(simulation);
    const char *unit = weft_timing_unit(timing);
    bool fixed = rows->network->scenario->measure.warmup.unit != WEFT_NO_TIME;
    weft_rows_value(rows, "generated", "", (double)census.generated, rows->counted, "count");
    weft_rows_value(rows, "delivered", "", (double)census.delivered, rows->counted, "count");
    weft_rows_value(rows, "in flight", "", (double)census.in_flight, rows->counted, "count");
    weft_rows_value(rows, "waiting", "", (double)census.waiting, rows->counted, "count");
    if (census.lost > 0)
        weft_rows_value(rows, "lost", "", (double)census.lost, rows->counted, "count");
    if (!rows->network->jobs)
        weft_rows_value(rows, "warm-up", "", weft_timing_value(timing, (double)warmup(rows)), unit,
                        fixed ? "setting" : "MSER");
    weft_rows_value(rows, "time", "",
                    weft_timing_value(timing, (double)weft_simulation_now(simulation)), unit,
                    "count");
    if (timing->tick_ps > 0)
        weft_rows_value(rows, "tick", "", timing->tick_ps, "ps", "setting");
}

/* The counts of one group's latencies, empty bins left out. */
static weft_array histogram_rows(const weft_rows *rows, uint32_t group, const char *unit)
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
                        .of = group ? rows->network->traffic_classes[group - 1].name : "",
                        .unit = unit,
                        .count = count,
                        .x = x,
                        .y = y};
}

static const char *tick_unit(const weft_rows *rows)
{
    const weft_timing *timing = &rows->network->timing;
    if (timing->in_cycles && timing->cycle == 1)
        return "cycles";
    if (timing->in_cycles)
        return weft_arena_format(rows->arena, "ticks of 1/%lld cycle", (long long)timing->cycle);
    return weft_arena_format(rows->arena, "ticks of %.17g ps", timing->tick_ps);
}

static void add_arrays(weft_rows *rows, weft_ending ending, weft_point *point)
{
    uint32_t groups = weft_tally_groups(weft_simulation_tally(rows->simulation));
    const weft_bins *bins = weft_simulation_bins(rows->simulation);
    const char *unit = tick_unit(rows);
    size_t jobs = rows->network->jobs ? rows->network->jobs->n_jobs : 0;
    weft_array *arrays =
        WEFT_TAKE(rows->arena, weft_array,
                  2 * groups + 5 + jobs * (2 + WEFT_TIMELINE_ARRAYS) + 2 * rows->network->n_rated);
    size_t count = weft_rows_jobs(rows, ending, arrays);
    count += weft_rows_timeline(rows, ending, unit, arrays + count);
    for (uint32_t g = 0; g < groups; g++)
        arrays[count++] = histogram_rows(rows, g, unit);
    for (uint32_t g = 0; weft_simulation_tally(rows->simulation)->history && g < groups; g++)
        arrays[count++] = weft_rows_cuts(rows, g);
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
    count += weft_rows_rates(rows, unit, arrays + count);
    count += weft_rows_link_bins(rows, point, unit, &arrays[count]);
    point->arrays = arrays;
    point->n_arrays = count;
}

/* How busy the links were: all of them, or the ten busiest, by name. */
typedef struct link_summary {
    double mean, max; /* share of the time */
    int64_t span;     /* ticks measured */
    weft_link_row *rows;
    size_t n_rows;
} link_summary;

/* False if the scenario does not count links or the run was too short to. */
static bool find_links(const weft_network *network, const weft_simulation *simulation,
                       weft_arena *arena, link_summary *links)
{
    const weft_topology *topology = &network->topology;
    const weft_link_loads *loads = weft_simulation_links(simulation);
    uint32_t ports = topology->ports;
    *links = (link_summary){.span = loads->span, .n_rows = loads->n_loads};
    if (loads->span <= 0 || topology->links == 0)
        return false;
    links->rows = WEFT_TAKE(arena, weft_link_row, loads->n_loads);
    for (size_t i = 0; i < loads->n_loads; i++) {
        weft_link_row *row = &links->rows[i];
        *row = (weft_link_row){
            .index = loads->loads[i].index, .busy = loads->loads[i].busy, .span = loads->span};
        double share = (double)row->busy / (double)row->span;
        links->max = share > links->max ? share : links->max;
        char name[WEFT_LINK_NAME_BYTES];
        weft_naming_link(topology, (uint32_t)(row->index / ports), (uint32_t)(row->index % ports),
                         name);
        row->name = weft_arena_format(arena, "%s", name);
    }
    links->mean = (double)loads->total / ((double)loads->span * (double)topology->links);
    return true;
}

/* The mean over links has the interval of the same quantity counted at arrivals, which is wider by
 * the root of how much shorter their span is; of single links there is one count. */
static void add_links(weft_rows *rows, weft_point *point)
{
    link_summary links;
    double unit;
    if (!find_links(rows->network, rows->simulation, rows->arena, &links))
        return;
    weft_estimate mean = utilisation(rows, 0, &unit);
    double longer =
        (double)(weft_simulation_now(rows->simulation) - warmup(rows)) / (double)links.span;
    unit *= longer > 1 ? weft_sqrt(longer) : 1;
    mean.lo = links.mean + (mean.lo - mean.value) * unit;
    mean.hi = links.mean + (mean.hi - mean.value) * unit;
    mean.value = links.mean;
    weft_rows_estimate(rows,
                       (weft_metric){.name = "link utilisation",
                                     .of = "",
                                     .by = "mean",
                                     .n = links.span,
                                     .unit = "fraction",
                                     .method = "busy ticks and batch means of flit hops"},
                       mean, 1, false);
    weft_rows_add(rows, (weft_metric){.name = "link utilisation",
                                      .of = "",
                                      .by = "max",
                                      .value = links.max,
                                      .lo = NAN,
                                      .hi = NAN,
                                      .n = links.span,
                                      .unit = "fraction",
                                      .method = "no interval: busy ticks of one span"});
    point->links = links.rows;
    point->n_links = links.n_rows;
}

static bool cuts(const weft_network *network)
{
    weft_platform platform;
    weft_platform_init(&platform, network);
    return weft_platform_cuts_any(&platform);
}

void weft_outcome_build(weft_point *point, const weft_network *network,
                        const weft_simulation *simulation, weft_ending ending, const double *alone,
                        weft_arena *arena)
{
    const weft_tally *tally = weft_simulation_tally(simulation);
    uint32_t groups = weft_tally_groups(tally);
    size_t per_group =
        FIXED_ROWS + 2 * PERCENTILES + (tally->by_hops ? 7 * (tally->hops_max + 1) : 0);
    weft_rows rows = {.arena = arena,
                      .network = network,
                      .simulation = simulation,
                      .series = weft_simulation_series(simulation),
                      .from = weft_simulation_control(simulation)->from,
                      .saturated = weft_outcome_saturated(network, simulation, ending),
                      .settled = weft_simulation_control(simulation)->settled,
                      .alone = alone,
                      .counted = cuts(network) ? "messages" : "packets"};
    rows.metrics = WEFT_TAKE(
        arena, weft_metric,
        groups * per_group + FIXED_ROWS + WEFT_THEORY_ROWS +
            (network->jobs ? 1 + (WEFT_JOB_ROWS + WEFT_TIMELINE_METRICS) * network->jobs->n_jobs
                           : 0));
    const char *verdict = rows.saturated ? "saturated" : endings[ending];
    if (ending == WEFT_END_SATURATED && weft_simulation_control(simulation)->deep)
        verdict = "saturated early";
    if (ending == WEFT_END_MEMORY)
        verdict = weft_arena_format(arena, "%smemory limit at %.1f MiB",
                                    rows.saturated ? "saturated: " : "",
                                    (double)weft_simulation_bytes(simulation) / (1 << 20));
    if (!rows.saturated && !rows.settled && !network->jobs)
        verdict = weft_arena_format(arena, "%s: still warming up", verdict);
    const char *left = weft_rows_jobs_left(&rows);
    if (*left)
        verdict = weft_arena_format(arena, "%s: %s", verdict, left);
    *point = (weft_point){.key = network->scenario->key,
                          .settings = network->scenario->text,
                          .verdict = verdict,
                          .saturated = rows.saturated};
    /* with jobs nothing is stationary: only their ends, and background traffic by itself */
    uint32_t first = network->jobs ? 1 : 0, last = groups - first;
    for (uint32_t g = first; g < last; g++)
        add_group(&rows, g);
    for (uint32_t g = first; g < last; g++)
        weft_rows_fairness(&rows, g);
    if (!network->jobs)
        add_half_width(&rows, ending);
    add_run(&rows);
    if (!network->jobs)
        rows.n_metrics += weft_theory_rows(network, rows.metrics + rows.n_metrics);
    add_links(&rows, point);
    add_arrays(&rows, ending, point);
    weft_rows_devices(&rows, point);
    point->metrics = rows.metrics;
    point->n_metrics = rows.n_metrics;
}
