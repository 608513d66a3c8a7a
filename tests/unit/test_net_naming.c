/* SPDX-License-Identifier: Apache-2.0 */
/* Names of links: by coordinates where there are any, by routers and ports elsewhere. */
#include "net/naming.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contract/networks.h"

/* The names of all links from one router to another, or to nowhere, in a row. */
static void check(const char *kind, const char *settings, uint32_t from, uint32_t to,
                  const char *names)
{
    network net;
    char all[2000] = "", name[WEFT_LINK_NAME_BYTES];
    const weft_topology *topology = network_open(&net, kind, settings);
    for (uint32_t p = 0; p < topology->ports; p++) {
        if (topology->kind->peer(topology, from, p).router != to)
            continue;
        weft_naming_link(topology, from, p, name);
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? " " : "", name);
    }
    assert_string_equal(all, names);
    network_close(&net);
}

static void steps_have_their_axis(void **state)
{
    (void)state;
    check("mesh", "dims=3,5", 7, 8, "(1,2)+y");
    check("mesh", "dims=3,5", 7, 2, "(1,2)-x");
    check("torus", "dims=3,4,2,3", 0, 2, "(0,0,0,0)-w");
    check("hypercube", "dimensions=5", 0, 1, "(0,0,0,0,0)+4"); /* more than x, y, z, w */
}

static void joined_lines_have_both_ends(void **state)
{
    (void)state;
    check("flattened-butterfly", "dims=3,4", 1, 3, "(0,1)->(0,3)");
    check("hyperx", "dims=3,4 trunk=1,2", 1, 3, "(0,1)->(0,3) (0,1)->(0,3)#2");
    check("flattened-butterfly", "dims=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", 0, 2,
          "(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)->"
          "(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0)");
}

static void others_have_routers_and_ports(void **state)
{
    (void)state;
    check("full", "routers=4 links=2", 3, 0, "r3:p0->r0 r3:p3->r0");
    check("leaf-spine", "leaves=2 spines=2", 1, 3, "leaf 1:p1->spine 1");
    check("file", "path=" WEFT_TEST_DATA "/fabrics/small.weftnet", 0, 4, "a:p0->s1");
    check("file", "path=" WEFT_TEST_DATA "/fabrics/small.weftnet", 0, WEFT_NOWHERE,
          "a:p2 a:p3 a:p5 a:p6 a:p7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_their_axis),
        cmocka_unit_test(joined_lines_have_both_ends),
        cmocka_unit_test(others_have_routers_and_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
