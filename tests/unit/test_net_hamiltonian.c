/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/hamiltonian.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { K_MOST = 32 };

/* The router a step leads to. */
static uint32_t neighbour(uint32_t k, uint32_t router, weft_cycle_step step)
{
    uint32_t at[2] = {router / k, router % k};
    at[step.dim] = (at[step.dim] + (step.step > 0 ? 1 : k - 1)) % k;
    return at[0] * k + at[1];
}

static void cycles_are_hamiltonian(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= K_MOST; k++)
        for (uint32_t c = 0; c < WEFT_CYCLES_OF_A_TORUS; c++) {
            uint8_t *seen = calloc(k * k, 1);
            uint32_t router = 0;
            for (uint32_t i = 0; i < k * k; i++) {
                assert_int_equal(seen[router], 0);
                seen[router] = 1;
                router = neighbour(k, router, weft_cycle_next(k, c, router));
            }
            assert_int_equal(router, 0);
            free(seen);
        }
}

/* Together they take each of the 4 k² directed links once. */
static void cycles_share_no_link(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= K_MOST; k++) {
        uint8_t *used = calloc((size_t)k * k * 4, 1);
        for (uint32_t c = 0; c < WEFT_CYCLES_OF_A_TORUS; c++)
            for (uint32_t r = 0; r < k * k; r++) {
                weft_cycle_step step = weft_cycle_next(k, c, r);
                size_t link = (size_t)r * 4 + step.dim * 2 + (step.step < 0);
                assert_int_equal(used[link], 0);
                used[link] = 1;
            }
        for (size_t l = 0; l < (size_t)k * k * 4; l++)
            assert_int_equal(used[l], 1);
        free(used);
    }
}

static void places_follow_the_steps(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= K_MOST; k++)
        for (uint32_t c = 0; c < WEFT_CYCLES_OF_A_TORUS; c++)
            for (uint32_t r = 0; r < k * k; r++) {
                uint32_t next = neighbour(k, r, weft_cycle_next(k, c, r));
                uint32_t place = weft_cycle_place(k, c, r);
                assert_int_equal(weft_cycle_place(k, c, next), (place + 1) % (k * k));
                assert_int_equal(weft_cycle_router(k, c, place), r);
                assert_int_equal(weft_cycle_hops(k, c, r, next), 1);
                assert_int_equal(weft_cycle_hops(k, c, next, r), k * k - 1);
            }
}

/* The first cycle of a 4×4 torus, as it is drawn. */
static void the_cycle_of_sixteen_is_the_drawn_one(void **state)
{
    (void)state;
    static const uint32_t drawn[16] = {0, 1, 2, 3, 7, 4, 5, 6, 10, 11, 8, 9, 13, 14, 15, 12};
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(weft_cycle_router(4, 0, i), drawn[i]);
}

/* Over all pairs, the shortest of the four. */
static double mean_hops(uint32_t k)
{
    double sum = 0, pairs = (double)k * k * (k * k - 1.0);
    for (uint32_t from = 0; from < k * k; from++)
        for (uint32_t to = 0; to < k * k; to++) {
            uint32_t least = UINT32_MAX;
            for (uint32_t c = 0; c < WEFT_CYCLES_OF_A_TORUS; c++) {
                uint32_t hops = weft_cycle_hops(k, c, from, to);
                least = hops < least ? hops : least;
            }
            sum += least;
        }
    return sum / pairs;
}

static void mean_lengths_are_known(void **state)
{
    (void)state;
    assert_float_equal(mean_hops(4), 3.07, 0.005);
    assert_float_equal(mean_hops(8), 11.14, 0.005);
    assert_float_equal(mean_hops(16), 43.22, 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_hamiltonian),
        cmocka_unit_test(cycles_share_no_link),
        cmocka_unit_test(places_follow_the_steps),
        cmocka_unit_test(the_cycle_of_sixteen_is_the_drawn_one),
        cmocka_unit_test(mean_lengths_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
