/* SPDX-License-Identifier: Apache-2.0 */
/* Processes for one point: a run that asks for more than there are would wait for them, or run on
 * fewer without a word. */
#ifndef WEFT_STUDY_RANKS_ENOUGH_H
#define WEFT_STUDY_RANKS_ENOUGH_H

#include "study/internal.h"

/* Fails if more are asked for than there are, and something is to be run. */
WEFT_MUST_USE weft_status weft_enough_ranks(weft_study *study, weft_error *err);

#endif
