/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a search that is not finished: what was found comes back, and a file that says what
 * cannot have been found in the parts that are done is not used. */
#include "base/file.h"
#include "study/crossbar/crossbar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define FILE_NAME "test_crossbar_state.search"

/* A point of 25 matrices in parts of 10, of which the first and the last are done. */
typedef struct one_search {
    uint8_t marks[3], *done[1];
    weft_xbar_spread spread[1];
    weft_crossbar_search_state state;
} one_search;

static const size_t parts[] = {3};
static const uint64_t totals[] = {25}, sizes[] = {10};
static const uint32_t side[] = {3}, keep[] = {2};

static void make(one_search *s)
{
    *s = (one_search){.marks = {0}};
    s->done[0] = s->marks;
    s->state = (weft_crossbar_search_state){.identity = 7,
                                            .points = 1,
                                            .parts = parts,
                                            .totals = totals,
                                            .sizes = sizes,
                                            .side = side,
                                            .keep = keep,
                                            .done = s->done,
                                            .spread = s->spread};
}

static void add(one_search *s, uint64_t index)
{
    weft_xbar_steady steady = {.exact = true, .share = {.served = 5 + index % 3, .slots = 9}};
    weft_xbar_spread_add(&s->spread[0], index, &steady);
}

static void fill(one_search *s)
{
    make(s);
    s->marks[0] = s->marks[2] = 1;
    weft_xbar_spread_init(&s->spread[0], 3, 2);
    for (uint64_t i = 0; i < 25; i++)
        if (i < 10 || i >= 20)
            add(s, i);
}

/* Writes it and reads it again: is what comes back used? */
static bool comes_back(one_search *wrote)
{
    weft_error err;
    one_search again;
    make(&again);
    assert_int_equal(weft_crossbar_search_state_write(&wrote->state, FILE_NAME, &err), WEFT_OK);
    assert_int_equal(weft_crossbar_search_state_read(&again.state, FILE_NAME, &err), WEFT_OK);
    bool used = again.spread[0].rows != NULL;
    assert_int_equal(again.marks[0], used);
    if (used)
        assert_int_equal(again.spread[0].matrices, wrote->spread[0].matrices);
    weft_xbar_spread_done(&again.spread[0]);
    weft_xbar_spread_done(&wrote->spread[0]);
    (void)unlink(FILE_NAME);
    return used;
}

static void what_was_found_comes_back(void **state)
{
    (void)state;
    one_search s;
    fill(&s);
    assert_true(comes_back(&s));
}

static void what_cannot_have_been_found_is_not_used(void **state)
{
    (void)state;
    one_search s;
    fill(&s);
    s.spread[0].worst[1].index = 25; /* the search has matrices 0 … 24 */
    assert_false(comes_back(&s));
    fill(&s);
    s.marks[1] = 2; /* a part is done or not */
    assert_false(comes_back(&s));
    fill(&s);
    add(&s, 3); /* more matrices than the parts have */
    assert_false(comes_back(&s));
    fill(&s);
    s.spread[0].matrices++; /* more than its rows count */
    assert_false(comes_back(&s));
    fill(&s);
    s.spread[0].unsettled = 16;
    assert_false(comes_back(&s));
    make(&s); /* done, but nothing was found */
    s.marks[0] = 1;
    weft_xbar_spread_init(&s.spread[0], 3, 2);
    assert_false(comes_back(&s));
}

/* That is no error. */
static void a_file_that_is_cut_is_not_used(void **state)
{
    (void)state;
    weft_error err;
    weft_bytes whole;
    one_search s;
    fill(&s);
    assert_int_equal(weft_crossbar_search_state_write(&s.state, FILE_NAME, &err), WEFT_OK);
    weft_xbar_spread_done(&s.spread[0]);
    assert_int_equal(weft_bytes_read(FILE_NAME, 1 << 20, "a search", &whole, &err), WEFT_OK);
    assert_true(whole.count > 20);
    const size_t counts[] = {0, 19, 20, whole.count / 2, whole.count - 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        make(&s);
        assert_int_equal(weft_bytes_write(FILE_NAME, whole.at, counts[i], &err), WEFT_OK);
        assert_int_equal(weft_crossbar_search_state_read(&s.state, FILE_NAME, &err), WEFT_OK);
        assert_true(!s.spread[0].rows && !s.marks[0]);
    }
    free(whole.at);
    (void)unlink(FILE_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_found_comes_back),
        cmocka_unit_test(what_cannot_have_been_found_is_not_used),
        cmocka_unit_test(a_file_that_is_cut_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
