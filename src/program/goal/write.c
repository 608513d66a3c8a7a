/* SPDX-License-Identifier: Apache-2.0 */
/* A program in GOAL's binary form (binary.c has it). */
#include "program/goal/goal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { MAGIC = 4223, ORIGIN = 8, HEAD = 14, RANGE = 16, OPERATION = 39 };

static char *put(char *at, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        *at++ = (char)(number >> 8 * i);
    return at;
}

/* Operations, and bytes, of a rank's part. */
typedef struct rank_part {
    uint32_t first, count, roots, dependents;
} rank_part;

static uint32_t first_dependent(const weft_program *program, uint32_t operation)
{
    return program->operations[operation].dependents;
}

static rank_part part_of(const weft_program *program, const uint32_t *need, uint32_t rank)
{
    rank_part part = {.first = program->first[rank],
                      .count = program->first[rank + 1] - program->first[rank]};
    part.dependents =
        first_dependent(program, part.first + part.count) - first_dependent(program, part.first);
    for (uint32_t i = 0; i < part.count; i++)
        part.roots += need[part.first + i] == 0;
    return part;
}

static size_t bytes_of(rank_part part)
{
    return 8 + 4 * ((size_t)part.roots + part.dependents) + (size_t)OPERATION * part.count;
}

static char *put_operation(const weft_program *program, rank_part part, uint32_t need,
                           uint32_t number, char *at)
{
    static const uint8_t kinds[] = {
        [WEFT_OPERATION_SEND] = 1, [WEFT_OPERATION_RECV] = 2, [WEFT_OPERATION_CALC] = 3};
    const weft_operation *operation = &program->operations[number];
    uint32_t origin = first_dependent(program, part.first), begin = operation->dependents;
    uint32_t end = operation[1].dependents, ends = begin;
    while (ends < end && !(program->dependents[ends] & WEFT_PROGRAM_ON_START))
        ends++;
    at = put(at, need, 4);
    at = put(at, kinds[operation->kind], 1);
    at = put(at, operation->kind == WEFT_OPERATION_CALC ? 0 : operation->peer, 4);
    at = put(at, weft_operation_size(operation), 8);
    at = put(at, operation->tag, 4);
    at = put(at, operation->cpu, 1);
    at = put(at, operation->nic, 1);
    at = put(at, ends - begin, 4);
    at = put(at, begin - origin, 4);
    at = put(at, end - ends, 4);
    return put(at, ends - origin, 4);
}

static char *put_rank(const weft_program *program, const uint32_t *need, rank_part part, char *at)
{
    at = put(put(at, part.count, 4), part.roots, 4);
    for (uint32_t i = 0; i < part.count; i++)
        if (need[part.first + i] == 0)
            at = put(at, i, 4);
    for (uint32_t i = part.first; i < part.first + part.count; i++)
        at = put_operation(program, part, need[i], i, at);
    uint32_t origin = first_dependent(program, part.first);
    for (uint32_t d = origin; d < origin + part.dependents; d++)
        at = put(at, program->dependents[d] & ~WEFT_PROGRAM_ON_START, 4);
    return at;
}

weft_bytes weft_goal_write(const weft_program *program)
{
    uint32_t *need = weft_alloc(sizeof *need * ((size_t)program->n_operations + 1));
    size_t total = HEAD + (size_t)RANGE * program->n_ranks, place = total - ORIGIN;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        for (uint32_t d = first_dependent(program, program->first[r]);
             d < first_dependent(program, program->first[r + 1]); d++)
            need[program->first[r] + (program->dependents[d] & ~WEFT_PROGRAM_ON_START)]++;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        total += bytes_of(part_of(program, need, r));
    char *data = weft_realloc(NULL, total, 1), *at = put(data, MAGIC, 8);
    at = put(at, program->n_ranks, 4);
    at = put(at, program->n_cpus ? program->n_cpus - 1 : 0, 1);
    at = put(at, program->n_nics ? program->n_nics - 1 : 0, 1);
    for (uint32_t r = 0; r < program->n_ranks; r++) {
        size_t bytes = bytes_of(part_of(program, need, r));
        at = put(put(at, place, 8), place + bytes, 8);
        place += bytes;
    }
    for (uint32_t r = 0; r < program->n_ranks; r++)
        at = put_rank(program, need, part_of(program, need, r), at);
    assert(at == data + total);
    free(need);
    return (weft_bytes){.at = data, .count = total};
}
