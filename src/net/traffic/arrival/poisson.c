/* SPDX-License-Identifier: Apache-2.0 */
/* A Poisson process: gaps are −ln u times the mean. Truncated gaps are whole cycles, rounded down,
 * and at least one: the simulator ts does so, and sends more than requested (0.5 % at a rate of
 * 0.01). */
#include "base/numeric.h"
#include "interweft/traffic.h"
#include "net/kinds.h"

enum { GAPS_EXACT, GAPS_TRUNCATED };
static const char *const gap_names[] = {"exact", "truncated", NULL};

typedef struct settings {
    int gaps;
} settings;

static const weft_param params[] = {
    {.name = "gaps",
     .brief = "exact, or truncated to whole cycles (at least one), which raises the rate",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, gaps),
     .fallback = "exact",
     .choices = gap_names},
    {.name = NULL},
};

static double cut_down(double gap, double cycle)
{
    double cycles = gap / cycle;
    cycles = cycles < 0x1p46 ? (double)(uint64_t)cycles : 0x1p46;
    return (cycles < 1 ? 1 : cycles) * cycle;
}

static weft_fine_time interval(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    (void)index;
    const settings *set = arrival->settings;
    double gap = -weft_log(weft_random_open(random)) * arrival->mean;
    if (set->gaps == GAPS_TRUNCATED)
        gap = cut_down(gap, arrival->cycle_ticks);
    return weft_fine_time_of(gap);
}

const weft_arrival_kind weft_arrival_poisson = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arrival_kind),
             .name = "poisson",
             .brief = "exponential gaps, independent of each other",
             .params = params,
             .settings_size = sizeof(settings)},
    .interval = interval,
};
