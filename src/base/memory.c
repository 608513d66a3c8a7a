/* SPDX-License-Identifier: Apache-2.0 */
/* Memory from the system. Linux reports available and used memory through /proc. */
#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

_Noreturn void weft_memory_exhausted(size_t bytes)
{
    fprintf(stderr, "weft: out of memory (%zu bytes wanted)\n", bytes);
    abort();
}

void *weft_alloc(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        weft_memory_exhausted(bytes);
    return memory;
}

void *weft_realloc(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count ? count : 1, size);
    if (!memory)
        weft_memory_exhausted(count * size);
    return memory;
}

void *weft_region_create(size_t bytes)
{
    if (bytes == 0)
        bytes = 1;
    void *region = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (region == MAP_FAILED)
        weft_memory_exhausted(bytes);
    if (bytes >= HUGE_PAGE)
        (void)madvise(region, bytes, MADV_HUGEPAGE);
    return region;
}

void *weft_region_resize(void *region, size_t bytes, size_t wanted)
{
    assert(wanted > 0);
    if (!region)
        return weft_region_create(wanted);
    void *moved = mremap(region, bytes, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED)
        weft_memory_exhausted(wanted);
    if (wanted >= HUGE_PAGE)
        (void)madvise(moved, wanted, MADV_HUGEPAGE);
    return moved;
}

void weft_region_destroy(void *region, size_t bytes)
{
    if (region)
        (void)munmap(region, bytes ? bytes : 1);
}

/* The number of kibibytes behind a name in a /proc file, as bytes. */
static int64_t proc_bytes(const char *file, const char *name)
{
    FILE *stream = fopen(file, "r");
    if (!stream)
        return 0;
    char line[256];
    long long kib = 0;
    while (fgets(line, sizeof line, stream))
        if (strncmp(line, name, strlen(name)) == 0) {
            kib = strtoll(line + strlen(name), NULL, 10);
            break;
        }
    fclose(stream);
    return (int64_t)kib * 1024;
}

int64_t weft_memory_resident(void)
{
    return proc_bytes("/proc/self/status", "VmRSS:");
}

int64_t weft_memory_peak(void)
{
    return proc_bytes("/proc/self/status", "VmHWM:");
}

int64_t weft_memory_available(void)
{
    return proc_bytes("/proc/meminfo", "MemAvailable:");
}
