/* SPDX-License-Identifier: Apache-2.0 */
/* Records of routers that differ in size: each has its own shape and place, however the network
 * is cut, and takes what it needs alone. */
#include "sim/router/input_queued/layout_groups.h"

#include "sim/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

#define TRAFFIC "traffic: {all: {pattern: uniform, length: 4 flits, load: 0.5}}\n"
#define TREE                                            \
    "topology: {kind: fat-tree, arity: 4, levels: 3}\n" \
    "measure: {links: off}\nrouter: {kind: input-queued, vcs: 4, buffer: 8 flits}\n" TRAFFIC

typedef struct world {
    stage stage;
    weft_tally tally;
    weft_instance instance;
} world;

static void world_open(world *it, const char *text, uint32_t blocks)
{
    const weft_network *network = stage_open(&it->stage, text);
    weft_tally_init(&it->tally, network->n_traffic_classes, 8, false);
    weft_instance_plan plan = {.blocks = blocks, .tallies = &it->tally};
    assert_int_equal(weft_instance_open(&it->instance, network, &plan, &it->stage.err), WEFT_OK);
}

static void world_close(world *it)
{
    weft_instance_close(&it->instance);
    weft_tally_done(&it->tally);
    stage_close(&it->stage);
}

/* Records of a site stand one behind the other; returns where the last one ends. */
static size_t check_site(const weft_site *site)
{
    const weft_iq *iq = site->state;
    const weft_topology *topology = iq->layout.topology;
    size_t end = 0;
    for (uint32_t r = 0; r < site->routers; r++) {
        char *record = weft_iq_record(iq, r);
        const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
        uint32_t id = weft_partition_router(site->platform->partition, site->block, r);
        weft_tier tier = weft_topology_tier(topology, id);
        assert_int_equal(weft_iq_head_of(record)->id, id);
        assert_int_equal(record - iq->records, end);
        assert_int_equal(layout->ports, tier.ports);
        assert_int_equal(layout->hosts, tier.concentration);
        assert_int_equal(layout->ins, tier.ports + tier.concentration);
        assert_int_equal(layout->features & ~(unsigned)WEFT_IQ_UNLIKE,
                         iq->layout.features & ~(unsigned)WEFT_IQ_UNLIKE);
        assert_int_equal((layout->features & WEFT_IQ_UNLIKE) != 0, iq->n_groups > 1);
        assert_int_equal(weft_site_sources(site, r), tier.concentration);
        end += layout->bytes;
    }
    assert_int_equal(end, iq->bytes);
    return end;
}

static void records_lie_where_they_should_however_cut(void **state)
{
    (void)state;
    for (uint32_t blocks = 1; blocks <= 48; blocks = 3 * blocks + 2) {
        world it;
        world_open(&it, TREE, blocks);
        size_t bytes = 0;
        uint32_t routers = 0, sources = 0;
        for (uint32_t s = 0; s < it.instance.n_sites; s++) {
            bytes += check_site(&it.instance.sites[s]);
            routers += it.instance.sites[s].routers;
            sources += it.instance.sites[s].sources;
        }
        assert_int_equal(routers, 48);
        assert_int_equal(sources, 64);
        int64_t mean = weft_iq_mean_bytes(&it.instance.platform);
        assert_true((int64_t)bytes <= mean * 48 && (int64_t)bytes > (mean - 1) * 48);
        world_close(&it);
    }
}

/* Leaf switches have 4 links up and 4 endpoints, roots 4 links, those between 8: as many inputs
 * as a leaf switch. */
static void a_record_has_room_for_its_own_ports_alone(void **state)
{
    (void)state;
    world it;
    world_open(&it, TREE, 1);
    const weft_iq *iq = it.instance.sites[0].state;
    assert_int_equal(iq->n_groups, 3);
    const weft_iq_layout *leaf = &iq->groups[0].layout, *middle = &iq->groups[1].layout,
                         *root = &iq->groups[2].layout;
    assert_int_equal(leaf->ins, 8);
    assert_int_equal(middle->ins, 8);
    assert_int_equal(root->ins, 4);
    assert_true(middle->bytes < leaf->bytes);
    assert_true(root->bytes < (middle->bytes + sizeof(weft_iq_head)) / 2 + 16);
    world_close(&it);
}

static void routers_all_alike_are_one_part(void **state)
{
    (void)state;
    world it;
    world_open(&it,
               "topology: {kind: torus, dims: [4, 4]}\n"
               "router: {kind: input-queued, vcs: 4, buffer: 8 flits}\n" TRAFFIC,
               4);
    for (uint32_t s = 0; s < it.instance.n_sites; s++) {
        const weft_iq *iq = it.instance.sites[s].state;
        assert_int_equal(iq->n_groups, 1);
        assert_int_equal(iq->layout.features & WEFT_IQ_UNLIKE, 0);
        assert_int_equal(iq->bytes, 4 * iq->layout.bytes);
        assert_int_equal(weft_iq_mean_bytes(&it.instance.platform), iq->layout.bytes);
    }
    world_close(&it);
}

/* A switch of 64 ports: 32 up and 32 endpoints, or 32 up and 32 down. */
static void a_switch_is_as_large_as_its_level_needs(void **state)
{
    (void)state;
    stage it;
    weft_platform platform;
    const weft_network *network =
        stage_open(&it, "topology: {kind: fat-tree, arity: 32, levels: 3}\n"
                        "router: {kind: input-queued, vcs: 1, buffer: 8 flits}\n" TRAFFIC);
    weft_platform_init(&platform, network);
    assert_int_equal(weft_platform_check(&platform, &it.err), WEFT_OK);
    stage_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_lie_where_they_should_however_cut),
        cmocka_unit_test(a_record_has_room_for_its_own_ports_alone),
        cmocka_unit_test(routers_all_alike_are_one_part),
        cmocka_unit_test(a_switch_is_as_large_as_its_level_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
