/* SPDX-License-Identifier: Apache-2.0 */
/* What every topology needs beside its kind. */
#ifndef WEFT_NET_TOPOLOGY_H
#define WEFT_NET_TOPOLOGY_H

#include "interweft/topology.h"
#include "net/kinds.h"

/* Builds a topology whose kind and self are set, and fills in what a kind may leave at 0: all
 * routers have endpoints, VCs are not divided. */
WEFT_MUST_USE weft_status weft_topology_build(weft_topology *topology, const void *settings,
                                              weft_error *err);

#endif
