/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes and ranges: every router has one place, and a step through a port agrees with the
 * topology, inside a block and across its borders. */
#include "sim/partition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"
#include "contract/ring.h"

static void open_partition(weft_partition *partition, const weft_topology *topology,
                           uint32_t blocks)
{
    weft_partition_init(partition, topology, blocks);
    for (uint32_t b = 0; b < partition->blocks; b++)
        weft_partition_open(partition, b);
}

static const uint32_t block_counts[] = {1, 2, 3, 4, 7, 8, 13, 64, 97, 1000};

/* place and router are inverse, and the blocks share the routers out. */
static void check_places(const weft_partition *partition)
{
    uint32_t n = partition->topology->routers, all = 0;
    bool *taken = calloc(n, sizeof *taken);
    for (uint32_t b = 0; b < partition->blocks; b++) {
        uint32_t routers = weft_partition_box(partition, b)->routers;
        assert_true(routers > 0);
        assert_int_equal(weft_partition_routers(partition, b), routers);
        all += routers;
        for (uint32_t local = 0; local < routers; local++) {
            uint32_t router = weft_partition_router(partition, b, local);
            assert_true(router < n && !taken[router]);
            taken[router] = true;
            weft_place place = weft_partition_place(partition, router);
            assert_int_equal(place.block, b);
            assert_int_equal(place.local, local);
        }
    }
    assert_int_equal(all, n);
    free(taken);
}

static void check_step(const weft_partition *partition, uint32_t router, uint32_t port)
{
    const weft_topology *topology = partition->topology;
    uint32_t peer = topology->kind->peer(topology, router, port).router;
    if (peer == WEFT_NOWHERE)
        return;
    weft_place from = weft_partition_place(partition, router);
    weft_place to = weft_partition_place(partition, peer);
    weft_step step = weft_partition_step(partition, weft_partition_box(partition, from.block),
                                         from.block, from.local, port);
    uint32_t block = from.block;
    if (step.slot != WEFT_INSIDE) {
        assert_true(step.slot < partition->slots);
        block = weft_partition_neighbour(partition, from.block, step.slot);
        assert_int_not_equal(block, from.block);
    }
    assert_int_equal(block, to.block);
    assert_int_equal(step.local, to.local);
}

static void check_partition(const weft_topology *topology, uint32_t blocks)
{
    weft_partition partition;
    open_partition(&partition, topology, blocks);
    assert_in_range(partition.blocks, 1, blocks < topology->routers ? blocks : topology->routers);
    check_places(&partition);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            check_step(&partition, r, p);
    for (uint32_t b = 0; b < partition.blocks; b++)
        for (uint32_t s = 0; s < partition.slots; s++)
            assert_true(weft_partition_neighbour(&partition, b, s) < partition.blocks);
    weft_partition_done(&partition);
}

static void boxes_agree_with_the_topology(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        const weft_topology *topology = network_example(&net, i);
        for (size_t b = 0; b < sizeof block_counts / sizeof *block_counts; b++)
            check_partition(topology, block_counts[b]);
        network_close(&net);
    }
}

/* Routers with different numbers of endpoints: places agree, and no block is empty. */
static void uneven_routers_agree_with_the_topology(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology =
        network_open(&net, "file", "path=" WEFT_TEST_DATA "/fabrics/uneven.weftnet");
    assert_non_null(topology->first);
    for (uint32_t blocks = 1; blocks <= topology->routers; blocks++)
        check_partition(topology, blocks);
    network_close(&net);
}

static void ranges_agree_with_the_topology(void **state)
{
    (void)state;
    weft_topology ring = {.kind = &ring_kind};
    assert_int_equal(ring_kind.build(&ring, NULL, NULL), WEFT_OK);
    for (uint32_t blocks = 1; blocks <= RING_SIZE + 2; blocks++)
        check_partition(&ring, blocks);
}

/* Blocks of a tree, or of stages: as many routers of each size, and with endpoints, as of all;
 * one more or less. */
static void every_block_has_its_part_of_every_level(void **state)
{
    (void)state;
    static const char *const trees[][2] = {{"fat-tree", "arity=4 levels=3"},
                                           {"fat-tree", "form=m-port arity=6 levels=3"},
                                           {"fat-tree", "form=xgft down=3,2,4 up=1,2,3"},
                                           {"butterfly", "arity=4 stages=3"}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        for (uint32_t blocks = 2; blocks <= 5; blocks++) {
            network net;
            weft_partition partition;
            const weft_topology *topology = network_open(&net, trees[i][0], trees[i][1]);
            open_partition(&partition, topology, blocks);
            assert_true(partition.rows > 1);
            for (uint32_t b = 0; b < blocks; b++) {
                uint32_t homes = 0, routers = weft_partition_routers(&partition, b);
                for (uint32_t r = 0; r < routers; r++)
                    homes += weft_partition_router(&partition, b, r) < topology->edge_routers;
                assert_in_range(homes, topology->edge_routers / blocks,
                                (topology->edge_routers + blocks - 1) / blocks);
                assert_int_equal(weft_partition_homes(&partition, b), homes);
            }
            weft_partition_done(&partition);
            network_close(&net);
        }
}

static void assert_parts(const char *kind, const char *settings, uint32_t asked, uint32_t given,
                         const uint32_t *parts)
{
    network net;
    const weft_topology *topology = network_open(&net, kind, settings);
    weft_partition partition;
    open_partition(&partition, topology, asked);
    assert_int_equal(partition.blocks, given);
    for (uint32_t d = 0; d < topology->lattice.dims; d++)
        assert_int_equal(partition.parts[d], parts[d]);
    weft_partition_done(&partition);
    network_close(&net);
}

static void boxes_are_as_cubic_as_sizes_allow(void **state)
{
    (void)state;
    assert_parts("torus", "dims=16,16", 64, 64, (uint32_t[WEFT_DIMS_MAX]){8, 8});
    assert_parts("torus", "dims=16,16", 7, 7, (uint32_t[WEFT_DIMS_MAX]){7, 1});
    assert_parts("torus", "dims=4,32", 8, 8, (uint32_t[WEFT_DIMS_MAX]){1, 8});
    assert_parts("mesh", "dims=3,3,3", 27, 27, (uint32_t[WEFT_DIMS_MAX]){3, 3, 3});
    assert_parts("hypercube", "dimensions=6", 8, 8, (uint32_t[WEFT_DIMS_MAX]){2, 2, 2, 1, 1, 1});
    assert_parts("flattened-butterfly", "dims=8,8", 16, 16, (uint32_t[WEFT_DIMS_MAX]){4, 4});
}

/* The next smaller number that fits. */
static void too_many_blocks_become_fewer(void **state)
{
    (void)state;
    assert_parts("hypercube", "dimensions=4", 7, 4, (uint32_t[WEFT_DIMS_MAX]){2, 2, 1, 1});
    assert_parts("torus", "dims=3,3", 1000, 9, (uint32_t[WEFT_DIMS_MAX]){3, 3});
    assert_parts("torus", "dims=16,16", 17, 16, (uint32_t[WEFT_DIMS_MAX]){4, 4});
    assert_parts("torus", "dims=5", 0, 1, (uint32_t[WEFT_DIMS_MAX]){1});
}

/* Sixteen coordinates in seven parts: 2 or 3 each. */
static void unequal_boxes_differ_by_one(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=16,16");
    weft_partition partition;
    open_partition(&partition, topology, 7);
    const uint32_t sizes[] = {2, 2, 2, 3, 2, 2, 3};
    for (uint32_t b = 0; b < 7; b++)
        assert_int_equal(weft_partition_box(&partition, b)->routers, sizes[b] * 16);
    weft_partition_done(&partition);
    network_close(&net);
}

/* Boxes of full lines have the other boxes of their lines as neighbours, each once, and no
 * other. */
static void boxes_of_full_lines_are_neighbours(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "flattened-butterfly", "dims=8,6");
    weft_partition partition;
    open_partition(&partition, topology, 12); /* 3 × 4 boxes */
    assert_int_equal(partition.blocks, 12);
    assert_int_equal(partition.slots, 5);
    const uint32_t neighbours[] = {10, 2, 7, 4, 5}; /* of box (1, 2) */
    for (uint32_t s = 0; s < 5; s++)
        assert_int_equal(weft_partition_neighbour(&partition, 6, s), neighbours[s]);
    weft_partition_done(&partition);
    network_close(&net);
}

/* One block up to 32,768 routers on one thread of a rank; else boxes of 4,096, four for every
 * thread. */
static void default_block_counts(void **state)
{
    (void)state;
    const struct {
        const char *dims;
        uint32_t ranks, threads, blocks;
    } cases[] = {{"dims=16,16", 1, 1, 1},     {"dims=32,32,32", 1, 1, 1},
                 {"dims=64,32,32", 1, 1, 16}, {"dims=64,64,64", 1, 1, 64},
                 {"dims=16,16", 1, 4, 16},    {"dims=32,32,32", 1, 2, 8},
                 {"dims=64,32,32", 2, 1, 2},  {"dims=64,64,64", 2, 1, 64},
                 {"dims=64,64,64", 3, 1, 66}, {"dims=16,16", 2, 2, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        network net;
        const weft_topology *topology = network_open(&net, "torus", cases[i].dims);
        assert_int_equal(weft_partition_default(topology, cases[i].ranks, cases[i].threads),
                         cases[i].blocks);
        network_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_agree_with_the_topology),
        cmocka_unit_test(uneven_routers_agree_with_the_topology),
        cmocka_unit_test(ranges_agree_with_the_topology),
        cmocka_unit_test(every_block_has_its_part_of_every_level),
        cmocka_unit_test(boxes_are_as_cubic_as_sizes_allow),
        cmocka_unit_test(too_many_blocks_become_fewer),
        cmocka_unit_test(unequal_boxes_differ_by_one),
        cmocka_unit_test(boxes_of_full_lines_are_neighbours),
        cmocka_unit_test(default_block_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
