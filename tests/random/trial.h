/* SPDX-License-Identifier: Apache-2.0 */
/* One scenario, tried: checked, run in one block, run again in several blocks on two threads,
 * stopped at a random time and gone on with. It may be refused with a sentence that has a place, or
 * run; then the laws of random/laws.h hold and both runs give the same bytes. A deadlock is
 * accepted where the check did not rule it out, nowhere else. Anything else is a finding. */
#ifndef WEFT_RANDOM_TRIAL_H
#define WEFT_RANDOM_TRIAL_H

#include "base/text.h"
#include "interweft/context.h"

#include <stdbool.h>

typedef enum trial_end {
    TRIAL_RAN,
    TRIAL_REFUSED,
    TRIAL_DEADLOCKED, /* as the check had said it could */
    TRIAL_FINDING,
    TRIAL_ENDS
} trial_end;

typedef struct trial {
    const char *file;   /* the scenario */
    const char *folder; /* for results; what is in it is overwritten */
    const char *shared; /* for those of all processes together; NULL: the same folder */
    /* The second run: blocks, threads of a process, and processes (NULL: this one alone). Of
     * several processes only rank 0 knows whether both runs agree. */
    int64_t blocks, threads;
    weft_context *context;
    uint64_t stop; /* says after which part of the second run it is stopped; 0: it is not */
    bool light;    /* almost nothing is offered */
} trial;

/* Tries it by one run alone, with its results in memory. */
trial_end trial_once(const trial *it, weft_text *said);

/* Tries it; adds to the text why it was refused, or what was found. */
trial_end trial_here(const trial *it, weft_text *said);

/* The same in a process of its own, so that one that dies is a finding, and the text what it
 * said. */
trial_end trial_apart(const trial *it, weft_text *said);

#endif
