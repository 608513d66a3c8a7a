/* SPDX-License-Identifier: Apache-2.0 */
/* Dealing blocks to ranks: everybody gets a fair part, in boxes, by routers or by measured cost. */
#include "sim/rank_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"
#include "contract/ring.h"

typedef struct dealt {
    weft_partition partition;
    uint32_t *owner;
    double *load; /* per rank */
} dealt;

static void open_deal(dealt *it, const weft_topology *topology, uint32_t blocks, uint32_t ranks,
                      const weft_costs *costs)
{
    weft_partition_init(&it->partition, topology, blocks);
    it->owner = calloc(it->partition.blocks, sizeof *it->owner);
    it->load = calloc(ranks, sizeof *it->load);
    weft_rank_map_blocks(&it->partition, ranks, costs, it->owner);
    for (uint32_t b = 0; b < it->partition.blocks; b++) {
        assert_true(it->owner[b] < ranks);
        it->load[it->owner[b]] += weft_partition_routers(&it->partition, b);
    }
}

static void close_deal(dealt *it)
{
    free(it->owner);
    free(it->load);
    weft_partition_done(&it->partition);
}

/* Greatest load over the mean. */
static double imbalance(const dealt *it, uint32_t ranks)
{
    double most = 0, sum = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        most = it->load[r] > most ? it->load[r] : most;
        sum += it->load[r];
    }
    return most * ranks / sum;
}

static void powers_of_two_are_even(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=16,16,16");
    for (uint32_t ranks = 1; ranks <= 64; ranks *= 2) {
        dealt it;
        open_deal(&it, topology, 64, ranks, NULL);
        assert_true(imbalance(&it, ranks) == 1);
        close_deal(&it);
    }
    network_close(&net);
}

static void any_number_of_ranks_gets_blocks(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=16,16");
    for (uint32_t ranks = 1; ranks <= 32; ranks++) {
        dealt it;
        open_deal(&it, topology, 4 * ranks, ranks, NULL);
        for (uint32_t r = 0; r < ranks; r++)
            assert_true(it.load[r] > 0);
        assert_true(imbalance(&it, ranks) < 2);
        close_deal(&it);
    }
    network_close(&net);
}

static void default_blocks_suffice_for_all(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=8,8,8,8");
    for (uint32_t ranks = 1; ranks <= 40; ranks++) {
        dealt it;
        open_deal(&it, topology, weft_partition_default(topology, ranks, 1), ranks, NULL);
        assert_true(imbalance(&it, ranks) < 1.5);
        for (uint32_t r = 0; r < ranks; r++)
            assert_true(it.load[r] > 0);
        close_deal(&it);
    }
    network_close(&net);
}

/* Half of the cost lies in an eighth of the network: that eighth is shared by half of the ranks. */
static void measured_costs_are_evened_out(void **state)
{
    (void)state;
    network net;
    const weft_topology *topology = network_open(&net, "torus", "dims=32,32");
    weft_partition chart;
    weft_partition_init(&chart, topology, 64);
    assert_int_equal(chart.blocks, 64);
    int64_t cost[64];
    for (uint32_t b = 0; b < 64; b++)
        cost[b] = b < 8 ? 700 : 100;
    weft_costs costs = {.boxes = 64, .cost = cost};
    for (uint32_t ranks = 2; ranks <= 8; ranks *= 2) {
        dealt it;
        double load[8] = {0}, most = 0;
        open_deal(&it, topology, 256, ranks, &costs);
        for (uint32_t b = 0; b < it.partition.blocks; b++) {
            weft_partition_open(&it.partition, b);
            uint32_t router = weft_partition_router(&it.partition, b, 0);
            load[it.owner[b]] += (double)cost[weft_partition_place(&chart, router).block] / 4;
        }
        for (uint32_t r = 0; r < ranks; r++)
            most = load[r] > most ? load[r] : most;
        assert_true(most * ranks / (8 * 700 + 56 * 100) < 1.2);
        close_deal(&it);
    }
    weft_partition_done(&chart);
    network_close(&net);
}

static void ranges_are_dealt_in_order(void **state)
{
    (void)state;
    weft_topology ring = {.kind = &ring_kind};
    assert_int_equal(ring_kind.build(&ring, NULL, NULL), WEFT_OK);
    dealt it;
    open_deal(&it, &ring, 10, 3, NULL);
    for (uint32_t b = 1; b < it.partition.blocks; b++)
        assert_true(it.owner[b] >= it.owner[b - 1]);
    assert_true(imbalance(&it, 3) <= 1.2);
    close_deal(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_are_even),
        cmocka_unit_test(any_number_of_ranks_gets_blocks),
        cmocka_unit_test(default_blocks_suffice_for_all),
        cmocka_unit_test(measured_costs_are_evened_out),
        cmocka_unit_test(ranges_are_dealt_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
