/* SPDX-License-Identifier: Apache-2.0 */
/* Start-time fair queueing: every grant of input i advances its tag by 1 / weight; the least tag is
 * granted, the lowest number on ties. A tag behind the last winner's counts as the winner's, so
 * that idle inputs earn no credit. Inputs that always request are served in proportion to their
 * weights. The state is, per input, the lead of its tag over the last winner's: never more than its
 * own 1 / weight, so nothing overflows.
 * P. Goyal, H. M. Vin, H. Cheng, Start-time fair queueing, SIGCOMM 1996. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/round_robin.h"

#define TURN       1396755360u /* step of a tag at weight 1; weights 1 … 20 divide it */
#define WEIGHT_MAX 65535       /* its step is right within 3e-5 */

typedef struct settings {
    weft_ints weights;
} settings;

static const weft_param params[] = {
    {.name = "weights",
     .brief = "shares of candidates 0, 1, …; the list is repeated for the others",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, weights),
     .min = 1,
     .max = WEIGHT_MAX},
    {.name = NULL},
};

static size_t bytes(const void *given, uint32_t n)
{
    (void)given;
    return n * sizeof(uint32_t);
}

static void reset(const void *given, uint32_t n, void *state)
{
    (void)given;
    uint32_t *ahead = state;
    for (uint32_t i = 0; i < n; i++)
        ahead[i] = 0;
}

static uint32_t pick(const void *given, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input)
{
    (void)given;
    const uint32_t *ahead = state;
    uint32_t best = n;
    for (uint32_t w = 0; w < (n + 63) / 64; w++)
        for (uint64_t left = arbiter_input->asking[w]; left; left &= left - 1) {
            uint32_t candidate = w * 64 + weft_lowest(left);
            if (best == n || ahead[candidate] < ahead[best])
                best = candidate;
        }
    assert(best < n);
    return best;
}

static void granted(const void *given, uint32_t n, void *state, uint32_t winner)
{
    const weft_ints *weights = &((const settings *)given)->weights;
    assert(winner < n && weights->count > 0);
    uint32_t weight = (uint32_t)weights->at[winner % (uint32_t)weights->count];
    uint32_t *ahead = state, step = ahead[winner];
    for (uint32_t i = 0; i < n; i++)
        ahead[i] = ahead[i] > step ? ahead[i] - step : 0;
    ahead[winner] = (TURN + weight / 2) / weight;
}

const weft_arbiter_kind weft_arbiter_weighted = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arbiter_kind),
             .name = "weighted",
             .brief = "those that keep asking share as their weights",
             .params = params,
             .settings_size = sizeof(settings)},
    .bytes = bytes,
    .reset = reset,
    .pick = pick,
    .granted = granted,
};
