/* SPDX-License-Identifier: Apache-2.0 */
/* All requesting inputs are equally likely. The draw is a pure function of (seed, tick, crossbar,
 * port), so there is no state, and a decision may be repeated or left out. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/round_robin.h"

#define PORT_SHIFT 8 /* a port has 256 blocks of the crossbar's stream to itself in a tick */

static size_t bytes(const void *settings, uint32_t n)
{
    (void)settings, (void)n;
    return 0;
}

static void reset(const void *settings, uint32_t n, void *state)
{
    (void)settings, (void)n, (void)state;
}

static uint32_t draw(const weft_arbiter_input *arbiter_input, uint32_t count)
{
    assert(count > 0);
    const weft_occasion *at = arbiter_input->occasion;
    weft_random random = weft_random_stream(at->seed, at->tick, at->crossbar, WEFT_FOR_ARBITER);
    random.counter[0] = arbiter_input->port << PORT_SHIFT;
    return weft_random_below(&random, count);
}

static uint32_t members(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

static uint32_t pick(const void *settings, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input)
{
    (void)settings, (void)state;
    uint32_t count = 0, w = 0;
    for (uint32_t i = 0; i < (n + 63) / 64; i++)
        count += members(arbiter_input->asking[i]);
    uint32_t skip = count > 1 ? draw(arbiter_input, count) : 0;
    for (; skip >= members(arbiter_input->asking[w]); w++)
        skip -= members(arbiter_input->asking[w]);
    uint64_t left = arbiter_input->asking[w];
    for (; skip; skip--)
        left &= left - 1;
    assert(w * 64 + weft_lowest(left) < n);
    return w * 64 + weft_lowest(left);
}

static void granted(const void *settings, uint32_t n, void *state, uint32_t winner)
{
    (void)settings, (void)state, (void)n, (void)winner;
    assert(winner < n);
}

const weft_arbiter_kind weft_arbiter_random = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arbiter_kind),
             .name = "random",
             .brief = "all that ask are equally likely"},
    .bytes = bytes,
    .reset = reset,
    .pick = pick,
    .granted = granted,
};
