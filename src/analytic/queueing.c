/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/queueing.h"

#include <assert.h>
#include <stdint.h>

#define SERVICE_FLITS 1000.0 /* mean length of a packet in the scenarios: ticks are far below it */

weft_status weft_queueing_stable(double lambda, double mu, weft_error *err)
{
    if (lambda < mu)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "lambda must be below mu (%.6g), or the queue grows for ever; found %.6g", mu,
                     lambda);
}

double weft_queueing_wait(double lambda, double mu, double cs2)
{
    double rho = lambda / mu;
    assert(rho < 1);
    return rho * (1 + cs2) / (2 * mu * (1 - rho));
}

void weft_queueing_put(weft_answer *answer, double lambda, double mu, double wait)
{
    double latency = wait + 1 / mu;
    weft_answer_put(answer, WEFT_QUEUEING_LATENCY, latency);
    weft_answer_put(answer, WEFT_QUEUEING_WAIT, wait);
    weft_answer_put(answer, WEFT_QUEUEING_PACKETS, lambda * latency);
    weft_answer_put(answer, WEFT_QUEUEING_WAITING, lambda * wait);
    weft_answer_put(answer, WEFT_QUEUEING_UTILISATION, lambda / mu);
}

weft_status weft_queueing_scenario(double lambda, double mu, const char *length, weft_trial *trial,
                                   weft_error *err)
{
    WEFT_TRY(weft_queueing_stable(lambda, mu, err));
    double unit = 1 / (mu * SERVICE_FLITS); /* a cycle of the scenario, in the model's time */
    weft_trial_text(trial,
                    "interweft: 1\n"
                    "topology: {kind: torus, dims: [2]}\n"
                    "endpoint: {reception: unlimited}\n"
                    "traffic: {all: {rho: %.17g, length: {kind: %s: %g flits}}}\n"
                    "measure: {links: off, half-width: 0.5%%, limit: {packets: 4000000}}\n",
                    lambda / mu, length, SERVICE_FLITS);
    weft_trial_compare(trial, WEFT_QUEUEING_LATENCY, &(weft_metric){.name = "latency", .by = ""},
                       unit, 0);
    weft_trial_compare(trial, WEFT_QUEUEING_WAIT, &(weft_metric){.name = "latency", .by = ""}, unit,
                       -1 / mu);
    weft_trial_compare(trial, WEFT_QUEUEING_PACKETS, &(weft_metric){.name = "population", .by = ""},
                       0.5, 0); /* of two directions */
    weft_trial_compare(trial, WEFT_QUEUEING_UTILISATION,
                       &(weft_metric){.name = "utilisation", .by = ""}, 1, 0);
    return WEFT_OK;
}

static void write_regions(const weft_queueing_server *server, weft_trial *trial)
{
    if (!server->rates || server->rates->count < 2)
        return;
    weft_trial_text(trial, ", semantics: %s, rates: [", server->frozen ? "frozen" : "follow");
    for (int32_t i = 0; i < server->rates->count; i++)
        weft_trial_text(trial, "%s%.17g", i ? ", " : "",
                        server->rates->at[i] / server->rates->at[0]);
    weft_trial_text(trial, "], thresholds: [");
    for (int32_t i = 0; i < server->thresholds->count; i++)
        weft_trial_text(trial, "%s%d", i ? ", " : "", (int)server->thresholds->at[i]);
    weft_trial_text(trial, "]");
}

static void compare(weft_trial *trial, size_t output, const char *metric, double scale)
{
    if (output != SIZE_MAX)
        weft_trial_compare(trial, output, &(weft_metric){.name = metric, .by = ""}, scale, 0);
}

/* A second of the scenario is a thousand mean services at the first rate. */
weft_status weft_queueing_server_scenario(const weft_queueing_server *server,
                                          const weft_queueing_compared *compared, weft_trial *trial,
                                          weft_error *err)
{
    if (server->cs2 > 0 && server->cs2 < 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "cs2 must be 0 or at least 1 to be simulated, found %.6g", server->cs2);
    weft_trial_text(trial,
                    "interweft: 1\nclock: %.0f kHz\n"
                    "topology: {kind: full, routers: 1, hosts: 2}\n"
                    "router: {kind: queue, service: %.0f cycles, scv: %.17g",
                    SERVICE_FLITS, SERVICE_FLITS, server->cs2);
    if (server->capacity > 0)
        weft_trial_text(trial, ", capacity: %lld", (long long)server->capacity);
    write_regions(server, trial);
    weft_trial_text(trial,
                    "}\ntraffic: {all: {from: 0, arrival: {kind: ge, scv: %.17g}, length: 1 flits, "
                    "rate: %.17g}}\n"
                    "measure: {links: off, half-width: 0.5%%, limit: {packets: 4000000}}\n",
                    server->ca2, 1000 * server->lambda / server->mu);
    compare(trial, compared->latency, "latency", 1 / (server->mu * SERVICE_FLITS));
    compare(trial, compared->packets, "population", 1);
    compare(trial, compared->utilisation, "server utilisation", 1);
    compare(trial, compared->loss, "loss", 1);
    return WEFT_OK;
}
