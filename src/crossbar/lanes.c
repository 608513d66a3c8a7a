/* SPDX-License-Identifier: Apache-2.0 */
/* Which width to take. */
#include "crossbar/lanes.h"

#include <assert.h>

bool weft_xbar_lanes_suit(const weft_scheduler *scheduler, uint32_t period,
                          const weft_xbar_steady_options *steady)
{
    return scheduler->rule.form != WEFT_POINTERS_NONE && scheduler->voq && scheduler->n_vcs == 1 &&
           scheduler->inputs == scheduler->outputs && scheduler->inputs > 1 &&
           scheduler->inputs <= WEFT_LANES_SIDE && period <= WEFT_LANES_PERIOD &&
           steady->stop != WEFT_STOP_PAPER && steady->cap <= WEFT_LANES_CAP;
}

bool weft_xbar_lanes_have(weft_xbar_width width)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (width == WEFT_WIDTH_512)
        return __builtin_cpu_supports("avx512f") != 0;
    if (width == WEFT_WIDTH_256)
        return __builtin_cpu_supports("avx2") != 0;
#endif
    return width == WEFT_WIDTH_64 || width == WEFT_WIDTH_BEST;
}

void weft_xbar_lanes_run(const weft_xbar_lanes_job *job, weft_xbar_width width)
{
    assert(weft_xbar_lanes_have(width));
#if defined(__x86_64__)
    if (width == WEFT_WIDTH_512 ||
        (width == WEFT_WIDTH_BEST && weft_xbar_lanes_have(WEFT_WIDTH_512))) {
        weft_xbar_lanes_run_512(job);
        return;
    }
    if (width == WEFT_WIDTH_256 ||
        (width == WEFT_WIDTH_BEST && weft_xbar_lanes_have(WEFT_WIDTH_256))) {
        weft_xbar_lanes_run_256(job);
        return;
    }
#else
    (void)width;
#endif
    weft_xbar_lanes_run_64(job);
}
