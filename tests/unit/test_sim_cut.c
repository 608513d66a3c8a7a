/* SPDX-License-Identifier: Apache-2.0 */
/* Where networks are cut between ranks: few links between the parts, parts of equal size, whole
 * groups and subtrees wherever that keeps the parts equal within 5 %. */
#include "sim/rank_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/networks.h"

typedef struct cut {
    uint32_t ranks;
    uint64_t links, between; /* all, and those between ranks */
    double routers, edge; /* of the largest part ÷ the mean: all of them, those with endpoints */
    uint32_t divided;     /* groups that have routers on several ranks */
} cut;

static uint32_t *owners(const weft_topology *topology, uint32_t ranks, uint32_t blocks)
{
    weft_partition partition;
    uint32_t *owner = calloc(blocks, sizeof *owner);
    uint32_t *of = calloc(topology->routers, sizeof *of);
    weft_partition_init(&partition, topology, blocks);
    weft_rank_map_blocks(&partition, ranks, NULL, owner);
    for (uint32_t r = 0; r < topology->routers; r++)
        of[r] = owner[weft_partition_place(&partition, r).block];
    weft_partition_done(&partition);
    free(owner);
    return of;
}

static double largest(const uint32_t *of, uint32_t routers, uint32_t ranks)
{
    uint32_t most = 0, *count = calloc(ranks, sizeof *count);
    for (uint32_t r = 0; r < routers; r++)
        if (++count[of[r]] > most)
            most = count[of[r]];
    free(count);
    return (double)most * ranks / routers;
}

static uint32_t count_divided(const weft_topology *topology, const uint32_t *of)
{
    uint32_t divided = 0;
    for (uint32_t r = 0; topology->group > 1 && r < topology->edge_routers; r += topology->group) {
        bool several = false;
        for (uint32_t o = 0; o < topology->routers && topology->n_nested > 0; o++)
            several = several || (weft_topology_group_of(topology, o) == r / topology->group &&
                                  of[o] != of[r]);
        for (uint32_t i = 1; i < topology->group; i++)
            several = several || of[r + i] != of[r];
        divided += several;
    }
    return divided;
}

static cut cut_between(const char *kind, const char *settings, uint32_t ranks, uint32_t blocks)
{
    network net;
    const weft_topology *topology = network_open(&net, kind, settings);
    uint32_t *of = owners(topology, ranks, blocks);
    cut found = {.ranks = ranks,
                 .routers = largest(of, topology->routers, ranks),
                 .edge = largest(of, topology->edge_routers, ranks),
                 .divided = count_divided(topology, of)};
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < weft_topology_tier(topology, r).ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            found.links += to != WEFT_NOWHERE;
            found.between += to != WEFT_NOWHERE && of[to] != of[r];
        }
    free(of);
    network_close(&net);
    return found;
}

/* kind, settings, ranks: links between them of so many, as counted by hand. */
static void assert_cut(const char *kind, const char *settings, uint32_t ranks, uint64_t between,
                       uint64_t of)
{
    cut found = cut_between(kind, settings, ranks, ranks);
    assert_int_equal(found.links, of);
    assert_int_equal(found.between, between);
    assert_true(found.routers <= 1.05 && found.edge <= 1.05);
    assert_int_equal(found.divided, 0);
}

/* Links below the highest level are inside of subtrees; of those above, each switch of the highest
 * level has its share in every part. */
static void trees_are_cut_by_subtrees(void **state)
{
    (void)state;
    assert_cut("fat-tree", "arity=4 levels=3", 2, 64, 256); /* half of 64 cables, both ways */
    assert_cut("fat-tree", "arity=4 levels=3", 4, 96, 256); /* three quarters */
    assert_cut("fat-tree", "arity=4 levels=4", 2, 256, 1536);
    assert_cut("fat-tree", "form=m-port arity=8 levels=3", 2, 128, 512);
    assert_cut("fat-tree", "form=xgft down=3,3,4 up=1,2,4", 2, 32, 112);
}

/* A butterfly only where the first stage leads: its digit is the highest. */
static void butterflies_are_cut_once(void **state)
{
    (void)state;
    assert_cut("butterfly", "arity=4 stages=4", 2, 128, 768);
    assert_cut("butterfly", "arity=4 stages=4", 4, 192, 768);
}

/* 2 × 5 × 5 of the links between 10 groups, and none inside of them. */
static void dragonflies_are_cut_between_groups(void **state)
{
    (void)state;
    assert_cut("dragonfly", "groups=10 routers=3 global=3 hosts=2", 2, 50, 10 * 6 + 90);
    assert_cut("dragonfly", "groups=9 routers=4 global=2 hosts=2", 3, 54, 9 * 12 + 72);
    assert_cut("megafly", "groups=10 leaves=4 spines=3 hosts=2 global=3", 2, 50, 10 * 24 + 90);
}

/* A group is divided rather than that a part becomes a third larger. */
static void a_group_is_divided_where_there_are_few(void **state)
{
    (void)state;
    for (uint32_t ranks = 2; ranks <= 4; ranks++) {
        cut few = cut_between("dragonfly", "groups=5 routers=12 global=1 hosts=2", ranks, ranks);
        assert_true(few.routers <= 1.05);
        assert_int_equal(few.divided, ranks - 1);
    }
    cut many = cut_between("dragonfly", "groups=65 routers=4 global=16 hosts=2", 2, 2);
    assert_int_equal(many.divided, 0);
    assert_true(many.routers > 1 && many.routers <= 1.05);
}

/* By x in both halves: of q links to the other half every router has half across, of those inside
 * of its own half none. Cut between the halves it would be all q. */
static void slim_flies_are_cut_through_both_halves(void **state)
{
    (void)state;
    cut found = cut_between("slim-fly", "q=8", 2, 2);
    assert_int_equal(found.links, 2 * 64 * 12);
    assert_int_equal(found.between, 2 * 64 * 4);
    assert_true(found.routers <= 1.0);
}

/* Along one dimension: half of its links, and no others. */
static void flattened_butterflies_are_cut_along_a_dimension(void **state)
{
    (void)state;
    assert_cut("flattened-butterfly", "dims=8,8 hosts=2", 2, 64 * 4, 64 * 14);
    assert_cut("hyperx", "dims=4,6 hosts=2", 2, 24 * 3, 24 * 8);
}

/* A large random graph of degree 16 has halves with 31 % of the links between them (by the Parisi
 * constant: 1/2 − 0.763 / √16); numbers as they are would cut half. */
static void random_graphs_are_bisected(void **state)
{
    (void)state;
    cut two = cut_between("random-regular", "routers=1000 degree=16", 2, 2);
    assert_int_equal(two.links, 16000);
    assert_true(two.between < 16000 * 35 / 100);
    assert_true(two.routers <= 1.0);
    cut four = cut_between("random-regular", "routers=1000 degree=16", 4, 4);
    assert_true(four.between < 16000 * 6 / 10);
    assert_true(four.routers <= 1.0);
}

/* Leaf switches with 12 endpoints and with 4: parts have as many endpoints, not as many of them. */
static void parts_have_as_many_endpoints(void **state)
{
    (void)state;
    network net;
    weft_topology topology = *network_open(&net, "fat-tree", "arity=4 levels=3");
    uint32_t first[17] = {0}, home[128], count = 0;
    for (uint32_t r = 0; r < 16; r++) {
        first[r + 1] = first[r] + (r < 8 ? 12 : 4);
        for (uint32_t e = first[r]; e < first[r + 1]; e++)
            home[e] = r;
    }
    topology.first = first;
    topology.home = home;
    topology.concentration = 12;
    for (uint32_t blocks = 2; blocks <= 8; blocks *= 2) {
        uint32_t *of = owners(&topology, 2, blocks);
        for (uint32_t e = count = 0; e < 128; e++)
            count += of[home[e]] == 0;
        assert_in_range(count, 58, 70);
        free(of);
    }
    network_close(&net);
}

/* Blocks of threads are parts of their rank's part: the same cut between ranks. */
static void blocks_of_threads_keep_the_cut(void **state)
{
    (void)state;
    static const char *const networks[][2] = {{"fat-tree", "arity=4 levels=4"},
                                              {"dragonfly", "groups=16 routers=4 global=4"},
                                              {"butterfly", "arity=4 stages=4"},
                                              {"slim-fly", "q=8"}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        cut two = cut_between(networks[i][0], networks[i][1], 2, 2);
        cut sixteen = cut_between(networks[i][0], networks[i][1], 2, 16);
        assert_int_equal(two.between, sixteen.between);
        assert_int_equal(two.divided, sixteen.divided);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_cut_by_subtrees),
        cmocka_unit_test(butterflies_are_cut_once),
        cmocka_unit_test(dragonflies_are_cut_between_groups),
        cmocka_unit_test(a_group_is_divided_where_there_are_few),
        cmocka_unit_test(slim_flies_are_cut_through_both_halves),
        cmocka_unit_test(flattened_butterflies_are_cut_along_a_dimension),
        cmocka_unit_test(random_graphs_are_bisected),
        cmocka_unit_test(parts_have_as_many_endpoints),
        cmocka_unit_test(blocks_of_threads_keep_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
