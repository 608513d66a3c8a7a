/* SPDX-License-Identifier: Apache-2.0 */
/* Let F_n be the flow over the cut between n and n + 1. Upwards F_n = (1 − σ) F_{n−1} + a p_n,
 * downwards F_{n−1} = (1 − r) F_n + r μ_n p_n; so F_n = x_n F_{n−1} with the x_n below, and p_n
 * follows. */
#include "analytic/ge_queue.h"

#include <assert.h>

#define HUGE_WEIGHT 1e200

weft_ge_queue weft_ge_queue_plain(double lambda, double mu, double ca2, double cs2,
                                  uint32_t capacity)
{
    weft_ge_queue queue = {
        .lambda = lambda, .ca2 = ca2, .cs2 = cs2, .capacity = capacity, .regions = 1};
    queue.mu[0] = mu;
    return queue;
}

double weft_ge_sigma(double scv)
{
    assert(scv >= 1);
    return 2 / (scv + 1);
}

uint32_t weft_ge_region(const weft_ge_queue *queue, uint32_t n)
{
    uint32_t region = 0;
    while (region + 1 < queue->regions && n >= queue->threshold[region])
        region++;
    return region;
}

double weft_ge_starts(const weft_ge_queue *queue)
{
    double sigma = weft_ge_sigma(queue->ca2), r = weft_ge_sigma(queue->cs2);
    return r / (r * (1 - sigma) + sigma);
}

static void shrink(double *p, uint32_t count, double *weight)
{
    for (uint32_t i = 0; i < count; i++)
        p[i] /= HUGE_WEIGHT;
    *weight /= HUGE_WEIGHT;
}

void weft_ge_product(const weft_ge_queue *queue, double *p)
{
    uint32_t last = queue->capacity;
    double sigma = weft_ge_sigma(queue->ca2), r = weft_ge_sigma(queue->cs2);
    double a = sigma * queue->lambda, weight = 1, sum = 0;
    p[0] = 1;
    for (uint32_t n = 1; n < last; n++) {
        double mu = queue->mu[weft_ge_region(queue, n)], below = r * mu + a * (1 - r);
        p[n] = weight * r * a / below;
        weight *= (a + r * mu * (1 - sigma)) / below;
        if (weight > HUGE_WEIGHT)
            shrink(p, n + 1, &weight);
    }
    double mu = queue->mu[weft_ge_region(queue, last)];
    p[last] = weight * weft_ge_starts(queue) * a / (r * mu);
    for (uint32_t n = 0; n <= last; n++)
        sum += p[n];
    for (uint32_t n = 0; n <= last; n++)
        p[n] /= sum;
}

/* Σ (1 − σ)^(K − n) p_n, where an empty system counts only if a service starts. */
static double blocking(const weft_ge_queue *queue, const double *p)
{
    double more = 1 - weft_ge_sigma(queue->ca2), power = 1, sum = 0;
    for (uint32_t n = queue->capacity; n > 0; n--) {
        sum += power * p[n];
        power *= more;
    }
    return sum + weft_ge_starts(queue) * power * p[0];
}

/* 1 − blocking, summed by itself: where nearly all are lost nothing of the difference is left. */
static double admitted(const weft_ge_queue *queue, const double *p)
{
    double more = 1 - weft_ge_sigma(queue->ca2), power = 1, sum = 0;
    for (uint32_t n = queue->capacity; n > 0; n--) {
        sum += (1 - power) * p[n];
        power *= more;
    }
    return sum + (1 - weft_ge_starts(queue) * power) * p[0];
}

void weft_ge_measure(const weft_ge_queue *queue, const double *p, weft_ge_measures *out)
{
    *out = (weft_ge_measures){.utilisation = 0};
    for (uint32_t n = 1; n <= queue->capacity; n++) {
        uint32_t region = weft_ge_region(queue, n);
        out->packets += n * p[n];
        out->utilisation += p[n];
        out->served += queue->mu[region] * p[n];
        out->used[region] += p[n];
    }
    out->loss = blocking(queue, p);
    out->throughput = queue->lambda * admitted(queue, p);
}
