/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/scheduler.h"

const weft_component *const weft_scheduler_kinds[] = {
#define SCHEDULER(name) &weft_scheduler_##name.base,
#include "sched/scheduler/list.def"
#undef SCHEDULER
    NULL,
};
