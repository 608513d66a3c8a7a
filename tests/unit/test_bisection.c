/* SPDX-License-Identifier: Apache-2.0 */
/* Bisection: every row keeps its routers, halves never have more links between them than those by
 * number, and a tree whose switches have any numbers is cut as well as by its subtrees. */
#include "net/topology/common/bisection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/networks.h"

static uint32_t row_of(const weft_topology *topology, uint32_t at)
{
    uint32_t s = 0;
    while (s + 1 < topology->cut.n_rows && at >= topology->cut.row[s + 1])
        s++;
    return s;
}

/* Directed links between the halves of every row. */
static uint64_t between(const weft_topology *topology, const uint32_t *order)
{
    bool *right = calloc(topology->routers, sizeof *right);
    uint64_t links = 0;
    for (uint32_t i = 0; i < topology->routers; i++) {
        uint32_t s = row_of(topology, i), start = topology->cut.row[s];
        uint32_t end = s + 1 < topology->cut.n_rows ? topology->cut.row[s + 1] : topology->routers;
        right[order ? order[i] : i] = i >= start + (end - start) / 2;
    }
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < weft_topology_tier(topology, r).ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            links += to != WEFT_NOWHERE && right[to] != right[r];
        }
    free(right);
    return links;
}

static void orders_keep_rows_and_are_no_worse(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        uint32_t *order = calloc(topology->routers, sizeof *order);
        bool *seen = calloc(topology->routers, sizeof *seen);
        weft_bisection_order(topology, order);
        for (uint32_t at = 0; at < topology->routers; at++) {
            assert_true(order[at] < topology->routers && !seen[order[at]]);
            seen[order[at]] = true;
            assert_int_equal(row_of(topology, order[at]), row_of(topology, at));
        }
        assert_true(between(topology, order) <= between(topology, NULL));
        free(order);
        free(seen);
        network_close(&net);
    }
}

/* A topology with the numbers of another one in disorder: within every row, times 7. */
typedef struct disorder {
    const weft_topology *inside;
} disorder;

static uint32_t turn(const weft_topology *topology, uint32_t router, uint32_t times)
{
    uint32_t s = row_of(topology, router), start = topology->cut.row[s];
    uint32_t end = s + 1 < topology->cut.n_rows ? topology->cut.row[s + 1] : topology->routers;
    return start + (router - start) * times % (end - start);
}

static weft_end disordered_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_topology *inside = ((const disorder *)topology->self)->inside;
    weft_end end = inside->kind->peer(inside, turn(topology, router, 7), port);
    if (end.router != WEFT_NOWHERE)
        end.router = turn(topology, end.router, 7 * 7 * 7); /* 7 to the 4th is 1 modulo 16 */
    return end;
}

static void a_tree_in_disorder_is_cut_by_subtrees(void **state)
{
    (void)state;
    network net;
    weft_topology_kind kind = {.peer = disordered_peer};
    const weft_topology *tree = network_open(&net, "fat-tree", "arity=4 levels=3");
    disorder self = {tree};
    weft_topology other = *tree;
    uint32_t order[48];
    other.kind = &kind;
    other.self = &self;
    weft_bisection_order(&other, order);
    assert_int_equal(between(tree, NULL), 64);
    assert_true(between(&other, NULL) > 64);
    assert_int_equal(between(&other, order), 64);
    network_close(&net);
}

/* Leaf switches with 12 endpoints and with 4, in numbers that no half of them has alike. */
static void halves_have_as_many_endpoints(void **state)
{
    (void)state;
    network net;
    weft_topology topology = *network_open(&net, "fat-tree", "arity=4 levels=3");
    uint32_t first[17] = {0}, order[48], count = 0;
    for (uint32_t r = 0; r < 16; r++)
        first[r + 1] = first[r] + (r < 8 ? 12 : 4);
    topology.first = first;
    topology.concentration = 12;
    weft_bisection_order(&topology, order);
    for (uint32_t i = 0; i < 8; i++)
        count += first[order[i] + 1] - first[order[i]];
    assert_int_equal(count, 64);
    assert_int_equal(between(&topology, order), 64); /* and subtrees are whole */
    network_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_keep_rows_and_are_no_worse),
        cmocka_unit_test(a_tree_in_disorder_is_cut_by_subtrees),
        cmocka_unit_test(halves_have_as_many_endpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
