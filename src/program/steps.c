/* SPDX-License-Identifier: Apache-2.0 */
/* The first operations of the first ranks, and what each of them waits for. */
#include "base/memory.h"
#include "program/program.h"

#include <stdlib.h>

enum { RANKS_SHOWN = 4, WAITS_SHOWN = 3 };

typedef struct waits { /* of an operation, for the end or the start of others */
    uint32_t on[WAITS_SHOWN], count;
    bool start[WAITS_SHOWN];
} waits;

/* What the first `count` operations of a rank wait for. */
static void find_waits(const weft_program *program, uint32_t rank, uint32_t count, waits *of)
{
    uint32_t first = program->first[rank];
    for (uint32_t i = first; i < program->first[rank + 1]; i++) {
        const weft_operation *earlier = &program->operations[i];
        for (uint32_t d = earlier->dependents; d < earlier[1].dependents; d++) {
            uint32_t later = program->dependents[d] & ~WEFT_PROGRAM_ON_START;
            if (later >= count)
                continue;
            uint32_t n = of[later].count++;
            if (n >= WAITS_SHOWN)
                continue;
            of[later].on[n] = i - first + 1;
            of[later].start[n] = (program->dependents[d] & WEFT_PROGRAM_ON_START) != 0;
        }
    }
}

static void add_operation(const weft_operation *operation, uint32_t number, const waits *its,
                          weft_text *text)
{
    static const char *const kinds[] = {[WEFT_OPERATION_CALC] = "calc",
                                        [WEFT_OPERATION_SEND] = "send to",
                                        [WEFT_OPERATION_RECV] = "recv from"};
    weft_text_add(text, "  %6u  %-9s ", number, kinds[operation->kind]);
    if (operation->kind == WEFT_OPERATION_CALC)
        weft_text_add(text, "%8s", "");
    else if (operation->peer == WEFT_PROGRAM_ANY)
        weft_text_add(text, "%8s", "any");
    else
        weft_text_add(text, "%8u", operation->peer);
    weft_text_add(text, "  %14llu %s", (unsigned long long)weft_operation_size(operation),
                  operation->kind == WEFT_OPERATION_CALC ? "ticks" : "B");
    for (uint32_t i = 0; i < its->count && i < WAITS_SHOWN; i++)
        weft_text_add(text, "%s%s%u", i ? ", " : "  after ", its->start[i] ? "the start of " : "",
                      its->on[i]);
    weft_text_add(text, its->count > WAITS_SHOWN ? ", …\n" : "\n");
}

void weft_program_steps(const weft_program *program, uint32_t steps, weft_text *text)
{
    uint32_t ranks = program->n_ranks < RANKS_SHOWN ? program->n_ranks : RANKS_SHOWN;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t all = program->first[r + 1] - program->first[r], count = all < steps ? all : steps;
        waits *of = weft_alloc(sizeof *of * ((size_t)count + 1));
        find_waits(program, r, count, of);
        weft_text_add(text, "rank %u, %u of %u operations\n", r, count, all);
        for (uint32_t i = 0; i < count; i++)
            add_operation(&program->operations[program->first[r] + i], i + 1, &of[i], text);
        free(of);
    }
}
