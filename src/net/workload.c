/* SPDX-License-Identifier: Apache-2.0 */
#include "net/workload.h"

const weft_component *const weft_workload_kinds[] = {
#define WORKLOAD(name) &weft_workload_##name.base,
#include "net/workload/list.def"
#undef WORKLOAD
    NULL,
};
