/* SPDX-License-Identifier: Apache-2.0 */
/* base/: the arena, growing texts, memory from the system, status and the random streams.
 *
 * Philox is compared with the known answers that its authors publish with Random123 (kat_vectors);
 * uniformity with chi-square at a fixed seed, so the test is exact: it can only ever fail after a
 * change. */
#include "base/arena.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/philox.h"
#include "base/suggest.h"
#include "base/text.h"
#include "interweft/random.h"
#include "interweft/status.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- arena ------------------------------------------------------------------------------- */

static bool all_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        unsigned char *taken = weft_arena_take(&arena, bytes);
        assert_non_null(taken);
        assert_int_equal((uintptr_t)taken % _Alignof(max_align_t), 0);
        assert_true(all_zero(taken, bytes));
        memset(taken, 0xff, bytes); /* would show if two allocations overlapped */
    }
    weft_arena_done(&arena);
}

static void arena_takes_more_than_a_slab(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    size_t large = (size_t)1 << 20;
    unsigned char *first = WEFT_TAKE(&arena, unsigned char, large);
    unsigned char *second = WEFT_TAKE(&arena, unsigned char, 3);
    memset(first, 1, large);
    assert_true(all_zero(second, 3));
    assert_true(arena.used >= large + 3);
    weft_arena_done(&arena);
    assert_null(arena.slabs);
    assert_int_equal(arena.used, 0);
}

static void arena_copies_and_formats_text(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    assert_string_equal(weft_arena_copy(&arena, "torus and mesh", 5), "torus");
    assert_string_equal(weft_arena_copy(&arena, "", 0), "");
    assert_string_equal(weft_arena_format(&arena, "%d of %s", 3, "ten"), "3 of ten");
    assert_string_equal(weft_arena_format(&arena, "%s", ""), "");
    weft_arena_done(&arena);
}

/* ---- text -------------------------------------------------------------------------------- */

static void text_grows_past_every_capacity(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    for (int i = 0; i < 1000; i++)
        weft_text_add(&text, "%03d,", i);
    weft_text_append(&text, "end and more", 3);
    weft_text_append(&text, "", 0);
    assert_int_equal(text.length, 4003);
    assert_memory_equal(text.at, "000,001,", 8);
    assert_string_equal(text.at + 3996, "999,end");
    weft_text_done(&text);
    assert_null(text.at);
}

static void text_taken_is_never_null(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    char *nothing = weft_text_take(&text);
    assert_string_equal(nothing, "");
    free(nothing);
    weft_text_add(&text, "%s", "");
    weft_text_add(&text, "x%cy", '=');
    char *taken = weft_text_take(&text);
    assert_string_equal(taken, "x=y");
    assert_int_equal(text.length, 0);
    free(taken);
    weft_text_done(&text);
}

static void names_are_ordered_by_their_numbers(void **state)
{
    (void)state;
    assert_true(weft_text_order("node2", "node10") < 0);
    assert_true(weft_text_order("node10", "node2") > 0);
    assert_true(weft_text_order("rack2-node9", "rack2-node10") < 0);
    assert_true(weft_text_order("node", "node1") < 0);
    assert_true(weft_text_order("leaf3", "spine1") < 0);
    assert_int_equal(weft_text_order("node7", "node7"), 0);
}

static void text_distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(weft_text_distance("header", "header", 1000), 0);
    assert_int_equal(weft_text_distance("headr", "header", 1000), 1);
    assert_int_equal(weft_text_distance("kitten", "sitting", 1000), 3);
    assert_int_equal(weft_text_distance("", "abc", 1000), 3);
    assert_int_equal(weft_text_distance("abc", "", 1000), 3);
    assert_int_equal(weft_text_distance("abc", "acb", 1000), 2);
    assert_int_equal(weft_text_distance("sitting", "kitten", 1000), 3);
    assert_int_equal(weft_text_distance("sitting", "kitten", 4), 3);
    assert_int_equal(weft_text_distance("sitting", "kitten", 3), 3);
    assert_int_equal(weft_text_distance("sitting", "kitten", 2), 2);
    assert_int_equal(weft_text_distance("", "kitten", 6), 6);
    assert_int_equal(weft_text_distance("", "kitten", 7), 6);
}

static void text_distance_looks_at_64_characters(void **state)
{
    (void)state;
    char a[201], b[201];
    memset(a, 'a', 200);
    memset(b, 'b', 200);
    a[200] = b[200] = '\0';
    assert_int_equal(weft_text_distance(a, b, 1000), 64);
    assert_int_equal(weft_text_distance(a, "a", 1000), 63);
}

/* ---- memory ------------------------------------------------------------------------------ */

static void memory_is_zeroed_and_grows(void **state)
{
    (void)state;
    unsigned char *bytes = weft_alloc(1000);
    assert_true(all_zero(bytes, 1000));
    memset(bytes, 7, 1000);
    bytes = weft_realloc(bytes, 2000, 2);
    assert_int_equal(bytes[999], 7);
    free(bytes);
    void *none = weft_alloc(0);
    assert_non_null(none);
    free(none);
}

static void memory_region_costs_only_what_is_touched(void **state)
{
    (void)state;
    size_t size = (size_t)1 << 30;
    int64_t before = weft_memory_resident();
    unsigned char *region = weft_region_create(size);
    assert_int_equal(region[0], 0);
    assert_int_equal(region[size - 1], 0);
    region[size / 2] = 1;
    assert_true(weft_memory_resident() - before < (int64_t)(size / 8));
    weft_region_destroy(region, size);
    weft_region_destroy(NULL, 0);
}

static void memory_region_keeps_its_content_when_it_grows(void **state)
{
    (void)state;
    size_t size = (size_t)3 << 20;
    unsigned char *region = weft_region_resize(NULL, 0, 5000);
    region[4999] = 7;
    region = weft_region_resize(region, 5000, size);
    assert_int_equal(region[4999], 7);
    assert_int_equal(region[size - 1], 0);
    weft_region_destroy(region, size);
}

static void memory_figures_are_plausible(void **state)
{
    (void)state;
    assert_true(weft_memory_resident() > 100 * 1024);
    assert_true(weft_memory_peak() >= weft_memory_resident());
    assert_true(weft_memory_available() > 0);
}

/* ---- status ------------------------------------------------------------------------------ */

static weft_status fails_twice(weft_error *err)
{
    WEFT_TRY(WEFT_OK);
    WEFT_TRY(weft_fail(err, WEFT_BAD_INPUT, "line %d: %s", 4, "wrong"));
    return weft_fail(err, WEFT_BROKEN, "not reached");
}

static void status_carries_the_first_sentence(void **state)
{
    (void)state;
    weft_error err;
    assert_int_equal(fails_twice(&err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "line 4: wrong");
    assert_int_equal(fails_twice(NULL), WEFT_BAD_INPUT);
}

static void status_cuts_a_long_sentence(void **state)
{
    (void)state;
    weft_error err;
    assert_int_equal(weft_fail(&err, WEFT_BROKEN, "%05000d", 1), WEFT_BROKEN);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

/* ---- random ------------------------------------------------------------------------------ */

static void philox_gives_the_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t out[4];
        philox4x32_ctr_t block = weft_philox(known[i].key, known[i].counter);
        memcpy(out, block.v, sizeof out);
        assert_memory_equal(out, known[i].answer, sizeof out);
    }
}

/* Word i of a stream is word i mod 4 of the block with counter i / 4. */
static void random_stream_is_its_blocks_in_order(void **state)
{
    (void)state;
    uint64_t seed = 0x0123456789abcdef, index = 0x0000000500000007;
    weft_random random = weft_random_stream(seed, index, 42, WEFT_FOR_HOP);
    for (uint32_t block = 0; block < 3; block++) {
        philox4x32_ctr_t out = weft_philox((uint32_t[2]){0x89abcdef, 0x01234567},
                                           (uint32_t[4]){block, 7, 42, 5u << 8 | WEFT_FOR_HOP});
        for (int i = 0; i < 4; i++)
            assert_int_equal(weft_random_word(&random), out.v[i]);
    }
}

static void random_streams_differ_in_every_part(void **state)
{
    (void)state;
    weft_random streams[] = {
        weft_random_stream(1, 1, 1, WEFT_FOR_MESSAGE),
        weft_random_stream(2, 1, 1, WEFT_FOR_MESSAGE),
        weft_random_stream(1 | 1ull << 32, 1, 1, WEFT_FOR_MESSAGE),
        weft_random_stream(1, 2, 1, WEFT_FOR_MESSAGE),
        weft_random_stream(1, 1 | 1ull << 32, 1, WEFT_FOR_MESSAGE),
        weft_random_stream(1, 1, 2, WEFT_FOR_MESSAGE),
        weft_random_stream(1, 1, 1, WEFT_FOR_ESTIMATE),
    };
    enum { COUNT = sizeof streams / sizeof *streams };
    uint64_t draw[COUNT];
    for (int i = 0; i < COUNT; i++) {
        uint64_t high = weft_random_word(&streams[i]);
        draw[i] = high << 32 | weft_random_word(&streams[i]);
        for (int j = 0; j < i; j++)
            assert_true(draw[i] != draw[j]);
    }
}

/* Chi-square of `draws` values below n against the uniform distribution. */
static double chi_square(uint64_t seed, uint32_t n, uint32_t draws)
{
    uint32_t *count = weft_alloc(n * sizeof *count);
    weft_random random = weft_random_stream(seed, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t i = 0; i < draws; i++) {
        uint32_t value = weft_random_below(&random, n);
        assert_true(value < n);
        count[value]++;
    }
    double expected = (double)draws / n, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    free(count);
    return sum;
}

static void random_below_is_uniform(void **state)
{
    (void)state;
    /* 99.9 % quantiles of chi-square with n − 1 degrees of freedom */
    static const struct {
        uint32_t n;
        double limit;
    } cases[] = {{2, 10.83}, {3, 13.82}, {7, 22.46}, {16, 37.70}, {101, 149.45}, {1000, 1142.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(chi_square(i + 1, cases[i].n, cases[i].n * 2000) < cases[i].limit);
}

/* With n = 3·2^30 plain multiplication gives floor(3w/4) = 0 0 1 2, 3 3 4 5, …: multiples of three
 * twice as often as the others. The rejection takes that away. */
static void random_below_is_exact_for_large_n(void **state)
{
    (void)state;
    uint32_t n = 3u << 30, draws = 300000;
    uint32_t count[3] = {0};
    weft_random random = weft_random_stream(9, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t i = 0; i < draws; i++) {
        uint32_t value = weft_random_below(&random, n);
        assert_true(value < n);
        count[value % 3]++;
    }
    for (int i = 0; i < 3; i++) /* five standard deviations of a third of the draws */
        assert_in_range(count[i], draws / 3 - 1291, draws / 3 + 1291);
}

static void random_below_one_is_zero(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(3, 0, 0, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < 100; i++)
        assert_int_equal(weft_random_below(&random, 1), 0);
    assert_true(weft_random_below(&random, UINT32_MAX) < UINT32_MAX);
}

static void random_open_stays_inside(void **state)
{
    (void)state;
    weft_random random = {.word = {0, UINT32_MAX}, .left = 2};
    double top = weft_random_open(&random), bottom = weft_random_open(&random);
    assert_true(top < 1.0 && 1.0 - top < 1e-9);
    assert_true(bottom > 0.0 && bottom < 1e-9);
    random = weft_random_stream(5, 0, 0, WEFT_FOR_ESTIMATE);
    double sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += weft_random_open(&random);
    assert_true(sum > 50000 - 457 && sum < 50000 + 457); /* five standard deviations */
}

static void digits_for_people_have_no_exponent(void **state)
{
    (void)state;
    char text[WEFT_DIGITS_TEXT];
    assert_string_equal(weft_digits_plain(text, 71590.4, 4), "71590");
    assert_string_equal(weft_digits_plain(text, 3.14159, 4), "3.142");
    assert_string_equal(weft_digits_plain(text, 0, 4), "0");
    assert_string_equal(weft_digits_plain(text, 1e300, 4), "1e+300");
}

static void digits_read_back_and_know_what_is_no_number(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *exact, *shortest, *plain; /* of 4 digits */
    } rows[] = {
        {0.1, "0.10000000000000001", "0.1", "0.1"},
        {1.0 / 3, "0.33333333333333331", "0.3333333333333333", "0.3333"},
        {0.1 + 0.2, "0.30000000000000004", "0.30000000000000004", "0.3"},
        {-2, "-2", "-2", "-2"},
        {1e22, "1e+22", "1e+22", "1e+22"},
        {9999, "9999", "9999", "9999"},
        {-12345.5, "-12345.5", "-12345.5", "-12346"},
        {999999999999999, "999999999999999", "999999999999999", "999999999999999"},
        {1e15, "1000000000000000", "1e+15", "1e+15"},
        {(double)NAN, "nan", "nan", "nan"},
        {(double)INFINITY, "inf", "inf", "inf"},
        {-(double)INFINITY, "-inf", "-inf", "-inf"},
    };
    char text[WEFT_DIGITS_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(weft_digits_exact(text, rows[i].value), rows[i].exact);
        assert_string_equal(weft_digits_short(text, rows[i].value), rows[i].shortest);
        assert_string_equal(weft_digits_plain(text, rows[i].value, 4), rows[i].plain);
    }
}

/* ---- suggestions ------------------------------------------------------------------------- */

static void the_nearest_word_is_suggested(void **state)
{
    (void)state;
    static const struct {
        const char *word, *offers[3], *said;
    } rows[] = {
        {"tours", {"mesh", "torus"}, "; did you mean 'torus'?"},
        {"torus", {"torus"}, ""},
        {"xy", {"zw"}, ""}, /* nothing in common */
        {"minimal", {"minimum"}, "; did you mean 'minimum'?"},
        {"abcdefghi", {"abcdefxyz"}, "; did you mean 'abcdefxyz'?"},
        {"abcdefgh", {"abcdexyz"}, ""}, /* three of eight */
        {"lanes", {"planes", "vcs"}, "; it is called 'vcs' now"},
        {"lanes", {"channels", "planes"}, "; it is called 'channels' now"},
        {"lanes", {"lines"}, "; did you mean 'lines'?"},
        {"lane", {"line", "vc", "late"}, "; it is called 'vc' now"},
        {"inner-lanes", {"inner-vcs"}, "; it is called 'inner-vcs' now"},
        {"bandwidth", {"band", "rate"}, "; did you mean 'rate'?"},
        {"speed", {"latency"}, ""},
        {"p", {"ports", "hosts"}, "; did you mean 'hosts'?"},
        {"nothing", {NULL}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weft_suggest suggest = {.word = rows[i].word};
        for (size_t k = 0; k < 3 && rows[i].offers[k]; k++)
            weft_suggest_offer(&suggest, rows[i].offers[k]);
        assert_string_equal(weft_suggest_text(&suggest), rows[i].said);
    }
}

/* A checkpoint is asked for once; a stop stays. */
static void a_request_is_taken_from_its_flag(void **state)
{
    (void)state;
    int flag = WEFT_REQUEST_NONE;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_NONE);
    flag = WEFT_REQUEST_CHECKPOINT;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_CHECKPOINT);
    assert_int_equal(flag, WEFT_REQUEST_NONE);
    flag = WEFT_REQUEST_STOP;
    assert_int_equal(weft_request_flag(&flag), WEFT_REQUEST_STOP);
    assert_int_equal(flag, WEFT_REQUEST_STOP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_takes_more_than_a_slab),
        cmocka_unit_test(arena_copies_and_formats_text),
        cmocka_unit_test(text_grows_past_every_capacity),
        cmocka_unit_test(text_taken_is_never_null),
        cmocka_unit_test(names_are_ordered_by_their_numbers),
        cmocka_unit_test(text_distance_counts_edits),
        cmocka_unit_test(text_distance_looks_at_64_characters),
        cmocka_unit_test(memory_is_zeroed_and_grows),
        cmocka_unit_test(memory_region_costs_only_what_is_touched),
        cmocka_unit_test(memory_region_keeps_its_content_when_it_grows),
        cmocka_unit_test(memory_figures_are_plausible),
        cmocka_unit_test(status_carries_the_first_sentence),
        cmocka_unit_test(status_cuts_a_long_sentence),
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(random_stream_is_its_blocks_in_order),
        cmocka_unit_test(random_streams_differ_in_every_part),
        cmocka_unit_test(random_below_is_uniform),
        cmocka_unit_test(random_below_is_exact_for_large_n),
        cmocka_unit_test(random_below_one_is_zero),
        cmocka_unit_test(random_open_stays_inside),
        cmocka_unit_test(digits_for_people_have_no_exponent),
        cmocka_unit_test(digits_read_back_and_know_what_is_no_number),
        cmocka_unit_test(the_nearest_word_is_suggested),
        cmocka_unit_test(a_request_is_taken_from_its_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
