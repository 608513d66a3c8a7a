/* SPDX-License-Identifier: Apache-2.0 */
/* M/M/1/K: Poisson arrivals, exponential services, room for K packets; others are lost. */
#include "analytic/queueing.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    double lambda, mu;
    int64_t capacity, states;
} settings;

static const weft_param params[] = {WEFT_QUEUEING_LAMBDA(settings),
                                    WEFT_QUEUEING_MU(settings),
                                    WEFT_QUEUEING_CAPACITY(settings),
                                    WEFT_QUEUEING_STATES(settings),
                                    {.name = NULL}};

enum { LATENCY, PACKETS, UTILISATION, LOSS, THROUGHPUT, PROBABILITY };
static const weft_output outputs[] = {
    {.name = "latency", .unit = "time units", .brief = "mean time of a packet that is not lost"},
    {.name = "packets", .unit = "packets", .brief = "mean number in the system"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time the server is busy"},
    {.name = "loss", .unit = "fraction", .brief = "of packets that come"},
    {.name = "throughput", .unit = "packets/time unit", .brief = "of packets that are served"},
    {.name = "probability",
     .unit = "fraction",
     .by = "packets",
     .brief = "of so many packets in the system"},
    {.name = NULL}};

/* p_n proportional to ρ^n, the greatest of them 1 before they are normalised. */
static void fill(double *p, int64_t capacity, double rho)
{
    double ratio = rho <= 1 ? rho : 1 / rho, weight = 1, sum = 0;
    for (int64_t n = 0; n <= capacity; n++, weight *= ratio) {
        p[rho <= 1 ? n : capacity - n] = weight;
        sum += weight;
    }
    for (int64_t n = 0; n <= capacity; n++)
        p[n] /= sum;
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    double *p = weft_alloc(((size_t)set->capacity + 1) * sizeof *p), packets = 0, busy = 0;
    (void)err;
    fill(p, set->capacity, set->lambda / set->mu);
    for (int64_t n = 1; n <= set->capacity; n++) {
        packets += (double)n * p[n];
        busy += p[n];
    }
    weft_answer_put(answer, LATENCY, packets / (set->mu * busy));
    weft_answer_put(answer, PACKETS, packets);
    weft_answer_put(answer, UTILISATION, busy);
    weft_answer_put(answer, LOSS, p[set->capacity]);
    weft_answer_put(answer, THROUGHPUT, set->mu * busy);
    for (int64_t n = 0; n <= set->states && n <= set->capacity; n++)
        weft_answer_put_at(answer, PROBABILITY, n, p[n]);
    free(p);
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    const weft_queueing_server server = {
        .lambda = set->lambda, .mu = set->mu, .ca2 = 1, .cs2 = 1, .capacity = set->capacity};
    const weft_queueing_compared compared = {LATENCY, PACKETS, UTILISATION, LOSS};
    return weft_queueing_server_scenario(&server, &compared, trial, err);
}

const weft_model_kind weft_model_mm1k = {
    WEFT_MODEL_BASE("mm1k", "M/M/1/K: Poisson arrivals, exponential services, room for K packets"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
