/* SPDX-License-Identifier: Apache-2.0 */
/* A fixed order: inputs listed by `order`, as listed, then the others, lowest number first. Inputs
 * late in the order may starve. There is no state. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/round_robin.h"

typedef struct settings {
    weft_ints order;
} settings;

static const weft_param params[] = {
    {.name = "order",
     .brief = "candidates that go first, by number; then the others, lowest number first",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, order),
     .fallback = "none",
     .min = 0,
     .max = WEFT_CANDIDATES_MAX - 1},
    {.name = NULL},
};

static weft_status check(const void *given, uint32_t n, weft_error *err)
{
    const weft_ints *order = &((const settings *)given)->order;
    for (int32_t i = 0; i < order->count; i++) {
        if (order->at[i] < 0 || (uint32_t)order->at[i] >= n)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "arbiter priority: order must name candidates 0 … %u, found %d", n - 1,
                             order->at[i]);
        for (int32_t j = 0; j < i; j++)
            if (order->at[j] == order->at[i])
                return weft_fail(
                    err, WEFT_BAD_INPUT,
                    "arbiter priority: order must name a candidate once, found %d twice",
                    order->at[i]);
    }
    return WEFT_OK;
}

static size_t bytes(const void *given, uint32_t n)
{
    (void)given, (void)n;
    return 0;
}

static void reset(const void *given, uint32_t n, void *state)
{
    (void)given, (void)n, (void)state;
}

static uint32_t pick(const void *given, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input)
{
    (void)state;
    const weft_ints *order = &((const settings *)given)->order;
    for (int32_t i = 0; i < order->count; i++) {
        uint32_t candidate = (uint32_t)order->at[i];
        assert(candidate < n);
        if (arbiter_input->asking[candidate / 64] & weft_bit(candidate % 64))
            return candidate;
    }
    return weft_round_robin_wide(arbiter_input->asking, (n + 63) / 64, 0);
}

static void granted(const void *given, uint32_t n, void *state, uint32_t winner)
{
    (void)given, (void)state, (void)n, (void)winner;
    assert(winner < n);
}

const weft_arbiter_kind weft_arbiter_priority = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arbiter_kind),
             .name = "priority",
             .brief = "always the same order; the last may starve",
             .params = params,
             .settings_size = sizeof(settings)},
    .check = check,
    .bytes = bytes,
    .reset = reset,
    .pick = pick,
    .granted = granted,
};
