/* SPDX-License-Identifier: Apache-2.0 */
/* The resident set of this process while it does the same kind of thing again and again: once it
 * has seen some of everything it stays as it is. */
#ifndef WEFT_RANDOM_RESIDENT_H
#define WEFT_RANDOM_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESIDENT_MOST = 4096 };

typedef struct resident {
    double next, told; /* seconds: of the next sample, and of the next line */
    size_t count;
    long kib[RESIDENT_MOST];
} resident;

/* Takes a sample every few seconds, and prints a line a minute; done: things so far. */
void resident_look(resident *it, double seconds, uint64_t done);

/* Is the second half no larger than the first, its first fifth left out? Prints both. */
bool resident_flat(const resident *it);

#endif
