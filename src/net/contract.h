/* SPDX-License-Identifier: Apache-2.0 */
/* The promises of plug-ins' topologies and routings, tried on a sample before they are used:
 * links with both ends, distances, packets that arrive. What does not hold is told in a
 * sentence. Built-in kinds are held to theirs by tests/contract. */
#ifndef WEFT_NET_CONTRACT_H
#define WEFT_NET_CONTRACT_H

#include "interweft/routing.h"

/* Of a topology that has been built. */
WEFT_MUST_USE weft_status weft_contract_topology(const weft_topology *topology, weft_error *err);
/* Of a routing that has been built on a network without faults, with VCs if its plan has any. */
WEFT_MUST_USE weft_status weft_contract_routing(const weft_routing *routing, weft_error *err);

#endif
