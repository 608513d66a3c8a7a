/* SPDX-License-Identifier: Apache-2.0 */
/* Smooth multiplexing and how smooth a sequence is. With w = a / P the j-th cell of a flow may
 * be sent from ⌈(j − 1) / w⌉ on and is due before ⌈j / w⌉, both counted from the flow's start.
 * Every slot goes to the flow that may be sent and is due first, the lowest number on ties; if
 * there is none it stays idle. Whole numbers throughout. Q. Zheng and others, Switch simulations
 * based on workload pattern generation and smoothed periodic input, section III. */
#include "crossbar/arrivals.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

typedef struct flow {
    uint64_t from, due; /* of its next cell */
    uint64_t start, next;
    uint32_t cells; /* per period */
} flow;

static uint64_t ceiling(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static void advance(flow *one, uint32_t period)
{
    one->from = one->start + ceiling(one->next * period, one->cells);
    one->next++;
    one->due = one->start + ceiling(one->next * period, one->cells);
}

void weft_xbar_smux(uint32_t n, const uint32_t *row, uint32_t period, const uint32_t *start,
                    uint64_t slots, weft_xbar_target *sequence, size_t stride)
{
    flow flows[WEFT_SIDE_MAX];
    assert(n <= WEFT_SIDE_MAX);
    for (uint32_t j = 0; j < n; j++) {
        flows[j] = (flow){.start = start ? start[j] : 0, .cells = row[j]};
        if (row[j])
            advance(&flows[j], period);
    }
    for (uint64_t t = 0; t < slots; t++) {
        uint32_t best = n;
        for (uint32_t j = 0; j < n; j++)
            if (row[j] && flows[j].from <= t && (best == n || flows[j].due < flows[best].due))
                best = j;
        sequence[t * stride] = best == n ? WEFT_IDLE : (weft_xbar_target)best;
        if (best < n)
            advance(&flows[best], period);
    }
}

weft_xbar_covering weft_xbar_covering_of(const weft_xbar_target *sequence, uint32_t period,
                                         size_t stride, uint32_t j)
{
    assert(period > 0);
    uint32_t *before =
        weft_alloc((2 * (size_t)period + 1) * sizeof *before); /* cells before slot t */
    for (uint32_t t = 0; t < 2 * period; t++)
        before[t + 1] = before[t] + (sequence[t % period * stride] == j);
    uint64_t cells = before[period];
    weft_xbar_covering worst = {0, 0};
    for (uint32_t l = 0; l < period; l++) { /* a period more adds as many cells to all intervals */
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t t = 0; t < period; t++) {
            uint32_t cover = before[t + l] - before[t];
            least = cover < least ? cover : least;
            most = cover > most ? cover : most;
        }
        uint32_t floor = (uint32_t)(l * cells / period);
        uint32_t above = (uint32_t)ceiling(l * cells, period);
        worst.sparse = floor > least && floor - least > worst.sparse ? floor - least : worst.sparse;
        worst.dense = most > above && most - above > worst.dense ? most - above : worst.dense;
    }
    free(before);
    return worst;
}
