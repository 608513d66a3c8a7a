/* SPDX-License-Identifier: Apache-2.0 */
/* A response to congestion marks: what an ACK makes of a rate, how long a flow needs to recover
 * from a marked one, and whether the law meets the three conditions of Santos, Turner & Janakiraman
 * (2003) between its limits:
 *
 *     1  f_inc(f_dec(r)) ≤ r                  no flow is faster after it recovered
 *     2  T(r) does not fall with r            slower flows recover no later: fairness
 *     3  T(r) = 1 / min from f_dec⁻¹(min) on  recovery takes one packet of the slowest flow
 *
 * T is the time from a decrease until the rate is r again, an ACK after every packet. Conditions
 * are looked at on 4,000 rates between the limits, in equal ratios. */
#include "analytic/model.h"
#include "base/numeric.h"
#include "net/traffic/response.h"

typedef struct settings {
    weft_kind_ref law;
    double min, max, rate;
    bool conditions;
} settings;

#define RATE_PARAM(label, text, member, other)                                            \
    {                                                                                     \
        .name = label, .brief = text, .type = WEFT_PARAM_REAL,                            \
        .offset = offsetof(settings, member), .fallback = other, .min = 1e-3, .max = 1e12 \
    }

static const weft_param params[] = {
    {.name = "law",
     .brief = "how a source changes its rate",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, law),
     .fallback = "pipd",
     .family = "response"},
    RATE_PARAM("rate", "rate of the flow, packets per second; none: the maximum", rate, "none"),
    RATE_PARAM("min", "minimum rate, packets per second; none: 1/256 of the maximum", min, "none"),
    RATE_PARAM("max", "maximum rate, packets per second (2,068 bytes at 1 GB/s)", max,
               "483558.99419729206"),
    {.name = "conditions",
     .brief = "give also how far the law meets the three conditions",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, conditions),
     .fallback = "false"},
    {.name = NULL}};

enum { INCREASE, DECREASE, RECOVERY, STEPS, CLIMB, HOLDS, FROM, DROP, LEAST, GREATEST };
static const weft_output outputs[] = {
    {.name = "increase", .unit = "packets/s", .brief = "rate after an ACK that is not marked"},
    {.name = "decrease", .unit = "packets/s", .brief = "rate after a marked ACK"},
    {.name = "recovery",
     .unit = "s",
     .brief = "time from a decrease until the rate is the same again"},
    {.name = "ACKs to max", .unit = "ACKs", .brief = "from the minimum rate"},
    {.name = "time to max", .unit = "s", .brief = "likewise"},
    {.name = "condition 1",
     .unit = "fraction",
     .brief = "of rates: after a decrease and an increase a flow is no faster"},
    {.name = "condition 1 from",
     .unit = "packets/s",
     .brief = "rates above it meet condition 1; below, the minimum cuts the decrease short"},
    {.name = "condition 2",
     .unit = "1/min",
     .brief = "greatest fall of the recovery time with a rising rate (0: fair)"},
    {.name = "condition 3 least",
     .unit = "1/min",
     .brief = "shortest recovery where the minimum does not cut the decrease (1: as wanted)"},
    {.name = "condition 3 greatest", .unit = "1/min", .brief = "longest recovery there"},
    {.name = NULL}};

#define RATES     4000
#define ACKS_MAX  10000000
#define SAME_RATE (1 - 1e-12) /* a rate is reached, but for rounding */

/* The time until the rate has grown to `to`, and the ACKs it takes; −1: it never does, or takes
 * over ACKS_MAX. */
static double climb(const weft_response *law, double from, double to, int64_t *acks)
{
    double time = 0;
    for (*acks = 0; from < to * SAME_RATE; ++*acks) {
        double next = weft_response_increase(law, from);
        if (next <= from || *acks == ACKS_MAX)
            return -1;
        time += 1 / from;
        from = next;
    }
    return time;
}

static double recovery(const weft_response *law, double rate)
{
    int64_t acks;
    return climb(law, weft_response_decrease(law, rate), rate, &acks);
}

typedef struct findings {
    double met, drop, least, greatest;
    bool found; /* some rate is not cut short */
} findings;

static findings look(const weft_response *law)
{
    findings all = {.least = __builtin_inf()};
    double ratio = weft_log(law->max / law->min), highest = 0, from = law->kind->unclipped(law);
    for (int i = 0; i < RATES; i++) {
        double rate = law->min * weft_exp(ratio * i / (RATES - 1));
        double again = weft_response_increase(law, weft_response_decrease(law, rate));
        double time = recovery(law, rate) * law->min;
        all.met += again * SAME_RATE <= rate;
        all.drop = highest - time > all.drop ? highest - time : all.drop;
        highest = time > highest ? time : highest;
        if (rate < from)
            continue;
        all.found = true;
        all.least = time < all.least ? time : all.least;
        all.greatest = time > all.greatest ? time : all.greatest;
    }
    all.met /= RATES;
    return all;
}

static void put_conditions(const weft_response *law, weft_answer *answer)
{
    double from = law->kind->unclipped(law);
    findings all = look(law);
    weft_answer_put(answer, HOLDS, all.met);
    weft_answer_put(answer, FROM, from < law->max ? from : law->max);
    weft_answer_put(answer, DROP, all.drop);
    if (!all.found)
        return;
    weft_answer_put(answer, LEAST, all.least);
    weft_answer_put(answer, GREATEST, all.greatest);
}

static weft_status read(const settings *set, weft_response *law, double *rate, weft_error *err)
{
    *law = (weft_response){.kind = (const weft_response_kind *)(const void *)set->law.kind,
                           .settings = set->law.settings,
                           .max = set->max,
                           .min = set->min == WEFT_NONE_REAL ? set->max / 256 : set->min};
    *rate = set->rate == WEFT_NONE_REAL ? set->max : set->rate;
    if (law->kind->reaction)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "law: %s has timers, and ACKs do not raise its rate: use aimd, fimd or "
                         "pipd, or simulate it (traffic.x.response)",
                         law->kind->base.name);
    if (!(law->min < law->max))
        return weft_fail(err, WEFT_BAD_INPUT, "min must be below max (%.9g packets/s), found %.9g",
                         law->max, law->min);
    if (*rate < law->min * SAME_RATE || *rate * SAME_RATE > law->max)
        return weft_fail(err, WEFT_BAD_INPUT, "rate must be %.9g … %.9g packets/s, found %.9g",
                         law->min, law->max, *rate);
    return law->kind->check ? law->kind->check(law, err) : WEFT_OK;
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    weft_response law;
    double rate;
    int64_t acks;
    WEFT_TRY(read(given, &law, &rate, err));
    weft_answer_put(answer, INCREASE, weft_response_increase(&law, rate));
    weft_answer_put(answer, DECREASE, weft_response_decrease(&law, rate));
    double time = climb(&law, law.min, law.max, &acks);
    if (time < 0) {
        weft_answer_note(answer, "the rate does not grow to the maximum: no recovery");
        return WEFT_OK;
    }
    weft_answer_put(answer, RECOVERY, recovery(&law, rate));
    weft_answer_put(answer, STEPS, (double)acks);
    weft_answer_put(answer, CLIMB, time);
    if (weft_response_decrease(&law, law.max) <= law.min)
        weft_answer_note(answer,
                         "degenerate: a marked ACK takes every rate to the minimum, and the next "
                         "one that is not marked to the maximum");
    if (((const settings *)given)->conditions)
        put_conditions(&law, answer);
    return WEFT_OK;
}

const weft_model_kind weft_model_response = {
    WEFT_MODEL_BASE("response", "a source's response to congestion marks: rates, recovery"),
    .outputs = outputs,
    .evaluate = evaluate,
};
