/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices by lot. Uniform: a Markov chain whose moves take two rows and two columns and draw
 * the four cells anew, all ways that keep the sums being equally likely; moves are symmetric and
 * reach everything, so its stationary distribution is uniform. (P. Diaconis, A. Gangolli,
 * Rectangular arrays with fixed margins, 1995; here with whole steps instead of ± 1.)
 * Sequential: cell by cell, each equally likely among the values with which the rest can be
 * completed; not uniform over matrices. */
#include "crossbar/matrix.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS 24 /* moves per cell and doubling of d */

uint64_t weft_xbar_draw_moves(uint32_t n, uint32_t d)
{
    uint64_t doublings = 2;
    for (; d > 1; d /= 2)
        doublings++;
    return (uint64_t)SWEEPS * n * n * doublings;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Two different ones of n. */
static void draw_two(weft_random *random, uint32_t n, uint32_t *a, uint32_t *b)
{
    *a = weft_random_below(random, n);
    *b = weft_random_below(random, n - 1);
    *b += *b >= *a;
}

/* Draws four cells anew: from − decrease to + increase of the first, all equally likely. */
static void move(weft_random *random, uint32_t n, uint32_t *cell)
{
    uint32_t i, k, j, l;
    draw_two(random, n, &i, &k);
    draw_two(random, n, &j, &l);
    uint32_t *a = &cell[i * n + j], *b = &cell[i * n + l], *c = &cell[k * n + j],
             *e = &cell[k * n + l];
    uint32_t down = least(*a, *e), up = least(*b, *c);
    uint32_t step = weft_random_below(random, down + up + 1);
    *a = *a - down + step; /* step − down is added to the diagonal, taken from the other one */
    *e = *e - down + step;
    *b = *b + down - step;
    *c = *c + down - step;
}

static void draw_uniform(const weft_xbar_draw *draw, weft_random *random, uint32_t *cell)
{
    uint32_t n = draw->n;
    uint64_t moves = draw->moves ? draw->moves : weft_xbar_draw_moves(n, draw->d);
    memset(cell, 0, (size_t)n * n * sizeof *cell);
    for (uint32_t i = 0; i < n; i++)
        cell[i * n + i] = draw->d;
    for (uint64_t k = 0; n > 1 && k < moves; k++)
        move(random, n, cell);
}

static void draw_sequential(const weft_xbar_draw *draw, weft_random *random, uint32_t *cell)
{
    uint32_t n = draw->n, columns[WEFT_SIDE_MAX];
    for (uint32_t j = 0; j < n; j++)
        columns[j] = draw->d;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rest = draw->d, room = (n - i) * draw->d;
        for (uint32_t j = 0; j < n; j++) {
            room -= columns[j]; /* of the columns behind */
            uint32_t low = rest > room ? rest - room : 0, high = least(rest, columns[j]);
            uint32_t take = low + weft_random_below(random, high - low + 1);
            cell[i * n + j] = take;
            columns[j] -= take;
            rest -= take;
        }
    }
}

static void shuffle(weft_random *random, uint32_t n, uint16_t *order)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = (uint16_t)i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = weft_random_below(random, i);
        uint16_t held = order[i - 1];
        order[i - 1] = order[k];
        order[k] = held;
    }
}

static void permute(weft_random *random, uint32_t n, uint32_t *cell)
{
    uint16_t rows[WEFT_SIDE_MAX], columns[WEFT_SIDE_MAX];
    uint32_t *old = weft_alloc((size_t)n * n * sizeof *old);
    memcpy(old, cell, (size_t)n * n * sizeof *cell);
    shuffle(random, n, rows);
    shuffle(random, n, columns);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            cell[i * n + j] = old[rows[i] * n + columns[j]];
    free(old);
}

void weft_xbar_draw_matrix(const weft_xbar_draw *draw, uint64_t index, uint32_t *cell)
{
    assert(draw->n > 0 && draw->n <= WEFT_SIDE_MAX);
    weft_random random = weft_random_stream(draw->seed, index, 0, WEFT_FOR_LABORATORY);
    if (draw->rule == WEFT_DRAW_UNIFORM)
        draw_uniform(draw, &random, cell);
    else
        draw_sequential(draw, &random, cell);
    if (draw->rule == WEFT_DRAW_PERMUTED)
        permute(&random, draw->n, cell);
}
