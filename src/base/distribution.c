/* SPDX-License-Identifier: Apache-2.0 */
/* The normal distribution and Student's t, by series and continued fractions.
 *
 * Every probability is computed as the smaller of the two sides, so that tails keep their relative
 * accuracy. Quantiles start from a simple approximation and are improved by Newton's method on
 * those functions. Formulas: Abramowitz & Stegun, Handbook of Mathematical Functions, chapter
 * 26. */
#include "base/numeric.h"

#include <assert.h>
#include <stdbool.h>

#define INFINITE        __builtin_inf()
#define NOT_A_NUMBER    __builtin_nan("")
#define SQRT_2PI        0x1.40d931ff62706p+1
#define INVERSE_SQRT_PI 0x1.20dd750429b6dp-1
#define LIKE_NORMAL     1e7 /* degrees of freedom past which t is expanded about the normal */

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

static double normal_density(double x)
{
    return weft_exp(-0.5 * x * x) / SQRT_2PI;
}

/* P(0 < X < x) for 0 ≤ x ≤ 3: A&S 26.2.11, all terms positive. */
static double normal_centre(double x)
{
    double term = x, sum = x;
    for (int n = 3; term > sum * 1e-17; n += 2) {
        term *= x * x / n;
        sum += term;
    }
    return sum * normal_density(x);
}

/* P(X > x) for x ≥ 0; beyond 3 the continued fraction A&S 26.2.14. */
static double normal_tail(double x)
{
    assert(x >= 0);
    if (x <= 3)
        return 0.5 - normal_centre(x);
    if (x > 40)
        return 0;
    double fraction = x;
    for (int n = 100; n > 0; n--)
        fraction = x + n / fraction;
    return normal_density(x) / fraction;
}

double weft_normal_cdf(double x)
{
    if (x != x)
        return x;
    return x > 0 ? 1 - normal_tail(x) : normal_tail(-x);
}

/* The x > 0 with P(X > x) = q < 1/2: A&S 26.2.23, good to 5e-4, then four steps of Newton's method
 * on the logarithm of the tail. */
static double normal_upper(double q)
{
    double t = weft_sqrt(-2 * weft_log(q));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    if (x < 0)
        x = 0;
    for (int i = 0; i < 4; i++) {
        double tail = normal_tail(x);
        x += (weft_log(tail) - weft_log(q)) * tail / normal_density(x);
    }
    return x;
}

/* The x with P(0 < X < x) = d, 0 ≤ d ≤ 1/4, from the left. */
static double normal_middle(double d)
{
    double x = d * SQRT_2PI;
    for (int i = 0; i < 6; i++)
        x += (d - normal_centre(x)) / normal_density(x);
    return x;
}

double weft_normal_quantile(double p)
{
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITE : p == 1 ? INFINITE : NOT_A_NUMBER;
    double q = p < 0.5 ? p : 1 - p; /* 1 − p and p − 1/2 are exact where they are used */
    double x = q < 0.25 ? normal_upper(q) : normal_middle(magnitude(p - 0.5));
    return p < 0.5 ? -x : x;
}

/* Γ(a + 1/2) / Γ(a), by its asymptotic series after raising a past 30. */
static double gamma_ratio(double a)
{
    assert(a > 0);
    double factor = 1;
    while (a < 30) {
        factor *= a / (a + 0.5);
        a += 1;
    }
    static const double series[] = {1,
                                    -1.0 / 8,
                                    1.0 / 128,
                                    5.0 / 1024,
                                    -21.0 / 32768,
                                    -399.0 / 262144,
                                    869.0 / 4194304,
                                    39325.0 / 33554432,
                                    -334477.0 / 2147483648};
    double sum = 0;
    for (int i = 8; i >= 0; i--)
        sum = sum / a + series[i];
    return factor * weft_sqrt(a) * sum;
}

/* log(1 + v), v ≥ 0, without losing a small v. */
static double log_past_one(double v)
{
    double sum = 1 + v;
    if (sum > 0x1p60)
        return weft_log(v);
    return weft_log(sum) - (sum - 1 - v) / sum;
}

/* t² / (df + t²) */
static double student_share(double t, double df)
{
    double ratio = t / weft_sqrt(df);
    return ratio > 1e100 ? 1 : ratio * ratio / (1 + ratio * ratio);
}

/* The density at t ≥ 0 is Γ(a + ½) / (Γ(a) √(π df)) (1 + t²/df)^(−a − ½), a = df/2; this is t times
 * it, which neither overflows nor underflows early. */
static double student_weight(double t, double df)
{
    double ratio = t / weft_sqrt(df);
    double log = ratio > 1e100 ? 2 * weft_log(ratio) : log_past_one(ratio * ratio);
    return gamma_ratio(0.5 * df) * INVERSE_SQRT_PI * weft_exp(-0.5 * df * log) *
           weft_sqrt(student_share(t, df));
}

/* The continued fraction of the incomplete beta function, A&S 26.5.8, by Lentz' method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), result = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        result *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        double change = d * c;
        result *= change;
        if (magnitude(change - 1) < 1e-16)
            break;
    }
    return result;
}

/* P(T > t), or P(0 < T < t) if centre, for t ≥ 0: half an incomplete beta function of
 * x = df / (df + t²), or of 1 − x; whichever converges well is computed. */
static double student_part(double t, double df, bool centre)
{
    assert(t >= 0 && df > 0);
    double a = 0.5 * df, y = student_share(t, df), x = df / (df + t * t);
    double front = 0.5 * student_weight(t, df);
    bool tail_converges = x < (a + 1) / (a + 2.5);
    double part = tail_converges ? front / a * beta_fraction(a, 0.5, x)
                                 : front / 0.5 * beta_fraction(0.5, a, y);
    return tail_converges != centre ? part : 0.5 - part;
}

/* The normal deviate of the same probability, for many degrees of freedom. */
static double normal_of_student(double t, double df)
{
    double t2 = t * t;
    return t - t * (t2 + 1) / (4 * df) + t * (3 + t2 * (8 + t2 * 13)) / (96 * df * df);
}

/* Its inverse, A&S 26.7.5. */
static double student_of_normal(double x, double df)
{
    double x2 = x * x;
    return x + x * (x2 + 1) / (4 * df) + x * (3 + x2 * (16 + x2 * 5)) / (96 * df * df);
}

double weft_student_cdf(double t, double df)
{
    if (t != t || !(df > 0))
        return NOT_A_NUMBER;
    double size = magnitude(t);
    if (size > 1e300)
        return t > 0 ? 1 : 0;
    if (df > LIKE_NORMAL)
        return size > 100 ? (t > 0 ? 1 : 0) : weft_normal_cdf(normal_of_student(t, df));
    double tail = student_part(size, df, false);
    return t > 0 ? 1 - tail : tail;
}

/* The t with P(0 < T < t) = d ≤ 1/4: the probability is concave in t, so that Newton's method
 * comes from the left without overshooting. */
static double student_middle(double d, double df)
{
    double t = d * weft_sqrt(df) / (gamma_ratio(0.5 * df) * INVERSE_SQRT_PI);
    for (int i = 0; i < 100 && t > 0; i++) {
        double step = (d - student_part(t, df, true)) / student_weight(t, df);
        t += t * step;
        if (magnitude(step) <= 1e-15)
            break;
    }
    return t;
}

/* The t with P(T > t) = q < 1/4, from the normal deviate, which lies below: the logarithm of the
 * tail is concave in log t, so that Newton's method overshoots at most once. */
static double student_upper(double q, double df)
{
    double t = normal_upper(q);
    for (int i = 0; i < 200; i++) {
        double tail = student_part(t, df, false);
        if (tail == 0) { /* overshot past the least double */
            t *= 0.9;
            continue;
        }
        double slope = student_weight(t, df) / tail;
        double step = (weft_log(tail) - weft_log(q)) / slope;
        t *= weft_exp(step);
        if (magnitude(step) < 2e-15 || t > 1e300)
            break;
    }
    return t > 1e300 ? INFINITE : t;
}

double weft_student_quantile(double p, double df)
{
    if (!(df > 0))
        return NOT_A_NUMBER;
    if (df > LIKE_NORMAL || !(p > 0 && p < 1))
        return df > LIKE_NORMAL && p > 0 && p < 1 ? student_of_normal(weft_normal_quantile(p), df)
                                                  : weft_normal_quantile(p);
    double q = p < 0.5 ? p : 1 - p;
    double t = q < 0.25 ? student_upper(q, df) : student_middle(magnitude(p - 0.5), df);
    return p < 0.5 ? -t : t;
}
