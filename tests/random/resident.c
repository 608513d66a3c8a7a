/* SPDX-License-Identifier: Apache-2.0 */
#include "random/resident.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* GROWTH: of the mean, KiB, beyond which it is a leak; a heap is never quite still. FEW: samples
 * that say nothing. */
enum { EVERY_S = 2, LINE_S = 60, GROWTH = 2048, FEW = 10 };

static long resident_kib(void)
{
    long pages = 0, kib = sysconf(_SC_PAGESIZE) / 1024;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*s %ld", &pages) != 1) /* NOLINT: the kernel writes it */
        pages = 0;
    if (file)
        (void)fclose(file);
    return pages * kib;
}

void resident_look(resident *it, double seconds, uint64_t done)
{
    if (seconds < it->next || it->count == RESIDENT_MOST)
        return;
    it->next = seconds + EVERY_S;
    it->kib[it->count++] = resident_kib();
    if (seconds < it->told)
        return;
    it->told = seconds + LINE_S;
    printf("%6.0f s: %" PRIu64 " done, %ld KiB resident\n", seconds, done, it->kib[it->count - 1]);
    (void)fflush(stdout);
}

static double mean(const resident *it, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += (double)it->kib[i];
    return sum / (double)(to - from);
}

bool resident_flat(const resident *it)
{
    if (it->count < FEW)
        return true;
    size_t start = it->count / 5, middle = start + (it->count - start) / 2;
    double first = mean(it, start, middle), second = mean(it, middle, it->count);
    bool flat = second <= first + GROWTH;
    printf("resident: %.0f KiB in the first half, %.0f KiB in the second%s\n", first, second,
           flat ? "" : ": it grows");
    return flat;
}
