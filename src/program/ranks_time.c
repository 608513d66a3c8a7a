/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of ranks goes, and when their repetitions end. */
#include "program/ranks.h"

uint32_t weft_ranks_stride(uint32_t repeats)
{
    return repeats / WEFT_STEPS_MAX + (repeats % WEFT_STEPS_MAX > 0);
}

uint32_t weft_ranks_steps(uint32_t repeats)
{
    return repeats > 0 ? repeats / weft_ranks_stride(repeats) : 0;
}

/* An idle CPU that goes on with a message which has come now has waited for its sender first, and
 * then for the network. Whatever else it goes on with had to wait for a NIC or for an answer. */
static uint64_t network_part(const weft_ranks *ranks, uint32_t local,
                             const weft_operation *operation, uint64_t idle)
{
    if (operation->kind != WEFT_OPERATION_RECV || ranks->came[local] != ranks->now)
        return idle;
    return idle < ranks->way[local] ? idle : ranks->way[local];
}

void weft_ranks_spend(weft_ranks *ranks, uint32_t local, const weft_operation *operation,
                      uint64_t free, uint64_t takes)
{
    uint64_t *spent = &ranks->spent[(size_t)local * WEFT_SPENT_KINDS];
    spent[operation->kind == WEFT_OPERATION_CALC ? WEFT_SPENT_CALC : WEFT_SPENT_MESSAGES] += takes;
    if (free < ranks->now)
        spent[WEFT_SPENT_NETWORK] += network_part(ranks, local, operation, ranks->now - free);
}

void weft_ranks_step(weft_ranks *ranks, uint32_t local)
{
    uint32_t stride = weft_ranks_stride(ranks->repeats), done = ranks->repetition[local];
    uint32_t step = done / stride - 1;
    if (done % stride == 0 && step < weft_ranks_steps(ranks->repeats) &&
        ranks->now > ranks->ends[step])
        ranks->ends[step] = ranks->now;
}
