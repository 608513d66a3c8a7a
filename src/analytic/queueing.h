/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the models of single queues: settings λ and μ, and the outputs of a queue. */
#ifndef WEFT_ANALYTIC_QUEUEING_H
#define WEFT_ANALYTIC_QUEUEING_H

#include "analytic/model.h"

#define WEFT_QUEUEING_RATE_MAX 1e12
#define WEFT_QUEUEING_ROOM_MAX 100000
#define WEFT_QUEUEING_SCV_MAX  1e6

/* Entries of parameter tables; the settings struct has a member of the same name. */
#define WEFT_QUEUEING_LAMBDA(settings)                                                             \
    {                                                                                              \
        .name = "lambda", .brief = "packets that come, per unit of time", .type = WEFT_PARAM_REAL, \
        .offset = offsetof(settings, lambda), .min = 1e-9, .max = WEFT_QUEUEING_RATE_MAX           \
    }
#define WEFT_QUEUEING_MU(settings)                                                               \
    {                                                                                            \
        .name = "mu", .brief = "packets that the server can serve, per unit of time",            \
        .type = WEFT_PARAM_REAL, .offset = offsetof(settings, mu), .fallback = "1", .min = 1e-9, \
        .max = WEFT_QUEUEING_RATE_MAX                                                            \
    }
#define WEFT_QUEUEING_CAPACITY(settings)                                                       \
    {                                                                                          \
        .name = "capacity", .brief = "packets there is room for, the one in service included", \
        .type = WEFT_PARAM_INT, .offset = offsetof(settings, capacity), .min = 1,              \
        .max = WEFT_QUEUEING_ROOM_MAX                                                          \
    }
#define WEFT_QUEUEING_CA2(settings)                                                               \
    {                                                                                             \
        .name = "ca2", .brief = "squared coefficient of variation of the times between arrivals", \
        .type = WEFT_PARAM_REAL, .offset = offsetof(settings, ca2), .fallback = "1", .min = 1,    \
        .max = WEFT_QUEUEING_SCV_MAX                                                              \
    }
#define WEFT_QUEUEING_CS2(settings, least)                                                         \
    {                                                                                              \
        .name = "cs2", .brief = "squared coefficient of variation of the service times",           \
        .type = WEFT_PARAM_REAL, .offset = offsetof(settings, cs2), .fallback = "1", .min = least, \
        .max = WEFT_QUEUEING_SCV_MAX                                                               \
    }
#define WEFT_QUEUEING_STATES(settings)                                                    \
    {                                                                                     \
        .name = "states", .brief = "give also the probabilities of 0 … so many packets",  \
        .type = WEFT_PARAM_INT, .offset = offsetof(settings, states), .fallback = "none", \
        .min = 1, .max = WEFT_QUEUEING_ROOM_MAX                                           \
    }

/* The outputs that every queue begins with. */
enum {
    WEFT_QUEUEING_LATENCY,
    WEFT_QUEUEING_WAIT,
    WEFT_QUEUEING_PACKETS,
    WEFT_QUEUEING_WAITING,
    WEFT_QUEUEING_UTILISATION,
    WEFT_QUEUEING_OUTPUTS
};
#define WEFT_QUEUEING_OUTPUT_ROWS                                                                 \
    {.name = "latency", .unit = "time units", .brief = "mean time in the system"},                \
        {.name = "wait", .unit = "time units", .brief = "mean time before service"},              \
        {.name = "packets", .unit = "packets", .brief = "mean number in the system"},             \
        {.name = "waiting", .unit = "packets", .brief = "mean number that wait"},                 \
    {                                                                                             \
        .name = "utilisation", .unit = "fraction", .brief = "part of the time the server is busy" \
    }

/* Sets the outputs of a queue without losses, from λ, μ and the mean wait (Little). */
void weft_queueing_put(weft_answer *answer, double lambda, double mu, double wait);
/* Refuses λ ≥ μ. */
WEFT_MUST_USE weft_status weft_queueing_stable(double lambda, double mu, weft_error *err);

/* Pollaczek and Khinchin: the mean wait with Poisson arrivals. */
double weft_queueing_wait(double lambda, double mu, double cs2);

/* A single server, for its scenario. */
typedef struct weft_queueing_server {
    double lambda, mu, ca2, cs2;
    int64_t capacity;            /* 0: no bound */
    const weft_reals *rates;     /* NULL: a single rate */
    const weft_ints *thresholds; /* between them */
    bool frozen;
} weft_queueing_server;

/* The numbers of the compared outputs; SIZE_MAX: the model has no such output. */
typedef struct weft_queueing_compared {
    size_t latency, packets, utilisation, loss;
} weft_queueing_compared;

/* The scenario of a single server with generalised exponential arrivals and services (router
 * kind queue). */
WEFT_MUST_USE weft_status weft_queueing_server_scenario(const weft_queueing_server *server,
                                                        const weft_queueing_compared *compared,
                                                        weft_trial *trial, weft_error *err);

/* The scenario of a queue with Poisson arrivals: a ring of two routers, one link each way.
 * length is "exponential, mean" or "fixed, size". */
WEFT_MUST_USE weft_status weft_queueing_scenario(double lambda, double mu, const char *length,
                                                 weft_trial *trial, weft_error *err);

#endif
