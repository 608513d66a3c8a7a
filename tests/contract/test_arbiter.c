/* SPDX-License-Identifier: Apache-2.0 */
/* What every arbiter promises: it picks one that asks, the same on the same occasion, remembers
 * nothing but grants, stays inside its bytes, and knows its states from noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/settings.h"
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#define GUARD 0xa5

typedef struct example {
    const char *kind, *settings;
} example;

static const example examples[] = {
    {"round-robin", ""},
    {"matrix", ""},
    {"priority", ""},
    {"priority", "order=0"},
    {"age", ""},
    {"random", ""},
    {"weighted", "weights=1"},
    {"weighted", "weights=1,2,3,4,5,60000"},
};
#define EXAMPLES (sizeof examples / sizeof *examples)

static const uint32_t sizes[] = {1, 2, 5, 8, 9, 16, 17, 32, 33, 63, 64, 65, 200, 256, 257, 1024};
#define SIZES (sizeof sizes / sizeof *sizes)

typedef struct bench {
    const weft_arbiter_kind *kind;
    void *settings;
    uint32_t n;
    size_t bytes;
    uint64_t *memory; /* 8 guard bytes, the state, 8 guard bytes */
    void *state;
    uint64_t asking[WEFT_CANDIDATES_MAX / 64];
    uint32_t age[WEFT_CANDIDATES_MAX];
    weft_occasion occasion;
    weft_random random;
} bench;

static void open_bench(bench *it, const example *which, uint32_t n)
{
    const weft_component *kind = kind_named(weft_arbiter_kinds, which->kind);
    *it = (bench){.kind = (const weft_arbiter_kind *)(const void *)kind,
                  .settings = settings_make(kind, which->settings),
                  .n = n,
                  .occasion = {.seed = 5, .crossbar = 9},
                  .random = weft_random_stream(22, n, 0, WEFT_FOR_ESTIMATE)};
    if (it->kind->check)
        assert_int_equal(it->kind->check(it->settings, n, NULL), WEFT_OK);
    it->bytes = it->kind->bytes(it->settings, n);
    it->memory = malloc(it->bytes + 16);
    memset(it->memory, GUARD, it->bytes + 16);
    it->state = it->memory + 1;
    it->kind->reset(it->settings, n, it->state);
}

static void close_bench(bench *it)
{
    free(it->settings);
    free(it->memory);
}

static void ask_randomly(bench *it, uint32_t percent)
{
    it->occasion.tick++;
    memset(it->asking, 0, sizeof it->asking);
    uint32_t sure = weft_random_below(&it->random, it->n);
    for (uint32_t i = 0; i < it->n; i++) {
        it->age[i] = weft_random_below(&it->random, 10);
        if (i == sure || weft_random_below(&it->random, 100) < percent)
            it->asking[i / 64] |= (uint64_t)1 << i % 64;
    }
}

static uint32_t pick(const bench *it)
{
    weft_arbiter_input arbiter_input = {.asking = it->asking,
                                        .age = it->kind->ages ? it->age : NULL,
                                        .occasion = &it->occasion,
                                        .port = 3};
    uint32_t winner = it->kind->pick(it->settings, it->n, it->state, &arbiter_input);
    assert_true(winner < it->n && it->asking[winner / 64] >> winner % 64 & 1);
    return winner;
}

static bool is_sound(const bench *it)
{
    return !it->kind->sound || it->kind->sound(it->settings, it->n, it->state);
}

static void assert_guards_stand(const bench *it)
{
    const unsigned char *memory = (const void *)it->memory;
    for (size_t i = 0; i < 8; i++)
        assert_true(memory[i] == GUARD && memory[8 + it->bytes + i] == GUARD);
}

static void each_bench(void (*visit)(bench *it))
{
    for (size_t e = 0; e < EXAMPLES; e++)
        for (size_t s = 0; s < SIZES; s++) {
            bench it;
            open_bench(&it, &examples[e], sizes[s]);
            visit(&it);
            assert_guards_stand(&it);
            close_bench(&it);
        }
}

static void every_kind_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_arbiter_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < EXAMPLES; i++)
            found += strcmp(examples[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
    }
}

static void check_picks(bench *it)
{
    void *before = malloc(it->bytes + 1);
    for (uint32_t tick = 0; tick < 200; tick++) {
        ask_randomly(it, tick % 101);
        memcpy(before, it->state, it->bytes);
        uint32_t winner = pick(it);
        assert_int_equal(pick(it), winner);
        assert_memory_equal(before, it->state, it->bytes);
        if (tick % 4)
            it->kind->granted(it->settings, it->n, it->state, winner);
    }
    assert_true(is_sound(it));
    free(before);
}

static void one_that_asks_is_picked_and_only_grants_are_remembered(void **state)
{
    (void)state;
    each_bench(check_picks);
}

/* A state depends on the grants alone: who else asked or was picked in vain is forgotten. */
static void check_memory(bench *it)
{
    uint32_t winner[50];
    for (uint32_t tick = 0; tick < 50; tick++) {
        ask_randomly(it, 50);
        winner[tick] = pick(it);
        it->kind->granted(it->settings, it->n, it->state, winner[tick]);
    }
    void *state = malloc(it->bytes + 1);
    memcpy(state, it->state, it->bytes);
    it->kind->reset(it->settings, it->n, it->state);
    for (uint32_t tick = 0; tick < 50; tick++)
        it->kind->granted(it->settings, it->n, it->state, winner[tick]);
    assert_memory_equal(state, it->state, it->bytes);
    free(state);
}

static void a_state_is_a_function_of_the_grants(void **state)
{
    (void)state;
    each_bench(check_memory);
}

static void check_noise(bench *it)
{
    assert_true(is_sound(it));
    for (uint32_t round = 0; round < 20; round++) {
        for (size_t i = 0; i < it->bytes; i++)
            ((uint8_t *)it->state)[i] = (uint8_t)weft_random_word(&it->random);
        if (!is_sound(it))
            continue;
        ask_randomly(it, 30);
        it->kind->granted(it->settings, it->n, it->state, pick(it));
    }
}

static void noise_is_no_state_or_does_no_harm(void **state)
{
    (void)state;
    each_bench(check_noise);
}

/* Kinds that promise not to starve serve whoever keeps asking within so many grants. */
static uint32_t patience(const bench *it)
{
    bool fair = it->kind == &weft_arbiter_round_robin || it->kind == &weft_arbiter_matrix;
    return fair ? it->n : 0;
}

static void check_starvation(bench *it)
{
    uint32_t most = patience(it), waited = 0, patient = it->n / 3;
    for (uint32_t tick = 0; most && tick < 5 * it->n; tick++) {
        ask_randomly(it, tick / it->n % 2 ? 30 : 90);
        it->asking[patient / 64] |= (uint64_t)1 << patient % 64;
        uint32_t winner = pick(it);
        it->kind->granted(it->settings, it->n, it->state, winner);
        waited = winner == patient ? 0 : waited + 1;
        assert_true(waited < most);
        if (winner == patient)
            patient = weft_random_below(&it->random, it->n);
    }
}

static void nobody_starves_where_that_is_promised(void **state)
{
    (void)state;
    each_bench(check_starvation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_examples),
        cmocka_unit_test(one_that_asks_is_picked_and_only_grants_are_remembered),
        cmocka_unit_test(a_state_is_a_function_of_the_grants),
        cmocka_unit_test(noise_is_no_state_or_does_no_harm),
        cmocka_unit_test(nobody_starves_where_that_is_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
