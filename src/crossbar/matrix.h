/* SPDX-License-Identifier: Apache-2.0 */
/* Workload matrices: n × n integers ≥ 0 whose row and column sums are all d. Cell (i, j) is the
 * number of the d cells of a period that input i sends to output j. Stored row by row in an array
 * of n × n.
 *
 * Matrices are enumerated in the lexicographic order of their cells; an index is a place in this
 * order. Drawn matrices are a pure function of (seed, index). */
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
/* The number of matrices. */
uint64_t weft_xbar_counter_total(const weft_xbar_counter *counter);
/* Number of ways to fill the remaining rows, given the remaining sum of every column (the total is
 * a multiple of d). */
uint64_t weft_xbar_counter_completions(weft_xbar_counter *counter, const uint32_t *columns);

/* ---- enumerating (enumerate.c) ---- */

typedef struct weft_xbar_odometer {
    uint32_t n, d;
    uint32_t cell[WEFT_ODOMETER_MAX * WEFT_ODOMETER_MAX];
    uint32_t left[WEFT_ODOMETER_MAX][WEFT_ODOMETER_MAX]; /* column sums left before each row */
} weft_xbar_odometer;

/* Moves to the first matrix; to the matrix at an index. */
void weft_xbar_odometer_init(weft_xbar_odometer *walk, uint32_t n, uint32_t d);
void weft_xbar_odometer_seek(weft_xbar_odometer *walk, weft_xbar_counter *counter, uint64_t index);
/* Moves to the next matrix; false: there is none, and the walk stays. */
bool weft_xbar_odometer_next(weft_xbar_odometer *walk);

/* ---- drawing (generate.c) ---- */

typedef enum weft_xbar_drawing_rule {
    WEFT_DRAW_UNIFORM,    /* all equally likely: a Markov chain of moves in 2 × 2 cells */
    WEFT_DRAW_SEQUENTIAL, /* cell by cell, uniform among the values that can be completed */
    WEFT_DRAW_PERMUTED    /* the same, then rows and columns in random order */
} weft_xbar_drawing_rule;

typedef struct weft_xbar_draw {
    weft_xbar_drawing_rule rule;
    uint32_t n, d;
    uint64_t seed;
    uint64_t moves; /* of the chain; 0: weft_xbar_draw_moves */
} weft_xbar_draw;

/* Moves after which tests find no dependence of the chain on its start. */
uint64_t weft_xbar_draw_moves(uint32_t n, uint32_t d);
void weft_xbar_draw_matrix(const weft_xbar_draw *draw, uint64_t index, uint32_t *cell);

/* ---- named matrices (patterns.c) ---- */

/* "uniform", "diagonal", "log-diagonal", "lin-diagonal" or "unbalanced" with w = per_mille / 1000;
 * sets *d, the least sum that represents its rates. */
WEFT_MUST_USE weft_status weft_xbar_matrix_pattern(const char *name, uint32_t n, uint32_t per_mille,
                                                   uint32_t *cell, uint32_t *d, weft_error *err);
/* Fails unless all row and column sums are equal; sets *d. The message names the row or column. */
WEFT_MUST_USE weft_status weft_xbar_matrix_check(uint32_t n, const uint32_t *cell, uint32_t *d,
                                                 weft_error *err);

#endif
