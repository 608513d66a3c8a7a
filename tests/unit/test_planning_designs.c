/* SPDX-License-Identifier: Apache-2.0 */
/* Of what a family of fabrics proposes the plan keeps those that none with fewer switches equals,
 * and of many of these a few, from the cheapest to the best. */
#include "planning/design.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Nine that are better the more switches they have, in no order; one as good as a cheaper one, one
 * of few endpoints. */
static void propose(const void *settings, weft_design_list *list)
{
    static const uint64_t switches[] = {50, 20, 90, 10, 40, 80, 30, 70, 60};
    (void)settings;
    weft_design one = {.name = "one", .topology = "{}", .routing = "{}", .endpoints = 100};
    for (int i = 0; i < 9; i++) {
        one.switches = switches[i];
        one.quality = (double)switches[i] / 10;
        weft_design_propose(list, &one);
    }
    one.switches = 75;
    one.quality = 7;
    weft_design_propose(list, &one);
    one.endpoints = 99;
    weft_design_propose(list, &one);
}

static void check(size_t most, size_t count, const uint64_t *switches)
{
    weft_arena arena;
    weft_design_list list;
    weft_design_kind kind = {.base = {.name = "own"}, .propose = propose, .most = most};
    weft_requirements wanted = {.endpoints = 100};
    wanted.constraints.largest = 1;
    wanted.fabrics.at[0] = (weft_kind_ref){.kind = &kind.base};
    wanted.fabrics.count = 1;
    weft_arena_init(&arena);
    weft_design_find(&list, &wanted, &arena);
    assert_int_equal(list.n_fabrics, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list.fabrics[i].switches, switches[i]);
        assert_string_equal(list.fabrics[i].family, "own");
    }
    assert_int_equal(list.nearest.endpoints, 99);
    weft_arena_done(&arena);
}

static void a_few_of_many_are_kept(void **state)
{
    (void)state;
    check(9, 9, (const uint64_t[]){10, 20, 30, 40, 50, 60, 70, 80, 90});
    check(4, 4, (const uint64_t[]){10, 30, 60, 90});
    check(2, 2, (const uint64_t[]){10, 90});
    check(1, 1, (const uint64_t[]){10});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_of_many_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
