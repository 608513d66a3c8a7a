/* SPDX-License-Identifier: Apache-2.0 */
/* Several classes at a port, each with a normal VL, and shared VLs that they take beyond thresholds
 * (ET: one threshold, AJT: several): what that brings each of them, and what one takes from the
 * others. A single class with as many shared VLs as thresholds is the model `threshold`. */
#include "analytic/ge_queue.h"
#include "analytic/queueing.h"
#include "analytic/shared_vls.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    weft_reals lambda, ca2, mu;
    weft_ints thresholds;
    double cs2, scale;
    int64_t room, shared;
    bool keep;
} settings;

static const weft_param params[] = {
    {.name = "lambda",
     .brief = "packets of each class that come, per unit of time",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, lambda),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "mu",
     .brief = "rates at which a class is served: with its own VL, and with each shared one more",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, mu),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "thresholds",
     .brief = "packets of a class from which on it takes one more shared VL, rising",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, thresholds),
     .min = 1,
     .max = WEFT_SHARED_ROOM_MAX},
    {.name = "room",
     .brief = "packets a VL has room for, the one in service included",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, room),
     .min = 1,
     .max = WEFT_SHARED_ROOM_MAX},
    {.name = "shared",
     .brief = "shared VLs of the port; 0: the classes have their own only",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, shared),
     .fallback = "1",
     .min = 0,
     .max = 15},
    {.name = "ca2",
     .brief = "squared coefficient of variation of the times between arrivals of each class; one "
              "number: of all",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, ca2),
     .fallback = "[1]",
     .min = 1,
     .max = WEFT_QUEUEING_SCV_MAX},
    WEFT_QUEUEING_CS2(settings, 1),
    {.name = "keep",
     .brief = "a class keeps shared VLs until its packets are gone (assumption c of the thesis)",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, keep),
     .fallback = "false"},
    {.name = "scale",
     .brief = "factor on everything that comes, for curves",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scale),
     .fallback = "1",
     .min = 1e-9,
     .max = 1e9},
    {.name = NULL}};

enum {
    LOSS,
    LOSS_ALONE,
    LOSS_ALL,
    LATENCY,
    PACKETS,
    UTILISATION,
    SHARED_USE,
    STATES,
    CLASS_LOSS,
    CLASS_ALONE,
    CLASS_PACKETS,
    CLASS_LATENCY,
    CLASS_UTILISATION,
    CLASS_WAITS
};
static const weft_output outputs[] = {
    {.name = "loss", .unit = "fraction", .brief = "of all packets that come"},
    {.name = "loss without sharing", .unit = "fraction", .brief = "with the normal VLs only"},
    {.name = "loss with VLs for all",
     .unit = "fraction",
     .brief = "if every class had as many shared VLs as thresholds for itself"},
    {.name = "latency", .unit = "time units", .brief = "mean time of a packet that is not lost"},
    {.name = "packets", .unit = "packets", .brief = "mean number at the port"},
    {.name = "utilisation", .unit = "fraction", .brief = "of the servers, their mean"},
    {.name = "shared VLs in use", .unit = "VLs", .brief = "mean number"},
    {.name = "states", .unit = "states", .brief = "of the Markov chain"},
    {.name = "class loss", .unit = "fraction", .by = "class", .brief = "of one class"},
    {.name = "class loss alone",
     .unit = "fraction",
     .by = "class",
     .brief = "with its normal VL only"},
    {.name = "class packets", .unit = "packets", .by = "class", .brief = "mean number"},
    {.name = "class latency", .unit = "time units", .by = "class", .brief = "mean"},
    {.name = "class utilisation", .unit = "fraction", .by = "class", .brief = "of its server"},
    {.name = "class waits",
     .unit = "fraction",
     .by = "class",
     .brief = "part of the time that it is beyond a threshold without a VL for it"},
    {.name = NULL}};

static weft_status check_thresholds(const settings *set, weft_error *err)
{
    const weft_ints *t = &set->thresholds;
    if (t->count < 1 || t->count > WEFT_SHARED_THRESHOLDS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "thresholds must list 1 to %d numbers, found %d",
                         WEFT_SHARED_THRESHOLDS_MAX, t->count);
    if (set->mu.count != t->count + 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "mu must have one rate more than there are thresholds, found %d and %d",
                         set->mu.count, t->count);
    for (int32_t i = 0; i < t->count; i++) {
        if (i > 0 && t->at[i] <= t->at[i - 1])
            return weft_fail(err, WEFT_BAD_INPUT, "thresholds must rise, found %d after %d",
                             t->at[i], t->at[i - 1]);
        if (t->at[i] > (i + 1) * set->room)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "thresholds: number %d must be at most %lld, the room of %s, or it is "
                             "never reached; found %d",
                             i + 1, (long long)set->room * (i + 1), i ? "that many VLs" : "one VL",
                             t->at[i]);
    }
    return WEFT_OK;
}

static weft_status check(const settings *set, weft_error *err)
{
    WEFT_TRY(check_thresholds(set, err));
    if (set->lambda.count < 1 || set->lambda.count > WEFT_SHARED_CLASSES_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "lambda must list 1 to %d classes, found %d",
                         WEFT_SHARED_CLASSES_MAX, set->lambda.count);
    if (set->ca2.count != set->lambda.count && set->ca2.count != 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "ca2 must have one number, or one for each of %d classes, found %d",
                         set->lambda.count, set->ca2.count);
    if (set->room * set->mu.count > WEFT_SHARED_ROOM_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "room times the number of rates must be at most %d, found %lld",
                         WEFT_SHARED_ROOM_MAX, (long long)set->room * set->mu.count);
    return WEFT_OK;
}

static double ca2_of(const settings *set, int32_t c)
{
    return set->ca2.at[set->ca2.count == 1 ? 0 : c];
}

static weft_shared_vls port_of(const settings *set)
{
    weft_shared_vls port = {.classes = (uint32_t)set->lambda.count,
                            .shared = (uint32_t)set->shared,
                            .thresholds = (uint32_t)set->thresholds.count,
                            .room = (uint32_t)set->room,
                            .keep = set->keep,
                            .cs2 = set->cs2};
    for (int32_t c = 0; c < set->lambda.count; c++) {
        port.lambda[c] = set->scale * set->lambda.at[c];
        port.ca2[c] = ca2_of(set, c);
    }
    for (int32_t i = 0; i < set->mu.count; i++)
        port.mu[i] = set->mu.at[i];
    for (int32_t i = 0; i < set->thresholds.count; i++)
        port.threshold[i] = (uint32_t)set->thresholds.at[i];
    return port;
}

/* Of a class that has no others beside it, with all its thresholds or none. */
static double loss_alone(const weft_shared_vls *port, uint32_t c, bool thresholds)
{
    weft_ge_queue queue =
        weft_ge_queue_plain(port->lambda[c], port->mu[0], port->ca2[c], port->cs2, port->room);
    if (thresholds) {
        queue.capacity = port->room * (port->thresholds + 1);
        queue.regions = port->thresholds + 1;
        for (uint32_t i = 0; i <= port->thresholds; i++)
            queue.mu[i] = port->mu[i];
        for (uint32_t i = 0; i < port->thresholds; i++)
            queue.threshold[i] = port->threshold[i];
    }
    weft_ge_measures found;
    double *p = weft_alloc(((size_t)queue.capacity + 1) * sizeof *p);
    weft_ge_product(&queue, p);
    weft_ge_measure(&queue, p, &found);
    free(p);
    return found.loss;
}

static void put_classes(const weft_shared_vls *port, const weft_shared_class *found,
                        weft_answer *answer)
{
    for (uint32_t c = 0; c < port->classes; c++) {
        const weft_shared_class *of = &found[c];
        double carried = port->lambda[c] * (1 - of->loss);
        weft_answer_put_at(answer, CLASS_LOSS, c + 1, of->loss);
        weft_answer_put_at(answer, CLASS_ALONE, c + 1, loss_alone(port, c, false));
        weft_answer_put_at(answer, CLASS_PACKETS, c + 1, of->packets);
        weft_answer_put_at(answer, CLASS_LATENCY, c + 1, of->packets / carried);
        weft_answer_put_at(answer, CLASS_UTILISATION, c + 1, of->utilisation);
        weft_answer_put_at(answer, CLASS_WAITS, c + 1, of->waits);
    }
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    weft_shared_class found[WEFT_SHARED_CLASSES_MAX];
    uint32_t states;
    WEFT_TRY(check(set, err));
    weft_shared_vls port = port_of(set);
    WEFT_TRY(weft_shared_vls_solve(&port, found, &states, err));
    double come = 0, lost = 0, alone = 0, ample = 0, packets = 0, busy = 0, held = 0;
    for (uint32_t c = 0; c < port.classes; c++) {
        come += port.lambda[c];
        lost += port.lambda[c] * found[c].loss;
        alone += port.lambda[c] * loss_alone(&port, c, false);
        ample += port.lambda[c] * loss_alone(&port, c, true);
        packets += found[c].packets;
        busy += found[c].utilisation;
        held += found[c].holds;
    }
    weft_answer_put(answer, LOSS, lost / come);
    weft_answer_put(answer, LOSS_ALONE, alone / come);
    if (!set->keep)
        weft_answer_put(answer, LOSS_ALL, ample / come);
    weft_answer_put(answer, LATENCY, packets / (come - lost));
    weft_answer_put(answer, PACKETS, packets);
    weft_answer_put(answer, UTILISATION, busy / port.classes);
    weft_answer_put(answer, SHARED_USE, held);
    weft_answer_put(answer, STATES, states);
    put_classes(&port, found, answer);
    return WEFT_OK;
}

/* ---- the simulated port ---- */

#define SERVICE 10000.0 /* cycles of a mean service at the first rate: a cycle is below all noise */

static void write_classes(const settings *set, weft_trial *trial)
{
    weft_trial_text(trial, "traffic:\n");
    for (int32_t c = 0; c < set->lambda.count; c++)
        weft_trial_text(trial,
                        "  class%d: {from: %d, arrival: {kind: ge, scv: %.17g}, length: 1 flits, "
                        "rate: %.17g}\n",
                        c + 1, c, ca2_of(set, c),
                        1000 * set->scale * set->lambda.at[c] / set->mu.at[0]);
}

static void write_lists(const settings *set, weft_trial *trial)
{
    for (int32_t i = 0; i < set->mu.count; i++)
        weft_trial_text(trial, "%s%.17g", i ? ", " : "", set->mu.at[i] / set->mu.at[0]);
    weft_trial_text(trial, "], thresholds: [");
    for (int32_t i = 0; i < set->thresholds.count; i++)
        weft_trial_text(trial, "%s%d", i ? ", " : "", (int)set->thresholds.at[i]);
}

/* A second of the scenario is a thousand mean services at the first rate. */
static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    int classes = set->lambda.count, channels = classes + (int)set->shared;
    WEFT_TRY(check(set, err));
    if (set->shared < 1)
        return weft_fail(err, WEFT_BAD_INPUT, "shared must be at least 1 to be simulated");
    if (classes > 2)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "lambda: three classes and more are not simulated: the router gives the "
                         "next shared VL to the class that has waited longest, the chain to the "
                         "first in the list");
    weft_trial_text(trial,
                    "interweft: 1\nclock: %.0f kHz\n"
                    "topology: {kind: full, routers: 1, hosts: 2}\n"
                    "router: {kind: queue, service: %.0f cycles, scv: %.17g, capacity: %lld, "
                    "semantics: %s, channels: %d, shared: %lld, rates: [",
                    SERVICE, SERVICE, set->cs2, (long long)set->room * set->mu.count,
                    set->keep ? "borrow" : "share", channels, (long long)set->shared);
    write_lists(set, trial);
    weft_trial_text(trial, "]}\n");
    write_classes(set, trial);
    weft_trial_text(trial, "measure: {links: off, half-width: 0.5%%, limit: {packets: 4000000}}\n");
    weft_trial_compare(trial, LATENCY, &(weft_metric){.name = "latency", .by = ""},
                       1 / (set->mu.at[0] * SERVICE), 0);
    weft_trial_compare(trial, PACKETS, &(weft_metric){.name = "population", .by = ""}, 1, 0);
    weft_trial_compare(trial, UTILISATION, &(weft_metric){.name = "server utilisation", .by = ""},
                       (double)channels / classes, 0);
    weft_trial_compare(trial, LOSS, &(weft_metric){.name = "loss", .by = ""}, 1, 0);
    return WEFT_OK;
}

const weft_model_kind weft_model_shared_vls = {
    WEFT_MODEL_BASE("shared-vls",
                    "classes that share further VLs beyond thresholds (ET, AJT), GE traffic"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
