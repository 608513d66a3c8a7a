/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology.h"

const weft_component *const weft_topology_kinds[] = {
#define TOPOLOGY(name) &weft_topology_##name.base,
#include "net/topology/list.def"
#undef TOPOLOGY
    NULL,
};
