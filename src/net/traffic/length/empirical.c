/* SPDX-License-Identifier: Apache-2.0 */
/* Flow sizes that were measured in data centres, as the distributions that studies of congestion
 * control share: shares of flows up to a size, linear between the points.
 *     web-search   Alizadeh et al., SIGCOMM 2010 (DCTCP)
 *     hadoop       Roy et al., SIGCOMM 2015 (Facebook)
 *     storage      Li et al., SIGCOMM 2019 (HPCC, Alibaba)
 * A size is rounded to the nearest flit, is at least one and at most WEFT_FLITS_MAX; a network is
 * built only if nothing is cut off by that. With H(v) the integral from 0 to v of the rounded size,
 * a piece from a to b has the mean (H(b) − H(a)) / (b − a). */
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "net/traffic/common/size.h"

typedef struct point {
    double bytes, share; /* of the flows are at most so long */
} point;

typedef struct distribution {
    const point *points; /* the first is {0, 0}, the last has the share 1 */
    uint32_t count;
} distribution;

static const point web_search[] = {{0, 0},      {1e4, 0.15}, {2e4, 0.20}, {3e4, 0.30},
                                   {5e4, 0.40}, {8e4, 0.53}, {2e5, 0.60}, {1e6, 0.70},
                                   {2e6, 0.80}, {5e6, 0.90}, {1e7, 0.97}, {3e7, 1}};
static const point hadoop[] = {{0, 0},        {100, 0.01}, {200, 0.02},  {300, 0.05}, {350, 0.15},
                               {400, 0.20},   {500, 0.30}, {600, 0.40},  {700, 0.50}, {1e3, 0.60},
                               {2e3, 0.67},   {7e3, 0.70}, {3e4, 0.72},  {5e4, 0.82}, {8e4, 0.87},
                               {1.2e5, 0.90}, {3e5, 0.95}, {1e6, 0.975}, {2e6, 0.99}, {1e7, 1}};
static const point storage[] = {{0, 0},           {4e3, 0.2293},    {8e3, 0.6921},
                                {1.6e4, 0.8061},  {3.2e4, 0.9047},  {6.4e4, 0.9353},
                                {1.28e5, 0.9677}, {2.56e5, 0.9753}, {2e6, 1}};

#define OF(array)                               \
    {                                           \
        array, sizeof(array) / sizeof(array)[0] \
    }
static const distribution distributions[] = {OF(web_search), OF(hadoop), OF(storage)};
static const char *const names[] = {"web-search", "hadoop", "storage", NULL};

typedef struct settings {
    int of;
    double scale;
} settings;

static const weft_param params[] = {
    {.name = "of",
     .brief = "the flows that were measured",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, of),
     .choices = names},
    {.name = "scale",
     .brief = "factor of all sizes",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scale),
     .fallback = "1",
     .min = 1e-6,
     .max = 1e6},
    {.name = NULL},
};

static const distribution *points_of(const weft_length *length)
{
    return &distributions[((const settings *)length->settings)->of];
}

/* A size in flits, not rounded. */
static double flits_of(const weft_length *length, double bytes)
{
    return bytes * ((const settings *)length->settings)->scale / length->flit_bytes;
}

static uint32_t rounded(double flits)
{
    uint32_t whole = flits < WEFT_FLITS_MAX ? (uint32_t)(flits + 0.5) : WEFT_FLITS_MAX;
    return whole ? whole : 1;
}

static uint32_t draw(const weft_length *length, weft_random *random)
{
    const distribution *its = points_of(length);
    double share = weft_random_open(random);
    uint32_t i = 1;
    while (i + 1 < its->count && its->points[i].share < share)
        i++;
    point a = its->points[i - 1], b = its->points[i];
    double bytes = a.bytes + (b.bytes - a.bytes) * ((share - a.share) / (b.share - a.share));
    return rounded(flits_of(length, bytes));
}

/* H(v): up to 1.5 the size is 1; then it is n from n − 0.5 to n + 0.5, up to the greatest. */
static double integral(double v)
{
    if (v <= 1.5)
        return v;
    double end = v < WEFT_FLITS_MAX ? v : WEFT_FLITS_MAX;
    double n = (double)(uint64_t)(end + 0.5);
    double whole = 0.5 * n * (n - 1) + 0.5; /* of the sizes 1 … n − 1: H(n − 0.5) */
    return whole + n * (end - (n - 0.5)) + (v - end) * WEFT_FLITS_MAX;
}

static double mean(const weft_length *length)
{
    const distribution *its = points_of(length);
    double sum = 0;
    for (uint32_t i = 1; i < its->count; i++) {
        double a = flits_of(length, its->points[i - 1].bytes);
        double b = flits_of(length, its->points[i].bytes);
        double share = its->points[i].share - its->points[i - 1].share;
        sum += share * (integral(b) - integral(a)) / (b - a);
    }
    return sum;
}

/* The longest flow, not cut off. */
static uint32_t most(const weft_length *length)
{
    const distribution *its = points_of(length);
    double flits = flits_of(length, its->points[its->count - 1].bytes);
    return flits < UINT32_MAX - 1 ? (uint32_t)(flits + 0.5) + (flits < 0.5) : UINT32_MAX;
}

const weft_length_kind weft_length_empirical = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_length_kind),
             .name = "empirical",
             .brief = "flow sizes measured in data centres: web search, Hadoop, storage",
             .params = params,
             .settings_size = sizeof(settings)},
    .flits = draw,
    .mean = mean,
    .most = most,
};
