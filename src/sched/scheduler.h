/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler kinds that are built in: one line each in scheduler/list.def. */
#ifndef WEFT_SCHED_SCHEDULER_H
#define WEFT_SCHED_SCHEDULER_H

#include "interweft/scheduler.h"

#define SCHEDULER(name) extern const weft_scheduler_kind weft_scheduler_##name;
#include "sched/scheduler/list.def"
#undef SCHEDULER

/* Ends with NULL. */
extern const weft_component *const weft_scheduler_kinds[];

#endif
