/* SPDX-License-Identifier: Apache-2.0 */
#include "program/format/common/transfers.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { CLOCK = 1 }; /* the CPU that waits */

void weft_transfers_done(weft_transfers *list)
{
    free(list->at);
    *list = (weft_transfers){0};
}

void weft_transfers_add(weft_transfers *list, weft_transfer flow)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->at = weft_realloc(list->at, list->room, sizeof *list->at);
    }
    flow.order = (uint32_t)list->count;
    list->at[list->count++] = flow;
}

static int by_start(const void *a, const void *b)
{
    const weft_transfer *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

typedef struct clock { /* of a source */
    uint64_t now;
    uint32_t operation; /* that ends then */
} clock;

/* The operation that ends at a tick; WEFT_PROGRAM_NONE: tick 0. */
static weft_status advance(clock *its, uint32_t rank, uint64_t to, weft_loose *loose,
                           weft_error *err)
{
    weft_loose_operation wait = {
        .kind = WEFT_OPERATION_CALC, .rank = rank, .size = to - its->now, .cpu = CLOCK};
    uint32_t before = its->operation;
    if (to == its->now)
        return WEFT_OK;
    its->now = to;
    WEFT_TRY(weft_loose_add(loose, wait, &its->operation, err));
    return before == WEFT_PROGRAM_NONE ? WEFT_OK
                                       : weft_loose_depend(loose, its->operation, before, err);
}

static weft_status expand(weft_transfer *flow, clock *its, weft_loose *loose, weft_error *err)
{
    weft_loose_operation send = {.kind = WEFT_OPERATION_SEND,
                                 .rank = flow->source,
                                 .peer = flow->destination,
                                 .size = flow->bytes};
    weft_loose_operation receive = {.kind = WEFT_OPERATION_RECV,
                                    .rank = flow->destination,
                                    .peer = flow->source,
                                    .size = flow->bytes};
    WEFT_TRY(advance(its, flow->source, flow->start, loose, err));
    WEFT_TRY(weft_loose_add(loose, send, &flow->send, err));
    WEFT_TRY(weft_loose_add(loose, receive, &flow->receive, err));
    return its->operation == WEFT_PROGRAM_NONE
               ? WEFT_OK
               : weft_loose_depend(loose, flow->send, its->operation, err);
}

weft_status weft_transfers_expand(weft_transfers *list, uint32_t n_hosts, weft_loose *loose,
                                  weft_error *err)
{
    clock *clocks = weft_realloc(NULL, n_hosts, sizeof *clocks);
    weft_status status = WEFT_OK;
    for (uint32_t h = 0; h < n_hosts; h++)
        clocks[h] = (clock){.operation = WEFT_PROGRAM_NONE};
    if (list->count > 0)
        qsort(list->at, list->count, sizeof *list->at, by_start);
    for (size_t i = 0; i < list->count && status == WEFT_OK; i++)
        status = expand(&list->at[i], &clocks[list->at[i].source], loose, err);
    free(clocks);
    return status;
}

weft_status weft_transfers_host(const weft_format_lines *lines, weft_format_word word,
                                uint32_t most, uint32_t *host, weft_error *err)
{
    char wanted[64];
    uint64_t number;
    if (!weft_format_word_whole(word, most, &number)) {
        (void)snprintf(wanted, sizeof wanted, "a host, 0 to %u", most);
        return weft_format_lines_fail(lines, wanted, word, err);
    }
    *host = (uint32_t)number;
    return WEFT_OK;
}
