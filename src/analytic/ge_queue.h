/* SPDX-License-Identifier: Apache-2.0 */
/* One server with room for K packets, GE arrivals and services, and a rate that depends on the
 * number of packets.
 *
 * GE arrivals are Poisson batches of geometric size, GE service times are 0 or exponential. σ =
 * 2/(Ca²+1), r = 2/(Cs²+1) and a = σλ. The rate in state n is μ_n, by the number of thresholds
 * that n has reached. A packet that needs no service leaves an empty server before the next packet
 * of its batch arrives; arrivals at a full queue are lost one by one.
 * docs/theory/threshold-queues.md derives the formulas. */
#ifndef WEFT_ANALYTIC_GE_QUEUE_H
#define WEFT_ANALYTIC_GE_QUEUE_H

#include "interweft/component.h"
#include "interweft/status.h"

#define WEFT_REGIONS_MAX WEFT_INTS_MAX

typedef struct weft_ge_queue {
    double lambda, ca2, cs2;
    uint32_t capacity;           /* K, including the packet in service */
    uint32_t regions;            /* thresholds + 1 */
    double mu[WEFT_REGIONS_MAX]; /* rate of each region */
    /* Ascending; region c begins at threshold[c − 1] packets. */
    uint32_t threshold[WEFT_REGIONS_MAX - 1];
} weft_ge_queue;

/* A queue with a single rate. */
weft_ge_queue weft_ge_queue_plain(double lambda, double mu, double ca2, double cs2,
                                  uint32_t capacity);
double weft_ge_sigma(double scv); /* 2 / (C² + 1) */
uint32_t weft_ge_region(const weft_ge_queue *queue, uint32_t n);
/* P(the first packet of a batch that needs service finds one of its kind): r / (r (1 − σ) + σ). */
double weft_ge_starts(const weft_ge_queue *queue);

/* p[0 … K] by the product form, exact. */
void weft_ge_product(const weft_ge_queue *queue, double *p);
/* The same if a packet keeps the rate at which its service began, by the Markov chain of (packets,
 * rate). Fails if the chain has too many states. */
WEFT_MUST_USE weft_status weft_ge_frozen(const weft_ge_queue *queue, double *p, weft_error *err);

typedef struct weft_ge_measures {
    double packets;                /* mean number */
    double utilisation;            /* 1 − p_0 */
    double loss;                   /* fraction of arrivals */
    double throughput;             /* λ (1 − loss) */
    double served;                 /* Σ μ_n p_n; equals throughput if the rate follows n */
    double used[WEFT_REGIONS_MAX]; /* P(region c, not empty) */
} weft_ge_measures;

void weft_ge_measure(const weft_ge_queue *queue, const double *p, weft_ge_measures *out);

#endif
