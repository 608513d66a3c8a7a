/* SPDX-License-Identifier: Apache-2.0 */
/* Which operation of a rank a message is for. Of a divided program the other rank's operations are
 * not here; the messages that can come to a rank are found by who sends them and their number. */
#include "base/memory.h"
#include "program/ranks.h"

#include <stdlib.h>

/* The partner of a message: who, and its number there. */
static uint64_t key_of(const weft_operation *operation)
{
    return (uint64_t)operation->peer << 32 | operation->tag;
}

static int by_key(const void *a, const void *b, void *operations)
{
    uint64_t x = key_of((const weft_operation *)operations + *(const uint32_t *)a);
    uint64_t y = key_of((const weft_operation *)operations + *(const uint32_t *)b);
    return x < y ? -1 : x > y;
}

static bool comes_back(const weft_ranks *ranks, uint32_t operation)
{
    uint8_t kind = ranks->program->operations[operation].kind;
    return kind == WEFT_OPERATION_RECV ||
           (kind == WEFT_OPERATION_SEND && weft_ranks_asks(ranks, operation));
}

void weft_ranks_know(weft_ranks *ranks)
{
    const weft_program *program = ranks->program;
    uint32_t count = 0;
    for (uint32_t i = 0; i < ranks->count; i++) {
        uint32_t first = program->at[ranks->rank[i]];
        for (uint32_t k = 0; k < weft_ranks_operations(program, ranks->rank[i]); k++)
            count += comes_back(ranks, first + k);
    }
    ranks->known_first = weft_alloc(sizeof *ranks->known_first * ((size_t)ranks->count + 1));
    ranks->known = weft_realloc(NULL, (size_t)count + 1, sizeof *ranks->known);
    count = 0;
    for (uint32_t i = 0; i < ranks->count; i++) {
        uint32_t first = program->at[ranks->rank[i]], *known = ranks->known + count;
        for (uint32_t k = 0; k < weft_ranks_operations(program, ranks->rank[i]); k++)
            if (comes_back(ranks, first + k))
                ranks->known[count++] = k;
        ranks->known_first[i + 1] = count;
        qsort_r(known, count - ranks->known_first[i], sizeof *known, by_key,
                program->operations + first);
    }
}

uint32_t weft_ranks_known(const weft_ranks *ranks, uint32_t local, weft_ranks_message message)
{
    const weft_program *program = ranks->program;
    uint32_t first = program->at[ranks->rank[local]];
    uint32_t low = ranks->known_first[local], high = ranks->known_first[local + 1];
    uint32_t number = message.number / 2 % weft_ranks_operations(program, message.source);
    uint64_t key = (uint64_t)message.source << 32 | number;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, operation = first + ranks->known[middle];
        uint64_t found = key_of(&program->operations[operation]);
        if (found == key)
            return operation;
        if (found < key)
            low = middle + 1;
        else
            high = middle;
    }
    return WEFT_PROGRAM_NONE;
}

uint32_t weft_ranks_sized(const weft_ranks *ranks, uint32_t local, weft_ranks_message message,
                          uint32_t *send)
{
    const weft_program *program = ranks->program;
    uint32_t found = program->divided ? weft_ranks_known(ranks, local, message)
                                      : weft_ranks_operation(program, message);
    *send = WEFT_PROGRAM_NONE;
    if (found == WEFT_PROGRAM_NONE)
        return found; /* of a checkpoint that is damaged */
    bool receive = program->operations[found].kind == WEFT_OPERATION_RECV;
    if (program->divided && !receive)
        *send = found;
    else if (!program->divided && receive)
        *send = program->partners[found];
    return found;
}
