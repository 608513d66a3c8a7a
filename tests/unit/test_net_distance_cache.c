/* SPDX-License-Identifier: Apache-2.0 */
/* A network whose distances are too many to be tabulated at once answers as one whose are. */
#include "net/topology/common/adjacency.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/networks.h"

typedef struct answer {
    uint32_t distance;
    unsigned count;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
} answer;

static answer ask(const weft_topology *topology, uint32_t from, uint32_t to)
{
    answer it = {.distance = topology->kind->distance(topology, from, to)};
    uint32_t route = topology->kind->make_header(topology, from, to, NULL);
    it.count =
        topology->kind->minimal_ports(topology, from, route, WEFT_MINIMAL_PORTS_MAX, it.ways);
    return it;
}

#define PAIRS 300u

/* From many to many, from one to many, and from many to one. */
static void draw(weft_random *random, uint32_t nth, uint32_t routers, uint32_t *from, uint32_t *to)
{
    *from = nth % 3 == 1 ? 7 : weft_random_below(random, routers);
    *to = nth % 3 == 2 ? 11 : weft_random_below(random, routers);
}

static void distances_on_demand_are_those_of_the_table(void **state)
{
    (void)state;
    static answer before[PAIRS];
    weft_error err = {0};
    network net;
    const weft_topology *topology = network_open(&net, "random-regular", "routers=23200 degree=5");
    assert_true(topology->slow && topology->proof.hop_indexed_vcs);
    for (int tabulated = 0; tabulated < 2; tabulated++) {
        weft_random random = weft_random_stream(19, 0, 0, WEFT_FOR_ESTIMATE);
        for (uint32_t i = 0; i < PAIRS; i++) {
            uint32_t from, to;
            draw(&random, i, topology->routers, &from, &to);
            answer it = ask(topology, from, to);
            assert_true(it.count > 0 || from == to);
            assert_true(it.distance <= topology->kind->closed_form.diameter(topology));
            if (tabulated)
                assert_memory_equal(&it, &before[i], sizeof it);
            before[i] = it;
        }
        assert_int_equal(topology->kind->build_tables(topology, false, &err), WEFT_OK);
    }
    network_close(&net);
}

static void a_run_is_refused_if_they_are_too_many(void **state)
{
    (void)state;
    weft_error err = {0};
    weft_adjacency table = {.routers = 100000, .targets = 100000};
    const weft_topology topology = {.self = &table};
    assert_int_equal(weft_adjacency_ready(&topology, true, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "the distances from 100000 routers to 100000 take 9.3 GiB in a run, at "
                        "most 2 GiB are used for them: use fewer routers, or a regular topology, "
                        "which has none; weft check can do without, but for a level of a "
                        "hierarchy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_on_demand_are_those_of_the_table),
        cmocka_unit_test(a_run_is_refused_if_they_are_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
