/* SPDX-License-Identifier: Apache-2.0 */
/* A crew: the processes that work on one thing together. A crew of one needs nothing; a larger
 * one comes from the MPI module, which is loaded only under a launcher or on request, so that
 * the program starts in milliseconds and serves Open MPI and MPICH alike. MPI is named in
 * kernel/exchange_mpi.c and nowhere else.
 *
 * Every operation is called by one thread at a time (any thread). A process that cannot go on
 * calls abort; there are no other failures to report.
 *
 * A member that has to wait asks `finished` or `poll` again and again. Where members share
 * cores, one that gets a no for an answer gives its core to the others for a moment. */
#ifndef WEFT_KERNEL_CREW_H
#define WEFT_KERNEL_CREW_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_CREW_ABI 1

typedef struct weft_crew {
    const struct weft_crew_kind *kind;
    uint32_t rank, size;
    uint32_t here; /* members on this machine */
} weft_crew;

typedef struct weft_crew_kind {
    uint32_t abi;     /* WEFT_CREW_ABI */
    const char *name; /* "self", "openmpi", "mpich" */

    /* Lines carry windows: each holds one message in one direction at a time, and the messages
     * of a pair of members arrive in the order they were sent. `lines` says how many there are
     * (all idle); send and receive return at once; data and buffer belong to the line until it
     * is `finished`, which is asked until it says true (an idle line is). A message fits the
     * receiver's room. */
    void (*lines)(weft_crew *crew, uint32_t count);
    void (*send)(weft_crew *crew, uint32_t line, uint32_t to, const void *data, size_t bytes);
    void (*receive)(weft_crew *crew, uint32_t line, uint32_t from, void *buffer, size_t room);
    bool (*finished)(weft_crew *crew, uint32_t line);

    /* All members call these together. sum: every member gets the sums over all of them. gather:
     * on rank 0 *all is one block with everybody's bytes in order of rank, to be freed, and
     * sizes[rank] says how much is whose; elsewhere *all is NULL and sizes is not looked at. */
    void (*sum)(weft_crew *crew, int64_t *values, size_t count);
    void (*broadcast)(weft_crew *crew, void *data, size_t bytes); /* from rank 0 */
    void (*gather)(weft_crew *crew, const void *data, size_t bytes, void **all, size_t *sizes);

    /* Letters between any two members, for the farm. post returns when data may be used again and
     * never waits for the receiver to read. poll takes one letter if there is any: false at once if
     * not; *data is to be freed. */
    void (*post)(weft_crew *crew, uint32_t to, const void *data, size_t bytes);
    bool (*poll)(weft_crew *crew, uint32_t *from, void **data, size_t *bytes);

    /* A smaller crew of some members (by rank here, ascending), made by these members alone
     * while the others go on. Teams that are made at the same time have different numbers. NULL
     * on failure is never returned. */
    weft_crew *(*team)(weft_crew *crew, const uint32_t *ranks, uint32_t count, uint32_t number);
    /* Ends a team; for the whole crew, ends everything (all members call it). */
    void (*close)(weft_crew *crew);
    /* Ends all processes at once with this exit status. */
    void (*abort)(weft_crew *crew, int status);
} weft_crew_kind;

/* A process without a crew is alone. */
static inline uint32_t weft_crew_rank(const weft_crew *crew)
{
    return crew ? crew->rank : 0;
}

static inline uint32_t weft_crew_size(const weft_crew *crew)
{
    return crew ? crew->size : 1;
}

static inline uint32_t weft_crew_here(const weft_crew *crew)
{
    return crew ? crew->here : 1;
}

/* What a module exports under this name: a constant record. open fails with a sentence. */
#define WEFT_CREW_SYMBOL "weft_mpi_module"
typedef struct weft_crew_module {
    uint32_t abi; /* WEFT_CREW_ABI */
    weft_status (*open)(weft_crew **crew, weft_error *err);
} weft_crew_module;

/* Opens the crew of this process: the launcher's, if one is seen in the environment; with `mpi`
 * also without one; else a crew of one. */
WEFT_MUST_USE weft_status weft_crew_open(bool mpi, weft_crew **crew, weft_error *err);
/* Accepts NULL. */
void weft_crew_close(weft_crew *crew);

/* All members together (crew NULL: alone): if any of them failed, all get the status and the
 * message of the first that did. */
WEFT_MUST_USE weft_status weft_crew_share(weft_crew *crew, weft_status status, weft_error *err);

/* The MPI a process was started by, from its environment: "openmpi", "mpich" or NULL. */
const char *weft_crew_launcher(void);

#endif
