/* SPDX-License-Identifier: Apache-2.0 */
/* iSLIP against matches computed by hand, its rule written naively, and what it is known for:
 * matches that are maximal, and pointers that drift apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/crossbar.h"

static crossbar open_islip(const char *settings, uint32_t inputs, uint32_t outputs, uint32_t vcs)
{
    crossbar it;
    crossbar_plan plan = {.kind = "islip",
                          .settings = settings,
                          .inputs = inputs,
                          .outputs = outputs,
                          .vcs = vcs,
                          .voq = true};
    crossbar_open(&it, &plan);
    return it;
}

/* pairs: "02" input 0 to output 2, …, all in VC 0; nothing else is matched. */
static void assert_matched(crossbar *it, const char *pairs, const char *later)
{
    uint64_t inputs = 0, first = 0;
    crossbar_match(it);
    for (const char *of = pairs; *of; of += 2) {
        first |= (uint64_t)1 << (of[0] - '0');
        assert_int_equal(it->match.output[of[0] - '0'], of[1] - '0');
    }
    inputs = first;
    for (const char *of = later; *of; of += 2) {
        inputs |= (uint64_t)1 << (of[0] - '0');
        assert_int_equal(it->match.output[of[0] - '0'], of[1] - '0');
    }
    assert_int_equal(it->match.inputs, inputs);
    assert_int_equal(it->match.first, first);
    crossbar_grant_all(it, false);
}

static void ask_all(crossbar *it, const char *pairs)
{
    crossbar_clear(it);
    for (const char *of = pairs; *of; of += 2)
        crossbar_ask(it, (uint32_t)(of[0] - '0'), 0, (uint32_t)(of[1] - '0'));
}

/* 3 × 3, everybody wants everything. Tick 1: all outputs offer to 0, which takes 0. Then output 0
 * points at 1, input 0 at 1. Tick 2: output 0 offers to 1, outputs 1 and 2 to 0, which takes 1.
 * Tick 3: outputs 0, 1, 2 point at 2, 1, 0 and offer to these: all are matched, from now on. */
static void one_iteration_is_as_computed_by_hand(void **state)
{
    (void)state;
    crossbar it = open_islip("iterations=1", 3, 3, 1);
    ask_all(&it, "000102101112202122");
    assert_matched(&it, "00", "");
    assert_matched(&it, "0110", "");
    assert_matched(&it, "021120", "");
    assert_matched(&it, "001221", "");
    crossbar_close(&it);
}

/* The same with two iterations. Tick 1: 0–0; then outputs 1, 2 offer to 1, which takes 1; pointers
 * of the second iteration stay. Tick 2: 0–1, 1–0; then 2–2. Tick 3: as above, since only first
 * iterations counted. */
static void later_iterations_move_no_pointers(void **state)
{
    (void)state;
    crossbar it = open_islip("iterations=2", 3, 3, 1);
    ask_all(&it, "000102101112202122");
    assert_matched(&it, "00", "11");
    assert_matched(&it, "0110", "22");
    assert_matched(&it, "021120", "");
    crossbar_close(&it);
}

/* 0 wants 0 and 1, 2 wants 1 and 3, 3 wants 3. */
static void a_second_iteration_fills_the_match(void **state)
{
    (void)state;
    crossbar it = open_islip("iterations=1", 4, 4, 1);
    ask_all(&it, "0001212333");
    assert_matched(&it, "0023", ""); /* outputs 0 and 1 offer to 0, output 3 to 2 */
    assert_matched(&it, "0133", ""); /* 0 and output 3 go on: 0 takes 1, 3 takes 3; 2 got nothing */
    crossbar_close(&it);
    it = open_islip("iterations=2", 4, 4, 1);
    ask_all(&it, "000121");
    assert_matched(&it, "00", "21"); /* output 1 had offered to 0 in vain */
    crossbar_close(&it);
}

static void vcs_take_turns_inside_an_input(void **state)
{
    (void)state;
    crossbar it = open_islip("iterations=1", 2, 2, 4);
    crossbar_ask(&it, 0, 0, 1), crossbar_ask(&it, 0, 2, 1), crossbar_ask(&it, 0, 3, 1);
    crossbar_ask(&it, 0, 1, 0);
    const uint8_t outputs[] = {0, 1, 0, 1, 0, 1}, vcs[] = {1, 2, 1, 2, 1, 2};
    for (size_t i = 0; i < 6; i++) {
        crossbar_match(&it);
        assert_int_equal(it.match.output[0], outputs[i]);
        assert_int_equal(it.match.vc[0], vcs[i]);
        crossbar_grant_all(&it, false);
    }
    crossbar_close(&it);
}

/* The rule as one would tell it, with plain numbers. */
typedef struct naive {
    int offer[64], accept[64], vc[64]; /* pointers */
    int output_of[64], vc_of[64], round_of[64], input_of[64];
} naive;

static bool naive_wants(const crossbar *it, int x, int y)
{
    for (uint32_t vc = 0; vc < it->scheduler.n_vcs; vc++)
        if (crossbar_wants(it, (uint32_t)x, vc, (uint32_t)y))
            return true;
    return false;
}

static void naive_round(naive *self, const crossbar *it, int round)
{
    int inputs = (int)it->scheduler.inputs, outputs = (int)it->scheduler.outputs, offered_to[64];
    for (int y = 0; y < outputs; y++) {
        offered_to[y] = -1;
        for (int k = 0; k < inputs && self->input_of[y] < 0 && offered_to[y] < 0; k++) {
            int x = (self->offer[y] + k) % inputs;
            if (self->output_of[x] < 0 && naive_wants(it, x, y))
                offered_to[y] = x;
        }
    }
    for (int x = 0; x < inputs; x++)
        for (int k = 0; k < outputs && self->output_of[x] < 0; k++) {
            int y = (self->accept[x] + k) % outputs;
            if (offered_to[y] == x) {
                self->output_of[x] = y;
                self->input_of[y] = x;
                self->round_of[x] = round;
            }
        }
}

static void naive_match(naive *self, const crossbar *it, int rounds)
{
    int vcs = (int)it->scheduler.n_vcs;
    for (int i = 0; i < 64; i++)
        self->output_of[i] = self->input_of[i] = self->vc_of[i] = -1;
    for (int round = 1; round <= rounds; round++)
        naive_round(self, it, round);
    for (int x = 0; x < (int)it->scheduler.inputs; x++)
        for (int k = 0; self->output_of[x] >= 0 && k < vcs && self->vc_of[x] < 0; k++) {
            int vc = (self->vc[x] + k) % vcs;
            if (crossbar_wants(it, (uint32_t)x, (uint32_t)vc, (uint32_t)self->output_of[x]))
                self->vc_of[x] = vc;
        }
}

static void naive_grant(naive *self, const crossbar *it, int x)
{
    int y = self->output_of[x];
    self->vc[x] = (self->vc_of[x] + 1) % (int)it->scheduler.n_vcs;
    if (self->round_of[x] == 1) {
        self->offer[y] = (x + 1) % (int)it->scheduler.inputs;
        self->accept[x] = (y + 1) % (int)it->scheduler.outputs;
    }
}

static void compare_tick(crossbar *it, naive *self, int rounds)
{
    crossbar_match(it);
    naive_match(self, it, rounds);
    for (int x = 0; x < (int)it->scheduler.inputs; x++) {
        assert_int_equal(it->match.inputs >> x & 1, self->output_of[x] >= 0);
        if (self->output_of[x] < 0)
            continue;
        assert_int_equal(it->match.output[x], self->output_of[x]);
        assert_int_equal(it->match.vc[x], self->vc_of[x]);
        assert_int_equal(it->match.first >> x & 1, self->round_of[x] == 1);
        if (weft_random_below(&it->random, 10) == 0)
            continue; /* the router may drop a pair */
        crossbar_grant(it, (uint32_t)x);
        naive_grant(self, it, x);
    }
}

static void islip_is_its_naive_form(void **state)
{
    (void)state;
    const uint32_t sizes[][3] = {{1, 1, 1}, {2, 3, 2},   {5, 5, 4},
                                 {9, 9, 4}, {33, 20, 2}, {64, 64, 16}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int rounds = 1; rounds <= 16; rounds = rounds * 2 + (rounds == 1)) {
            char settings[32];
            snprintf(settings, sizeof settings, "iterations=%d", rounds);
            crossbar it = open_islip(settings, sizes[s][0], sizes[s][1], sizes[s][2]);
            naive self = {0};
            for (uint32_t tick = 0; tick < (sizes[s][0] > 10 ? 100u : 1000u); tick++) {
                crossbar_ask_randomly(&it, (tick * 13 + 1) % 101);
                compare_tick(&it, &self, rounds);
            }
            crossbar_close(&it);
        }
}

/* With as many iterations as lines no request is left whose two lines are free. */
static void enough_iterations_give_a_maximal_match(void **state)
{
    (void)state;
    crossbar it = open_islip("iterations=16", 16, 16, 3);
    for (uint32_t tick = 0; tick < 5000; tick++) {
        crossbar_ask_randomly(&it, tick % 60);
        crossbar_match(&it);
        uint64_t taken = 0;
        for (uint32_t x = 0; x < 16; x++)
            taken |= it.match.inputs >> x & 1 ? (uint64_t)1 << it.match.output[x] : 0;
        for (uint32_t x = 0; x < 16; x++)
            for (uint32_t vc = 0; vc < 3 && !(it.match.inputs >> x & 1); vc++)
                assert_int_equal(it.wants[x * 3 + vc] & ~taken, 0);
        crossbar_grant_all(&it, false);
    }
    crossbar_close(&it);
}

/* With all queues full the pointers drift apart: after 2 N ticks one iteration matches everything,
 * and every queue is served once in N ticks. */
static void full_queues_are_served_in_turn(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 64; n = n < 9 ? n + 1 : n * 2) {
        crossbar it = open_islip("iterations=1", n, n, 1);
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = 0; y < n; y++)
                crossbar_ask(&it, x, 0, y);
        uint32_t served[64][64] = {0};
        for (uint32_t tick = 0; tick < 2 * n + 5 * n; tick++) {
            crossbar_match(&it);
            for (uint32_t x = 0; tick >= 2 * n && x < n; x++) {
                assert_true(it.match.inputs >> x & 1);
                served[x][it.match.output[x]]++;
            }
            crossbar_grant_all(&it, false);
        }
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = 0; y < n; y++)
                assert_int_equal(served[x][y], 5);
        crossbar_close(&it);
    }
}

static void three_bytes_per_line_are_remembered(void **state)
{
    (void)state;
    crossbar it = open_islip("iterations=1", 9, 9, 4);
    assert_int_equal(it.scheduler.bytes, 27);
    assert_false(it.scheduler.ages);
    uint8_t *pointers = it.state;
    const weft_scheduler *of = &it.scheduler;
    assert_true(of->kind->sound(of, pointers));
    for (size_t i = 0; i < 27; i++) {
        uint8_t most = i < 18 ? 8 : 3;
        pointers[i] = most;
        assert_true(of->kind->sound(of, pointers));
        pointers[i]++;
        assert_false(of->kind->sound(of, pointers));
        pointers[i] = 0;
    }
    crossbar_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_iteration_is_as_computed_by_hand),
        cmocka_unit_test(later_iterations_move_no_pointers),
        cmocka_unit_test(a_second_iteration_fills_the_match),
        cmocka_unit_test(vcs_take_turns_inside_an_input),
        cmocka_unit_test(islip_is_its_naive_form),
        cmocka_unit_test(enough_iterations_give_a_maximal_match),
        cmocka_unit_test(full_queues_are_served_in_turn),
        cmocka_unit_test(three_bytes_per_line_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
