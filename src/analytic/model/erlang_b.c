/* SPDX-License-Identifier: Apache-2.0 */
/* Erlang B (M/M/c/c): nobody waits, who finds all servers busy is lost. The formula holds for
 * services of any distribution. */
#include "analytic/erlang.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    double lambda, mu, target;
    int64_t servers, states;
} settings;

static const weft_param params[] = {WEFT_QUEUEING_LAMBDA(settings),
                                    WEFT_QUEUEING_MU(settings),
                                    WEFT_ERLANG_SERVERS(settings),
                                    {.name = "target",
                                     .brief = "give also how many servers lose at most this part",
                                     .type = WEFT_PARAM_FRACTION,
                                     .offset = offsetof(settings, target),
                                     .fallback = "none",
                                     .min = 1e-15,
                                     .max = 1},
                                    WEFT_QUEUEING_STATES(settings),
                                    {.name = NULL}};

enum { LOSS, BUSY, UTILISATION, THROUGHPUT, NEEDED, PROBABILITY };
static const weft_output outputs[] = {
    {.name = "loss", .unit = "fraction", .brief = "of packets that come (Erlang B)"},
    {.name = "busy",
     .unit = "servers",
     .brief = "mean number of busy servers: the carried traffic"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time a server is busy"},
    {.name = "throughput", .unit = "packets/time unit", .brief = "of packets that are served"},
    {.name = "servers needed", .unit = "servers", .brief = "fewest that lose at most the target"},
    {.name = "probability",
     .unit = "fraction",
     .by = "packets",
     .brief = "of so many packets in the system"},
    {.name = NULL}};

static weft_status put_needed(const settings *set, weft_answer *answer, weft_error *err)
{
    int64_t servers = weft_erlang_servers(set->lambda / set->mu, set->target);
    if (servers < 0)
        return weft_fail(err, WEFT_BAD_INPUT, "target: more than %d servers would be needed",
                         WEFT_ERLANG_SERVERS_MAX);
    weft_answer_put(answer, NEEDED, (double)servers);
    return WEFT_OK;
}

static void put_states(const settings *set, weft_answer *answer)
{
    double *p = weft_alloc(((size_t)set->servers + 1) * sizeof *p);
    weft_erlang_states(set->lambda / set->mu, set->servers, false, p);
    for (int64_t n = 0; n <= set->states && n <= set->servers; n++)
        weft_answer_put_at(answer, PROBABILITY, n, p[n]);
    free(p);
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    double offered = set->lambda / set->mu, loss = weft_erlang_b(offered, set->servers);
    double passes = weft_erlang_passes(offered, set->servers), busy = offered * passes;
    weft_answer_put(answer, LOSS, loss);
    weft_answer_put(answer, BUSY, busy);
    weft_answer_put(answer, UTILISATION, busy / (double)set->servers);
    weft_answer_put(answer, THROUGHPUT, set->lambda * passes);
    if (set->target > 0)
        WEFT_TRY(put_needed(set, answer, err));
    if (set->states > 0)
        put_states(set, answer);
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    const weft_erlang_pool pool = {set->lambda, set->mu, set->servers, false};
    const weft_queueing_compared compared = {SIZE_MAX, BUSY, SIZE_MAX, LOSS};
    return weft_erlang_scenario(&pool, &compared, trial, err);
}

const weft_model_kind weft_model_erlang_b = {
    WEFT_MODEL_BASE("erlang-b", "Erlang B: c servers, nobody waits, others are lost (M/M/c/c)"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
