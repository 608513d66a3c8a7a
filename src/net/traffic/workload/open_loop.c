/* SPDX-License-Identifier: Apache-2.0 */
/* Open-loop traffic: messages are generated whether or not earlier ones have arrived. Every message
 * has one random stream: the gap to the next message first, then length, destination and the draws
 * of the engine. So message i is a pure function of (seed, endpoint, class, i) and of its arrival,
 * and the arrivals alone can be enumerated cheaply. */
#include "net/traffic/common/pattern_endpoints.h"
#include "net/traffic/workload.h"

static weft_random stream(const weft_workload *workload, uint32_t endpoint, uint32_t index,
                          weft_purpose purpose)
{
    return weft_random_stream(workload->seed, index, endpoint,
                              (weft_purpose)((uint32_t)purpose | workload->number << 4));
}

static void close_at_stop(const weft_open_loop *self, weft_cursor *cursor)
{
    if (weft_fine_time_tick(cursor->at) >= self->stop)
        cursor->live = 0;
}

/* From one message of an endpoint to message `index`. Gaps with memory have a stream of their own:
 * they draw as their memory says, and the message must not depend on it. */
__attribute__((noinline)) static weft_fine_time special_gap(const weft_workload *workload,
                                                            uint32_t endpoint, uint64_t index,
                                                            weft_cursor *cursor,
                                                            weft_random *random)
{
    const weft_open_loop *self = workload->self;
    weft_arrival own = self->arrival;
    if (self->weighted)
        own.mean /= weft_pattern_endpoints_weight(&self->pattern, endpoint);
    if (!own.kind->interval_with_memory)
        return own.kind->interval(&own, index, random);
    uint32_t memory = cursor->memory;
    weft_random stream_of_gap = stream(workload, endpoint, (uint32_t)index, WEFT_FOR_PHASE);
    weft_fine_time gap = own.kind->interval_with_memory(&own, index, &memory, &stream_of_gap);
    cursor->memory = memory & WEFT_ARRIVAL_MEMORY_MAX;
    return gap;
}

static weft_fine_time gap_before(const weft_workload *workload, uint32_t endpoint, uint64_t index,
                                 weft_cursor *cursor, weft_random *random)
{
    const weft_open_loop *self = workload->self;
    if (self->plain)
        return self->arrival.kind->interval(&self->arrival, index, random);
    return special_gap(workload, endpoint, index, cursor, random);
}

/* random is the stream of the present message. The first messages of a backlog all wait from the
 * start. */
static void advance(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor,
                    weft_random *random)
{
    weft_fine_time gap =
        gap_before(workload, endpoint, (uint64_t)cursor->index + 1, cursor, random);
    if (++cursor->index >= workload->backlog)
        cursor->at += gap;
    close_at_stop(workload->self, cursor);
}

static weft_cursor first(const weft_workload *workload, uint32_t endpoint)
{
    const weft_open_loop *self = workload->self;
    if (!weft_pattern_endpoints_may_send(&self->pattern, endpoint))
        return (weft_cursor){.at = weft_fine_time_at(self->start)};
    weft_random random = stream(workload, endpoint, 0, WEFT_FOR_MESSAGE);
    uint32_t to = self->pattern.kind->destination(&self->pattern, endpoint, &random);
    weft_cursor cursor = {.at = weft_fine_time_at(self->start), .live = to != WEFT_NOWHERE};
    if (workload->backlog == 0 && cursor.live) {
        random = stream(workload, endpoint, 0, WEFT_FOR_PHASE);
        cursor.at += gap_before(workload, endpoint, 0, &cursor, &random);
    }
    close_at_stop(self, &cursor);
    return cursor;
}

static weft_message next(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor,
                         weft_random *random)
{
    const weft_open_loop *self = workload->self;
    *random = stream(workload, endpoint, cursor->index, WEFT_FOR_MESSAGE);
    advance(workload, endpoint, cursor, random);
    weft_message message;
    message.flits = self->length.kind->flits(&self->length, random);
    message.to = self->pattern.kind->destination(&self->pattern, endpoint, random);
    return message;
}

static void skip(const weft_workload *workload, uint32_t endpoint, weft_cursor *cursor)
{
    weft_random random = stream(workload, endpoint, cursor->index, WEFT_FOR_MESSAGE);
    advance(workload, endpoint, cursor, &random);
}

const weft_workload_kind weft_workload_open_loop = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_workload_kind),
             .name = "open-loop",
             .brief = "pattern × arrival × length, whatever the network does"},
    .first = first,
    .next = next,
    .skip = skip,
};
