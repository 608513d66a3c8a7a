/* SPDX-License-Identifier: Apache-2.0 */
/* As batch systems do that look at the numbers of nodes alone: the smallest run of consecutive free
 * endpoints that is long enough. Where none is, the longest run, and so on with what is missing.
 * Jobs come in the order of their starts. */
#include "base/memory.h"
#include "net/allocation.h"

#include <stdlib.h>
#include <string.h>

typedef struct run {
    uint32_t first, count; /* in the list of free endpoints */
} run;

static uint32_t find_runs(const weft_allocation *allocation, run *runs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < allocation->count; i++)
        if (i > 0 && allocation->free[i] == allocation->free[i - 1] + 1)
            runs[count - 1].count++;
        else
            runs[count++] = (run){.first = i, .count = 1};
    return count;
}

/* The first of the shortest that suffice, or else of the longest. */
static run *best_of(run *runs, uint32_t n_runs, uint32_t wanted)
{
    run *best = &runs[0];
    for (uint32_t i = 1; i < n_runs; i++) {
        bool suffices = best->count >= wanted;
        if (suffices ? runs[i].count >= wanted && runs[i].count < best->count
                     : runs[i].count > best->count)
            best = &runs[i];
    }
    return best;
}

static weft_status order(weft_allocation *allocation, weft_error *err)
{
    run *runs = weft_alloc(sizeof *runs * ((size_t)allocation->count + 1));
    uint32_t *taken = weft_alloc(sizeof *taken * ((size_t)allocation->wanted + 1));
    uint32_t n_runs = find_runs(allocation, runs), count = 0;
    (void)err;
    while (count < allocation->wanted) {
        run *best = best_of(runs, n_runs, allocation->wanted - count);
        for (uint32_t i = 0; i < best->count && count < allocation->wanted; i++)
            taken[count++] = allocation->free[best->first + i];
        best->count = 0;
    }
    memcpy(allocation->free, taken, sizeof *taken * count);
    free(taken);
    free(runs);
    return WEFT_OK;
}

const weft_allocation_kind weft_allocation_first_fit = {
    .name = "first-fit", .last = true, .order = order};
