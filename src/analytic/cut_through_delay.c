/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/cut_through_delay.h"

#include "base/memory.h"
#include "base/numeric.h"

#include <assert.h>
#include <stdlib.h>

#define NEGLIGIBLE 1e-17 /* beside the likeliest case */

/* P[K > first + i] of packets that are blocked so many times; 1 before, 0 behind. */
typedef struct phases {
    double weight;
    uint32_t blocked;
    size_t first, count;
    double *above;
} phases;

struct weft_cut_through_delay {
    const weft_cut_through_path *path;
    phases *cases; /* h */
};

/* K is b + the trials until b + 1 successes of probability 1 − ρ. The odds of j failures, relative
 * to the likeliest number, from there up and down, so that nothing leaves the range of a double. */
static double up(double rho, uint32_t b, double j)
{
    return rho * (b + j) / j; /* odds of j over those of j − 1 */
}

static void fill(double rho, uint32_t b, phases *one)
{
    size_t likely = (size_t)(rho * b / (1 - rho)), least = likely, most = likely;
    for (double odds = 1; least > 0 && odds > NEGLIGIBLE; least--)
        odds /= up(rho, b, (double)least);
    for (double odds = 1; odds > NEGLIGIBLE && rho > 0; odds *= up(rho, b, (double)most))
        most++;
    one->count = most - least + 1;
    one->first = 2 * (size_t)b + 1 + least; /* K with the fewest failures */
    one->above = weft_alloc(one->count * sizeof *one->above);
    one->above[likely - least] = 1;
    for (size_t j = likely; j > least; j--)
        one->above[j - 1 - least] = one->above[j - least] / up(rho, b, (double)j);
    for (size_t j = likely; j < most; j++)
        one->above[j + 1 - least] = one->above[j - least] * up(rho, b, (double)j + 1);
    double sum = 0, all = 0;
    for (size_t i = one->count; i-- > 0;)
        all += one->above[i];
    for (size_t i = one->count; i-- > 0;) { /* of exactly i more failures, to more than that */
        double odds = one->above[i];
        one->above[i] = sum / all;
        sum += odds;
    }
}

weft_cut_through_delay *weft_cut_through_delay_create(const weft_cut_through_path *path)
{
    weft_cut_through_delay *delay = weft_alloc(sizeof *delay);
    assert(path->rho <= 0.99 && path->h > 0);
    delay->path = path;
    delay->cases = weft_alloc(path->h * sizeof *delay->cases);
    for (uint32_t b = 0; b < path->h; b++) {
        delay->cases[b] = (phases){.weight = path->blocked[b], .blocked = b};
        if (path->blocked[b] > NEGLIGIBLE)
            fill(path->rho, b, &delay->cases[b]);
    }
    return delay;
}

void weft_cut_through_delay_destroy(weft_cut_through_delay *delay)
{
    for (uint32_t b = 0; b < delay->path->h; b++)
        free(delay->cases[b].above);
    free(delay->cases);
    free(delay);
}

static double above(const phases *one, size_t m)
{
    return m < one->first ? 1 : m < one->first + one->count ? one->above[m - one->first] : 0;
}

/* Σ_m Poisson(m; mean) P[K > m], from the likeliest m down and up. */
static double beyond_phases(const phases *one, double mean)
{
    size_t likely = (size_t)mean;
    double odds = 1, all = 0, sum = 0;
    for (size_t m = likely; odds > NEGLIGIBLE; m--) {
        all += odds;
        sum += odds * above(one, m);
        odds *= (double)m / mean;
        if (m == 0)
            break;
    }
    odds = mean / (double)(likely + 1);
    for (size_t m = likely + 1; odds > NEGLIGIBLE; m++) {
        all += odds;
        sum += odds * above(one, m);
        odds *= mean / (double)(m + 1);
    }
    return sum / all;
}

double weft_cut_through_delay_beyond(const weft_cut_through_delay *delay, double t)
{
    const weft_cut_through_path *path = delay->path;
    double sum = 0;
    for (uint32_t b = 0; b < path->h; b++) {
        const phases *one = &delay->cases[b];
        double left = t - path->header * (path->h - 1 - b);
        if (one->above)
            sum += one->weight * (left > 0 ? beyond_phases(one, left / path->service) : 1);
    }
    return sum < 1 ? sum : 1;
}

double weft_cut_through_delay_within(const weft_cut_through_delay *delay, double share)
{
    double least = 0, most = delay->path->service;
    assert(share < 1);
    while (weft_cut_through_delay_beyond(delay, most) > 1 - share)
        most *= 2;
    while (most - least > 1e-10 * most) {
        double middle = (least + most) / 2;
        if (weft_cut_through_delay_beyond(delay, middle) > 1 - share)
            least = middle;
        else
            most = middle;
    }
    return most;
}

/* Mean and variance of the number of blocked nodes. */
static double blocked_mean(const weft_cut_through_path *path)
{
    double mean = 0;
    for (uint32_t b = 0; b < path->h; b++)
        mean += path->blocked[b] * b;
    return mean;
}

static double blocked_variance(const weft_cut_through_path *path)
{
    double mean = blocked_mean(path), sum = 0;
    for (uint32_t b = 0; b < path->h; b++)
        sum += path->blocked[b] * (b - mean) * (b - mean);
    return sum;
}

double weft_cut_through_delay_mean(const weft_cut_through_path *path)
{
    double queue = path->service / (1 - path->rho), blocked = blocked_mean(path);
    return queue + blocked * (queue + path->service) + (path->h - 1 - blocked) * path->header;
}

double weft_cut_through_delay_deviation(const weft_cut_through_path *path)
{
    double queue = path->service / (1 - path->rho), more = queue + path->service - path->header;
    return weft_sqrt(queue * queue +
                     blocked_mean(path) * (queue * queue + path->service * path->service) +
                     blocked_variance(path) * more * more);
}
