/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation of a round depends on all of the round before; where both have several, an empty
 * calculation between them keeps the number of dependencies down. */
#include "program/generate.h"

#include "base/memory.h"
#include "program/build.h"
#include "program/collective.h"

#include <stdlib.h>

#define OPERATIONS_MAX ((uint64_t)1 << 28)

typedef struct round { /* its last operations: what the next one waits for */
    uint32_t *at;
    uint32_t count;
} round;

typedef struct generator {
    const weft_collective *collective;
    uint64_t sum_per_byte;
    weft_program_build build;
    round before, now;
} generator;

static weft_status depend(generator *g, uint32_t later, uint32_t earlier, weft_error *err)
{
    return weft_program_build_depend(&g->build,
                                     (weft_program_edge){.later = later, .earlier = earlier}, err);
}

static weft_status depend_on_round(generator *g, uint32_t operation, weft_error *err)
{
    for (uint32_t i = 0; i < g->before.count; i++)
        WEFT_TRY(depend(g, operation, g->before.at[i], err));
    return WEFT_OK;
}

static weft_status add(generator *g, weft_operation operation, uint64_t size, weft_error *err)
{
    uint32_t number;
    WEFT_TRY(weft_program_build_add(&g->build, operation, size, &number, err));
    WEFT_TRY(depend_on_round(g, number, err));
    g->now.at[g->now.count++] = number;
    return WEFT_OK;
}

/* The sum of what was received last. */
static weft_status add_sum(generator *g, uint64_t bytes, weft_error *err)
{
    uint32_t number, received = g->now.at[g->now.count - 1];
    if (g->sum_per_byte == 0)
        return WEFT_OK;
    WEFT_TRY(weft_program_build_add(&g->build, (weft_operation){.kind = WEFT_OPERATION_CALC},
                                    bytes * g->sum_per_byte, &number, err));
    g->now.at[g->now.count - 1] = number;
    return depend(g, number, received, err);
}

/* The round in hand becomes the one before. */
static weft_status next_round(generator *g, weft_error *err)
{
    round done = g->now;
    g->now = (round){.at = g->before.at};
    g->before = done;
    /* beside other chains it might find the CPU busy */
    if (done.count <= 2 || weft_collective_chains(g->collective) > 1)
        return WEFT_OK;
    uint32_t number;
    WEFT_TRY(weft_program_build_add(&g->build, (weft_operation){.kind = WEFT_OPERATION_CALC}, 0,
                                    &number, err));
    WEFT_TRY(depend_on_round(g, number, err));
    g->before.at[0] = number;
    g->before.count = 1;
    return WEFT_OK;
}

/* The chain that receives a message is its tag: those of others may come in any order. */
static weft_status add_step(generator *g, uint32_t rank, uint32_t k,
                            const weft_collective_step *step, weft_error *err)
{
    if (step->to != WEFT_PROGRAM_NONE)
        WEFT_TRY(
            add(g,
                (weft_operation){.kind = WEFT_OPERATION_SEND,
                                 .peer = step->to,
                                 .tag = weft_collective_chain_to(g->collective, rank, k, step)},
                step->send, err));
    if (step->from == WEFT_PROGRAM_NONE)
        return WEFT_OK;
    WEFT_TRY(add(
        g, (weft_operation){.kind = WEFT_OPERATION_RECV, .peer = step->from, .tag = step->chain},
        step->receive, err));
    return step->sums ? add_sum(g, step->receive, err) : WEFT_OK;
}

static weft_status add_chain(generator *g, uint32_t rank, uint32_t first, uint32_t end,
                             weft_error *err)
{
    uint32_t last = 0;
    g->before.count = g->now.count = 0;
    for (uint32_t k = first; k < end; k++) {
        weft_collective_step step = weft_collective_step_of(g->collective, rank, k);
        if (step.round != last)
            WEFT_TRY(next_round(g, err));
        last = step.round;
        WEFT_TRY(add_step(g, rank, k, &step, err));
    }
    return WEFT_OK;
}

static weft_status add_rank(generator *g, uint32_t rank, weft_error *err)
{
    for (uint32_t c = 0; c < weft_collective_chains(g->collective); c++)
        WEFT_TRY(add_chain(g, rank, weft_collective_chain_first(g->collective, rank, c),
                           weft_collective_chain_first(g->collective, rank, c + 1), err));
    return weft_program_build_rank(&g->build, err);
}

static weft_status add_ranks(generator *g, weft_program *program, weft_error *err)
{
    for (uint32_t rank = 0; rank < g->collective->ranks; rank++)
        WEFT_TRY(add_rank(g, rank, err));
    return weft_program_build_finish(&g->build, program, err);
}

static weft_status check(const weft_collective *collective, weft_error *err)
{
    const weft_collective_kind *kind = collective->kind;
    uint32_t ranks = collective->ranks;
    uint64_t operations = 0;
    WEFT_TRY(weft_collective_check(collective, err));
    for (uint32_t r = 0; r < ranks && operations <= OPERATIONS_MAX; r++)
        operations += 3 * (uint64_t)kind->steps(collective, r);
    if (operations > OPERATIONS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s %s on %u ranks has too many operations for a replay: some %llu",
                         weft_collective_operation_name(kind->operation), kind->algorithm, ranks,
                         (unsigned long long)kind->steps(collective, 0) * 2 * ranks);
    return WEFT_OK;
}

weft_status weft_generate(const weft_collective *collective, uint64_t sum_per_byte,
                          weft_program *program, weft_error *err)
{
    generator g = {.collective = collective, .sum_per_byte = sum_per_byte};
    WEFT_TRY(check(collective, err));
    size_t most = 4 * (size_t)collective->ranks + 4; /* of a round */
    g.before.at = weft_realloc(NULL, most, sizeof *g.before.at);
    g.now.at = weft_realloc(NULL, most, sizeof *g.now.at);
    weft_program_build_init(&g.build, weft_collective_operation_name(collective->kind->operation),
                            collective->ranks);
    weft_status status = add_ranks(&g, program, err);
    weft_program_build_done(&g.build);
    free(g.before.at);
    free(g.now.at);
    return status;
}
