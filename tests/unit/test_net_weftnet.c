/* SPDX-License-Identifier: Apache-2.0 */
/* .weftnet files: what is written is read again, and nothing else is. */
#include "base/crc32c.h"
#include "base/file.h"
#include "net/topology/common/weftnet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/networks.h"

#define SMALL WEFT_TEST_DATA "/fabrics/small.weftnet"

static weft_bytes small(void)
{
    weft_bytes bytes;
    weft_error err;
    assert_int_equal(weft_bytes_read(SMALL, 1 << 20, "a fabric", &bytes, &err), WEFT_OK);
    return bytes;
}

/* The checksum that the bytes would have. */
static void sign(weft_bytes bytes)
{
    uint32_t crc = weft_crc32c(0, bytes.at, bytes.count - 4);
    weft_put_u32((unsigned char *)bytes.at + bytes.count - 4, crc);
}

static weft_status parse(weft_bytes bytes, weft_error *err)
{
    weft_weftnet net;
    weft_status status = weft_weftnet_parse("f", bytes.at, bytes.count, &net, err);
    if (status == WEFT_OK)
        assert_null(weft_weftnet_flaw(&net));
    weft_weftnet_done(&net);
    return status;
}

static void a_fabric_is_read(void **state)
{
    (void)state;
    weft_weftnet net;
    weft_error err;
    assert_int_equal(weft_weftnet_read(SMALL, &net, &err), WEFT_OK);
    assert_int_equal(net.routers, 6);
    assert_int_equal(net.homes, 4);
    assert_int_equal(net.n_cables, 10);
    assert_int_equal(net.ports, 8);
    assert_int_equal(net.hosts[3], 2);
    assert_string_equal(weft_weftnet_name(&net, 0), "a");
    assert_string_equal(weft_weftnet_name(&net, 5), "s2");
    const weft_cable *cable = &net.cables[4]; /* a s2 */
    assert_int_equal(cable->end[0].router, 0);
    assert_int_equal(cable->end[1].router, 5);
    assert_int_equal(cable->end[1].port, 4); /* ports 0 … 3 are for local links */
    assert_int_equal(cable->class, WEFT_LINK_GLOBAL);
    assert_int_equal(cable->latency, 30);
    weft_weftnet_done(&net);
}

static void writing_gives_the_same_bytes(void **state)
{
    (void)state;
    weft_bytes bytes = small();
    weft_weftnet net;
    weft_error err;
    weft_pack pack = {0};
    assert_int_equal(weft_weftnet_parse("f", bytes.at, bytes.count, &net, &err), WEFT_OK);
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(pack.count, bytes.count);
    assert_memory_equal(pack.data, bytes.at, bytes.count);
    weft_pack_done(&pack);
    weft_weftnet_done(&net);
    free(bytes.at);
}

static void ranks_and_tables_are_kept(void **state)
{
    (void)state;
    weft_weftnet net, again;
    weft_error err;
    weft_pack pack = {0};
    assert_int_equal(weft_weftnet_read(SMALL, &net, &err), WEFT_OK);
    net.rank = calloc(net.routers, sizeof *net.rank);
    net.table = malloc((size_t)net.routers * net.homes);
    assert_true(net.rank && net.table);
    memset(net.table, WEFT_WEFTNET_NO_PORT, (size_t)net.routers * net.homes);
    net.rank[2] = 7;
    net.table[1] = 1; /* a to b */
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(weft_weftnet_parse("f", pack.data, pack.count, &again, &err), WEFT_OK);
    assert_int_equal(again.rank[2], 7);
    assert_int_equal(again.table[1], 1);
    assert_int_equal(again.table[2], WEFT_WEFTNET_NO_PORT);
    weft_weftnet_done(&again);
    pack.count = 0;
    net.table[1] = 2; /* nothing is there */
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(weft_weftnet_parse("f", pack.data, pack.count, &again, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "f is no sound .weftnet fabric: a table names a port at which "
                                  "there is no cable; `weft import` makes one");
    weft_pack_done(&pack);
    weft_weftnet_done(&net);
}

static void every_cut_and_every_flip_is_refused(void **state)
{
    (void)state;
    weft_bytes bytes = small();
    weft_error err;
    for (size_t count = 0; count < bytes.count; count++)
        assert_int_equal(parse((weft_bytes){bytes.at, count}, &err), WEFT_BAD_INPUT);
    for (size_t bit = 0; bit < 8 * bytes.count; bit++) {
        bytes.at[bit / 8] = (char)(bytes.at[bit / 8] ^ 1 << bit % 8);
        assert_int_equal(parse(bytes, &err), WEFT_BAD_INPUT);
        bytes.at[bit / 8] = (char)(bytes.at[bit / 8] ^ 1 << bit % 8);
    }
    free(bytes.at);
}

/* A subnet with all that it can have, and times of links. */
static weft_bytes full(void)
{
    weft_weftnet net;
    weft_error err;
    weft_pack pack = {0};
    assert_int_equal(weft_weftnet_read(WEFT_TEST_DATA "/infiniband/torus-2QoS.weftnet", &net, &err),
                     WEFT_OK);
    size_t pairs = (size_t)net.subnet->n_hosts * net.subnet->n_hosts;
    free(net.subnet->path_sl);
    net.subnet->path_sl = calloc(pairs, 1);
    free(net.timing);
    net.timing = calloc(net.n_cables + net.homes, sizeof *net.timing);
    assert_true(net.subnet->path_sl && net.timing);
    memset(net.subnet->path_sl, WEFT_SUBNET_NO_SL, pairs / 2);
    for (uint32_t i = 0; i < net.n_cables; i++)
        net.timing[i] = (weft_link_settings){.rate = {1e9, WEFT_BITS_PER_SECOND},
                                             .latency = {i, WEFT_PICOSECONDS}};
    weft_weftnet_pack(&net, &pack);
    weft_weftnet_done(&net);
    return (weft_bytes){.at = (char *)pack.data, .count = pack.count};
}

static void a_subnet_reads_back_the_same(void **state)
{
    (void)state;
    weft_bytes bytes = full();
    weft_weftnet net;
    weft_error err;
    weft_pack pack = {0};
    assert_int_equal(weft_weftnet_parse("f", bytes.at, bytes.count, &net, &err), WEFT_OK);
    weft_weftnet_pack(&net, &pack);
    assert_int_equal(pack.count, bytes.count);
    assert_memory_equal(pack.data, bytes.at, bytes.count);
    assert_int_equal(net.subnet->path_sl[0], WEFT_SUBNET_NO_SL);
    assert_true(net.timing[1].latency.value == 1 && net.timing[1].rate.value == 1e9);
    weft_pack_done(&pack);
    weft_weftnet_done(&net);
    free(bytes.at);
}

/* Whatever a signed file says, it is refused or sound. */
static void try_values(weft_bytes bytes)
{
    weft_error err;
    const signed char values[] = {0, 1, 2, 6, 63, 64, 127, -128, -1};
    for (size_t at = 8; at + 4 < bytes.count; at++) {
        char old = bytes.at[at];
        for (size_t v = 0; v < sizeof values; v++) {
            bytes.at[at] = (char)values[v];
            sign(bytes);
            (void)parse(bytes, &err);
        }
        bytes.at[at] = old;
    }
    free(bytes.at);
}

static void wrong_values_never_get_in(void **state)
{
    (void)state;
    try_values(small());
    try_values(full());
}

static void flaws_are_named(void **state)
{
    (void)state;
    const struct {
        size_t at;
        char value;
        const char *flaw;
    } cases[] = {
        {8, 2, "f is of version 2, this program reads version 1: import it again"},
        {0, 'w',
         "f is no sound .weftnet fabric: it does not begin like one; `weft import` makes one"},
        {16, 0, "f is no sound .weftnet fabric: its sizes make no sense; `weft import` makes one"},
        {16, 7, "f is no sound .weftnet fabric: names are missing; `weft import` makes one"},
        {20, 5,
         "f is no sound .weftnet fabric: its length is not what its sizes say, it may be cut "
         "off; `weft import` makes one"},
        {40, 0,
         "f is no sound .weftnet fabric: a router has no hosts, or too many; `weft import` "
         "makes one"},
        {56, 9,
         "f is no sound .weftnet fabric: a cable ends where nothing is; `weft import` makes "
         "one"},
        {56, 4,
         "f is no sound .weftnet fabric: a cable leads from a router to itself; `weft import` "
         "makes one"},
        {64, 1, "f is no sound .weftnet fabric: two cables share a port; `weft import` makes one"},
        {66, 2,
         "f is no sound .weftnet fabric: a link is of an unknown class; `weft import` makes "
         "one"},
        {66, 1,
         "f is no sound .weftnet fabric: ports of one number have links of several classes; "
         "`weft import` makes one"},
        {216, '\n',
         "f is no sound .weftnet fabric: a router's name is no text of 1 … 255 bytes; "
         "`weft import` makes one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_bytes bytes = small();
        weft_error err;
        bytes.at[cases[i].at] = cases[i].value;
        sign(bytes);
        assert_int_equal(parse(bytes, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text, cases[i].flaw);
        free(bytes.at);
    }
}

static void the_topology_has_names_and_classes(void **state)
{
    (void)state;
    network net;
    char name[64];
    const weft_topology *topology = network_open(&net, "file", "path=" SMALL);
    assert_int_equal(topology->concentration, 2);
    assert_int_equal(topology->edge_routers, 4);
    assert_int_equal(topology->links, 20);
    assert_int_equal(topology->port_class[3], WEFT_LINK_LOCAL);
    assert_int_equal(topology->port_class[4], WEFT_LINK_GLOBAL);
    assert_int_equal(topology->kind->distance(topology, 0, 1), 1);
    assert_int_equal(topology->kind->distance(topology, 0, 3), 2);
    topology->kind->name(topology, 4, name, sizeof name);
    assert_string_equal(name, "s1");
    assert_string_equal(weft_weftnet_name(weft_weftnet_of(topology), 5), "s2");
    network_close(&net);
    assert_int_equal(network_open(&net, "file", "hosts=5 path=" SMALL)->concentration, 5);
    assert_int_equal(net.topology.edge_routers, 4);
    network_close(&net);
    assert_null(weft_weftnet_of(network_open(&net, "torus", "dims=3")));
    network_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fabric_is_read),
        cmocka_unit_test(writing_gives_the_same_bytes),
        cmocka_unit_test(ranks_and_tables_are_kept),
        cmocka_unit_test(every_cut_and_every_flip_is_refused),
        cmocka_unit_test(a_subnet_reads_back_the_same),
        cmocka_unit_test(wrong_values_never_get_in),
        cmocka_unit_test(flaws_are_named),
        cmocka_unit_test(the_topology_has_names_and_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
