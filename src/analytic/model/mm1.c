/* SPDX-License-Identifier: Apache-2.0 */
/* M/M/1: Poisson arrivals, exponential services. */
#include "analytic/queueing.h"

typedef struct settings {
    double lambda, mu;
    int64_t states;
} settings;

static const weft_param params[] = {WEFT_QUEUEING_LAMBDA(settings),
                                    WEFT_QUEUEING_MU(settings),
                                    WEFT_QUEUEING_STATES(settings),
                                    {.name = NULL}};

enum { PROBABILITY = WEFT_QUEUEING_OUTPUTS };
static const weft_output outputs[] = {WEFT_QUEUEING_OUTPUT_ROWS,
                                      {.name = "probability",
                                       .unit = "fraction",
                                       .by = "packets",
                                       .brief = "of so many packets in the system"},
                                      {.name = NULL}};

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(weft_queueing_stable(set->lambda, set->mu, err));
    weft_queueing_put(answer, set->lambda, set->mu, weft_queueing_wait(set->lambda, set->mu, 1));
    double rho = set->lambda / set->mu, p = 1 - rho;
    for (int64_t n = 0; n <= set->states; n++, p *= rho)
        weft_answer_put_at(answer, PROBABILITY, n, p);
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    return weft_queueing_scenario(set->lambda, set->mu, "exponential, mean", trial, err);
}

const weft_model_kind weft_model_mm1 = {
    WEFT_MODEL_BASE("mm1", "M/M/1: Poisson arrivals, exponential services, one server"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
