/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that work on one study must all mean the same one. They read it for themselves, often
 * on different machines, where a file of that name may hold something else; and a launcher can give
 * each of them other options. They would mix networks in one results file, or wait for ever: so all
 * of it is compared before anything runs, and one that differs ends all of them. */
#ifndef WEFT_STUDY_RANKS_ALIKE_H
#define WEFT_STUDY_RANKS_ALIKE_H

#include "study/internal.h"

/* Of a text, for weft_comm_same; NULL is another one than "". */
uint64_t weft_alike_text(const char *text);
/* All processes have standard input, or the scenario is a file. For `file` NULL: a text. */
WEFT_MUST_USE weft_status weft_alike_input(const weft_comm *comm, const char *file,
                                           weft_error *err);
/* By all processes together, once the plan is read and the names of results are known: fails on all
 * of them unless all have the options and the chosen points of rank 0. */
WEFT_MUST_USE weft_status weft_alike_study(const weft_study *study, weft_error *err);

#endif
