/* SPDX-License-Identifier: Apache-2.0 */
/* Records of all kinds of routers in checkpoints: a word is refused or a state. */
#include "test_records.h"

static void every_word_is_looked_at(void **state)
{
    char path[512], text[4096];
    (void)snprintf(path, sizeof path, "%s/tests/determinism/scenarios/%s.yaml", WEFT_SOURCE,
                   (const char *)*state);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t count = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[count] = '\0';
    char *version = strstr(text, "interweft: 1\n"); /* record_open adds it */
    assert_true(count < sizeof text - 1 && version);
    *version = '#';
    record_check(text, 30);
}

/* Adds a packet to the record of a router, at a host that it has not: the packet of the host before
 * it again. `missing`: hosts, whose sources have none; they end the record. */
static void give_packet(weft_pack *record, uint32_t missing)
{
    size_t zeros = (size_t)4 * missing;
    unsigned char packet[32];
    memcpy(packet, record->data + record->count - zeros - sizeof packet, sizeof packet);
    record->count -= zeros;
    assert_int_equal(weft_get_u32(record->data + record->count), 0);
    weft_pack_u32(record, 1);
    weft_pack_bytes(record, packet, sizeof packet);
    for (uint32_t i = 1; i < missing; i++)
        weft_pack_u32(record, 0);
}

/* Routers of which not all have as many endpoints: those that do not exist send nothing. */
static void endpoints_that_are_not_there_send_nothing(void **state)
{
    char text[1024];
    record_scene it;
    weft_pack none = {0};
    (void)state;
    (void)snprintf(text, sizeof text,
                   "topology: {kind: file, path: %s/tests/data/fabrics/uneven.weftnet}\n"
                   "router: {kind: input-queued, vcs: 4, buffer: 8 flits}\n"
                   "traffic: {all: {pattern: uniform, length: 2 flits, load: 1.0}}\n"
                   "measure: {links: off, half-width: 0.001%%, limit: {time: 4000 cycles}}\n",
                   WEFT_SOURCE);
    record_open(&it, text, 30);
    const weft_topology *topology = &it.stage.network.topology;
    uint32_t router = 0;
    while (weft_topology_hosts(topology, router) + 1 != topology->concentration)
        router++;
    record_take(&it, router);
    record_settle(&it);
    record_check_words(&it);
    give_packet(&it.record, 1);
    assert_false(record_through(&it, &it.record, &none));
    record_close(&it);
}

/* Does a router take such a credit, which is on its way to it when a checkpoint is written? */
static bool takes_credit(record_scene *it, uint32_t port, uint32_t vc, uint32_t units,
                         uint32_t link_class)
{
    weft_instance instance;
    weft_event event = {0};
    weft_unpack from = weft_unpack_of(NULL, 0);
    record_instance(it, &instance);
    weft_credit_make(instance.platform.key, &event, port, vc, units, link_class);
    bool taken = instance.platform.router->checkpoint.credit(&instance.sites[0], it->router, &event,
                                                             it->now + 3, it->now, &from);
    assert_true(taken || !from.failed);
    weft_instance_close(&instance);
    return !from.failed;
}

static void credits_are_of_channels_and_links_there_are(void **state)
{
    record_scene it;
    (void)state;
    record_open(&it,
                "topology: {kind: mesh, dims: [3, 3], global: [0]}\n"
                "links: {latency: 3 cycles}\n"
                "router: {kind: input-queued, vcs: 2, buffer: 8 flits}\n"
                "traffic: {all: {pattern: uniform, length: 2 flits, load: 0.1}}\n"
                "measure: {limit: {time: 4000 cycles}}\n",
                1);
    assert_true(takes_credit(&it, 1, 1, 8, 0));
    assert_false(takes_credit(&it, 1, 2, 8, 0));
    assert_false(takes_credit(&it, 1, 1, 0, 0));
    assert_false(takes_credit(&it, 1, 1, WEFT_PACKET_MAX + 1, 0));
    assert_false(takes_credit(&it, 1, 1, 8, WEFT_LINK_CLASSES));
    record_close(&it);
    record_open(&it,
                "topology: {kind: mesh, dims: [4]}\n"
                "router: {kind: shared-queue, queue: [3], full: wait, credit: 1 cycle}\n"
                "traffic: {all: {from: 0, length: 2 flits, load: 0.3}}\n"
                "measure: {limit: {time: 4000 cycles}}\n",
                1);
    assert_true(takes_credit(&it, 0, 0, 1, 0)); /* the way up is the first port of a mesh */
    assert_false(takes_credit(&it, 1, 0, 1, 0));
    record_close(&it);
}

#define SCENARIO(id)                                                            \
    {                                                                           \
        .name = id, .test_func = every_word_is_looked_at, .initial_state = (id) \
    }

int main(void)
{
    static char names[][24] = {
        "router-fifo",        "router-notification", "router-pause", "router-vls",
        "router-stage",       "router-endpoints",    "odd-mesh",     "shared-queue-list",
        "shared-queue-ports", "credit-chain",        "queue",        "adaptive-torus"};
    enum { NAMES = sizeof names / sizeof *names };
    struct CMUnitTest tests[NAMES + 2] = {
        [NAMES] = cmocka_unit_test(endpoints_that_are_not_there_send_nothing),
        [NAMES + 1] = cmocka_unit_test(credits_are_of_channels_and_links_there_are)};
    for (size_t i = 0; i < NAMES; i++)
        tests[i] = (struct CMUnitTest)SCENARIO(names[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
