/* SPDX-License-Identifier: Apache-2.0 */
/* What every scheduler promises, with every pair of arbiters: a match is one-to-one and within the
 * requests, nothing is remembered but grants, somebody who asks is served, and a state is bytes
 * that can be told from noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/crossbar.h"

typedef struct example {
    const char *kind, *settings;
} example;

static const example schedulers[] = {
    {"separable", ""},
    {"islip", "iterations=1"},
    {"islip", "iterations=4"},
    {"islip", "iterations=3 later=both"},
    {"rrm", "iterations=1"},
    {"rrm", "iterations=4 later=offers"},
    {"firm", "iterations=1"},
    {"firm", "iterations=4"},
    {"drrm1", "iterations=1"},
    {"drrm1", "iterations=4 again=free"},
    {"drrm2", "iterations=4"},
    {"pim", "iterations=1"},
    {"pim", "iterations=4"},
    {"wavefront", ""},
    {"max-size", ""},
    {"max-weight", "weight=age"},
    {"max-weight", "weight=length"},
    {"random", ""},
    {"vl-arbitration", ""},
    {"vl-arbitration", "low-vls=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14 "
                       "low-weights=9,1,2,3,4,5,6,7,8,9,1,2,3,4,5 high-vls=1 high-weights=7 "
                       "limit=1"},
};
#define SCHEDULERS (sizeof schedulers / sizeof *schedulers)

static const example arbiters[] = {
    {"round-robin", ""}, {"matrix", ""}, {"priority", ""},          {"priority", "order=0"},
    {"age", ""},         {"random", ""}, {"weighted", "weights=1"}, {"weighted", "weights=3,1,7"},
};
#define ARBITERS (sizeof arbiters / sizeof *arbiters)

static const uint32_t lines[] = {1, 2, 5, 9, 33, 64};
static const uint32_t vcs[] = {1, 2, 4, 16};

typedef void visitor(const crossbar_plan *plan);

static void each_layout(crossbar_plan *plan, visitor *visit)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (size_t j = 0; j < sizeof vcs / sizeof *vcs; j++)
            for (int voq = 0; voq < 2; voq++) {
                plan->inputs = lines[i];
                plan->outputs = lines[(i + j) % 2 ? i : (i * 5 + 3) % 6]; /* square and not */
                plan->vcs = vcs[j];
                plan->voq = voq;
                visit(plan);
            }
}

static bool has_arbiters(const char *name)
{
    const weft_component *kind = kind_named(weft_scheduler_kinds, name);
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (p->type == WEFT_PARAM_KIND)
            return true;
    return false;
}

static void each_plan(visitor *visit)
{
    for (size_t s = 0; s < SCHEDULERS; s++) {
        size_t pairs = has_arbiters(schedulers[s].kind) ? ARBITERS * ARBITERS : 1;
        for (size_t pair = 0; pair < pairs; pair++) {
            const example *in = &arbiters[pair / ARBITERS], *out = &arbiters[pair % ARBITERS];
            crossbar_plan plan = {.kind = schedulers[s].kind,
                                  .settings = schedulers[s].settings,
                                  .arbiter = {in->kind, out->kind},
                                  .arbiter_settings = {in->settings, out->settings}};
            each_layout(&plan, visit);
        }
    }
}

static void every_kind_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_scheduler_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < SCHEDULERS; i++)
            found += strcmp(schedulers[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
    }
    for (const weft_component *const *kind = weft_arbiter_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < ARBITERS; i++)
            found += strcmp(arbiters[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
    }
}

static void assert_match_is_good(const crossbar *it)
{
    uint64_t taken = 0;
    assert_int_equal(it->match.inputs & ~it->requests.asking, 0);
    assert_int_equal(it->match.first & ~it->match.inputs, 0);
    assert_true((it->match.inputs != 0) == (it->requests.asking != 0));
    for (uint32_t x = 0; x < it->scheduler.inputs; x++) {
        if (!(it->match.inputs >> x & 1))
            continue;
        uint32_t vc = it->match.vc[x], y = it->match.output[x];
        assert_true(vc < it->scheduler.n_vcs && y < it->scheduler.outputs);
        assert_true(crossbar_wants(it, x, vc, y));
        assert_false(taken >> y & 1);
        taken |= (uint64_t)1 << y;
    }
}

#define TICKS      18     /* of every plan */
#define SMALL_SIZE 20000u /* larger states are compared and proved less often */

static uint64_t ticks_run;

static void check_matches(const crossbar_plan *plan)
{
    crossbar it;
    crossbar_open(&it, plan);
    uint32_t bytes = (uint32_t)it.scheduler.bytes;
    void *before = malloc(bytes + 1u);
    for (uint32_t tick = 0; tick < (bytes < SMALL_SIZE ? 2 * TICKS : TICKS / 4); tick++) {
        crossbar_ask_randomly(&it, (tick * 37 + 5) % 101);
        memcpy(before, it.state, bytes);
        crossbar_match(&it);
        assert_match_is_good(&it);
        weft_match again = it.match;
        crossbar_match(&it);
        assert_memory_equal(&again, &it.match, sizeof again); /* the same again … */
        assert_memory_equal(before, it.state, bytes);         /* … and nothing was remembered */
        crossbar_grant_all(&it, tick % 3 == 0);
        ticks_run++;
    }
    assert_true(!it.scheduler.kind->sound || it.scheduler.kind->sound(&it.scheduler, it.state));
    assert_true(crossbar_guards_stand(&it));
    free(before);
    crossbar_close(&it);
}

static void matches_are_one_to_one_and_within_the_requests(void **state)
{
    (void)state;
    ticks_run = 0;
    each_plan(check_matches);
    assert_true(ticks_run >= 100000);
}

/* A pair that is alone is matched, in the first iteration. */
static void check_alone(const crossbar_plan *plan)
{
    crossbar it;
    crossbar_open(&it, plan);
    for (uint32_t tick = 0; tick < 4; tick++) {
        uint32_t x = weft_random_below(&it.random, plan->inputs);
        uint32_t vc = weft_random_below(&it.random, plan->vcs);
        uint32_t y = weft_random_below(&it.random, plan->outputs);
        crossbar_clear(&it);
        crossbar_ask(&it, x, vc, y);
        crossbar_match(&it);
        assert_true(it.match.inputs == (uint64_t)1 << x && it.match.first == it.match.inputs);
        assert_true(it.match.vc[x] == vc && it.match.output[x] == y);
        crossbar_grant(&it, x);
    }
    crossbar_close(&it);
}

static void a_pair_that_is_alone_is_matched(void **state)
{
    (void)state;
    each_plan(check_alone);
}

/* Random bytes are refused, or they are harmless. */
static void check_noise(const crossbar_plan *plan)
{
    crossbar it;
    crossbar_open(&it, plan);
    const weft_scheduler *of = &it.scheduler;
    for (uint32_t round = 0; round < 4 && of->bytes < SMALL_SIZE; round++) {
        for (size_t i = 0; i < of->bytes; i++)
            ((uint8_t *)it.state)[i] = (uint8_t)weft_random_word(&it.random);
        if (of->kind->sound && !of->kind->sound(of, it.state))
            continue;
        crossbar_ask_randomly(&it, 80);
        crossbar_match(&it);
        assert_match_is_good(&it);
        crossbar_grant_all(&it, false);
    }
    crossbar_close(&it);
}

static void noise_is_no_state_or_does_no_harm(void **state)
{
    (void)state;
    each_plan(check_noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_examples),
        cmocka_unit_test(matches_are_one_to_one_and_within_the_requests),
        cmocka_unit_test(a_pair_that_is_alone_is_matched),
        cmocka_unit_test(noise_is_no_state_or_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
