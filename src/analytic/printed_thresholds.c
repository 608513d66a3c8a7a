/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/printed_thresholds.h"

#include <assert.h>

typedef struct parts { /* of region i: ρ_i, L_i, x_i, g_i of the infinite queue at its rate */
    double rho, packets, x, g;
} parts;

static double power(double x, uint32_t n)
{
    double result = 1;
    for (; n > 0; n >>= 1, x *= x)
        if (n & 1)
            result *= x;
    return result;
}

/* x + … + x^(n − 1), as (x − x^n) / (1 − x). */
static double geometric(double x, uint32_t n)
{
    return (x - power(x, n)) / (1 - x);
}

static parts part_of(const weft_ge_queue *queue, uint32_t region)
{
    parts p = {.rho = queue->lambda / queue->mu[region]};
    p.packets = p.rho / 2 * (1 + (queue->ca2 + p.rho * queue->cs2) / (1 - p.rho));
    p.x = (p.packets - p.rho) / p.packets;
    p.g = p.rho * (1 - p.x) / (p.x * (1 - p.rho));
    return p;
}

static double mean_rho(const parts *at, uint32_t threshold, uint32_t vc)
{
    double t = threshold, n = vc;
    return (t * at[0].rho + (2 * n - t) * at[1].rho) / (2 * n);
}

static bool is_share(double p)
{
    return p >= 0 && p <= 1;
}

static void judge(weft_printed_thresholds *out, uint32_t capacity)
{
    double off = out->sum - 1;
    out->valid = is_share(out->utilisation) && is_share(out->full) && off < 1e-9 && off > -1e-9 &&
                 out->packets <= capacity;
}

static weft_printed_thresholds one_threshold(const parts *at, uint32_t t, uint32_t vc)
{
    double rho = mean_rho(at, t, vc), x1 = at[0].x, above = rho / (1 - rho);
    uint32_t rest = 2 * vc - t;
    weft_printed_thresholds out = {.rho = rho};
    out.packets = at[0].packets + x1 * at[1].packets + t * power(x1, t);
    double big = at[0].g * x1 * (1 - power(x1, t)) / (1 - x1);
    double inner = big / (1 - x1) - t * power(x1, t + 1) + t * above - ((double)t + 1) * big - 1;
    out.g2 = (above - big) * (rho - (1 - rho) * big) / (out.packets - (1 - rho) * inner);
    out.x2 = (rho * (1 - big) - big) / ((1 - rho) * (out.g2 - big) + rho);
    double upper = out.g2 * geometric(out.x2, rest), last = out.g2 * power(out.x2, rest);
    out.y = (rho * (1 + upper) - upper) / (rho * last);
    double empty = 1 / (1 + at[0].g * geometric(x1, t) + upper);
    out.utilisation = 1 - empty;
    out.full = empty * last * out.y;
    out.sum = 1 + empty * out.g2 + out.full; /* P(T) comes on top of what P(0) was normalised by */
    out.with_rho = out.packets;
    return out;
}

/* The mean number of (5.45), whose L_i are those of `packets`. */
static double mean_packets(const parts *at, const weft_ge_queue *queue, const double *packets,
                           double rho)
{
    uint32_t last = queue->regions - 1, top = queue->threshold[last - 1];
    double sum = packets[0], rest = rho;
    for (uint32_t i = 1; i <= last; i++)
        sum += power(at[i - 1].x, queue->threshold[i - 1]) * packets[i];
    for (uint32_t i = 0; i <= last; i++)
        rest -= (1 - rho) * at[i].g *
                geometric(at[i].x, i < last ? queue->threshold[i] : queue->capacity);
    return sum + top * power(at[0].x, queue->threshold[0]) * rest;
}

/* Π x_l^T_l over the regions below the last. */
static double prefix(const parts *at, const weft_ge_queue *queue, uint32_t regions)
{
    double product = 1;
    for (uint32_t i = 0; i < regions; i++)
        product *= power(at[i].x, queue->threshold[i]);
    return product;
}

static weft_printed_thresholds several(const parts *at, const weft_ge_queue *queue, uint32_t vc)
{
    uint32_t last = queue->regions - 1, top = queue->threshold[last - 1],
             rest = queue->capacity - top;
    double rho = mean_rho(at, queue->threshold[0], vc), z = 1, sum = 0;
    double plain[WEFT_REGIONS_MAX], right[WEFT_REGIONS_MAX];
    for (uint32_t i = 0; i <= last; i++) {
        double before = prefix(at, queue, i);
        right[i] = at[i].packets;
        plain[i] = at[i].packets / at[i].rho;
        z += at[i].g * geometric(at[i].x, i < last ? queue->threshold[i] : rest);
        sum += i < last ? at[i].g * before * geometric(at[i].x, queue->threshold[i] + 1)
                        : at[i].g * before * power(at[i].x, top) * geometric(at[i].x, rest);
    }
    double tail = prefix(at, queue, last) * power(at[last].x, rest);
    weft_printed_thresholds out = {.rho = rho};
    out.packets = mean_packets(at, queue, plain, rho);
    out.with_rho = mean_packets(at, queue, right, rho);
    out.y = (rho + (rho - 1) * sum) / (rho * at[last].g * tail);
    out.utilisation = 1 - 1 / z;
    out.full = at[0].g * tail * out.y / z;
    out.sum = 1 + out.full;
    return out;
}

weft_printed_thresholds weft_printed_thresholds_of(const weft_ge_queue *queue, uint32_t vc)
{
    assert(queue->regions >= 2);
    parts at[WEFT_REGIONS_MAX] = {{0}};
    for (uint32_t i = 0; i < queue->regions; i++)
        at[i] = part_of(queue, i);
    weft_printed_thresholds out =
        queue->regions == 2 ? one_threshold(at, queue->threshold[0], vc) : several(at, queue, vc);
    judge(&out, queue->capacity);
    return out;
}
