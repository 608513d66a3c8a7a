/* SPDX-License-Identifier: Apache-2.0 */
#include "program/program.h"

#include "base/memory.h"

#include <stdlib.h>

void weft_program_done(weft_program *program)
{
    if (program->at != program->first)
        free(program->at);
    free(program->first);
    free(program->operations);
    free(program->dependents);
    free(program->partners);
    free(program->wild);
    *program = (weft_program){0};
}

void weft_program_trim(weft_program *program, uint32_t n_here)
{
    program->operations =
        weft_realloc(program->operations, (size_t)n_here + 1, sizeof *program->operations);
    program->dependents = weft_realloc(program->dependents, (size_t)program->n_dependents + 1,
                                       sizeof *program->dependents);
}

uint32_t weft_program_rank_of(const weft_program *program, uint32_t operation)
{
    uint32_t low = 0, high = program->n_ranks;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (program->first[middle] <= operation)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void name_peer(const weft_operation *operation, bool tagged, weft_text *text)
{
    const char *way = operation->kind == WEFT_OPERATION_SEND ? "to" : "from";
    if (operation->peer == WEFT_PROGRAM_ANY)
        weft_text_add(text, " from any rank");
    else
        weft_text_add(text, " %s rank %u", way, operation->peer);
    if (tagged && operation->tag == WEFT_PROGRAM_ANY)
        weft_text_add(text, " with any tag");
    else if (tagged)
        weft_text_add(text, " with tag %u", operation->tag);
}

void weft_operation_name(const weft_operation *operation, uint32_t number, uint32_t rank,
                         bool tagged, weft_text *text)
{
    static const char *const kinds[] = {[WEFT_OPERATION_CALC] = "calc",
                                        [WEFT_OPERATION_SEND] = "send",
                                        [WEFT_OPERATION_RECV] = "recv"};
    bool calc = operation->kind == WEFT_OPERATION_CALC;
    weft_text_add(text, "%s %llu%s", kinds[operation->kind],
                  (unsigned long long)weft_operation_size(operation), calc ? "" : " B");
    if (!calc)
        name_peer(operation, tagged, text);
    weft_text_add(text, " (operation %u of rank %u)", number + 1, rank);
}

void weft_program_name(const weft_program *program, uint32_t number, weft_text *text)
{
    uint32_t rank = weft_program_rank_of(program, number);
    weft_operation_name(&program->operations[number], number - program->first[rank], rank, true,
                        text);
}

uint64_t weft_program_bytes(const weft_program *program)
{
    uint64_t ranks = program->n_ranks, operations = 0;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        if (program->at[r] != WEFT_PROGRAM_NONE)
            operations += program->first[r + 1] - program->first[r];
    return operations *
               (sizeof *program->operations + (program->divided ? 0 : sizeof *program->partners)) +
           program->n_dependents * (uint64_t)sizeof *program->dependents +
           ranks * sizeof *program->first * (program->divided ? 2 : 1) + ranks / 8;
}

typedef struct totals {
    uint64_t count[3], size[3], least, most; /* by kind; of messages */
    uint32_t busiest;                        /* operations of the rank with most */
} totals;

static totals add_up(const weft_program *program)
{
    totals sum = {.least = UINT64_MAX};
    for (uint32_t i = 0; i < program->n_operations; i++) {
        const weft_operation *operation = &program->operations[i];
        uint64_t size = weft_operation_size(operation);
        sum.count[operation->kind]++;
        sum.size[operation->kind] += size;
        if (operation->kind != WEFT_OPERATION_SEND)
            continue;
        sum.least = size < sum.least ? size : sum.least;
        sum.most = size > sum.most ? size : sum.most;
    }
    for (uint32_t r = 0; r < program->n_ranks; r++)
        if (program->first[r + 1] - program->first[r] > sum.busiest)
            sum.busiest = program->first[r + 1] - program->first[r];
    return sum;
}

void weft_program_describe(const weft_program *program, weft_text *text)
{
    totals sum = add_up(program);
    uint64_t messages = sum.count[WEFT_OPERATION_SEND];
    uint32_t wild = 0;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        wild += weft_program_wild(program, r);
    weft_text_add(text, "%-22s %u\n", "ranks", program->n_ranks);
    weft_text_add(text, "%-22s %u (at most %u of a rank)\n", "operations", program->n_operations,
                  sum.busiest);
    weft_text_add(text, "%-22s %u\n", "dependencies", program->n_dependents);
    weft_text_add(text, "%-22s %llu\n", "messages", (unsigned long long)messages);
    if (messages > 0)
        weft_text_add(text, "%-22s %llu B to %llu B, %.6g B on average, %llu B in all\n", "sizes",
                      (unsigned long long)sum.least, (unsigned long long)sum.most,
                      (double)sum.size[WEFT_OPERATION_SEND] / (double)messages,
                      (unsigned long long)sum.size[WEFT_OPERATION_SEND]);
    weft_text_add(text, "%-22s %llu of %llu ticks in all\n", "calculations",
                  (unsigned long long)sum.count[WEFT_OPERATION_CALC],
                  (unsigned long long)sum.size[WEFT_OPERATION_CALC]);
    if (program->n_cpus > 1 || program->n_nics > 1)
        weft_text_add(text, "%-22s %u CPUs, %u NICs\n", "of a rank", program->n_cpus,
                      program->n_nics);
    if (wild > 0)
        weft_text_add(text, "%-22s %u ranks receive from any source or with any tag\n", "matching",
                      wild);
}
