/* SPDX-License-Identifier: Apache-2.0 */
/* The arbiter kinds that are built in: one line each in arbiter/list.def. */
#ifndef WEFT_SCHED_ARBITER_H
#define WEFT_SCHED_ARBITER_H

#include "interweft/scheduler.h"

#define ARBITER(name) extern const weft_arbiter_kind weft_arbiter_##name;
#include "sched/arbiter/list.def"
#undef ARBITER

/* Ends with NULL. */
extern const weft_component *const weft_arbiter_kinds[];

#endif
