/* SPDX-License-Identifier: Apache-2.0 */
/* A generated program on hosts alone, by the rules of program/replay.h. Memory is that of its
 * ranks and of the messages under way. */
#ifndef WEFT_PROGRAM_MARCH_REPLAY_H
#define WEFT_PROGRAM_MARCH_REPLAY_H

#include "program/march/phased.h"
#include "program/replay.h"

/* The tick in which the last operation is over; 0: the program does not end. */
uint64_t weft_march_replay(const weft_phased *schedule, const weft_host_costs *costs,
                           const weft_replay_plan *plan);

#endif
