/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a router in a checkpoint, word by word: one that is cut is refused, and so is one
 * with a number that cannot be, or what is read of it is a state as good as any, which is written
 * and read again as the same bytes. */
#ifndef WEFT_TEST_RECORDS_H
#define WEFT_TEST_RECORDS_H

#include "base/pack.h"
#include "sim/assembly.h"
#include "sim/jobs/processes.h"
#include "sim/packet.h"
#include "sim/pace.h"
#include "sim/platform.h"
#include "sim/router.h"
#include "sim/run.h"
#include "sim/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

typedef struct record_scene {
    stage stage;
    weft_simulation *simulation; /* that has run for a while */
    weft_tally tally;            /* of the instances that records are read into */
    weft_time now;
    uint32_t router;  /* of the record: at first the longest there is */
    weft_pack record; /* and itself */
} record_scene;

static inline void record_write(const weft_instance *instance, uint32_t router, weft_pack *pack)
{
    const weft_site *site = &instance->sites[0];
    weft_sources_save(site, router, pack);
    weft_assembly_save(site, router, pack);
    weft_pace_save(site, router, pack);
    weft_processes_save(site, router, pack);
    instance->platform.router->checkpoint.save(site, router, pack);
}

static inline bool record_read(weft_instance *instance, uint32_t router, weft_time now,
                               const weft_pack *pack)
{
    weft_site *site = &instance->sites[0];
    weft_unpack from = weft_unpack_of(pack->data, pack->count);
    weft_sources_load(site, router, now, &from);
    weft_assembly_load(site, router, &from);
    weft_pace_load(site, router, &from);
    weft_processes_load(site, router, now, &from);
    instance->platform.router->checkpoint.load(site, router, now, &from);
    return weft_unpack_end(&from);
}

static inline weft_request record_request(void *user)
{
    int *left = user;
    return --*left == 0 ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

/* Takes the record of another router. */
static inline void record_take(record_scene *it, uint32_t router)
{
    weft_pack_done(&it->record);
    record_write(&it->simulation->instance, router, &it->record);
    it->router = router;
}

static inline void record_open(record_scene *it, const char *text, int samples)
{
    *it = (record_scene){0};
    const weft_network *network = stage_open(&it->stage, text);
    weft_simulation_options options = {.blocks = 1, .request = record_request, .user = &samples};
    weft_ending ending;
    assert_int_equal(weft_simulation_create(network, &options, &it->simulation, &it->stage.err), 0);
    assert_int_equal(weft_simulation_run(it->simulation, &ending, &it->stage.err), 0);
    assert_int_equal(ending, WEFT_END_INTERRUPTED);
    it->now = weft_simulation_now(it->simulation);
    weft_tally_init(&it->tally, network->n_traffic_classes, weft_platform_hops_max(network),
                    network->scenario->measure.by);
    size_t most = 0;
    uint32_t longest = 0;
    for (uint32_t r = 0; r < network->topology.routers; r++) {
        record_take(it, r);
        if (it->record.count > most) {
            most = it->record.count;
            longest = r;
        }
    }
    record_take(it, longest);
}

static inline void record_close(record_scene *it)
{
    weft_pack_done(&it->record);
    weft_tally_done(&it->tally);
    weft_simulation_destroy(it->simulation);
    stage_close(&it->stage);
}

static inline void record_instance(record_scene *it, weft_instance *instance)
{
    weft_instance_plan plan = {
        .blocks = 1, .start = it->now, .interval = it->simulation->interval, .tallies = &it->tally};
    assert_int_equal(weft_instance_open(instance, &it->stage.network, &plan, &it->stage.err), 0);
}

/* Reads a record, and writes again what was read; false: it is refused. */
static inline bool record_through(record_scene *it, const weft_pack *record, weft_pack *again)
{
    weft_instance instance;
    record_instance(it, &instance);
    bool whole = record_read(&instance, it->router, it->now, record);
    if (whole)
        record_write(&instance, it->router, again);
    weft_instance_close(&instance);
    return whole;
}

static inline void record_assert_settled(record_scene *it, const weft_pack *record)
{
    weft_pack again = {0};
    assert_true(record_through(it, record, &again));
    assert_int_equal(again.count, record->count);
    assert_memory_equal(again.data, record->data, record->count);
    weft_pack_done(&again);
}

/* Is the record refused with another number in the place of a word? */
static inline bool record_refuses(record_scene *it, size_t word, uint32_t value)
{
    weft_pack first = {0};
    unsigned char *at = it->record.data + 4 * word;
    uint32_t before = weft_get_u32(at);
    weft_put_u32(at, value);
    bool whole = record_through(it, &it->record, &first);
    weft_put_u32(at, before);
    if (whole)
        record_assert_settled(it, &first);
    weft_pack_done(&first);
    return !whole;
}

/* What has happened by the tick of the checkpoint is carried out when it is read. */
static inline void record_settle(record_scene *it)
{
    weft_pack settled = {0};
    assert_true(record_through(it, &it->record, &settled));
    weft_pack_done(&it->record);
    it->record = settled;
    record_assert_settled(it, &it->record);
}

static inline void record_check_words(record_scene *it)
{
    static const uint32_t values[] = {0, INT32_MAX, UINT32_MAX};
    size_t words = it->record.count / 4, refused = 0, count = sizeof values / sizeof *values;
    for (size_t w = 0; w < words; w++)
        for (size_t v = 0; v < count; v++)
            refused += record_refuses(it, w, values[v]);
    print_message("%zu words, %zu of %zu numbers refused\n", words, refused, count * words);
    assert_true(refused > words / 5);
}

static inline void record_check_lengths(record_scene *it)
{
    weft_pack none = {0};
    for (size_t bytes = 0; bytes < it->record.count; bytes += 4) {
        weft_pack part = {.data = it->record.data, .count = bytes};
        assert_false(record_through(it, &part, &none));
    }
}

/* samples: times after which the run stops whose records are looked at. */
static inline void record_check(const char *text, int samples)
{
    record_scene it;
    record_open(&it, text, samples);
    record_settle(&it);
    record_check_words(&it);
    record_check_lengths(&it);
    record_close(&it);
}

#endif
