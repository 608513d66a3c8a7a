/* SPDX-License-Identifier: Apache-2.0 */
/* What a topology promises of the sizes of its routers: spans cover all of them, ports outside a
 * router's span lead nowhere and nothing leads to them, and no span is larger than one of its
 * routers needs. */
#include "net/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"

static void check_router(const weft_topology *topology, uint32_t router)
{
    weft_tier span = weft_topology_tier(topology, router);
    assert_true(span.first <= router && router < weft_topology_tier_end(topology, router));
    assert_true(span.ports <= topology->ports);
    for (uint32_t p = span.ports; p < topology->ports; p++) {
        assert_int_equal(topology->kind->peer(topology, router, p).router, WEFT_NOWHERE);
        assert_int_equal(weft_topology_upstream(topology, router, p).router, WEFT_NOWHERE);
    }
    if (router < topology->edge_routers ||
        router - topology->egress_offset < topology->edge_routers)
        assert_int_equal(span.concentration, topology->concentration);
    else if (topology->n_tiers)
        assert_int_equal(span.concentration, 0);
}

/* Is some router's last port in use? */
static bool is_tight(const weft_topology *topology, weft_tier span)
{
    uint32_t end = weft_topology_tier_end(topology, span.first);
    bool used = span.ports == 0;
    for (uint32_t r = span.first; r < end && !used; r++)
        used = topology->kind->peer(topology, r, span.ports - 1).router != WEFT_NOWHERE;
    return used;
}

static void routers_have_what_their_span_says(void **state)
{
    (void)state;
    size_t several = 0;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        for (uint32_t r = 0; r < topology->routers; r++)
            check_router(topology, r);
        assert_true(topology->n_tiers == 0 || topology->lattice.dims == 0);
        for (uint32_t s = 0; s < topology->n_tiers; s++) {
            assert_true(is_tight(topology, topology->tiers[s]));
            assert_true(s ? topology->tiers[s].first > topology->tiers[s - 1].first
                          : topology->tiers[s].first == 0);
        }
        several += topology->n_tiers > 1;
        network_close(&net);
    }
    assert_true(several > 0);
}

static void assert_span(weft_tier span, uint32_t first, uint32_t ports, uint32_t hosts)
{
    assert_int_equal(span.first, first);
    assert_int_equal(span.ports, ports);
    assert_int_equal(span.concentration, hosts);
}

static void levels_of_a_tree_have_the_ports_they_use(void **state)
{
    (void)state;
    network net;
    const weft_topology *tree = network_open(&net, "fat-tree", "arity=4 levels=4");
    assert_int_equal(tree->n_tiers, 3);
    assert_span(tree->tiers[0], 0, 4, 4);
    assert_span(tree->tiers[1], 64, 8, 0); /* two levels alike */
    assert_span(tree->tiers[2], 192, 4, 0);
    assert_int_equal(weft_topology_tier_end(tree, 191), 192);
    assert_int_equal(weft_topology_tier_end(tree, 192), 256);
    network_close(&net);
    tree = network_open(&net, "fat-tree", "form=m-port arity=6 levels=2");
    assert_int_equal(tree->n_tiers, 2);
    assert_span(tree->tiers[0], 0, 3, 3);
    assert_span(tree->tiers[1], 6, 6, 0);
    network_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routers_have_what_their_span_says),
        cmocka_unit_test(levels_of_a_tree_have_the_ports_they_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
