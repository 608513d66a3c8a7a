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

uint64_t weft_collective_bytes(const weft_collective *collective, weft_blocks range)
{
    uint32_t blocks = weft_collective_blocks(collective);
    uint64_t end = (uint64_t)range.first + range.count;
    if (end <= blocks)
        return bytes_before(collective->bytes, blocks, (uint32_t)end) -
               bytes_before(collective->bytes, blocks, range.first);
    return collective->bytes - bytes_before(collective->bytes, blocks, range.first) +
           bytes_before(collective->bytes, blocks, (uint32_t)(end - blocks));
}

weft_collective_step weft_collective_step_of(const weft_collective *collective, uint32_t rank,
                                             uint32_t k)
{
    weft_collective_step step = {.round = k, .to = WEFT_PROGRAM_NONE, .from = WEFT_PROGRAM_NONE};
    collective->kind->step(collective, rank, k, &step);
    if (collective->kind->operation == WEFT_COLLECTIVE_ALL_TO_ALL)
        return step;
    if (step.to != WEFT_PROGRAM_NONE)
        step.send = weft_collective_bytes(collective, step.sent);
    if (step.from != WEFT_PROGRAM_NONE)
        step.receive = weft_collective_bytes(collective, step.received);
    return step;
}
