/* SPDX-License-Identifier: Apache-2.0 */
/* The delay of a packet under virtual cut-through, as a distribution.
 *
 * Every link is M/M/1 with mean service time 1/μ and utilisation ρ. The packet spends the time of
 * such a queue at its source, Exp(μ (1 − ρ)). At an intermediate node it either cuts through,
 * which takes the header's time, or it is blocked: it then waits, Exp(μ (1 − ρ)), and is sent,
 * Exp(μ). An Exp(μ (1 − ρ)) is a geometric number of Exp(μ), so the delay, without headers, is a
 * sum of K of these: P[delay > t] = Σ_m Poisson(m; μ t) P[K > m]. */
#ifndef WEFT_ANALYTIC_CUT_THROUGH_DELAY_H
#define WEFT_ANALYTIC_CUT_THROUGH_DELAY_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft_cut_through_path {
    double rho, service, header; /* times; service: 1/μ */
    uint32_t h;
    const double *blocked; /* probabilities of 0 … h − 1 blocked nodes */
} weft_cut_through_path;

typedef struct weft_cut_through_delay weft_cut_through_delay;

/* ρ ≤ 0.99; `path` and what it points to must outlive the delay. */
weft_cut_through_delay *weft_cut_through_delay_create(const weft_cut_through_path *path);
void weft_cut_through_delay_destroy(weft_cut_through_delay *delay);

double weft_cut_through_delay_mean(const weft_cut_through_path *path);
double weft_cut_through_delay_deviation(const weft_cut_through_path *path);
/* P[delay > t] */
double weft_cut_through_delay_beyond(const weft_cut_through_delay *delay, double t);
/* The time within which a share of the packets, below 1, arrives. */
double weft_cut_through_delay_within(const weft_cut_through_delay *delay, double share);

#endif
