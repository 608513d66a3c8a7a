/* SPDX-License-Identifier: Apache-2.0 */
/* A context is a crew for people outside the library. */
#include "study/context.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

weft_status weft_context_open(bool mpi, weft_context **context, weft_error *err)
{
    assert(context);
    weft_crew *crew;
    *context = NULL;
    WEFT_TRY(weft_crew_open(mpi, &crew, err));
    *context = weft_alloc(sizeof **context);
    (*context)->crew = crew;
    return WEFT_OK;
}

void weft_context_close(weft_context *context)
{
    if (!context)
        return;
    weft_crew_close(context->crew);
    free(context);
}

uint32_t weft_context_rank(const weft_context *context)
{
    assert(context);
    return context->crew->rank;
}

uint32_t weft_context_size(const weft_context *context)
{
    assert(context);
    return context->crew->size;
}
