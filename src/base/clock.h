/* SPDX-License-Identifier: Apache-2.0 */
/* A monotonic clock for progress, limits and measurements; never for results. */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <time.h>

/* Seconds of a monotonic clock. */
static inline double weft_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
