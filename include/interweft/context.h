/* SPDX-License-Identifier: Apache-2.0 */
/* A context: the processes that share the work of a study. Processes started by mpirun or srun all
 * open it, run the same study and close it. A process started alone is a context of one, and MPI is
 * not loaded. A process has at most one context open, and MPI allows one in its lifetime.
 *
 *     weft_context *context;
 *     weft_context_open(false, &context, &err);
 *     … studies …
 *     weft_context_close(context); */
#ifndef INTERWEFT_CONTEXT_H
#define INTERWEFT_CONTEXT_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stdint.h>

WEFT_DECLARATIONS

typedef struct weft_context weft_context;

/* Joins the processes that a launcher (mpirun of Open MPI or MPICH, srun --mpi=pmix) started
 * together with this one; with `mpi` MPI is started without a launcher too. Fails if the module for
 * the launcher's MPI is not installed. A program may start MPI itself before, with
 * MPI_THREAD_SERIALIZED or more; it then also ends MPI. */
WEFT_API WEFT_MUST_USE weft_status weft_context_open(bool mpi, weft_context **context,
                                                     weft_error *err);
/* All processes call it; accepts NULL. */
WEFT_API void weft_context_close(weft_context *context);

/* The rank of this process, 0 … size − 1. Rank 0 writes the results. */
WEFT_API uint32_t weft_context_rank(const weft_context *context);
/* The number of processes. */
WEFT_API uint32_t weft_context_size(const weft_context *context);
/* All processes call it: if something has failed in one of them, all get the status and the message
 * of the first. What a process does before the others join it ends with this. */
WEFT_API WEFT_MUST_USE weft_status weft_context_agree(weft_context *context, weft_status status,
                                                      weft_error *err);

WEFT_DECLARATIONS_END

#endif
