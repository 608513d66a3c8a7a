/* SPDX-License-Identifier: Apache-2.0 */
/* Grants the oldest packet, the lowest number on ties. Ages come with the arbiter input; there is
 * no state. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/round_robin.h"

static size_t bytes(const void *settings, uint32_t n)
{
    (void)settings, (void)n;
    return 0;
}

static void reset(const void *settings, uint32_t n, void *state)
{
    (void)settings, (void)n, (void)state;
}

static uint32_t pick(const void *settings, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input)
{
    (void)settings, (void)state;
    assert(arbiter_input->age);
    uint32_t best = n, oldest = 0;
    for (uint32_t w = 0; w < (n + 63) / 64; w++)
        for (uint64_t left = arbiter_input->asking[w]; left; left &= left - 1) {
            uint32_t candidate = w * 64 + weft_lowest(left);
            if (best == n || arbiter_input->age[candidate] > oldest) {
                best = candidate;
                oldest = arbiter_input->age[candidate];
            }
        }
    assert(best < n);
    return best;
}

static void granted(const void *settings, uint32_t n, void *state, uint32_t winner)
{
    (void)settings, (void)state, (void)n, (void)winner;
    assert(winner < n);
}

const weft_arbiter_kind weft_arbiter_age = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arbiter_kind),
             .name = "age",
             .brief = "the oldest packet, the lowest number on ties"},
    .ages = true,
    .bytes = bytes,
    .reset = reset,
    .pick = pick,
    .granted = granted,
};
