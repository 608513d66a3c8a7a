/* SPDX-License-Identifier: Apache-2.0 */
/* M/G/1: Poisson arrivals, services of any distribution, by their second moment (Pollaczek and
 * Khinchin). */
#include "analytic/queueing.h"

typedef struct settings {
    double lambda, mu, cs2;
} settings;

static const weft_param params[] = {WEFT_QUEUEING_LAMBDA(settings),
                                    WEFT_QUEUEING_MU(settings),
                                    WEFT_QUEUEING_CS2(settings, 0),
                                    {.name = NULL}};
static const weft_output outputs[] = {WEFT_QUEUEING_OUTPUT_ROWS, {.name = NULL}};

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(weft_queueing_stable(set->lambda, set->mu, err));
    weft_queueing_put(answer, set->lambda, set->mu,
                      weft_queueing_wait(set->lambda, set->mu, set->cs2));
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(weft_queueing_stable(set->lambda, set->mu, err));
    const weft_queueing_server server = {
        .lambda = set->lambda, .mu = set->mu, .ca2 = 1, .cs2 = set->cs2};
    const weft_queueing_compared compared = {WEFT_QUEUEING_LATENCY, WEFT_QUEUEING_PACKETS,
                                             WEFT_QUEUEING_UTILISATION, SIZE_MAX};
    return weft_queueing_server_scenario(&server, &compared, trial, err);
}

const weft_model_kind weft_model_mg1 = {
    WEFT_MODEL_BASE("mg1", "M/G/1: Poisson arrivals, services of any distribution, one server"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
