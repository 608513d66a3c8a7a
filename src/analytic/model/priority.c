/* SPDX-License-Identifier: Apache-2.0 */
/* M/G/1 with priorities: classes of Poisson arrivals, the first goes first. Non-preemptive
 * (A. Cobham, 1954), or preemptive-resume: a packet that was interrupted goes on later. */
#include "analytic/queueing.h"

typedef struct settings {
    weft_reals lambda, mu, cs2;
    int64_t class;
    double scale;
    int discipline;
} settings;

enum { NON_PREEMPTIVE, PREEMPTIVE_RESUME };
static const char *const disciplines[] = {"non-preemptive", "preemptive-resume", NULL};

static const weft_param params[] = {
    {.name = "lambda",
     .brief = "packets of each class that come, per unit of time; the first class goes first",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, lambda),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "mu",
     .brief = "packets of each class that can be served, per unit of time; one number: of all",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, mu),
     .fallback = "[1]",
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "cs2",
     .brief = "squared coefficients of variation of the service times; one number: of all",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, cs2),
     .fallback = "[1]",
     .min = 0,
     .max = WEFT_QUEUEING_SCV_MAX},
    {.name = "discipline",
     .brief = "whether a packet interrupts one of a lower class",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, discipline),
     .fallback = "non-preemptive",
     .choices = disciplines},
    {.name = "class",
     .brief = "the class whose latency and wait are given; none: all packets, and each class",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, class),
     .fallback = "none",
     .min = 1,
     .max = WEFT_INTS_MAX},
    {.name = "scale",
     .brief = "factor on everything that comes, for curves",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scale),
     .fallback = "1",
     .min = 1e-9,
     .max = 1e9},
    {.name = NULL}};

enum { LATENCY, WAIT, PACKETS, UTILISATION, CLASS_LATENCY, CLASS_WAIT, CLASS_PACKETS };
static const weft_output outputs[] = {
    {.name = "latency", .unit = "time units", .brief = "mean time in the system"},
    {.name = "wait", .unit = "time units", .brief = "mean time there without being served"},
    {.name = "packets", .unit = "packets", .brief = "mean number in the system, of all classes"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time the server is busy"},
    {.name = "class latency", .unit = "time units", .by = "class", .brief = "of one class"},
    {.name = "class wait", .unit = "time units", .by = "class", .brief = "of one class"},
    {.name = "class packets", .unit = "packets", .by = "class", .brief = "of one class"},
    {.name = NULL}};

static double of_class(const weft_reals *list, int32_t k)
{
    return list->at[list->count == 1 ? 0 : k];
}

static weft_status check_list(const weft_reals *list, const char *name, int32_t classes,
                              weft_error *err)
{
    if (list->count == 1 || list->count == classes)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s must have one number, or one for each of %d classes, found %d", name,
                     classes, list->count);
}

static weft_status check(const settings *set, weft_error *err)
{
    int32_t classes = set->lambda.count;
    double busy = 0;
    WEFT_TRY(check_list(&set->mu, "mu", classes, err));
    WEFT_TRY(check_list(&set->cs2, "cs2", classes, err));
    if (set->class > classes)
        return weft_fail(err, WEFT_BAD_INPUT, "class must be 1 … %d, found %lld", classes,
                         (long long)set->class);
    for (int32_t k = 0; k < classes; k++) {
        busy += set->lambda.at[k] * set->scale / of_class(&set->mu, k);
        if (!(busy < 1))
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "lambda: classes 1 to %d need %.6g times what the server can do, or the "
                "queue of class %d grows for ever",
                k + 1, busy, k + 1);
    }
    return WEFT_OK;
}

typedef struct sums { /* over classes */
    double residual;  /* Σ λ E[S²] / 2 of all that can delay a packet */
    double above;     /* utilisation by higher classes */
    double packets, waiting, arrivals;
} sums;

/* Mean time of class k without being served. */
static double wait_of(const settings *set, const sums *s, double own, double mu)
{
    double queued = s->residual / ((1 - s->above) * (1 - s->above - own));
    double interrupted = s->above / (mu * (1 - s->above));
    return set->discipline == PREEMPTIVE_RESUME ? queued + interrupted : queued;
}

static double residual_of(const settings *set, int32_t k)
{
    double mu = of_class(&set->mu, k);
    return set->lambda.at[k] * set->scale * (1 + of_class(&set->cs2, k)) / (2 * mu * mu);
}

static void put_class(const settings *set, int32_t k, sums *s, weft_answer *answer)
{
    double lambda = set->lambda.at[k] * set->scale, mu = of_class(&set->mu, k);
    if (set->discipline == PREEMPTIVE_RESUME)
        s->residual += residual_of(set, k); /* lower classes are not felt */
    double wait = wait_of(set, s, lambda / mu, mu);
    s->above += lambda / mu;
    s->packets += lambda * (wait + 1 / mu);
    s->waiting += lambda * wait;
    s->arrivals += lambda;
    if (set->class == k + 1) {
        weft_answer_put(answer, LATENCY, wait + 1 / mu);
        weft_answer_put(answer, WAIT, wait);
    }
    if (set->class != WEFT_NONE_INT)
        return;
    weft_answer_put_at(answer, CLASS_LATENCY, k + 1, wait + 1 / mu);
    weft_answer_put_at(answer, CLASS_WAIT, k + 1, wait);
    weft_answer_put_at(answer, CLASS_PACKETS, k + 1, lambda * (wait + 1 / mu));
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    sums s = {0};
    WEFT_TRY(check(set, err));
    if (set->discipline == NON_PREEMPTIVE)
        for (int32_t k = 0; k < set->lambda.count; k++)
            s.residual += residual_of(set, k);
    for (int32_t k = 0; k < set->lambda.count; k++)
        put_class(set, k, &s, answer);
    if (set->class == WEFT_NONE_INT) {
        weft_answer_put(answer, LATENCY, s.packets / s.arrivals);
        weft_answer_put(answer, WAIT, s.waiting / s.arrivals);
    }
    weft_answer_put(answer, PACKETS, s.packets);
    weft_answer_put(answer, UTILISATION, s.above);
    return WEFT_OK;
}

const weft_model_kind weft_model_priority = {
    WEFT_MODEL_BASE("priority", "M/G/1 with priorities, non-preemptive or preemptive-resume"),
    .outputs = outputs,
    .evaluate = evaluate,
};
