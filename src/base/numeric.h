/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions with reproducible bits: only + − * / and integer operations, so that results
 * are the same with any libm, compiler and processor. Tested to 2 ulp against long double. */
#ifndef WEFT_BASE_NUMERIC_H
#define WEFT_BASE_NUMERIC_H

#include <stdint.h>

double weft_log(double x); /* natural; x > 0; −inf for 0, NaN below */
double weft_exp(double x);
double weft_pow(double x, double y); /* x > 0 */
double weft_sqrt(double x);          /* the processor's own, correctly rounded */

/* Quantile of the standard normal distribution, 0 < p < 1. */
double weft_normal_quantile(double p);
/* Quantile of Student's t with df > 0 degrees of freedom, 0 < p < 1; and its distribution. */
double weft_student_quantile(double p, double df);
double weft_student_cdf(double t, double df);
double weft_normal_cdf(double x);

__extension__ typedef __int128 weft_i128;
__extension__ typedef unsigned __int128 weft_u128;

#endif
