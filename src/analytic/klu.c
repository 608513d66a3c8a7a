/* SPDX-License-Identifier: Apache-2.0 */
/* The balance equations of all states but one, whose weight is 1, factorised by KLU (T. A.
 * Davis, E. Palamadai Natarajan, ACM TOMS 37, 2010). The only file that names KLU.
 *
 * The one that is left out should be likely, or the others' weights are large and ill
 * determined: after a first guess every try takes the likeliest of what came out. The equation that
 * was left out is not used, so it judges the solution. */
#include "analytic/chain.h"

#include "base/memory.h"

#include <assert.h>
#include <klu.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNLIKELY  1e-3
#define UNBALANCE 1e-6 /* of what comes to a state and leaves it */
#define TRIES     6    /* from each of the first guesses */

typedef struct equations {
    const weft_chain *chain;
    uint32_t fixed; /* the state whose weight is 1 */
    int order;      /* equations */
    int *column, *row;
    double *value;
    double *right; /* −p_fixed q_fixed,j */
} equations;

/* The equation of a state; −1 for the one that is left out. */
static int place(const equations *s, uint32_t state)
{
    return state == s->fixed ? -1 : (int)(state - (state > s->fixed));
}

/* Column i holds the rates from state i, and on the diagonal what leaves it. */
static void assemble(equations *s)
{
    const weft_chain *chain = s->chain;
    int *end = weft_alloc(((size_t)s->order + 2) * sizeof *end);
    for (size_t t = 0; t < chain->count; t++) {
        int from = place(s, chain->at[t].from);
        if (from >= 0 && place(s, chain->at[t].to) >= 0)
            end[from + 1]++;
    }
    s->column[0] = 0;
    for (int i = 0; i < s->order; i++) {
        s->column[i + 1] = s->column[i] + end[i + 1] + 1;
        s->row[s->column[i]] = i;
        end[i] = s->column[i] + 1;
    }
    for (size_t t = 0; t < chain->count; t++) {
        int from = place(s, chain->at[t].from), to = place(s, chain->at[t].to);
        if (from < 0) {
            s->right[to] -= chain->at[t].rate;
            continue;
        }
        s->value[s->column[from]] -= chain->at[t].rate;
        if (to >= 0) {
            s->row[end[from]] = to;
            s->value[end[from]++] = chain->at[t].rate;
        }
    }
    free(end);
}

/* Adds up what stands in a column twice, which KLU refuses. */
static void merge(equations *s)
{
    int *at = weft_alloc((size_t)s->order * sizeof *at), kept = 0;
    for (int i = 0, from = 0; i < s->order; i++) {
        int begin = kept, to = s->column[i + 1];
        for (int k = from; k < to; k++) {
            int row = s->row[k], seen = at[row] - 1; /* 0: not in any column yet */
            if (seen >= begin) {
                s->value[seen] += s->value[k];
                continue;
            }
            s->row[kept] = row;
            s->value[kept] = s->value[k];
            at[row] = ++kept;
        }
        from = to;
        s->column[i + 1] = kept;
    }
    free(at);
}

/* What the solution still misses, as a new right side. */
static void subtract_product(const equations *s, const double *x, double *rest)
{
    for (int i = 0; i < s->order; i++)
        for (int k = s->column[i]; k < s->column[i + 1]; k++)
            rest[s->row[k]] -= s->value[k] * x[i];
}

/* Solves, and once more for what is left over. */
static bool factorise(const equations *s, double *x)
{
    klu_common common;
    size_t bytes = (size_t)s->order * sizeof *x;
    (void)klu_defaults(&common);
    klu_symbolic *symbolic = klu_analyze(s->order, s->column, s->row, &common);
    klu_numeric *numeric =
        symbolic ? klu_factor(s->column, s->row, s->value, symbolic, &common) : NULL;
    double *rest = weft_alloc(bytes);
    memcpy(x, s->right, bytes);
    bool solved = numeric && klu_solve(symbolic, numeric, s->order, 1, x, &common);
    if (solved) {
        memcpy(rest, s->right, bytes);
        subtract_product(s, x, rest);
        solved = klu_solve(symbolic, numeric, s->order, 1, rest, &common);
        for (int i = 0; i < s->order && solved; i++)
            x[i] += rest[i];
    }
    free(rest);
    if (numeric)
        (void)klu_free_numeric(&numeric, &common);
    if (symbolic)
        (void)klu_free_symbolic(&symbolic, &common);
    return solved;
}

static bool solve_fixing(const weft_chain *chain, uint32_t fixed, double *p)
{
    size_t order = chain->states - 1, entries = chain->count + order;
    equations s = {.chain = chain, .fixed = fixed, .order = (int)order};
    s.column = weft_alloc((order + 1) * sizeof *s.column);
    s.row = weft_alloc(entries * sizeof *s.row);
    s.value = weft_alloc(entries * sizeof *s.value);
    s.right = weft_alloc(order * sizeof *s.right);
    assemble(&s);
    merge(&s);
    bool solved = factorise(&s, p);
    for (size_t i = order; i > fixed && solved; i--)
        p[i] = p[i - 1];
    p[fixed] = 1;
    free(s.column);
    free(s.row);
    free(s.value);
    free(s.right);
    return solved;
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* The weight of the largest size, whatever its sign: near a singular matrix it may be wrong. */
static uint32_t largest(const double *p, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = magnitude(p[i]) > magnitude(p[most]) ? i : most;
    return most;
}

/* As much comes to the state as leaves it. */
static bool is_balanced(const weft_chain *chain, uint32_t state, const double *p)
{
    double in = 0, out = 0;
    for (size_t t = 0; t < chain->count; t++) {
        const weft_transition *one = &chain->at[t];
        in += one->to == state ? p[one->from] * one->rate : 0;
        out += one->from == state ? p[state] * one->rate : 0;
    }
    return magnitude(in - out) <= UNBALANCE * out;
}

static bool solve_from(const weft_chain *chain, uint32_t guess, double *p)
{
    uint32_t fixed = guess;
    for (int i = 0; i < TRIES; i++) {
        if (!solve_fixing(chain, fixed, p))
            return false;
        uint32_t most = largest(p, chain->states);
        if (p[fixed] >= UNLIKELY * magnitude(p[most]) && is_balanced(chain, fixed, p))
            return true;
        if (most == fixed)
            return false;
        fixed = most;
    }
    return false;
}

weft_status weft_chain_klu(const weft_chain *chain, double *p, weft_error *err)
{
    assert(chain->states > 1);
    const uint32_t last = chain->states - 1;
    if (!solve_from(chain, 0, p) && !solve_from(chain, last, p) && !solve_from(chain, last / 2, p))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the chain of %u states cannot be solved: its rates are too far apart",
                         chain->states);
    /* What cancelled to less than nothing is nothing. */
    for (uint32_t i = 0; i < chain->states; i++)
        p[i] = p[i] > 0 ? p[i] : 0;
    return WEFT_OK;
}
