/* SPDX-License-Identifier: Apache-2.0 */
/* What single devices did: sources, ports, virtual channels. */
#include "study/outcome_rows.h"

#include "sim/platform.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ROUTERS_TOLD = 8 }; /* one by one */

/* Least and greatest of what single sources sent, and Jain's index (Σx)² / n Σx². */
void weft_rows_fairness(weft_rows *rows, uint32_t group)
{
    const weft_network *network = rows->network;
    const weft_fairness *fairness = weft_simulation_fairness(rows->simulation);
    const weft_fair_share *share = &fairness->share[group];
    const weft_traffic_class *traffic_class = group ? &network->traffic_classes[group - 1] : NULL;
    if (fairness->span <= 0 || share->sum <= 0)
        return;
    assert(network);
    double flits = traffic_class ? traffic_class->mean_flits : 1.0 / 16, ports = network->ports;
    double scale =
        flits * (double)network->timing.period[WEFT_LINK_HOST] / ((double)fairness->span * ports);
    weft_metric metric = {.name = "accepted per source",
                          .of = traffic_class ? traffic_class->name : "",
                          .by = "least",
                          .value = (double)share->least * scale,
                          .lo = NAN,
                          .hi = NAN,
                          .n = share->sources,
                          .unit = "fraction",
                          .method = "no interval: messages sent in one span"};
    weft_rows_add(rows, metric);
    metric.by = "greatest";
    metric.value = (double)share->greatest * scale;
    weft_rows_add(rows, metric);
    double squares = (double)share->squares[0] + (double)share->squares[1] * 0x1p64;
    metric.name = "fairness";
    metric.by = "";
    metric.value = (double)share->sum * (double)share->sum / ((double)share->sources * squares);
    metric.method = "no interval: Jain's index of messages sent in one span";
    weft_rows_add(rows, metric);
}

/* Ports to other routers that are joined and those to endpoints; times virtual channels where
 * these are counted. */
static double devices_of(const weft_network *network, const weft_device_loads *devices)
{
    const weft_topology *topology = &network->topology;
    uint64_t each = network->ports;
    uint64_t ins = topology->ports + topology->concentration * each;
    uint64_t counted = devices->columns / ins;
    return (double)((topology->links + network->endpoints * each) * counted);
}

/* Mean and greatest of a quantity over all of them. */
static void add_device_metric(weft_rows *rows, const weft_counter_quantity *quantity,
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
                          .method = "no interval: exact sums of one span"};
    weft_rows_add(rows, metric);
    metric.by = "max";
    metric.value = (double)most / span;
    weft_rows_add(rows, metric);
}

/* Of a few routers whose queue is not a port's: what each held, and the part of the time it
 * lacked credits. */
static void add_router_metrics(weft_rows *rows, const weft_device_loads *devices, const char *unit)
{
    const struct {
        const char *name, *unit;
        const int64_t *load;
    } told[] = {{"router occupancy", unit, devices->load[1]},
                {"router stalls", "fraction", devices->load[3]}};
    uint32_t routers = rows->network->topology.routers;
    for (uint32_t i = 0; i < 2 * routers && routers <= ROUTERS_TOLD; i++) {
        const int64_t *load = told[i % 2].load + (size_t)(i / 2) * devices->columns;
        int64_t sum = 0;
        for (size_t c = 0; c < devices->columns; c++)
            sum += load[c];
        weft_rows_add(rows, (weft_metric){.name = told[i % 2].name,
                                          .of = "",
                                          .by = "router",
                                          .index = i / 2,
                                          .value = (double)sum / (double)devices->span,
                                          .lo = NAN,
                                          .hi = NAN,
                                          .n = devices->span,
                                          .unit = told[i % 2].unit,
                                          .method = "no interval: exact sums of one span"});
    }
}

static int64_t pair_packets(const weft_device_loads *devices, size_t pair)
{
    int64_t sum = 0;
    for (size_t k = 0; k < WEFT_COUNTER_COUNTS; k++)
        sum += devices->load[k][pair];
    return sum;
}

/* Cut-through on the pair of links, one into a router and one out of it, that most packets pass;
 * of several, on the first. */
static void add_pair_metrics(weft_rows *rows, const weft_device_loads *devices)
{
    size_t count = rows->network->topology.routers * devices->columns, at = 0;
    for (size_t i = 1; i < count; i++)
        if (pair_packets(devices, i) > pair_packets(devices, at))
            at = i;
    const int64_t c_after_c = devices->load[0][at], b_after_c = devices->load[1][at],
                  c_after_b = devices->load[2][at], b_after_b = devices->load[3][at];
    const struct {
        const char *name;
        int64_t cut, all;
    } told[] = {{"cut-through", c_after_c + c_after_b, pair_packets(devices, at)},
                {"cut-through after cut-through", c_after_c, c_after_c + b_after_c},
                {"cut-through after blocking", c_after_b, c_after_b + b_after_b}};
    uint32_t ports = rows->network->topology.ports;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i].all > 0)
            weft_rows_add(rows, (weft_metric){.name = told[i].name,
                                              .of = "",
                                              .by = "pair",
                                              .value = (double)told[i].cut / (double)told[i].all,
                                              .lo = NAN,
                                              .hi = NAN,
                                              .n = told[i].all,
                                              .unit = "fraction",
                                              .method = weft_arena_format(
                                                  rows->arena,
                                                  "no interval: counts of one span, router %zu, "
                                                  "from port %zu to port %zu",
                                                  at / devices->columns,
                                                  at % devices->columns / ports, at % ports)});
}

/* A line for every router, a column for every port (or virtual channel of it). */
void weft_rows_devices(weft_rows *rows, weft_point *point)
{
    const weft_device_loads *devices = weft_simulation_devices(rows->simulation);
    if (devices->span <= 0 || !devices->load[0])
        return;
    weft_array *arrays = WEFT_TAKE(rows->arena, weft_array, point->n_arrays + WEFT_COUNTER_COUNTS);
    memcpy(arrays, point->arrays, sizeof *arrays * point->n_arrays);
    weft_platform platform;
    weft_platform_init(&platform, rows->network);
    const char *holds = platform.router->counting.holds;
    const weft_counter_quantity *quantities = platform.router->counting.quantities;
    if (!quantities)
        quantities = weft_port_quantities;
    for (size_t k = 0; k < WEFT_COUNTER_COUNTS; k++) {
        const weft_counter_quantity *quantity = &quantities[k];
        const char *unit =
            k == 1 && holds ? weft_arena_format(rows->arena, "%s × ticks", holds) : quantity->unit;
        arrays[point->n_arrays++] =
            (weft_array){.table = "matrix",
                         .name = quantity->matrix,
                         .of = "",
                         .unit = weft_arena_format(rows->arena, "%s in %lld ticks", unit,
                                                   (long long)devices->span),
                         .count = rows->network->topology.routers * devices->columns,
                         .y = devices->load[k],
                         .columns = devices->columns};
        if (quantity->metric && !(k == 1 && holds))
            add_device_metric(rows, quantity, devices, devices->load[k]);
    }
    if (holds)
        add_router_metrics(rows, devices, holds);
    if (platform.router->counting.pairs)
        add_pair_metrics(rows, devices);
    point->arrays = arrays;
}
