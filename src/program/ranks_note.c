/* SPDX-License-Identifier: Apache-2.0 */
/* Events of ranks for their log. */
#include "program/ranks.h"

/* An operation among those of all repetitions of its rank. */
static uint32_t instance(const weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    return weft_ranks_number(ranks, local, operation, false) / 2;
}

void weft_ranks_note(const weft_ranks *ranks, uint32_t local, weft_rank_event_kind kind,
                     uint32_t operation, weft_ranks_message other)
{
    bool own = kind == WEFT_RANK_READY || kind == WEFT_RANK_FOLLOW;
    weft_rank_event event = {.kind = (uint8_t)kind,
                             .time = ranks->now,
                             .operation = instance(ranks, local, operation),
                             .peer = other.source,
                             .number = own ? instance(ranks, local, other.number) : other.number};
    weft_rank_log_add(ranks->log, local, event);
}

void weft_ranks_note_run(const weft_ranks *ranks, uint32_t local, uint32_t operation,
                         uint64_t takes)
{
    const weft_operation *its = &ranks->program->operations[operation];
    weft_rank_event event = {.kind = WEFT_RANK_RUN,
                             .time = ranks->now,
                             .until = ranks->now + takes,
                             .operation = instance(ranks, local, operation),
                             .size = weft_operation_size(its),
                             .peer = its->peer,
                             .what = its->kind,
                             .cpu = its->cpu};
    weft_rank_log_add(ranks->log, local, event);
}

void weft_ranks_note_data(const weft_ranks *ranks, uint32_t local, uint32_t send, uint64_t first,
                          uint64_t over)
{
    weft_rank_event event = {.kind = WEFT_RANK_DATA,
                             .time = ranks->now,
                             .until = over,
                             .operation = instance(ranks, local, send),
                             .size = first};
    weft_rank_log_add(ranks->log, local, event);
}
