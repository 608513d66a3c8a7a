/* SPDX-License-Identifier: Apache-2.0 */
/* Threshold mechanisms (ET with one threshold, AJT with several) as a GE queue whose room and
 * rate grow with what is in it. What they gain is told apart: one VC without thresholds, the
 * room of all VCs at the first rate, and both. */
#include "analytic/ge_queue.h"
#include "analytic/printed_thresholds.h"
#include "analytic/queueing.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct settings {
    double lambda, ca2, cs2;
    weft_reals mu;
    weft_ints thresholds;
    int64_t capacity, vc, states;
    int rate;
    bool printed;
} settings;

enum { RATE_FOLLOWS, RATE_FROZEN };
static const char *const rates[] = {"follows", "frozen", NULL};

static const weft_param params[] = {
    WEFT_QUEUEING_LAMBDA(settings),
    {.name = "mu",
     .brief = "rates of the server: at first, and from each threshold on",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, mu),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "thresholds",
     .brief = "packets from which the next rate holds, rising",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, thresholds),
     .fallback = "none",
     .min = 1,
     .max = WEFT_QUEUEING_ROOM_MAX},
    WEFT_QUEUEING_CAPACITY(settings),
    {.name = "vc",
     .brief = "packets one VC has room for; none: the capacity divided by the number of rates",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, vc),
     .fallback = "none",
     .min = 1,
     .max = WEFT_QUEUEING_ROOM_MAX},
    WEFT_QUEUEING_CA2(settings),
    WEFT_QUEUEING_CS2(settings, 1),
    {.name = "rate",
     .brief = "the rate follows the number of packets at once, or is frozen when a service starts",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, rate),
     .fallback = "follows",
     .choices = rates},
    WEFT_QUEUEING_STATES(settings),
    {.name = "printed",
     .brief = "give also what the thesis prints, (5.9)–(5.20) and (5.34)–(5.45)",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, printed),
     .fallback = "false"},
    {.name = NULL}};

enum {
    LOSS,
    LOSS_VC,
    LOSS_ROOM,
    GAIN_ROOM,
    GAIN_RATE,
    LATENCY,
    PACKETS,
    UTILISATION,
    THROUGHPUT,
    SERVED,
    FULL,
    LATENCY_VC,
    PACKETS_VC,
    UTILISATION_VC,
    REGION,
    PRINTED_PACKETS,
    PRINTED_ERROR,
    PRINTED_WITH_RHO,
    PRINTED_RHO,
    PRINTED_UTILISATION,
    PRINTED_FULL,
    PRINTED_SUM,
    PRINTED_Y,
    PRINTED_X2,
    PRINTED_G2,
    PRINTED_VALID,
    PROBABILITY
};
#define PRINTED(id, of, about)                                             \
    {                                                                      \
        .name = "printed " id, .unit = of, .brief = about, .printed = true \
    }
static const weft_output outputs[] = {
    {.name = "loss", .unit = "fraction", .brief = "of packets that come"},
    {.name = "loss of one VC",
     .unit = "fraction",
     .brief = "with the room of one VC and the first rate"},
    {.name = "loss of all VCs at the first rate",
     .unit = "fraction",
     .brief = "with the whole room and the first rate"},
    {.name = "gain of the room", .unit = "fraction", .brief = "what the larger buffer saves"},
    {.name = "gain of the rate", .unit = "fraction", .brief = "what the other rates save"},
    {.name = "latency", .unit = "time units", .brief = "mean time of a packet that is not lost"},
    {.name = "packets", .unit = "packets", .brief = "mean number in the system"},
    {.name = "utilisation", .unit = "fraction", .brief = "part of the time the server is busy"},
    {.name = "throughput", .unit = "packets/time unit", .brief = "λ (1 − loss)"},
    {.name = "served", .unit = "packets/time unit", .brief = "Σ μ_n p_n, the same"},
    {.name = "full", .unit = "fraction", .brief = "part of the time there is no room"},
    {.name = "latency of one VC",
     .unit = "time units",
     .brief = "with the room of one VC and the first rate"},
    {.name = "packets of one VC", .unit = "packets", .brief = "likewise"},
    {.name = "utilisation of one VC", .unit = "fraction", .brief = "likewise"},
    {.name = "busy at rate", .unit = "fraction", .by = "rate", .brief = "part of the time"},
    PRINTED("packets", "packets", "(5.20), (5.45)"),
    PRINTED("error", "fraction",
            "error measure (5.46) of the printed packets, exact for simulated"),
    PRINTED("packets with rho", "packets", "(5.45) with the factor its L_i lack"),
    PRINTED("rho", "fraction", "(5.19), (5.44)"),
    PRINTED("utilisation", "fraction", "1 − P(0)"),
    PRINTED("full", "fraction", "P(K)"),
    PRINTED("sum", "fraction", "of all P(n)"),
    PRINTED("y", "ratio", "(5.18), (5.43)"),
    PRINTED("x2", "ratio", "(5.17)"),
    PRINTED("g2", "ratio", "(5.16)"),
    PRINTED("valid", "(1: yes)", "probabilities that are some, and no more packets than room"),
    {.name = "probability",
     .unit = "fraction",
     .by = "packets",
     .brief = "of so many packets in the system"},
    {.name = NULL}};

static int64_t vc_of(const settings *set)
{
    int64_t vc = set->vc > 0 ? set->vc : set->capacity / set->mu.count;
    return vc > 0 ? vc : 1;
}

static weft_status check(const settings *set, weft_error *err)
{
    const weft_ints *t = &set->thresholds;
    if (set->mu.count != t->count + 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "mu must have one rate more than there are thresholds, found %d and %d",
                         set->mu.count, t->count);
    if (vc_of(set) > set->capacity)
        return weft_fail(err, WEFT_BAD_INPUT, "vc must be at most the capacity (%lld), found %lld",
                         (long long)set->capacity, (long long)set->vc);
    for (int32_t i = 0; i < t->count; i++) {
        if (i > 0 && t->at[i] <= t->at[i - 1])
            return weft_fail(err, WEFT_BAD_INPUT, "thresholds must rise, found %d after %d",
                             t->at[i], t->at[i - 1]);
        long long room = (i + 1) * vc_of(set);
        bool whole = room > set->capacity;
        room = whole ? set->capacity : room;
        if (t->at[i] > room)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "thresholds: number %d must be at most %lld, the %s, or it is "
                             "never reached; found %d",
                             i + 1, room,
                             whole ? "capacity"
                             : i   ? "room of that many VCs"
                                   : "room of one VC",
                             t->at[i]);
    }
    return WEFT_OK;
}

static weft_ge_queue queue_of(const settings *set)
{
    weft_ge_queue queue = weft_ge_queue_plain(set->lambda, set->mu.at[0], set->ca2, set->cs2,
                                              (uint32_t)set->capacity);
    queue.regions = (uint32_t)set->mu.count;
    for (int32_t i = 0; i < set->mu.count; i++)
        queue.mu[i] = set->mu.at[i];
    for (int32_t i = 0; i < set->thresholds.count; i++)
        queue.threshold[i] = (uint32_t)set->thresholds.at[i];
    return queue;
}

/* Of a queue at the first rate, with this room. */
static weft_ge_measures plain(const settings *set, int64_t room, double *p)
{
    weft_ge_measures found;
    weft_ge_queue queue =
        weft_ge_queue_plain(set->lambda, set->mu.at[0], set->ca2, set->cs2, (uint32_t)room);
    weft_ge_product(&queue, p);
    weft_ge_measure(&queue, p, &found);
    return found;
}

static void put_plain(const settings *set, double loss, double *p, weft_answer *answer)
{
    weft_ge_measures vc = plain(set, vc_of(set), p), room = plain(set, set->capacity, p);
    weft_answer_put(answer, LOSS, loss);
    weft_answer_put(answer, LOSS_VC, vc.loss);
    weft_answer_put(answer, LOSS_ROOM, room.loss);
    weft_answer_put(answer, GAIN_ROOM, vc.loss - room.loss);
    weft_answer_put(answer, GAIN_RATE, room.loss - loss);
    weft_answer_put(answer, LATENCY_VC, vc.packets / vc.throughput);
    weft_answer_put(answer, PACKETS_VC, vc.packets);
    weft_answer_put(answer, UTILISATION_VC, vc.utilisation);
}

static void put_printed(const settings *set, const weft_ge_queue *queue, double packets,
                        weft_answer *answer)
{
    for (int32_t i = 0; i < set->mu.count; i++)
        if (set->mu.at[i] == set->lambda || set->mu.count < 2) {
            weft_answer_note(answer, "nothing is printed for this: it needs a threshold, and no "
                                     "rate equal to lambda");
            return;
        }
    weft_printed_thresholds found = weft_printed_thresholds_of(queue, (uint32_t)vc_of(set));
    double off = found.packets < packets ? packets - found.packets : found.packets - packets;
    weft_answer_put(answer, PRINTED_PACKETS, found.packets);
    weft_answer_put(answer, PRINTED_ERROR, off / packets);
    if (queue->regions > 2)
        weft_answer_put(answer, PRINTED_WITH_RHO, found.with_rho);
    weft_answer_put(answer, PRINTED_RHO, found.rho);
    weft_answer_put(answer, PRINTED_UTILISATION, found.utilisation);
    weft_answer_put(answer, PRINTED_FULL, found.full);
    weft_answer_put(answer, PRINTED_SUM, found.sum);
    weft_answer_put(answer, PRINTED_Y, found.y);
    if (queue->regions == 2) {
        weft_answer_put(answer, PRINTED_X2, found.x2);
        weft_answer_put(answer, PRINTED_G2, found.g2);
    }
    weft_answer_put(answer, PRINTED_VALID, found.valid);
    if (!found.valid)
        weft_answer_note(answer, "what is printed is no distribution here");
}

static void put_rest(const settings *set, const weft_ge_queue *queue, const double *p,
                     const weft_ge_measures *found, weft_answer *answer)
{
    weft_answer_put(answer, LATENCY, found->packets / found->throughput);
    weft_answer_put(answer, PACKETS, found->packets);
    weft_answer_put(answer, UTILISATION, found->utilisation);
    weft_answer_put(answer, THROUGHPUT, found->throughput);
    if (set->rate == RATE_FOLLOWS)
        weft_answer_put(answer, SERVED, found->served);
    weft_answer_put(answer, FULL, p[queue->capacity]);
    bool rows = set->states > 0 && set->rate == RATE_FOLLOWS;
    for (uint32_t c = 0; c < queue->regions && rows; c++)
        weft_answer_put_at(answer, REGION, c + 1, found->used[c]);
    for (int64_t n = 0; n <= set->states && n <= set->capacity; n++)
        weft_answer_put_at(answer, PROBABILITY, n, p[n]);
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(check(set, err));
    weft_ge_queue queue = queue_of(set);
    weft_ge_measures found;
    double *p = weft_alloc(((size_t)queue.capacity + 1) * sizeof *p);
    double *other = weft_alloc(((size_t)queue.capacity + 1) * sizeof *other);
    weft_status status = WEFT_OK;
    if (set->rate == RATE_FROZEN)
        status = weft_ge_frozen(&queue, p, err);
    else
        weft_ge_product(&queue, p);
    if (status == WEFT_OK) {
        weft_ge_measure(&queue, p, &found);
        put_plain(set, found.loss, other, answer);
        put_rest(set, &queue, p, &found, answer);
    }
    if (status == WEFT_OK && set->printed)
        put_printed(set, &queue, found.packets, answer);
    free(p);
    free(other);
    return status;
}

static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(check(set, err));
    const weft_queueing_server server = {.lambda = set->lambda,
                                         .mu = set->mu.at[0],
                                         .ca2 = set->ca2,
                                         .cs2 = set->cs2,
                                         .capacity = set->capacity,
                                         .rates = &set->mu,
                                         .thresholds = &set->thresholds,
                                         .frozen = set->rate == RATE_FROZEN};
    const weft_queueing_compared compared = {LATENCY, PACKETS, UTILISATION, LOSS};
    return weft_queueing_server_scenario(&server, &compared, trial, err);
}

const weft_model_kind weft_model_threshold = {
    WEFT_MODEL_BASE("threshold",
                    "thresholds that add room and change the rate (ET, AJT), GE traffic"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
