/* SPDX-License-Identifier: Apache-2.0 */
/* log, exp and pow from + − * / and integer operations alone.
 *
 * log: x = 2^k z with z in [0.705, 1.41); c is the nearest of 128 table points, so that z − c is
 * exact, r = (z − c) / c is below 2^-8 and log x = k log 2 + log c + log(1 + r). Table and log 2
 * are split into a high part of 42 bits behind the point and a low part; the sum of the high
 * parts is exact. exp: x = k log 2 + r, Taylor's series of r. pow carries the logarithm as a sum
 * of two doubles, with Dekker's exact product. */
#include "base/numeric.h"

#include "base/numeric_table.h"

#include <assert.h>
#include <float.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define INFINITE     __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

#define TABLE_START 0x3fe6900000000000u  /* bits of the least z */
#define EXPONENT    0xfff0000000000000u  /* and sign */
#define LOG2_HIGH   0x1.62e42fefa3800p-1 /* a multiple of 2^-42 */
#define LOG2_LOW    0x1.ef35793c76730p-45

/* A number as an unevaluated sum, |low| at most half an ulp of high. */
typedef struct twofold {
    double high, low;
} twofold;

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* log(2^k z), z in the table's range, offset = the bits of z, or of z times a power of two, less
 * TABLE_START. */
static inline double log_of(int exponent, uint64_t offset, double z)
{
    const struct log_point *point = &log_table[(offset >> 45) & 127];
    double k = (double)exponent;
    double r = (z - point->c) * point->inverse;
    double high = k * LOG2_HIGH + point->high; /* exact */
    double low = k * LOG2_LOW + point->low;
    /* (log(1 + r) − r + r²/2) / r³, |r| ≤ 1.01 × 2^-8, to within 2^-37.7 */
    double tail = 0x1.999ac40e268f5p-3 + r * -0x1.55565a7b55da7p-3;
    tail = 0x1.55555555424e1p-2 + r * (-0x1.ffffffffdeb34p-3 + r * tail);
    return high + (r + (low + r * r * (r * tail - 0.5)));
}

/* 0, negative numbers, infinity, NaN, and numbers at either end of the range. */
static __attribute__((noinline, cold)) double log_special(double x)
{
    if (x == 0)
        return -INFINITE;
    if (!(x > 0))
        return NOT_A_NUMBER;
    if (x > DBL_MAX)
        return x;
    int scale = x < 1 ? 54 : -54;
    assert(scale < 0 || x < 2 * DBL_MIN);
    uint64_t bits = bits_of(x * (x < 1 ? 0x1p54 : 0x1p-54)), offset = bits - TABLE_START;
    int k = (int)((int64_t)offset >> 52) - scale;
    return log_of(k, offset, of_bits(bits - (offset & EXPONENT)));
}

double weft_log(double x)
{
    uint64_t bits = bits_of(x), offset = bits - TABLE_START;
    int k = (int)((int64_t)offset >> 52);
    /* zero and denormal numbers have k = −1023 or −1022, infinity and all others 1024 or more */
    if (__builtin_expect((unsigned)(k + 1021) > 2044, 0))
        return log_special(x);
    return log_of(k, offset, of_bits(bits - (offset & EXPONENT)));
}

/* 2^k x for x near 1 and |k| < 2000, in two steps of which only the last may round. */
static double scaled(double x, int k)
{
    int step = k > 1000 ? 1000 : k < -1000 ? -1000 : 0;
    assert(k - step >= -1000 && k - step <= 1000);
    x *= of_bits((uint64_t)(step + 1023) << 52);
    return x * of_bits((uint64_t)(k - step + 1023) << 52);
}

/* exp(high + low), |high| < 1000. */
static double exp_twofold(double high, double low)
{
    double multiple = high * 0x1.71547652b82fep0;
    int k = (int)(multiple + (multiple < 0 ? -0.5 : 0.5));
    double start = high - k * LOG2_HIGH; /* exact */
    double rest = low - k * LOG2_LOW;
    double r = start + rest;
    double lost = start - r + rest;
    static const double inverse_factorial[] = {1.0 / 2,        1.0 / 6,         1.0 / 24,
                                               1.0 / 120,      1.0 / 720,       1.0 / 5040,
                                               1.0 / 40320,    1.0 / 362880,    1.0 / 3628800,
                                               1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};
    double sum = 0;
    for (int i = (int)(sizeof inverse_factorial / sizeof *inverse_factorial) - 1; i >= 0; i--)
        sum = sum * r + inverse_factorial[i];
    sum = r + (lost + r * r * sum);
    return scaled(1 + sum, k);
}

double weft_exp(double x)
{
    if (x != x)
        return x;
    if (x > 710)
        return INFINITE;
    if (x < -746)
        return 0;
    return exp_twofold(x, 0);
}

/* Exact a + b for |a| ≥ |b| or a = 0. */
static twofold sum_of(double a, double b)
{
    double sum = a + b;
    return (twofold){sum, a - sum + b};
}

/* Exact a × b (Dekker), both below 2^900. */
static twofold product_of(double a, double b)
{
    double p = a * 134217729.0, q = b * 134217729.0; /* 2^27 + 1 cuts a double in two halves */
    double ah = p - (p - a), bh = q - (q - b);
    double al = a - ah, bl = b - bh;
    double product = a * b;
    return (twofold){product, ah * bh - product + ah * bl + al * bh + al * bl};
}

/* log x of a normal or denormal x > 0, to about 2^-68 of itself. */
static twofold log_twofold(double x)
{
    int scale = x < DBL_MIN ? -52 : 0;
    uint64_t bits = bits_of(scale ? x * 0x1p52 : x), offset = bits - TABLE_START;
    const struct log_point *point = &log_table[(offset >> 45) & 127];
    double k = (double)((int)((int64_t)offset >> 52) + scale);
    double distance = of_bits(bits - (offset & EXPONENT)) - point->c;
    double r = distance * point->inverse;
    twofold back = product_of(r, point->c);
    double lost = (distance - back.high - back.low) * point->inverse; /* (z − c) / c = r + lost */
    twofold square = product_of(r, r);
    double series = 0; /* log(1 + r) = r − r²/2 + r³ (1/3 − r/4 + r²/5 …) */
    for (int i = 11; i >= 3; i--)
        series = 1.0 / i - r * series;
    double rest = r * square.high * series - 0.5 * square.low - r * lost + lost;
    twofold main = sum_of(k * LOG2_HIGH + point->high, r);
    double more = -0.5 * square.high;
    twofold next = sum_of(main.high, more);
    return sum_of(next.high, next.low + main.low + (k * LOG2_LOW + point->low) + rest);
}

double weft_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y || x < 0)
        return NOT_A_NUMBER;
    if (x == 0 || x > DBL_MAX)
        return (x == 0) == (y > 0) ? 0 : INFINITE;
    /* the least |log x| is 2^-53: a power of 2^64 has left the range on either side */
    if (y > 0x1p64 || y < -0x1p64)
        return (x > 1) == (y > 0) ? INFINITE : 0;
    twofold log = log_twofold(x);
    twofold exponent = product_of(log.high, y);
    if (exponent.high > 710)
        return INFINITE;
    if (exponent.high < -746)
        return 0;
    return exp_twofold(exponent.high, exponent.low + log.low * y);
}

/* IEEE 754 asks every square root to be correctly rounded. */
double weft_sqrt(double x)
{
#if defined(__SSE2__)
    __m128d value = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(value, value));
#else
    return __builtin_sqrt(x);
#endif
}
