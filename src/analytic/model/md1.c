/* SPDX-License-Identifier: Apache-2.0 */
/* M/D/1: Poisson arrivals, services of one length. */
#include "analytic/queueing.h"

typedef struct settings {
    double lambda, mu;
} settings;

static const weft_param params[] = {
    WEFT_QUEUEING_LAMBDA(settings), WEFT_QUEUEING_MU(settings), {.name = NULL}};
static const weft_output outputs[] = {WEFT_QUEUEING_OUTPUT_ROWS, {.name = NULL}};

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(weft_queueing_stable(set->lambda, set->mu, err));
    weft_queueing_put(answer, set->lambda, set->mu, weft_queueing_wait(set->lambda, set->mu, 0));
    return WEFT_OK;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    return weft_queueing_scenario(set->lambda, set->mu, "fixed, size", trial, err);
}

const weft_model_kind weft_model_md1 = {
    WEFT_MODEL_BASE("md1", "M/D/1: Poisson arrivals, services of one length, one server"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
