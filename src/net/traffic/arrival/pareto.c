/* SPDX-License-Identifier: Apache-2.0 */
/* Pareto gaps, independent of each other: P(gap > x) = (least / x)^shape from the least gap on,
 * which is mean × (shape − 1) / shape. With a shape of 1 … 2 the gaps have infinite variance and
 * the counts of messages are long-range dependent, with Hurst parameter (3 − shape) / 2. The first
 * gap is the rest of one that began before the start, so the process is stationary from the
 * beginning. */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/pareto.h"

typedef struct settings {
    double shape;
} settings;

static const weft_param params[] = {
    {.name = "shape",
     .brief = "exponent of the tail; below 2: self-similar, Hurst parameter (3 - shape) / 2",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, shape),
     .fallback = "1.5",
     .min = WEFT_PARETO_SHAPE_MIN,
     .max = WEFT_PARETO_SHAPE_MAX},
    {.name = NULL},
};

/* In units of the least gap. */
static double residual(double shape, weft_random *random)
{
    if (weft_pareto_uniform(random) < (shape - 1) / shape)
        return weft_pareto_uniform(random);
    return weft_pareto_draw(shape - 1, random);
}

static weft_fine_time interval(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    double shape = ((const settings *)arrival->settings)->shape;
    double least = arrival->mean * (shape - 1) / shape;
    double gap = index == 0 ? residual(shape, random) : weft_pareto_draw(shape, random);
    return weft_fine_time_of(gap * least);
}

const weft_arrival_kind weft_arrival_pareto = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "pareto",
             .brief = "Pareto gaps, independent of each other: self-similar below shape 2",
             .params = params,
             .settings_size = sizeof(settings)},
    .interval = interval,
};
