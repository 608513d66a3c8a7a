/* SPDX-License-Identifier: Apache-2.0 */
/* DCQCN (Zhu et al., SIGCOMM 2015), the source's part. A notification (CNP) makes the rate the
 * target and lowers the rate by α / 2, where α estimates how often notifications come: it grows by
 * g with each, and falls by the factor 1 − g in every period of a timer without one. A second timer
 * and a counter of bytes raise the rate: F times each halfway to the target (fast recovery), then
 * the target grows by a constant step as well (additive increase); once both have counted more than
 * F, by i times a greater step, where i counts on from there with the slower of the two (hyper
 * increase, as in QCN). A notification starts all of it anew. */
#include "net/traffic/response/common/convert.h"

typedef struct settings {
    double g;
    weft_duration apart, alpha_timer, timer;
    weft_size bytes;
    int64_t fast;
    weft_rate additive, hyper;
} settings;

enum { TARGET, ALPHA };      /* values */
enum { INCREASE, DECAY };    /* timers */
enum { BY_TIMER, BY_BYTES }; /* counts since the last notification */
enum { ADDITIVE, HYPER };    /* steps */
#define COUNT_MAX (1u << 30) /* counts stay there */
#define REACHED   (1 - 1e-9) /* so near to the greatest rate a flow is at it */

#define TIME_PARAM(label, text, member, other)                                         \
    {                                                                                  \
        .name = label, .brief = text, .type = WEFT_PARAM_DURATION,                     \
        .offset = offsetof(settings, member), .fallback = other, .min = 1, .max = 1e15 \
    }

static const weft_param params[] = {
    {.name = "g",
     .brief = "weight of a notification in the estimate α of congestion",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, g),
     .fallback = "0.00390625",
     .min = 1e-6,
     .max = 1},
    TIME_PARAM("notification-interval",
               "a receiver sends a flow no more than one notification in this time", apart,
               "50 us"),
    TIME_PARAM("alpha-timer", "α falls after so long without a notification", alpha_timer, "55 us"),
    TIME_PARAM("timer", "the rate is raised after each of these times", timer, "55 us"),
    {.name = "bytes",
     .brief = "and after so much has been sent",
     .type = WEFT_PARAM_SIZE,
     .offset = offsetof(settings, bytes),
     .fallback = "10 MB",
     .min = 1,
     .max = 1e15},
    {.name = "fast",
     .brief = "F: times that the timer, and that bytes, only halve the way to the target",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, fast),
     .fallback = "5",
     .min = 0,
     .max = 1000},
    {.name = "additive",
     .brief = "then the target grows by so much each time",
     .type = WEFT_PARAM_RATE,
     .offset = offsetof(settings, additive),
     .fallback = "40 Mb/s"},
    {.name = "hyper",
     .brief = "and by 1, 2, 3 … times this once timer and bytes are both past `fast`",
     .type = WEFT_PARAM_RATE,
     .offset = offsetof(settings, hyper),
     .fallback = "400 Mb/s"},
    {.name = NULL},
};

static weft_status prepare(const weft_response *response, const weft_response_units *units,
                           weft_response_constants *constants, weft_error *err)
{
    const settings *set = response->settings;
    WEFT_TRY(weft_convert_time(units, "notification-interval", set->apart, &constants->apart, err));
    WEFT_TRY(weft_convert_time(units, "timer", set->timer, &constants->period[INCREASE], err));
    WEFT_TRY(
        weft_convert_time(units, "alpha-timer", set->alpha_timer, &constants->period[DECAY], err));
    WEFT_TRY(weft_convert_rate(units, "additive", set->additive, &constants->step[ADDITIVE], err));
    WEFT_TRY(weft_convert_rate(units, "hyper", set->hyper, &constants->step[HYPER], err));
    constants->flits = weft_convert_size(units, set->bytes);
    return WEFT_OK;
}

/* At the greatest rate, as flows start. */
static void begin(const weft_response *response, double phase, weft_reaction_state *flow)
{
    (void)phase; /* a notification sets the timers */
    *flow = (weft_reaction_state){
        .rate = response->max,
        .value = {response->max, 1},
        .timer = {response->constants->period[INCREASE], response->constants->period[DECAY]}};
}

static double power(double base, uint64_t exponent)
{
    double result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

/* The timer, or the counter of bytes, has come round. */
static void increase(const weft_response *response, weft_reaction_state *flow, int by)
{
    uint32_t fast = (uint32_t)((const settings *)response->settings)->fast;
    flow->count[by] += flow->count[by] < COUNT_MAX;
    const uint32_t *count = flow->count;
    uint32_t less = count[0] < count[1] ? count[0] : count[1];
    uint32_t more = count[0] < count[1] ? count[1] : count[0];
    if (less > fast)
        flow->value[TARGET] += (less - fast) * response->constants->step[HYPER];
    else if (more > fast)
        flow->value[TARGET] += response->constants->step[ADDITIVE];
    if (flow->value[TARGET] > response->max)
        flow->value[TARGET] = response->max;
    flow->rate = (flow->rate + flow->value[TARGET]) / 2;
    if (flow->rate > REACHED * response->max)
        flow->rate = response->max;
}

/* Expiries of a timer up to now; it is set to the one after them. */
static uint64_t expire(const weft_response *response, weft_reaction_state *flow, int timer,
                       weft_time now)
{
    if (flow->timer[timer] > now)
        return 0;
    uint64_t times =
        (uint64_t)((now - flow->timer[timer]) / response->constants->period[timer]) + 1;
    flow->timer[timer] += (weft_time)times * response->constants->period[timer];
    return times;
}

static void advance(const weft_response *response, weft_reaction_state *flow, weft_time now)
{
    const settings *set = response->settings;
    uint64_t decays = expire(response, flow, DECAY, now);
    if (decays)
        flow->value[ALPHA] *= power(1 - set->g, decays);
    uint64_t left = expire(response, flow, INCREASE, now);
    for (; left > 0 && flow->rate < response->max; left--)
        increase(response, flow, BY_TIMER);
    flow->count[BY_TIMER] = left < COUNT_MAX - flow->count[BY_TIMER]
                                ? flow->count[BY_TIMER] + (uint32_t)left
                                : COUNT_MAX;
}

static weft_time next(const weft_response *response, const weft_reaction_state *flow)
{
    return flow->rate < response->max ? flow->timer[INCREASE] : INT64_MAX;
}

static void notify(const weft_response *response, weft_reaction_state *flow, weft_time now)
{
    const settings *set = response->settings;
    double alpha = flow->value[ALPHA];
    flow->value[TARGET] = flow->rate;
    flow->rate *= 1 - alpha / 2;
    if (flow->rate < response->min)
        flow->rate = response->min;
    flow->value[ALPHA] = (1 - set->g) * alpha + set->g;
    for (int t = 0; t < WEFT_RESPONSE_TIMERS; t++)
        flow->timer[t] = now + response->constants->period[t];
    flow->count[BY_TIMER] = flow->count[BY_BYTES] = 0;
    flow->flits = 0;
}

static void send(const weft_response *response, weft_reaction_state *flow, uint32_t flits)
{
    flow->flits += flits;
    for (; flow->flits >= response->constants->flits; flow->flits -= response->constants->flits)
        increase(response, flow, BY_BYTES);
}

static uint32_t most(const weft_response *response)
{
    (void)response;
    return COUNT_MAX;
}

static const weft_reaction reaction = {.prepare = prepare,
                                       .begin = begin,
                                       .advance = advance,
                                       .next = next,
                                       .notify = notify,
                                       .send = send,
                                       .most = most};

const weft_response_kind weft_response_dcqcn = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_response_kind),
             .name = "dcqcn",
             .brief = "DCQCN: notifications lower the rate, a timer and bytes sent raise it",
             .params = params,
             .settings_size = sizeof(settings)},
    .reaction = &reaction,
};
