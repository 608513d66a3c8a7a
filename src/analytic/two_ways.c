/* SPDX-License-Identifier: Apache-2.0 */
/* M lives on one antidiagonal x + y = sum at a time, so memory is O(h). */
#include "analytic/two_ways.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* The probability that a packet with x and y hops to go makes the next one along x. */
static double along_x(weft_choice choice, double rho, uint32_t x, uint32_t y)
{
    double other = rho * (1 - rho); /* the preferred link is busy, the other one idle */
    if (choice == WEFT_CHOICE_RANDOM)
        return 0.5;
    if (choice == WEFT_CHOICE_DIMENSION_ORDER)
        return 1 - other;
    return x >= y ? 1 - other : other;
}

void weft_two_ways_next(weft_choice choice, double rho, uint32_t sum, double *m)
{
    assert(sum > 0);
    m[sum] = 0;
    for (uint32_t x = sum - 1; x > 0; x--) {
        double share = along_x(choice, rho, x, sum - x);
        m[x] = 1 + share * m[x - 1] + (1 - share) * m[x];
    }
    m[0] = 0;
}

/* M on the nodes x + y = h; the caller frees it. */
static double *internal_nodes(weft_choice choice, double rho, uint32_t h)
{
    double *m = weft_alloc(((size_t)h + 1) * sizeof *m);
    for (uint32_t sum = 1; sum <= h; sum++)
        weft_two_ways_next(choice, rho, sum, m);
    return m;
}

double weft_two_ways_quadrant(weft_choice choice, double rho, uint32_t h)
{
    if (h < 2 || choice == WEFT_CHOICE_OBLIVIOUS)
        return 0;
    double *m = internal_nodes(choice, rho, h), sum = 0;
    for (uint32_t x = 1; x < h; x++)
        sum += m[x] - 1; /* the source cannot be cut through */
    free(m);
    return sum / ((double)h * (h - 1));
}

static double multiplicity(uint32_t hops, uint32_t k)
{
    return hops == 0 || 2 * hops == k ? 1 : 2;
}

double weft_two_ways_nodes(uint32_t x, uint32_t y, uint32_t k)
{
    return x <= k / 2 && y <= k / 2 ? multiplicity(x, k) * multiplicity(y, k) : 0;
}

double weft_two_ways_ring(weft_choice choice, double rho, uint32_t h, uint32_t k)
{
    assert(h <= 2 * (k / 2));
    if (h < 2 || choice == WEFT_CHOICE_OBLIVIOUS)
        return 0;
    double *m = internal_nodes(choice, rho, h), sum = 0, nodes = 0;
    for (uint32_t x = 0; x <= h; x++) {
        double count = weft_two_ways_nodes(x, h - x, k);
        nodes += count;
        if (x > 0 && x < h)
            sum += count * (m[x] - 1);
    }
    free(m);
    return sum / (nodes * (h - 1));
}

/* The distribution of internal nodes, for all nodes of an antidiagonal: rows x, columns n. */
typedef struct spreads {
    size_t width;
    double *at, *next;
} spreads;

static double *of(const spreads *s, double *table, uint32_t x)
{
    return table + x * s->width;
}

static void advance(spreads *s, weft_choice choice, double rho, uint32_t sum)
{
    for (uint32_t x = 0; x <= sum; x++) {
        double *row = of(s, s->next, x);
        bool border = x == 0 || x == sum;
        row[0] = border ? 1 : 0;
        double share = border ? 0 : along_x(choice, rho, x, sum - x);
        for (uint32_t n = 1; n < s->width; n++)
            row[n] =
                border ? 0
                       : share * of(s, s->at, x - 1)[n - 1] + (1 - share) * of(s, s->at, x)[n - 1];
    }
    double *swap = s->at;
    s->at = s->next;
    s->next = swap;
}

/* Before it is advanced to h, the spreads hold the nodes with h − 1 hops: (h/2 − 1, h/2), or the
 * middle. */
static void print_recurrence(const spreads *s, double rho, uint32_t h, double *printed)
{
    double alpha = 1 - rho * (1 - rho);
    uint32_t x = h % 2 == 0 ? h / 2 - 1 : (h - 1) / 2;
    const double *middle = of(s, s->at, x);
    for (uint32_t n = h; n-- > 1;)
        printed[n] = printed[n - 1] + (2 * alpha - 1) * middle[n - 1];
    printed[0] = 1;
}

void weft_two_ways_spread(weft_choice choice, double rho, uint32_t h, double *sums, double *printed)
{
    spreads s = {.width = (size_t)h + 1};
    size_t bytes = ((size_t)h + 1) * s.width * sizeof *s.at;
    s.at = weft_alloc(bytes);
    s.next = weft_alloc(bytes);
    s.at[0] = 1;
    for (uint32_t sum = 1; sum <= h; sum++) {
        if (printed)
            print_recurrence(&s, rho, sum, printed);
        advance(&s, choice, rho, sum);
    }
    for (uint32_t n = 0; n < h; n++) {
        sums[n] = 0;
        for (uint32_t x = 0; x < h; x++)
            sums[n] += of(&s, s.at, x)[n];
    }
    free(s.at);
    free(s.next);
}

double weft_two_ways_of_spread(const double *s, uint32_t h)
{
    double sum = 0;
    for (uint32_t n = 2; n < h; n++)
        sum += (n - 1) * s[n];
    return h < 2 ? 0 : sum / ((double)h * (h - 1));
}
