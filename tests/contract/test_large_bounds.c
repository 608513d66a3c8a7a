/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds and verdicts of networks of 32,768 to 100,000 endpoints: complete, exact, in seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>
#include <cmocka.h>

#include "analysis/bounds/bounds.h"
#include "analysis/deadlock/deadlock.h"
#include "contract/scenario.h"
#include "sanitized.h"

/* Under a sanitizer some of the networks, in any time. */
#define EVERY        (SANITIZED ? 8 : 1)
#define SECONDS_MOST (SANITIZED ? 1000.0 : 10.0)
#define KIB_MOST     (2l << 20)

#define TREE      "kind: fat-tree, form: xgft, down: [32, 32, 64], up: [1, 32, 32]"
#define TAPERED   "kind: fat-tree, form: xgft, down: [40, 40, 60], up: [1, 20, 15]"
#define DRAGONFLY "kind: dragonfly, groups: 129, routers: 32, hosts: 16"
#define SEVERAL   "kind: dragonfly, groups: 65, routers: 32, hosts: 16, global: 6"
#define MEGAFLY   "kind: megafly, groups: 65, leaves: 32, spines: 32, hosts: 32, global: 10"
#define HYPERX    "kind: hyperx, dims: [16, 16, 16], hosts: 16"
#define TORUS     "kind: torus, dims: [40, 40, 40]"
#define SMALLER   "kind: torus, dims: [32, 32, 31], hosts: 2"

static const struct {
    const char *topology, *routing, *pattern;
} cases[] = {
    {TREE, "d-mod-k", "uniform"},
    {TREE, "minimal", "uniform"},
    {TREE, "minimal-oblivious, selection: random", "uniform"},
    {TREE, "d-mod-k", "group-adversarial"},
    {TAPERED, "d-mod-k", "uniform"},
    {TAPERED, "minimal-oblivious, selection: random", "uniform"},
    {DRAGONFLY, "minimal", "uniform"},
    {DRAGONFLY, "minimal", "group-adversarial"},
    {DRAGONFLY, "minimal", "random-permutation"},
    {DRAGONFLY, "valiant", "uniform"},
    {DRAGONFLY, "valiant, via: router", "uniform"},
    {DRAGONFLY, "valiant", "group-adversarial"},
    {DRAGONFLY, "valiant, via: router", "group-adversarial"},
    {DRAGONFLY, "valiant", "random-permutation"},
    {DRAGONFLY ", arrangement: palm-tree", "minimal", "uniform"},
    {DRAGONFLY ", arrangement: circulant", "minimal", "uniform"},
    {DRAGONFLY ", arrangement: absolute", "minimal", "uniform"},
    {SEVERAL, "minimal", "uniform"},
    {SEVERAL, "valiant", "uniform"},
    {MEGAFLY, "minimal", "uniform"},
    {MEGAFLY, "minimal", "group-adversarial"},
    {MEGAFLY, "valiant", "uniform"},
    {MEGAFLY, "valiant", "group-adversarial"},
    {HYPERX, "minimal", "uniform"},
    {HYPERX, "valiant", "uniform"},
    {HYPERX, "o1turn", "uniform"},
    {HYPERX, "valiant", "tornado"},
    {HYPERX, "minimal", "tornado"},
    {TORUS, "dimension-order", "uniform"},
    {TORUS, "o1turn", "uniform"},
    {TORUS, "dimension-order", "tornado"},
    {TORUS ", tie: wrap", "dimension-order", "uniform"},
    {SMALLER, "valiant", "uniform"},
    {SMALLER, "valiant", "tornado"},
    {"kind: mesh, dims: [40, 40, 40]", "dimension-order", "uniform"},
    {"kind: hypercube, dimensions: 15, hosts: 2", "dimension-order", "uniform"},
    {"kind: butterfly, arity: 16, stages: 4", "minimal", "uniform"},
    {"kind: slim-fly, q: 43, hosts: 18", "minimal", "uniform"},
};

static void examine(const char *name, const weft_network *network)
{
    weft_bounds bounds;
    weft_deadlock_question question;
    weft_deadlock deadlock;
    double host = (double)network->timing.period[WEFT_LINK_HOST];
    assert_in_range(network->endpoints, 32768, 100000);
    weft_bounds_find(
        &bounds, network,
        &(weft_bounds_plan){.sending = host, .receiving = host, .budget = WEFT_BOUNDS_LONG});
    weft_deadlock_ask(&question, network, false);
    weft_deadlock_init(&deadlock, &question);
    if (!bounds.load.known || !bounds.load.exact || !bounds.load.whole || !bounds.exact)
        fail_msg("%s: channel loads are not exact", name);
    if (deadlock.verdict != WEFT_DEADLOCK_FREE)
        fail_msg("%s: deadlock verdict %d", name, (int)deadlock.verdict);
    for (int k = WEFT_BOUND_CUT; k < WEFT_BOUNDS; k++)
        if (bounds.of[k] > 0 && bounds.of[k] < bounds.of[WEFT_BOUND_LINK] * (1 - 1e-9))
            fail_msg("%s: %s %g below channel load %g", name, weft_bound_names[k], bounds.of[k],
                     bounds.of[WEFT_BOUND_LINK]);
    print_message("%s: %g by %s", name, bounds.throughput, weft_bound_names[bounds.binding]);
    weft_deadlock_done(&deadlock);
}

static void large_networks_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EVERY) {
        char text[1024], name[512];
        stage it;
        clock_t start = clock();
        snprintf(text, sizeof text,
                 "topology: {%s}\nrouting: {kind: %s}\n"
                 "router: {kind: input-queued, vcs: 8, buffer: 64 flits}\n"
                 "traffic: {all: {pattern: %s, length: 8 flits, load: 0.1}}\n",
                 cases[i].topology, cases[i].routing, cases[i].pattern);
        snprintf(name, sizeof name, "%s; %s; %s", cases[i].topology, cases[i].routing,
                 cases[i].pattern);
        examine(name, stage_open(&it, text));
        stage_close(&it);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        print_message(", %.2f s\n", seconds);
        assert_true(seconds < SECONDS_MOST);
    }
    struct rusage use;
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    print_message("at most %ld MiB\n", use.ru_maxrss >> 10);
    assert_true(use.ru_maxrss < KIB_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_networks_are_complete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
