/* SPDX-License-Identifier: Apache-2.0 */
/* Why a replay cannot go on: from the first rank that has not finished, the way along which ranks
 * wait for each other, until it comes back or ends. */
#include "base/memory.h"
#include "program/ranks.h"

#include <stdlib.h>

/* A receive that is posted, or a send whose request nobody has answered. */
uint32_t weft_ranks_waits(const weft_ranks *ranks, uint32_t local)
{
    const weft_program *program = ranks->program;
    uint32_t rank = ranks->rank[local];
    if (ranks->repetition[local] >= ranks->repeats)
        return 0;
    for (uint32_t i = 0; i < weft_ranks_operations(program, rank); i++) {
        uint8_t state = ranks->state[ranks->base[local] + i];
        bool asked = program->operations[program->at[rank] + i].kind == WEFT_OPERATION_SEND &&
                     (state & (WEFT_RANKS_STARTED | WEFT_RANKS_DONE)) == WEFT_RANKS_STARTED;
        if (state & WEFT_RANKS_POSTED || asked)
            return i + 1;
    }
    return 0;
}

static uint32_t n_waiting(const weft_program *program, const weft_ranks_wait *waits,
                          uint32_t *first)
{
    uint32_t waiting = 0;
    for (uint32_t rank = program->n_ranks; rank-- > 0;)
        if (waits[rank].number) {
            *first = rank;
            waiting++;
        }
    return waiting;
}

#define SHOWN 12

weft_status weft_ranks_stuck(const weft_program *program, const weft_ranks_wait *waits,
                             uint64_t now, const char *name, weft_error *err)
{
    uint32_t rank = 0, waiting = n_waiting(program, waits, &rank), at;
    uint8_t *seen = weft_alloc(program->n_ranks);
    bool any = false; /* it waits for whoever sends: there is no way on */
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "%s cannot end: %u of %u ranks wait, since tick %llu", name, waiting,
                  program->n_ranks, (unsigned long long)now);
    for (uint32_t shown = 0; (at = waits[rank].number) != 0; shown++) {
        if (seen[rank] || shown == SHOWN)
            break;
        seen[rank] = 1;
        weft_text_add(&text, "\n  rank %u waits at ", rank);
        weft_operation_name(&waits[rank].operation, at - 1, rank, !program->divided, &text);
        any = waits[rank].operation.peer == WEFT_PROGRAM_ANY;
        if (any)
            break;
        rank = waits[rank].operation.peer;
    }
    if (at == 0)
        weft_text_add(&text, "\n  rank %u has nothing left to do for it", rank);
    else if (seen[rank] && !any)
        weft_text_add(&text, "\n  and so on in a circle from rank %u", rank);
    else if (!any)
        weft_text_add(&text, "\n  and so on");
    weft_status status = weft_fail(err, WEFT_BROKEN, "%.4000s", text.at);
    weft_text_done(&text);
    free(seen);
    return status;
}
