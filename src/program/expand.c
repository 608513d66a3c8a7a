/* SPDX-License-Identifier: Apache-2.0 */
#include "program/expand.h"

#include <string.h>

/* Sizes at which MPICH 3 changes its algorithms, bytes (src/mpi/coll of its sources). */
enum {
    ALLREDUCE_SHORT = 2048,
    BROADCAST_SHORT = 12288,
    BROADCAST_RANKS = 8,
    ALLGATHER_LONG = 524288,
    ALLGATHER_SHORT = 81920,
    ALL_TO_ALL_SHORT = 256,
    ALL_TO_ALL_MEDIUM = 32768,
    ALL_TO_ALL_RANKS = 8
};

static const weft_collective_kind *allgather(uint32_t ranks, uint64_t bytes)
{
    bool power = (ranks & (ranks - 1)) == 0;
    if (power && bytes < ALLGATHER_LONG)
        return &weft_collective_allgather_recursive_doubling;
    return bytes <= ALLGATHER_SHORT ? &weft_collective_allgather_bruck
                                    : &weft_collective_allgather_ring;
}

static const weft_collective_kind *all_to_all(uint32_t ranks, uint64_t bytes)
{
    uint64_t block = bytes / ranks;
    if (block < ALL_TO_ALL_SHORT && ranks >= ALL_TO_ALL_RANKS)
        return &weft_collective_all_to_all_bruck;
    return block < ALL_TO_ALL_MEDIUM ? &weft_collective_all_to_all_linear
                                     : &weft_collective_all_to_all_pairwise;
}

static const weft_collective_kind *allreduce(uint32_t ranks, uint64_t bytes)
{
    (void)ranks;
    return bytes < ALLREDUCE_SHORT ? &weft_collective_allreduce_recursive_doubling
                                   : &weft_collective_allreduce_rabenseifner;
}

static const weft_collective_kind *broadcast(uint32_t ranks, uint64_t bytes)
{
    return bytes < BROADCAST_SHORT || ranks < BROADCAST_RANKS
               ? &weft_collective_broadcast_binomial
               : &weft_collective_broadcast_scatter_allgather;
}

static const weft_collective_kind *reduce(uint32_t ranks, uint64_t bytes)
{
    (void)ranks, (void)bytes;
    return &weft_collective_reduce_binomial;
}

static const weft_collective_kind *reduce_scatter(uint32_t ranks, uint64_t bytes)
{
    (void)ranks, (void)bytes;
    return &weft_collective_reduce_scatter_ring;
}

static const weft_collective_kind *gather(uint32_t ranks, uint64_t bytes)
{
    (void)ranks, (void)bytes;
    return &weft_collective_gather_binomial;
}

static const weft_collective_kind *barrier(uint32_t ranks, uint64_t bytes)
{
    (void)ranks, (void)bytes;
    return &weft_collective_barrier_dissemination;
}

const weft_collective_kind *weft_expand_choose(const weft_format_options *options,
                                               weft_collective_operation operation, uint32_t ranks,
                                               uint64_t bytes)
{
    static const weft_collective_kind *(*const choices[WEFT_COLLECTIVE_OPERATIONS])(uint32_t,
                                                                                    uint64_t) = {
        [WEFT_COLLECTIVE_ALLREDUCE] = allreduce, [WEFT_COLLECTIVE_REDUCE_SCATTER] = reduce_scatter,
        [WEFT_COLLECTIVE_ALLGATHER] = allgather, [WEFT_COLLECTIVE_ALL_TO_ALL] = all_to_all,
        [WEFT_COLLECTIVE_BROADCAST] = broadcast, [WEFT_COLLECTIVE_REDUCE] = reduce,
        [WEFT_COLLECTIVE_GATHER] = gather,       [WEFT_COLLECTIVE_BARRIER] = barrier};
    if (options->algorithms[operation])
        return options->algorithms[operation];
    return choices[operation](ranks, bytes);
}

static weft_status check(const weft_expansion *e, uint32_t position, const weft_loose *loose,
                         weft_error *err)
{
    const weft_collective *c = &e->collective;
    const char *operation = weft_collective_operation_name(c->kind->operation);
    if (c->kind->powers && (c->ranks & (c->ranks - 1)))
        return weft_fail(err, WEFT_BAD_INPUT, "%s %s works with 1, 2, 4, 8, … ranks, found %u",
                         operation, c->kind->algorithm, c->ranks);
    unsigned long long steps = c->kind->steps(c, position), all = steps * c->ranks;
    if (all > loose->most)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s %s among %u ranks has some %llu operations, more than %zu", operation,
                         c->kind->algorithm, c->ranks, all, loose->most);
    return WEFT_OK;
}

/* The rank of the program at a position counted from the root. */
static uint32_t member(const weft_expansion *e, uint32_t virtual)
{
    uint32_t position = (uint32_t)(((uint64_t) virtual + e->root) % e->collective.ranks);
    return e->members ? e->members[position] : position;
}

/* Messages of different chains may come in any order: they differ in their tags. */
static uint32_t tag_of(const weft_expansion *e, uint32_t chain)
{
    return e->tag + chain * WEFT_EXPAND_TAGS;
}

/* to_chain: the receiver's chain that takes what is sent. */
static weft_status add_step(const weft_expansion *e, const weft_collective_step *step,
                            uint32_t to_chain, weft_course *course, weft_course *round,
                            weft_loose *loose, weft_error *err)
{
    uint32_t number;
    if (step->to != WEFT_PROGRAM_NONE) {
        weft_loose_operation send = {.kind = WEFT_OPERATION_SEND,
                                     .peer = member(e, step->to),
                                     .tag = tag_of(e, to_chain),
                                     .size = step->send};
        WEFT_TRY(weft_course_beside(course, loose, send, &number, err));
        weft_course_wait(round, number);
    }
    if (step->from != WEFT_PROGRAM_NONE) {
        weft_loose_operation receive = {.kind = WEFT_OPERATION_RECV,
                                        .peer = member(e, step->from),
                                        .tag = tag_of(e, step->chain),
                                        .size = step->receive};
        WEFT_TRY(weft_course_beside(course, loose, receive, &number, err));
        weft_course_wait(round, number);
    }
    return WEFT_OK;
}

static weft_status end_round(weft_course *course, weft_course *round, weft_loose *loose,
                             weft_error *err)
{
    if (round->count == 0)
        return WEFT_OK;
    weft_status status = weft_course_replace(course, loose, round->at, round->count, err);
    round->count = 0;
    return status;
}

static weft_status add_rounds(const weft_expansion *e, uint32_t virtual, uint32_t chain,
                              weft_course *course, weft_course *round, weft_loose *loose,
                              weft_error *err)
{
    const weft_collective *c = &e->collective;
    uint32_t end = weft_collective_chain_first(c, virtual, chain + 1), last = 0;
    for (uint32_t k = weft_collective_chain_first(c, virtual, chain); k < end; k++) {
        weft_collective_step step = weft_collective_step_of(c, virtual, k);
        if (step.round != last)
            WEFT_TRY(end_round(course, round, loose, err));
        last = step.round;
        uint32_t to_chain = weft_collective_chain_to(c, virtual, k, &step);
        WEFT_TRY(add_step(e, &step, to_chain, course, round, loose, err));
    }
    return end_round(course, round, loose, err);
}

static weft_status add_chain(const weft_expansion *e, uint32_t virtual, uint32_t chain,
                             weft_course *course, weft_loose *loose, weft_error *err)
{
    weft_course round = {.rank = course->rank};
    weft_status status = add_rounds(e, virtual, chain, course, &round, loose, err);
    weft_course_done(&round);
    return status;
}

static void wait_for_all(weft_course *course, const weft_course *others)
{
    for (uint32_t i = 0; i < others->count; i++)
        weft_course_wait(course, others->at[i]);
}

/* All chains start where the course is, and it goes on when all have ended. With one segment their
 * rounds have at most two operations, so no empty calculation between rounds finds the CPU busy. */
static weft_status add_chains(const weft_expansion *e, uint32_t virtual, weft_course *course,
                              weft_loose *loose, weft_error *err)
{
    const weft_collective *c = &e->collective;
    weft_course ends = {.rank = course->rank};
    weft_status status = weft_course_join(course, loose, err);
    for (uint32_t i = 0; i < weft_collective_chains(c) && status == WEFT_OK; i++) {
        if (weft_collective_chain_first(c, virtual, i) ==
            weft_collective_chain_first(c, virtual, i + 1))
            continue;
        weft_course own = {.rank = course->rank, .cpu = course->cpu};
        wait_for_all(&own, course);
        status = add_chain(e, virtual, i, &own, loose, err);
        wait_for_all(&ends, &own);
        weft_course_done(&own);
    }
    if (status == WEFT_OK)
        status = end_round(course, &ends, loose, err);
    weft_course_done(&ends);
    return status;
}

weft_status weft_expand(const weft_expansion *expansion, uint32_t position, weft_course *course,
                        weft_loose *loose, weft_error *err)
{
    uint32_t ranks = expansion->collective.ranks;
    uint32_t virtual = (uint32_t)(((uint64_t)position + ranks - expansion->root) % ranks);
    WEFT_TRY(check(expansion, virtual, loose, err));
    return weft_collective_chains(&expansion->collective) == 1
               ? add_chain(expansion, virtual, 0, course, loose, err)
               : add_chains(expansion, virtual, course, loose, err);
}

/* Bytes of the block at a position, as the first ones have one more. */
static uint64_t block_bytes(const weft_collective *c, uint32_t position)
{
    return c->bytes / c->ranks + (position < c->bytes % c->ranks);
}

weft_status weft_expand_scatter(const weft_expansion *expansion, uint32_t position,
                                weft_course *course, weft_loose *loose, weft_error *err)
{
    const weft_collective *c = &expansion->collective;
    weft_course round = {.rank = course->rank};
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < c->ranks && status == WEFT_OK; i++) {
        if (i == expansion->root || (position != expansion->root && position != i))
            continue;
        bool send = position == expansion->root;
        weft_collective_step step = {.to = WEFT_PROGRAM_NONE, .from = WEFT_PROGRAM_NONE};
        *(send ? &step.to : &step.from) =
            (send ? i + c->ranks - expansion->root : 0) % c->ranks; /* counted from the root */
        step.send = step.receive = block_bytes(c, i);
        status = add_step(expansion, &step, 0, course, &round, loose, err);
    }
    if (status == WEFT_OK)
        status = end_round(course, &round, loose, err);
    weft_course_done(&round);
    return status;
}
