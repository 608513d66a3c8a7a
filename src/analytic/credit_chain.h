/* SPDX-License-Identifier: Apache-2.0 */
/* Two nodes in series; the first may send only while the second has room (credits).
 *
 * State (i, j): i ≤ n packets in node 1 and j ≤ m in node 2, including those in service. A packet
 * that finds node 1 full is lost; node 1 stands still while j = m. docs/theory/credit-chain.md. */
#ifndef WEFT_ANALYTIC_CREDIT_CHAIN_H
#define WEFT_ANALYTIC_CREDIT_CHAIN_H

#include "analytic/chain.h"

typedef struct weft_credit_chain {
    double lambda, mu1, mu2;
    uint32_t n, m;
} weft_credit_chain;

typedef struct weft_credit_measures {
    double packets1, packets2;
    double loss;  /* P(i = n) */
    double stall; /* P(i > 0, j = m): node 1 waits for a credit */
    /* λ P(i < n), μ1 P(i > 0, j < m), μ2 P(j > 0): all equal. */
    double arriving, passing, leaving;
    double printed; /* μ1 P(j > 0): `passing` by (4.10) of the thesis */
} weft_credit_measures;

WEFT_MUST_USE weft_status weft_credit_chain_solve(const weft_credit_chain *chain,
                                                  weft_chain_solver solver,
                                                  weft_credit_measures *out, weft_error *err);

#endif
