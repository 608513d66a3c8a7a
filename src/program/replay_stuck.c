/* SPDX-License-Identifier: Apache-2.0 */
/* Why a replay cannot go on: from the first rank that has not finished, the way along which ranks
 * wait for each other, until it comes back or ends. */
#include "base/memory.h"
#include "program/replay_state.h"

#include <stdlib.h>

/* The operation at which a rank waits for another rank: a receive that is posted, or a send whose
 * request nobody has answered. WEFT_PROGRAM_NONE: none. */
static uint32_t waits_at(const weft_replay_state *replay, uint32_t rank)
{
    const weft_program *program = replay->program;
    for (uint32_t i = program->first[rank]; i < program->first[rank + 1]; i++) {
        bool posted = replay->state[i] & WEFT_REPLAY_POSTED;
        bool asked =
            program->operations[i].kind == WEFT_OPERATION_SEND &&
            (replay->state[i] & (WEFT_REPLAY_STARTED | WEFT_REPLAY_DONE)) == WEFT_REPLAY_STARTED;
        if (posted || asked)
            return i;
    }
    return WEFT_PROGRAM_NONE;
}

static uint32_t n_waiting(const weft_replay_state *replay, uint32_t *first)
{
    uint32_t waiting = 0;
    for (uint32_t rank = replay->program->n_ranks; rank-- > 0;)
        if (waits_at(replay, rank) != WEFT_PROGRAM_NONE) {
            *first = rank;
            waiting++;
        }
    return waiting;
}

#define SHOWN 12

weft_status weft_replay_stuck(const weft_replay_state *replay, weft_error *err)
{
    const weft_program *program = replay->program;
    uint32_t rank = 0, waiting = n_waiting(replay, &rank), at;
    uint8_t *seen = weft_alloc(program->n_ranks);
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "the program cannot end: %u of %u ranks wait, since tick %llu\n", waiting,
                  program->n_ranks, (unsigned long long)replay->now);
    for (uint32_t shown = 0; (at = waits_at(replay, rank)) != WEFT_PROGRAM_NONE; shown++) {
        uint32_t peer = program->operations[at].peer;
        if (seen[rank] || shown == SHOWN)
            break;
        seen[rank] = 1;
        weft_text_add(&text, "  rank %u waits at ", rank);
        weft_program_name(program, at, &text);
        weft_text_add(&text, "\n");
        if (peer == WEFT_PROGRAM_ANY)
            break;
        rank = peer;
    }
    if (at == WEFT_PROGRAM_NONE)
        weft_text_add(&text, "  rank %u has nothing left to do for it", rank);
    else if (seen[rank])
        weft_text_add(&text, "  and so on in a circle from rank %u", rank);
    weft_status status = weft_fail(err, WEFT_BROKEN, "%.4000s", text.at);
    weft_text_done(&text);
    free(seen);
    return status;
}
