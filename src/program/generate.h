/* SPDX-License-Identifier: Apache-2.0 */
/* A collective operation as a program: for replays. */
#ifndef WEFT_PROGRAM_GENERATE_H
#define WEFT_PROGRAM_GENERATE_H

#include "program/collective.h"

/* Fails if the algorithm cannot have so many ranks. sum_per_byte: ticks of the CPU for a byte that
 * is added. */
WEFT_MUST_USE weft_status weft_generate(const weft_collective *collective, uint64_t sum_per_byte,
                                        weft_program *program, weft_error *err);

#endif
