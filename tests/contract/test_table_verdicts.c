/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables of a few thousand routers; tests/long has a hundred thousand. */
#include "contract/table_verdict.h"

static void tables_in_dimension_order_are_free(void **state)
{
    (void)state;
    mesh_tables mesh = {.size = {22, 21, 20}, .homes = 5000};
    table_verdict(&mesh, 2, 0, (int64_t)1 << 30);
}

static void tables_in_two_orders_have_a_circle(void **state)
{
    (void)state;
    mesh_tables mesh = {.size = {15, 14, 13}, .homes = 2000, .mixed = true};
    table_verdict(&mesh, 2, 0, (int64_t)1 << 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_in_dimension_order_are_free),
        cmocka_unit_test(tables_in_two_orders_have_a_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
