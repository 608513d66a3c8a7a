/* SPDX-License-Identifier: Apache-2.0 */
/* Welch's t on the normal scale, and what a table of such scores must fulfil. */
#include "stats/compare.h"

#include "base/numeric.h"

#include <assert.h>

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

void weft_sample_add(weft_sample *sample, double value)
{
    double change = value - sample->mean;
    sample->mean += change / (double)++sample->count;
    sample->squares += change * (value - sample->mean);
}

double weft_sample_error(const weft_sample *sample)
{
    double n = (double)sample->count;
    return sample->count < 2 ? 0 : weft_sqrt(sample->squares / (n - 1) / n);
}

weft_mean weft_sample_mean(const weft_sample *sample)
{
    assert(sample->count > 0);
    return (weft_mean){sample->mean, weft_sample_error(sample), (double)sample->count - 1};
}

double weft_score_of_t(double t, double freedom)
{
    assert(freedom > 0);
    double tail = weft_student_cdf(-magnitude(t), freedom);
    double score = tail > 0 ? -weft_normal_quantile(tail) : WEFT_SCORE_ENDLESS;
    score = score < WEFT_SCORE_ENDLESS ? score : WEFT_SCORE_ENDLESS;
    return t < 0 ? -score : score;
}

/* Two errors squared, in units of a power of two: neither they nor their squares leave the range of
 * a double. */
typedef struct squares {
    double ours, theirs, unit;
} squares;

static squares squares_of(weft_mean ours, weft_mean theirs)
{
    double size = ours.error > theirs.error ? ours.error : theirs.error, unit = 1;
    for (; size > 0x1p200 && unit < 0x1p800; size *= 0x1p-200)
        unit *= 0x1p200;
    for (; size > 0 && size < 0x1p-200; size *= 0x1p200)
        unit *= 0x1p-200;
    double a = ours.error / unit, b = theirs.error / unit;
    return (squares){a * a, b * b, unit};
}

/* Degrees of freedom of the difference of two means: Welch and Satterthwaite. One at least has an
 * error. */
static double welch_freedom(weft_mean ours, weft_mean theirs)
{
    const squares e = squares_of(ours, theirs);
    double a = e.ours, b = e.theirs;
    double spread = (a > 0 ? a * a / ours.freedom : 0) + (b > 0 ? b * b / theirs.freedom : 0);
    return (a + b) * (a + b) / spread;
}

/* Of the difference of two means. */
static double welch_error(weft_mean ours, weft_mean theirs)
{
    const squares e = squares_of(ours, theirs);
    return weft_sqrt(e.ours + e.theirs) * e.unit;
}

double weft_score_welch(weft_mean ours, weft_mean theirs, double margin)
{
    double difference = ours.value - theirs.value, size = magnitude(difference);
    double left = size > margin ? size - margin : 0, error = welch_error(ours, theirs);
    double sign = difference < 0 ? -1 : 1;
    if (!(error > 0))
        return left > 0 ? sign * WEFT_SCORE_ENDLESS : 0;
    return sign * weft_score_of_t(left / error, welch_freedom(ours, theirs));
}

weft_mean weft_mean_of_interval(double value, double lo, double hi, double confidence,
                                double batches)
{
    assert(confidence > 0 && confidence < 1 && batches > 1);
    double t = weft_student_quantile(0.5 + 0.5 * confidence, batches - 1);
    return (weft_mean){value, (hi - lo) / 2 / t, batches - 1};
}

weft_difference weft_difference_welch(weft_mean ours, weft_mean theirs, double confidence)
{
    weft_difference found = {.value = theirs.value - ours.value, .freedom = __builtin_nan("")};
    double error = welch_error(ours, theirs);
    if (!(error > 0)) {
        found.p = found.value == 0 ? 1 : 0;
        return found;
    }
    found.freedom = welch_freedom(ours, theirs);
    found.half_width = error * weft_student_quantile(0.5 + 0.5 * confidence, found.freedom);
    found.p = 2 * weft_student_cdf(-magnitude(found.value) / error, found.freedom);
    return found;
}

void weft_board_add(weft_board *board, double score)
{
    double size = magnitude(score);
    assert(score == score);
    board->cells++;
    board->above += size > WEFT_SCORE_RARE;
    board->worst = size > board->worst ? size : board->worst;
    board->sum += score;
}

double weft_board_mean(const weft_board *board)
{
    return board->cells ? board->sum / (double)board->cells : 0;
}

double weft_board_limit(size_t runs)
{
    assert(runs > 0);
    return 3 / weft_sqrt((double)runs);
}

size_t weft_board_allowance(const weft_board *board)
{
    return board->cells < 34 ? 1 : board->cells * 3 / 100;
}

weft_board_fault weft_board_judge(const weft_board *board, size_t runs)
{
    if (board->worst > WEFT_SCORE_MAX)
        return WEFT_BOARD_WORST;
    if (board->above > weft_board_allowance(board))
        return WEFT_BOARD_ABOVE;
    if (board->cells && magnitude(weft_board_mean(board)) > weft_board_limit(runs))
        return WEFT_BOARD_MEAN;
    return WEFT_BOARD_GOOD;
}

bool weft_equal_within(double ours, double theirs, double share, double absolute)
{
    double difference = magnitude(ours - theirs);
    return difference <= share * magnitude(theirs) || difference <= absolute;
}

bool weft_equal_digits(double ours, double theirs, int digits)
{
    assert(digits > 0 && digits < 18);
    double size = magnitude(theirs), unit = 1;
    if (!(size > 0))
        return ours == theirs;
    for (; unit * 10 <= size && unit < 1e300; unit *= 10)
        ;
    for (; unit > size && unit > 1e-300; unit /= 10)
        ;
    for (int i = 1; i < digits; i++)
        unit /= 10;
    return magnitude(ours - theirs) <= 0.5 * unit * (1 + 1e-9);
}
