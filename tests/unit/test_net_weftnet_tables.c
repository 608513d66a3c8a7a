/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and tables that a .weftnet file brings along, as programs of others may write them, lead
 * packets; the fabric itself stays as it was read. */
#include "base/file.h"
#include "interweft/interweft.h"
#include "net/topology/common/weftnet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "net/routing.h"
#include "unit/test_folder.h"

#define NONE WEFT_WEFTNET_NO_PORT

/* ring.weftnet: routers a, b, c, d in a ring, each with one host, port 0 to the next one and port 1
 * to the one before, and with these ranks or this table. */
static void write_ring(const uint32_t *rank, const uint8_t *table)
{
    static const char edges[] = "a b ports=0:1\nb c ports=0:1\nc d ports=0:1\nd a ports=0:1\n";
    const weft_import_options options = {
        .format = "edges", .file = "ring.edges", .out = "ring.weftnet", .keep_order = true};
    weft_weftnet net;
    weft_error err;
    weft_pack pack = {0};
    char *text;
    assert_int_equal(weft_bytes_write("ring.edges", edges, strlen(edges), &err), WEFT_OK);
    assert_int_equal(weft_import(&options, &text, &err), WEFT_OK);
    free(text);
    assert_int_equal(weft_weftnet_read("ring.weftnet", &net, &err), WEFT_OK);
    net.rank = rank ? memcpy(malloc(4 * sizeof *rank), rank, 4 * sizeof *rank) : NULL;
    net.table = table ? memcpy(malloc(16), table, 16) : NULL;
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(weft_bytes_write("ring.weftnet", pack.data, pack.count, &err), WEFT_OK);
    weft_pack_done(&pack);
    weft_weftnet_done(&net);
}

#define RING                                       \
    "topology: {kind: file, path: ring.weftnet}\n" \
    "router: {kind: input-queued, vcs: 1}\n"       \
    "traffic: {all: {length: 4 flits, load: 0.1}}\n"

/* The port by which packets go from one router to another. */
static uint16_t way(const weft_network *network, uint32_t from, uint32_t to)
{
    const weft_routing *routing = &network->routing;
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    const weft_route_context at = {
        .router = from,
        .header = weft_routing_header_for_host(
            routing, weft_routing_initial_header(routing, from, to, &random), 0),
        .port = WEFT_FROM_ENDPOINT};
    assert_true(weft_routing_candidates(routing, &at, &random, out) >= 1);
    return out[0].port;
}

/* From b to d a packet goes up to the root and down again. */
static void ranks_say_where_up_is(void **state)
{
    (void)state;
    static const uint32_t ranks[2][4] = {{0, 1, 2, 1}, {70, 9, 3, 9}};
    const uint16_t ports[] = {1, 0}; /* by a, by c */
    for (int i = 0; i < 2; i++) {
        stage it;
        write_ring(ranks[i], NULL);
        const weft_network *network = stage_open(&it, RING "routing: {kind: up-down}\n");
        assert_int_equal(way(network, 1, 3), ports[i]);
        stage_close(&it);
    }
}

/* All packets go round one way, but from d to c. At a router itself nothing is to be said:
 * what the table of a has there is of no use. */
static void tables_are_followed_and_kept(void **state)
{
    (void)state;
    static const uint8_t table[16] = {1, 0, 0, 0, 0, NONE, 0, 0, 0, 0, NONE, 0, 0, 0, 1, NONE};
    stage it;
    write_ring(NULL, table);
    const weft_network *network = stage_open(&it, RING "routing: {kind: tables}\n");
    assert_int_equal(way(network, 0, 3), 0);
    assert_int_equal(way(network, 3, 2), 1);
    assert_true(weft_routing_header_valid(&network->routing, 3, 1));
    assert_false(weft_routing_header_valid(&network->routing, 0, 1));
    assert_memory_equal(weft_weftnet_of(&network->topology)->table, table, sizeof table);
    stage_close(&it);
}

/* weft import refuses pieces; a file that others write may be of some. */
static void pieces_are_refused(void **state)
{
    (void)state;
    weft_weftnet net;
    weft_error err;
    weft_pack pack = {0};
    stage it;
    write_ring(NULL, NULL);
    assert_int_equal(weft_weftnet_read("ring.weftnet", &net, &err), WEFT_OK);
    assert_int_equal(net.n_cables, 4);
    net.n_cables = 2; /* a b and c d */
    net.cables[0].end[0] = (weft_end){0, 0};
    net.cables[0].end[1] = (weft_end){1, 1};
    net.cables[1].end[0] = (weft_end){2, 0};
    net.cables[1].end[1] = (weft_end){3, 1};
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(weft_bytes_write("ring.weftnet", pack.data, pack.count, &err), WEFT_OK);
    weft_pack_done(&pack);
    weft_weftnet_done(&net);
    assert_int_equal(stage_try(&it, RING), WEFT_BAD_INPUT);
    assert_string_equal(it.err.text, "test.yaml:2:11: the network is in pieces: there is no way "
                                     "from router 0 to router 2");
    stage_close(&it);
}

/* ring.weftnet: router a alone, with two hosts and with ports at which there is no cable. */
static void write_alone(void)
{
    weft_weftnet net;
    weft_error err;
    weft_pack pack = {0};
    write_ring(NULL, NULL);
    assert_int_equal(weft_weftnet_read("ring.weftnet", &net, &err), WEFT_OK);
    net.routers = net.homes = 1;
    net.hosts[0] = 2;
    net.n_cables = 0;
    net.text_bytes = 2;
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(weft_bytes_write("ring.weftnet", pack.data, pack.count, &err), WEFT_OK);
    weft_pack_done(&pack);
    weft_weftnet_done(&net);
}

/* An M/M/1 queue, ρ = 0.4, and no link of which there could be a load. */
static void a_queue_has_no_links(void **state)
{
    (void)state;
    const weft_study_options options = {
        .text = "interweft: 1\n"
                "topology: {kind: file, path: ring.weftnet}\n"
                "router: {kind: queue, service: 10 cycles}\n"
                "traffic: {all: {pattern: uniform, length: 1 flits, load: 0.02}}\n"
                "measure: {links: all, limit: {packets: 20000}}\n",
        .results = WEFT_IN_MEMORY};
    weft_error err = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    weft_study *study;
    const weft_point *point;
    write_alone();
    assert_int_equal(weft_study_open(&options, catalog, &study, &err), WEFT_OK);
    if (weft_study_run(study, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(weft_result_read(weft_study_result(study), 0, &point, &err), WEFT_OK);
    const weft_metric *latency = weft_point_metric(point, "latency", "", "", 0);
    assert_true(fabs(latency->value - 10 / (1 - 0.4)) < 1.5);
    for (size_t i = 0; i < point->n_metrics; i++)
        assert_null(strstr(point->metrics[i].name, "link"));
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_say_where_up_is),
        cmocka_unit_test(tables_are_followed_and_kept),
        cmocka_unit_test(pieces_are_refused),
        cmocka_unit_test(a_queue_has_no_links),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
