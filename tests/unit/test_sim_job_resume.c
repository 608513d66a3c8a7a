/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that are stopped in the middle of everything and gone on with end at the same ticks:
 * programs from files and schedules of collectives, with requests and answers, messages that wait
 * for their endpoint's link, messages that come in a tick that is over for ranks, a job in the
 * background. A record of theirs in a checkpoint that was tampered with is refused or harmless. */
#include "test_legs.h"

#include "program/timeline/history.h"
#include "sim/jobs/message_waits.h"
#include "sim/jobs/processes.h"
#include "sim/jobs/processes_state.h"
#include "sim/run.h"

#include "test_records.h"

enum { RANKS = 8, STEPS = 12 };

static char place[] = "/tmp/weft-test-XXXXXX";

/* In every step a rank sends to two others and receives from two, at distances that change; what it
 * calculates waits for what it receives, and some of its sends wait for that. */
static void write_program(const char *path)
{
    static const int sizes[] = {64, 4000, 700, 100};
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    (void)fprintf(out, "num_ranks %d\n", RANKS);
    for (int r = 0; r < RANKS; r++) {
        (void)fprintf(out, "rank %d {\n", r);
        for (int s = 0; s < STEPS; s++) {
            int by = 1 + s % (RANKS - 1), bytes = sizes[s % 4];
            (void)fprintf(out, "a%d: send %db to %d tag %d\n", s, bytes, (r + by) % RANKS, s % 3);
            (void)fprintf(out, "b%d: recv %db from %d tag %d\n", s, bytes, (r + RANKS - by) % RANKS,
                          s % 3);
            (void)fprintf(out, "c%d: calc %d\n", s, 20 + (7 * r + 13 * s) % 50);
            (void)fprintf(out, "c%d requires b%d\n", s, s);
            if (s > 2)
                (void)fprintf(out, "a%d requires c%d\n", s, s - 3);
        }
        (void)fprintf(out, "}\n");
    }
    assert_int_equal(fclose(out), 0);
}

/* Endpoints whose links take no time, so that a message of a flit is there in the tick in which its
 * router decides; calculations and overheads are short. */
#define MACHINE(timeline)                                                         \
    "topology: {kind: mesh, dims: [4, 2], hosts: 3}\n"                            \
    "links: {flit: 64 B, latency: 2 cycles, host: {latency: 0 cycles}}\n"         \
    "router: {kind: input-queued, vcs: 2, buffer: 24 flits, crossbar: 0 cycles, " \
    "route: 1 cycle}\n"                                                           \
    "routing: dimension-order\n"                                                  \
    "endpoint: {mtu: 256 B}\n"                                                    \
    "host: {eager: 512 B, overhead: 1 cycle}\n"                                   \
    "measure: {series: 250 cycles, timeline: " timeline ", "                      \
    "limit: {time: 1000000 cycles}}\n"
#define JOBS                                                                       \
    "jobs:\n"                                                                      \
    "  trace: {file: program.goal, placement: random, repeat: 3}\n"                \
    "  all: {collective: all-to-all/linear, ranks: 6, size: 6000 B, repeat: 12}\n" \
    "  next: {collective: broadcast/binomial, ranks: 3, size: 600 B, repeat: 9, after: all}\n"
#define NOISE "  noise: {collective: allreduce/ring, ranks: 4, size: 64 B, background: true}\n"

#define DIVIDED                    \
    MACHINE("off, ideal-limit: 0") \
    "jobs: {trace: {file: program.goal, placement: random, repeat: 3}}\n"

static void pack_all(const int64_t *numbers, size_t count, weft_pack *pack)
{
    for (size_t i = 0; i < count; i++)
        weft_pack_i64(pack, numbers[i]);
}

/* What the ranks did and how their messages fared, as bytes. */
static void digest(const weft_simulation *simulation, weft_pack *pack)
{
    const weft_job_set *jobs = simulation->network->jobs;
    size_t each = (size_t)jobs->n_jobs, ranks = jobs->n_ranks;
    const weft_rank_log *log = weft_simulation_timeline(simulation);
    const weft_longest_waits *waits = weft_simulation_waits(simulation);
    const weft_process_times *flows = weft_simulation_flows(simulation);
    weft_series_save(weft_simulation_series(simulation), pack);
    pack_all(weft_simulation_finish(simulation), ranks, pack);
    pack_all(weft_simulation_repetition(simulation), ranks, pack);
    pack_all(weft_simulation_began(simulation), each, pack);
    pack_all(weft_simulation_spent(simulation), each * WEFT_SPENT_KINDS, pack);
    pack_all(weft_simulation_steps(simulation), simulation->n_steps, pack);
    weft_pack_bytes(pack, flows, sizeof *flows * each * WEFT_SIZE_CLASSES);
    for (uint32_t r = 0; r < ranks; r++)
        weft_rank_record_save(&log->records[r], log->n_bins, pack);
    weft_pack_bytes(pack, waits->at, sizeof *waits->at * waits->count);
}

/* With stops after so many sampling times each. */
static void check_legs(const char *text, const int *stops)
{
    stage set;
    const weft_network *network = stage_open(&set, text);
    char folder[64];
    weft_pack whole = {0}, parts = {0};
    weft_ending ending;
    leg alone = {.threads = 1, .blocks = 1};
    leg_folder(folder);
    assert_int_equal(leg_run(network, NULL, &alone, &ending, digest, &whole), WEFT_OK);
    assert_int_equal(ending, WEFT_END_COMPLETED);
    for (uint32_t i = 0; stops[i]; i++) {
        leg it = {.threads = 1 + i % 2, .blocks = 1 + 3 * i % 8, .wishes = stops[i]};
        assert_int_equal(leg_run(network, folder, &it, &ending, NULL, NULL), WEFT_OK);
        assert_int_equal(ending, WEFT_END_INTERRUPTED);
        assert_string_equal(it.notice, "");
    }
    leg last = {.threads = 2, .blocks = 5};
    assert_int_equal(leg_run(network, folder, &last, &ending, digest, &parts), WEFT_OK);
    assert_int_equal(ending, WEFT_END_COMPLETED);
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
    check_legs(MACHINE("operations") JOBS, (const int[]){3, 1, 1, 5, 2, 0});
    check_legs(MACHINE("operations") JOBS NOISE, (const int[]){1, 2, 4, 1, 1, 0});
}

/* No process has all of a program. */
static void a_program_that_is_divided_may_stop(void **state)
{
    (void)state;
    check_legs(
        MACHINE(
            "operations, ideal-limit: 0") "jobs: {trace: {file: program.goal, placement: random, "
                                          "repeat: 3}}\n",
        (const int[]){1, 1, 1, 0});
}

static void words_of_ranks_are_looked_at(void **state)
{
    (void)state;
    record_check(MACHINE("off") JOBS NOISE, 1);
    record_check(DIVIDED, 1);
}

/* Puts a message of the first operation of a rank, a send to the rank behind it, into an inbox. */
static void put_message(weft_process_set *set, uint32_t local, uint32_t source)
{
    weft_march_inbox_add(&set->inbox,
                         (weft_march_arrival){.local = local, .message = {source, 0}, .age = 3});
}

/* Of a program that is divided a rank knows the messages that come to it, and no others. */
static void messages_come_to_those_they_are_for(void **state)
{
    record_scene it;
    (void)state;
    for (uint32_t ahead = 1; ahead <= 2; ahead++) {
        weft_pack again = {0};
        record_open(&it, DIVIDED, 1);
        const weft_site *site = &it.simulation->instance.sites[0];
        weft_process_set *set = &site->processes->sets[0];
        put_message(set, 0, (set->ranks.rank[0] + RANKS - ahead) % RANKS);
        record_take(&it, weft_site_router_of(site, set->source[0]));
        assert_int_equal(record_through(&it, &it.record, &again), ahead == 1);
        weft_pack_done(&again);
        record_close(&it);
    }
}

/* One that a rank does not send to itself gets by the reader, and is not taken. */
static void a_message_that_nobody_sends_is_passed_over(void **state)
{
    record_scene it;
    weft_instance instance;
    const uint32_t *sources;
    (void)state;
    record_open(&it, DIVIDED, 1);
    record_instance(&it, &instance);
    weft_site *site = &instance.sites[0];
    weft_process_set *set = &site->processes->sets[0];
    for (uint32_t ahead = 0; ahead <= 1; ahead++) {
        put_message(set, ahead, (set->ranks.rank[ahead] + RANKS - ahead) % RANKS);
        (void)weft_processes_tick(site, weft_engine_block(instance.engine, 0), it.now + ahead,
                                  &sources);
        assert_int_equal(set->ranks.came[ahead], ahead ? it.now + ahead : 0);
        assert_int_equal(set->inbox.count, 0);
    }
    weft_instance_close(&instance);
    record_close(&it);
}

/* A wait of a message as a checkpoint has it: source, number, output, ticks. */
static bool takes_waits(uint32_t count, const uint32_t wait[4])
{
    weft_message_waits log = {0};
    weft_pack pack = {0};
    weft_pack_u32(&pack, count);
    for (int i = 0; i < 4; i++)
        weft_pack_u32(&pack, wait[i]);
    weft_unpack from = weft_unpack_of(pack.data, pack.count);
    weft_message_waits_load(&log, 24, &from);
    bool whole = weft_unpack_end(&from);
    assert_int_equal(log.count, whole);
    free(log.slots);
    weft_pack_done(&pack);
    return whole;
}

static void waits_are_of_endpoints_and_take_time(void **state)
{
    (void)state;
    assert_true(takes_waits(1, (const uint32_t[]){23, 5, 2, 40}));
    assert_false(takes_waits(1, (const uint32_t[]){24, 5, 2, 40}));
    assert_false(takes_waits(1, (const uint32_t[]){23, 5, 2, 0}));
    assert_false(takes_waits(2, (const uint32_t[]){23, 5, 2, 40}));
}

static int enter(void **state)
{
    (void)state;
    if (!mkdtemp(place) || chdir(place) != 0)
        return -1;
    write_program("program.goal");
    return 0;
}

static int leave(void **state)
{
    (void)state;
    return unlink("program.goal") || rmdir(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_make_a_whole),
        cmocka_unit_test(a_program_that_is_divided_may_stop),
        cmocka_unit_test(words_of_ranks_are_looked_at),
        cmocka_unit_test(messages_come_to_those_they_are_for),
        cmocka_unit_test(a_message_that_nobody_sends_is_passed_over),
        cmocka_unit_test(waits_are_of_endpoints_and_take_time),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
