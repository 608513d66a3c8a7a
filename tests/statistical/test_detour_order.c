/* SPDX-License-Identifier: Apache-2.0 */
/* The textbook order of minimal, Valiant and adaptive routing (Kim, Dally, Scott and Abts 2008;
 * Dally and Towles, ch. 9) on a dragonfly of 1056 and a HyperX of 1024 endpoints, at offered
 * load 1.0. Uniform traffic: minimal and UGAL well above Valiant, which takes every link twice.
 * Adversarial traffic: Valiant and UGAL well above minimal, which has a single link for all
 * endpoints of a group, or of a router. Bounds by channel load are never exceeded. */
#include "statistical/support.h"

enum { SEEDS = 3, FIRST = 1 };

typedef struct place {
    const char *name, *topology, *adversary;
    double uniform, single; /* bounds: minimal, uniform; minimal, adversarial */
} place;

static const place places[] = {
    {"dragonfly", "{kind: dragonfly, groups: 33, routers: 8, hosts: 4, global: 4}",
     "group-adversarial", 1, 1.0 / 32},
    {"HyperX", "{kind: flattened-butterfly, dims: [8, 8], hosts: 16}", "tornado", 0.4995, 1.0 / 16},
};

static const char *const kinds[] = {"dimension-order, dateline: per-hop", "valiant", "ugal", "par"};
enum { MINIMAL, VALIANT, UGAL, PAR, KINDS };

/* Load accepted, over seeds. */
static sample accepted(const place *at, const char *routing, const char *pattern)
{
    sample found = {0};
    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        trial run;
        trial_run(&run, seed,
                  "interweft: 1\n"
                  "topology: %s\n"
                  "routing: {kind: %s}\n"
                  "links: {latency: 2 cycles, global: {latency: 8 cycles}}\n"
                  "router: {kind: input-queued, vcs: 6, buffer: 48 flits, queues: voq}\n"
                  "traffic: {all: {pattern: %s, length: 4 flits, load: 1.0}}\n"
                  "measure: {links: off, warmup: 500 cycles, half-width: 0.0001%%, limit: {time: "
                  "1000 cycles}}\n",
                  at->topology, routing, pattern);
        sample_add(&found, trial_value(&run, "accepted"));
        trial_done(&run);
    }
    print_message("%-10s %-18s %-34s %.4f ± %.4f\n", at->name, pattern, routing, found.mean,
                  weft_student_quantile(0.975, SEEDS - 1) * sample_error(&found));
    return found;
}

/* Is a above b by more than both errors allow? */
static void assert_above(const sample *a, const sample *b)
{
    double error = hypot(sample_error(a), sample_error(b));
    assert_true(a->mean - b->mean > 4 * error);
}

static void check_place(const place *at)
{
    sample even[KINDS], odd[KINDS];
    for (int k = 0; k < KINDS; k++) {
        even[k] = accepted(at, kinds[k], "uniform");
        odd[k] = accepted(at, kinds[k], at->adversary);
        assert_true(even[k].mean <= at->uniform && odd[k].mean <= at->uniform);
    }
    for (int k = UGAL; k < KINDS; k++) {
        assert_above(&even[k], &even[VALIANT]);
        assert_true(even[k].mean > 0.82 * even[MINIMAL].mean);
        assert_above(&odd[k], &odd[MINIMAL]);
        assert_true(odd[k].mean > 0.85 * odd[VALIANT].mean);
    }
    assert_above(&even[MINIMAL], &even[VALIANT]);
    assert_above(&odd[VALIANT], &odd[MINIMAL]);
    assert_true(even[VALIANT].mean <= 0.5 * at->uniform && odd[VALIANT].mean <= 0.5 * at->uniform);
    assert_true(odd[VALIANT].mean > 0.35 * at->uniform);
    assert_true(fabs(odd[MINIMAL].mean / at->single - 1) < 0.02);
}

static void the_dragonfly_has_the_textbook_order(void **state)
{
    (void)state;
    check_place(&places[0]);
}

static void the_hyperx_has_the_textbook_order(void **state)
{
    (void)state;
    check_place(&places[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_dragonfly_has_the_textbook_order),
                                       cmocka_unit_test(the_hyperx_has_the_textbook_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
