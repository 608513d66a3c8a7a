/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation of a crew, on the ranks this program is given; alone it is a crew of one.
 * Every byte that travels is a function of (who, what, where), so that a mix-up shows.
 *
 *     test_crew [--show | --mpi | --abort]
 *
 * --show prints rank, size and kind; --mpi does too and asks for MPI without a launcher; with
 * --abort the last member ends all of them with status 3. */
#include "kernel/crew.h"

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
    (void)fprintf(stderr, "test_crew.c:%d: %s\n", line, what);
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

static void finish(weft_crew *crew, uint32_t line)
{
    while (!crew->kind->finished(crew, line))
        continue;
    CHECK(crew->kind->finished(crew, line)); /* idle lines are */
}

/* Round the ring, one message of each size to the next member. */
static void ring(weft_crew *crew)
{
    static const size_t sizes[] = {0, 1, 8, 100, 4096, 4097, 65536, 65537, MOST};
    uint32_t next = (crew->rank + 1) % crew->size,
             last = (crew->rank + crew->size - 1) % crew->size;
    unsigned char *out = malloc(MOST), *in = malloc(MOST);
    CHECK(out && in);
    crew->kind->lines(crew, 2);
    CHECK(crew->kind->finished(crew, 0) && crew->kind->finished(crew, 1));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        fill(out, sizes[s], crew->rank, s);
        memset(in, 0, MOST);
        crew->kind->receive(crew, 0, last, in, MOST);
        crew->kind->send(crew, 1, next, out, sizes[s]);
        finish(crew, 0);
        finish(crew, 1);
        CHECK(matches(in, sizes[s], last, s));
        CHECK(sizes[s] == MOST || in[sizes[s]] == 0);
    }
    free(out);
    free(in);
}

/* Windows: two receives stand ready for each neighbour, as the engine's do; order is kept. */
static void windows(weft_crew *crew, unsigned count)
{
    uint32_t next = (crew->rank + 1) % crew->size,
             last = (crew->rank + crew->size - 1) % crew->size;
    uint64_t out[2][4] = {{0}}, in[2][4] = {{0}};
    crew->kind->lines(crew, 4);
    crew->kind->receive(crew, 0, last, in[0], sizeof in[0]);
    for (unsigned w = 0; w < count; w++) {
        unsigned now = w % 2, then = 1 - now;
        if (w + 1 < count)
            crew->kind->receive(crew, then, last, in[then], sizeof in[then]);
        finish(crew, 2 + now); /* what was sent two windows ago */
        out[now][0] = (uint64_t)crew->rank << 32 | w;
        crew->kind->send(crew, 2 + now, next, out[now], sizeof out[now]);
        finish(crew, now);
        CHECK(in[now][0] == ((uint64_t)last << 32 | w));
    }
    for (uint32_t line = 0; line < 4; line++)
        finish(crew, line);
}

static void sums(weft_crew *crew)
{
    enum { COUNT = 5000 };
    int64_t n = crew->size, ranks = n * (n - 1) / 2;
    int64_t *values = calloc(COUNT, sizeof *values);
    CHECK(values);
    for (unsigned round = 0; round < 20; round++) {
        for (int64_t i = 0; i < COUNT; i++)
            values[i] = i - (int64_t)crew->rank * 1000000007 * (round + 1);
        crew->kind->sum(crew, values, round % 2 ? COUNT : 1);
        for (int64_t i = 0; i < (round % 2 ? COUNT : 1); i++)
            CHECK(values[i] == i * n - ranks * 1000000007 * (round + 1));
    }
    crew->kind->sum(crew, NULL, 0);
    free(values);
}

static void broadcasts(weft_crew *crew)
{
    unsigned char *data = malloc(MOST);
    CHECK(data);
    for (size_t bytes = 0; bytes <= MOST; bytes = bytes * 9 + 1) {
        fill(data, bytes, crew->rank, bytes);
        crew->kind->broadcast(crew, data, bytes);
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

static void gathers(weft_crew *crew)
{
    unsigned char *data = malloc(MOST);
    size_t *sizes = calloc(crew->size, sizeof *sizes);
    CHECK(data && sizes);
    for (unsigned round = 0; round < 6; round++) {
        void *all = data;
        fill(data, share_of(crew->rank, round), crew->rank, round);
        crew->kind->gather(crew, data, share_of(crew->rank, round), &all,
                           crew->rank == 0 ? sizes : NULL);
        if (crew->rank != 0) {
            CHECK(all == NULL);
            continue;
        }
        const unsigned char *at = all;
        for (uint32_t r = 0; r < crew->size; r++) {
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
static void letters(weft_crew *crew, unsigned each)
{
    unsigned char *data = malloc(MOST);
    unsigned *seen = calloc(crew->size, sizeof *seen);
    CHECK(data && seen);
    for (unsigned i = 0; i < each; i++)
        for (uint32_t to = 0; to < crew->size; to++) {
            fill(data, share_of(crew->rank, i), crew->rank, i);
            crew->kind->post(crew, to, data, share_of(crew->rank, i));
            memset(data, 0xff, MOST); /* ours again */
        }
    for (unsigned taken = 0; taken < each * crew->size;) {
        uint32_t from;
        void *letter;
        size_t bytes;
        if (!crew->kind->poll(crew, &from, &letter, &bytes))
            continue;
        CHECK(from < crew->size);
        CHECK(bytes == share_of(from, seen[from]) && matches(letter, bytes, from, seen[from]));
        seen[from]++;
        taken++;
        free(letter);
    }
    int64_t all_have_read = 1;
    crew->kind->sum(crew, &all_have_read, 1);
    CHECK(all_have_read == crew->size);
    free(data);
    free(seen);
}

static void everything(weft_crew *crew)
{
    ring(crew);
    windows(crew, 300);
    sums(crew);
    broadcasts(crew);
    gathers(crew);
    letters(crew, 7);
}

/* The crew in two halves that work at the same time, each again in two, while rank 0 of the whole
 * crew has letters and lines of the whole crew under way. */
static void teams(weft_crew *crew, unsigned depth)
{
    if (depth == 0)
        return;
    uint32_t half = (crew->size + 1) / 2;
    bool low = crew->rank < half;
    uint32_t first = low ? 0 : half, count = low ? half : crew->size - half;
    uint32_t *ranks = calloc(count, sizeof *ranks);
    CHECK(ranks);
    for (uint32_t i = 0; i < count; i++)
        ranks[i] = first + i;
    uint32_t out = crew->rank, in = 0, other = crew->size - 1 - crew->rank;
    crew->kind->lines(crew, 2);
    crew->kind->receive(crew, 0, other, &in, sizeof in);
    crew->kind->post(crew, other, &out, sizeof out);
    weft_crew *team = crew->kind->team(crew, ranks, count, low ? 1 : 2);
    CHECK(team->size == count && team->rank == crew->rank - first && team->here <= count);
    everything(team);
    teams(team, depth - 1);
    crew->kind->send(crew, 1, other, &out, sizeof out);
    finish(crew, 0);
    finish(crew, 1);
    CHECK(in == other);
    team->kind->close(team);
    uint32_t from;
    void *letter;
    size_t bytes;
    while (!crew->kind->poll(crew, &from, &letter, &bytes))
        continue;
    CHECK(from == other && bytes == sizeof other && memcmp(letter, &other, bytes) == 0);
    free(letter);
    free(ranks);
}

/* Teams come and go without wearing anything out; only some members are in one. */
static void many_teams(weft_crew *crew, unsigned count)
{
    for (uint32_t number = 0; number < count; number++) {
        uint32_t ranks[2] = {number % crew->size, (number + 1) % crew->size}, size = 2;
        if (ranks[0] > ranks[1]) {
            ranks[1] = ranks[0];
            ranks[0] = 0;
        }
        if (crew->size == 1)
            size = 1;
        if (crew->rank != ranks[0] && crew->rank != ranks[1])
            continue;
        weft_crew *team = crew->kind->team(crew, ranks, size, number);
        int64_t one = 1;
        team->kind->sum(team, &one, 1);
        CHECK(one == size);
        team->kind->close(team);
    }
}

/* Letters that nobody reads do not keep the crew from closing. */
static void unread(weft_crew *crew)
{
    void *data = calloc(1, MOST);
    CHECK(data);
    for (uint32_t to = 0; to < crew->size; to++) {
        crew->kind->post(crew, to, data, MOST);
        crew->kind->post(crew, to, data, 1);
    }
    free(data);
}

int main(int argc, char **argv)
{
    weft_crew *crew;
    weft_error err;
    bool mpi = argc > 1 && strcmp(argv[1], "--mpi") == 0;
    if (weft_crew_open(mpi, &crew, &err) != WEFT_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    CHECK(crew->rank < crew->size && crew->here >= 1 && crew->here <= crew->size);
    CHECK(crew->kind->abi == WEFT_CREW_ABI);
    if (argc > 1 && strcmp(argv[1], "--abort") == 0 && crew->rank == crew->size - 1)
        crew->kind->abort(crew, 3);
    everything(crew);
    teams(crew, 2);
    many_teams(crew, 100);
    if (argc > 1)
        printf("%u of %u, %u here, %s\n", crew->rank, crew->size, crew->here, crew->kind->name);
    unread(crew);
    weft_crew_close(crew);
    weft_crew_close(NULL);
    return 0;
}
