/* SPDX-License-Identifier: Apache-2.0 */
/* Erlang C: who has to wait at c servers with one queue (M/M/c), and how long. */
#include "analytic/erlang.h"
#include "base/numeric.h"

typedef struct settings {
    double lambda, mu, patience;
    int64_t servers;
} settings;

static const weft_param params[] = {
    WEFT_QUEUEING_LAMBDA(settings),
    WEFT_QUEUEING_MU(settings),
    WEFT_ERLANG_SERVERS(settings),
    {.name = "patience",
     .brief = "give also the part of the packets that wait at most so long, in units of time",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, patience),
     .fallback = "none",
     .min = 0,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = NULL}};

enum { WAITS, WAIT, WAIT_OF_THOSE, WAITING, UTILISATION, LEVEL };
static const weft_output outputs[] = {
    {.name = "wait probability",
     .unit = "fraction",
     .brief = "of packets that must wait (Erlang C)"},
    {.name = "wait", .unit = "time units", .brief = "mean time before service, of all packets"},
    {.name = "wait if any", .unit = "time units", .brief = "the same of those that must wait"},
    {.name = "waiting", .unit = "packets", .brief = "mean number that wait"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time a server is busy"},
    {.name = "service level",
     .unit = "fraction",
     .brief = "packets that wait at most the patience"},
    {.name = NULL}};

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    double offered = set->lambda / set->mu, count = (double)set->servers;
    WEFT_TRY(weft_erlang_stable(set->lambda, set->mu, set->servers, err));
    double waits = weft_erlang_c(offered, set->servers), free_rate = set->mu * (count - offered);
    weft_answer_put(answer, WAITS, waits);
    weft_answer_put(answer, WAIT, waits / free_rate);
    weft_answer_put(answer, WAIT_OF_THOSE, 1 / free_rate);
    weft_answer_put(answer, WAITING, set->lambda * waits / free_rate);
    weft_answer_put(answer, UTILISATION, offered / count);
    if (set->patience >= 0)
        weft_answer_put(answer, LEVEL, 1 - waits * weft_exp(-free_rate * set->patience));
    return WEFT_OK;
}

const weft_model_kind weft_model_erlang_c = {
    WEFT_MODEL_BASE("erlang-c", "Erlang C: who waits at c servers with one queue (M/M/c)"),
    .outputs = outputs,
    .evaluate = evaluate,
};
