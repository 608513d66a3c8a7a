/* SPDX-License-Identifier: Apache-2.0 */
/* Locality in networks of which only every third router is looked at: one that sees far less than
 * those finds the few that there are, and one that sees nobody sends to anybody. */
#include "base/file.h"
#include "interweft/interop.h"

#include "contract/pattern.h"
#include "unit/test_folder.h"

#define HUBS   60
#define LEAVES 100 /* of each */

enum { FEW = 1, NOBODY = 2, ONLY = HUBS * LEAVES + 2 }; /* endpoints */

/* Hubs are all joined, so that leaves of different hubs are three hops apart. Behind hub 0, on arms
 * of two routers, hang `few`, three hops from `only`, and `nobody`. Endpoints come in the order in
 * which they are named. */
static void write_fabric(void)
{
    const weft_import_options options = {
        .format = "edges", .file = "hubs.edges", .out = "hubs.weftnet", .keep_order = true};
    weft_text edges;
    weft_error err;
    char *text;
    weft_text_init(&edges);
    weft_text_add(&edges, "host l0-0\nhost few\nhost nobody\n");
    for (int hub = 0; hub < HUBS; hub++)
        for (int leaf = 0; leaf < LEAVES; leaf++)
            weft_text_add(&edges, "l%d-%d hub%d\n", hub, leaf, hub);
    for (int hub = 0; hub < HUBS; hub++)
        for (int leaf = hub == 0; leaf < LEAVES; leaf++)
            weft_text_add(&edges, "host l%d-%d\n", hub, leaf);
    for (int a = 0; a < HUBS; a++)
        for (int b = 0; b < a; b++)
            weft_text_add(&edges, "hub%d hub%d\n", a, b);
    weft_text_add(&edges, "few elbow1\nelbow1 arm1\narm1 hub0\nonly arm1\nhost only\n"
                          "nobody elbow2\nelbow2 arm2\narm2 hub0\n");
    assert_int_equal(weft_bytes_write("hubs.edges", edges.at, edges.length, &err), WEFT_OK);
    assert_int_equal(weft_import(&options, &text, &err), WEFT_OK);
    weft_text_done(&edges);
    free(text);
}

static void those_that_see_little_are_served(void **state)
{
    (void)state;
    traffic it;
    write_fabric();
    const weft_pattern *pattern =
        traffic_open(&it, "file", "path=hubs.weftnet", "locality", "hops:3:1");
    const weft_topology *topology = pattern->topology;
    assert_int_equal(topology->edge_routers, HUBS * LEAVES + 3);
    assert_int_equal(topology->kind->distance(topology, FEW, ONLY), 3);
    for (uint64_t draw = 0; draw < 20; draw++) {
        uint32_t to = send(pattern, 0, draw);
        assert_int_equal(topology->kind->distance(topology, 0, to), 3);
        assert_int_equal(send(pattern, FEW, draw), ONLY);
        to = send(pattern, NOBODY, draw);
        assert_true(to < topology->edge_routers && to != NOBODY);
    }
    traffic_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_see_little_are_served),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
