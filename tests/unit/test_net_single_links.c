/* SPDX-License-Identifier: Apache-2.0 */
/* Links that have rates and latencies of their own: a named class has those of most of its links,
 * whatever number they had before; there are as many different ones as classes have numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "net/routing.h"

/* Three groups of two routers: port 0 leads to the other one, port 1 to another group. */
#define DRAGONFLY                                          \
    "topology: {kind: dragonfly, groups: 3, routers: 2}\n" \
    "routing: minimal\n"                                   \
    "traffic: {all: {length: 4 flits, load: 0.1}}\n"

static weft_time wire(const weft_network *network, uint32_t router, uint32_t port)
{
    return network->timing.wire[weft_topology_link_class(&network->topology, router, port)];
}

static void all_links_may_change_together(void **state)
{
    (void)state;
    stage it;
    const weft_network *network =
        stage_open(&it, DRAGONFLY
                   "links: {global: {latency: 50 cycles}, where: {'*': {latency: 7 cycles}}}\n");
    assert_int_equal(network->timing.wire[WEFT_LINK_LOCAL], 7);
    assert_int_equal(network->timing.wire[WEFT_LINK_GLOBAL], 7);
    assert_int_equal(network->timing.classes, WEFT_LINK_CLASSES);
    assert_null(network->topology.link_class); /* all have the class of their ports again */
    stage_close(&it);
}

/* One cable between groups stays as it was: all others have what the links inside have. */
static void most_links_may_change_alike(void **state)
{
    (void)state;
    stage it;
    const weft_network *network = stage_open(
        &it, DRAGONFLY "links: {global: {latency: 50 cycles}, where: {'*': {latency: 7 cycles}, "
                       "'0 - 3': {latency: 50 cycles}}}\n");
    const weft_topology *topology = &network->topology;
    uint32_t count = 0;
    assert_int_equal(network->timing.wire[WEFT_LINK_LOCAL], 7);
    assert_int_equal(network->timing.wire[WEFT_LINK_GLOBAL], 7);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            bool stays = (r == 0 && to == 3) || (r == 3 && to == 0);
            assert_int_equal(wire(network, r, p), stays ? 50 : 7);
            assert_int_equal(weft_topology_link_class(topology, r, p) < WEFT_LINK_CLASSES, !stays);
            count += stays;
        }
    assert_int_equal(count, 2);
    stage_close(&it);
}

/* A ring with a latency for every cable: 252 of them are beside the four that have names. */
static weft_status ring_of(stage *it, uint32_t routers)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text,
                  "topology: {kind: torus, dims: [%u]}\n"
                  "traffic: {all: {length: 4 flits, load: 0.1}}\nlinks: {where: {",
                  routers);
    for (uint32_t r = 0; r < routers; r++)
        weft_text_add(&text, "%s'(%u) - (%u)': {latency: %u cycles}", r ? ", " : "", r,
                      (r + 1) % routers, r + 1);
    weft_text_add(&text, "}}\n");
    weft_status status = stage_try(it, text.at);
    weft_text_done(&text);
    return status;
}

static void there_are_so_many_pairs_of_rate_and_latency(void **state)
{
    (void)state;
    stage it;
    assert_int_equal(ring_of(&it, 252), WEFT_OK);
    assert_int_equal(wire(&it.network, 100, 0), 101);
    stage_close(&it);
    assert_int_equal(ring_of(&it, 253), WEFT_BAD_INPUT);
    assert_non_null(strstr(it.err.text,
                           ": links have more than 252 different pairs of rate and latency: round "
                           "them, or give links.local.latency for all"));
    stage_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_links_may_change_together),
        cmocka_unit_test(most_links_may_change_alike),
        cmocka_unit_test(there_are_so_many_pairs_of_rate_and_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
