/* SPDX-License-Identifier: Apache-2.0 */
/* What is computed before a run against the run: the latency of an empty network is that at a
 * vanishing load, and no network carries more than its bound. */
#include "statistical/support.h"

typedef struct place {
    const char *topology, *routing, *router, *pattern;
} place;

#define PLAIN "{kind: input-queued, vcs: 6, buffer: 64 flits}"
#define IDEAL "{kind: output-queued}"

/* Router settings may be followed by further sections. */
static const place zero_load[] = {
    {"{kind: torus, dims: [6, 6], hosts: 2}", "dimension-order", PLAIN, "uniform"},
    {"{kind: mesh, dims: [4, 4]}", "minimal-adaptive",
     "{kind: input-queued, vcs: 4, buffer: 64 flits, switching: store-and-forward}", "transpose"},
    {"{kind: mesh, dims: [4, 4], hosts: 2}", "dimension-order",
     "{kind: input-queued, vcs: 2, buffer: 64 flits, vc-stage: true, receive: 2 cycles, speedup: "
     "2, "
     "output-buffer: 64 flits}",
     "uniform"},
    {"{kind: flattened-butterfly, dims: [4, 4], hosts: 4, global: [1]}", "dimension-order",
     PLAIN "\nlinks: {latency: 2 cycles, global: {latency: 7 cycles, rate: 0.5 flits/cycle}, host: "
           "{latency: 1 cycle, rate: 2 flits/cycle}}",
     "uniform"},
    {"{kind: torus, dims: [4, 4]}", "dimension-order",
     PLAIN "\nendpoint: {ports: 2, delay: 3 cycles, bus-rate: 0.5 flits/cycle, bus-latency: 4 "
           "cycles, dma: 7 cycles}",
     "uniform"},
    {"{kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}", "valiant",
     PLAIN "\nlinks: {latency: 2 cycles, global: {latency: 9 cycles}}", "uniform"},
    {"{kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}", "ugal", PLAIN, "uniform"},
    {"{kind: fat-tree, arity: 4, levels: 3}", "d-mod-k", PLAIN, "uniform"},
    {"{kind: torus, dims: [6, 6], hosts: 2}", "minimal-adaptive", IDEAL, "uniform"},
    {"{kind: hypercube, dimensions: 5}", "dimension-order",
     "{kind: output-queued, header: 3 cycles}\nendpoint: {injection: one-port, reception: "
     "unlimited}",
     "bit-reversal"},
};

/* Of routings that draw while they look it is a model only. */
static double bound_of(const trial *run, const char *name)
{
    const weft_metric *m = weft_point_metric(&run->point, name, "", "bound", 0);
    if (!m)
        m = weft_point_metric(&run->point, name, "", "model", 0);
    assert_non_null(m);
    return m->value;
}

/* Waiting is at most a few thousandths at such a load; the rest is the sample's error. */
static void an_empty_network_has_its_latency(void **state)
{
    (void)state;
    enum { SEEDS = 4 };
    for (size_t i = 0; i < sizeof zero_load / sizeof *zero_load; i++) {
        sample found = {0};
        double computed = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            trial run;
            trial_run(
                &run, seed,
                "interweft: 1\ntopology: %s\nrouting: {kind: %s}\nrouter: %s\n"
                "traffic: {all: {pattern: %s, length: 8 flits, load: 0.0005}}\n"
                "measure: {warmup: 0 cycles, half-width: 0.0001%%, limit: {packets: 12000}}\n",
                zero_load[i].topology, zero_load[i].routing, zero_load[i].router,
                zero_load[i].pattern);
            sample_add(&found, trial_value(&run, "latency"));
            computed = bound_of(&run, "latency");
            trial_done(&run);
        }
        print_message("%-62s %-16s %.4f, computed %.4f\n", zero_load[i].topology,
                      zero_load[i].routing, found.mean, computed);
        double error = 4 * sample_error(&found);
        assert_true(found.mean >= computed - error - 1e-9 * computed);
        assert_true(found.mean <= computed * 1.003 + error);
    }
}

static const place busy[] = {
    {"{kind: torus, dims: [6, 6]}", "dimension-order", PLAIN, "tornado"},
    {"{kind: torus, dims: [8, 8]}", "minimal-adaptive", PLAIN, "uniform"},
    {"{kind: torus, dims: [4, 4], hosts: 4}", "valiant", PLAIN, "uniform"},
    {"{kind: flattened-butterfly, dims: [4, 4], hosts: 8}", "dimension-order", PLAIN, "uniform"},
    {"{kind: dragonfly, groups: 9, routers: 4, hosts: 2, global: 2}",
     "dimension-order, dateline: per-hop", PLAIN, "group-adversarial"},
    {"{kind: dragonfly, groups: 9, routers: 4, hosts: 4, global: 2}", "ugal", PLAIN, "uniform"},
    {"{kind: mesh, dims: [6, 6]}", "dimension-order", PLAIN, "uniform"},
    {"{kind: fat-tree, arity: 4, levels: 3}", "d-mod-k", PLAIN, "uniform"},
};

static void no_network_carries_more_than_its_bound(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof busy / sizeof *busy; i++) {
        trial run;
        trial_run(
            &run, 1,
            "interweft: 1\ntopology: %s\nrouting: {kind: %s}\nrouter: %s\n"
            "traffic: {all: {pattern: %s, length: 4 flits, load: 1.0}}\n"
            "measure: {warmup: 2000 cycles, half-width: 0.0001%%, limit: {time: 6000 cycles}}\n",
            busy[i].topology, busy[i].routing, busy[i].router, busy[i].pattern);
        const weft_metric *m = weft_point_metric(&run.point, "accepted", "", "", 0);
        double bound = bound_of(&run, "accepted");
        print_message("%-62s %-16s %.4f of at most %.4f\n", busy[i].topology, busy[i].routing,
                      m->value, bound);
        double error = isnan(m->hi) ? 0.02 * bound : m->hi - m->value;
        assert_true(m->value <= bound + error);
        assert_true(m->value >= 0.3 * bound);
        trial_done(&run);
    }
}

/* Tornado by Valiant on an 8×8 torus: 2.0 on every link, as computed, on every seed. */
static void valiant_loads_every_link_alike(void **state)
{
    (void)state;
    enum { SEEDS = 4, PACKETS = 200000 };
    double load = 0.1, worst = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        trial run;
        trial_run(&run, seed,
                  "interweft: 1\ntopology: {kind: torus, dims: [8, 8]}\n"
                  "routing: {kind: valiant}\nrouter: " PLAIN "\n"
                  "traffic: {all: {pattern: tornado, length: 1 flits, load: %g}}\n"
                  "measure: {links: all, warmup: 0 cycles, half-width: 0.0001%%, "
                  "limit: {packets: %d}}\n",
                  load, (int)PACKETS);
        assert_int_equal(run.point.n_links, 4 * 64);
        for (size_t i = 0; i < run.point.n_links; i++) {
            const weft_link_row *link = &run.point.links[i];
            double expected = 2 * load * (double)link->span;
            double z = ((double)link->busy - expected) / sqrt(expected); /* packets of one flit */
            worst = fabs(z) > worst ? fabs(z) : worst;
        }
        trial_done(&run);
    }
    print_message("1024 links within %.2f standard errors of 2.0\n", worst);
    assert_true(worst < 4.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_network_has_its_latency),
        cmocka_unit_test(no_network_carries_more_than_its_bound),
        cmocka_unit_test(valiant_loads_every_link_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
