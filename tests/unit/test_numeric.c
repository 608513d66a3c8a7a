/* SPDX-License-Identifier: Apache-2.0 */
/* log, exp and pow against long double; distributions against published tables; the same bits
 * whatever the compiler and its options. */
#include "base/numeric.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "interweft/random.h"

#define DRAWS 1000000

/* |ours − truth| in units of the last place of truth */
static double ulps(double ours, long double truth)
{
    double near = fabs((double)truth);
    return (double)(fabsl((long double)ours - truth) /
                    (long double)(nextafter(near, INFINITY) - near));
}

static double uniform(weft_random *random)
{
    uint64_t high = weft_random_word(random);
    return ((double)((high << 21) ^ (weft_random_word(random) >> 11)) + 0.5) * 0x1p-53;
}

/* Positive doubles: all exponents, (0, 1) as the generators draw them, near 1, and 1/2 … 5/2. */
static double positive(weft_random *random, int kind)
{
    if (kind == 1)
        return weft_random_open(random);
    if (kind == 2)
        return 0.97 + 0.06 * uniform(random);
    if (kind == 3)
        return 0.5 + 2 * uniform(random);
    uint64_t bits = (uint64_t)weft_random_word(random) << 32;
    bits = ((bits | weft_random_word(random)) & 0x7fffffffffffffffu) % 0x7ff0000000000000u;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x > 0 ? x : 1;
}

static void log_is_within_two_ulp(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    double worst = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = positive(&random, i & 3);
        double error = ulps(weft_log(x), logl(x));
        worst = error > worst ? error : worst;
    }
    print_message("log: at most %.3f ulp\n", worst);
    assert_true(worst < 2);
}

static void log_keeps_its_edges(void **state)
{
    (void)state;
    assert_true(weft_log(0) == -INFINITY && weft_log(-0.0) == -INFINITY);
    assert_true(isnan(weft_log(-1)) && isnan(weft_log(-INFINITY)) && isnan(weft_log(NAN)));
    assert_true(isnan(weft_log(-DBL_TRUE_MIN)));
    assert_true(weft_log(INFINITY) == INFINITY);
    assert_true(weft_log(1) == 0);
    const double edges[] = {DBL_TRUE_MIN, 3 * DBL_TRUE_MIN, DBL_MIN,        nextafter(DBL_MIN, 0),
                            2 * DBL_MIN,  3 * DBL_MIN,      DBL_MAX,        DBL_MAX / 1.5,
                            DBL_MAX / 2,  nextafter(1, 0),  nextafter(1, 2)};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        assert_true(ulps(weft_log(edges[i]), logl(edges[i])) < 2);
}

static void exp_is_within_two_ulp(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(2, 0, 0, WEFT_FOR_ESTIMATE);
    double worst = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = i & 1 ? 2 * uniform(&random) - 1 : 1454 * uniform(&random) - 745;
        double error = ulps(weft_exp(x), expl(x));
        worst = error > worst ? error : worst;
    }
    print_message("exp: at most %.3f ulp\n", worst);
    assert_true(worst < 2);
}

static void exp_keeps_its_edges(void **state)
{
    (void)state;
    assert_true(weft_exp(0) == 1 && weft_exp(-0.0) == 1);
    assert_true(weft_exp(INFINITY) == INFINITY && weft_exp(-INFINITY) == 0);
    assert_true(isnan(weft_exp(NAN)));
    assert_true(weft_exp(709.782712893384) < INFINITY && weft_exp(709.7827128933841) == INFINITY);
    assert_true(weft_exp(-745.13) == DBL_TRUE_MIN && weft_exp(-745.14) == 0);
    assert_true(weft_exp(DBL_TRUE_MIN) == 1);
}

static void pow_is_within_two_ulp(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(3, 0, 0, WEFT_FOR_ESTIMATE);
    double worst = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = positive(&random, i & 3);
        double y = (2 * uniform(&random) - 1) * (i % 3 ? 3 : 1000);
        long double truth = powl(x, y);
        if (truth > DBL_MAX || truth < DBL_TRUE_MIN)
            continue;
        double error = ulps(weft_pow(x, y), truth);
        worst = error > worst ? error : worst;
    }
    print_message("pow: at most %.3f ulp\n", worst);
    assert_true(worst < 2);
}

static void pow_keeps_its_edges(void **state)
{
    (void)state;
    assert_true(weft_pow(2, 10) == 1024 && weft_pow(2, -1074) == DBL_TRUE_MIN);
    assert_true(weft_pow(10, 3) == 1000 && weft_pow(4, 0.5) == 2 && weft_pow(7, 1) == 7);
    assert_true(weft_pow(5, 0) == 1 && weft_pow(1, 1e300) == 1 && weft_pow(NAN, 0) == 1);
    assert_true(weft_pow(0, 2) == 0 && weft_pow(0, -2) == INFINITY);
    assert_true(weft_pow(INFINITY, 2) == INFINITY && weft_pow(INFINITY, -2) == 0);
    assert_true(weft_pow(2, 1e30) == INFINITY && weft_pow(2, -1e30) == 0);
    assert_true(weft_pow(0.5, INFINITY) == 0 && weft_pow(0.5, -INFINITY) == INFINITY);
    assert_true(weft_pow(2, 1025) == INFINITY && weft_pow(2, -1080) == 0);
    assert_true(isnan(weft_pow(-2, 2)) && isnan(weft_pow(2, NAN)) && isnan(weft_pow(NAN, 2)));
}

static void sqrt_is_correctly_rounded(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(4, 0, 0, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < 10000; i++) {
        double x = positive(&random, i & 3);
        assert_true(weft_sqrt(x) == sqrt(x));
    }
    assert_true(isnan(weft_sqrt(-1)) && weft_sqrt(0) == 0 && weft_sqrt(INFINITY) == INFINITY);
}

static void normal_agrees_with_tables(void **state)
{
    (void)state;
    const double table[][2] = {{0.5, 0},
                               {0.75, 0.674489750196081743},
                               {0.9, 1.281551565544600467},
                               {0.95, 1.644853626951472715},
                               {0.975, 1.959963984540054236},
                               {0.99, 2.326347874040841100},
                               {0.995, 2.575829303548900761},
                               {0.9995, 3.290526731491894793},
                               {1e-10, -6.361340902404056}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double x = weft_normal_quantile(table[i][0]);
        assert_true(fabs(x - table[i][1]) <= 1e-13 * fabs(table[i][1]));
        assert_true(fabs(weft_normal_cdf(table[i][1]) - table[i][0]) <= 1e-12 * table[i][0]);
    }
    assert_true(weft_normal_quantile(0) == -INFINITY && weft_normal_quantile(1) == INFINITY);
    assert_true(isnan(weft_normal_quantile(-1)) && isnan(weft_normal_quantile(NAN)));
    assert_true(weft_normal_cdf(-INFINITY) == 0 && weft_normal_cdf(INFINITY) == 1);
    assert_true(fabs(weft_normal_cdf(-10) / 7.619853024160526066e-24 - 1) < 1e-12);
}

static void student_agrees_with_tables(void **state)
{
    (void)state;
    const double table[][3] = {{0.975, 1, 12.706204736174705},   {0.975, 2, 4.3026527297494639},
                               {0.975, 3, 3.1824463052837096},   {0.975, 5, 2.5705818356363155},
                               {0.975, 9, 2.2621571627982055},   {0.975, 31, 2.0395134463964085},
                               {0.975, 100, 1.9839715185235523}, {0.95, 4, 2.1318467863266503},
                               {0.995, 9, 3.2498355415921263},   {0.995, 63, 2.6561450250998617},
                               {0.9, 7, 1.4149239276505085},     {0.75, 1, 1},
                               {0.6, 2, 0.28867513459481288}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double p = table[i][0], df = table[i][1], t = table[i][2];
        assert_true(fabs(weft_student_quantile(p, df) / t - 1) < 1e-13);
        assert_true(fabs(weft_student_quantile(1 - p, df) / t + 1) < 1e-13);
        assert_true(fabs(weft_student_cdf(t, df) - p) < 1e-14);
    }
    assert_true(weft_student_quantile(0.5, 3.5) == 0);
    assert_true(isnan(weft_student_quantile(0.9, 0)) && isnan(weft_student_cdf(NAN, 3)));
    assert_true(weft_student_cdf(-INFINITY, 2) == 0 && weft_student_cdf(INFINITY, 2) == 1);
}

/* Fractional and huge degrees of freedom: quantile and distribution are each other's inverse, two
 * degrees have the closed form t / √(2 + t²), many come close to the normal distribution. */
static void student_is_consistent(void **state)
{
    (void)state;
    const double freedom[] = {0.3, 0.5, 1.5, 2.7, 9.4, 31.7, 1234.5, 9.9e5, 1.1e6, 1e9};
    const double share[] = {1e-12, 1e-4, 0.025, 0.2, 0.3, 0.4999, 0.6, 0.8, 0.975, 0.9999};
    for (size_t i = 0; i < sizeof freedom / sizeof *freedom; i++)
        for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
            double t = weft_student_quantile(share[k], freedom[i]);
            assert_true(fabs(weft_student_cdf(t, freedom[i]) / share[k] - 1) < 1e-9);
        }
    for (double t = 0.001; t < 1000; t *= 1.7)
        assert_true(fabs(weft_student_cdf(t, 2) - 0.5 - 0.5 * t / sqrt(2 + t * t)) < 1e-15);
    assert_true(fabs(weft_student_quantile(0.975, 1e12) / 1.959963984540054 - 1) < 1e-11);
    /* On the way there Newton's method comes to where the tail is below the least double. */
    assert_true(fabs(weft_student_quantile(1e-300, 325) / -148.16435039156264 - 1) < 1e-13);
}

/* The bits of every function over the same arguments, folded into one number. */
static void bits_are_pinned(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(5, 0, 0, WEFT_FOR_ESTIMATE);
    uint64_t sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = positive(&random, i & 3), y = 1454 * uniform(&random) - 745;
        double values[4] = {weft_log(x), weft_exp(y), weft_pow(x, y * 0.01), 0};
        if (i % 1000 == 0) {
            double p = uniform(&random), df = 0.5 + 100 * uniform(&random);
            values[3] = weft_student_quantile(p, df);
        }
        for (int k = 0; k < 4; k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
            sum ^= sum >> 29;
        }
    }
    print_message("bits: 0x%016llx\n", (unsigned long long)sum);
    assert_true(sum == 0xa3d93adfe07638c8u);
}

static void distributions_keep_their_edges(void **state)
{
    (void)state;
    assert_true(isnan(weft_normal_cdf(NAN)));
    assert_true(weft_normal_quantile(0) == -INFINITY && weft_normal_quantile(1) == INFINITY);
    assert_true(weft_student_quantile(0, 3) == -INFINITY);
    assert_true(weft_student_quantile(1, 3) == INFINITY);
    assert_true(isnan(weft_student_quantile(NAN, 3)) && isnan(weft_student_cdf(1, -1)));
    /* so many degrees of freedom are a normal distribution */
    assert_true(weft_student_cdf(101, 1e9) == 1 && weft_student_cdf(-101, 1e9) == 0);
    assert_true(fabs(weft_student_cdf(1, 1e9) - weft_normal_cdf(1)) < 1e-9);
    assert_true(fabs(weft_student_quantile(0.975, 1e9) - weft_normal_quantile(0.975)) < 1e-8);
    assert_true(weft_student_quantile(1, 1e9) == INFINITY);
    assert_true(weft_student_quantile(0, 1e9) == -INFINITY);
    /* few: tails without end */
    assert_true(weft_student_quantile(1e-300, 0.001) == -INFINITY);
    assert_true(weft_student_quantile(0.25, 1) < -0.999999 && weft_student_cdf(1, 1) > 0.7499999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_within_two_ulp),
        cmocka_unit_test(log_keeps_its_edges),
        cmocka_unit_test(exp_is_within_two_ulp),
        cmocka_unit_test(exp_keeps_its_edges),
        cmocka_unit_test(pow_is_within_two_ulp),
        cmocka_unit_test(pow_keeps_its_edges),
        cmocka_unit_test(sqrt_is_correctly_rounded),
        cmocka_unit_test(normal_agrees_with_tables),
        cmocka_unit_test(student_agrees_with_tables),
        cmocka_unit_test(student_is_consistent),
        cmocka_unit_test(bits_are_pinned),
        cmocka_unit_test(distributions_keep_their_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
