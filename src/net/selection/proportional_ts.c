/* SPDX-License-Identifier: Apache-2.0 */
/* Proportional selection of the simulator ts: with z hops left in all, a number below z is drawn,
 * and the first dimension is taken if the number is at most its own hops, where less than these
 * would be right. So the first dimension gets one share too many and the last one too few: of
 * (1, 1) the second is never taken. */
#include "net/selection.h"

static void rank(const void *settings, weft_minimal_port *ways, unsigned count, unsigned wanted,
                 weft_random *random)
{
    uint32_t left = 0;
    (void)settings;
    for (unsigned i = 0; i < count; i++)
        left += ways[i].hops;
    for (unsigned i = 0; i < wanted && i + 1 < count; i++) {
        uint32_t drawn = weft_random_below(random, left);
        unsigned j = i;
        for (; drawn > ways[j].hops; j++)
            drawn -= ways[j].hops;
        weft_minimal_port chosen = ways[j];
        for (; j > i; j--) /* the others stay in dimension order */
            ways[j] = ways[j - 1];
        ways[i] = chosen;
        left -= chosen.hops;
    }
}

const weft_selection_kind weft_selection_proportional_ts = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "proportional-ts",
             .brief = "like proportional, but as ts compares: lower dimensions too often"},
    .draws = true,
    .rank = rank,
};
