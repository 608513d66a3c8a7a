/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator over MPI-3: the one file that names MPI, built once for each MPI as a module
 * of its own.
 *
 * A communicator is one communicator that nobody else uses. Lines, messages and gathers have a
 * tag each, and collectives a context of their own by the rules of MPI, so they never mix.
 * Messages are sent synchronously: one that is finished has been taken, so after all have agreed
 * that theirs are finished none is left (Hoefler, Siebert, Lumsdaine: Scalable communication
 * protocols for dynamic sparse data exchange, PPoPP 2010).
 *
 * Nothing here waits inside MPI once the communicator is open, except to make and free
 * communicators: whoever waits asks, and on a machine with more members than cores lets the
 * others run in between (MPICH never does). */
#include "base/memory.h"
#include "kernel/comm.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Open MPI 4.1 makes a team by messages under the tag it is given, so those are different too. */
enum { WINDOW_TAG, LETTER_TAG, GATHER_TAG, TEAM_TAG };

#define PIECE ((size_t)1 << 30) /* what is larger travels as pieces of this many bytes */
#define TAGS  32768u            /* every MPI has at least so many */

typedef struct user_message {
    struct user_message *next;
    MPI_Request request;
    void *data;
} user_message;

typedef struct members {
    weft_comm comm;
    MPI_Comm mpi_comm;
    MPI_Request *requests;
    uint32_t count;
    uint32_t machine;  /* the least rank of the whole communicator on this machine */
    bool crowded;      /* more members than cores on this machine */
    bool starts;       /* MPI was started, and is to be ended, by this communicator */
    user_message *out; /* posted and perhaps not taken yet */
    void *in;          /* a user_message on its way in, or NULL */
    size_t bytes;      /* of it */
    uint32_t from;     /* who sent it */
    MPI_Request incoming;
} members;

static members *of(weft_comm *comm)
{
    return (members *)(void *)comm;
}

static void let_others(const members *m)
{
    if (m->crowded)
        (void)sched_yield();
}

static bool done(const members *m, MPI_Request *request)
{
    int flag = 1;
    if (*request != MPI_REQUEST_NULL)
        MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
        let_others(m);
    return flag;
}

static void complete(const members *m, MPI_Request *request)
{
    while (!done(m, request))
        continue;
}

/* ---- bytes ---- */

typedef struct cargo {
    int count;
    MPI_Datatype type;
} cargo;

/* MPI counts in int: more than that is one element of a type made for it. */
static cargo pack(size_t bytes)
{
    if (bytes <= INT_MAX)
        return (cargo){(int)bytes, MPI_BYTE};
    int lengths[2] = {(int)(bytes / PIECE), (int)(bytes % PIECE)};
    MPI_Aint places[2] = {0, (MPI_Aint)(bytes - bytes % PIECE)};
    MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_BYTE};
    cargo made = {1, MPI_DATATYPE_NULL};
    MPI_Type_contiguous((int)PIECE, MPI_BYTE, &types[0]);
    MPI_Type_create_struct(2, lengths, places, types, &made.type);
    MPI_Type_commit(&made.type);
    MPI_Type_free(&types[0]);
    return made;
}

/* Messages under way keep what they need of it. */
static void unpack(cargo *used)
{
    if (used->type != MPI_BYTE)
        MPI_Type_free(&used->type);
}

/* ---- requests ---- */

static void comm_requests(weft_comm *comm, uint32_t count)
{
    members *m = of(comm);
    m->requests = weft_realloc(m->requests, count, sizeof *m->requests);
    m->count = count;
    for (uint32_t i = 0; i < count; i++)
        m->requests[i] = MPI_REQUEST_NULL;
}

static void comm_send(weft_comm *comm, uint32_t request, uint32_t to, const void *data,
                      size_t bytes)
{
    members *m = of(comm);
    assert(request < m->count && m->requests[request] == MPI_REQUEST_NULL && to < comm->size);
    cargo load = pack(bytes);
    MPI_Isend(data, load.count, load.type, (int)to, WINDOW_TAG, m->mpi_comm, &m->requests[request]);
    unpack(&load);
}

static void comm_receive(weft_comm *comm, uint32_t request, uint32_t from, void *buffer,
                         size_t room)
{
    members *m = of(comm);
    assert(request < m->count && m->requests[request] == MPI_REQUEST_NULL && from < comm->size);
    cargo load = pack(room);
    MPI_Irecv(buffer, load.count, load.type, (int)from, WINDOW_TAG, m->mpi_comm,
              &m->requests[request]);
    unpack(&load);
}

static bool comm_finished(weft_comm *comm, uint32_t request)
{
    members *m = of(comm);
    assert(request < m->count);
    return done(m, &m->requests[request]);
}

/* ---- all together ---- */

static void comm_sum(weft_comm *comm, int64_t *values, size_t count)
{
    members *m = of(comm);
    const size_t most = PIECE / sizeof *values;
    for (size_t at = 0; at < count; at += most) {
        int part = (int)(count - at < most ? count - at : most);
        MPI_Request request;
        MPI_Iallreduce(MPI_IN_PLACE, values + at, part, MPI_INT64_T, MPI_SUM, m->mpi_comm,
                       &request);
        complete(m, &request);
    }
}

static void comm_broadcast(weft_comm *comm, void *data, size_t bytes)
{
    members *m = of(comm);
    char *from = data;
    for (size_t at = 0; at < bytes; at += PIECE) {
        int part = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        MPI_Request request;
        MPI_Ibcast(from + at, part, MPI_BYTE, 0, m->mpi_comm, &request);
        complete(m, &request);
    }
}

/* Rank 0's half: receives everybody's bytes into one block, in order of rank. */
static void collect(const members *m, const void *own, const uint64_t *counts, void **all,
                    size_t *sizes)
{
    uint32_t size = m->comm.size;
    size_t total = 0;
    for (uint32_t i = 0; i < size; i++)
        total += sizes[i] = (size_t)counts[i];
    *all = weft_alloc(total);
    MPI_Request *requests = weft_alloc(size * sizeof *requests);
    char *at = *all;
    if (sizes[0])
        memcpy(at, own, sizes[0]);
    for (uint32_t i = 1; i < size; i++) {
        at += sizes[i - 1];
        cargo load = pack(sizes[i]);
        MPI_Irecv(at, load.count, load.type, (int)i, GATHER_TAG, m->mpi_comm, &requests[i]);
        unpack(&load);
    }
    for (uint32_t i = 1; i < size; i++)
        complete(m, &requests[i]);
    free(requests);
}

static void comm_gather(weft_comm *comm, const void *data, size_t bytes, void **all, size_t *sizes)
{
    members *m = of(comm);
    uint64_t own = bytes;
    uint64_t *counts = comm->rank == 0 ? weft_alloc(comm->size * sizeof *counts) : NULL;
    MPI_Request request;
    MPI_Igather(&own, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, 0, m->mpi_comm, &request);
    complete(m, &request);
    if (comm->rank == 0) {
        collect(m, data, counts, all, sizes);
        free(counts);
        return;
    }
    *all = NULL;
    cargo load = pack(bytes);
    MPI_Isend(data, load.count, load.type, 0, GATHER_TAG, m->mpi_comm, &request);
    unpack(&load);
    complete(m, &request);
}

/* ---- messages ---- */

/* Lets go of the messages that were taken. */
static void reap(members *m)
{
    for (user_message **at = &m->out; *at;) {
        user_message *this = *at;
        int taken;
        MPI_Test(&this->request, &taken, MPI_STATUS_IGNORE);
        if (!taken) {
            at = &this->next;
            continue;
        }
        *at = this->next;
        free(this->data);
        free(this);
    }
}

static void comm_post(weft_comm *comm, uint32_t to, const void *data, size_t bytes)
{
    members *m = of(comm);
    assert(to < comm->size);
    reap(m);
    user_message *new = weft_alloc(sizeof *new);
    new->data = weft_alloc(bytes);
    if (bytes)
        memcpy(new->data, data, bytes);
    cargo load = pack(bytes);
    MPI_Issend(new->data, load.count, load.type, (int)to, LETTER_TAG, m->mpi_comm, &new->request);
    unpack(&load);
    new->next = m->out;
    m->out = new;
}

/* Begins to take the next user_message, if there is one. */
static bool listen(members *m)
{
    int there;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, LETTER_TAG, m->mpi_comm, &there, &message, &status);
    if (!there)
        return false;
    MPI_Count bytes;
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    assert(bytes >= 0);
    m->from = (uint32_t)status.MPI_SOURCE;
    m->bytes = (size_t)bytes;
    m->in = weft_alloc(m->bytes);
    cargo load = pack(m->bytes);
    MPI_Imrecv(m->in, load.count, load.type, &message, &m->incoming);
    unpack(&load);
    return true;
}

/* A long user_message needs several polls; those behind it wait, so that order is kept. */
static bool comm_poll(weft_comm *comm, uint32_t *from, void **data, size_t *bytes)
{
    members *m = of(comm);
    reap(m);
    if (!m->in && !listen(m))
        let_others(m);
    if (!m->in || !done(m, &m->incoming))
        return false;
    *from = m->from;
    *data = m->in;
    *bytes = m->bytes;
    m->in = NULL;
    return true;
}

/* Throws away what nobody reads any more, until all members have no user_message under way. */
static void end_letters(members *m)
{
    MPI_Request agreed = MPI_REQUEST_NULL;
    bool asked = false;
    while (!asked || !done(m, &agreed) || m->in) {
        uint32_t from;
        void *data;
        size_t bytes;
        if (comm_poll(&m->comm, &from, &data, &bytes))
            free(data);
        if (!asked && !m->out) {
            MPI_Ibarrier(m->mpi_comm, &agreed);
            asked = true;
        }
    }
    assert(!m->out && !m->in);
}

/* ---- communicators ---- */

static void comm_close(weft_comm *comm)
{
    members *m = of(comm);
    bool end = m->starts;
    end_letters(m);
    MPI_Comm_free(&m->mpi_comm);
    free(m->requests);
    free(m);
    if (end)
        MPI_Finalize();
}

static void comm_abort(weft_comm *comm, int status)
{
    (void)comm;
    MPI_Abort(MPI_COMM_WORLD, status);
}

static weft_comm *comm_team(weft_comm *comm, const uint32_t *ranks, uint32_t count,
                            uint32_t number);

static const weft_comm_kind kind = {
    .abi = WEFT_COMM_ABI,
    .name = WEFT_MPI_NAME,
    .requests = comm_requests,
    .send = comm_send,
    .receive = comm_receive,
    .finished = comm_finished,
    .sum = comm_sum,
    .broadcast = comm_broadcast,
    .gather = comm_gather,
    .post = comm_post,
    .poll = comm_poll,
    .team = comm_team,
    .close = comm_close,
    .abort = comm_abort,
};

/* Takes the communicator over. */
static members *enlist(MPI_Comm mpi_comm)
{
    members *m = weft_alloc(sizeof *m);
    int rank, size;
    MPI_Comm_rank(mpi_comm, &rank);
    MPI_Comm_size(mpi_comm, &size);
    m->mpi_comm = mpi_comm;
    m->incoming = MPI_REQUEST_NULL;
    m->comm = (weft_comm){.kind = &kind, .rank = (uint32_t)rank, .size = (uint32_t)size};
    return m;
}

/* Who is on this machine, and whether they are more than the cores they may run on together. */
static void look_around(members *m)
{
    MPI_Comm neighbours;
    int here;
    MPI_Comm_split_type(m->mpi_comm, MPI_COMM_TYPE_SHARED, (int)m->comm.rank, MPI_INFO_NULL,
                        &neighbours);
    MPI_Comm_size(neighbours, &here);
    m->comm.here = (uint32_t)here;
    m->machine = m->comm.rank;
    MPI_Bcast(&m->machine, 1, MPI_UINT32_T, 0, neighbours);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    (void)sched_getaffinity(0, sizeof cores, &cores);
    MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, neighbours);
    m->crowded = here > CPU_COUNT(&cores);
    MPI_Comm_free(&neighbours);
}

/* The same for a team, from what the whole communicator knows. */
static void look_around_team(members *team, const members *whole)
{
    team->machine = whole->machine;
    team->crowded = whole->crowded; /* the others are still there */
    uint32_t *machines = weft_alloc(team->comm.size * sizeof *machines);
    MPI_Request request;
    MPI_Iallgather(&team->machine, 1, MPI_UINT32_T, machines, 1, MPI_UINT32_T, team->mpi_comm,
                   &request);
    complete(team, &request);
    for (uint32_t i = 0; i < team->comm.size; i++)
        team->comm.here += machines[i] == team->machine;
    free(machines);
}

static weft_comm *comm_team(weft_comm *comm, const uint32_t *ranks, uint32_t count, uint32_t number)
{
    members *m = of(comm);
    assert(count > 0 && count <= comm->size);
    int *list = weft_alloc(count * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (int)ranks[i];
    MPI_Group whole, part;
    MPI_Comm mpi_comm;
    MPI_Comm_group(m->mpi_comm, &whole);
    MPI_Group_incl(whole, (int)count, list, &part);
    MPI_Comm_create_group(m->mpi_comm, part, TEAM_TAG + (int)(number % (TAGS - TEAM_TAG)),
                          &mpi_comm);
    MPI_Group_free(&part);
    MPI_Group_free(&whole);
    free(list);
    members *team = enlist(mpi_comm);
    look_around_team(team, m);
    return &team->comm;
}

/* Starts MPI unless the program has. */
static weft_status start(bool *starts, weft_error *err)
{
    int is_on, is_over, level, size;
    MPI_Initialized(&is_on);
    MPI_Finalized(&is_over);
    if (is_over)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "MPI has been ended in this process and cannot be started again");
    *starts = !is_on;
    if (is_on)
        MPI_Query_thread(&level);
    else
        MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (level >= MPI_THREAD_SERIALIZED || size == 1)
        return WEFT_OK;
    if (!*starts)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "MPI was started in this process with thread level %d, and "
                         "MPI_THREAD_SERIALIZED = %d is needed: start it by MPI_Init_thread",
                         level, MPI_THREAD_SERIALIZED);
    MPI_Finalize();
    return weft_fail(err, WEFT_BAD_INPUT,
                     "this MPI cannot be called from more than one thread (it offers thread level "
                     "%d, MPI_THREAD_SERIALIZED = %d is needed): use one that can",
                     level, MPI_THREAD_SERIALIZED);
}

static weft_status open_whole(weft_comm **comm, weft_error *err)
{
    bool starts = false;
    WEFT_TRY(start(&starts, err));
    MPI_Comm mpi_comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi_comm);
    members *m = enlist(mpi_comm);
    look_around(m);
    m->starts = starts;
    *comm = &m->comm;
    return WEFT_OK;
}

extern WEFT_API const weft_comm_module weft_mpi_module;
const weft_comm_module weft_mpi_module = {WEFT_COMM_ABI, open_whole};
