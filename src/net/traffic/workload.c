/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/workload.h"

const weft_component *const weft_workload_kinds[] = {
#define WORKLOAD(name) &weft_workload_##name.base,
#include "net/traffic/workload/list.def"
#undef WORKLOAD
    NULL,
};
