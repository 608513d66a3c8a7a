/* SPDX-License-Identifier: Apache-2.0 */
/* Workload matrices: n × n whole numbers ≥ 0 whose rows and columns all add up to d. Cell (i, j)
 * is how many of the d cells of a period input i sends to output j. Row by row in an array of n
 * × n.
 *
 * All of them are enumerated in one fixed order, the lexicographic one of their cells; an index
 * is a place in it. Drawn ones are a pure function of (seed, index). */
#ifndef WEFT_CROSSBAR_MATRIX_H
#define WEFT_CROSSBAR_MATRIX_H

#include "interweft/scheduler.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WEFT_SIDE_MAX     WEFT_WIDE_MAX /* inputs and outputs */
#define WEFT_ODOMETER_MAX 8             /* sides that can be enumerated */

/* ---- counting (count.c) ---- */

typedef struct weft_xbar_counter weft_xbar_counter;

/* d ≥ 1, 1 ≤ n ≤ WEFT_ODOMETER_MAX. Fails if the number of matrices is 2⁶³ or more, or if
 * counting would take too long. */
WEFT_MUST_USE weft_status weft_xbar_counter_create(uint32_t n, uint32_t d,
                                                   weft_xbar_counter **counter, weft_error *err);
void weft_xbar_counter_destroy(weft_xbar_counter *counter);
/* How many there are. */
uint64_t weft_xbar_counter_total(const weft_xbar_counter *counter);
/* Ways to fill the rows that are left, given what is left for every column (multiples of d in
 * all). */
uint64_t weft_xbar_counter_completions(weft_xbar_counter *counter, const uint32_t *columns);

/* ---- enumerating (enumerate.c) ---- */

typedef struct weft_xbar_odometer {
    uint32_t n, d;
    uint32_t cell[WEFT_ODOMETER_MAX * WEFT_ODOMETER_MAX];
    uint32_t left[WEFT_ODOMETER_MAX][WEFT_ODOMETER_MAX]; /* what columns had left before each row */
} weft_xbar_odometer;

/* The first matrix; or the one at an index. */
void weft_xbar_odometer_init(weft_xbar_odometer *walk, uint32_t n, uint32_t d);
void weft_xbar_odometer_seek(weft_xbar_odometer *walk, weft_xbar_counter *counter, uint64_t index);
/* The next one; false: there is none, and the walk stays. */
bool weft_xbar_odometer_next(weft_xbar_odometer *walk);

/* ---- drawing (generate.c) ---- */

typedef enum weft_xbar_drawing_rule {
    WEFT_DRAW_UNIFORM,    /* all are equally likely: a Markov chain of moves in 2 × 2 cells */
    WEFT_DRAW_SEQUENTIAL, /* cell by cell, each equally likely among what can be completed */
    WEFT_DRAW_PERMUTED    /* the same, then rows and columns in random order */
} weft_xbar_drawing_rule;

typedef struct weft_xbar_draw {
    weft_xbar_drawing_rule rule;
    uint32_t n, d;
    uint64_t seed;
    uint64_t moves; /* of the chain; 0: weft_xbar_draw_moves */
} weft_xbar_draw;

/* Moves after which the chain has forgotten where it came from, as far as tests can tell. */
uint64_t weft_xbar_draw_moves(uint32_t n, uint32_t d);
void weft_xbar_draw_matrix(const weft_xbar_draw *draw, uint64_t index, uint32_t *cell);

/* ---- named ones (patterns.c) ---- */

/* "uniform", "diagonal", "log-diagonal", "lin-diagonal" or "unbalanced" with w = per_mille / 1000;
 * sets *d, the least sum its rates can be written with. */
WEFT_MUST_USE weft_status weft_xbar_matrix_pattern(const char *name, uint32_t n, uint32_t per_mille,
                                                   uint32_t *cell, uint32_t *d, weft_error *err);
/* Is every row and column sum the same? Sets *d; the message names the row or column. */
WEFT_MUST_USE weft_status weft_xbar_matrix_check(uint32_t n, const uint32_t *cell, uint32_t *d,
                                                 weft_error *err);

#endif
