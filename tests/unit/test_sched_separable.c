/* SPDX-License-Identifier: Apache-2.0 */
/* The separable scheduler against matches computed by hand, its rule written naively, and its own
 * two ways: bare pointers and any arbiters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/crossbar.h"

static crossbar_plan plan_of(uint32_t inputs, uint32_t outputs, uint32_t vcs, bool voq)
{
    return (crossbar_plan){.kind = "separable",
                           .arbiter = {"round-robin", "round-robin"},
                           .inputs = inputs,
                           .outputs = outputs,
                           .vcs = vcs,
                           .voq = voq};
}

/* triples: "103" input 1, VC 0, to output 3; nothing else is matched. */
static void assert_matched(crossbar *it, const char *triples)
{
    uint64_t inputs = 0;
    crossbar_match(it);
    for (; *triples; triples += 3) {
        int x = triples[0] - '0';
        inputs |= (uint64_t)1 << x;
        assert_int_equal(it->match.vc[x], triples[1] - '0');
        assert_int_equal(it->match.output[x], triples[2] - '0');
    }
    assert_int_equal(it->match.inputs, inputs);
    assert_int_equal(it->match.first, inputs);
    crossbar_grant_all(it, false);
}

static void ask_all(crossbar *it, const char *triples)
{
    crossbar_clear(it);
    for (; *triples; triples += 3)
        crossbar_ask(it, (uint32_t)(triples[0] - '0'), (uint32_t)(triples[1] - '0'),
                     (uint32_t)(triples[2] - '0'));
}

/* 0 has packets to 1 and 2, 1 to 1 and 0, 2 to 1. Tick 1: all nominate VC 0, all to output 1: 0
 * wins. Tick 2: 0 nominates VC 1; 1 and 2 stay with VC 0; output 1 goes on to 1. Tick 3: 0 is
 * back at VC 0, 1 nominates VC 1 to output 0, and output 1 goes on to 2. */
static void vcs_are_served_as_computed_by_hand(void **state)
{
    (void)state;
    crossbar it;
    crossbar_plan plan = plan_of(3, 3, 2, false);
    crossbar_open(&it, &plan);
    ask_all(&it, "001012101110201");
    assert_matched(&it, "001");
    assert_matched(&it, "012101");
    assert_matched(&it, "110201");
    assert_matched(&it, "001"); /* 1 and 2 want 1 as well */
    crossbar_close(&it);
}

/* One input, queues (VC, output) in this order from the pointer on: 0/2, 1/0, 1/1. */
static void queues_are_served_vc_by_vc(void **state)
{
    (void)state;
    crossbar it;
    crossbar_plan plan = plan_of(1, 3, 2, true);
    crossbar_open(&it, &plan);
    ask_all(&it, "002010011");
    assert_matched(&it, "002");
    assert_matched(&it, "010");
    assert_matched(&it, "011");
    assert_matched(&it, "002");
    ask_all(&it, "001002");
    assert_matched(&it, "001"); /* past 0/2 there is nothing before 0/1 comes again */
    crossbar_close(&it);
}

/* The rule as one would tell it, with plain numbers. */
typedef struct naive {
    int input[64], output[64]; /* pointers */
    int nominated[64];         /* queue, per input */
    int taken[64];             /* input, per output */
} naive;

static int naive_queues(const crossbar *it)
{
    return (int)(it->scheduler.voq ? it->scheduler.n_vcs * it->scheduler.outputs
                                   : it->scheduler.n_vcs);
}

/* The output that a queue asks for; −1: none. */
static int naive_output(const crossbar *it, int x, int queue)
{
    int outputs = (int)it->scheduler.outputs;
    for (int y = 0; y < outputs && !it->scheduler.voq; y++)
        if (crossbar_wants(it, (uint32_t)x, (uint32_t)queue, (uint32_t)y))
            return y;
    if (it->scheduler.voq &&
        crossbar_wants(it, (uint32_t)x, (uint32_t)(queue / outputs), (uint32_t)(queue % outputs)))
        return queue % outputs;
    return -1;
}

static void naive_match(naive *self, const crossbar *it)
{
    int inputs = (int)it->scheduler.inputs, queues = naive_queues(it);
    for (int x = 0; x < inputs; x++) {
        self->nominated[x] = -1;
        for (int k = 0; k < queues && self->nominated[x] < 0; k++)
            if (naive_output(it, x, (self->input[x] + k) % queues) >= 0)
                self->nominated[x] = (self->input[x] + k) % queues;
    }
    for (int y = 0; y < (int)it->scheduler.outputs; y++) {
        self->taken[y] = -1;
        for (int k = 0; k < inputs && self->taken[y] < 0; k++) {
            int x = (self->output[y] + k) % inputs;
            if (self->nominated[x] >= 0 && naive_output(it, x, self->nominated[x]) == y)
                self->taken[y] = x;
        }
    }
}

static void compare_tick(crossbar *it, naive *self)
{
    crossbar_match(it);
    naive_match(self, it);
    uint64_t inputs = 0;
    for (int y = 0; y < (int)it->scheduler.outputs; y++) {
        int x = self->taken[y], outputs = (int)it->scheduler.outputs;
        if (x < 0)
            continue;
        int queue = self->nominated[x];
        inputs |= (uint64_t)1 << x;
        assert_int_equal(it->match.output[x], y);
        assert_int_equal(it->match.vc[x], it->scheduler.voq ? queue / outputs : queue);
        if (weft_random_below(&it->random, 10) == 0)
            continue; /* the router may drop a pair */
        crossbar_grant(it, (uint32_t)x);
        self->input[x] = (queue + 1) % naive_queues(it);
        self->output[y] = (x + 1) % (int)it->scheduler.inputs;
    }
    assert_int_equal(it->match.inputs, inputs);
    assert_int_equal(it->match.first, inputs);
}

static const uint32_t sizes[][3] = {{1, 1, 1}, {2, 3, 2},   {5, 5, 4},   {9, 9, 4},
                                    {9, 9, 5}, {33, 20, 2}, {20, 64, 4}, {64, 64, 16}};
#define SIZES (sizeof sizes / sizeof *sizes)

static void round_robins_are_their_naive_form(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2 * SIZES; s++) {
        const uint32_t *size = sizes[s / 2];
        crossbar_plan plan = plan_of(size[0], size[1], size[2], s % 2);
        crossbar it;
        naive self = {0};
        crossbar_open(&it, &plan);
        for (uint32_t tick = 0; tick < (size[0] > 10 ? 100u : 2000u); tick++) {
            crossbar_ask_randomly(&it, (tick * 13 + 1) % 101);
            compare_tick(&it, &self);
        }
        assert_true(it.scheduler.kind->sound(&it.scheduler, it.state));
        crossbar_close(&it);
    }
}

/* A round robin under another address is any arbiter to the scheduler. */
static void both_ways_give_the_same_matches(void **state)
{
    (void)state;
    const weft_arbiter_kind other = weft_arbiter_round_robin;
    for (size_t s = 0; s < 2 * SIZES; s++) {
        const uint32_t *size = sizes[s / 2];
        crossbar_plan plan = plan_of(size[0], size[1], size[2], s % 2);
        crossbar quick, any;
        crossbar_open(&quick, &plan);
        crossbar_open(&any, &plan);
        settings_put_kind(&any.scheduler.kind->base, any.settings, "input",
                          (weft_kind_ref){&other.base, NULL});
        assert_int_equal(any.scheduler.kind->build(&any.scheduler, NULL), WEFT_OK);
        free(any.memory);
        any.memory = calloc(1, any.scheduler.bytes + 16);
        any.state = any.memory + 1;
        any.scheduler.kind->reset(&any.scheduler, any.state);
        for (uint32_t tick = 0; tick < 300; tick++) {
            crossbar_ask_randomly(&quick, (tick * 13 + 1) % 101);
            crossbar_ask_randomly(&any, (tick * 13 + 1) % 101);
            crossbar_match(&quick);
            crossbar_match(&any);
            assert_memory_equal(&quick.match, &any.match, sizeof quick.match);
            crossbar_grant_all(&quick, tick % 2);
            crossbar_grant_all(&any, tick % 2);
        }
        crossbar_close(&quick);
        crossbar_close(&any);
    }
}

static void a_torus_router_needs_eighteen_bytes(void **state)
{
    (void)state;
    crossbar it;
    crossbar_plan plan = plan_of(9, 9, 4, false);
    crossbar_open(&it, &plan);
    assert_int_equal(it.scheduler.bytes, 18);
    const weft_scheduler *of = &it.scheduler;
    for (size_t i = 0; i < 18; i++) { /* a pointer too far is no state */
        ((uint8_t *)it.state)[i] = i < 9 ? 4 : 9;
        assert_false(of->kind->sound(of, it.state));
        ((uint8_t *)it.state)[i]--;
        assert_true(of->kind->sound(of, it.state));
    }
    crossbar_close(&it);
    plan.voq = true;
    crossbar_open(&it, &plan);
    assert_int_equal(it.scheduler.bytes, 18);
    crossbar_close(&it);
    plan.vcs = 5;
    crossbar_open(&it, &plan);
    assert_int_equal(it.scheduler.bytes, 27); /* 320 > 256: two bytes per input */
    ((uint16_t *)it.state)[8] = 320;
    assert_false(it.scheduler.kind->sound(&it.scheduler, it.state));
    crossbar_close(&it);
}

/* Odd sizes before wide states: every arbiter's state is aligned. */
static void arbiters_of_outputs_are_aligned(void **state)
{
    (void)state;
    crossbar it;
    crossbar_plan plan = plan_of(3, 2, 2, false);
    plan.arbiter[1] = "weighted";
    plan.arbiter_settings[1] = "weights=1";
    crossbar_open(&it, &plan);
    assert_int_equal(it.scheduler.bytes, 4 + 2 * 12);
    crossbar_close(&it);
    plan.inputs = 64;
    plan.vcs = 3;
    plan.arbiter[0] = "matrix";
    plan.arbiter[1] = "matrix";
    plan.arbiter_settings[1] = "";
    crossbar_open(&it, &plan);
    assert_int_equal(it.scheduler.bytes, 64 * 3 + 2 * 512);
    crossbar_close(&it);
}

/* All inputs always ask for output 1: its weighted arbiter divides it. */
static void outputs_divide_themselves_by_weights(void **state)
{
    (void)state;
    const double weights[] = {5, 1, 2, 5, 1};
    crossbar it;
    crossbar_plan plan = plan_of(5, 3, 2, false);
    plan.arbiter[1] = "weighted";
    plan.arbiter_settings[1] = "weights=5,1,2";
    crossbar_open(&it, &plan);
    uint32_t wins[5] = {0};
    for (uint32_t x = 0; x < 5; x++)
        crossbar_ask(&it, x, x % 2, 1);
    for (uint32_t tick = 0; tick < 14000; tick++) {
        crossbar_match(&it);
        assert_int_equal(__builtin_popcountll(it.match.inputs), 1);
        wins[__builtin_ctzll(it.match.inputs)]++;
        crossbar_grant_all(&it, false);
    }
    for (uint32_t x = 0; x < 5; x++)
        assert_true(wins[x] > 990 * weights[x] && wins[x] < 1010 * weights[x]);
    crossbar_close(&it);
}

/* VCs of an input by weights, each to an output of its own. */
static void inputs_divide_themselves_by_weights(void **state)
{
    (void)state;
    crossbar it;
    crossbar_plan plan = plan_of(1, 4, 4, false);
    plan.arbiter[0] = "weighted";
    plan.arbiter_settings[0] = "weights=1,2,3,4";
    crossbar_open(&it, &plan);
    uint32_t wins[4] = {0};
    for (uint32_t vc = 0; vc < 4; vc++)
        crossbar_ask(&it, 0, vc, 3 - vc);
    for (uint32_t tick = 0; tick < 10000; tick++) {
        crossbar_match(&it);
        wins[it.match.vc[0]]++;
        crossbar_grant_all(&it, false);
    }
    for (uint32_t vc = 0; vc < 4; vc++)
        assert_in_range(wins[vc], 990 * (vc + 1), 1010 * (vc + 1));
    crossbar_close(&it);
}

/* The oldest packet of all that were nominated to an output wins it, and every input nominates its
 * oldest. */
static void check_ages(bool voq)
{
    crossbar it;
    crossbar_plan plan = plan_of(6, 5, 3, voq);
    plan.arbiter[0] = plan.arbiter[1] = "age";
    crossbar_open(&it, &plan);
    assert_true(it.scheduler.ages);
    for (uint32_t tick = 0; tick < 3000; tick++) {
        crossbar_ask_randomly(&it, 70);
        crossbar_match(&it);
        uint32_t oldest = 0;
        bool served = false;
        for (uint32_t i = 0; i < 6 * 3 * 5; i++) {
            uint32_t x = i / 15, vc = i / 5 % 3, y = i % 5;
            if (crossbar_wants(&it, x, vc, y) && crossbar_age(&it, x, vc, y) > oldest)
                oldest = crossbar_age(&it, x, vc, y);
        }
        for (uint32_t x = 0; x < 6; x++) {
            if (!(it.match.inputs >> x & 1))
                continue;
            uint32_t age = crossbar_age(&it, x, it.match.vc[x], it.match.output[x]);
            served |= age == oldest;
            for (uint32_t i = 0; i < 15; i++) /* nothing older waits at this input */
                assert_true(!crossbar_wants(&it, x, i / 5, i % 5) ||
                            crossbar_age(&it, x, i / 5, i % 5) <= age);
        }
        assert_true(served ||
                    it.match.inputs == 0); /* nothing older than the oldest winner waits */
    }
    crossbar_close(&it);
}

static void the_oldest_packet_is_always_served(void **state)
{
    (void)state;
    check_ages(false);
    check_ages(true);
}

static void an_order_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    weft_error err;
    crossbar it;
    crossbar_plan plan = plan_of(9, 9, 4, false);
    plan.arbiter[0] = "priority";
    plan.arbiter_settings[0] = "order=4";
    assert_int_equal(crossbar_try(&it, &plan, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "arbiter priority: order must name candidates 0 … 3, found 4");
    crossbar_close(&it);
    plan.voq = true; /* 36 queues */
    crossbar_open(&it, &plan);
    crossbar_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vcs_are_served_as_computed_by_hand),
        cmocka_unit_test(queues_are_served_vc_by_vc),
        cmocka_unit_test(round_robins_are_their_naive_form),
        cmocka_unit_test(both_ways_give_the_same_matches),
        cmocka_unit_test(a_torus_router_needs_eighteen_bytes),
        cmocka_unit_test(arbiters_of_outputs_are_aligned),
        cmocka_unit_test(outputs_divide_themselves_by_weights),
        cmocka_unit_test(inputs_divide_themselves_by_weights),
        cmocka_unit_test(the_oldest_packet_is_always_served),
        cmocka_unit_test(an_order_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
