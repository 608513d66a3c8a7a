/* SPDX-License-Identifier: Apache-2.0 */
/* Every placement puts each task at one endpoint and knows which; neighbours along a cycle and
 * down a diagonal are what they are meant to be. */
#include "contract/networks.h"
#include "contract/settings.h"
#include "net/traffic/placement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void tasks_and_endpoints_match(void **state)
{
    (void)state;
    for (const weft_component *const *entry = weft_placement_kinds; *entry; entry++) {
        const weft_placement_kind *kind = (const weft_placement_kind *)*entry;
        void *settings = settings_make(&kind->base, "");
        size_t accepted = 0;
        for (size_t i = 0; i < NETWORKS; i++) {
            network net;
            weft_error err = {0};
            const weft_topology *topology = network_example(&net, i);
            bool fits = !kind->check || kind->check(topology, &err) == WEFT_OK;
            uint32_t tasks = fits ? topology->edge_routers * topology->concentration : 0;
            assert_true(fits || strlen(err.text) > 0);
            for (uint32_t t = 0; t < tasks; t++) {
                uint32_t at = kind->endpoint(topology, settings, t);
                assert_true(at < tasks);
                assert_int_equal(kind->task(topology, settings, at), t);
            }
            accepted += fits;
            network_close(&net);
        }
        assert_true(accepted > 0);
        free(settings);
    }
}

/* So many hops from every task to the next. */
static void check_steps(const weft_placement_kind *kind, uint32_t hops)
{
    for (size_t i = 0; i < NETWORKS; i++) {
        network net;
        weft_error err = {0};
        const weft_topology *topology = network_example(&net, i);
        if (kind->check(topology, &err) == WEFT_OK)
            for (uint32_t t = 0; t + 1 < topology->routers; t++) {
                uint32_t from = kind->endpoint(topology, NULL, t);
                uint32_t to = kind->endpoint(topology, NULL, t + 1);
                bool wraps = (t + 1) % topology->lattice.size[0] == 0;
                if (hops == 1 || !wraps)
                    assert_int_equal(topology->kind->distance(topology, from, to), hops);
            }
        network_close(&net);
    }
}

static void tasks_follow_each_other(void **state)
{
    (void)state;
    check_steps(&weft_placement_hamiltonian, 1);
    check_steps(&weft_placement_diagonal, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_and_endpoints_match),
        cmocka_unit_test(tasks_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
