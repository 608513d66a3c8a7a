/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of generated ranks goes, when their repetitions end, and events for their log. */
#ifndef WEFT_PROGRAM_MARCH_NOTE_H
#define WEFT_PROGRAM_MARCH_NOTE_H

#include "program/march/march.h"

/* An operation of a rank (store.h) among those of all repetitions. */
uint32_t weft_march_instance(const weft_march *march, uint32_t local, uint32_t what);
/* A CPU that is free begins an operation now which takes it for so many ticks. */
void weft_march_spend(weft_march *march, uint32_t local, uint32_t what, uint64_t takes);
/* A rank has ended a repetition. */
void weft_march_step(weft_march *march, uint32_t local);

/* Record an event now, if march->log: of an operation because of a message, or a message that has
 * come; of an operation, or all of a round, that march->cause sets free; of data that follow a
 * request. */
void weft_march_note_message(const weft_march *march, uint32_t local, weft_rank_event_kind kind,
                             uint32_t what, weft_ranks_message message);
void weft_march_note_ready(const weft_march *march, uint32_t local, uint32_t what);
void weft_march_note_round(const weft_march *march, uint32_t local, uint32_t first, uint32_t end);
void weft_march_note_data(const weft_march *march, uint32_t local, uint32_t what, uint64_t first,
                          uint64_t over);

#endif
