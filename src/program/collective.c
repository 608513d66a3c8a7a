/* SPDX-License-Identifier: Apache-2.0 */
#include "program/collective.h"

uint32_t weft_collective_blocks(const weft_collective *collective)
{
    return collective->kind->blocks ? collective->kind->blocks(collective) : collective->ranks;
}

/* Bytes of the blocks 0 … end − 1. */
static uint64_t bytes_before(uint64_t bytes, uint32_t blocks, uint32_t end)
{
    uint64_t longer = bytes % blocks;
    return bytes / blocks * end + (end < longer ? end : longer);
}

static uint64_t bytes_of(uint64_t bytes, uint32_t blocks, weft_blocks range)
{
    uint64_t end = (uint64_t)range.first + range.count;
    if (range.count == blocks)
        return bytes;
    if (end <= blocks)
        return bytes_before(bytes, blocks, (uint32_t)end) -
               bytes_before(bytes, blocks, range.first);
    return bytes - bytes_before(bytes, blocks, range.first) +
           bytes_before(bytes, blocks, (uint32_t)(end - blocks));
}

uint64_t weft_collective_bytes(const weft_collective *collective, weft_blocks range)
{
    return bytes_of(collective->bytes, weft_collective_blocks(collective), range);
}

void weft_collective_step_find(const weft_collective *collective, uint32_t rank, uint32_t k,
                               weft_collective_step *step)
{
    *step = (weft_collective_step){.round = k, .to = WEFT_PROGRAM_NONE, .from = WEFT_PROGRAM_NONE};
    collective->kind->step(collective, rank, k, step);
    if (collective->kind->operation == WEFT_COLLECTIVE_ALL_TO_ALL)
        return;
    uint32_t blocks = weft_collective_blocks(collective);
    if (step->to != WEFT_PROGRAM_NONE)
        step->send = bytes_of(collective->bytes, blocks, step->sent);
    if (step->from != WEFT_PROGRAM_NONE)
        step->receive = bytes_of(collective->bytes, blocks, step->received);
}

weft_collective_step weft_collective_step_of(const weft_collective *collective, uint32_t rank,
                                             uint32_t k)
{
    weft_collective_step step;
    weft_collective_step_find(collective, rank, k, &step);
    return step;
}

uint32_t weft_collective_received_in(const weft_collective *collective, uint32_t rank, uint32_t k)
{
    return collective->kind->received_in ? collective->kind->received_in(collective, rank, k) : k;
}

/* Algorithms whose numbers differ have few steps. */
uint32_t weft_collective_sent_in(const weft_collective *collective, uint32_t rank, uint32_t k,
                                 uint32_t from)
{
    const weft_collective_kind *kind = collective->kind;
    if (!kind->received_in)
        return k;
    uint32_t steps = kind->steps(collective, from);
    for (uint32_t j = 0; j < steps; j++)
        if (weft_collective_step_of(collective, from, j).to == rank &&
            kind->received_in(collective, from, j) == k)
            return j;
    return WEFT_PROGRAM_NONE;
}

uint32_t weft_collective_chain_first(const weft_collective *collective, uint32_t rank,
                                     uint32_t chain)
{
    if (chain == 0)
        return 0;
    if (chain >= weft_collective_chains(collective))
        return collective->kind->steps(collective, rank);
    return collective->kind->chain_first(collective, rank, chain);
}

uint32_t weft_collective_chain_to(const weft_collective *collective, uint32_t rank, uint32_t k,
                                  const weft_collective_step *step)
{
    if (weft_collective_chains(collective) == 1 || step->to == WEFT_PROGRAM_NONE)
        return 0;
    uint32_t receives = weft_collective_received_in(collective, rank, k);
    return weft_collective_step_of(collective, step->to, receives).chain;
}

const char *weft_collective_operation_name(weft_collective_operation operation)
{
    static const char *const names[WEFT_COLLECTIVE_OPERATIONS] = {
        [WEFT_COLLECTIVE_ALLREDUCE] = "allreduce",
        [WEFT_COLLECTIVE_REDUCE_SCATTER] = "reduce-scatter",
        [WEFT_COLLECTIVE_ALLGATHER] = "allgather",
        [WEFT_COLLECTIVE_ALL_TO_ALL] = "all-to-all",
        [WEFT_COLLECTIVE_BROADCAST] = "broadcast",
        [WEFT_COLLECTIVE_REDUCE] = "reduce",
        [WEFT_COLLECTIVE_GATHER] = "gather",
        [WEFT_COLLECTIVE_BARRIER] = "barrier",
        [WEFT_COLLECTIVE_HALO] = "halo"};
    return names[operation];
}

weft_status weft_collective_check(const weft_collective *collective, weft_error *err)
{
    const weft_collective_kind *kind = collective->kind;
    uint32_t ranks = collective->ranks;
    if (ranks == 0 || ranks > WEFT_PROGRAM_RANKS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "ranks are 1 to %u, found %u", WEFT_PROGRAM_RANKS_MAX,
                         ranks);
    if (kind->powers && (ranks & (ranks - 1)))
        return weft_fail(err, WEFT_BAD_INPUT, "%s %s works with 1, 2, 4, 8, … ranks, found %u",
                         weft_collective_operation_name(kind->operation), kind->algorithm, ranks);
    return WEFT_OK;
}
