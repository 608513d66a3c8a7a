/* SPDX-License-Identifier: Apache-2.0 */
/* The wide form of schedulers. Up to 64 ports it is the word form, slot by slot; beyond, the
 * rules written naively; matches are one to one and within the requests, maximal where the kind
 * says so, and greatest where it says that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/naive.h"
#include "contract/wide.h"

/* ---- as the word form ---- */

typedef struct example {
    const char *kind, *settings;
} example;

static const example examples[] = {
    {"islip", "iterations=1"},
    {"islip", "iterations=4"},
    {"islip", "iterations=3 later=offers"},
    {"islip", "iterations=2 later=both"},
    {"rrm", "iterations=1"},
    {"rrm", "iterations=3 later=neither"},
    {"rrm", "iterations=4 later=both"},
    {"firm", "iterations=1"},
    {"firm", "iterations=4 later=accepts"},
    {"firm", "iterations=3 later=both"},
    {"drrm1", "iterations=1"},
    {"drrm1", "iterations=4 again=free"},
    {"drrm2", "iterations=1"},
    {"drrm2", "iterations=3 again=free"},
    {"pim", "iterations=1"},
    {"pim", "iterations=4"},
    {"wavefront", ""},
    {"max-size", ""},
    {"max-weight", ""},
    {"random", ""},
    {"separable", ""},
    {"vl-arbitration", ""},
};
#define EXAMPLES (sizeof examples / sizeof *examples)
#define ROUNDS   120 /* of all examples */
#define SLOTS    25

static void every_kind_has_a_wide_form_and_an_example(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_scheduler_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < EXAMPLES; i++)
            found += strcmp(examples[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
        assert_non_null(((const weft_scheduler_kind *)(const void *)*kind)->match_wide);
    }
}

/* A matrix, an input and queues by lot. */
static trial draw_trial(weft_random *random, uint64_t index, uint32_t *cell)
{
    static const uint32_t sides[] = {1, 2, 3, 5, 8, 17, 33, 63, 64};
    uint32_t n = sides[weft_random_below(random, 9)];
    uint32_t d = 1 + weft_random_below(random, 20);
    weft_xbar_draw draw = {.rule = WEFT_DRAW_PERMUTED, .n = n, .d = d, .seed = 7};
    weft_xbar_draw_matrix(&draw, index, cell);
    return (trial){.n = n,
                   .d = d + weft_random_below(random, 3), /* with idle slots too */
                   .cell = cell,
                   .fifo = weft_random_below(random, 4) == 0,
                   .input = {.input = (weft_xbar_input)weft_random_below(random, 5),
                             .burst = 1 + weft_random_below(random, 4),
                             .seed = index}};
}

static void assert_same_slots(const trial *word)
{
    trial other = *word;
    bench a, b;
    weft_xbar_target room[2][WEFT_SIDE_MAX];
    weft_xbar_steady steady[2];
    other.wide = true;
    open_bench(&a, word);
    open_bench(&b, &other);
    assert_true(!a.it.wide && b.it.wide);
    for (uint32_t t = 0; t < SLOTS; t++) {
        uint32_t served =
            weft_xbar_switch_step(&a.it, weft_xbar_arrivals_slot(&a.arrivals, t, room[0]));
        assert_int_equal(
            weft_xbar_switch_step(&b.it, weft_xbar_arrivals_slot(&b.arrivals, t, room[1])), served);
        for (uint32_t i = 0; i < word->n; i++)
            assert_int_equal(weft_xbar_switch_sent(&a.it, i), weft_xbar_switch_sent(&b.it, i));
    }
    weft_xbar_steady_run(&a.it, &a.arrivals, &(weft_xbar_steady_options){.cap = 50}, &steady[0]);
    weft_xbar_steady_run(&b.it, &b.arrivals, &(weft_xbar_steady_options){.cap = 50}, &steady[1]);
    if (strcmp(word->kind, "separable") != 0)
        assert_memory_equal(&steady[0], &steady[1], sizeof *steady);
    else if (steady[0].exact) /* its pointers are written otherwise, and may recur earlier */
        assert_true(steady[1].exact && steady[0].share.served * steady[1].share.slots ==
                                           steady[1].share.served * steady[0].share.slots);
    close_bench(&a);
    close_bench(&b);
}

static void up_to_64_lines_both_forms_are_the_same(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(11, 0, 0, WEFT_FOR_ESTIMATE);
    uint32_t *cell = weft_alloc(sizeof *cell * 64 * 64);
    for (uint64_t round = 0; round < ROUNDS; round++)
        for (size_t k = 0; k < EXAMPLES; k++) {
            trial t = draw_trial(&random, round * EXAMPLES + k, cell);
            t.kind = examples[k].kind;
            t.settings = examples[k].settings;
            bool slow = strcmp(t.kind, "max-weight") == 0 && (t.n > 17 || round % 4);
            if (!slow)
                assert_same_slots(&t);
        }
    free(cell);
}

/* ---- as the rules written naively ---- */

typedef void naive_step(naive *it, bool (*wants)[NAIVE_MAX]);

static void copy_wants(const wide *it, bool (*wants)[NAIVE_MAX])
{
    for (uint32_t k = 0; k < it->n * it->n; k++)
        wants[k / it->n][k % it->n] = it->length[k] != 0;
}

static void assert_naive(const char *kind, const char *settings, naive rule, naive_step *step)
{
    static const uint32_t sides[] = {65, 100, 128, 129};
    static bool wants[NAIVE_MAX][NAIVE_MAX];
    for (size_t s = 0; s < 4; s++) {
        wide it;
        wide_open(&it, kind, settings, sides[s]);
        naive now = rule;
        now.n = it.n;
        for (uint32_t tick = 0; tick < 30; tick++) {
            wide_ask_randomly(&it, (uint32_t[]){10, 60, 300, 1000}[tick % 4]);
            copy_wants(&it, wants);
            wide_match(&it);
            step(&now, wants);
            for (uint32_t x = 0; x < it.n; x++)
                assert_int_equal(wide_output(&it, x), now.to[x]);
        }
        wide_close(&it);
    }
}

static void kinds_with_pointers_are_their_naive_forms(void **state)
{
    (void)state;
    naive rule = {.iterations = 1};
    assert_naive("firm", "iterations=1", rule, naive_offers);
    rule.keeps = true;
    assert_naive("islip", "iterations=1", rule, naive_offers);
    rule.iterations = 3;
    assert_naive("islip", "iterations=3", rule, naive_offers);
    rule.later = 1;
    assert_naive("islip", "iterations=3 later=offers", rule, naive_offers);
    rule = (naive){.iterations = 3, .later = 3, .passes = true};
    assert_naive("rrm", "iterations=3", rule, naive_offers);
    rule = (naive){.iterations = 3, .later = 2};
    assert_naive("firm", "iterations=3 later=accepts", rule, naive_offers);
    rule = (naive){.iterations = 3};
    assert_naive("drrm1", "iterations=3 again=free", rule, naive_asks);
    rule.follows = true;
    assert_naive("drrm2", "iterations=3 again=free", rule, naive_asks);
    rule.repeats = true;
    assert_naive("drrm2", "iterations=3", rule, naive_asks);
}

/* One of those that ask, as many draws as the kinds take. */
static int by_lot(const bool *asks, uint32_t n, weft_random *random)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        count += asks[k];
    uint32_t skip = count > 1 ? weft_random_below(random, count) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (asks[k] && skip-- == 0)
            return (int)k;
    return -1;
}

static void naive_pim(naive *it, bool (*wants)[NAIVE_MAX], weft_random *random)
{
    for (uint32_t round = 0; round < it->iterations; round++) {
        int offer[NAIVE_MAX];
        bool asks[NAIVE_MAX];
        for (uint32_t y = 0; y < it->n; y++) {
            for (uint32_t x = 0; x < it->n; x++)
                asks[x] = wants[x][y] && it->to[x] < 0 && !naive_taken(it, y);
            offer[y] = by_lot(asks, it->n, random);
        }
        for (uint32_t x = 0; x < it->n; x++) {
            for (uint32_t y = 0; y < it->n; y++)
                asks[y] = offer[y] == (int)x;
            int y = by_lot(asks, it->n, random);
            it->to[x] = y >= 0 ? y : it->to[x];
        }
    }
}

static void naive_random(naive *it, bool (*wants)[NAIVE_MAX], weft_random *random)
{
    bool left[NAIVE_MAX], open[NAIVE_MAX];
    for (uint32_t x = 0; x < it->n; x++)
        left[x] = naive_first(wants[x], it->n, 0) >= 0;
    for (int x; (x = by_lot(left, it->n, random)) >= 0; left[x] = false) {
        for (uint32_t y = 0; y < it->n; y++)
            open[y] = wants[x][y] && !naive_taken(it, y);
        it->to[x] = by_lot(open, it->n, random);
    }
}

static void naive_wavefront(naive *it, bool (*wants)[NAIVE_MAX], weft_random *random)
{
    (void)random;
    for (uint32_t k = 0; k < it->n; k++)
        for (uint32_t x = 0; x < it->n; x++) {
            uint32_t y = (it->out[0] + k + it->n - x) % it->n; /* out[0]: the first diagonal */
            if (wants[x][y] && it->to[x] < 0 && !naive_taken(it, y))
                it->to[x] = (int)y;
        }
    it->out[0] = (it->out[0] + 1) % it->n;
}

static void the_others_are_their_naive_forms(void **state)
{
    (void)state;
    static const struct {
        example what;
        void (*step)(naive *it, bool (*wants)[NAIVE_MAX], weft_random *random);
    } kinds[] = {{{"pim", "iterations=2"}, naive_pim},
                 {{"random", ""}, naive_random},
                 {{"wavefront", ""}, naive_wavefront}};
    static bool wants[NAIVE_MAX][NAIVE_MAX];
    for (size_t k = 0; k < 3; k++) {
        wide it;
        wide_open(&it, kinds[k].what.kind, kinds[k].what.settings, 130);
        naive now = {.n = it.n, .iterations = 2};
        for (uint32_t tick = 0; tick < 40; tick++) {
            wide_ask_randomly(&it, (uint32_t[]){10, 60, 300, 1000}[tick % 4]);
            copy_wants(&it, wants);
            weft_random random = weft_random_stream(5, tick, 0, WEFT_FOR_ARBITER);
            wide_match(&it);
            for (uint32_t x = 0; x < it.n; x++)
                now.to[x] = -1;
            kinds[k].step(&now, wants, &random);
            for (uint32_t x = 0; x < it.n; x++)
                assert_int_equal(wide_output(&it, x), now.to[x]);
        }
        wide_close(&it);
    }
}

/* ---- promises at 128, 256 and 1,024 lines ---- */

/* One to one and within the requests; returns how many pairs there are. */
static uint32_t assert_good(const wide *it)
{
    uint64_t taken[WEFT_WIDE_WORDS] = {0};
    uint32_t pairs = 0;
    for (uint32_t x = 0; x < it->n; x++) {
        int y = wide_output(it, x);
        if (y < 0)
            continue;
        assert_true((uint32_t)y < it->n && it->length[x * it->n + (uint32_t)y] > 0);
        assert_false(weft_set_has(it->words, taken, (uint32_t)y));
        weft_set_add(it->words, taken, (uint32_t)y);
        pairs++;
    }
    assert_int_equal(weft_set_count(it->words, it->match.inputs), pairs);
    assert_true(pairs > 0);
    return pairs;
}

static bool is_maximal(const wide *it)
{
    uint64_t taken[WEFT_WIDE_WORDS] = {0};
    for (uint32_t x = 0; x < it->n; x++)
        if (wide_output(it, x) >= 0)
            weft_set_add(it->words, taken, (uint32_t)wide_output(it, x));
    for (uint32_t k = 0; k < it->n * it->n; k++)
        if (it->length[k] && wide_output(it, k / it->n) < 0 &&
            !weft_set_has(it->words, taken, k % it->n))
            return false;
    return true;
}

static void matches_keep_their_promises(void **state)
{
    (void)state;
    static const uint32_t sides[] = {128, 256, 1024};
    for (size_t s = 0; s < 3; s++)
        for (size_t k = 0; k < EXAMPLES; k++) {
            const char *kind = examples[k].kind;
            bool maximal = !strcmp(kind, "wavefront") || !strcmp(kind, "random") ||
                           !strcmp(kind, "max-size") || !strcmp(kind, "max-weight");
            if (!strcmp(kind, "max-weight") && sides[s] > 128)
                continue;
            wide it;
            wide_open(&it, kind, examples[k].settings, sides[s]);
            for (uint32_t tick = 0; tick < (sides[s] > 256 ? 2 : 6); tick++) {
                wide_ask_randomly(&it, (uint32_t[]){1, 20, 800}[tick % 3]);
                wide_match(&it);
                (void)assert_good(&it);
                assert_true(!maximal || is_maximal(&it));
            }
            wide_close(&it);
        }
}

/* The greatest number of pairs by breadth-first augmenting paths, independent of the kind's
 * search. */
typedef struct paths {
    const wide *of;
    int owner[256], mate[256]; /* of outputs, of inputs */
    uint32_t from[256];        /* per output: the input it was reached from */
    uint32_t line[256];        /* inputs to go on from */
} paths;

static bool extend(paths *all, uint32_t root)
{
    const wide *it = all->of;
    bool seen[256] = {false};
    uint32_t tail = 1;
    all->line[0] = root;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t y = 0; y < it->n; y++) {
            uint32_t x = all->line[head];
            if (seen[y] || !it->length[x * it->n + y])
                continue;
            seen[y] = true;
            all->from[y] = x;
            if (all->owner[y] >= 0) {
                all->line[tail++] = (uint32_t)all->owner[y];
                continue;
            }
            for (int at = (int)y, next; at >= 0; at = next) {
                uint32_t back = all->from[at];
                next = all->mate[back];
                all->owner[at] = (int)back;
                all->mate[back] = at;
            }
            return true;
        }
    return false;
}

static uint32_t greatest_size(const wide *it)
{
    paths all = {.of = it};
    uint32_t pairs = 0;
    for (uint32_t k = 0; k < 256; k++)
        all.owner[k] = all.mate[k] = -1;
    for (uint32_t x = 0; x < it->n; x++)
        pairs += extend(&all, x);
    return pairs;
}

static void maximum_size_is_what_another_search_finds(void **state)
{
    (void)state;
    for (uint32_t n = 128; n <= 256; n *= 2) {
        wide it;
        wide_open(&it, "max-size", "", n);
        for (uint32_t tick = 0; tick < 40; tick++) {
            wide_ask_randomly(&it, 2 + tick);
            wide_match(&it);
            assert_int_equal(assert_good(&it), greatest_size(&it));
        }
        wide_close(&it);
    }
}

/* Lengths u + v − slack, no slack on one permutation: its weight is the greatest, by duality. */
static void maximum_weight_is_the_dual_bound(void **state)
{
    (void)state;
    wide it;
    wide_open(&it, "max-weight", "", 128);
    for (uint32_t tick = 0; tick < 4; tick++) {
        uint32_t u[128], v[128], order[128], sum = 0, weight = 0;
        for (uint32_t k = 0; k < it.n; k++) {
            uint32_t at = weft_random_below(&it.random, k + 1);
            order[k] = order[at];
            order[at] = k;
            u[k] = 1 + weft_random_below(&it.random, 50);
            v[k] = 1 + weft_random_below(&it.random, 50);
            sum += u[k] + v[k];
        }
        for (uint32_t k = 0; k < it.n * it.n; k++) {
            uint32_t x = k / it.n, y = k % it.n, most = u[x] + v[y];
            it.length[k] = order[x] == y ? most : weft_random_below(&it.random, most + 1);
        }
        wide_take_lengths(&it);
        wide_match(&it);
        (void)assert_good(&it);
        for (uint32_t x = 0; x < it.n; x++)
            weight += wide_output(&it, x) < 0 ? 0 : it.length[x * it.n + it.match.output[x]];
        assert_int_equal(weight, sum);
    }
    wide_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_wide_form_and_an_example),
        cmocka_unit_test(up_to_64_lines_both_forms_are_the_same),
        cmocka_unit_test(kinds_with_pointers_are_their_naive_forms),
        cmocka_unit_test(the_others_are_their_naive_forms),
        cmocka_unit_test(matches_keep_their_promises),
        cmocka_unit_test(maximum_size_is_what_another_search_finds),
        cmocka_unit_test(maximum_weight_is_the_dual_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
