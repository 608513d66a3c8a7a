/* SPDX-License-Identifier: Apache-2.0 */
/* The z rules: whether a table of ours agrees with a published one within the errors of both.
 *
 * A sample holds one value per seed. Each difference becomes a score on the normal scale by Welch's
 * t, so that scores of few and of many seeds are comparable. A board collects
 * the scores of a table: none may be above 4, at most 3 % above 2.58, and their mean must lie
 * within ±3/√(independent runs). */
#ifndef WEFT_STATS_COMPARE_H
#define WEFT_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#define WEFT_SCORE_MAX     4.0  /* no score of a table beyond this */
#define WEFT_SCORE_RARE    2.58 /* one in a hundred is */
#define WEFT_SCORE_ENDLESS 38.0 /* beyond any doubt; scores are limited to it */
#define WEFT_Z_SEEDS       8    /* minimum number of seeds */

/* One value per seed. */
typedef struct weft_sample {
    size_t count;
    double mean, squares; /* squares: Σ (value − mean)² */
} weft_sample;

void weft_sample_add(weft_sample *sample, double value);
/* Standard error of the mean; 0 for a single value. */
double weft_sample_error(const weft_sample *sample);

/* A value and its error. */
typedef struct weft_mean {
    double value;
    double error;   /* standard error; 0: exact */
    double freedom; /* degrees of freedom of the error; ignored if the error is 0 */
} weft_mean;

weft_mean weft_sample_mean(const weft_sample *sample);

/* The normal score with the same tail as t with `freedom` degrees of freedom. */
double weft_score_of_t(double t, double freedom);
/* The score of ours against theirs; `margin` is subtracted from the difference first. If neither
 * has an error, the margin is the tolerance: 0 within it, infinite beyond. */
double weft_score_welch(weft_mean ours, weft_mean theirs, double margin);

/* The mean and error behind an interval lo … hi of the given confidence from a number of batches:
 * the inverse of batch means. An interval of width 0 has no error. */
weft_mean weft_mean_of_interval(double value, double lo, double hi, double confidence,
                                double batches);

/* Theirs − ours. */
typedef struct weft_difference {
    double value;
    double half_width; /* of an interval of the given confidence */
    double freedom;    /* by Welch and Satterthwaite; NaN: neither has an error */
    double p;          /* p-value: probability of as large a difference by chance */
} weft_difference;

weft_difference weft_difference_welch(weft_mean ours, weft_mean theirs, double confidence);

/* The scores of a table. */
typedef struct weft_board {
    size_t cells, above; /* above: number of scores beyond WEFT_SCORE_RARE */
    double worst, sum;
} weft_board;

typedef enum weft_board_fault {
    WEFT_BOARD_GOOD,
    WEFT_BOARD_WORST, /* a score above 4 */
    WEFT_BOARD_ABOVE, /* too many above 2.58 */
    WEFT_BOARD_MEAN   /* mean beyond its limit */
} weft_board_fault;

void weft_board_add(weft_board *board, double score);
double weft_board_mean(const weft_board *board);
/* Largest allowed distance from 0 of the mean score of `runs` independent runs. */
double weft_board_limit(size_t runs);
/* Number of cells allowed above 2.58: 3 %, but one in a small table. */
size_t weft_board_allowance(const weft_board *board);
/* The first rule that is violated. */
weft_board_fault weft_board_judge(const weft_board *board, size_t runs);

/* True if the difference is at most this share of theirs, or at most `absolute`. */
bool weft_equal_within(double ours, double theirs, double share, double absolute);
/* True if two numbers agree to this number of significant digits of the second. */
bool weft_equal_digits(double ours, double theirs, int digits);

#endif
