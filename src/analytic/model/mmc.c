/* SPDX-License-Identifier: Apache-2.0 */
/* M/M/c: Poisson arrivals, exponential services, c servers, one queue. */
#include "analytic/erlang.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    double lambda, mu;
    int64_t servers, states;
} settings;

static const weft_param params[] = {WEFT_QUEUEING_LAMBDA(settings),
                                    WEFT_QUEUEING_MU(settings),
                                    WEFT_ERLANG_SERVERS(settings),
                                    WEFT_QUEUEING_STATES(settings),
                                    {.name = NULL}};

enum { LATENCY, WAIT, PACKETS, WAITING, UTILISATION, WAITS, PROBABILITY };
static const weft_output outputs[] = {
    {.name = "latency", .unit = "time units", .brief = "mean time in the system"},
    {.name = "wait", .unit = "time units", .brief = "mean time before service"},
    {.name = "packets", .unit = "packets", .brief = "mean number in the system"},
    {.name = "waiting", .unit = "packets", .brief = "mean number that wait"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time a server is busy"},
    {.name = "wait probability",
     .unit = "fraction",
     .brief = "of packets that must wait (Erlang C)"},
    {.name = "probability",
     .unit = "fraction",
     .by = "packets",
     .brief = "of so many packets in the system"},
    {.name = NULL}};

static void put_states(const settings *set, double offered, weft_answer *answer)
{
    double *p = weft_alloc(((size_t)set->servers + 1) * sizeof *p), beyond;
    weft_erlang_states(offered, set->servers, true, p);
    for (int64_t n = 0; n <= set->states && n <= set->servers; n++)
        weft_answer_put_at(answer, PROBABILITY, n, p[n]);
    beyond = p[set->servers];
    for (int64_t n = set->servers + 1; n <= set->states; n++)
        weft_answer_put_at(answer, PROBABILITY, n, beyond *= offered / (double)set->servers);
    free(p);
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    double offered = set->lambda / set->mu, count = (double)set->servers;
    WEFT_TRY(weft_erlang_stable(set->lambda, set->mu, set->servers, err));
    double waits = weft_erlang_c(offered, set->servers);
    double wait = waits / (set->mu * (count - offered));
    weft_answer_put(answer, LATENCY, wait + 1 / set->mu);
    weft_answer_put(answer, WAIT, wait);
    weft_answer_put(answer, PACKETS, set->lambda * wait + offered);
    weft_answer_put(answer, WAITING, set->lambda * wait);
    weft_answer_put(answer, UTILISATION, offered / count);
    weft_answer_put(answer, WAITS, waits);
    if (set->states > 0)
        put_states(set, offered, answer);
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    const weft_erlang_pool pool = {set->lambda, set->mu, set->servers, true};
    const weft_queueing_compared compared = {LATENCY, PACKETS, SIZE_MAX, SIZE_MAX};
    WEFT_TRY(weft_erlang_stable(set->lambda, set->mu, set->servers, err));
    return weft_erlang_scenario(&pool, &compared, trial, err);
}

const weft_model_kind weft_model_mmc = {
    WEFT_MODEL_BASE("mmc", "M/M/c: Poisson arrivals, exponential services, c servers, one queue"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
