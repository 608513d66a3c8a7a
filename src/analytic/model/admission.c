/* SPDX-License-Identifier: Apache-2.0 */
/* How many connections a link refuses. Connections of each class come as a Poisson process, hold
 * their bandwidth for a time of any distribution and leave; one that does not fit is refused.
 * Exact: analytic/kaufman_roberts.h. */
#include "analytic/kaufman_roberts.h"
#include "analytic/queueing.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    weft_reals lambda, hold;
    weft_ints bandwidth;
    int64_t capacity;
    double scale;
    int rule;
} settings;

enum { STRICT, INCLUSIVE };
static const char *const rules[] = {"strict", "inclusive", NULL};

#define CAPACITY_MAX 10000000

static const weft_param params[] = {
    {.name = "lambda",
     .brief = "connections of each class that come, per unit of time",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, lambda),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "bandwidth",
     .brief = "what a connection of each class reserves, in the unit of the capacity",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, bandwidth),
     .fallback = "[1]",
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "hold",
     .brief = "mean time that a connection of each class lasts; one number: of all",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, hold),
     .fallback = "[1]",
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "capacity",
     .brief = "bandwidth of the link, or of the pool of a service level",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, capacity),
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "rule",
     .brief = "a connection must leave some bandwidth over (strict), or may take all of it",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, rule),
     .fallback = "strict",
     .choices = rules},
    {.name = "scale",
     .brief = "factor on everything that comes, for curves",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scale),
     .fallback = "1",
     .min = 1e-9,
     .max = 1e9},
    {.name = NULL}};

enum { BLOCKING, UTILISATION, OFFERED, CLASS_BLOCKING, CLASS_CONNECTIONS };
static const weft_output outputs[] = {
    {.name = "blocking", .unit = "fraction", .brief = "of all connections that come"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the capacity that is reserved"},
    {.name = "offered", .unit = "fraction", .brief = "part that would be if none were refused"},
    {.name = "class blocking",
     .unit = "fraction",
     .by = "class",
     .brief = "of the connections of one class"},
    {.name = "class connections", .unit = "connections", .by = "class", .brief = "mean number"},
    {.name = NULL}};

static weft_status check(const settings *set, weft_error *err)
{
    int32_t classes = set->lambda.count;
    if (set->bandwidth.count != classes && set->bandwidth.count != 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "bandwidth must have one number, or one for each of %d classes, found %d",
                         classes, set->bandwidth.count);
    if (set->hold.count != classes && set->hold.count != 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "hold must have one number, or one for each of %d classes, found %d",
                         classes, set->hold.count);
    return WEFT_OK;
}

static int64_t bandwidth_of(const settings *set, int32_t k)
{
    return set->bandwidth.at[set->bandwidth.count == 1 ? 0 : k];
}

/* In connections. */
static double offered_of(const settings *set, int32_t k)
{
    return set->scale * set->lambda.at[k] * set->hold.at[set->hold.count == 1 ? 0 : k];
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(check(set, err));
    int64_t room = set->rule == INCLUSIVE ? set->capacity : set->capacity - 1;
    uint32_t classes = (uint32_t)set->lambda.count;
    double *q = weft_alloc(sizeof *q * ((size_t)room + 1));
    weft_offered_class *all = weft_alloc(sizeof *all * classes);
    for (uint32_t k = 0; k < classes; k++)
        all[k] = (weft_offered_class){bandwidth_of(set, (int32_t)k), offered_of(set, (int32_t)k)};
    weft_kaufman_roberts(all, classes, room, q);
    double come = 0, lost = 0, carried = 0, offered = 0;
    for (int32_t k = 0; k < set->lambda.count; k++) {
        int64_t bandwidth = bandwidth_of(set, k);
        double part = weft_kaufman_roberts_blocking(q, room, bandwidth), load = offered_of(set, k);
        double held = load * weft_kaufman_roberts_passing(q, room, bandwidth);
        come += set->lambda.at[k];
        lost += set->lambda.at[k] * part;
        offered += load * (double)bandwidth;
        carried += held * (double)bandwidth;
        weft_answer_put_at(answer, CLASS_BLOCKING, k + 1, part);
        weft_answer_put_at(answer, CLASS_CONNECTIONS, k + 1, held);
    }
    weft_answer_put(answer, BLOCKING, lost / come);
    weft_answer_put(answer, UTILISATION, carried / (double)set->capacity);
    weft_answer_put(answer, OFFERED, offered / (double)set->capacity);
    free(q);
    free(all);
    return WEFT_OK;
}

const weft_model_kind weft_model_admission = {
    WEFT_MODEL_BASE("admission", "connections of several bandwidths that a link admits or refuses"),
    .outputs = outputs,
    .evaluate = evaluate,
};
