/* SPDX-License-Identifier: Apache-2.0 */
/* Schedulers and arbiters of plug-ins are tried before they are used: one that keeps its promises
 * passes, and whichever promise another one breaks is named. */
#include "sched/contract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SOUND_FOR = 4 }; /* ticks, or grants, after which a state is said not to be valid */

typedef enum flaw {
    NONE,
    IDLE_INPUT,   /* matches an input that does not ask */
    OTHER_OUTPUT, /* matches another output than the one that is asked for */
    OTHER_VC,     /* matches a VC that there is not */
    FORGETS       /* decides otherwise if it is asked again */
} flaw;

typedef struct settings {
    flaw flaw;
    bool again; /* the second call for the same requests */
    uint32_t matched, granted, sent, learnt;
    uint64_t bytes;
} settings;

/* ---- schedulers ---- */

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)scheduler, (void)err;
    return WEFT_OK;
}

static void reset(const weft_scheduler *scheduler, void *state)
{
    assert_int_equal(scheduler->bytes, sizeof(uint64_t));
    memset(state, 0, scheduler->bytes);
}

/* Whoever asks gets the first output that is free; the caller knows ages and lengths. */
static void take_first(const weft_scheduler *s, const weft_requests *requests, weft_match *match)
{
    uint64_t taken = 0;
    for (uint32_t i = 0; i < s->inputs; i++)
        for (uint32_t v = 0; v < s->n_vcs; v++) {
            uint64_t wants = requests->wants[i * s->n_vcs + v] & ~taken;
            if (!(requests->asking >> i & 1) || match->inputs >> i & 1 || wants == 0)
                continue;
            match->inputs |= UINT64_C(1) << i;
            match->vc[i] = (uint8_t)v;
            match->output[i] = (uint8_t)__builtin_ctzll(wants);
            taken |= UINT64_C(1) << match->output[i];
            uint32_t age = requests->age(requests->user, i, v, match->output[i]);
            assert_true(age > 0);
            assert_int_equal(requests->length(requests->user, i, v, match->output[i]), age);
        }
}

static void match(const weft_scheduler *s, const void *state, const weft_requests *requests,
                  weft_match *match)
{
    settings *set = (settings *)(uintptr_t)s->settings;
    (void)state;
    take_first(s, requests, match);
    uint64_t idle = ~requests->asking & ((UINT64_C(1) << s->inputs) - 1);
    if (set->flaw == IDLE_INPUT)
        match->inputs |= idle & -idle;
    if (set->flaw == OTHER_OUTPUT)
        match->output[0] = (uint8_t)s->outputs;
    if (set->flaw == OTHER_VC)
        match->vc[0] = (uint8_t)s->n_vcs;
    if (set->flaw == FORGETS && set->again)
        match->inputs &= match->inputs - 1;
    set->matched += (uint32_t)__builtin_popcountll(match->inputs);
    set->again = !set->again;
}

static void granted(const weft_scheduler *s, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first)
{
    (void)state, (void)first;
    assert_true(input < s->inputs && vc < s->n_vcs && output < s->outputs);
    ((settings *)(uintptr_t)s->settings)->granted++;
}

static void sent(const weft_scheduler *s, void *state, const weft_crossing *crossing)
{
    settings *set = (settings *)(uintptr_t)s->settings;
    (void)state;
    assert_int_equal(crossing->next_vc, crossing->vc);
    assert_true(crossing->bytes > 0);
    set->sent++;
}

static void learn(const weft_scheduler *s, void *state, const weft_match *match)
{
    (void)match;
    ((settings *)(uintptr_t)s->settings)->learnt++;
    ++*(uint64_t *)state;
}

static bool sound(const weft_scheduler *s, const void *state)
{
    (void)s;
    return *(const uint64_t *)state <= SOUND_FOR;
}

/* A scheduler of one input and one output has no choice of what it does wrong. */
static weft_scheduler scheduler_of(const weft_scheduler_kind *kind, settings *set, uint32_t ports)
{
    return (weft_scheduler){.kind = kind,
                            .settings = set,
                            .inputs = ports,
                            .outputs = ports,
                            .n_vcs = ports == 1 ? 1 : 2,
                            .bytes = sizeof(uint64_t)};
}

static const weft_scheduler_kind good = {
    .base = {.name = "mine"}, .build = build, .reset = reset, .match = match, .granted = granted};

static void scheduler_that_keeps_its_promises_passes(void **state)
{
    (void)state;
    weft_scheduler_kind kind = good;
    settings set = {.flaw = NONE};
    weft_error err = {""};
    weft_scheduler scheduler = scheduler_of(&kind, &set, 5);
    assert_int_equal(weft_sched_check_scheduler(&scheduler, &err), WEFT_OK);
    assert_true(set.granted > 256 && set.matched == 2 * set.granted);
    kind.sent = sent;
    kind.learn = learn;
    set = (settings){.flaw = NONE};
    assert_int_equal(weft_sched_check_scheduler(&scheduler, &err), WEFT_OK);
    assert_int_equal(set.sent, set.granted);
    assert_true(set.learnt > 250 && set.learnt <= 256); /* ticks without requests are none */
}

static void broken_promises_of_schedulers_are_named(void **state)
{
    (void)state;
    static const struct {
        flaw flaw;
        uint32_t ports;
        const char *message;
    } cases[] = {
        {IDLE_INPUT, 5, "scheduler mine matches inputs that ask for nothing"},
        {OTHER_OUTPUT, 1,
         "scheduler mine matches VC 0 of input 0 to output 1, which it did not ask for"},
        {OTHER_VC, 1,
         "scheduler mine matches VC 1 of input 0 to output 0, which it did not ask for"},
        {FORGETS, 5, "scheduler mine gives two matches for the same state, requests and occasion"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        settings set = {.flaw = cases[i].flaw};
        weft_error err = {""};
        weft_scheduler scheduler = scheduler_of(&good, &set, cases[i].ports);
        assert_int_equal(weft_sched_check_scheduler(&scheduler, &err), WEFT_BROKEN);
        assert_string_equal(err.text, cases[i].message);
    }
    weft_scheduler_kind kind = good;
    settings set = {.flaw = NONE};
    weft_error err = {""};
    kind.learn = learn;
    kind.sound = sound;
    weft_scheduler scheduler = scheduler_of(&kind, &set, 5);
    assert_int_equal(weft_sched_check_scheduler(&scheduler, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "scheduler mine finds its own state not valid after 5 ticks");
}

/* ---- arbiters ---- */

static size_t arbiter_bytes(const void *given, uint32_t n)
{
    (void)given, (void)n;
    return sizeof(uint64_t);
}

static void arbiter_reset(const void *given, uint32_t n, void *state)
{
    (void)given, (void)n;
    memset(state, 0, sizeof(uint64_t));
}

static uint32_t arbiter_pick(const void *given, uint32_t n, const void *state,
                             const weft_arbiter_input *input)
{
    settings *set = (settings *)(uintptr_t)given;
    uint32_t winner = 0;
    (void)state;
    while (!(input->asking[winner / 64] >> winner % 64 & 1))
        winner++;
    assert_true(winner < n);
    if (input->age)
        assert_true(input->age[winner] < 100);
    set->matched += input->age != NULL;
    set->again = !set->again;
    if (set->flaw == FORGETS && !set->again) /* the last one that asks */
        for (uint32_t i = winner; i < n; i++)
            winner = input->asking[i / 64] >> i % 64 & 1 ? i : winner;
    return winner;
}

static void arbiter_granted(const void *given, uint32_t n, void *state, uint32_t winner)
{
    assert_true(winner < n);
    ((settings *)(uintptr_t)given)->granted++;
    ++*(uint64_t *)state;
}

static bool arbiter_sound(const void *given, uint32_t n, const void *state)
{
    (void)given, (void)n;
    return *(const uint64_t *)state <= SOUND_FOR;
}

static const weft_arbiter_kind good_arbiter = {.base = {.name = "mine"},
                                               .bytes = arbiter_bytes,
                                               .reset = arbiter_reset,
                                               .pick = arbiter_pick,
                                               .granted = arbiter_granted};

static void arbiters_pass_or_are_told_what_they_break(void **state)
{
    (void)state;
    weft_arbiter_kind kind = good_arbiter;
    settings set = {.flaw = NONE};
    weft_error err = {""};
    assert_int_equal(weft_sched_check_arbiter(&kind, &set, 70, &err), WEFT_OK);
    assert_true(set.granted == 256 && set.matched == 0);
    kind.ages = true; /* it is told them, and only then */
    assert_int_equal(weft_sched_check_arbiter(&kind, &set, 70, &err), WEFT_OK);
    assert_true(set.granted == 512 && set.matched == 512);
    set = (settings){.flaw = FORGETS};
    assert_int_equal(weft_sched_check_arbiter(&kind, &set, 70, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "arbiter mine picks two inputs for the same state and occasion");
    set = (settings){.flaw = NONE};
    kind.sound = arbiter_sound;
    assert_int_equal(weft_sched_check_arbiter(&kind, &set, 70, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "arbiter mine finds its own state not valid after 5 grants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scheduler_that_keeps_its_promises_passes),
        cmocka_unit_test(broken_promises_of_schedulers_are_named),
        cmocka_unit_test(arbiters_pass_or_are_told_what_they_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
