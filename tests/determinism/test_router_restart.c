/* SPDX-License-Identifier: Apache-2.0 */
/* Same bytes over restarts, for every kind of router: a run that is stopped
 * again and again, after any number of sampling times, and gone on with on other blocks and
 * threads measures the same as one that was left alone. tests/mpi has the same over processes
 * that are killed. */
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

enum { LEGS_MOST = 1000 };

static weft_request request(void *user)
{
    int *left = user;
    return *left > 0 && --*left == 0 ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

static void no_notice(void *user, const char *text)
{
    (void)user;
    fail_msg("%s", text); /* a checkpoint was passed over */
}

static void read_scenario(const char *name, char *text, size_t room)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/determinism/scenarios/%s.yaml", WEFT_SOURCE, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t count = fread(text, 1, room - 1, file);
    assert_true(count > 0 && count < room - 1);
    (void)fclose(file);
    text[count] = '\0';
    char *version = strstr(text, "interweft: 1\n"); /* stage_open adds it */
    assert_non_null(version);
    memset(version, ' ', strlen("interweft: 1"));
    version[0] = '#';
}

/* What a run measured, as bytes. */
static void digest(const weft_network *network, const weft_simulation *simulation, weft_pack *pack)
{
    size_t routers = network->topology.routers;
    const weft_link_loads *links = weft_simulation_links(simulation);
    const weft_bins *bins = weft_simulation_bins(simulation);
    weft_census census = weft_simulation_census(simulation);
    weft_series_save(weft_simulation_series(simulation), pack);
    weft_control_save(weft_simulation_control(simulation), pack);
    for (size_t i = 0; i < links->n_loads; i++)
        weft_pack_i64(pack, links->loads[i].busy);
    for (size_t i = 0; i < bins->count; i++)
        weft_pack_i64(pack, bins->latency[i]);
    const weft_rate_bins *rates = weft_simulation_rates(simulation);
    for (size_t i = 0; i < rates->count * rates->flows; i++) {
        weft_pack_i64(pack, rates->flits[i]);
        weft_pack_i64(pack, rates->rate[i]);
    }
    const weft_device_loads *devices = weft_simulation_devices(simulation);
    for (size_t i = 0; devices->span && i < routers * devices->columns; i++)
        for (int k = 0; k < 4; k++)
            weft_pack_i64(pack, devices->load[k][i]);
    const weft_fairness *fairness = weft_simulation_fairness(simulation);
    weft_pack_i64(pack, fairness->share[0].sum);
    weft_pack_u64(pack, fairness->share[0].squares[0]);
    weft_pack_i64(pack, census.in_flight);
    weft_pack_i64(pack, census.waiting);
}

/* One part of a run, stopped after so many sampling times (0: never); is it the last one? */
static bool run_leg(const weft_network *network, const char *folder, int leg, int stop,
                    weft_pack *pack)
{
    weft_simulation *simulation;
    weft_error err;
    weft_ending ending;
    weft_simulation_options options = {.blocks = (uint32_t)(leg * 5 % 23 + 1),
                                       .threads = (unsigned)leg % 3 + 1,
                                       .request = request,
                                       .folder = folder,
                                       .notice = no_notice,
                                       .user = &stop};
    assert_int_equal(weft_simulation_create(network, &options, &simulation, &err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &err), WEFT_OK);
    bool last = ending != WEFT_END_INTERRUPTED;
    if (last)
        digest(network, simulation, pack);
    weft_simulation_destroy(simulation);
    return last;
}

static void new_folder(char *path)
{
    (void)strcpy(path, "/tmp/weft-test-XXXXXX"); /* NOLINT: it fits */
    assert_non_null(mkdtemp(path));
    (void)strcat(path, "/point"); /* NOLINT */
}

/* Stopped after `first` sampling times, then after `more` more than the last time, and so on. */
static void stop_often(const weft_network *network, const weft_pack *whole, const char *name,
                       int first, int more)
{
    char folder[64];
    weft_pack parts = {0};
    int legs = 0;
    new_folder(folder);
    while (!run_leg(network, folder, legs, first + legs * more, &parts))
        assert_true(++legs < LEGS_MOST);
    bool same = whole->data && parts.data && whole->count == parts.count &&
                memcmp(whole->data, parts.data, whole->count) == 0;
    if (!same)
        fail_msg("%s: %d stops, after %d (+ %d) sampling times, give other results", name, legs,
                 first, more);
    weft_pack_done(&parts);
    weft_checkpoint_remove(folder);
    *strrchr(folder, '/') = '\0';
    (void)rmdir(folder);
}

static void stops_change_nothing(void **state)
{
    const char *name = *state;
    char text[4096];
    stage set;
    weft_pack whole = {0};
    read_scenario(name, text, sizeof text);
    const weft_network *network = stage_open(&set, text);
    assert_true(run_leg(network, NULL, 0, 0, &whole));
    stop_often(network, &whole, name, 1, 1);
    stop_often(network, &whole, name, 5, 0);
    stop_often(network, &whole, name, 40, 7);
    weft_pack_done(&whole);
    stage_close(&set);
}

#define SCENARIO(id)                                                             \
    {                                                                            \
        .name = id, .test_func = stops_change_nothing, .initial_state = (char[]) \
        {                                                                        \
            id                                                                   \
        }                                                                        \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENARIO("router-fifo"),        SCENARIO("router-voq"),
        SCENARIO("router-adaptive"),    SCENARIO("router-butterfly"),
        SCENARIO("router-stage"),       SCENARIO("router-endpoints"),
        SCENARIO("router-fat-tree"),    SCENARIO("router-stages"),
        SCENARIO("router-devices"),     SCENARIO("router-ugal"),
        SCENARIO("router-par"),         SCENARIO("router-zone"),
        SCENARIO("router-classes"),     SCENARIO("router-wide"),
        SCENARIO("router-vls"),         SCENARIO("router-congestion"),
        SCENARIO("router-pause"),       SCENARIO("router-notification"),
        SCENARIO("router-infiniband"),  SCENARIO("queue"),
        SCENARIO("shared-queue"),       SCENARIO("shared-queue-list"),
        SCENARIO("shared-queue-ports"), SCENARIO("adaptive-torus"),
        SCENARIO("credit-chain")};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
