/* SPDX-License-Identifier: Apache-2.0 */
/* ts' proportional selection: the first dimension has one share too many and the last one too
 * few. */
#include "net/selection.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { DRAWS = 60000 };

/* How often each of three dimensions comes first. */
static void count_first(const weft_selection_kind *kind, const uint16_t hops[3], uint32_t counts[3])
{
    for (uint32_t i = 0; i < DRAWS; i++) {
        weft_minimal_port ways[3];
        for (uint16_t d = 0; d < 3; d++)
            ways[d] = (weft_minimal_port){.port = d, .hops = hops[d], .dim = d};
        weft_random random = weft_random_stream(3, i, 0, WEFT_FOR_ESTIMATE);
        kind->rank(NULL, ways, 3, 1, &random);
        counts[ways[0].port]++;
    }
}

static void assert_share(uint32_t count, double share)
{
    assert_true(fabs((double)count / DRAWS - share) <= 4 * sqrt(share * (1 - share) / DRAWS));
}

static void shares_are_those_of_ts(void **state)
{
    (void)state;
    const uint16_t hops[3] = {2, 1, 3}, ones[3] = {1, 1, 1};
    uint32_t ts[3] = {0}, right[3] = {0}, even[3] = {0};
    count_first(&weft_selection_proportional_ts, hops, ts);
    count_first(&weft_selection_proportional, hops, right);
    count_first(&weft_selection_proportional_ts, ones, even);
    for (int d = 0; d < 3; d++) {
        assert_share(ts[d], (hops[d] + (d == 0) - (d == 2)) / 6.0);
        assert_share(right[d], hops[d] / 6.0);
    }
    assert_share(even[0], 2 / 3.0);
    assert_int_equal(even[2], 0);
}

/* A whole ranking keeps every way. */
static void all_ways_are_ranked(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        weft_minimal_port ways[4];
        uint32_t seen = 0;
        for (uint16_t d = 0; d < 4; d++)
            ways[d] =
                (weft_minimal_port){.port = d, .hops = (uint16_t)(1 + (i >> d) % 5), .dim = d};
        weft_random random = weft_random_stream(4, i, 0, WEFT_FOR_ESTIMATE);
        weft_selection_proportional_ts.rank(NULL, ways, 4, 4, &random);
        for (int d = 0; d < 4; d++)
            seen |= 1u << ways[d].port;
        assert_int_equal(seen, 15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_those_of_ts),
                                       cmocka_unit_test(all_ways_are_ranked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
