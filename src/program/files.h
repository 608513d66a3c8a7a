/* SPDX-License-Identifier: Apache-2.0 */
/* Programs from files and collectives, for other folders. */
#ifndef WEFT_PROGRAM_FILES_H
#define WEFT_PROGRAM_FILES_H

#include "interweft/program.h"
#include "program/collective.h"
#include "program/divide.h"

/* Reads or generates a program and checks it; weft_program_done is the caller's. */
WEFT_MUST_USE weft_status weft_program_make(const weft_program_choice *choice,
                                            weft_program *program, weft_error *err);

/* Reads the program of a file, and if it is long keeps a part of it. */
WEFT_MUST_USE weft_status weft_program_read_part(const char *file, weft_program_division *division,
                                                 weft_program *program, weft_error *err);

/* The collective operation of a choice with ranks, checked; nothing is generated. */
WEFT_MUST_USE weft_status weft_program_collective(const weft_program_choice *choice,
                                                  weft_collective *collective, weft_error *err);

#endif
