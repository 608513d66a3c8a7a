/* SPDX-License-Identifier: Apache-2.0 */
/* Elimination from the last state to the first, inside a band.
 *
 * Row i of the band holds the rates from i to i − band … i + band. Without state k the others
 * have the rates q_ij + q_ik q_kj / s_k, s_k = Σ_{j<k} q_kj, and p_k = Σ_{i<k} p_i q_ik / s_k.
 * Only additions of what is not negative, products and quotients: nothing cancels. */
#include "analytic/chain.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define HUGE_WEIGHT 1e200

typedef struct matrix {
    double *at;
    size_t states, band, row;
} matrix;

/* The rate from i to j; |i − j| ≤ band. */
static double *rate(const matrix *m, size_t i, size_t j)
{
    return &m->at[i * m->row + (j + m->band - i)];
}

static void fill(matrix *m, const weft_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        *rate(m, chain->at[i].from, chain->at[i].to) += chain->at[i].rate;
}

/* Leaves q_ik / s_k in the column above the diagonal. */
static void eliminate(matrix *m, size_t k)
{
    size_t first = k > m->band ? k - m->band : 0, count = k - first;
    const double *out = rate(m, k, first);
    double sum = 0;
    for (size_t j = 0; j < count; j++)
        sum += out[j];
    assert(sum > 0);
    for (size_t i = first; i < k; i++) {
        double *in = rate(m, i, k), *row = rate(m, i, first);
        double share = *in / sum;
        *in = share;
        if (share > 0)
            for (size_t j = 0; j < count; j++)
                row[j] += share * out[j];
    }
}

/* Weights relative to the first state; rescaled before they leave the range of a double. */
static void expand(const matrix *m, double *p)
{
    p[0] = 1;
    for (size_t k = 1; k < m->states; k++) {
        size_t first = k > m->band ? k - m->band : 0;
        double sum = 0;
        for (size_t i = first; i < k; i++)
            sum += p[i] * *rate(m, i, k);
        p[k] = sum;
        for (size_t i = 0; sum > HUGE_WEIGHT && i <= k; i++)
            p[i] /= HUGE_WEIGHT;
    }
}

void weft_chain_gth(const weft_chain *chain, uint32_t band, double *p)
{
    matrix m = {.states = chain->states, .band = band, .row = 2 * (size_t)band + 1};
    size_t bytes = m.states * m.row * sizeof *m.at;
    m.at = weft_region_create(bytes);
    fill(&m, chain);
    for (size_t k = m.states - 1; k > 0; k--)
        eliminate(&m, k);
    expand(&m, p);
    weft_region_destroy(m.at, bytes);
}
