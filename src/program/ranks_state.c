/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "program/ranks.h"

#include <stdlib.h>
#include <string.h>

static void number(weft_ranks *ranks, const uint32_t *rank)
{
    const weft_program *program = ranks->program;
    uint32_t total = 0;
    for (uint32_t i = 0; i < ranks->count; i++) {
        ranks->rank[i] = rank ? rank[i] : i;
        ranks->base[i] = total;
        total += weft_ranks_operations(program, ranks->rank[i]);
    }
    ranks->base[ranks->count] = total;
}

void weft_ranks_open(weft_ranks *ranks, const uint32_t *rank, uint32_t count)
{
    const weft_program *program = ranks->program;
    size_t n = (size_t)count + 1, nics = n * program->n_nics, cpus = n * program->n_cpus;
    ranks->count = ranks->n_left = count;
    ranks->rank = weft_alloc(n * sizeof *ranks->rank);
    ranks->base = weft_alloc(n * sizeof *ranks->base);
    number(ranks, rank);
    size_t operations = (size_t)ranks->base[count] + 1;
    ranks->finish = weft_alloc(n * sizeof *ranks->finish);
    ranks->armed = weft_alloc(n * sizeof *ranks->armed);
    memset(ranks->armed, 0xff, n * sizeof *ranks->armed);
    ranks->cpu_free = weft_alloc(cpus * sizeof *ranks->cpu_free);
    ranks->send_free = weft_alloc(nics * sizeof *ranks->send_free);
    ranks->ready = weft_alloc(cpus * (1 + (size_t)program->n_nics) * sizeof *ranks->ready);
    ranks->repetition = weft_alloc(n * sizeof *ranks->repetition);
    ranks->left = weft_alloc(n * sizeof *ranks->left);
    ranks->need = weft_alloc(operations * sizeof *ranks->need);
    if (program->divided)
        weft_ranks_know(ranks);
    else
        ranks->held = weft_alloc(operations * sizeof *ranks->held);
    ranks->state = weft_alloc(operations);
    ranks->posted = weft_alloc(n * sizeof *ranks->posted);
    ranks->early = weft_alloc(n * sizeof *ranks->early);
    ranks->answered = weft_alloc(n * sizeof *ranks->answered);
    ranks->ahead = weft_alloc(n * sizeof *ranks->ahead);
    ranks->spent = weft_alloc(n * WEFT_SPENT_KINDS * sizeof *ranks->spent);
    ranks->came = weft_alloc(n * sizeof *ranks->came);
    ranks->way = weft_alloc(n * sizeof *ranks->way);
    ranks->ends = weft_alloc((weft_ranks_steps(ranks->repeats) + 1) * sizeof *ranks->ends);
}

void weft_ranks_close(weft_ranks *ranks)
{
    size_t queues =
        (size_t)ranks->count * ranks->program->n_cpus * (1 + (size_t)ranks->program->n_nics);
    for (size_t i = 0; i < queues; i++)
        weft_heap_done(&ranks->ready[i]);
    for (uint32_t i = 0; i < ranks->count; i++) {
        free(ranks->posted[i].at);
        free(ranks->early[i].at);
        free(ranks->answered[i].at);
        free(ranks->ahead[i].at);
    }
    weft_heap_done(&ranks->agenda);
    free(ranks->rank);
    free(ranks->base);
    free(ranks->finish);
    free(ranks->armed);
    free(ranks->cpu_free);
    free(ranks->send_free);
    free(ranks->ready);
    free(ranks->repetition);
    free(ranks->left);
    free(ranks->need);
    free(ranks->held);
    free(ranks->known_first);
    free(ranks->known);
    free(ranks->state);
    free(ranks->posted);
    free(ranks->early);
    free(ranks->answered);
    free(ranks->ahead);
    free(ranks->spent);
    free(ranks->came);
    free(ranks->way);
    free(ranks->ends);
}

uint64_t weft_ranks_bytes(const weft_program *program, uint32_t rank)
{
    uint64_t operations = weft_ranks_operations(program, rank);
    uint64_t own = (4 + WEFT_SPENT_KINDS) * sizeof(uint64_t) + 4 * sizeof(uint32_t) +
                   4 * sizeof(weft_ranks_list);
    uint64_t cpu = sizeof(uint64_t) + (1 + (uint64_t)program->n_nics) * sizeof(weft_heap);
    return own + cpu * program->n_cpus + sizeof(uint64_t) * program->n_nics +
           operations * (2 * sizeof(uint32_t) + 1); /* need, held or known, state */
}
