/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation that is stopped and gone on with, on other blocks and threads, measures the same;
 * a checkpoint whose insides were tampered with (and whose checksums are right) is refused or
 * harmless. WEFT_SEED draws other changes. */
#include "test_legs.h"

#include <stdlib.h>

#include "contract/scenario.h"

#define SCENE_WITH(endpoint)                                                           \
    "topology: {kind: mesh, dims: [8, 4], hosts: 2}\n"                                 \
    "endpoint: {" endpoint "}\n"                                                       \
    "routing: {kind: minimal-adaptive, selection: random}\n"                           \
    "traffic:\n"                                                                       \
    "  a: {pattern: uniform, length: {kind: exponential, mean: 8 flits}, load: 0.1}\n" \
    "  b: {pattern: complement, length: 3 flits, load: 0.05}\n"                        \
    "measure: {limit: {time: 6400 cycles}, half-width: 0.001%, by: hops, links: all, " \
    "series: 200 cycles}\n"
#define SCENE    SCENE_WITH("injection: one-port")
/* Messages of several packets, half sent and half received when a run is stopped. */
#define CUT      SCENE_WITH("injection: one-port, mtu: 2 flits")
#define CUT_OPEN SCENE_WITH("mtu: 2 flits, reception: unlimited")

#define SCENE_OF(router)                                                               \
    "topology: {kind: mesh, dims: [8, 4], hosts: 2}\n"                                 \
    "router: {" router "}\n"                                                           \
    "routing: dimension-order\n"                                                       \
    "traffic: {a: {pattern: uniform, length: 4 flits, load: 0.1}}\n"                   \
    "measure: {limit: {time: 6400 cycles}, half-width: 0.001%, by: hops, links: all, " \
    "series: 200 cycles}\n"

/* Ticks of 1 ps, and messages that wait for 2^32 of them and more: events beyond the reach of
 * the wheel, packets that start long after their link is known, ages of more than 32 bits. */
#define FAR_WITH(router)                                                               \
    "clock: 1 GHz\n"                                                                   \
    "topology: {kind: mesh, dims: [8, 4], hosts: 2}\n"                                 \
    "links: {rate: 8 Gb/s, latency: 200.001 ns, flit: 1 B}\n"                          \
    "endpoint: {backlog: 60}\n" router                                                 \
    "traffic: {all: {pattern: uniform, length: 64000 B, load: 0.2}}\n"                 \
    "measure: {limit: {time: 12800000 ns}, half-width: 0.001%, by: hops, links: all, " \
    "series: 100000 ns}\n"
#define FAR_OPEN     FAR_WITH("routing: {kind: minimal-adaptive, selection: random}\n")
#define FAR_STRAIGHT FAR_WITH("routing: dimension-order\n")
#define FAR_FINITE \
    FAR_WITH("router: {kind: input-queued, vcs: 2, buffer: 64 KiB}\nrouting: dimension-order\n")

/* A collective and a program, whose long messages ask before they are sent. */
#define JOBS                                                                   \
    "topology: {kind: mesh, dims: [8, 4], hosts: 2}\n"                         \
    "endpoint: {mtu: 16 flits}\n"                                              \
    "routing: {kind: minimal-adaptive, selection: random}\n"                   \
    "host: {eager: 100 B}\n"                                                   \
    "jobs:\n"                                                                  \
    "  a: {collective: allreduce/ring, size: 2 KiB, ranks: 16, repeat: 100}\n" \
    "  b: {file: " WEFT_TEST_DATA "/workloads/allreduce-doubling-8x1024.goal, repeat: 100}\n"

/* What a run measured, as bytes. */
static void digest(const weft_simulation *simulation, weft_pack *pack)
{
    weft_series_save(weft_simulation_series(simulation), pack);
    weft_control_save(weft_simulation_control(simulation), pack);
    const weft_link_loads *links = weft_simulation_links(simulation);
    const weft_bins *bins = weft_simulation_bins(simulation);
    weft_census census = weft_simulation_census(simulation);
    weft_pack_i64(pack, links->span);
    for (size_t i = 0; i < links->n_loads; i++)
        weft_pack_i64(pack, links->loads[i].busy);
    for (size_t i = 0; i < bins->count; i++)
        weft_pack_i64(pack, bins->latency[i]);
    weft_pack_i64(pack, census.in_flight);
    weft_pack_i64(pack, census.waiting);
}

/* threads: of a leg, at most. */
static void check_legs(const char *text, unsigned threads)
{
    stage set;
    const weft_network *network = stage_open(&set, text);
    char folder[64];
    leg_folder(folder);
    weft_pack whole = {0}, parts = {0};
    weft_ending ending;
    leg alone = {.threads = 1, .blocks = 1};
    assert_int_equal(leg_run(network, NULL, &alone, &ending, digest, &whole), WEFT_OK);
    assert_int_equal(ending, WEFT_END_LIMIT_TIME);
    leg legs[] = {{.threads = 1, .blocks = 1, .wishes = 5},
                  {.threads = 3, .blocks = 7, .wishes = 40},
                  {.threads = 2, .blocks = 30, .wishes = 1},
                  {.threads = 1, .blocks = 4, .wishes = 31}};
    for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
        if (legs[i].threads > threads)
            legs[i].threads = threads;
        assert_int_equal(leg_run(network, folder, &legs[i], &ending, NULL, NULL), WEFT_OK);
        assert_int_equal(ending, WEFT_END_INTERRUPTED);
        assert_string_equal(legs[i].notice, "");
    }
    leg last = {.threads = threads < 2 ? threads : 2, .blocks = 12};
    assert_int_equal(leg_run(network, folder, &last, &ending, digest, &parts), WEFT_OK);
    assert_int_equal(ending, WEFT_END_LIMIT_TIME);
    assert_int_equal(whole.count, parts.count);
    assert_memory_equal(whole.data, parts.data, whole.count);
    weft_pack_done(&whole);
    weft_pack_done(&parts);
    leg_folder_remove(folder);
    stage_close(&set);
}

static void legs_make_a_whole(void **state)
{
    (void)state;
    check_legs(SCENE, 3);
}

static void legs_may_end_in_the_middle_of_messages(void **state)
{
    (void)state;
    check_legs(CUT, 3);
    check_legs(CUT_OPEN, 3);
}

static void legs_may_end_while_packets_wait_for_ages(void **state)
{
    (void)state;
    /* Windows hold little: several threads would mostly wait for each other. */
    check_legs(FAR_OPEN, 1);
    check_legs(FAR_STRAIGHT, 1);
    check_legs(FAR_FINITE, 1);
}

static void another_scenario_starts_anew(void **state)
{
    (void)state;
    char folder[64];
    leg_folder(folder);
    stage set;
    weft_ending ending;
    leg first = {.threads = 1, .blocks = 1, .wishes = 5}, second = {.threads = 1, .blocks = 1};
    assert_int_equal(leg_run(stage_open(&set, SCENE), folder, &first, &ending, NULL, NULL),
                     WEFT_OK);
    stage_close(&set);
    const weft_network *network = stage_open(&set, SCENE "seed: 7\n");
    weft_pack whole = {0}, parts = {0};
    assert_int_equal(leg_run(network, folder, &second, &ending, digest, &parts), WEFT_OK);
    assert_non_null(strstr(second.notice, "checkpoint 1 is of another scenario"));
    assert_int_equal(leg_run(network, NULL, &second, &ending, digest, &whole), WEFT_OK);
    assert_int_equal(whole.count, parts.count);
    assert_memory_equal(whole.data, parts.data, whole.count);
    weft_pack_done(&whole);
    weft_pack_done(&parts);
    leg_folder_remove(folder);
    stage_close(&set);
}

static uint64_t draw(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* Changes a few bytes, most often one. */
static void tamper(unsigned char *data, size_t bytes, uint64_t *random)
{
    for (int n = 0; bytes && (n == 0 || draw(random) % 4 == 0); n++)
        data[draw(random) % bytes] ^= (unsigned char)(1u << draw(random) % 8);
}

typedef struct damage {
    uint64_t *random;
    size_t piece; /* that is changed */
} damage;

static void tamper_piece(void *user, size_t piece, size_t pieces, unsigned char *data,
                         size_t *bytes)
{
    damage *by = user;
    if (piece == 0)
        by->piece = draw(by->random) % pieces;
    if (piece == by->piece)
        tamper(data, *bytes, by->random);
}

/* Whatever it says, going on from it neither crashes nor hangs; a later invariant may find it
 * out. */
static void tamper_often(const char *text, int tries)
{
    stage set;
    const weft_network *network = stage_open(&set, text);
    const char *seed = getenv("WEFT_SEED");
    uint64_t random = 0x2545f4914f6cdd1du ^ (seed ? strtoull(seed, NULL, 10) : 0);
    int refused = 0;
    for (int i = 0; i < tries; i++) {
        char folder[64];
        weft_ending ending;
        leg_folder(folder);
        leg first = {.threads = 1, .blocks = 1, .wishes = 20};
        assert_int_equal(leg_run(network, folder, &first, &ending, NULL, NULL), WEFT_OK);
        leg_rewrite(folder, 1, tamper_piece, &(damage){.random = &random});
        leg second = {.threads = 1, .blocks = 3, .wishes = 8};
        weft_status status = leg_run(network, folder, &second, &ending, NULL, NULL);
        assert_true(status == WEFT_OK || status == WEFT_BROKEN);
        refused += second.notice[0] != '\0' || status == WEFT_BROKEN;
        leg_folder_remove(folder);
    }
    print_message("%d of %d tampered checkpoints were refused or found out\n", refused, tries);
    assert_true(refused > 0);
    stage_close(&set);
}

static void tampered_checkpoints_do_no_harm(void **state)
{
    (void)state;
    tamper_often(SCENE, 200);
    tamper_often(CUT, 100);
    tamper_often(JOBS, 100);
    tamper_often(SCENE_OF("kind: input-queued, vcs: 2, buffer: 8 flits"), 80);
    tamper_often(SCENE_OF("kind: output-queued, header: 1 cycle"), 60);
    tamper_often(SCENE_OF("kind: shared-queue, queue: [8], holds: all"), 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_make_a_whole),
        cmocka_unit_test(legs_may_end_in_the_middle_of_messages),
        cmocka_unit_test(legs_may_end_while_packets_wait_for_ages),
        cmocka_unit_test(another_scenario_starts_anew),
        cmocka_unit_test(tampered_checkpoints_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
