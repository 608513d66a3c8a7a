/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/chain.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define GTH_WORK  1.5e9 /* multiplications: about a second */
#define GTH_CELLS 5e7   /* doubles of the band */

void weft_chain_init(weft_chain *chain, uint32_t states)
{
    assert(states > 0);
    *chain = (weft_chain){.states = states};
}

void weft_chain_done(weft_chain *chain)
{
    free(chain->at);
    *chain = (weft_chain){0};
}

void weft_chain_add(weft_chain *chain, uint32_t from, uint32_t to, double rate)
{
    assert(from < chain->states && to < chain->states && rate >= 0);
    if (rate == 0 || from == to)
        return;
    if (chain->count == chain->capacity) {
        chain->capacity = chain->capacity ? 2 * chain->capacity : 256;
        chain->at = weft_realloc(chain->at, chain->capacity, sizeof *chain->at);
    }
    chain->at[chain->count++] = (weft_transition){from, to, rate};
}

/* The longest transition. */
static uint32_t band_of(const weft_chain *chain)
{
    uint32_t band = 1;
    for (size_t i = 0; i < chain->count; i++) {
        const weft_transition *t = &chain->at[i];
        uint32_t length = t->from > t->to ? t->from - t->to : t->to - t->from;
        band = length > band ? length : band;
    }
    return band;
}

static void normalise(double *p, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += p[i];
    assert(sum > 0);
    for (uint32_t i = 0; i < count; i++)
        p[i] /= sum;
}

weft_status weft_chain_solve(const weft_chain *chain, weft_chain_solver solver, double *p,
                             weft_error *err)
{
    uint32_t band = band_of(chain);
    double work = (double)chain->states * band * band, cells = (double)chain->states * (2.0 * band);
    if (solver == WEFT_CHAIN_AUTO)
        solver = work <= GTH_WORK && cells <= GTH_CELLS ? WEFT_CHAIN_GTH : WEFT_CHAIN_KLU;
    if (solver == WEFT_CHAIN_GTH)
        weft_chain_gth(chain, band, p);
    else
        WEFT_TRY(weft_chain_klu(chain, p, err));
    normalise(p, chain->states);
    return WEFT_OK;
}
