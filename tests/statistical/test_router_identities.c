/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold to the last unit in networks of input-queued routers, from the empty start
 * until all that was sent has arrived: nothing is lost, Σ latency = ∫ population dt (Little's
 * law), every link was busy exactly for the flits that crossed it; and a packet that meets
 * nobody takes the time its way takes. */
#include "statistical/support.h"

#define ROUTER "router: {kind: input-queued, "

/* Σ over links of busy ticks / period, and that of all links in ticks. */
static void sum_links(const trial *run, int64_t *flits, int64_t *busy)
{
    const weft_link_loads *links = weft_simulation_links(run->simulation);
    const weft_topology *topology = &run->network.topology;
    *flits = *busy = 0;
    for (size_t i = 0; i < links->n_loads; i++) {
        uint32_t port = (uint32_t)(links->loads[i].index % topology->ports);
        int64_t period = run->network.timing.period[topology->port_class[port]];
        assert_int_equal(links->loads[i].busy % period, 0);
        *flits += links->loads[i].busy / period;
        *busy += links->loads[i].busy;
    }
    assert_int_equal(*busy, links->total);
    assert_int_equal(links->span, weft_simulation_now(run->simulation));
}

static int64_t total(const trial *run, uint32_t column)
{
    return (int64_t)weft_series_total(weft_simulation_series(run->simulation), column);
}

static void check_identities(const trial *run)
{
    int64_t flits, busy;
    assert_int_equal(run->ending, WEFT_END_LIMIT_TIME);
    assert_true(run->census.generated > 500);
    assert_int_equal(run->census.delivered, run->census.generated);
    assert_int_equal(total(run, WEFT_COL_DELIVERED), run->census.generated);
    assert_int_equal(total(run, WEFT_COL_LATENCY), total(run, WEFT_COL_POPULATION));
    sum_links(run, &flits, &busy);
    assert_int_equal(flits, total(run, WEFT_COL_FLIT_HOPS));
    print_message("%6lld messages, Σ latency %lld, Σ flits × hops %lld, links busy %lld ticks\n",
                  (long long)run->census.generated, (long long)total(run, WEFT_COL_LATENCY),
                  (long long)flits, (long long)busy);
}

static const char *const networks[] = {
    "topology: {kind: torus, dims: [6, 4]}\n" ROUTER "vcs: 4, buffer: 32 flits}\n"
    "routing: {kind: dimension-order}\n",
    "topology: {kind: mesh, dims: [5, 4], hosts: 2}\n" ROUTER
    "vcs: 2, buffer: 2 packets, queues: voq, scheduler: {kind: islip, iterations: 2}}\n"
    "routing: {kind: dimension-order}\nlinks: {latency: 3 cycles}\n",
    "topology: {kind: torus, dims: [4, 4, 3]}\n" ROUTER
    "vcs: 3, buffer: 16 flits, input-speedup: 3, refront: 2 cycles}\n"
    "routing: {kind: minimal-adaptive, selection: random}\n",
    "topology: {kind: flattened-butterfly, dims: [4, 4], hosts: 2, global: [1]}\n" ROUTER
    "vcs: 2, buffer: 40 flits, speedup: 2, output-speedup: 2, output-buffer: 32 flits}\n"
    "routing: {kind: minimal-adaptive}\n"
    "links: {global: {rate: 0.75 flits/cycle, latency: 9 cycles}}\n",
    "topology: {kind: hypercube, dimensions: 5}\n" ROUTER
    "vcs: 3, buffer: 16 flits, vc-stage: true, switching: store-and-forward}\n"
    "routing: {kind: dimension-order}\nlinks: {host: {rate: 0.5 flits/cycle}}\n",
    "topology: {kind: torus, dims: [8, 4], hosts: 2}\n" ROUTER
    "vcs: 4, buffer: 8 flits, shared: 16 flits, scheduler: {kind: separable, input: random}}\n"
    "routing: {kind: dimension-order, dateline: per-hop}\n"
    "endpoint: {ports: 2, mtu: 8 flits, bus-rate: 1.5 flits/cycle, dma: 5 cycles, backlog: 3}\n",
};

static void sums_are_exact_when_all_has_arrived(void **state)
{
    (void)state;
    const double loads[] = {0.1, 0.4, 1.0};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (size_t l = 0; l < sizeof loads / sizeof *loads; l++) {
            trial run;
            trial_run(&run, (int)(10 * i + l),
                      "interweft: 1\n%s"
                      "traffic:\n"
                      "  long: {load: %g, length: {kind: bimodal, short: 3 flits, long: 16 flits, "
                      "share: 40%%}, stop: 2000 cycles}\n"
                      "  short: {load: %g, length: 1 flits, arrival: periodic, stop: 1500 cycles}\n"
                      "measure: {links: all, warmup: 0 cycles, half-width: 0.0001%%, limit: {time: "
                      "60000 cycles}}\n",
                      networks[i], 0.9 * loads[l], 0.1 * loads[l]);
            check_identities(&run);
            trial_done(&run);
        }
}

typedef struct lone {                      /* a network in which packets meet nobody */
    const char *topology, *routing, *more; /* more: settings of the router */
    int receive, route, allocate, cross;   /* cycles, as the following */
    int wire, host_wire, delay;
    int flit, flits; /* ticks per flit */
    int stop;        /* what every router adds: a stage, a stored packet */
} lone;

#define TORUS     "kind: torus, dims: [5, 4]"
#define MESH      "kind: mesh, dims: [4, 3, 2]"
#define CUBE      "kind: hypercube, dimensions: 5"
#define BUTTERFLY "kind: flattened-butterfly, dims: [4, 3], hosts: 2"
#define ORDERED   "kind: dimension-order"
#define ADAPTIVE  "kind: minimal-adaptive"

static const lone cases[] = {
    {TORUS, ORDERED, "", 0, 1, 1, 1, 0, 0, 0, 1, 16, 0},
    {TORUS, ORDERED, ", queues: voq", 1, 2, 3, 4, 5, 6, 7, 1, 5, 0},
    {TORUS, ADAPTIVE, "", 0, 1, 0, 0, 4, 2, 0, 1, 8, 0},
    {TORUS, ORDERED, ", scheduler: islip", 0, 0, 1, 2, 1, 0, 3, 3, 10, 0},
    {MESH, ORDERED, "", 0, 1, 1, 1, 2, 1, 0, 1, 1, 0},
    {MESH, ADAPTIVE, "", 2, 0, 1, 3, 1, 4, 1, 2, 7, 0},
    {MESH, ORDERED, ", vc-stage: true", 0, 1, 1, 1, 2, 2, 0, 1, 6, 1},
    {CUBE, ORDERED, ", switching: store-and-forward", 0, 1, 1, 1, 3, 1, 2, 1, 9, 8},
    {CUBE, ADAPTIVE, ", queues: fifo", 0, 2, 0, 1, 10, 3, 0, 1, 4, 0},
    {CUBE, ORDERED, ", buffer: 1 packets", 0, 1, 1, 1, 0, 0, 0, 2, 16, 0},
    {BUTTERFLY, ORDERED, "", 0, 1, 1, 1, 2, 1, 0, 1, 16, 0},
    {BUTTERFLY, ADAPTIVE, ", output-buffer: 32 flits", 1, 1, 1, 2, 20, 4, 5, 1, 12, 0},
};

/* D + W + R + hops (X + W + R) + X + W + (L − 1) f, and what every router adds. */
static int64_t alone(const lone *set, int64_t hops)
{
    int64_t ready = set->receive + set->route + set->allocate;
    int64_t cycles = set->delay + set->host_wire + ready + hops * (set->cross + set->wire + ready) +
                     set->cross + set->host_wire;
    return cycles + (hops + 1) * set->stop + (int64_t)(set->flits - 1) * set->flit;
}

static void run_alone(trial *run, const lone *set, int seed)
{
    trial_run(run, seed,
              "interweft: 1\n"
              "topology: {%s}\n"
              "routing: {%s}\n"
              "links: {rate: %.12g flits/cycle, latency: %d cycles, host: {latency: %d cycles}}\n"
              "endpoint: {delay: %d cycles}\n"
              "router: {kind: input-queued, receive: %d cycles, route: %d cycles, allocate: %d "
              "cycles, crossbar: %d cycles%s}\n"
              "traffic: {all: {length: %d flits, load: 0.00002}}\n"
              "measure: {by: hops, warmup: 0 cycles, half-width: 0.0001%%, links: off, limit: "
              "{packets: 400}}\n",
              set->topology, set->routing, 1.0 / set->flit, set->wire, set->host_wire, set->delay,
              set->receive, set->route, set->allocate, set->cross, set->more, set->flits);
}

/* Every packet of h hops took exactly what it takes alone: the sum says so, and the sum of
 * squares. */
static void latency_without_load_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run;
        uint32_t farthest = 0;
        run_alone(&run, &cases[i], (int)i + 1);
        assert_int_equal(run.network.timing.cycle, 1);
        for (uint32_t h = 0; h <= weft_simulation_tally(run.simulation)->hops_max; h++) {
            uint32_t column = weft_tally_hop_column(0, h);
            int64_t packets = total(&run, column + WEFT_HOP_MESSAGES), each = alone(&cases[i], h);
            assert_int_equal(total(&run, column + WEFT_HOP_LATENCY), packets * each);
            assert_int_equal(total(&run, column + WEFT_HOP_SQUARE), packets * each * each);
            farthest = packets ? h : farthest;
        }
        print_message("{%s} {%s}%s: %lld packets, %lld ticks and %lld more over %u hops\n",
                      cases[i].topology, cases[i].routing, cases[i].more,
                      (long long)run.census.delivered, (long long)alone(&cases[i], 0),
                      (long long)(alone(&cases[i], farthest) - alone(&cases[i], 0)), farthest);
        assert_true(farthest > 1 && run.census.delivered >= 400);
        trial_done(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact_when_all_has_arrived),
        cmocka_unit_test(latency_without_load_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
