/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/arbiter.h"

const weft_component *const weft_arbiter_kinds[] = {
#define ARBITER(name) &weft_arbiter_##name.base,
#include "sched/arbiter/list.def"
#undef ARBITER
    NULL,
};
