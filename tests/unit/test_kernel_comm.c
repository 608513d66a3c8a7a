/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator of one process and the launcher's traces; several members are
 * tests/mpi/test_comm.sh. */
#include "interweft/context.h"
#include "kernel/comm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const traces[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                                     "MPI_LOCALNRANKS",      NULL};

static weft_comm *open_alone(void)
{
    weft_comm *comm;
    weft_error err;
    for (size_t i = 0; traces[i]; i++)
        assert_int_equal(unsetenv(traces[i]), 0);
    assert_int_equal(weft_comm_open(false, &comm, &err), WEFT_OK);
    assert_string_equal(comm->kind->name, "self");
    return comm;
}

static void launcher_is_seen_by_its_traces(void **state)
{
    (void)state;
    weft_comm_close(open_alone()); /* which forgets all traces */
    assert_null(weft_comm_launcher());
    for (size_t i = 0; traces[i]; i++) {
        assert_int_equal(setenv(traces[i], "1", 1), 0);
        assert_string_equal(weft_comm_launcher(), i < 2 ? "openmpi" : "mpich");
        assert_int_equal(unsetenv(traces[i]), 0);
    }
    assert_int_equal(setenv("SLURM_PROCID", "0", 1), 0);
    assert_null(weft_comm_launcher());
    assert_int_equal(unsetenv("SLURM_PROCID"), 0);
}

static void requests_keep_the_order_of_messages(void **state)
{
    (void)state;
    weft_comm *comm = open_alone();
    const weft_comm_kind *kind = comm->kind;
    int in[2] = {0, 0}, out[2] = {7, 8};
    kind->requests(comm, 4);
    kind->send(comm, 3, 0, &out[0], sizeof out[0]);
    kind->send(comm, 0, 0, &out[1], sizeof out[1]);
    assert_false(kind->finished(comm, 3) || kind->finished(comm, 0));
    kind->receive(comm, 1, 0, &in[0], sizeof in[0]);
    assert_true(kind->finished(comm, 3) && kind->finished(comm, 1) && !kind->finished(comm, 0));
    kind->receive(comm, 2, 0, &in[1], sizeof in[1]);
    assert_true(kind->finished(comm, 0) && in[0] == 7 && in[1] == 8);
    kind->receive(comm, 2, 0, &in[0], sizeof in[0]);
    kind->receive(comm, 1, 0, &in[1], sizeof in[1]);
    kind->send(comm, 0, 0, NULL, 0);
    kind->send(comm, 0, 0, &out[0], sizeof out[0]);
    assert_true(kind->finished(comm, 1) && in[0] == 7 && in[1] == 7);
    weft_comm_close(comm);
}

static void letters_to_oneself_arrive_in_order(void **state)
{
    (void)state;
    weft_comm *comm = open_alone();
    uint32_t from;
    void *data;
    size_t bytes;
    assert_false(comm->kind->poll(comm, &from, &data, &bytes));
    comm->kind->post(comm, 0, "first", 6);
    comm->kind->post(comm, 0, NULL, 0);
    assert_true(comm->kind->poll(comm, &from, &data, &bytes));
    assert_true(from == 0 && bytes == 6);
    assert_string_equal(data, "first");
    free(data);
    assert_true(comm->kind->poll(comm, &from, &data, &bytes));
    assert_int_equal(bytes, 0);
    free(data);
    assert_false(comm->kind->poll(comm, &from, &data, &bytes));
    comm->kind->post(comm, 0, "after none", 11);
    assert_true(comm->kind->poll(comm, &from, &data, &bytes));
    assert_string_equal(data, "after none");
    free(data);
    comm->kind->post(comm, 0, "one", 4);
    comm->kind->post(comm, 0, "two", 4);
    assert_true(comm->kind->poll(comm, &from, &data, &bytes));
    free(data);
    comm->kind->post(comm, 0, "three", 6);
    assert_true(comm->kind->poll(comm, &from, &data, &bytes));
    assert_string_equal(data, "two");
    free(data);
    assert_true(comm->kind->poll(comm, &from, &data, &bytes));
    assert_string_equal(data, "three");
    free(data);
    comm->kind->post(comm, 0, "unread", 7);
    weft_comm_close(comm);
}

static void one_member_is_the_whole(void **state)
{
    (void)state;
    weft_comm *comm = open_alone();
    int64_t value = -5;
    size_t size = 0;
    void *all = NULL;
    comm->kind->sum(comm, &value, 1);
    comm->kind->broadcast(comm, &value, sizeof value);
    comm->kind->gather(comm, &value, sizeof value, &all, &size);
    assert_true(value == -5 && size == sizeof value && memcmp(all, &value, size) == 0);
    free(all);
    weft_comm *team = comm->kind->team(comm, &(uint32_t){0}, 1, 3);
    assert_true(team->size == 1 && team->rank == 0 && team->here == 1);
    team->kind->close(team);
    weft_comm_close(comm);
    weft_comm_close(NULL);
}

static void one_member_ends_itself(void **state)
{
    (void)state;
    weft_comm *comm = open_alone();
    pid_t child = fork();
    if (child == 0)
        comm->kind->abort(comm, 3);
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    weft_comm_close(comm);
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
        cmocka_unit_test(requests_keep_the_order_of_messages),
        cmocka_unit_test(letters_to_oneself_arrive_in_order),
        cmocka_unit_test(one_member_is_the_whole),
        cmocka_unit_test(one_member_ends_itself),
        cmocka_unit_test(context_of_one_opens_and_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
