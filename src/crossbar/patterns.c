/* SPDX-License-Identifier: Apache-2.0 */
/* The workload patterns that everybody uses, as matrices of whole numbers. */
#include "crossbar/matrix.h"

#include <string.h>

#define LOG_SIDE_MAX 20 /* of log-diagonal: its sum is 2ⁿ − 1 */

typedef struct shape { /* cell (i, i + k), the same for all i */
    uint32_t share[WEFT_SIDE_MAX];
} shape;

static void uniform(uint32_t n, uint32_t per_mille, shape *all)
{
    (void)per_mille;
    for (uint32_t k = 0; k < n; k++)
        all->share[k] = 1;
}

static void diagonal(uint32_t n, uint32_t per_mille, shape *all)
{
    (void)per_mille;
    all->share[0] = n > 1 ? 2 : 1;
    if (n > 1)
        all->share[1] = 1;
}

static void log_diagonal(uint32_t n, uint32_t per_mille, shape *all)
{
    (void)per_mille;
    for (uint32_t k = 0; k < n; k++)
        all->share[k] = 1u << (n - 1 - k);
}

static void lin_diagonal(uint32_t n, uint32_t per_mille, shape *all)
{
    (void)per_mille;
    for (uint32_t k = 0; k < n; k++)
        all->share[k] = n - k;
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b ? divisor(b, a % b) : a;
}

/* w + (1 − w) / n on the diagonal, (1 − w) / n elsewhere. */
static void unbalanced(uint32_t n, uint32_t per_mille, shape *all)
{
    uint32_t other = 1000 - per_mille, own = n * per_mille + other, by = divisor(own, other);
    for (uint32_t k = 0; k < n; k++)
        all->share[k] = (k ? other : own) / by;
}

static const struct {
    const char *name;
    void (*fill)(uint32_t n, uint32_t per_mille, shape *all);
} patterns[] = {
    {"uniform", uniform},           {"diagonal", diagonal},     {"log-diagonal", log_diagonal},
    {"lin-diagonal", lin_diagonal}, {"unbalanced", unbalanced},
};

weft_status weft_xbar_matrix_pattern(const char *name, uint32_t n, uint32_t per_mille,
                                     uint32_t *cell, uint32_t *d, weft_error *err)
{
    shape all = {{0}};
    size_t which = 0, count = sizeof patterns / sizeof *patterns;
    while (which < count && strcmp(patterns[which].name, name) != 0)
        which++;
    if (which == count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "matrix must be a list of rows, a CSV file, or uniform, diagonal, "
                         "log-diagonal, lin-diagonal or unbalanced, found '%.64s'",
                         name);
    if (patterns[which].fill == log_diagonal && n > LOG_SIDE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "matrix log-diagonal: n must be at most %d, found %u",
                         LOG_SIDE_MAX, n);
    patterns[which].fill(n, per_mille, &all);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            cell[i * n + (i + k) % n] = all.share[k];
    return weft_xbar_matrix_check(n, cell, d, err);
}

static uint64_t sum(const uint32_t *cell, uint32_t n, uint32_t from, uint32_t step)
{
    uint64_t all = 0;
    for (uint32_t k = 0; k < n; k++)
        all += cell[from + k * step];
    return all;
}

weft_status weft_xbar_matrix_check(uint32_t n, const uint32_t *cell, uint32_t *d, weft_error *err)
{
    uint64_t first = sum(cell, n, 0, 1);
    if (first == 0 || first > UINT32_MAX / 2)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "matrix: rows must add up to 1 … %u, found %llu in row 0", UINT32_MAX / 2,
                         (unsigned long long)first);
    for (uint32_t i = 0; i < n; i++) {
        if (sum(cell, n, i * n, 1) != first)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "matrix: all rows and columns must have the same sum; row 0 has %llu, "
                             "row %u has %llu",
                             (unsigned long long)first, i,
                             (unsigned long long)sum(cell, n, i * n, 1));
        if (sum(cell, n, i, n) != first)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "matrix: all rows and columns must have the same sum; row 0 has %llu, "
                             "column %u has %llu",
                             (unsigned long long)first, i, (unsigned long long)sum(cell, n, i, n));
    }
    *d = (uint32_t)first;
    return WEFT_OK;
}
