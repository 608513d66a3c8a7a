/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on forwarding tables of a hundred thousand routers, from reading their file to the
 * answer: within 60 s of one core and 4 GiB. */
#include "contract/table_verdict.h"
#include "sanitized.h"

#define SECONDS 60
#define BYTES   ((int64_t)4 << 30)

static void large_tables_have_their_verdict(void **state)
{
    (void)state;
    if (SANITIZED)
        skip(); /* takes longer and more memory */
    for (int mixed = 0; mixed < 2; mixed++) {
        mesh_tables mesh = {.size = {47, 47, 46}, .homes = 20000, .mixed = mixed};
        table_verdict(&mesh, 4, SECONDS, BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_tables_have_their_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
