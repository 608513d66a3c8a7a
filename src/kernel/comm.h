/* SPDX-License-Identifier: Apache-2.0 */
/* A communicator: processes that work together. A communicator of one process
 * needs nothing; a larger one comes from the MPI module, which is loaded only under a launcher
 * or on request, so that the program starts in milliseconds and serves Open MPI and MPICH alike.
 * MPI is named in kernel/exchange_mpi.c and nowhere else.
 *
 * Every operation is called by one thread at a time (any thread). A process that cannot go on
 * calls abort; there are no other failures to report.
 *
 * A rank that has to wait calls `finished` or `poll` repeatedly. Where ranks share cores, a call
 * that returns false yields the core for a moment. */
#ifndef WEFT_KERNEL_COMM_H
#define WEFT_KERNEL_COMM_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_COMM_ABI 1

typedef struct weft_comm {
    const struct weft_comm_kind *kind;
    uint32_t rank, size;
    uint32_t here; /* ranks on this node */
} weft_comm;

typedef struct weft_comm_kind {
    uint32_t abi;     /* WEFT_COMM_ABI */
    const char *name; /* "self", "openmpi", "mpich" */

    /* Requests carry windows: each holds one message in one direction at a time, and the messages
     * of a pair of ranks arrive in the order they were sent. `requests` sets their number (all
     * idle); send and receive do not block; data and buffer belong to the request until `finished`,
     * which is polled, returns true (as it does for an idle request). A message fits the receiver's
     * room. */
    void (*requests)(weft_comm *comm, uint32_t count);
    void (*send)(weft_comm *comm, uint32_t request, uint32_t to, const void *data, size_t bytes);
    void (*receive)(weft_comm *comm, uint32_t request, uint32_t from, void *buffer, size_t room);
    bool (*finished)(weft_comm *comm, uint32_t request);

    /* Collective calls. sum: every rank gets the sums over all ranks. gather: on rank 0 *all is one
     * block with the bytes of all ranks in order, to be freed, and sizes[rank] the bytes of each;
     * elsewhere *all is NULL and sizes is ignored. */
    void (*sum)(weft_comm *comm, int64_t *values, size_t count);
    void (*broadcast)(weft_comm *comm, void *data, size_t bytes); /* from rank 0 */
    void (*gather)(weft_comm *comm, const void *data, size_t bytes, void **all, size_t *sizes);

    /* Messages between any two ranks, for the farm. post returns when data may be used again
     * and never waits for the receiver to read. poll takes one message if there is any: false at
     * once if not; *data is to be freed. */
    void (*post)(weft_comm *comm, uint32_t to, const void *data, size_t bytes);
    bool (*poll)(weft_comm *comm, uint32_t *from, void **data, size_t *bytes);

    /* A smaller communicator of some ranks (of this one, ascending), made by these ranks alone
     * while the others go on. Teams that are made at the same time have different numbers. Never
     * returns NULL. */
    weft_comm *(*team)(weft_comm *comm, const uint32_t *ranks, uint32_t count, uint32_t number);
    /* Ends a team; for the whole communicator, ends everything (all ranks call it). */
    void (*close)(weft_comm *comm);
    /* Ends all processes at once with this exit status. */
    void (*abort)(weft_comm *comm, int status);
} weft_comm_kind;

/* A process without a communicator is alone. */
static inline uint32_t weft_comm_rank(const weft_comm *comm)
{
    return comm ? comm->rank : 0;
}

static inline uint32_t weft_comm_size(const weft_comm *comm)
{
    return comm ? comm->size : 1;
}

static inline uint32_t weft_comm_here(const weft_comm *comm)
{
    return comm ? comm->here : 1;
}

/* A module exports a constant record under this name. open fails with a sentence. */
#define WEFT_COMM_SYMBOL "weft_mpi_module"
typedef struct weft_comm_module {
    uint32_t abi; /* WEFT_COMM_ABI */
    weft_status (*open)(weft_comm **comm, weft_error *err);
} weft_comm_module;

/* Opens the communicator of this process: the launcher's, if one is seen in the environment;
 * with `mpi` also without one; else a communicator of one process. */
WEFT_MUST_USE weft_status weft_comm_open(bool mpi, weft_comm **comm, weft_error *err);
/* Accepts NULL. */
void weft_comm_close(weft_comm *comm);

/* By all ranks together (comm NULL: alone): if any of them failed, all get the status and the
 * message of the first that did. */
WEFT_MUST_USE weft_status weft_comm_agree(weft_comm *comm, weft_status status, weft_error *err);
/* By all ranks together: if one has another number than rank 0, all fail with "process 1 …", where
 * the sentence of the first such rank goes on. */
WEFT_MUST_USE weft_status weft_comm_same(weft_comm *comm, uint64_t number, const char *sentence,
                                         weft_error *err);
/* By all ranks together: the least of their numbers. */
uint32_t weft_comm_least(weft_comm *comm, uint32_t number);

/* The MPI a process was started by, from its environment: "openmpi", "mpich" or NULL. */
const char *weft_comm_launcher(void);

#endif
