/* SPDX-License-Identifier: Apache-2.0 */
/* iSLIP, RRM, FIRM and the two DRRM against their rules written naively; wave front and random
 * matches are maximal; those of greatest size and weight against all matches there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/crossbar.h"
#include "contract/naive.h"

#define SIDE  5
#define TICKS 4000

/* ---- pointer rules, cell by cell ---- */

static void assert_same(const char *kind, const char *settings, naive rule,
                        void (*step)(naive *it, bool (*wants)[NAIVE_MAX]))
{
    crossbar it;
    rule.n = SIDE;
    crossbar_open(&it, &(crossbar_plan){.kind = kind,
                                        .settings = settings,
                                        .inputs = SIDE,
                                        .outputs = SIDE,
                                        .vcs = 1,
                                        .voq = true});
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        bool wants[SIDE][NAIVE_MAX];
        crossbar_ask_randomly(&it, 20 + tick % 80);
        crossbar_match(&it);
        for (uint32_t x = 0; x < SIDE; x++)
            for (uint32_t y = 0; y < SIDE; y++)
                wants[x][y] = crossbar_wants(&it, x, 0, y);
        step(&rule, wants);
        for (uint32_t x = 0; x < SIDE; x++) {
            assert_int_equal(it.match.inputs >> x & 1, rule.to[x] >= 0);
            if (rule.to[x] >= 0)
                assert_int_equal(it.match.output[x], rule.to[x]);
        }
        crossbar_grant_all(&it, false);
    }
    crossbar_close(&it);
}

static void kinds_that_offer_are_their_naive_forms(void **state)
{
    (void)state;
    static const char *const later[] = {"neither", "offers", "accepts", "both"};
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t iterations = 1; iterations <= 5; iterations++) {
            char text[64];
            snprintf(text, sizeof text, "iterations=%u later=%s", iterations, later[k]);
            naive rule = {.iterations = iterations, .later = k, .passes = true};
            assert_same("rrm", text, rule, naive_offers);
            rule.passes = false;
            assert_same("firm", text, rule, naive_offers);
            rule.keeps = true;
            assert_same("islip", text, rule, naive_offers);
        }
}

static void drrm_are_their_naive_forms(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 4; iterations++)
        for (int repeats = 0; repeats < 2; repeats++) {
            char text[64];
            snprintf(text, sizeof text, "iterations=%u again=%s", iterations,
                     repeats ? "same" : "free");
            naive rule = {.iterations = iterations, .repeats = repeats};
            assert_same("drrm1", text, rule, naive_asks);
            rule.follows = true;
            assert_same("drrm2", text, rule, naive_asks);
        }
}

/* ---- matches that leave nothing over, or are the best there are ---- */

static bool is_maximal(const crossbar *it)
{
    uint64_t taken = 0;
    for (uint32_t x = 0; x < it->scheduler.inputs; x++)
        if (it->match.inputs >> x & 1)
            taken |= (uint64_t)1 << it->match.output[x];
    for (uint32_t x = 0; x < it->scheduler.inputs; x++)
        for (uint32_t y = 0; y < it->scheduler.outputs; y++)
            if (!(it->match.inputs >> x & 1) && !(taken >> y & 1) && crossbar_wants(it, x, 0, y))
                return false;
    return true;
}

static void wavefront_and_random_matches_are_maximal(void **state)
{
    (void)state;
    static const char *const kinds[] = {"wavefront", "random", "max-size"};
    for (size_t k = 0; k < 3; k++) {
        crossbar it;
        crossbar_open(&it, &(crossbar_plan){
                               .kind = kinds[k], .inputs = 9, .outputs = 7, .vcs = 1, .voq = true});
        for (uint32_t tick = 0; tick < 1000; tick++) {
            crossbar_ask_randomly(&it, tick % 101);
            crossbar_match(&it);
            assert_true(is_maximal(&it));
            crossbar_grant_all(&it, false);
        }
        crossbar_close(&it);
    }
}

/* The greatest sum of weights over all matches of inputs x and up; lengths if by_length, else 1
 * each. */
static uint32_t best(const crossbar *it, uint32_t x, uint32_t taken, bool by_length)
{
    if (x == it->scheduler.inputs)
        return 0;
    uint32_t most = best(it, x + 1, taken, by_length);
    for (uint32_t y = 0; y < it->scheduler.outputs; y++) {
        if (taken >> y & 1 || !crossbar_wants(it, x, 0, y))
            continue;
        uint32_t weight = by_length ? crossbar_length(it, x, 0, y) : 1;
        uint32_t sum = weight + best(it, x + 1, taken | 1u << y, by_length);
        most = sum > most ? sum : most;
    }
    return most;
}

static void assert_best(const char *kind, const char *settings, bool by_length)
{
    crossbar it;
    crossbar_open(
        &it,
        &(crossbar_plan){
            .kind = kind, .settings = settings, .inputs = 5, .outputs = 6, .vcs = 1, .voq = true});
    for (uint32_t tick = 0; tick < 1000; tick++) {
        uint32_t sum = 0;
        crossbar_ask_randomly(&it, tick % 101);
        crossbar_match(&it);
        for (uint32_t x = 0; x < 5; x++)
            if (it.match.inputs >> x & 1)
                sum += by_length ? crossbar_length(&it, x, 0, it.match.output[x]) : 1;
        assert_int_equal(sum, best(&it, 0, 0, by_length));
        crossbar_grant_all(&it, false);
    }
    crossbar_close(&it);
}

static void greatest_matches_are_the_greatest(void **state)
{
    (void)state;
    assert_best("max-size", "", false);
    assert_best("max-weight", "weight=length", true);
    assert_best("max-weight", "", true); /* auto: the caller counts */
}

/* Who does not count cannot weigh by length. */
static void weights_by_length_need_lengths(void **state)
{
    (void)state;
    weft_error err = {""};
    const weft_component *kind = kind_named(weft_scheduler_kinds, "max-weight");
    void *length = settings_make(kind, "weight=length"), *by_default = settings_make(kind, "");
    weft_scheduler scheduler = {.kind = (const weft_scheduler_kind *)(const void *)kind,
                                .settings = length,
                                .inputs = 2,
                                .outputs = 2,
                                .n_vcs = 1};
    assert_int_equal(scheduler.kind->build(&scheduler, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "weight must be age"));
    scheduler.settings = by_default;
    assert_int_equal(scheduler.kind->build(&scheduler, &err), WEFT_OK);
    assert_true(scheduler.ages);
    free(length);
    free(by_default);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_that_offer_are_their_naive_forms),
        cmocka_unit_test(drrm_are_their_naive_forms),
        cmocka_unit_test(wavefront_and_random_matches_are_maximal),
        cmocka_unit_test(greatest_matches_are_the_greatest),
        cmocka_unit_test(weights_by_length_need_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
