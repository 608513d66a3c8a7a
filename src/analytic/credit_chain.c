/* SPDX-License-Identifier: Apache-2.0 */
/* The node with less room runs fastest in the numbers of states, so that transitions are short. */
#include "analytic/credit_chain.h"

#include "base/memory.h"

#include <stdlib.h>

static uint32_t state(const weft_credit_chain *c, uint32_t i, uint32_t j)
{
    return c->m <= c->n ? i * (c->m + 1) + j : j * (c->n + 1) + i;
}

static void add_transitions(const weft_credit_chain *c, weft_chain *chain)
{
    for (uint32_t i = 0; i <= c->n; i++)
        for (uint32_t j = 0; j <= c->m; j++) {
            uint32_t from = state(c, i, j);
            if (i < c->n)
                weft_chain_add(chain, from, state(c, i + 1, j), c->lambda);
            if (i > 0 && j < c->m)
                weft_chain_add(chain, from, state(c, i - 1, j + 1), c->mu1);
            if (j > 0)
                weft_chain_add(chain, from, state(c, i, j - 1), c->mu2);
        }
}

/* The sums are of what they say, not of 1 minus something else: nothing cancels. */
static void measure(const weft_credit_chain *c, const double *p, weft_credit_measures *out)
{
    *out = (weft_credit_measures){.loss = 0};
    for (uint32_t i = 0; i <= c->n; i++)
        for (uint32_t j = 0; j <= c->m; j++) {
            double here = p[state(c, i, j)];
            out->packets1 += i * here;
            out->packets2 += j * here;
            out->loss += i == c->n ? here : 0;
            out->stall += i > 0 && j == c->m ? here : 0;
            out->arriving += i < c->n ? c->lambda * here : 0;
            out->passing += i > 0 && j < c->m ? c->mu1 * here : 0;
            out->leaving += j > 0 ? c->mu2 * here : 0;
            out->printed += j > 0 ? c->mu1 * here : 0;
        }
}

weft_status weft_credit_chain_solve(const weft_credit_chain *c, weft_chain_solver solver,
                                    weft_credit_measures *out, weft_error *err)
{
    weft_chain chain;
    weft_chain_init(&chain, (c->n + 1) * (c->m + 1));
    add_transitions(c, &chain);
    double *p = weft_alloc(chain.states * sizeof *p);
    weft_status status = weft_chain_solve(&chain, solver, p, err);
    if (status == WEFT_OK)
        measure(c, p, out);
    free(p);
    weft_chain_done(&chain);
    return status;
}
