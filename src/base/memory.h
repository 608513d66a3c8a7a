/* SPDX-License-Identifier: Apache-2.0 */
/* Heap memory with one abort path, and large zeroed regions on huge pages. */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory; aborts with a message when there is none. Free with free(). */
void *weft_alloc(size_t bytes);
/* Like realloc for an array; the new part is not zeroed. */
void *weft_realloc(void *old, size_t count, size_t size);
/* Says how many bytes were wanted and aborts, as both do. */
_Noreturn void weft_memory_exhausted(size_t bytes);

/* A large region from the system: zero pages that use memory only once touched; huge pages are
 * requested. */
void *weft_region_create(size_t bytes);
/* The same region with another length, elsewhere if need be: pages are moved, not copied, and a new
 * part is zero. NULL: a new region. */
void *weft_region_resize(void *region, size_t bytes, size_t wanted);
void weft_region_destroy(void *region, size_t bytes);

/* Resident set of this process now and at its peak, bytes; 0 if unknown. */
int64_t weft_memory_resident(void);
int64_t weft_memory_peak(void);
/* Available memory of the machine, bytes (MemAvailable); 0 if unknown. */
int64_t weft_memory_available(void);

#endif
