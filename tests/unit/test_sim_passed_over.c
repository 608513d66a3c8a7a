/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint that is whole as a file but cannot be gone on from is told and passed over, and the
 * run measures what it would have measured from its start: nothing is left of what was loaded. */
#include "test_legs.h"

#include "sim/jobs/processes.h"
#include "sim/jobs/run_jobs.h"
#include "sim/run.h"

#include "contract/scenario.h"

/* All that is kept over a whole run, on one router fewer than can be told at a glance. */
#define MESH                                                                           \
    "topology: {kind: mesh, dims: [4, 4], hosts: 2}\n"                                 \
    "router: {kind: input-queued, vcs: 2, buffer: 16 flits}\n"                         \
    "routing: dimension-order\n"                                                       \
    "traffic:\n"                                                                       \
    "  a: {pattern: uniform, length: 8 flits, load: 0.2, response: aimd}\n"            \
    "  b: {pattern: complement, arrival: poisson, length: 3 flits, load: 0.1}\n"       \
    "measure: {limit: {time: 8000 cycles}, half-width: 0.001%, by: hops, links: all, " \
    "devices: ports, series: 200 cycles, rates: [0, 5], link-series: true, hurst: true}\n"
#define JOBS                                                                                    \
    "topology: {kind: mesh, dims: [4, 4]}\n"                                                    \
    "links: {flit: 64 B}\n"                                                                     \
    "router: {kind: input-queued, vcs: 2, buffer: 16 flits}\n"                                  \
    "routing: dimension-order\n"                                                                \
    "jobs:\n"                                                                                   \
    "  ring: {collective: allreduce/ring, ranks: 6, size: 6000 B, repeat: 40}\n"                \
    "  first: {collective: broadcast/binomial, ranks: 3, size: 600 B, repeat: 2}\n"             \
    "  next: {collective: all-to-all/linear, ranks: 3, size: 600 B, repeat: 9, after: first}\n" \
    "measure: {timeline: operations, series: 200 cycles}\n"

static void pack_all(const int64_t *numbers, size_t count, weft_pack *pack)
{
    for (size_t i = 0; numbers && i < count; i++)
        weft_pack_i64(pack, numbers[i]);
}

static void digest(const weft_simulation *simulation, weft_pack *pack)
{
    const weft_network *network = simulation->network;
    const weft_bins *bins = weft_simulation_bins(simulation);
    const weft_rate_bins *rates = weft_simulation_rates(simulation);
    const weft_link_bins *links = weft_simulation_link_bins(simulation);
    const weft_census census = weft_simulation_census(simulation);
    uint32_t groups = weft_tally_groups(weft_simulation_tally(simulation));
    weft_series_save(weft_simulation_series(simulation), pack);
    weft_control_save(weft_simulation_control(simulation), pack);
    pack_all(bins->start, bins->count, pack);
    pack_all(bins->latency, bins->count, pack);
    pack_all(bins->population, bins->count, pack);
    pack_all(rates->flits, rates->count * rates->flows, pack);
    pack_all(rates->rate, rates->count * rates->flows, pack);
    pack_all(links->busy, links->count * links->slots, pack);
    for (uint32_t g = 0; simulation->hurst && g < groups; g++)
        weft_hurst_save(&simulation->hurst[g], pack);
    weft_pack_bytes(pack, &census, sizeof census);
    if (!network->jobs)
        return;
    pack_all(weft_simulation_finish(simulation), network->jobs->n_ranks, pack);
    pack_all(weft_simulation_began(simulation), network->jobs->n_jobs, pack);
    pack_all(weft_simulation_steps(simulation), simulation->n_steps, pack);
    weft_pack_bytes(pack, weft_simulation_flows(simulation),
                    sizeof *simulation->flows * network->jobs->n_jobs * WEFT_SIZE_CLASSES);
}

/* A run whose checkpoint after a few sampling times is changed; what is said of it. */
static void pass_over(const char *text, leg_edit edit, const char *told)
{
    stage set;
    const weft_network *network = stage_open(&set, text);
    char folder[64], notice[256];
    weft_ending ending;
    weft_pack whole = {0}, again = {0};
    leg first = {.blocks = 1, .wishes = 6}, second = {.blocks = 3}, alone = {.blocks = 1};
    leg_folder(folder);
    assert_int_equal(leg_run(network, folder, &first, &ending, NULL, NULL), WEFT_OK);
    assert_int_equal(ending, WEFT_END_INTERRUPTED);
    leg_rewrite(folder, 1, edit, NULL);
    weft_checkpoint_discard(folder, 1);
    assert_int_equal(leg_run(network, folder, &second, &ending, digest, &again), WEFT_OK);
    (void)snprintf(notice, sizeof notice, "%s: %s; going on from before it", folder, told);
    assert_string_equal(second.notice, notice);
    assert_int_equal(leg_run(network, NULL, &alone, &ending, digest, &whole), WEFT_OK);
    assert_int_equal(whole.count, again.count);
    assert_memory_equal(whole.data, again.data, whole.count);
    weft_pack_done(&whole);
    weft_pack_done(&again);
    leg_folder_remove(folder);
    stage_close(&set);
}

/* The last router of a chunk goes. */
static void leave_one_out(void *user, size_t piece, size_t pieces, unsigned char *data,
                          size_t *bytes)
{
    uint32_t routers = weft_get_u32(data);
    size_t at = 4;
    (void)user;
    if (piece > 0)
        return;
    assert_int_equal(pieces, 2);
    for (uint32_t r = 1; r < routers; r++)
        at += weft_get_u32(data + at);
    size_t next = at + weft_get_u32(data + at);
    memmove(data + at, data + next, *bytes - next);
    *bytes -= next - at;
    weft_put_u32(data, routers - 1);
}

static void cut_events(void *user, size_t piece, size_t pieces, unsigned char *data, size_t *bytes)
{
    (void)user, (void)pieces, (void)data;
    if (piece == 0)
        *bytes -= 4;
}

static void cut_head(void *user, size_t piece, size_t pieces, unsigned char *data, size_t *bytes)
{
    (void)user, (void)data;
    if (piece + 1 == pieces)
        *bytes -= 8;
}

static void nothing_is_left_of_a_checkpoint_that_does_not_fit(void **state)
{
    (void)state;
    pass_over(MESH, cut_events, "checkpoint 2 does not fit this network (box 0)");
    pass_over(JOBS, cut_events, "checkpoint 2 does not fit this network (box 0)");
}

static void a_router_that_is_not_there_is_missed(void **state)
{
    (void)state;
    pass_over(MESH, leave_one_out, "checkpoint 2 holds 15 of the 16 routers looked for");
}

static void a_head_without_its_end_makes_no_sense(void **state)
{
    (void)state;
    pass_over(MESH, cut_head, "the head of checkpoint 2 makes no sense");
    pass_over(JOBS, cut_head, "the head of checkpoint 2 makes no sense");
}

/* Times of messages by size, of three jobs: one bin, then nothing. */
static bool takes_times(uint32_t bin)
{
    stage set;
    weft_simulation *simulation;
    weft_simulation_options options = {.blocks = 1};
    weft_pack pack = {0};
    const weft_network *network = stage_open(&set, JOBS);
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &set.err), WEFT_OK);
    for (uint32_t i = 0; i < 3 * WEFT_SIZE_CLASSES; i++) {
        weft_pack_i64(&pack, i == 0);
        weft_pack_i64(&pack, 0);
        weft_pack_u32(&pack, i == 0);
        if (i == 0) {
            weft_pack_u32(&pack, bin);
            weft_pack_u64(&pack, 1);
        }
    }
    weft_unpack from = weft_unpack_of(pack.data, pack.count);
    weft_run_jobs_load(simulation, &from);
    bool whole = weft_unpack_end(&from);
    weft_pack_done(&pack);
    weft_simulation_destroy(simulation);
    stage_close(&set);
    return whole;
}

static void times_of_messages_have_bins_that_there_are(void **state)
{
    (void)state;
    assert_true(takes_times(WEFT_HISTOGRAM_BINS - 1));
    assert_false(takes_times(WEFT_HISTOGRAM_BINS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_of_a_checkpoint_that_does_not_fit),
        cmocka_unit_test(a_router_that_is_not_there_is_missed),
        cmocka_unit_test(a_head_without_its_end_makes_no_sense),
        cmocka_unit_test(times_of_messages_have_bins_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
