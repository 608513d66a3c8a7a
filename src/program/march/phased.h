/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is generated while it runs: phases, which are collective operations or
 * calculations, one after the other on every rank and repeated. Nothing is stored per step or per
 * rank; all here is a pure function of the schedule.
 *
 * A message is (rank, number) with number = (repetition × places + place of its step) × 4, + 1 for
 * data that follow a request, + 2 for the answer to one, which is the message of the step that
 * receives. A place is the phase's first one + the step. */
#ifndef WEFT_PROGRAM_MARCH_PHASED_H
#define WEFT_PROGRAM_MARCH_PHASED_H

#include "program/collective.h"

typedef struct weft_phased_phase {
    const char *name;
    weft_collective collective; /* kind NULL: a calculation */
    uint64_t sum;               /* of a collective: ticks for every byte that is added */
    uint64_t compute;           /* of a calculation: ticks */
    double imbalance;           /* share by which ranks may differ, always in the same way */
    double noise;               /* mean of what every repetition takes longer, as a share */
    uint32_t first;             /* its first place */
} weft_phased_phase;

typedef struct weft_phased {
    uint32_t ranks;
    uint32_t n_phases; /* 0: there is no schedule */
    weft_phased_phase *phases;
    uint32_t limit;  /* steps of a collective that are run; 0: all */
    uint32_t chains; /* the most of a phase */
    uint32_t places;
    uint64_t seed;
    uint32_t entity; /* of rank 0, for draws */
} weft_phased;

typedef enum weft_phased_part {
    WEFT_PHASED_SENT = 0, /* an eager message, or a request */
    WEFT_PHASED_DATA = 1,
    WEFT_PHASED_ANSWER = 2
} weft_phased_part;

typedef struct weft_phased_name { /* what a number stands for */
    uint32_t repetition, phase, step;
    weft_phased_part part;
} weft_phased_name;

/* Numbers the places of the phases, which are filled in. False: more than `most` numbers would be
 * needed for so many repetitions. */
bool weft_phased_number_places(weft_phased *schedule, uint32_t repeats, uint32_t most);
uint32_t weft_phased_number(const weft_phased *schedule, weft_phased_name name);
weft_phased_name weft_phased_name_of(const weft_phased *schedule, uint32_t number);
/* True if a rank has such a message, in one of `repeats` repetitions; and what it is. */
bool weft_phased_find(const weft_phased *schedule, uint32_t repeats, uint32_t rank, uint32_t number,
                      weft_phased_name *name, weft_collective_step *step);
bool weft_phased_has(const weft_phased *schedule, uint32_t repeats, uint32_t rank, uint32_t number);

/* Steps of a rank that are run in a phase; 0 for a calculation. */
uint32_t weft_phased_steps(const weft_phased *schedule, uint32_t phase, uint32_t rank);
weft_collective_step weft_phased_step(const weft_phased *schedule, uint32_t phase, uint32_t rank,
                                      uint32_t step);
/* Ticks of a calculation on a rank. */
uint64_t weft_phased_compute(const weft_phased *schedule, uint32_t phase, uint32_t rank,
                             uint32_t repetition);

#endif
