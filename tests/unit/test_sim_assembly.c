/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that are cut into packets, at both ends: what sources make of them, and what becomes
 * of packets that come in any order, also across a checkpoint. */
#include "sim/assembly.h"
#include "sim/platform.h"
#include "sim/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

/* 16 endpoints at 8 routers; class a is cut into 4, 4 and 3 flits, b is not cut. */
#define SCENE                                                 \
    "topology: {kind: torus, dims: [8], hosts: 2}\n"          \
    "endpoint: {injection: one-port, mtu: 4 flits}\n"         \
    "traffic:\n"                                              \
    "  a: {length: 11 flits, load: 0.1, arrival: periodic}\n" \
    "  b: {length: 4 flits, load: 0.1, arrival: periodic}\n"  \
    "  c: {length: {kind: bimodal, short: 1 flit, long: 9 flits}, load: 0.1}\n"

typedef struct world {
    stage stage;
    weft_tally tally;
    weft_instance instance;
    weft_site *site;
} world;

static void world_open(world *it, const char *text)
{
    const weft_network *network = stage_open(&it->stage, text);
    weft_tally_init(&it->tally, network->n_traffic_classes, 8, true);
    weft_instance_plan plan = {.blocks = 1, .tallies = &it->tally};
    assert_int_equal(weft_instance_open(&it->instance, network, &plan, &it->stage.err), WEFT_OK);
    it->site = &it->instance.sites[0];
}

static void world_close(world *it)
{
    weft_instance_close(&it->instance);
    weft_tally_done(&it->tally);
    stage_close(&it->stage);
}

/* The packet the source sends next, whenever that may be. */
static weft_event take(world *it, uint32_t source)
{
    weft_event packet = {0};
    weft_sources_take(it->site, source, &packet);
    return packet;
}

static uint32_t source_of(uint32_t endpoint, uint32_t traffic_class)
{
    return endpoint * 3 + traffic_class;
}

static void messages_are_cut_full_packets_first(void **state)
{
    (void)state;
    world it;
    world_open(&it, SCENE);
    const uint32_t flits[] = {4, 4, 3};
    for (uint32_t message = 0; message < 3; message++) {
        uint32_t source = source_of(5, 0), route = 0, host = 0;
        weft_fine_time born = it.site->head[source].at;
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(weft_sources_since(it.site, source) == born);
            weft_event packet = take(&it, source);
            assert_int_equal(weft_packet_flits(&packet), flits[i]);
            assert_int_equal(weft_packet_follows(&packet), i > 0);
            assert_int_equal(packet.data[0], 5);
            assert_int_equal(packet.data[1], message);
            assert_int_equal(packet.data[2], i ? i : (uint32_t)weft_fine_time_tick(born));
            if (i == 0) {
                route = packet.data[3];
                host = weft_packet_host(WEFT_KEY_NARROW, &packet, 1);
            } else {
                assert_int_equal(weft_sources_birth(it.site, source), weft_fine_time_tick(born));
            }
            assert_int_equal(packet.data[3], route);
            assert_int_equal(weft_packet_host(WEFT_KEY_NARROW, &packet, 1), host);
            /* due as long as something is left, whatever the time */
            assert_int_equal(weft_sources_due(it.site, source, 0), i < 2);
        }
    }
    assert_int_equal(it.tally.traffic_classes[0].made, 9);
    assert_int_equal(it.tally.traffic_classes[0].generated, 3);
    weft_event whole = take(&it, source_of(5, 1));
    assert_int_equal(weft_packet_flits(&whole), 4);
    assert_false(weft_sources_sending(it.site, source_of(5, 1)));
    world_close(&it);
}

/* Where it will arrive: the router of this site. */
static uint32_t goal(const world *it, const weft_event *packet)
{
    const weft_workload *workload =
        &it->site->platform->network->traffic_classes[weft_packet_traffic_class(packet)].workload;
    weft_cursor cursor = {.index = packet->data[1], .live = 1};
    weft_random random;
    return workload->kind->next(workload, packet->data[0], &cursor, &random).to / 2;
}

static void deliver(world *it, const weft_event *packet, weft_time now)
{
    weft_assembly_deliver(it->site, goal(it, packet), packet, now);
}

static void a_message_is_complete_with_its_last_packet(void **state)
{
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    world it;
    world_open(&it, SCENE);
    const weft_tally_traffic_class *sum = &it.tally.traffic_classes[0];
    int64_t latency = 0;
    for (int o = 0; o < 6; o++) {
        weft_event packet[3];
        for (int i = 0; i < 3; i++)
            packet[i] = take(&it, source_of(3, 0));
        weft_time born = (weft_time)packet[0].data[2];
        for (int i = 0; i < 3; i++) {
            assert_int_equal(sum->delivered, o);
            deliver(&it, &packet[orders[o][i]], born + 100 + i);
        }
        latency += 102;
        assert_int_equal(sum->delivered, o + 1);
        assert_int_equal(sum->latency, latency);
        assert_int_equal(sum->packets, 3 * (o + 1));
        assert_int_equal(sum->flits, 11 * (o + 1));
        assert_int_equal(weft_assembly_count(it.site), 0);
    }
    world_close(&it);
}

static void packets_that_are_alone_are_complete_at_once(void **state)
{
    (void)state;
    world it;
    world_open(&it, SCENE);
    for (int i = 0; i < 40; i++) {
        weft_event whole = take(&it, source_of(1, 1)), part = take(&it, source_of(1, 2));
        deliver(&it, &whole, 5);
        assert_int_equal(it.tally.traffic_classes[1].delivered, i + 1);
        bool alone = weft_packet_flits(&part) == 1;
        int64_t before = it.tally.traffic_classes[2].delivered;
        deliver(&it, &part, 5);
        assert_int_equal(it.tally.traffic_classes[2].delivered - before, alone);
        assert_int_equal(weft_sources_sending(it.site, source_of(1, 2)), !alone);
        while (weft_sources_sending(it.site, source_of(1, 2))) {
            part = take(&it, source_of(1, 2));
            deliver(&it, &part, 5);
        }
        assert_int_equal(it.tally.traffic_classes[2].delivered, i + 1);
        assert_int_equal(weft_assembly_count(it.site), 0);
    }
    world_close(&it);
}

static void without_long_messages_there_is_no_table(void **state)
{
    (void)state;
    world it;
    world_open(&it, "topology: {kind: torus, dims: [8]}\nendpoint: {mtu: 64 flits}\n"
                    "traffic: {all: {length: 64 flits, load: 0.1}}\n");
    assert_null(it.site->rest);
    assert_null(it.site->assembly);
    weft_event packet = take(&it, 2);
    weft_assembly_deliver(it.site, 0, &packet, 3);
    assert_int_equal(it.tally.traffic_classes[0].delivered, 1);
    world_close(&it);
}

enum { MANY = 500 };

/* Many messages of which the last packet is missing: takes them in an order of its own. */
static void half_deliver(world *it, weft_event *last, bool backwards)
{
    static weft_event packet[MANY][3];
    for (uint32_t m = 0; m < MANY; m++)
        for (int i = 0; i < 3; i++)
            packet[m][i] = take(it, source_of(m % 16, 0));
    for (uint32_t k = 0; k < MANY; k++) {
        uint32_t m = backwards ? MANY - 1 - k : k;
        deliver(it, &packet[m][backwards ? 1 : 0], 9);
        deliver(it, &packet[m][backwards ? 0 : 1], 9);
        last[m] = packet[m][2];
    }
    assert_int_equal(weft_assembly_count(it->site), MANY);
}

static void save_all(const world *it, weft_pack *pack)
{
    for (uint32_t r = 0; r < 8; r++)
        weft_assembly_save(it->site, r, pack);
}

static void half_messages_survive_as_the_same_bytes(void **state)
{
    (void)state;
    static weft_event last[MANY];
    world one, two, three;
    weft_pack first = {0}, second = {0}, again = {0};
    world_open(&one, SCENE);
    world_open(&two, SCENE);
    world_open(&three, SCENE);
    half_deliver(&one, last, false);
    half_deliver(&two, last, true);
    save_all(&one, &first);
    save_all(&two, &second);
    assert_int_equal(first.count, 8 * 4 + MANY * 24);
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.data, second.data, first.count);
    weft_unpack from = weft_unpack_of(first.data, first.count);
    for (uint32_t r = 0; r < 8; r++)
        weft_assembly_load(three.site, r, &from);
    assert_true(weft_unpack_end(&from));
    save_all(&three, &again);
    assert_memory_equal(first.data, again.data, first.count);
    for (uint32_t m = 0; m < MANY; m++)
        deliver(&three, &last[m], 20);
    assert_int_equal(three.tally.traffic_classes[0].delivered, MANY);
    assert_int_equal(weft_assembly_count(three.site), 0);
    weft_pack_done(&first);
    weft_pack_done(&second);
    weft_pack_done(&again);
    world_close(&one);
    world_close(&two);
    world_close(&three);
}

static bool loads(const uint32_t *words, size_t count, uint32_t router)
{
    world it;
    weft_pack pack = {0};
    world_open(&it, SCENE);
    for (size_t i = 0; i < count; i++)
        weft_pack_u32(&pack, words[i]);
    weft_unpack from = weft_unpack_of(pack.data, pack.count);
    weft_assembly_load(it.site, router, &from);
    bool whole = weft_unpack_end(&from);
    weft_pack_done(&pack);
    world_close(&it);
    return whole;
}

static void impossible_halves_are_refused(void **state)
{
    (void)state;
    world it;
    world_open(&it, SCENE);
    weft_event packet = take(&it, source_of(3, 0));
    uint32_t router = goal(&it, &packet);
    world_close(&it);
    /* count, then source, index, flow, missing, and birth in two words */
    const uint32_t right[] = {1, 3, 0, 0, 7, 0, 0};
    assert_true(loads(right, 7, router));
    assert_false(loads(right, 7, (router + 1) % 8)); /* it goes elsewhere */
    assert_false(loads(right, 6, router));
    const uint32_t wrong[][7] = {
        {1, 16, 0, 0, 7, 0, 0},  /* no such endpoint */
        {1, 3, 0, 3, 7, 0, 0},   /* class */
        {1, 3, 0, 0, 0, 0, 0},   /* nothing is missing */
        {1, 3, 0, 0, 11, 0, 0},  /* everything is */
        {1, 3, 0, 0, 7, 0, 256}, /* 2^40 */
        {2, 3, 0, 0, 7, 0, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(loads(wrong[i], 7, router));
    const uint32_t twice[] = {2, 3, 0, 0, 7, 0, 0, 3, 0, 0, 3, 0, 0};
    assert_false(loads(twice, 13, router));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_cut_full_packets_first),
        cmocka_unit_test(a_message_is_complete_with_its_last_packet),
        cmocka_unit_test(packets_that_are_alone_are_complete_at_once),
        cmocka_unit_test(without_long_messages_there_is_no_table),
        cmocka_unit_test(half_messages_survive_as_the_same_bytes),
        cmocka_unit_test(impossible_halves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
