/* SPDX-License-Identifier: Apache-2.0 */
/* Classes that share VLs: limits that are other models, flow balance, and an independent form of
 * the smallest chain. */
#include "analytic/ge_queue.h"
#include "analytic/shared_vls.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* The thesis' AJT, with lambda of each class. */
static weft_shared_vls ajt(uint32_t classes, uint32_t shared, double lambda)
{
    weft_shared_vls port = {.classes = classes,
                            .shared = shared,
                            .thresholds = 2,
                            .room = 8,
                            .cs2 = 7,
                            .mu = {8, 16, 12},
                            .threshold = {8, 16}};
    for (uint32_t c = 0; c < classes; c++) {
        port.lambda[c] = lambda;
        port.ca2[c] = 5;
    }
    return port;
}

static void solve(const weft_shared_vls *port, weft_shared_class *found)
{
    uint32_t states;
    weft_error err;
    if (weft_shared_vls_solve(port, found, &states, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (uint32_t c = 0; c < port->classes; c++) {
        double carried = port->lambda[c] * (1 - found[c].loss);
        assert_true(fabs(found[c].served / carried - 1) < 1e-11);
    }
}

static weft_ge_measures product(const weft_shared_vls *port, uint32_t regions)
{
    weft_ge_queue queue = weft_ge_queue_plain(port->lambda[0], port->mu[0], port->ca2[0], port->cs2,
                                              port->room * regions);
    double p[WEFT_SHARED_ROOM_MAX + 1];
    weft_ge_measures found;
    queue.regions = regions;
    for (uint32_t i = 0; i < regions; i++)
        queue.mu[i] = port->mu[i];
    for (uint32_t i = 0; i + 1 < regions; i++)
        queue.threshold[i] = port->threshold[i];
    weft_ge_product(&queue, p);
    weft_ge_measure(&queue, p, &found);
    return found;
}

static void check_product(const weft_shared_class *found, const weft_ge_measures *exact)
{
    assert_true(fabs(found->packets / exact->packets - 1) < 1e-11);
    assert_true(fabs(found->utilisation / exact->utilisation - 1) < 1e-11);
    assert_true(fabs(found->loss / exact->loss - 1) < 1e-11);
}

/* One class with a VL for every threshold, two classes with VLs for both, and classes without
 * shared VLs all have the product form. */
static void ample_vls_and_none_are_the_product_form(void **state)
{
    (void)state;
    for (double lambda = 1; lambda < 8; lambda++)
        for (uint32_t classes = 1; classes <= 2; classes++)
            for (int none = 0; none < 2; none++) {
                weft_shared_vls port = ajt(classes, none ? 0 : 2 * classes, lambda);
                weft_shared_class found[2];
                weft_ge_measures exact = product(&port, none ? 1 : 3);
                solve(&port, found);
                for (uint32_t c = 0; c < classes; c++)
                    check_product(&found[c], &exact);
                assert_true(none || found[0].waits == 0);
            }
}

static double loss_of(const weft_shared_vls *port)
{
    weft_shared_class found[WEFT_SHARED_CLASSES_MAX];
    solve(port, found);
    return found[0].loss;
}

/* More shared VLs never lose more; who shares with a busier class loses more. */
static void sharing_helps_and_others_take(void **state)
{
    (void)state;
    double before = 1;
    for (uint32_t shared = 0; shared <= 4; shared++) {
        weft_shared_vls port = ajt(2, shared, 5);
        double loss = loss_of(&port);
        assert_true(loss < before);
        before = loss;
    }
    weft_shared_vls quiet = ajt(2, 1, 5), busy = ajt(2, 1, 5);
    quiet.lambda[1] = 1;
    busy.lambda[1] = 9;
    assert_true(loss_of(&quiet) < loss_of(&busy));
}

/* Two classes of Poisson arrivals and exponential services, a VL of one packet each and one
 * shared, all rates 1: (packets, packets) and who has the shared VL. */
static void the_smallest_port_by_hand(void **state)
{
    (void)state;
    weft_shared_vls port = {.classes = 2,
                            .shared = 1,
                            .thresholds = 1,
                            .room = 1,
                            .cs2 = 1,
                            .lambda = {1, 1},
                            .ca2 = {1, 1},
                            .mu = {1, 1},
                            .threshold = {1}};
    weft_shared_class found[2];
    /* 00, then those in which the first class has the VL, and their mirrors. In p11 the other one
     * waits; it takes the VL when the first is empty.
     *   00: 2 p00 = 2 p10                10: 3 p10 = p00 + p20 + 2 p11
     *   20: 2 p20 = p10 + p21            11: 3 p11 = p10 + p21
     *   21: 2 p21 = p20 + p11 */
    double p00 = 1, p10 = 1, p11 = 4.0 / 7, p20 = 6.0 / 7, p21 = 5.0 / 7;
    double sum = p00 + 2 * (p10 + p20 + p11 + p21);
    solve(&port, found);
    double first = p20 + p21 /* mine */ + p11 + p21 /* the other's */;
    assert_true(fabs(found[0].loss - first / sum) < 1e-12);
    assert_true(fabs(found[0].waits - (p11 + p21) / sum) < 1e-12);
}

static void too_many_states_are_refused(void **state)
{
    (void)state;
    weft_shared_vls port = ajt(4, 4, 3);
    weft_shared_class found[4];
    uint32_t states;
    weft_error err;
    assert_int_equal(weft_shared_vls_solve(&port, found, &states, &err), WEFT_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ample_vls_and_none_are_the_product_form),
        cmocka_unit_test(sharing_helps_and_others_take),
        cmocka_unit_test(the_smallest_port_by_hand),
        cmocka_unit_test(too_many_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
