/* SPDX-License-Identifier: Apache-2.0 */
/* What jobs hold beside the network: by the records of their ranks, with all the room that their
 * agendas, queues and arrivals have taken in a run. With the argument `full` the sizes for which
 * 200 B a rank are promised. */
#include "sim/simulation.h"

#include "sim/jobs/processes.h"
#include "sim/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

static bool full;

static weft_request request(void *user)
{
    (void)user;
    return WEFT_REQUEST_NONE;
}

/* Bytes of a rank, at the end of a run; arrays of a rank and of an endpoint in the job set too. */
static double bytes_per_rank(const char *job, uint32_t levels, const char *limit)
{
    char text[1024];
    stage it;
    weft_simulation *simulation;
    weft_ending ending;
    (void)snprintf(text, sizeof text,
                   "topology: {kind: fat-tree, arity: 16, levels: %u}\n"
                   "router: {kind: input-queued, vcs: 1, buffer: 32 flits}\n"
                   "routing: {kind: d-mod-k}\n"
                   "links: {flit: 64 B}\n"
                   "jobs: {job: {%s}}\n"
                   "measure: {links: off, limit: {time: %s, packets: 1000000000}}\n",
                   levels, job, limit);
    const weft_network *network = stage_open(&it, text);
    weft_simulation_options options = {.blocks = 1, .threads = 1, .request = request};
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &it.err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &it.err), WEFT_OK);
    double ranks = network->jobs->n_ranks, bytes = 8 * ranks;
    for (uint32_t i = 0; i < simulation->instance.n_sites; i++)
        bytes += (double)weft_processes_bytes(&simulation->instance.sites[i]);
    weft_simulation_destroy(simulation);
    stage_close(&it);
    printf("%s on %.0f ranks: %.1f B a rank\n", job, ranks, bytes / ranks);
    return bytes / ranks;
}

static void ring_takes_at_most_200_bytes_a_rank(void **state)
{
    (void)state;
    double bytes = bytes_per_rank(full ? "collective: allreduce/ring, size: 64 MiB, steps: 256"
                                       : "collective: allreduce/ring, size: 4 MiB, steps: 16",
                                  full ? 4 : 3, full ? "100000 cycles" : "400 cycles");
    assert_true(bytes <= 200);
}

static void all_to_all_takes_at_most_200_bytes_a_rank(void **state)
{
    (void)state;
    const char *limit = full ? "50000 cycles" : "400 cycles";
    assert_true(bytes_per_rank("collective: all-to-all/pairwise, size: 1 MiB", 3, limit) <= 200);
}

/* The CPU of every rank has several messages under way to the network: three entries in the agenda,
 * which has room for up to twice as many. */
static void all_messages_at_once_take_at_most_270_bytes_a_rank(void **state)
{
    (void)state;
    const char *limit = full ? "50000 cycles" : "400 cycles";
    assert_true(bytes_per_rank("collective: all-to-all/linear, size: 1 MiB", 3, limit) <= 270);
}

int main(int argc, char **argv)
{
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_takes_at_most_200_bytes_a_rank),
        cmocka_unit_test(all_to_all_takes_at_most_200_bytes_a_rank),
        cmocka_unit_test(all_messages_at_once_take_at_most_270_bytes_a_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
