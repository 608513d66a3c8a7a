/* SPDX-License-Identifier: Apache-2.0 */
/* Grants the first requesting input from a pointer on, which then moves one past the winner: a
 * persistent request is granted within n grants. The state is the pointer, one byte if it fits. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/round_robin.h"

#define SMALL_MAX 256 /* candidates with a pointer of one byte */

static uint32_t pointer(uint32_t n, const void *state)
{
    return n <= SMALL_MAX ? *(const uint8_t *)state : *(const uint16_t *)state;
}

static size_t bytes(const void *settings, uint32_t n)
{
    (void)settings;
    assert(n > 0 && n <= WEFT_CANDIDATES_MAX);
    return n <= SMALL_MAX ? sizeof(uint8_t) : sizeof(uint16_t);
}

static void point(uint32_t n, void *state, uint32_t to)
{
    assert(to < n);
    if (n <= SMALL_MAX)
        *(uint8_t *)state = (uint8_t)to;
    else
        *(uint16_t *)state = (uint16_t)to;
}

static void reset(const void *settings, uint32_t n, void *state)
{
    (void)settings;
    point(n, state, 0);
}

static uint32_t pick(const void *settings, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input)
{
    (void)settings;
    uint32_t from = pointer(n, state);
    return n <= 64 ? weft_round_robin(*arbiter_input->asking, from)
                   : weft_round_robin_wide(arbiter_input->asking, (n + 63) / 64, from);
}

static void granted(const void *settings, uint32_t n, void *state, uint32_t winner)
{
    (void)settings;
    point(n, state, weft_past(winner, n));
}

static bool sound(const void *settings, uint32_t n, const void *state)
{
    (void)settings;
    return pointer(n, state) < n;
}

const weft_arbiter_kind weft_arbiter_round_robin = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arbiter_kind),
             .name = "round-robin",
             .brief = "the first one after the last winner"},
    .bytes = bytes,
    .reset = reset,
    .pick = pick,
    .granted = granted,
    .sound = sound,
};
