/* SPDX-License-Identifier: Apache-2.0 */
/* All matrices one after the other. A row may be anything that adds up to d and takes no more
 * than the columns have left: whatever is then left can always be completed, since it adds up to
 * d per row that is left. So the walk is an odometer of rows, and the last row is what is left
 * over. */
#include "crossbar/matrix.h"

#include <assert.h>

static uint32_t *row_of(weft_xbar_odometer *walk, uint32_t i)
{
    return walk->cell + (size_t)i * walk->n;
}

/* Puts `rest` into the columns from j on, as far to the right as there is room. */
static void fill_right(weft_xbar_odometer *walk, uint32_t i, uint32_t j, uint32_t rest)
{
    uint32_t *row = row_of(walk, i);
    for (uint32_t k = walk->n; k-- > j;) {
        row[k] = rest < walk->left[i][k] ? rest : walk->left[i][k];
        rest -= row[k];
    }
    assert(rest == 0);
}

/* What the columns have left after row i. */
static void hand_on(weft_xbar_odometer *walk, uint32_t i)
{
    for (uint32_t j = 0; j < walk->n && i + 1 < walk->n; j++)
        walk->left[i + 1][j] = walk->left[i][j] - row_of(walk, i)[j];
}

static void first_rows(weft_xbar_odometer *walk, uint32_t from)
{
    for (uint32_t i = from; i < walk->n; i++) {
        fill_right(walk, i, 0, walk->d);
        hand_on(walk, i);
    }
}

/* The next row i in lexicographic order: the rightmost cell that can grow does, by what stands
 * to the right of it. */
static bool next_row(weft_xbar_odometer *walk, uint32_t i)
{
    uint32_t *row = row_of(walk, i), behind = 0;
    for (uint32_t j = walk->n; j-- > 0; behind += row[j])
        if (behind > 0 && row[j] < walk->left[i][j]) {
            row[j]++;
            fill_right(walk, i, j + 1, behind - 1);
            hand_on(walk, i);
            return true;
        }
    return false;
}

static void open_walk(weft_xbar_odometer *walk, uint32_t n, uint32_t d)
{
    assert(n > 0 && n <= WEFT_ODOMETER_MAX && d > 0);
    walk->n = n;
    walk->d = d;
    for (uint32_t j = 0; j < n; j++)
        walk->left[0][j] = d;
}

void weft_xbar_odometer_init(weft_xbar_odometer *walk, uint32_t n, uint32_t d)
{
    open_walk(walk, n, d);
    first_rows(walk, 0);
}

bool weft_xbar_odometer_next(weft_xbar_odometer *walk)
{
    for (uint32_t i = walk->n - 1; i-- > 0;)
        if (next_row(walk, i)) {
            first_rows(walk, i + 1);
            return true;
        }
    return false;
}

void weft_xbar_odometer_seek(weft_xbar_odometer *walk, weft_xbar_counter *counter, uint64_t index)
{
    assert(index < weft_xbar_counter_total(counter));
    for (uint32_t i = 0; i + 1 < walk->n; i++) {
        fill_right(walk, i, 0, walk->d);
        hand_on(walk, i);
        for (;;) {
            uint64_t ways = weft_xbar_counter_completions(counter, walk->left[i + 1]);
            if (index < ways)
                break;
            index -= ways;
            bool more = next_row(walk, i);
            assert(more);
            (void)more;
        }
    }
    assert(index == 0);
    if (walk->n > 0)
        fill_right(walk, walk->n - 1, 0, walk->d);
}
