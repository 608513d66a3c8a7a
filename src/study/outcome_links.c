/* SPDX-License-Identifier: Apache-2.0 */
/* The loads of the busiest links over time. */
#include "study/outcome_rows.h"

#include <math.h>
#include <stdlib.h>

enum { KEPT = 64 };

typedef struct loaded {
    int64_t busy, row; /* row: among the links of the point */
} loaded;

static int busiest_first(const void *a, const void *b)
{
    const loaded *x = a, *y = b;
    if (x->busy != y->busy)
        return x->busy > y->busy ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int64_t sum_of(const weft_link_bins *bins, int64_t slot)
{
    int64_t sum = 0;
    for (size_t b = 0; b < bins->count; b++)
        sum += bins->busy[b * bins->slots + (size_t)slot];
    return sum;
}

bool weft_rows_link_bins(weft_rows *rows, const weft_point *point, const char *ticks,
                         weft_array *array)
{
    const weft_link_bins *bins = weft_simulation_link_bins(rows->simulation);
    const weft_timing *timing = &rows->network->timing;
    if (bins->slots == 0 || bins->count == 0 || point->n_links == 0)
        return false;
    loaded *links = WEFT_TAKE(rows->arena, loaded, point->n_links);
    for (size_t i = 0; i < point->n_links; i++)
        links[i] = (loaded){sum_of(bins, point->links[i].index), (int64_t)i};
    qsort(links, point->n_links, sizeof *links, busiest_first);
    size_t kept = point->n_links < KEPT ? point->n_links : KEPT, columns = 1 + bins->count;
    int64_t *y = WEFT_TAKE(rows->arena, int64_t, kept * columns);
    for (size_t i = 0; i < kept; i++) {
        size_t slot = (size_t)point->links[links[i].row].index;
        y[i * columns] = links[i].row;
        for (size_t b = 0; b < bins->count; b++)
            y[i * columns + 1 + b] = bins->busy[b * bins->slots + slot];
    }
    weft_rows_add(rows, (weft_metric){.name = "link series bin",
                                      .of = "",
                                      .by = "",
                                      .value = weft_timing_value(timing, (double)bins->width),
                                      .lo = NAN,
                                      .hi = NAN,
                                      .n = (int64_t)bins->count,
                                      .unit = weft_timing_unit(timing),
                                      .method = "setting"});
    *array = (weft_array){.table = "matrix",
                          .name = "link series",
                          .of = "",
                          .unit = ticks,
                          .count = kept * columns,
                          .y = y,
                          .columns = columns};
    return true;
}
