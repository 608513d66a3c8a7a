/* SPDX-License-Identifier: Apache-2.0 */
/* Open Jackson networks: stations of one queue and several servers, Poisson arrivals from outside,
 * packets that leave a station go on to another with fixed probabilities. Every station is an
 * M/M/c queue of its own (J. R. Jackson, 1957). */
#include "analytic/erlang.h"

#include <assert.h>
#include <stdint.h>

#define STATIONS_MAX 16 /* so that the matrix is a list of settings */

typedef struct settings {
    weft_reals lambda, mu, routing;
    weft_ints servers;
    double scale;
} settings;

static const weft_param params[] = {
    {.name = "lambda",
     .brief = "packets that come from outside to each station, per unit of time",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, lambda),
     .min = 0,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "mu",
     .brief = "packets that a server of each station can serve, per unit of time",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, mu),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "routing",
     .brief = "probabilities to go from each station to each, row by row; the rest leaves",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, routing),
     .min = 0,
     .max = 1},
    {.name = "servers",
     .brief = "servers of each station; none: one",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, servers),
     .fallback = "none",
     .min = 1,
     .max = WEFT_ERLANG_SERVERS_MAX},
    {.name = "scale",
     .brief = "factor on everything that comes, for curves",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scale),
     .fallback = "1",
     .min = 1e-9,
     .max = 1e9},
    {.name = NULL}};

enum { LATENCY, PACKETS, THROUGHPUT, BOTTLENECK, ARRIVALS, VISITS, AT, NUMBER, UTILISATION };
static const weft_output outputs[] = {
    {.name = "latency", .unit = "time units", .brief = "mean time in the network"},
    {.name = "packets", .unit = "packets", .brief = "mean number in the network"},
    {.name = "throughput", .unit = "packets/time unit", .brief = "that come and leave"},
    {.name = "bottleneck", .unit = "fraction", .brief = "greatest utilisation of a station"},
    {.name = "arrivals", .unit = "packets/time unit", .by = "station", .brief = "to a station"},
    {.name = "visits",
     .unit = "visits",
     .by = "station",
     .brief = "mean number of a packet's visits"},
    {.name = "station latency",
     .unit = "time units",
     .by = "station",
     .brief = "mean time of one visit"},
    {.name = "station packets", .unit = "packets", .by = "station", .brief = "mean number there"},
    {.name = "station utilisation",
     .unit = "fraction",
     .by = "station",
     .brief = "part of the time a server is busy"},
    {.name = NULL}};

static weft_status check(const settings *set, weft_error *err)
{
    int32_t n = set->lambda.count;
    if (n > STATIONS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "lambda must be of at most %d stations, found %d",
                         STATIONS_MAX, n);
    if (set->mu.count != n)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "mu must have a rate for each of %d stations, found %d", n, set->mu.count);
    if (set->servers.count != 0 && set->servers.count != n)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "servers must have a number for each of %d stations, found %d", n,
                         set->servers.count);
    if (set->routing.count != n * n)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "routing must have %d rows of %d probabilities, one after the other, found "
            "%d numbers",
            n, n, set->routing.count);
    for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int32_t j = 0; j < n; j++)
            sum += set->routing.at[i * n + j];
        if (sum > 1 + 1e-12)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "routing: row %d must add up to at most 1, found %.6g", i + 1, sum);
    }
    return WEFT_OK;
}

/* The equations of the flows, λ_j = γ_j + Σ λ_i r_ij. I − Rᵀ is an M-matrix: elimination
 * without exchanges of rows is stable. A pivot that vanishes is a part that nobody leaves. */
static weft_status solve_flows(const settings *set, double flow[STATIONS_MAX], weft_error *err)
{
    int32_t n = set->lambda.count;
    double m[STATIONS_MAX][STATIONS_MAX] = {0};
    assert(n > 0 && n <= STATIONS_MAX);
    for (int32_t j = 0; j < n; j++) {
        flow[j] = set->lambda.at[j] * set->scale;
        for (int32_t i = 0; i < n; i++)
            m[j][i] = (i == j) - set->routing.at[i * n + j];
    }
    for (int32_t k = 0; k < n; k++) {
        if (!(m[k][k] > 1e-12))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "routing: packets that come to station %d never leave the network",
                             k + 1);
        for (int32_t j = k + 1; j < n; j++) {
            double factor = m[j][k] / m[k][k];
            flow[j] -= factor * flow[k];
            for (int32_t i = k; i < n; i++)
                m[j][i] -= factor * m[k][i];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t i = k + 1; i < n; i++)
            flow[k] -= m[k][i] * flow[i];
        flow[k] /= m[k][k];
    }
    return WEFT_OK;
}

static int64_t servers_of(const settings *set, int32_t station)
{
    return set->servers.count ? set->servers.at[station] : 1;
}

/* Mean number of packets at a station. */
static weft_status put_station(const settings *set, int32_t k, double flow, double outside,
                               weft_answer *answer, double *packets, weft_error *err)
{
    double mu = set->mu.at[k], count = (double)servers_of(set, k), offered = flow / mu;
    if (!(offered < count))
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "lambda: %.6g packets come to station %d per unit of time, which can serve "
            "%.6g",
            flow, k + 1, count * mu);
    double wait = weft_erlang_c(offered, servers_of(set, k)) / (mu * (count - offered));
    *packets = flow * (wait + 1 / mu);
    weft_answer_put_at(answer, ARRIVALS, k + 1, flow);
    weft_answer_put_at(answer, VISITS, k + 1, flow / outside);
    weft_answer_put_at(answer, AT, k + 1, wait + 1 / mu);
    weft_answer_put_at(answer, NUMBER, k + 1, *packets);
    weft_answer_put_at(answer, UTILISATION, k + 1, offered / count);
    return WEFT_OK;
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    double flow[STATIONS_MAX], outside = 0, total = 0, most = 0;
    WEFT_TRY(check(set, err));
    WEFT_TRY(solve_flows(set, flow, err));
    for (int32_t k = 0; k < set->lambda.count; k++)
        outside += set->lambda.at[k] * set->scale;
    if (!(outside > 0))
        return weft_fail(err, WEFT_BAD_INPUT, "lambda: nothing comes from outside");
    for (int32_t k = 0; k < set->lambda.count; k++) {
        double packets = 0, busy = flow[k] / (set->mu.at[k] * (double)servers_of(set, k));
        WEFT_TRY(put_station(set, k, flow[k], outside, answer, &packets, err));
        total += packets;
        most = busy > most ? busy : most;
    }
    weft_answer_put(answer, LATENCY, total / outside);
    weft_answer_put(answer, PACKETS, total);
    weft_answer_put(answer, THROUGHPUT, outside);
    weft_answer_put(answer, BOTTLENECK, most);
    return WEFT_OK;
}

const weft_model_kind weft_model_jackson = {
    WEFT_MODEL_BASE("jackson", "open Jackson network: M/M/c stations, fixed routing probabilities"),
    .outputs = outputs,
    .evaluate = evaluate,
};
