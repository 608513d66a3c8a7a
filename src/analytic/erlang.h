/* SPDX-License-Identifier: Apache-2.0 */
/* Several servers, Poisson arrivals, exponential service times (Erlang). Everything is computed
 * from ratios of neighbouring states: 100,000 servers cause neither overflow nor cancellation. */
#ifndef WEFT_ANALYTIC_ERLANG_H
#define WEFT_ANALYTIC_ERLANG_H

#include "analytic/queueing.h"

#define WEFT_ERLANG_SERVERS_MAX 100000

#define WEFT_ERLANG_SERVERS(settings)                                                   \
    {                                                                                   \
        .name = "servers", .brief = "servers of this rate", .type = WEFT_PARAM_INT,     \
        .offset = offsetof(settings, servers), .min = 1, .max = WEFT_ERLANG_SERVERS_MAX \
    }

/* Erlang's B formula: the fraction of packets lost without a waiting room; offered traffic in
 * erlangs (λ/μ). */
double weft_erlang_b(double offered, int64_t servers);
/* 1 − B, also where B is all but 1; servers > 0. */
double weft_erlang_passes(double offered, int64_t servers);
/* Erlang's C formula: the fraction of packets that wait; offered < servers. */
double weft_erlang_c(double offered, int64_t servers);
/* The least number of servers with at most this loss; −1: more than WEFT_ERLANG_SERVERS_MAX. */
int64_t weft_erlang_servers(double offered, double loss);

/* Probabilities of 0 … servers packets: servers + 1 values. room: packets may wait, and
 * offered < servers. */
void weft_erlang_states(double offered, int64_t servers, bool room, double *p);

/* Refuses λ ≥ servers × μ. */
WEFT_MUST_USE weft_status weft_erlang_stable(double lambda, double mu, int64_t servers,
                                             weft_error *err);

typedef struct weft_erlang_pool {
    double lambda, mu;
    int64_t servers;
    bool room;
} weft_erlang_pool;

/* The scenario of a pool. The number of packets follows the same process as in a single server
 * whose rate grows with it, so mean packets, latency (Little) and loss are the same. */
WEFT_MUST_USE weft_status weft_erlang_scenario(const weft_erlang_pool *pool,
                                               const weft_queueing_compared *compared,
                                               weft_trial *trial, weft_error *err);

#endif
