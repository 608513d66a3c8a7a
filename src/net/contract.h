/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts of plug-in kinds, checked on a sample before the kinds are used: links with both ends,
 * distances, packets that arrive, ranks that are permutations. A violation is WEFT_BROKEN with a
 * message. tests/contract checks the built-in kinds. */
#ifndef WEFT_NET_CONTRACT_H
#define WEFT_NET_CONTRACT_H

#include "interweft/routing.h"
#include "interweft/traffic.h"

/* Checks a topology that has been built. */
WEFT_MUST_USE weft_status weft_contract_topology(const weft_topology *topology, weft_error *err);
/* Checks a routing built on a network without faults, with VCs if its plan has any. */
WEFT_MUST_USE weft_status weft_contract_routing(const weft_routing *routing, weft_error *err);
/* Checks a selection. */
WEFT_MUST_USE weft_status weft_contract_selection(const weft_selection_kind *kind,
                                                  const void *settings, weft_error *err);
/* Checks a pattern that has been built: endpoints that exist, senders, probabilities. */
WEFT_MUST_USE weft_status weft_contract_pattern(const weft_pattern *pattern, weft_error *err);
/* Checks a length distribution: its range and mean. */
WEFT_MUST_USE weft_status weft_contract_length(const weft_length *length, weft_error *err);
WEFT_MUST_USE weft_status weft_contract_arrival(const weft_arrival *arrival, weft_error *err);

#endif
