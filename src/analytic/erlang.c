/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/erlang.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* B of one server more. */
static double step(double offered, double lost, int64_t servers)
{
    return offered * lost / ((double)servers + offered * lost);
}

double weft_erlang_b(double offered, int64_t servers)
{
    double lost = 1;
    for (int64_t s = 1; s <= servers; s++)
        lost = step(offered, lost, s);
    return lost;
}

double weft_erlang_passes(double offered, int64_t servers)
{
    return (double)servers / ((double)servers + offered * weft_erlang_b(offered, servers - 1));
}

double weft_erlang_c(double offered, int64_t servers)
{
    double lost = weft_erlang_b(offered, servers), count = (double)servers;
    assert(offered < count);
    return count * lost / (count - offered * (1 - lost));
}

int64_t weft_erlang_servers(double offered, double loss)
{
    double lost = 1;
    int64_t servers = 0;
    while (lost > loss && servers < WEFT_ERLANG_SERVERS_MAX)
        lost = step(offered, lost, ++servers);
    return lost > loss ? -1 : servers;
}

/* From the likeliest state both ways, so that what underflows is nothing. */
void weft_erlang_states(double offered, int64_t servers, bool room, double *p)
{
    int64_t top = offered < (double)servers ? (int64_t)offered : servers;
    double sum = 0, count = (double)servers;
    p[top] = 1;
    for (int64_t n = top; n > 0; n--)
        p[n - 1] = p[n] * (double)n / offered;
    for (int64_t n = top; n < servers; n++)
        p[n + 1] = p[n] * offered / (double)(n + 1);
    for (int64_t n = 0; n <= servers; n++)
        sum += p[n];
    if (room)
        sum += p[servers] * offered / (count - offered);
    for (int64_t n = 0; n <= servers; n++)
        p[n] /= sum;
}

weft_status weft_erlang_stable(double lambda, double mu, int64_t servers, weft_error *err)
{
    if (lambda < (double)servers * mu)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "lambda must be below servers × mu (%.6g), or the queue grows for ever; found "
                     "%.6g",
                     (double)servers * mu, lambda);
}

weft_status weft_erlang_scenario(const weft_erlang_pool *pool,
                                 const weft_queueing_compared *compared, weft_trial *trial,
                                 weft_error *err)
{
    if (pool->servers > WEFT_INTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "servers must be at most %d to be simulated, found %lld", WEFT_INTS_MAX,
                         (long long)pool->servers);
    weft_reals *rates = weft_alloc(sizeof *rates);
    weft_ints *thresholds = weft_alloc(sizeof *thresholds);
    rates->count = (int32_t)pool->servers;
    thresholds->count = rates->count - 1;
    for (int32_t i = 0; i < rates->count; i++)
        rates->at[i] = i + 1;
    for (int32_t i = 0; i < thresholds->count; i++)
        thresholds->at[i] = i + 2;
    const weft_queueing_server server = {.lambda = pool->lambda,
                                         .mu = pool->mu,
                                         .ca2 = 1,
                                         .cs2 = 1,
                                         .capacity = pool->room ? 0 : pool->servers,
                                         .rates = rates,
                                         .thresholds = thresholds};
    weft_status status = weft_queueing_server_scenario(&server, compared, trial, err);
    free(rates);
    free(thresholds);
    return status;
}
