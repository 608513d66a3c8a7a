/* SPDX-License-Identifier: Apache-2.0 */
/* A search through all matrices of a size: each is looked at once, by lanes and one by one, and one
 * that is told to stop says so. */
#include "crossbar/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/bench.h"

static bool never(void *user, uint64_t done)
{
    (void)user, (void)done;
    return false;
}

static bool at_once(void *user, uint64_t done)
{
    *(uint64_t *)user = done;
    return true;
}

/* The 26,796 matrices with n = 3 and d = 20. */
static weft_status search(uint32_t width, bool (*stop)(void *user, uint64_t done), uint64_t *done,
                          weft_xbar_spread *spread, weft_error *err)
{
    static const uint32_t any[9] = {20, 0, 0, 0, 20, 0, 0, 0, 20};
    const trial t = {"islip", "", .n = 3, .d = 20, .cell = any};
    const weft_xbar_search_watch watch = {.stop = stop, .user = done};
    bench b;
    weft_xbar_counter *counter;
    open_bench(&b, &t);
    const weft_xbar_search_plan plan = {.scheduler = &b.scheduler,
                                        .n = 3,
                                        .d = 20,
                                        .scale = 1,
                                        .stretch = 1,
                                        .arrivals.burst = 1,
                                        .steady.cap = 20000,
                                        .width = width};
    assert_int_equal(weft_xbar_counter_create(3, 20, &counter, err), WEFT_OK);
    uint64_t all = weft_xbar_counter_total(counter);
    assert_int_equal(all, 26796);
    weft_xbar_spread_init(spread, 3, 1);
    weft_status status = weft_xbar_search_range(&plan, counter, 0, all, &watch, spread, err);
    weft_xbar_counter_destroy(counter);
    close_bench(&b);
    return status;
}

static const uint32_t widths[] = {WEFT_WIDTH_OBJECT, WEFT_WIDTH_BEST};

static void every_matrix_is_looked_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        weft_xbar_spread spread;
        weft_error err = {""};
        assert_int_equal(search(widths[i], never, NULL, &spread, &err), WEFT_OK);
        assert_int_equal(spread.matrices, 26796);
        weft_xbar_spread_done(&spread);
    }
}

/* It asks whenever 1,024 more have ended; up to 512 lanes may end together. */
static void a_search_that_is_stopped_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        weft_xbar_spread spread;
        weft_error err = {""};
        uint64_t done = 0;
        assert_int_equal(search(widths[i], at_once, &done, &spread, &err), WEFT_STOPPED);
        assert_string_equal(err.text, "stopped; the same command goes on");
        assert_in_range(done, 1024, 1024 + 512);
        weft_xbar_spread_done(&spread);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_matrix_is_looked_at_once),
        cmocka_unit_test(a_search_that_is_stopped_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
