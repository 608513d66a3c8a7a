/* SPDX-License-Identifier: Apache-2.0 */
/* A context is a communicator for people outside the library. */
#include "study/context.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

weft_status weft_context_open(bool mpi, weft_context **context, weft_error *err)
{
    assert(context);
    weft_comm *comm;
    *context = NULL;
    WEFT_TRY(weft_comm_open(mpi, &comm, err));
    *context = weft_alloc(sizeof **context);
    (*context)->comm = comm;
    return WEFT_OK;
}

void weft_context_close(weft_context *context)
{
    if (!context)
        return;
    weft_comm_close(context->comm);
    free(context);
}

uint32_t weft_context_rank(const weft_context *context)
{
    assert(context);
    return context->comm->rank;
}

uint32_t weft_context_size(const weft_context *context)
{
    assert(context);
    return context->comm->size;
}

weft_status weft_context_agree(weft_context *context, weft_status status, weft_error *err)
{
    assert(context);
    return weft_comm_agree(context->comm, status, err);
}
