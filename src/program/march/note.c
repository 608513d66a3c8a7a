/* SPDX-License-Identifier: Apache-2.0 */
#include "program/march/note.h"

#include "program/march/store.h"

uint32_t weft_march_instance(const weft_march *march, uint32_t local, uint32_t what)
{
    const weft_march_rank *rank = &march->ranks[local];
    weft_phased_name name = {rank->repetition, rank->phase, what / 4, WEFT_PHASED_SENT};
    return weft_phased_number(march->schedule, name) + what % 4;
}

static weft_operation_kind kind_of(uint32_t what)
{
    static const weft_operation_kind kinds[] = {[WEFT_MARCH_SEND] = WEFT_OPERATION_SEND,
                                                [WEFT_MARCH_RECEIVE] = WEFT_OPERATION_RECV,
                                                [WEFT_MARCH_SUM] = WEFT_OPERATION_CALC,
                                                [WEFT_MARCH_COMPUTE] = WEFT_OPERATION_CALC};
    return kinds[what % 4];
}

static void note_run(const weft_march *march, uint32_t local, uint32_t what, uint64_t takes)
{
    const weft_march_rank *rank = &march->ranks[local];
    weft_rank_event event = {.kind = WEFT_RANK_RUN,
                             .time = march->now,
                             .until = march->now + takes,
                             .operation = weft_march_instance(march, local, what),
                             .what = (uint8_t)kind_of(what)};
    if (kind_of(what) == WEFT_OPERATION_CALC) {
        event.size = march->calc > 0 ? takes / march->calc : takes;
    } else {
        weft_collective_step step =
            weft_phased_step(march->schedule, rank->phase, rank->rank, what / 4);
        bool sends = what % 4 == WEFT_MARCH_SEND;
        event.size = sends ? step.send : step.receive;
        event.peer = sends ? step.to : step.from;
    }
    weft_rank_log_add(march->log, local, event);
}

/* As of stored ranks (ranks_time.c): an idle CPU that goes on with a message which has come now has
 * waited for its sender first, and then for the network. */
void weft_march_spend(weft_march *march, uint32_t local, uint32_t what, uint64_t takes)
{
    uint64_t free = march->ranks[local].cpu_free;
    weft_operation_kind kind = kind_of(what);
    march->spent[kind == WEFT_OPERATION_CALC ? WEFT_SPENT_CALC : WEFT_SPENT_MESSAGES] += takes;
    if (free < march->now) {
        uint64_t idle = march->now - free;
        if (kind == WEFT_OPERATION_RECV && march->came && march->way < idle)
            idle = march->way;
        march->spent[WEFT_SPENT_NETWORK] += idle;
    }
    if (march->log)
        note_run(march, local, what, takes);
}

void weft_march_step(weft_march *march, uint32_t local)
{
    uint32_t stride = weft_ranks_stride(march->repeats), done = march->ranks[local].repetition;
    uint32_t step = done / stride - 1;
    if (done % stride == 0 && step < weft_ranks_steps(march->repeats) &&
        march->now > march->ends[step])
        march->ends[step] = march->now;
}

/* A log has a message as that of its send: twice the operation, + 1 for data. */
void weft_march_note_message(const weft_march *march, uint32_t local, weft_rank_event_kind kind,
                             uint32_t what, weft_ranks_message message)
{
    weft_rank_event event = {.kind = (uint8_t)kind,
                             .time = march->now,
                             .peer = message.source,
                             .number =
                                 message.number / 4 * 8 + (message.number % 4 == WEFT_PHASED_DATA)};
    if (kind != WEFT_RANK_ARRIVAL)
        event.operation = weft_march_instance(march, local, what);
    weft_rank_log_add(march->log, local, event);
}

void weft_march_note_ready(const weft_march *march, uint32_t local, uint32_t what)
{
    weft_rank_event event = {.kind = WEFT_RANK_READY,
                             .time = march->now,
                             .operation = weft_march_instance(march, local, what),
                             .number = march->cause};
    if (march->cause != WEFT_PROGRAM_NONE)
        weft_rank_log_add(march->log, local, event);
}

void weft_march_note_round(const weft_march *march, uint32_t local, uint32_t first, uint32_t end)
{
    const weft_march_rank *rank = &march->ranks[local];
    for (uint32_t k = first; k < end && march->log->events; k++) {
        weft_collective_step step = weft_phased_step(march->schedule, rank->phase, rank->rank, k);
        if (step.to != WEFT_PROGRAM_NONE)
            weft_march_note_ready(march, local, k * 4 + WEFT_MARCH_SEND);
        if (step.from != WEFT_PROGRAM_NONE)
            weft_march_note_ready(march, local, k * 4 + WEFT_MARCH_RECEIVE);
    }
}

void weft_march_note_data(const weft_march *march, uint32_t local, uint32_t what, uint64_t first,
                          uint64_t over)
{
    weft_rank_event event = {.kind = WEFT_RANK_DATA,
                             .time = march->now,
                             .until = over,
                             .operation = weft_march_instance(march, local, what),
                             .size = first};
    weft_rank_log_add(march->log, local, event);
}
