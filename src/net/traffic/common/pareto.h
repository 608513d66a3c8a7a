/* SPDX-License-Identifier: Apache-2.0 */
/* Heavy-tailed draws, and how much is left of them at a time that does not know of them (the
 * residual of renewal theory). A shape of at most 2 has infinite variance; the residual of a shape
 * α has the shape α − 1, so its mean is infinite then. A draw takes 64 uniform bits: with 32 the
 * longest tails would miss some percent of their mean. */
#ifndef WEFT_NET_TRAFFIC_COMMON_PARETO_H
#define WEFT_NET_TRAFFIC_COMMON_PARETO_H

#include "base/numeric.h"
#include "interweft/random.h"

#define WEFT_PARETO_SHAPE_MIN 1.2 /* below, the tail beyond the range of a run is some percent */
#define WEFT_PARETO_SHAPE_MAX 100

/* Uniform in (0, 1), 64 bits. */
static inline double weft_pareto_uniform(weft_random *random)
{
    double high = (double)weft_random_word(random), low = (double)weft_random_word(random);
    return (high + (low + 0.5) * 0x1p-32) * 0x1p-32;
}

/* u^(−1 / shape): Pareto with least value 1. */
static inline double weft_pareto_draw(double shape, weft_random *random)
{
    return weft_exp(-weft_log(weft_pareto_uniform(random)) / shape);
}

/* A duration of the given mean from 0 on: P(X > x) = (1 + x / scale)^−shape (Pareto type II), or
 * exponential if shape is 0. */
static inline double weft_period_draw(double shape, double mean, weft_random *random)
{
    if (shape == 0)
        return -weft_log(weft_pareto_uniform(random)) * mean;
    return (weft_pareto_draw(shape, random) - 1) * mean * (shape - 1);
}

/* The rest of such a duration, seen at a random time within it. */
static inline double weft_period_residual(double shape, double mean, weft_random *random)
{
    if (shape == 0)
        return weft_period_draw(0, mean, random);
    return (weft_pareto_draw(shape - 1, random) - 1) * mean * (shape - 1);
}

#endif
