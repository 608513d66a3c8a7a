/* SPDX-License-Identifier: Apache-2.0 */
/* One fabric with its forwarding tables, judged. */
#ifndef WEFT_STUDY_CHECK_JUDGE_H
#define WEFT_STUDY_CHECK_JUDGE_H

#include "analysis/flows/flows.h"
#include "base/arena.h"
#include "interweft/judge.h"
#include "net/network.h"

/* What is left of a network's fabric, for the hosts of its first traffic class. Nothing is done
 * that takes long unless `thorough`. Texts are in the arena. Credit loops are left to
 * weft_judge_loops. */
WEFT_MUST_USE weft_status weft_judge_tables(weft_judge_case *it, const weft_network *network,
                                            const weft_parts *parts, bool thorough,
                                            weft_arena *arena, weft_error *err);
/* The same of credit loops, among all hosts. */
WEFT_MUST_USE weft_status weft_judge_loops(weft_judge_case *it, const weft_network *network,
                                           const weft_parts *parts, bool thorough,
                                           weft_arena *arena, weft_error *err);
/* Cables and links of hosts whose width or speed is not that of most between the same levels. */
void weft_judge_rates(weft_judge_case *it, const weft_parts *parts, weft_arena *arena);

#endif
