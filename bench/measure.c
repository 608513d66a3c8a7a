/* SPDX-License-Identifier: Apache-2.0 */
/* User time comes from getrusage, everybody's from /proc/stat. */
#include "measure.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static double user_time(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime);
}

static double own_time(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

static double wall_time(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds all cores together have spent on user, nice and system work; 0 if unknown. */
static double busy_time(void)
{
    unsigned long long user = 0, nice = 0, system = 0;
    FILE *stat = fopen("/proc/stat", "r");
    if (!stat)
        return 0;
    if (fscanf(stat, "cpu %llu %llu %llu", &user, &nice, &system) != 3)
        user = nice = system = 0;
    (void)fclose(stat);
    return (double)(user + nice + system) / (double)sysconf(_SC_CLK_TCK);
}

weft_stretch weft_stretch_start(void)
{
    return (weft_stretch){.busy_start = busy_time(),
                          .own_start = own_time(),
                          .wall = wall_time(),
                          .cpu = user_time()};
}

void weft_stretch_stop(weft_stretch *stretch)
{
    stretch->cpu = user_time() - stretch->cpu;
    stretch->wall = wall_time() - stretch->wall;
    double others = busy_time() - stretch->busy_start - (own_time() - stretch->own_start);
    stretch->busy = others > 0.05 + 0.1 * stretch->wall; /* /proc/stat counts in hundredths */
}

void weft_best_take(weft_best *best, uint64_t work, const weft_stretch *stretch)
{
    double rate = (double)work / stretch->cpu;
    if (rate <= best->rate)
        return;
    *best = (weft_best){.rate = rate, .cpu = stretch->cpu, .busy = stretch->busy};
}
