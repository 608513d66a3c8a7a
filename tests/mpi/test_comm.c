/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation of a communicator, on the ranks this program is given; alone it is a
 * communicator of one process. Every byte that travels is a function of (who, what, where), so
 * that a mix-up shows.
 *
 *     test_comm [--show | --mpi | --abort]
 *
 * --show prints rank, size and kind; --mpi does too and asks for MPI without a launcher; with
 * --abort the last member ends all of them with status 3. */
#include "kernel/comm.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 200000 /* bytes of the longest message */

static void check(bool holds, const char *what, int line)
{
    if (holds)
        return;
    (void)fprintf(stderr, "test_comm.c:%d: %s\n", line, what);
    _Exit(1);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static unsigned char byte_of(uint32_t from, size_t what, size_t at)
{
    return (unsigned char)(from * 31 + what * 17 + at * 7 + (at >> 8));
}

static void fill(unsigned char *data, size_t bytes, uint32_t from, size_t what)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_of(from, what, i);
}

static bool matches(const unsigned char *data, size_t bytes, uint32_t from, size_t what)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != byte_of(from, what, i))
            return false;
    return true;
}

static void finish(weft_comm *comm, uint32_t request)
{
    while (!comm->kind->finished(comm, request))
        continue;
    CHECK(comm->kind->finished(comm, request)); /* idle requests are */
}

/* Round the ring, one message of each size to the next member. */
static void ring(weft_comm *comm)
{
    static const size_t sizes[] = {0, 1, 8, 100, 4096, 4097, 65536, 65537, MOST};
    uint32_t next = (comm->rank + 1) % comm->size,
             last = (comm->rank + comm->size - 1) % comm->size;
    unsigned char *out = malloc(MOST), *in = malloc(MOST);
    CHECK(out && in);
    comm->kind->requests(comm, 2);
    CHECK(comm->kind->finished(comm, 0) && comm->kind->finished(comm, 1));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        fill(out, sizes[s], comm->rank, s);
        memset(in, 0, MOST);
        comm->kind->receive(comm, 0, last, in, MOST);
        comm->kind->send(comm, 1, next, out, sizes[s]);
        finish(comm, 0);
        finish(comm, 1);
        CHECK(matches(in, sizes[s], last, s));
        CHECK(sizes[s] == MOST || in[sizes[s]] == 0);
    }
    free(out);
    free(in);
}

/* Windows: two receives stand ready for each neighbour, as the engine's do; order is kept. */
static void windows(weft_comm *comm, unsigned count)
{
    uint32_t next = (comm->rank + 1) % comm->size,
             last = (comm->rank + comm->size - 1) % comm->size;
    uint64_t out[2][4] = {{0}}, in[2][4] = {{0}};
    comm->kind->requests(comm, 4);
    comm->kind->receive(comm, 0, last, in[0], sizeof in[0]);
    for (unsigned w = 0; w < count; w++) {
        unsigned now = w % 2, then = 1 - now;
        if (w + 1 < count)
            comm->kind->receive(comm, then, last, in[then], sizeof in[then]);
        finish(comm, 2 + now); /* what was sent two windows ago */
        out[now][0] = (uint64_t)comm->rank << 32 | w;
        comm->kind->send(comm, 2 + now, next, out[now], sizeof out[now]);
        finish(comm, now);
        CHECK(in[now][0] == ((uint64_t)last << 32 | w));
    }
    for (uint32_t request = 0; request < 4; request++)
        finish(comm, request);
}

static void sums(weft_comm *comm)
{
    enum { COUNT = 5000 };
    int64_t n = comm->size, ranks = n * (n - 1) / 2;
    int64_t *values = calloc(COUNT, sizeof *values);
    CHECK(values);
    for (unsigned round = 0; round < 20; round++) {
        for (int64_t i = 0; i < COUNT; i++)
            values[i] = i - (int64_t)comm->rank * 1000000007 * (round + 1);
        comm->kind->sum(comm, values, round % 2 ? COUNT : 1);
        for (int64_t i = 0; i < (round % 2 ? COUNT : 1); i++)
            CHECK(values[i] == i * n - ranks * 1000000007 * (round + 1));
    }
    comm->kind->sum(comm, NULL, 0);
    free(values);
}

static void broadcasts(weft_comm *comm)
{
    unsigned char *data = malloc(MOST);
    CHECK(data);
    for (size_t bytes = 0; bytes <= MOST; bytes = bytes * 9 + 1) {
        fill(data, bytes, comm->rank, bytes);
        comm->kind->broadcast(comm, data, bytes);
        CHECK(matches(data, bytes, 0, bytes));
    }
    free(data);
}

/* Member r gives nothing, a little, or much. */
static size_t share_of(uint32_t rank, unsigned round)
{
    static const size_t shares[] = {0, 3, 1000, MOST, 0, 65536};
    return shares[(rank + round) % 6];
}

static void gathers(weft_comm *comm)
{
    unsigned char *data = malloc(MOST);
    size_t *sizes = calloc(comm->size, sizeof *sizes);
    CHECK(data && sizes);
    for (unsigned round = 0; round < 6; round++) {
        void *all = data;
        fill(data, share_of(comm->rank, round), comm->rank, round);
        comm->kind->gather(comm, data, share_of(comm->rank, round), &all,
                           comm->rank == 0 ? sizes : NULL);
        if (comm->rank != 0) {
            CHECK(all == NULL);
            continue;
        }
        const unsigned char *at = all;
        for (uint32_t r = 0; r < comm->size; r++) {
            CHECK(sizes[r] == share_of(r, round) && matches(at, sizes[r], r, round));
            at += sizes[r];
        }
        free(all);
    }
    free(data);
    free(sizes);
}

/* Everybody writes to everybody, itself too, before anybody reads; those of one sender come in the
 * order they were posted. */
static void letters(weft_comm *comm, unsigned each)
{
    unsigned char *data = malloc(MOST);
    unsigned *seen = calloc(comm->size, sizeof *seen);
    CHECK(data && seen);
    for (unsigned i = 0; i < each; i++)
        for (uint32_t to = 0; to < comm->size; to++) {
            fill(data, share_of(comm->rank, i), comm->rank, i);
            comm->kind->post(comm, to, data, share_of(comm->rank, i));
            memset(data, 0xff, MOST); /* ours again */
        }
    for (unsigned taken = 0; taken < each * comm->size;) {
        uint32_t from;
        void *letter;
        size_t bytes;
        if (!comm->kind->poll(comm, &from, &letter, &bytes))
            continue;
        CHECK(from < comm->size);
        CHECK(bytes == share_of(from, seen[from]) && matches(letter, bytes, from, seen[from]));
        seen[from]++;
        taken++;
        free(letter);
    }
    int64_t all_have_read = 1;
    comm->kind->sum(comm, &all_have_read, 1);
    CHECK(all_have_read == comm->size);
    free(data);
    free(seen);
}

/* The first rank that failed, or differs from rank 0, is heard by all. */
static void agreements(weft_comm *comm)
{
    uint32_t odd = comm->size / 2;
    weft_error err = {.text = ""};
    weft_status mine = WEFT_OK;
    CHECK(weft_comm_agree(comm, WEFT_OK, &err) == WEFT_OK && !err.text[0]);
    CHECK(weft_comm_same(comm, 7, "differs", &err) == WEFT_OK && !err.text[0]);
    if (comm->rank >= odd)
        mine = weft_fail(&err, WEFT_STOPPED, "rank %u", comm->rank);
    char wanted[32];
    (void)snprintf(wanted, sizeof wanted, "rank %u", odd);
    CHECK(weft_comm_agree(comm, mine, &err) == WEFT_STOPPED && strcmp(err.text, wanted) == 0);
    CHECK(weft_comm_least(comm, comm->rank == odd ? 3 : 4 + comm->rank) == 3);
    if (comm->size == 1)
        return;
    (void)snprintf(wanted, sizeof wanted, "process %u differs", odd);
    CHECK(weft_comm_same(comm, comm->rank >= odd, "differs", &err) == WEFT_BAD_INPUT);
    CHECK(strcmp(err.text, wanted) == 0);
}

static void everything(weft_comm *comm)
{
    ring(comm);
    windows(comm, 300);
    sums(comm);
    broadcasts(comm);
    gathers(comm);
    letters(comm, 7);
    agreements(comm);
}

/* The communicator in two halves that work at the same time, each again in two, while rank 0 of
 * the whole communicator has messages and requests of the whole communicator under way. */
static void teams(weft_comm *comm, unsigned depth)
{
    if (depth == 0)
        return;
    uint32_t half = (comm->size + 1) / 2;
    bool low = comm->rank < half;
    uint32_t first = low ? 0 : half, count = low ? half : comm->size - half;
    uint32_t *ranks = calloc(count, sizeof *ranks);
    CHECK(ranks);
    for (uint32_t i = 0; i < count; i++)
        ranks[i] = first + i;
    uint32_t out = comm->rank, in = 0, other = comm->size - 1 - comm->rank;
    comm->kind->requests(comm, 2);
    comm->kind->receive(comm, 0, other, &in, sizeof in);
    comm->kind->post(comm, other, &out, sizeof out);
    weft_comm *team = comm->kind->team(comm, ranks, count, low ? 1 : 2);
    CHECK(team->size == count && team->rank == comm->rank - first && team->here <= count);
    everything(team);
    teams(team, depth - 1);
    comm->kind->send(comm, 1, other, &out, sizeof out);
    finish(comm, 0);
    finish(comm, 1);
    CHECK(in == other);
    team->kind->close(team);
    uint32_t from;
    void *letter;
    size_t bytes;
    while (!comm->kind->poll(comm, &from, &letter, &bytes))
        continue;
    CHECK(from == other && bytes == sizeof other && memcmp(letter, &other, bytes) == 0);
    free(letter);
    free(ranks);
}

/* Teams come and go without wearing anything out; only some members are in one. */
static void many_teams(weft_comm *comm, unsigned count)
{
    for (uint32_t number = 0; number < count; number++) {
        uint32_t ranks[2] = {number % comm->size, (number + 1) % comm->size}, size = 2;
        if (ranks[0] > ranks[1]) {
            ranks[1] = ranks[0];
            ranks[0] = 0;
        }
        if (comm->size == 1)
            size = 1;
        if (comm->rank != ranks[0] && comm->rank != ranks[1])
            continue;
        weft_comm *team = comm->kind->team(comm, ranks, size, number);
        int64_t one = 1;
        team->kind->sum(team, &one, 1);
        CHECK(one == size);
        team->kind->close(team);
    }
}

/* Messages that nobody reads do not keep the communicator from closing. */
static void unread(weft_comm *comm)
{
    void *data = calloc(1, MOST);
    CHECK(data);
    for (uint32_t to = 0; to < comm->size; to++) {
        comm->kind->post(comm, to, data, MOST);
        comm->kind->post(comm, to, data, 1);
    }
    free(data);
}

int main(int argc, char **argv)
{
    weft_comm *comm;
    weft_error err;
    bool mpi = argc > 1 && strcmp(argv[1], "--mpi") == 0;
    if (weft_comm_open(mpi, &comm, &err) != WEFT_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    CHECK(comm->rank < comm->size && comm->here >= 1 && comm->here <= comm->size);
    CHECK(comm->kind->abi == WEFT_COMM_ABI);
    if (argc > 1 && strcmp(argv[1], "--abort") == 0 && comm->rank == comm->size - 1)
        comm->kind->abort(comm, 3);
    everything(comm);
    teams(comm, 2);
    many_teams(comm, 100);
    if (argc > 1)
        printf("%u of %u, %u here, %s\n", comm->rank, comm->size, comm->here, comm->kind->name);
    unread(comm);
    weft_comm_close(comm);
    weft_comm_close(NULL);
    return 0;
}
