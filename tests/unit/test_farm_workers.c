/* SPDX-License-Identifier: Apache-2.0 */
/* Items side by side in one process: each once, rows one at a time, the first failure ends all. */
#include "base/memory.h"
#include "farm/workers.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
/* after the headers above */
#include <cmocka.h>

#define ITEMS 200

typedef struct field {
    atomic_int running, most, taking, crowded, begun, stopped;
    int taken[ITEMS];
    size_t bad_run, bad_take;
    uint32_t least_beside;
} field;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static weft_status run(void *user, weft_workers *workers, size_t i, void **row, size_t *bytes,
                       weft_error *err)
{
    field *f = user;
    f->begun++;
    int now = ++f->running;
    if (now > f->most)
        f->most = now;
    if (i == ITEMS - 1)
        f->least_beside = weft_workers_beside(workers);
    nap();
    f->running--;
    if (i == f->bad_run)
        return weft_fail(err, WEFT_BROKEN, "item %zu went wrong", i);
    f->stopped += weft_workers_stops(workers);
    size_t *made = weft_alloc(sizeof *made);
    *made = i;
    *row = made;
    *bytes = sizeof *made;
    return WEFT_OK;
}

static weft_status take(void *user, size_t i, const void *row, size_t bytes, weft_error *err)
{
    field *f = user;
    f->crowded += f->taking++ > 0;
    assert_int_equal(bytes, sizeof i);
    assert_int_equal(*(const size_t *)row, i);
    f->taken[i]++;
    f->taking--;
    return i == f->bad_take ? weft_fail(err, WEFT_STOPPED, "row %zu was not taken", i) : WEFT_OK;
}

static weft_status workers(field *f, uint32_t threads, size_t items, weft_error *err)
{
    weft_workers_job job = {
        .threads = threads, .n_items = items, .run = run, .take = take, .user = f};
    return weft_workers_run(&job, err);
}

static void every_item_is_run_once(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        field f = {.bad_run = ITEMS, .bad_take = ITEMS};
        weft_error err = {0};
        assert_int_equal(workers(&f, threads, ITEMS, &err), WEFT_OK);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(f.taken[i], 1);
        assert_true(f.most <= (int)threads);
        assert_int_equal(f.crowded, 0);
        assert_int_equal(f.stopped, 0);
        assert_true(f.least_beside >= 1 && f.least_beside <= threads);
    }
}

static void no_items_are_no_work(void **state)
{
    (void)state;
    field f = {.bad_run = ITEMS, .bad_take = ITEMS};
    assert_int_equal(workers(&f, 4, 0, NULL), WEFT_OK);
    assert_int_equal(f.begun, 0);
}

static void the_first_failure_ends_all(void **state)
{
    (void)state;
    field f = {.bad_run = 20, .bad_take = ITEMS};
    weft_error err = {0};
    assert_int_equal(workers(&f, 4, ITEMS, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "item 20 went wrong");
    assert_true(f.begun < 30);
    for (size_t i = 0; i < 17; i++)
        assert_int_equal(f.taken[i], 1);
}

static void a_row_that_is_not_taken_ends_all(void **state)
{
    (void)state;
    field f = {.bad_run = ITEMS, .bad_take = 10};
    weft_error err = {0};
    assert_int_equal(workers(&f, 4, ITEMS, &err), WEFT_STOPPED);
    assert_string_equal(err.text, "row 10 was not taken");
    assert_true(f.begun < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_run_once),
        cmocka_unit_test(no_items_are_no_work),
        cmocka_unit_test(the_first_failure_ends_all),
        cmocka_unit_test(a_row_that_is_not_taken_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
