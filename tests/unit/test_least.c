/* SPDX-License-Identifier: Apache-2.0 */
/* What a program says that was built without METIS and KLU: the files that then stand in their
 * place are compiled into this test, before those of the library. */
#include "analytic/no_klu.c"
#include "interop/no_metis.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_wide_chain_names_the_other_solver(void **state)
{
    (void)state;
    weft_chain chain;
    weft_error err = {""};
    double p[3];
    weft_chain_init(&chain, 3);
    for (uint32_t i = 0; i < 3; i++)
        weft_chain_add(&chain, i, (i + 1) % 3, 1);
    assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_KLU, p, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "built without it (Debian: libsuitesparse-dev); solver=gth"));
    assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_AUTO, p, &err), WEFT_OK);
    weft_chain_done(&chain);
}

static void an_import_says_what_is_missing(void **state)
{
    (void)state;
    weft_graph graph;
    weft_error err = {""};
    weft_graph_edge edges[5];
    uint32_t order[6];
    for (uint32_t i = 0; i < 5; i++)
        edges[i] = (weft_graph_edge){i, i + 1, 1};
    weft_graph_init(&graph, 6, edges, 5);
    assert_int_equal(weft_graph_order(&graph, order, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "built without METIS (Debian: libmetis-dev)"));
    assert_false(weft_graph_can_halve());
    weft_graph_done(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wide_chain_names_the_other_solver),
        cmocka_unit_test(an_import_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
