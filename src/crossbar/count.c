/* SPDX-License-Identifier: Apache-2.0 */
/* How many matrices there are, without making them: the number of ways to fill the rows that are
 * left depends only on what the columns have left, in any order. So it is kept per sorted column
 * sums, in a hash table, and found by going through the possible next rows. Two rows are a
 * single sum. */
#include "crossbar/matrix.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST    ((uint64_t)INT64_MAX)
#define SUM_MAX    255        /* of a row, so that what a column has left fits 16 bits */
#define EFFORT_MAX 200000000u /* rows gone through */

typedef struct slot {
    uint16_t column[WEFT_ODOMETER_MAX]; /* descending */
    uint64_t ways;                      /* + 1; 0: the slot is empty */
} slot;

struct weft_xbar_counter {
    uint32_t n, d;
    slot *table;
    size_t room, used;
    uint64_t effort;
    bool failed; /* too many, or too much work */
    uint64_t total;
};

static size_t hash(const uint16_t *column)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (uint32_t j = 0; j < WEFT_ODOMETER_MAX; j++)
        h = (h ^ column[j]) * 0x100000001b3u;
    return (size_t)(h ^ h >> 29);
}

static slot *find(const weft_xbar_counter *counter, const uint16_t *column)
{
    size_t at = hash(column) & (counter->room - 1);
    while (counter->table[at].ways &&
           memcmp(counter->table[at].column, column, sizeof counter->table[at].column) != 0)
        at = (at + 1) & (counter->room - 1);
    return &counter->table[at];
}

static void grow(weft_xbar_counter *counter)
{
    slot *old = counter->table;
    size_t room = counter->room;
    counter->room = room ? 2 * room : 1024;
    counter->table = weft_alloc(counter->room * sizeof *counter->table);
    for (size_t i = 0; i < room; i++)
        if (old[i].ways)
            *find(counter, old[i].column) = old[i];
    free(old);
}

static void sort(uint16_t *column, uint32_t n)
{
    for (uint32_t j = 1; j < n; j++)
        for (uint32_t k = j; k > 0 && column[k - 1] < column[k]; k--) {
            uint16_t held = column[k];
            column[k] = column[k - 1];
            column[k - 1] = held;
        }
}

static uint64_t add(weft_xbar_counter *counter, uint64_t a, uint64_t b)
{
    if (a > LARGEST - b) {
        counter->failed = true;
        return LARGEST;
    }
    return a + b;
}

/* Ways to write d as a sum of one number per column, each at most what its column has left: two
 * rows, the second being what is left over. At most binomial(d + n - 1, d): none overflows. */
static uint64_t two_rows(const weft_xbar_counter *counter, const uint16_t *column)
{
    uint64_t ways[SUM_MAX + 1] = {1};
    for (uint32_t j = 0; j < counter->n; j++) {
        for (uint32_t sum = 1; sum <= counter->d; sum++)
            ways[sum] += ways[sum - 1];
        for (uint32_t sum = counter->d; sum > column[j]; sum--)
            ways[sum] -= ways[sum - column[j] - 1];
    }
    return ways[counter->d];
}

static uint64_t ways(weft_xbar_counter *counter, const uint16_t *sorted);

/* Goes through all rows, column by column: `rest` of the row is still to be placed. */
static uint64_t place(weft_xbar_counter *counter, const uint16_t *column, uint32_t j, uint32_t rest,
                      uint32_t room, uint16_t *after)
{
    if (counter->failed)
        return 0;
    if (j + 1 == counter->n) {
        uint16_t next[WEFT_ODOMETER_MAX];
        after[j] = (uint16_t)(column[j] - rest);
        memcpy(next, after, sizeof next);
        sort(next, counter->n);
        counter->failed |= ++counter->effort > EFFORT_MAX;
        return ways(counter, next);
    }
    uint64_t sum = 0;
    room -= column[j]; /* of the columns behind this one */
    for (uint32_t take = rest > room ? rest - room : 0; take <= rest && take <= column[j]; take++) {
        after[j] = (uint16_t)(column[j] - take);
        sum = add(counter, sum, place(counter, column, j + 1, rest - take, room, after));
    }
    return sum;
}

static uint64_t ways(weft_xbar_counter *counter, const uint16_t *sorted)
{
    uint32_t left = 0;
    for (uint32_t j = 0; j < counter->n; j++)
        left += sorted[j];
    uint32_t rows = left / counter->d;
    if (rows <= 1)
        return 1;
    slot *known = find(counter, sorted);
    if (known->ways)
        return known->ways - 1;
    uint16_t after[WEFT_ODOMETER_MAX] = {0};
    uint64_t found =
        rows == 2 ? two_rows(counter, sorted) : place(counter, sorted, 0, counter->d, left, after);
    if (2 * (counter->used + 1) > counter->room)
        grow(counter);
    known = find(counter, sorted);
    memcpy(known->column, sorted, sizeof known->column);
    known->ways = found + 1;
    counter->used++;
    return found;
}

uint64_t weft_xbar_counter_completions(weft_xbar_counter *counter, const uint32_t *columns)
{
    uint16_t sorted[WEFT_ODOMETER_MAX] = {0};
    for (uint32_t j = 0; j < counter->n; j++)
        sorted[j] = (uint16_t)columns[j];
    sort(sorted, counter->n);
    return ways(counter, sorted);
}

static double binomial(uint32_t n, uint32_t k)
{
    double product = 1;
    for (uint32_t i = 1; i <= k; i++)
        product *= (double)(n - k + i) / i;
    return product;
}

/* Canfield and McKay's asymptotic formula, "Asymptotic enumeration of integer matrices with large
 * equal row and column sums", 2010. It is 12 to 27 % above for sides of 3 to 8. */
static double estimate(uint32_t n, uint32_t d)
{
    double rows = binomial(n + d - 1, n - 1), product = 1.6487212707001282; /* the root of e */
    for (uint32_t i = 0; i < 2 * n; i++)
        product *= rows;
    return product / binomial(n * n + n * d - 1, n * n - 1);
}

weft_status weft_xbar_counter_create(uint32_t n, uint32_t d, weft_xbar_counter **counter,
                                     weft_error *err)
{
    assert(n > 0 && d > 0);
    *counter = NULL;
    if (n > WEFT_ODOMETER_MAX || d > SUM_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "matrices are counted up to n = %d and d = %d, found n = %u and d = %u; a "
                         "search may draw some of more (matrices=permuted)",
                         WEFT_ODOMETER_MAX, SUM_MAX, n, d);
    double some = estimate(n, d);
    if (some > 4. * (double)LARGEST)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "there are some %.1e matrices with n = %u and d = %u; they are counted up "
                         "to %.1e, and a search may draw some (matrices=permuted)",
                         some, n, d, (double)LARGEST);
    weft_xbar_counter *made = weft_alloc(sizeof *made);
    *made = (weft_xbar_counter){.n = n, .d = d};
    grow(made);
    uint32_t columns[WEFT_ODOMETER_MAX];
    for (uint32_t j = 0; j < n; j++)
        columns[j] = d;
    made->total = weft_xbar_counter_completions(made, columns);
    if (made->failed) {
        weft_xbar_counter_destroy(made);
        return weft_fail(err, WEFT_BAD_INPUT,
                         "there are some %.1e matrices with n = %u and d = %u, too many to be "
                         "counted; a search may draw some (matrices=permuted)",
                         some, n, d);
    }
    *counter = made;
    return WEFT_OK;
}

void weft_xbar_counter_destroy(weft_xbar_counter *counter)
{
    if (!counter)
        return;
    free(counter->table);
    free(counter);
}

uint64_t weft_xbar_counter_total(const weft_xbar_counter *counter)
{
    return counter->total;
}
