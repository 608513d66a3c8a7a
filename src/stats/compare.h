/* SPDX-License-Identifier: Apache-2.0 */
/* The z rules: is a table of ours the same as somebody else's, within the errors of both?
 *
 * A sample holds one value per seed. Each difference becomes a score on the normal scale through
 * Welch's t, so that scores of few and of many seeds can stand in one table. A board collects
 * the scores of a table: none may be above 4, at most 3 % above 2.58, and their mean must lie
 * within ±3/√(independent runs). */
#ifndef WEFT_STATS_COMPARE_H
#define WEFT_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#define WEFT_SCORE_MAX     4.0  /* no score of a table beyond this */
#define WEFT_SCORE_RARE    2.58 /* one in a hundred is */
#define WEFT_SCORE_ENDLESS 38.0 /* what lies beyond any doubt; scores are cut here */
#define WEFT_Z_SEEDS       8    /* at least so many */

typedef struct weft_sample { /* one value per seed */
    size_t count;
    double mean, squares; /* squares: Σ (value − mean)² */
} weft_sample;

void weft_sample_add(weft_sample *sample, double value);
/* Standard error of the mean; 0 for a single value. */
double weft_sample_error(const weft_sample *sample);

typedef struct weft_mean { /* a value with what is known about its error */
    double value;
    double error;   /* standard error; 0: exact */
    double freedom; /* degrees of freedom of the error; not looked at if it is 0 */
} weft_mean;

weft_mean weft_sample_mean(const weft_sample *sample);

/* The normal score with the same tail as t with so many degrees of freedom. */
double weft_score_of_t(double t, double freedom);
/* Ours against theirs; `margin` is taken off the difference first. If neither has an error, the
 * margin is the tolerance: 0 within it, endless beyond. */
double weft_score_welch(weft_mean ours, weft_mean theirs, double margin);

/* A mean behind an interval lo … hi of the given confidence, from so many batches: the inverse of
 * what batch means do. No width: no error. */
weft_mean weft_mean_of_interval(double value, double lo, double hi, double confidence,
                                double batches);

typedef struct weft_difference { /* theirs less ours */
    double value;
    double half_width; /* of an interval of the confidence asked for */
    double freedom;    /* by Welch and Satterthwaite; NaN: neither has an error */
    double p;          /* how often chance alone gives a difference as large */
} weft_difference;

weft_difference weft_difference_welch(weft_mean ours, weft_mean theirs, double confidence);

typedef struct weft_board { /* the scores of a table */
    size_t cells, above;    /* above: beyond WEFT_SCORE_RARE */
    double worst, sum;
} weft_board;

typedef enum weft_board_fault {
    WEFT_BOARD_GOOD,
    WEFT_BOARD_WORST, /* a score above 4 */
    WEFT_BOARD_ABOVE, /* too many above 2.58 */
    WEFT_BOARD_MEAN   /* the mean is off */
} weft_board_fault;

void weft_board_add(weft_board *board, double score);
double weft_board_mean(const weft_board *board);
/* How far the mean of the scores of so many independent runs may lie from 0. */
double weft_board_limit(size_t runs);
/* How many cells may lie above 2.58: 3 %, but one in a small table. */
size_t weft_board_allowance(const weft_board *board);
/* The first of the rules that does not hold. */
weft_board_fault weft_board_judge(const weft_board *board, size_t runs);

/* Is the difference at most this share of theirs, or at most this much? */
bool weft_equal_within(double ours, double theirs, double share, double absolute);
/* Do two numbers agree to so many significant digits of the second? */
bool weft_equal_digits(double ours, double theirs, int digits);

#endif
