/* SPDX-License-Identifier: Apache-2.0 */
/* GE/GE/1: the maximum entropy solution of a queue without bounds, exact for GE arrivals and
 * services (D. D. Kouvatsos, Acta Informatica 23, 1986): p_n = p_0 g x^n. */
#include "analytic/ge_queue.h"
#include "analytic/queueing.h"

typedef struct settings {
    double lambda, mu, ca2, cs2;
    int64_t states;
} settings;

static const weft_param params[] = {WEFT_QUEUEING_LAMBDA(settings), WEFT_QUEUEING_MU(settings),
                                    WEFT_QUEUEING_CA2(settings),    WEFT_QUEUEING_CS2(settings, 1),
                                    WEFT_QUEUEING_STATES(settings), {.name = NULL}};

enum { X = WEFT_QUEUEING_OUTPUTS, G, PROBABILITY };
static const weft_output outputs[] = {
    WEFT_QUEUEING_OUTPUT_ROWS,
    {.name = "x", .unit = "ratio", .brief = "of the probabilities of n + 1 and n packets, n > 0"},
    {.name = "g", .unit = "ratio", .brief = "of p_n and p_0 x^n"},
    {.name = "probability",
     .unit = "fraction",
     .by = "packets",
     .brief = "of so many packets in the system"},
    {.name = NULL}};

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(weft_queueing_stable(set->lambda, set->mu, err));
    double rho = set->lambda / set->mu;
    double waiting = rho / 2 * (set->ca2 - 1 + rho * (set->cs2 + 1)) / (1 - rho);
    weft_queueing_put(answer, set->lambda, set->mu, waiting / set->lambda);
    double x = waiting / (waiting + rho), g = rho * rho / (waiting * (1 - rho));
    weft_answer_put(answer, X, x);
    weft_answer_put(answer, G, g);
    double p = (1 - rho) * g;
    for (int64_t n = 0; n <= set->states; n++, p *= x)
        weft_answer_put_at(answer, PROBABILITY, n, n ? p : 1 - rho);
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(weft_queueing_stable(set->lambda, set->mu, err));
    const weft_queueing_server server = {
        .lambda = set->lambda, .mu = set->mu, .ca2 = set->ca2, .cs2 = set->cs2};
    const weft_queueing_compared compared = {WEFT_QUEUEING_LATENCY, WEFT_QUEUEING_PACKETS,
                                             WEFT_QUEUEING_UTILISATION, SIZE_MAX};
    return weft_queueing_server_scenario(&server, &compared, trial, err);
}

const weft_model_kind weft_model_ge_ge_1 = {
    WEFT_MODEL_BASE("ge-ge-1", "GE/GE/1: bursty arrivals and services, one server"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
