/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation that is stopped and gone on with, on other blocks and threads, measures the same;
 * a checkpoint whose insides were tampered with (and whose checksums are right) is refused or
 * harmless. */
#include "sim/simulation.h"

#include "base/pack.h"
#include "kernel/checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

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
#define FAR_OPEN FAR_WITH("routing: {kind: minimal-adaptive, selection: random}\n")
#define FAR_FINITE \
    FAR_WITH("router: {kind: input-queued, vcs: 2, buffer: 64 KiB}\nrouting: dimension-order\n")

typedef struct leg { /* one part of a run */
    unsigned threads;
    uint32_t blocks;
    int wishes; /* sampling times after which it is asked to stop; 0: to the end */
    char notice[4096];
} leg;

static weft_request request(void *user)
{
    leg *it = user;
    return it->wishes > 0 && --it->wishes == 0 ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

static void take_notice(void *user, const char *text)
{
    leg *it = user;
    (void)snprintf(it->notice, sizeof it->notice, "%s", text);
}

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

/* One leg; the status of the run. pack NULL: nobody asks what was measured. */
static weft_status run_leg(const weft_network *network, const char *folder, leg *it,
                           weft_ending *ending, weft_pack *pack)
{
    weft_simulation *simulation;
    weft_error err;
    weft_simulation_options options = {.blocks = it->blocks,
                                       .threads = it->threads,
                                       .request = request,
                                       .folder = folder,
                                       .notice = take_notice,
                                       .user = it};
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &err), WEFT_OK);
    weft_status status = weft_simulation_run(simulation, ending, &err);
    if (pack)
        digest(simulation, pack);
    weft_simulation_destroy(simulation);
    return status;
}

static char *new_folder(char *path)
{
    (void)strcpy(path, "/tmp/weft-test-XXXXXX"); /* NOLINT: it fits */
    assert_non_null(mkdtemp(path));
    (void)strcat(path, "/point"); /* NOLINT */
    return path;
}

/* threads: of a leg, at most. */
static void check_legs(const char *text, unsigned threads)
{
    stage set;
    const weft_network *network = stage_open(&set, text);
    char folder[64];
    new_folder(folder);
    weft_pack whole = {0}, parts = {0};
    weft_ending ending;
    leg alone = {.threads = 1, .blocks = 1};
    assert_int_equal(run_leg(network, NULL, &alone, &ending, &whole), WEFT_OK);
    assert_int_equal(ending, WEFT_END_LIMIT_TIME);
    leg legs[] = {{.threads = 1, .blocks = 1, .wishes = 5},
                  {.threads = 3, .blocks = 7, .wishes = 40},
                  {.threads = 2, .blocks = 30, .wishes = 1},
                  {.threads = 1, .blocks = 4, .wishes = 31}};
    for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
        if (legs[i].threads > threads)
            legs[i].threads = threads;
        assert_int_equal(run_leg(network, folder, &legs[i], &ending, NULL), WEFT_OK);
        assert_int_equal(ending, WEFT_END_INTERRUPTED);
        assert_string_equal(legs[i].notice, "");
    }
    leg last = {.threads = threads < 2 ? threads : 2, .blocks = 12};
    assert_int_equal(run_leg(network, folder, &last, &ending, &parts), WEFT_OK);
    assert_int_equal(ending, WEFT_END_LIMIT_TIME);
    assert_int_equal(whole.count, parts.count);
    assert_memory_equal(whole.data, parts.data, whole.count);
    weft_pack_done(&whole);
    weft_pack_done(&parts);
    weft_checkpoint_remove(folder);
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
    check_legs(FAR_FINITE, 1);
}

static void another_scenario_starts_anew(void **state)
{
    (void)state;
    char folder[64];
    new_folder(folder);
    stage set;
    weft_ending ending;
    leg first = {.threads = 1, .blocks = 1, .wishes = 5}, second = {.threads = 1, .blocks = 1};
    assert_int_equal(run_leg(stage_open(&set, SCENE), folder, &first, &ending, NULL), WEFT_OK);
    stage_close(&set);
    const weft_network *network = stage_open(&set, SCENE "seed: 7\n");
    weft_pack whole = {0}, parts = {0};
    assert_int_equal(run_leg(network, folder, &second, &ending, &parts), WEFT_OK);
    assert_non_null(strstr(second.notice, "checkpoint 1 is of another scenario"));
    assert_int_equal(run_leg(network, NULL, &second, &ending, &whole), WEFT_OK);
    assert_int_equal(whole.count, parts.count);
    assert_memory_equal(whole.data, parts.data, whole.count);
    weft_pack_done(&whole);
    weft_pack_done(&parts);
    weft_checkpoint_remove(folder);
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

/* Writes generation `from` again as a new one, one of its pieces changed. */
static void write_tampered(const char *folder, uint64_t from, uint64_t *random)
{
    weft_checkpoint *old;
    weft_checkpoint_part *part;
    uint64_t generation;
    weft_error err;
    assert_int_equal(weft_checkpoint_open(folder, from, &old, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_begin(folder, &generation, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_part_open(folder, generation, 0, &part, &err), WEFT_OK);
    size_t which = draw(random) % (old->n_chunks + 1);
    for (size_t c = 0; c < old->n_chunks; c++) {
        void *data;
        assert_int_equal(weft_checkpoint_read(old, c, &data, &err), WEFT_OK);
        if (c == which)
            tamper(data, old->chunks[c].bytes, random);
        assert_int_equal(
            weft_checkpoint_part_add(part, old->chunks[c].box, 1, data, old->chunks[c].bytes, &err),
            WEFT_OK);
        free(data);
    }
    if (which == old->n_chunks)
        tamper(old->head, old->head_bytes, random);
    assert_int_equal(weft_checkpoint_part_close(part, &err), WEFT_OK);
    assert_int_equal(
        weft_checkpoint_commit(folder, generation, 1, old->head, old->head_bytes, &err), WEFT_OK);
    weft_checkpoint_close(old);
}

/* Whatever it says, going on from it neither crashes nor hangs; a later invariant may find it
 * out. */
static void tamper_often(const char *text, int tries)
{
    stage set;
    const weft_network *network = stage_open(&set, text);
    uint64_t random = 0x2545f4914f6cdd1du;
    int refused = 0;
    for (int i = 0; i < tries; i++) {
        char folder[64];
        weft_ending ending;
        new_folder(folder);
        leg first = {.threads = 1, .blocks = 1, .wishes = 20};
        assert_int_equal(run_leg(network, folder, &first, &ending, NULL), WEFT_OK);
        write_tampered(folder, 1, &random);
        leg second = {.threads = 1, .blocks = 3, .wishes = 8};
        weft_status status = run_leg(network, folder, &second, &ending, NULL);
        assert_true(status == WEFT_OK || status == WEFT_BROKEN);
        refused += second.notice[0] != '\0' || status == WEFT_BROKEN;
        weft_checkpoint_remove(folder);
    }
    print_message("%d of %d tampered checkpoints were refused or found out\n", refused, tries);
    assert_true(refused > 0);
    stage_close(&set);
}

static void tampered_checkpoints_do_no_harm(void **state)
{
    (void)state;
    tamper_often(SCENE, 300);
    tamper_often(CUT, 150);
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
