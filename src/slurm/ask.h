/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm's commands, run without a shell: every argument arrives as it is. */
#ifndef WEFT_SLURM_ASK_H
#define WEFT_SLURM_ASK_H

#include "interweft/status.h"

/* Runs a command and waits for it, some seconds at most. *answer: what it printed, on standard
 * output if it ended well, else on standard error; the caller frees it. *ended: its exit status.
 * Fails if there is no such command (*ended is -1), or no answer. */
WEFT_MUST_USE weft_status weft_slurm_ask(const char *const *words, int *ended, char **answer,
                                         weft_error *err);

#endif
