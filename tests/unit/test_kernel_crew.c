/* SPDX-License-Identifier: Apache-2.0 */
/* The crew of one and the launcher's traces; several members are tests/mpi/test_crew.sh. */
#include "interweft/context.h"
#include "kernel/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const char *const traces[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                                     "MPI_LOCALNRANKS",      NULL};

static weft_crew *open_alone(void)
{
    weft_crew *crew;
    weft_error err;
    for (size_t i = 0; traces[i]; i++)
        assert_int_equal(unsetenv(traces[i]), 0);
    assert_int_equal(weft_crew_open(false, &crew, &err), WEFT_OK);
    assert_string_equal(crew->kind->name, "self");
    return crew;
}

static void launcher_is_seen_by_its_traces(void **state)
{
    (void)state;
    weft_crew_close(open_alone()); /* which forgets all traces */
    assert_null(weft_crew_launcher());
    for (size_t i = 0; traces[i]; i++) {
        assert_int_equal(setenv(traces[i], "1", 1), 0);
        assert_string_equal(weft_crew_launcher(), i < 2 ? "openmpi" : "mpich");
        assert_int_equal(unsetenv(traces[i]), 0);
    }
    assert_int_equal(setenv("SLURM_PROCID", "0", 1), 0);
    assert_null(weft_crew_launcher());
    assert_int_equal(unsetenv("SLURM_PROCID"), 0);
}

static void lines_keep_the_order_of_messages(void **state)
{
    (void)state;
    weft_crew *crew = open_alone();
    const weft_crew_kind *kind = crew->kind;
    int in[2] = {0, 0}, out[2] = {7, 8};
    kind->lines(crew, 4);
    kind->send(crew, 3, 0, &out[0], sizeof out[0]);
    kind->send(crew, 0, 0, &out[1], sizeof out[1]);
    assert_false(kind->finished(crew, 3) || kind->finished(crew, 0));
    kind->receive(crew, 1, 0, &in[0], sizeof in[0]);
    assert_true(kind->finished(crew, 3) && kind->finished(crew, 1) && !kind->finished(crew, 0));
    kind->receive(crew, 2, 0, &in[1], sizeof in[1]);
    assert_true(kind->finished(crew, 0) && in[0] == 7 && in[1] == 8);
    kind->receive(crew, 2, 0, &in[0], sizeof in[0]);
    kind->receive(crew, 1, 0, &in[1], sizeof in[1]);
    kind->send(crew, 0, 0, NULL, 0);
    kind->send(crew, 0, 0, &out[0], sizeof out[0]);
    assert_true(kind->finished(crew, 1) && in[0] == 7 && in[1] == 7);
    weft_crew_close(crew);
}

static void letters_to_oneself_arrive_in_order(void **state)
{
    (void)state;
    weft_crew *crew = open_alone();
    uint32_t from;
    void *data;
    size_t bytes;
    assert_false(crew->kind->poll(crew, &from, &data, &bytes));
    crew->kind->post(crew, 0, "first", 6);
    crew->kind->post(crew, 0, NULL, 0);
    assert_true(crew->kind->poll(crew, &from, &data, &bytes));
    assert_true(from == 0 && bytes == 6);
    assert_string_equal(data, "first");
    free(data);
    assert_true(crew->kind->poll(crew, &from, &data, &bytes));
    assert_int_equal(bytes, 0);
    free(data);
    assert_false(crew->kind->poll(crew, &from, &data, &bytes));
    crew->kind->post(crew, 0, "unread", 7);
    weft_crew_close(crew);
}

static void one_member_is_the_whole(void **state)
{
    (void)state;
    weft_crew *crew = open_alone();
    int64_t value = -5;
    size_t size = 0;
    void *all = NULL;
    crew->kind->sum(crew, &value, 1);
    crew->kind->broadcast(crew, &value, sizeof value);
    crew->kind->gather(crew, &value, sizeof value, &all, &size);
    assert_true(value == -5 && size == sizeof value && memcmp(all, &value, size) == 0);
    free(all);
    weft_crew *team = crew->kind->team(crew, &(uint32_t){0}, 1, 3);
    assert_true(team->size == 1 && team->rank == 0 && team->here == 1);
    team->kind->close(team);
    weft_crew_close(crew);
    weft_crew_close(NULL);
}

static void context_of_one_opens_and_closes(void **state)
{
    (void)state;
    weft_context *context;
    weft_error err;
    assert_int_equal(weft_context_open(false, &context, &err), WEFT_OK);
    assert_int_equal(weft_context_rank(context), 0);
    assert_int_equal(weft_context_size(context), 1);
    weft_context_close(context);
    weft_context_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launcher_is_seen_by_its_traces),
        cmocka_unit_test(lines_keep_the_order_of_messages),
        cmocka_unit_test(letters_to_oneself_arrive_in_order),
        cmocka_unit_test(one_member_is_the_whole),
        cmocka_unit_test(context_of_one_opens_and_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
