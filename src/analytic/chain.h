/* SPDX-License-Identifier: Apache-2.0 */
/* Steady states of finite Markov chains in continuous time.
 *
 * A chain is a list of transitions. It is solved by the elimination of Grassmann, Taksar and
 * Heyman (Operations Research 33, 1985). It never subtracts, so every probability, however small,
 * is right to a few units of its last digit. It works inside the band of the transitions, so states
 * should be numbered such that transitions are short. If the band is too wide, KLU factorises the
 * sparse matrix: then small probabilities are right only relative to the largest one. */
#ifndef WEFT_ANALYTIC_CHAIN_H
#define WEFT_ANALYTIC_CHAIN_H

#include "interweft/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weft_transition {
    uint32_t from, to;
    double rate;
} weft_transition;

typedef struct weft_chain {
    uint32_t states;
    weft_transition *at;
    size_t count, capacity;
} weft_chain;

typedef enum weft_chain_solver {
    WEFT_CHAIN_AUTO, /* GTH if it takes at most a second or two, else KLU */
    WEFT_CHAIN_GTH,
    WEFT_CHAIN_KLU
} weft_chain_solver;

void weft_chain_init(weft_chain *chain, uint32_t states);
void weft_chain_done(weft_chain *chain);
/* Adds a transition; rates of 0 and loops are ignored. A pair may be added several times. */
void weft_chain_add(weft_chain *chain, uint32_t from, uint32_t to, double rate);
/* The probabilities of all states, which sum to 1. The chain must be irreducible. */
WEFT_MUST_USE weft_status weft_chain_solve(const weft_chain *chain, weft_chain_solver solver,
                                           double *p, weft_error *err);

/* The two solvers; weights need not sum to 1. gth.c; klu.c. */
void weft_chain_gth(const weft_chain *chain, uint32_t band, double *p);
WEFT_MUST_USE weft_status weft_chain_klu(const weft_chain *chain, double *p, weft_error *err);

#endif
