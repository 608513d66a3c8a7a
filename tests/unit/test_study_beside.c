/* SPDX-License-Identifier: Apache-2.0 */
/* Points that want more than their part of the memory are put aside, then run alone with all of
 * it. */
#include "base/memory.h"
#include "study/beside.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
/* after the headers above */
#include <cmocka.h>

#define POINTS 9
#define MEMORY 900

typedef struct field {
    atomic_int runs[POINTS], running, crowded;
    int taken[POINTS];
    int64_t part; /* of the memory, while there are others */
} field;

/* Every third point wants all there is. */
static weft_status run(void *user, weft_sharing *sharing, size_t i, weft_comm *team, void **row,
                       size_t *bytes, weft_error *err)
{
    field *f = user;
    (void)team;
    f->runs[i]++;
    int others = f->running++;
    f->crowded += sharing->whole && (others > 0 || sharing->memory != MEMORY);
    if (!sharing->whole)
        f->part = sharing->memory;
    sharing->later = i % 3 == 0 && !sharing->whole;
    f->running--;
    if (sharing->later)
        return weft_fail(err, WEFT_STOPPED, "it needs more than its part of the memory");
    *row = weft_alloc(1);
    *bytes = 1;
    return WEFT_OK;
}

static weft_status take(void *user, size_t i, const void *row, size_t bytes, weft_error *err)
{
    field *f = user;
    (void)row;
    (void)err;
    assert_int_equal(bytes, 1);
    f->taken[i]++;
    return WEFT_OK;
}

static void what_was_put_aside_runs_alone(void **state)
{
    (void)state;
    field f = {.part = 0};
    weft_error err;
    weft_study study = {.memory = MEMORY, .at_once = 3};
    weft_beside job = {.study = &study, .n_items = POINTS, .run = run, .take = take, .user = &f};
    assert_int_equal(weft_beside_run(&job, &err), WEFT_OK);
    assert_int_equal(f.part, MEMORY / 3);
    assert_int_equal(f.crowded, 0);
    for (int i = 0; i < POINTS; i++) {
        assert_int_equal(f.runs[i], i % 3 == 0 ? 2 : 1);
        assert_int_equal(f.taken[i], 1);
    }
}

static void as_many_as_fit(void **state)
{
    (void)state;
    weft_study study = {.memory = MEMORY, .at_once = 3};
    assert_int_equal(weft_beside_fitting(&study, 200), 3);
    assert_int_equal(weft_beside_fitting(&study, 400), 2);
    assert_int_equal(weft_beside_fitting(&study, 1000), 1);
    study.memory = 0; /* the system does not tell how much there is */
    assert_int_equal(weft_beside_fitting(&study, 1000), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_aside_runs_alone),
        cmocka_unit_test(as_many_as_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
