/* SPDX-License-Identifier: Apache-2.0 */
/* InfiniBand's congestion control (IBTA architecture 1, annex A10), the channel adapter's part.
 * A flow has an index into the congestion control table (CCT). A notification (BECN) raises it by
 * CCTI_Increase, up to CCTI_Limit; a timer that runs on lowers it by one at each expiry, down to
 * CCTI_Min. The entry is the injection rate delay that follows a packet: 14 bits of a multiplier
 * and above them 2 bits of a shift, in packet times × multiplier / 2^shift. After a packet the next
 * one may start 1 + delay packet times later, so the rate is max / (1 + delay). */
#include "base/numeric.h"
#include "net/traffic/response/common/convert.h"

typedef struct settings {
    int64_t increase, limit, min;
    weft_duration timer;
    int table;
    weft_ints entries;
} settings;

enum { LINEAR, EXPONENTIAL };
static const char *const tables[] = {"linear", "exponential", NULL};

#define MULTIPLIER_BITS 14
#define MULTIPLIER_MAX  ((1u << MULTIPLIER_BITS) - 1)
#define ENTRY_MAX       65535
#define LIMIT_MAX       8191 /* 128 blocks of 64 entries */

static const weft_param params[] = {
    {.name = "ccti-increase",
     .brief = "what a notification (BECN) adds to the index into the table",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, increase),
     .fallback = "1",
     .min = 1,
     .max = 255},
    {.name = "ccti-limit",
     .brief = "greatest index",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, limit),
     .fallback = "127",
     .min = 1,
     .max = LIMIT_MAX},
    {.name = "ccti-min",
     .brief = "least index, and that of a flow at its start",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, min),
     .fallback = "0",
     .min = 0,
     .max = LIMIT_MAX},
    {.name = "ccti-timer",
     .brief = "the index falls by one after each of these times; the field of the IBTA counts "
              "1.024 us",
     .type = WEFT_PARAM_DURATION,
     .offset = offsetof(settings, timer),
     .fallback = "153.6 us",
     .min = 1,
     .max = 1e15},
    {.name = "table",
     .brief = "linear: entry i delays by i packet times; exponential: each entry lowers the rate "
              "by the same factor, down to 1 / (ccti-limit + 1)",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, table),
     .fallback = "linear",
     .choices = tables},
    {.name = "entries",
     .brief = "a table of one's own, as switches are given it: multiplier + 16384 × shift, the "
              "entry of index 0 first; none: by `table`",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, entries),
     .fallback = "none",
     .min = 0,
     .max = ENTRY_MAX},
    {.name = NULL},
};

/* An entry for a delay: as many bits behind the point as there is room for. */
static uint32_t encode(double delay)
{
    uint32_t shift = 3;
    while (shift > 0 && delay * (1u << shift) + 0.5 > MULTIPLIER_MAX)
        shift--;
    double multiplier = delay * (1u << shift) + 0.5;
    return (multiplier < MULTIPLIER_MAX ? (uint32_t)multiplier : MULTIPLIER_MAX) |
           shift << MULTIPLIER_BITS;
}

static uint32_t entry_at(const settings *set, uint32_t index)
{
    if (set->entries.count > 0)
        return (uint32_t)set->entries.at[index];
    if (set->table == LINEAR)
        return index;
    double least = 1 + (double)set->limit;
    return encode(weft_exp(weft_log(least) * index / (double)set->limit) - 1);
}

static double rate_at(const weft_response *response, uint32_t index)
{
    uint32_t entry = entry_at(response->settings, index);
    double delay = (double)(entry & MULTIPLIER_MAX) / (double)(1u << (entry >> MULTIPLIER_BITS));
    double rate = response->max / (1 + delay);
    return rate > response->min ? rate : response->min;
}

static weft_status check(const weft_response *response, weft_error *err)
{
    const settings *set = response->settings;
    if (set->min >= set->limit)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "response.ccti-min must be below ccti-limit (%lld), found %lld",
                         (long long)set->limit, (long long)set->min);
    if (set->entries.count > 0 && set->entries.count <= set->limit)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "response.entries must have an entry for every index up to ccti-limit, "
                         "%lld, found %d: give more, or lower ccti-limit",
                         (long long)set->limit + 1, (int)set->entries.count);
    for (int64_t i = 1; i <= set->limit; i++) {
        weft_response free = *response;
        free.min = 0;
        double rate = rate_at(&free, (uint32_t)i);
        if (rate > rate_at(&free, (uint32_t)i - 1))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "response.entries: entry %lld delays less than the one before it: a "
                             "notification would raise the rate",
                             (long long)i);
        if (rate < response->min * (1 - 1e-12))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "min-rate: entry %lld of the congestion control table gives %.6g of "
                             "the greatest rate, below min-rate %.6g: lower min-rate or "
                             "response.ccti-limit",
                             (long long)i, rate / response->max, response->min / response->max);
    }
    return WEFT_OK;
}

static weft_status prepare(const weft_response *response, const weft_response_units *units,
                           weft_response_constants *constants, weft_error *err)
{
    const settings *set = response->settings;
    constants->period[1] = 1; /* it has one timer */
    return weft_convert_time(units, "ccti-timer", set->timer, &constants->period[0], err);
}

static void begin(const weft_response *response, double phase, weft_reaction_state *flow)
{
    uint32_t index = (uint32_t)((const settings *)response->settings)->min;
    *flow = (weft_reaction_state){
        .rate = rate_at(response, index),
        .timer = {1 + (weft_time)(phase * (double)response->constants->period[0])},
        .count = {index}};
}

static void move_to(const weft_response *response, weft_reaction_state *flow, uint32_t index)
{
    if (index == flow->count[0])
        return;
    flow->count[0] = index;
    flow->rate = rate_at(response, index);
}

static void advance(const weft_response *response, weft_reaction_state *flow, weft_time now)
{
    uint32_t least = (uint32_t)((const settings *)response->settings)->min;
    if (flow->timer[0] > now)
        return;
    uint64_t times = (uint64_t)((now - flow->timer[0]) / response->constants->period[0]) + 1;
    uint32_t index = flow->count[0], above = index > least ? index - least : 0;
    flow->timer[0] += (weft_time)times * response->constants->period[0];
    move_to(response, flow, times < above ? index - (uint32_t)times : index - above);
}

static weft_time next(const weft_response *response, const weft_reaction_state *flow)
{
    uint32_t least = (uint32_t)((const settings *)response->settings)->min;
    return flow->count[0] > least ? flow->timer[0] : INT64_MAX;
}

static void notify(const weft_response *response, weft_reaction_state *flow, weft_time now)
{
    (void)now;
    const settings *set = response->settings;
    int64_t index = flow->count[0] + set->increase;
    move_to(response, flow, (uint32_t)(index < set->limit ? index : set->limit));
}

static uint32_t most(const weft_response *response)
{
    return (uint32_t)((const settings *)response->settings)->limit;
}

static const weft_reaction reaction = {.prepare = prepare,
                                       .begin = begin,
                                       .advance = advance,
                                       .next = next,
                                       .notify = notify,
                                       .most = most};

const weft_response_kind weft_response_cca = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "cca",
             .brief = "InfiniBand's: notifications move a flow up a table of delays, a timer down",
             .params = params,
             .settings_size = sizeof(settings)},
    .check = check,
    .reaction = &reaction,
};
