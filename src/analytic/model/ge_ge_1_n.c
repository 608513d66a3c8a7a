/* SPDX-License-Identifier: Apache-2.0 */
/* GE/GE/1/N: the maximum entropy solution of a queue with room for N packets, exact for GE
 * arrivals and services: p_n = p_0 g x^n for 0 < n < N and p_N = p_0 g x^N y. */
#include "analytic/ge_queue.h"
#include "analytic/queueing.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    double lambda, mu, ca2, cs2;
    int64_t capacity, states;
    bool printed;
} settings;

static const weft_param params[] = {
    WEFT_QUEUEING_LAMBDA(settings),
    WEFT_QUEUEING_MU(settings),
    WEFT_QUEUEING_CAPACITY(settings),
    WEFT_QUEUEING_CA2(settings),
    WEFT_QUEUEING_CS2(settings, 1),
    WEFT_QUEUEING_STATES(settings),
    {.name = "printed",
     .brief = "give also the y of equation (2.10) of the thesis as it is printed",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, printed),
     .fallback = "false"},
    {.name = NULL}};

enum {
    LATENCY,
    PACKETS,
    UTILISATION,
    LOSS,
    THROUGHPUT,
    X,
    G,
    Y,
    PRINTED_Y,
    PRINTED_VALID,
    PROBABILITY
};
static const weft_output outputs[] = {
    {.name = "latency", .unit = "time units", .brief = "mean time of a packet that is not lost"},
    {.name = "packets", .unit = "packets", .brief = "mean number in the system"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time the server is busy"},
    {.name = "loss", .unit = "fraction", .brief = "of packets that come"},
    {.name = "throughput", .unit = "packets/time unit", .brief = "of packets that are served"},
    {.name = "x", .unit = "ratio", .brief = "of the probabilities of n + 1 and n packets"},
    {.name = "g", .unit = "ratio", .brief = "of p_n and p_0 x^n, 0 < n < N"},
    {.name = "y", .unit = "ratio", .brief = "of p_N and p_0 g x^N"},
    {.name = "printed y", .unit = "ratio", .brief = "(1 − ρ)/(1 − x), (2.10)", .printed = true},
    {.name = "printed valid", .unit = "(1: yes)", .brief = "it is right", .printed = true},
    {.name = "probability",
     .unit = "fraction",
     .by = "packets",
     .brief = "of so many packets in the system"},
    {.name = NULL}};

/* The coefficients of the maximum entropy form, regular also where λ = μ. */
static void put_coefficients(const settings *set, const weft_ge_queue *queue, weft_answer *answer)
{
    double sigma = weft_ge_sigma(set->ca2), r = weft_ge_sigma(set->cs2), a = sigma * set->lambda;
    double below = r * set->mu + a * (1 - r), rho = set->lambda / set->mu;
    double x = (a + r * set->mu * (1 - sigma)) / below, step = r * a / below;
    double y = weft_ge_starts(queue) * a / (r * set->mu) / step;
    weft_answer_put(answer, X, x);
    weft_answer_put(answer, G, step / x);
    weft_answer_put(answer, Y, y);
    if (set->printed && rho != 1) {
        weft_answer_put(answer, PRINTED_Y, (1 - rho) / (1 - x));
        weft_answer_put(answer, PRINTED_VALID, set->ca2 == 1);
        if (set->ca2 != 1)
            weft_answer_note(answer, "the printed y holds for ca2 = 1 only");
    }
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    (void)err;
    weft_ge_queue queue =
        weft_ge_queue_plain(set->lambda, set->mu, set->ca2, set->cs2, (uint32_t)set->capacity);
    double *p = weft_alloc(((size_t)set->capacity + 1) * sizeof *p);
    weft_ge_measures measures;
    weft_ge_product(&queue, p);
    weft_ge_measure(&queue, p, &measures);
    weft_answer_put(answer, LATENCY, measures.packets / measures.throughput);
    weft_answer_put(answer, PACKETS, measures.packets);
    weft_answer_put(answer, UTILISATION, measures.utilisation);
    weft_answer_put(answer, LOSS, measures.loss);
    weft_answer_put(answer, THROUGHPUT, measures.throughput);
    put_coefficients(set, &queue, answer);
    for (int64_t n = 0; n <= set->states && n <= set->capacity; n++)
        weft_answer_put_at(answer, PROBABILITY, n, p[n]);
    free(p);
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    const weft_queueing_server server = {.lambda = set->lambda,
                                         .mu = set->mu,
                                         .ca2 = set->ca2,
                                         .cs2 = set->cs2,
                                         .capacity = set->capacity};
    const weft_queueing_compared compared = {LATENCY, PACKETS, UTILISATION, LOSS};
    return weft_queueing_server_scenario(&server, &compared, trial, err);
}

const weft_model_kind weft_model_ge_ge_1_n = {
    WEFT_MODEL_BASE("ge-ge-1-n", "GE/GE/1/N: bursty arrivals and services, room for N packets"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
